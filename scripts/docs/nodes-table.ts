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

This table lists every node with its requirements, limits and ports, and how long it may hold back the user's messages if its \`hold\` is on. Ports in
brackets are optional: they may stay without an edge. Each node has a page with its fields and an example.

\`npm run generate\` writes this page from the definitions in [\`packages/nodes\`](../packages/nodes). [\`catalogue.json\`](../packages/nodes/catalogue.json) has
the same content for programs.

| node | what it does | needs | limits | ports | holds the user |
| --- | --- | --- | --- | --- | --- |
${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}

These limits apply to all nodes: an effect without its own limit times out after 60 s, a value has at most 64 KB, all variables of an execution
have at most 1 MB, and 1,000 visits without a wait end the execution.

## Fields of every node

${fieldTable(commonFields)}
A node with \`"retry": { "attempts": 3, "delay": "PT2S", "factor": 2, "maxDelay": "PT1H" }\` is tried up to three times, with the same idempotency
keys, before it leaves by \`error\`. Before each retry it pauses for a random part of the delay, so that the calls of many users are not repeated at the
same moment; with \`"jitter": "none"\` it pauses for the whole delay. If the other side sends \`Retry-After\`, the pause is at least that long, up to
\`maxDelay\`.
`;
}

const none = '–';
