import { readFileSync } from 'node:fs';
import type { HistoryRecord } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canvas } from '../../testing/src/arbitraries/canvases.ts';
import { arbitraries } from '../../testing/src/arbitraries/arbitraries.ts';
import { conversationFor, inputsOf } from '../src/inputs-of.ts';
import { type CanvasPath, pathsOf, requireCoverage, uncoveredPorts } from '../src/paths-of.ts';
import type { ScriptInput } from '../src/script/script-input.ts';
import { sampleAnswer } from '../src/simulation/sample-answers.ts';
import { simulate } from '../src/simulation/simulate.ts';

const example = (name: string): object =>
  JSON.parse(readFileSync(new URL(`../../../examples/workspace/canvases/${name}.json`, import.meta.url), 'utf8')) as object;

const settings = { ordersUrl: 'https://orders.example' };

/** Plays inputs to a canvas of their own. @returns what its executions did */
async function historiesOf(subject: object, inputs: readonly ScriptInput[]): Promise<readonly (readonly HistoryRecord[])[]> {
  const conversation = await simulate({ canvases: [subject], company: { settings }, answers: sampleAnswer });
  for (const input of inputs) await conversation.plays(input);
  const executions = await conversation.executions();
  return Promise.all(executions.map(({ executionId }) => conversation.history(executionId)));
}

describe('conversationFor', () => {
  /** Ports that no input decides: an effect that fails by itself. */
  const isDecided = ({ steps }: CanvasPath): boolean =>
    !steps.some((step) => /\.(error|windowClosed)$/.test(step) && step !== 'look.error');

  it('takes an execution along each path that inputs decide', async () => {
    const subject = example('order-status');
    const paths = pathsOf(subject).paths.filter(isDecided);
    expect(paths.length).toBeGreaterThanOrEqual(8);
    for (const path of paths) {
      const histories = await historiesOf(subject, conversationFor(subject, path));
      const left = histories
        .flat()
        .flatMap(({ entries }) => entries.flatMap(({ nodeId, port }) => (port === undefined ? [] : [`${nodeId}.${port}`])));
      expect(left.slice(0, path.steps.length)).toEqual(path.steps);
    }
  });
});

describe('arbitraries.scriptOf', () => {
  /** Whether an input begins it: some canvases are only called. */
  const isBegun = (subject: object): boolean =>
    inputsOf(subject).some(({ step }) => pathsOf(subject, { maxPaths: 100 }).paths.some(({ steps }) => steps[0] === step));

  it('speaks the words of any canvas: its conversations come somewhere', () =>
    fc.assert(
      fc.asyncProperty(
        canvas()
          .filter(isBegun)
          .chain((subject) => fc.tuple(fc.constant(subject), fc.array(arbitraries.scriptOf(subject), { minLength: 3, maxLength: 3 }))),
        async ([subject, scripts]) => {
          const histories = await Promise.all(scripts.map((script) => historiesOf(subject, script)));
          expect(() => requireCoverage(subject, histories.flat())).not.toThrow();
        },
      ),
      { numRuns: 6 },
    ));

  it('covers every port of an example that inputs decide', async () => {
    const subject = example('order-status');
    const scripts = fc.sample(arbitraries.scriptOf(subject), { numRuns: 40, seed: 3 });
    const histories = await Promise.all(scripts.map((script) => historiesOf(subject, script)));
    const { never } = uncoveredPorts(subject, histories.flat());
    expect(never.filter((step) => !/\.(error|windowClosed)$/.test(step))).toEqual([]);
  });

  it('refuses a canvas that no input begins, and a property that covers too little', () => {
    const called = {
      schemaVersion: 1,
      id: 'called',
      name: 'Called',
      nodes: [
        { id: 'begin', type: 'start' },
        { id: 'done', type: 'end' },
      ],
      edges: [{ source: 'begin', target: 'done' }],
    };
    expect(() => arbitraries.scriptOf(called)).toThrow(/No input begins this canvas/);
    expect(() => requireCoverage(called, [])).toThrow(
      'The runs left by 0 of the 1 ports of the canvas, which proves little. Never: begin.next',
    );
    expect(() => requireCoverage(called, [], { atLeast: 0 })).toThrow(RangeError);
  });
});

describe('inputsOf', () => {
  it.each([
    [{ kind: 'number', min: 3, max: 9, integer: true }, ['3', '9', '6']],
    [{ kind: 'date', min: '2031-01-05' }, ['2031-01-05', '2031-12-24']],
    [{ kind: 'time', max: '18:00' }, ['09:30', '18:00']],
    [{ kind: 'email' }, ['ana@example.com']],
    [{ kind: 'text', minLength: 8 }, ['Hello!!!']],
  ])('answers a question of %j within its bounds', (input, texts) => {
    const subject = {
      schemaVersion: 1,
      id: 'asks',
      name: 'Asks',
      nodes: [
        { id: 'begin', type: 'start', data: { fallback: true } },
        { id: 'q', type: 'ask', data: { message: { type: 'text', text: '?' }, input, saveAs: '$context.a' } },
        { id: 'done', type: 'end' },
      ],
      edges: [
        { source: 'begin', target: 'q' },
        { source: 'q', sourceHandle: 'answered', target: 'done' },
      ],
    };
    const said = inputsOf(subject).filter(({ step }) => step === 'q.answered');
    expect(said.map(({ input: one }) => (one.kind === 'says' ? one.message['text'] : undefined))).toEqual(texts);
  });
});

describe('a company', () => {
  it.each([
    [{}, 'enterprise', 60_000],
    [{ plan: 'free' }, 'self-service', 10_000],
    [{ plan: 'growth' }, 'self-service', 30_000],
    [{ plan: 'free', kind: 'enterprise' }, 'enterprise', 60_000],
  ])('%j is %s: its calls take %i ms at most', async (company, _kind, appliedMs) => {
    const subject = {
      schemaVersion: 1,
      id: 'calls',
      name: 'Calls',
      nodes: [
        { id: 'begin', type: 'start', data: { fallback: true } },
        { id: 'call', type: 'api', data: { url: 'https://shop.example' } },
        { id: 'done', type: 'end' },
      ],
      edges: [
        { source: 'begin', target: 'call' },
        { source: 'call', sourceHandle: 'success', target: 'done' },
      ],
    };
    const conversation = await simulate({ canvases: [subject], company });
    await conversation.says('Hello');
    expect(conversation.calls.at(-1)?.request).toMatchObject({ timeoutMs: appliedMs });
  });
});

describe('answers', () => {
  it.each([
    ['for short', { status: 200, body: { ok: true } }, 'completed'],
    ['whole', { kind: 'response', response: { status: 200, headers: {}, body: null } }, 'completed'],
    ['as the reason of silence', 'timeout', 'failed'],
    ['not at all', undefined, 'running'],
  ])('answers calls of HTTP %s', async (_how, answer, status) => {
    const subject = {
      schemaVersion: 1,
      id: 'calls',
      name: 'Calls',
      nodes: [
        { id: 'begin', type: 'start', data: { fallback: true } },
        { id: 'call', type: 'api', data: { url: 'https://shop.example' } },
        { id: 'done', type: 'end' },
      ],
      edges: [
        { source: 'begin', target: 'call' },
        { source: 'call', sourceHandle: 'success', target: 'done' },
      ],
    };
    const conversation = await simulate({ canvases: [subject], answers: ({ effect }) => (effect === 'http.request' ? answer : undefined) });
    await conversation.says('Hello');
    expect((await conversation.execution())?.state.status).toBe(status);
  });
});
