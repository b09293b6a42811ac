import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import { createEngine, parseCanvas } from '@hilo/engine';
import { canvasMachine, compileCanvas, type ExecutionSnapshot, nodeTypes } from '@hilo/engine/debug';
import { canvasHash } from '@hilo/engine/store-kit';
import { drive } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { sendMessage } from '@hilo/nodes/effects';
import { createVirtualClock } from '../../packages/simulator/src/virtual-clock.ts';
import { describe, expect, it } from 'vitest';
import type { InspectionEvent } from 'xstate';
import { type DirectedGraphEdge, type DirectedGraphNode, toDirectedGraph } from 'xstate/graph';

/** The canvas of the README's example. */
async function exampleCanvas() {
  const program = await readFile(new URL('../../examples/readme/engine.ts', import.meta.url), 'utf8');
  const written: unknown = runInNewContext(`(${/acme\.publish\((.*?)\);/s.exec(program)?.[1]})`);
  const { canvas } = parseCanvas(JSON.stringify(written));
  if (canvas === undefined) throw new Error('The example of the README has no canvas');
  return canvas;
}

/** Mermaid accepts letters, digits and `_`. */
const nameOf = (id: string): string => id.replaceAll(/[^A-Za-z0-9]/g, '_');

/** The statechart for Mermaid: the targets of ports, and the states of a node. Transitions that every state has are left out. */
function mermaidOf(graph: DirectedGraphNode): string {
  const nodes =
    graph.children.find(({ stateNode }) => stateNode.key === 'nodes')?.children.filter(({ children }) => children.length > 0) ?? [];
  const keyOf = new Map(nodes.map(({ id, stateNode }) => [id, stateNode.key]));
  const statusOf = ({ transition }: DirectedGraphEdge): string => {
    const guard = transition.guard as { readonly params?: { readonly status?: string } } | undefined;
    return guard?.params?.status ?? '';
  };
  const lines = nodes.flatMap(({ stateNode, children }) => {
    const visiting = children.find((child) => child.stateNode.key === 'visiting');
    const node = nameOf(stateNode.key);
    const stands = (visiting?.edges ?? []).filter(
      ({ target }) => ['performing', 'waiting'].includes(target.key) && target.parent === stateNode,
    );
    const ports = (visiting?.edges ?? []).filter(({ label }) => label.text.startsWith('port:'));
    return [
      `  state ${node} {`,
      `    [*] --> ${node}_visiting`,
      ...stands.map((edge) => `    ${node}_visiting --> ${node}_${edge.target.key} : ${statusOf(edge)}`),
      '  }',
      ...ports.map(({ label, target }) => `  ${node} --> ${nameOf(keyOf.get(target.id) ?? '')} : ${label.text}`),
      ...(ports.length === 0 ? [`  ${node} --> completed`] : []),
    ];
  });
  return [
    'stateDiagram-v2',
    '  [*] --> accepted',
    `  accepted --> ${nameOf(nodes[0]?.stateNode.key ?? '')} : execution.started`,
    ...lines,
    '  completed --> [*]',
  ].join('\n');
}

/** The inspection events while the README's example runs. */
async function inspection(): Promise<readonly string[]> {
  const told: InspectionEvent[] = [];
  const canvas = await exampleCanvas();
  const engine = createEngine({
    nodes: standardNodes,
    drivers: [drive(sendMessage, () => ({ kind: 'sent', messageId: 'm-1' }))],
    clock: createVirtualClock(1_900_000_000_000),
    random: { bytes: (length) => new Uint8Array(length) },
    inspect: (event) => told.push(event),
  });
  await engine.saveDraft('acme', canvas);
  await engine.publish('acme', canvas.id);
  const request = { method: 'POST', headers: {}, query: {}, body: { id: 'A-17', user: '593987654321' } } as const;
  await engine.receiveWebhook({
    companyId: 'acme',
    workflowId: 'greet',
    nodeId: 'hook',
    route: 'production',
    channel: 'web',
    botId: 'bot',
    request,
  });
  await engine.whenIdle();
  return told.map((event) => {
    const type = event.type.replace('@xstate.', '');
    if (event.type === '@xstate.event') return `${type}: ${event.event.type}`;
    if (event.type !== '@xstate.snapshot') return type;
    const { status, state } = event.snapshot as ExecutionSnapshot;
    const { pending, visit } = state;
    const place = visit === undefined ? '' : ` at ${visit.nodeId}${pending === undefined ? '' : `, performing ${pending.type}`}`;
    return `${type} after ${event.event.type}: ${status}, execution ${state.status}${place}`;
  });
}

describe('the page about statecharts', () => {
  it('shows the statechart and the inspection of the example as they are (`vitest -u` writes them)', async () => {
    const canvas = await exampleCanvas();
    const { compiled } = compileCanvas(canvas, canvasHash(canvas), nodeTypes(standardNodes));
    const page = [
      '# The statechart of a canvas',
      '`tests/examples/statechart.test.ts` generates this page from the example of the [engine’s README](../packages/engine/README.md).',
      '`canvasMachine(canvas)` is the statechart of a canvas: a node is a state, a port is an event. Every state also has transitions to `failed`, `cancelled`, `expired` and `quarantined`, and on the events that settle an effect or a wait; the diagram omits them.',
      `\`\`\`mermaid\n${mermaidOf(toDirectedGraph(canvasMachine(compiled)))}\n\`\`\``,
      '## What the inspector sees',
      '`createEngine({ inspect })` takes an inspection callback or observer, as XState does. For this example it receives:',
      `\`\`\`text\n${(await inspection()).join('\n')}\n\`\`\``,
    ];
    await expect(`${page.join('\n\n')}\n`).toMatchFileSnapshot('../../docs/statechart.md');
  });
});
