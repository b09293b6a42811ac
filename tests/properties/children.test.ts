import { isJsonObject, type JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, innerTypes, type Sequence, sequences, type Step } from '../../packages/testing/src/arbitraries/blocks.ts';
import { buildCanvas, type CanvasJson } from '../../packages/testing/src/arbitraries/build-canvas.ts';
import { eventScript } from '../../packages/testing/src/arbitraries/event-scripts.ts';
import { vocabulary } from '../../packages/testing/src/arbitraries/vocabulary.ts';
import type { ScriptInput } from '../../packages/simulator/src/script/script-input.ts';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';
import { fewRuns } from '../../scripts/vitest/part-of.ts';

/** What means the same in a child: no draws, which derive from the execution, and nothing that waits for the canvas's own webhook. */
const types = innerTypes.filter((type) => !['random', 'code', 'wait-external', 'workflow'].includes(type));
const body = sequences({ types, hasExits: false });

const step = (type: Step['type'], data: JsonObject): Block => ({ kind: 'step', type, data, ways: [], handled: 'none', isRepeated: false });

/** The rest of the caller: it sends a message, asks, and sends its variables. */
const after = (outputs: JsonObject): Sequence => ({
  blocks: [
    step('message', { message: { type: 'text', text: 'Now that is done' } }),
    step('ask', { message: { type: 'text', text: 'Anything else?' }, input: { kind: 'text' } }),
  ],
  exit: { type: 'end', data: { outputs: { ...outputs, said: "{{$message.text ?? ''}}" } } },
});

const names = Object.keys(vocabulary.declared);
const outputsFrom = (scope: string): JsonObject => Object.fromEntries(names.map((name) => [name, `{{${scope}.${name}}}`]));

const start = { keywords: ['begin'] };
const begin: ScriptInput = { kind: 'says', message: { type: 'text', text: 'begin' } };

/** A canvas with the body in it. */
const inlined = ({ blocks }: Sequence): CanvasJson => {
  const { blocks: more, exit } = after(outputsFrom('$context'));
  return buildCanvas({ id: 'main', kind: 'skill', start, body: { blocks: [...blocks, ...more], ...(exit !== undefined && { exit }) } });
};

/** The same with the body in a canvas of its own. @param before - the caller's nodes before the call */
const calling = ({ blocks }: Sequence, before: readonly Block[] = []): readonly [CanvasJson, CanvasJson] => {
  const { blocks: more, exit } = after(outputsFrom('$context.child'));
  const call = step('workflow', { workflowId: 'child-1', saveAs: '$context.child' });
  return [
    buildCanvas({ id: 'main', kind: 'skill', start, body: { blocks: [...before, call, ...more], ...(exit !== undefined && { exit }) } }),
    buildCanvas({
      id: 'child-1',
      kind: 'skill',
      start: {},
      body: { blocks, exit: { type: 'end', data: { outputs: outputsFrom('$context') } } },
    }),
  ];
};

/** Pauses before retries are drawn too, unless the node sets `jitter: false`. */
const withoutJitter = (canvas: CanvasJson): CanvasJson => ({
  ...canvas,
  nodes: canvas.nodes.map((node) => {
    const retry = node.data['retry'];
    return isJsonObject(retry) ? { ...node, data: { ...node.data, retry: { ...retry, jitter: 'none' } } } : node;
  }),
});

/** The visible effects of one conversation. */
async function seen(canvases: readonly CanvasJson[], script: readonly ScriptInput[]) {
  const conversation = await simulate({ canvases: canvases.map(withoutJitter) });
  for (const input of [begin, ...script]) await conversation.plays(input);
  const { status, ending, variables } = (await conversation.execution())!.state;
  return {
    sent: conversation.sent,
    calls: conversation.calls.map(({ effect, request }) => ({ effect, request })),
    // Whether the caller itself is at work, or waits for a child that is.
    status: status === 'running' ? 'waiting' : status,
    outputs: ending?.outputs,
    cause: ending?.failure?.cause,
    ...(status === 'completed' && { memory: variables['$memory'] }),
  };
}

describe('calling a child', () => {
  it('equals running its nodes inline, as far as messages, calls and variables are concerned', () =>
    fc.assert(
      fc.asyncProperty(body, eventScript, async (body, script) => {
        expect(await seen(calling(body), script)).toEqual(await seen([inlined(body)], script));
      }),
      fewRuns(100),
    ));

  it("lets what is written while the child works answer the caller's next wait", async () => {
    const work: Sequence = { blocks: [step('api', { url: 'https://api.example' })] };
    for (const canvases of [[inlined(work)], calling(work)]) {
      const conversation = await simulate({ canvases });
      await conversation.plays(begin);
      await conversation.says('meanwhile');
      await conversation.apiAnswers({ status: 200 });
      expect((await conversation.execution())?.state.ending?.outputs).toMatchObject({ said: 'meanwhile' });
    }
  });

  it('begins the child before it reads messages from while the caller worked', async () => {
    const work: Sequence = {
      blocks: [step('ask', { message: { type: 'text', text: 'Inside?' }, input: { kind: 'text' }, saveAs: '$context.answer' })],
    };
    const conversation = await simulate({ canvases: calling(work, [step('api', { url: 'https://api.example' })]) });
    await conversation.plays(begin);
    await conversation.says('to the question inside');
    await conversation.apiAnswers({ status: 200 });
    await conversation.says('to the question after');
    expect((await conversation.execution())?.state.ending?.outputs).toMatchObject({
      answer: 'to the question inside',
      said: 'to the question after',
    });
  });
});
