import type { NodeDefinition } from '../../packages/engine/src/contract/index.ts';
import { nodeCatalogue } from '../../packages/nodes/src/index.ts';
import { commonFields } from './node-pages.ts';
import { fieldTable } from './schema-fields.ts';

/** The documentation's table of nodes, in Markdown. */
export function nodesTable(nodes: readonly NodeDefinition[]): string {
  const catalogue = nodeCatalogue(nodes);
  const rows = nodes.map(({ type, visual, facts, supports }, index) => {
    const { required = [], optional = [] } = catalogue[index]?.ports ?? {};
    const listed = [...required.map((port) => `\`${port}\``), ...optional.map((port) => `[\`${port}\`]`)].join(', ');
    const needs = [facts.needs ?? [], supports.kinds.length === 1 ? `a ${supports.kinds.join()}` : []].flat().join('; ');
    return [
      `[\`${type}\`](nodes/${type}.md)`,
      visual.description,
      needs || none,
      facts.limits ?? none,
      facts.ports ?? (listed || none),
      facts.holds ?? none,
    ];
  });
  return `# Nodes

Every node, from the definitions in [\`packages/nodes\`](../packages/nodes): what it needs, its limits, its ports, and how long it may
keep the user's messages from the flow where its \`hold\` is on. A port in brackets may stay without an edge. This table is made by
\`npm run generate\`; each node has a page with its fields and an example, and [\`catalogue.json\`](../packages/nodes/catalogue.json) the same for programs.

| node | what it does | needs | limits | ports | holds the user |
| --- | --- | --- | --- | --- | --- |
${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}

Whatever the node: an effect without a limit of its own ends after 60 s, a value has at most 64 KB and all variables of an execution 1 MB,
and 1,000 visits without a wait end the execution.

## Fields of every node

${fieldTable(commonFields)}
A node with \`"retry": { "attempts": 3, "delay": "PT2S", "factor": 2, "maxDelay": "PT1H" }\` is tried up to three times before it leaves by
\`error\`, with the same idempotency keys. It pauses for a random part of its delay, so that not all users whose call failed come back at
once (\`"jitter": "none"\`: for all of it), and no less than the other side asks for with \`Retry-After\`, up to \`maxDelay\`.
`;
}

const none = '–';
