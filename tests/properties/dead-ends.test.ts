import { checkCanvas } from '@hilo/engine';
import type { JsonObject } from '@hilo/engine/contract';
import { optionsOf, StrictMessage, standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CanvasJson, type NodeJson, listPorts } from '../../packages/testing/src/arbitraries/build-canvas.ts';
import { canvas } from '../../packages/testing/src/arbitraries/canvases.ts';
import { readCanvas } from '../../packages/simulator/src/read-canvas.ts';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';
import { pathsOf } from '../../packages/simulator/src/paths-of.ts';
import type { Conversation } from '../../packages/simulator/src/simulation/conversation.ts';

/** Canvases in which the user chooses every path: nothing depends on variables, retried or skipped. */
const drivable = canvas({ nodes: ['ask', 'api', 'delay', 'wait-event', 'message', 'set'] }).map((canvas) => ({
  ...canvas,
  settings: {},
  nodes: canvas.nodes.map(({ data, ...node }) => ({ ...node, data: simplified(node.type, data) })),
}));

function simplified(
  type: string,
  { retry: _retry, onError: _onError, hold: _hold, skipIfSet: _skipIfSet, successStatuses: _statuses, ...given }: JsonObject,
): JsonObject {
  const data = withFixedDurations(given);
  if (type === 'message') return { message: { type: 'text', text: 'Hello' } };
  if (type !== 'ask' || data['input'] === undefined) return data;
  return { ...data, message: { type: 'text', text: 'Well?' }, input: { kind: 'text' } };
}

/** Durations that are known before the canvas runs, so that exactly as much time can pass, and no later node times out. */
const withFixedDurations = (data: JsonObject): JsonObject => ({
  ...data,
  ...Object.fromEntries(['timeout', 'duration'].flatMap((field) => (textAt(data, field).startsWith('{{') ? [[field, 'PT20M']] : []))),
});

/** False for ports that a conversation cannot choose: the world would have to refuse something, or a wait has no end in time. */
const isChosen = ({ type, data }: NodeJson, port: string): boolean => {
  if (type === 'api') return true;
  return port === 'timeout' ? timeOf(data) !== '' : !['error', 'windowClosed', 'invalid', 'interrupted'].includes(port);
};

/** Makes an execution leave a node by a port; does nothing when it does by itself. */
async function leaveBy(conversation: Conversation, { type, data }: NodeJson, port: string): Promise<void> {
  if (port === 'timeout' || port === 'elapsed') await conversation.passes(timeOf(data));
  else if (type === 'ask') await conversation.says(port === 'other' || port === 'answered' ? 'zzz' : titleOf(data, port));
  else if (type === 'api') await conversation.apiAnswers({ status: port === 'success' ? 200 : 500 });
  else if (type === 'wait-event') await conversation.signals(textAt(data, 'name'), textAt(data, 'correlation'));
}

const textAt = (data: JsonObject, field: string): string => (typeof data[field] === 'string' ? data[field] : '');

/** How long a node waits; empty where it waits without an end. */
const timeOf = (data: JsonObject): string => textAt(data, 'timeout') || textAt(data, 'duration');

const titleOf = (data: JsonObject, port: string): string =>
  optionsOf(StrictMessage.parse(data['message'])).find((option) => option.port === port)?.title ?? port;

describe('what checkCanvas calls a port without an edge', () => {
  it('can be driven into', () =>
    fc.assert(
      fc.asyncProperty(drivable, fc.nat({ max: 1_000 }), async (whole, choice) => {
        const nodeOf = (id: string) => whole.nodes.find((node) => node.id === id)!;
        const candidates = whole.edges.filter(({ source, sourceHandle }) => {
          const node = nodeOf(source);
          return listPorts(node.type, node.data).required.includes(sourceHandle) && isChosen(node, sourceHandle) && node.type !== 'start';
        });
        fc.pre(candidates.length > 0);
        const gone = candidates[choice % candidates.length]!;
        const broken: CanvasJson = { ...whole, edges: whole.edges.filter((edge) => edge !== gone) };
        expect(checkCanvas(readCanvas(broken), { nodes: standardNodes })).toContainEqual(
          expect.objectContaining({ code: 'PORT_WITHOUT_EDGE', nodeId: gone.source }),
        );

        // A way to the node that a conversation can take, from the start.
        const { paths } = pathsOf(broken, { maxPaths: 2_000 });
        const ways = paths.map(({ steps, to }) => [
          ...steps.map((step) => [step.slice(0, step.lastIndexOf('.')), step.slice(step.lastIndexOf('.') + 1)] as const),
          [to, ''] as const,
        ]);
        const way = ways
          .map((steps) =>
            steps.slice(
              0,
              steps.findIndex(([id]) => id === gone.source),
            ),
          )
          .find(
            (steps, index) =>
              ways[index]?.some(([id]) => id === gone.source) === true && steps.every(([id, port]) => isChosen(nodeOf(id), port)),
          );
        fc.pre(way !== undefined);

        const conversation = await simulate({ canvases: [broken], runsUnchecked: true, channel: 'web' });
        await conversation.says('hello');
        for (const [id, port] of [...way, [gone.source, gone.sourceHandle] as const]) await leaveBy(conversation, nodeOf(id), port);
        const entries = (await conversation.history()).flatMap((record) => record.entries);
        const entry = entries.findLast(({ nodeId }) => nodeId === gone.source);
        expect(entry).toMatchObject({ port: gone.sourceHandle, cause: 'DEAD_END' });
      }),
    ));
});
