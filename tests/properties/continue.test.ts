import { createEngine } from '@hilo/engine';
import type { ExecutionEvent, ExecutionState, HistoryRecord } from '@hilo/engine/contract';
import { type CompiledCanvas, nextSnapshot, replayHistory, snapshotOf } from '@hilo/engine/debug';
import { standardNodes } from '@hilo/nodes';
import { createVirtualClock, seededRandom } from '../../packages/testing/src/index.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseFork, chooseRetry, continueExecution, type GoesOn } from '../../packages/engine/src/machine/continue.ts';
import { countedSize } from '../../packages/engine/src/variables/view.ts';
import { canvas } from '../../packages/testing/src/arbitraries/canvases.ts';
import { move } from '../../packages/testing/src/arbitraries/execution-events.ts';
import { fewRuns } from '../../scripts/vitest/part-of.ts';
import { compiled, inputOf, need, recordOf, walk, type WalkStep } from './walk.ts';

/** The steps of a walk that have changed something, in the content that it began in. */
function effective(drawn: CompiledCanvas, moves: Parameters<typeof walk>[1]): readonly WalkStep[] {
  const steps = walk(drawn, moves).filter(({ before, after }) => before !== after);
  const jumped = steps.findIndex(({ event }) => event.type === 'canvas.entered');
  return jumped === -1 ? steps : steps.slice(0, jumped);
}

const historyOf = (events: readonly HistoryRecord['event'][]): readonly HistoryRecord[] =>
  events.map((event, revision) => ({ companyId: '1', executionId: 'e', revision, event, entries: [] }));

interface Begun {
  readonly states: readonly ExecutionState[];
  readonly history: readonly HistoryRecord['event'][];
}

/** A continuation in the same version, as the engine makes it: its states, and its history. */
function begin(
  drawn: CompiledCanvas,
  before: ExecutionState,
  goesOn: GoesOn,
  executionId: string,
  atMs: number,
  seed: string = before.seed,
): Begun {
  const made = continueExecution({
    original: recordOf(before, drawn.canvas.id),
    index: 1,
    before,
    goesOn,
    isUnknown: false,
    identity: { executionId, rootId: executionId, seed },
    target: { canvas: drawn, version: 1, prepared: undefined },
    because: {},
    nowMs: atMs,
  });
  if ('kind' in made) throw new Error(made.kind);
  const events = made.events.map((event): ExecutionEvent => ({ ...event, atMs }));
  const states = events.reduce<readonly ExecutionState[]>(
    (all, event) => [...all, nextSnapshot(drawn, snapshotOf(all.at(-1) ?? made.execution.state), event).state],
    [made.execution.state],
  );
  return { states, history: [made.forked, ...events] };
}

/** All of a state but what counts its own history. */
function withoutCounts({ historySize: _size, visitsSinceWait: _visits, forkedFrom: _from, ...state }: ExecutionState): unknown {
  return JSON.parse(JSON.stringify(state));
}

const drawnWalk = fc.record({ json: canvas(), moves: fc.array(move, { maxLength: 14, size: 'max' }), at: fc.nat({ max: 14 }) });

describe('a copy of an execution', () => {
  it('with the same events has the same future, from wherever it begins, and replays (F1, P19)', () => {
    let copied = 0;
    fc.assert(
      fc.property(drawnWalk, ({ json, moves, at }) => {
        const drawn = compiled(json);
        const steps = effective(drawn, moves);
        const index = at % steps.length;
        const { before, event } = need(steps[index]);
        const goesOn = before.status === 'quarantined' ? undefined : chooseFork(before, event, undefined, event.atMs);
        if (goesOn === undefined || goesOn.kind === 'child') return;
        copied += 1;
        const { states, history } = begin(drawn, before, goesOn, before.executionId, event.atMs);
        const rest = goesOn.kind === 'begins' ? steps.slice(index + 1) : steps.slice(index);
        let state = need(states.at(-1));
        const applied = [...history];
        for (const step of rest) {
          state = nextSnapshot(drawn, snapshotOf(state), step.event).state;
          applied.push(step.event);
          expect(withoutCounts(state)).toEqual(withoutCounts(step.after));
        }
        const read = JSON.parse(JSON.stringify(historyOf(applied))) as readonly HistoryRecord[];
        expect(JSON.stringify(replayHistory(read, () => drawn).at(-1))).toBe(JSON.stringify(state));
      }),
      fewRuns(120),
    );
    expect(copied).toBeGreaterThan(0);
  });

  it('asks for nothing under a key that is on record, and draws by a seed of its own', () =>
    fc.assert(
      fc.property(drawnWalk, ({ json, moves, at }) => {
        const drawn = compiled(json);
        const steps = effective(drawn, moves);
        const keys = new Set(steps.flatMap(({ after }) => after.pending?.key ?? []));
        const { before, event } = need(steps[at % steps.length]);
        const goesOn = chooseFork(before, event, undefined, event.atMs);
        if (goesOn === undefined || goesOn.kind === 'child') return;
        const { states } = begin(drawn, before, goesOn, 'another', event.atMs, 'fedcba9876543210');
        expect(states.flatMap(({ pending }) => pending?.key ?? []).filter((key) => keys.has(key))).toEqual([]);
        for (const { seed, executionId, rootId } of states)
          expect({ seed, executionId, rootId }).toEqual({ seed: 'fedcba9876543210', executionId: 'another', rootId: 'another' });
      }),
      fewRuns(80),
    ));
});

it('a continuation is as deep as its caller says, as large as its variables, and of the version in which it begins', () =>
  fc.assert(
    fc.property(drawnWalk, fc.boolean(), fc.nat({ max: 60 }), ({ json, moves, at }, isCalled, longer) => {
      const drawn = compiled(json);
      const steps = effective(drawn, moves);
      const step = need(steps[at % steps.length]);
      const before = { ...step.before, depth: 3 };
      const goesOn = chooseFork(before, step.event, undefined, step.event.atMs);
      if (goesOn === undefined) return;
      const [executionId, rootId] = ['another', 'r'.repeat(1 + longer)];
      const made = continueExecution({
        original: recordOf(before, drawn.canvas.id),
        index: 1,
        before,
        goesOn,
        isUnknown: false,
        identity: { executionId, rootId, seed: before.seed, ...(isCalled && { parent: { executionId: 'caller', waitId: 'wait' } }) },
        target: { canvas: drawn, version: 7, prepared: undefined },
        because: {},
        nowMs: step.event.atMs,
      });
      if ('kind' in made) throw new Error(made.kind);
      const { state, version } = made.execution;
      const grown = countedSize(state.variables) - countedSize(before.variables);
      expect({ depth: state.depth, size: state.variablesSize - before.variablesSize, version }).toEqual({
        depth: isCalled ? 3 : 0,
        size: grown,
        version: goesOn.kind === 'begins' ? 7 : 1,
      });
    }),
    fewRuns(120),
  ));

it('a copy of an execution in a loop goes on in the middle of it (F1)', async () => {
  const engine = createEngine({ nodes: standardNodes, clock: createVirtualClock(), random: seededRandom(1) });
  const acme = engine.company('acme');
  await acme.publish({
    schemaVersion: 1,
    id: 'loop',
    name: 'Loop',
    kind: 'tool',
    nodes: [
      { id: 'begin', type: 'start' },
      { id: 'each', type: 'for-each', data: { items: [1, 2] } },
      { id: 'pause', type: 'wait-event', data: { name: 'go' } },
      { id: 'done', type: 'end' },
    ],
    edges: [
      { source: 'begin', target: 'each' },
      { source: 'each', sourceHandle: 'each', target: 'pause' },
      { source: 'pause', sourceHandle: 'received', target: 'each' },
      { source: 'each', sourceHandle: 'done', target: 'done' },
    ],
  });
  await engine.start();
  const { executionId } = await acme.start('loop');
  await engine.whenIdle();
  const copy = await acme.fork(executionId, { before: (await acme.history(executionId)).length });
  const item = async (id: string): Promise<unknown> => {
    await engine.whenIdle();
    const found = await acme.execution(id);
    return found?.state.status === 'waiting' ? found.state.variables['$item'] : found?.state.status;
  };
  for (const there of [1, 2, 'completed']) {
    expect([await item(executionId), await item(copy.executionId)]).toEqual([there, there]);
    await acme.signal('go');
  }
});

describe('a retry in the same version', () => {
  it('by the same event fails as it did, without what had changed outside, and by its effect asks for that alone, once more', () =>
    fc.assert(
      fc.property(drawnWalk, fc.constantFrom('new' as const, 'same' as const), ({ json, moves }, keys) => {
        const drawn = compiled(json);
        const steps = effective(drawn, moves);
        const { before, after, event } = need(steps.at(-1));
        if (after.status !== 'failed') return;
        const changedOutside = { ...event, contextUpdates: [{ path: ['$context', 'outside'], value: 'then' }] };
        const last: HistoryRecord = { companyId: '1', executionId: 'e', revision: 1, event: changedOutside, entries: [] };
        const goesOn = chooseRetry(recordOf(after, drawn.canvas.id), last, before, drawn, { effect: 'auto', keys }, event.atMs);
        if (goesOn === undefined || goesOn.kind === 'child' || goesOn.kind === 'enters') return;
        const { states, history } = begin(drawn, before, goesOn, 'another', event.atMs);
        expect(history.filter((one) => 'contextUpdates' in one)).toEqual([]); // what changed outside has changed again since
        const state = need(states.at(-1));
        const { pending } = state;
        const asks = goesOn.kind === 'asks';
        const asked = ({ pending: one }: ExecutionState): unknown => [one?.type, one?.request];
        expect(asks ? asked(state) : state.ending?.failure).toEqual(asks ? asked(before) : after.ending?.failure);
        expect(!asks || (pending?.key === before.pending?.key) === (keys === 'same')).toBe(true);
      }),
      fewRuns(120),
    ));

  it('of what was ended while an effect was under way asks for it again: under its key, which may have been used, unless told otherwise', () => {
    let asked = 0;
    fc.assert(
      fc.property(drawnWalk, fc.constantFrom('auto' as const, 'new' as const, 'same' as const), ({ json, moves, at }, keys) => {
        const drawn = compiled(json);
        const steps = effective(drawn, moves).filter(({ after }) => after.pending !== undefined && after.wait === undefined);
        const before = steps[at % Math.max(1, steps.length)]?.after;
        if (before === undefined) return;
        const event = { type: 'execution.cancelled', reason: 'over', atMs: 9 } as const;
        const last: HistoryRecord = { companyId: '1', executionId: 'e', revision: 1, event, entries: [] };
        const ended = recordOf({ ...before, status: 'cancelled' }, drawn.canvas.id);
        const goesOn = need(chooseRetry(ended, last, before, drawn, { effect: 'auto', keys }, event.atMs));
        const { pending } = need(begin(drawn, before, goesOn, 'another', event.atMs).states.at(-1));
        asked += 1;
        expect([pending?.type, pending?.request]).toEqual([before.pending?.type, before.pending?.request]);
        expect(pending?.key === before.pending?.key).toBe(keys !== 'new');
      }),
      fewRuns(120),
    );
    expect(asked).toBeGreaterThan(0);
  });

  it('of what had not begun begins it', () => {
    const drawn = compiled({
      schemaVersion: 1,
      id: 'w',
      name: 'w',
      kind: 'skill',
      nodes: [
        { id: 'begin', type: 'start', data: { fallback: true } },
        { id: 'note', type: 'set', data: { assignments: [{ path: '$context.n', value: '{{$message.text * 2.0}}' }] } },
        { id: 'done', type: 'end' },
      ],
      edges: [
        { source: 'begin', target: 'note' },
        { source: 'note', target: 'done' },
      ],
    });
    const [step] = effective(drawn, []);
    const { before, after, event } = need(step);
    expect(after.status).toBe('failed');
    const last: HistoryRecord = { companyId: '1', executionId: 'e', revision: 1, event, entries: [] };
    const goesOn = chooseRetry(recordOf(after, 'w'), last, before, drawn, { effect: 'auto', keys: 'auto' }, 5);
    expect(goesOn).toMatchObject({ kind: 'begins' });
    expect(inputOf(drawn).executionId).toBe(before.executionId);
  });
});
