import type { ExecutionEvent, ExecutionState, Verdict } from '@hilo/engine/contract';
import { type CompiledCanvas, nextSnapshot, replayHistory, snapshotOf } from '@hilo/engine/debug';
import { compareCanvases } from '@hilo/engine/authoring';
import { finalStatuses } from '@hilo/engine/store-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CanvasJson } from '../../packages/testing/src/arbitraries/build-canvas.ts';
import { canvas } from '../../packages/testing/src/arbitraries/canvases.ts';
import { eventOf, move, type Move } from '../../packages/testing/src/arbitraries/execution-events.ts';
import { change, changes, rename } from './changed-canvases.ts';
import { fewRuns } from '../../scripts/vitest/part-of.ts';
import { compile, continueBoth, migrate, type Renames } from './migrated.ts';
import { inputOf, walk, type WalkStep } from './walk.ts';

/** The steps of a walk up to the last at which the execution could be migrated. */
function untilHalt(steps: readonly WalkStep[]): readonly WalkStep[] {
  const last = steps.findLastIndex(({ event, after }) => {
    const isHere = after.visit !== undefined && (after.status === 'waiting' || after.status === 'quarantined');
    return isHere && event.type !== 'canvas.entered';
  });
  const jumped = steps.findIndex(({ event, before, after }) => event.type === 'canvas.entered' && before !== after);
  return steps.slice(0, jumped === -1 ? last + 1 : Math.min(last + 1, jumped));
}

/** Types whose results the events of a walk have whole: a result without its value removes what it is saved as. */
const answeredTypes = [
  ...(['message', 'ask', 'set', 'condition', 'switch', 'delay', 'wait-event', 'api', 'for-each', 'log', 'wait-until'] as const),
  ...(['webhook', 'wait-external', 'catch', 'template', 'tags'] as const),
];

const past = fc.array(move, { maxLength: 8, size: 'max' });
const future = fc.array(move, { minLength: 1, maxLength: 14, size: 'max' });

/** An execution that stands somewhere in a canvas, and another version of it. */
interface Stand {
  readonly before: CompiledCanvas;
  readonly after: CompiledCanvas;
  readonly nodes: Renames;
  readonly state: ExecutionState;
  readonly steps: readonly WalkStep[];
}

/** A canvas, what is done to it, and how an execution comes to where it stands: as JSON, so that a counter-example can be read. */
const standIn = (json: fc.Arbitrary<CanvasJson>) =>
  fc.record({
    json,
    list: changes(),
    moves: past,
    renamed: fc.oneof(fc.constant<number[]>([]), fc.array(fc.nat({ max: 30 }), { maxLength: 6 })),
  });
const stand = standIn(canvas());

function placeAt({ json, list, moves, renamed }: typeof stand extends fc.Arbitrary<infer Value> ? Value : never): Stand | undefined {
  const before = compile(json);
  const { canvas: named, nodes } = rename(change(json, list), (id) => renamed.includes(json.nodes.findIndex((node) => node.id === id)));
  const after = compile(named);
  if (before === undefined || after === undefined) return undefined;
  const steps = untilHalt(walk(before, moves));
  const state = steps.at(-1)?.after;
  return state?.visit === undefined ? undefined : { before, after, nodes, state, steps };
}

const eventsOf = (steps: readonly WalkStep[]): readonly ExecutionEvent[] => steps.map(({ event }) => event);

describe('an execution that is migrated as the same', () => {
  it('has the same state, history, effects and persistent writes after every event (M1)', () => {
    fc.assert(
      fc.property(stand, future, (drawn, moves) => {
        const given = placeAt(drawn);
        if (given === undefined) return;
        const { before, after, nodes, state, steps } = given;
        const events = eventsOf(steps);
        const { verdict, moved } = migrate(before, after, state, nodes, events.at(-1)?.atMs ?? 0);
        if (verdict.kind !== 'same') return;
        for (const { one, other } of continueBoth(state, moved, [before, after], moves, events))
          expect(other).toEqual(JSON.parse(JSON.stringify(one)));
      }),
      fewRuns(800),
    );
  });

  it('replays from its history to the same state, byte for byte (M3)', () =>
    fc.assert(
      fc.property(stand, future, (drawn, moves) => {
        const given = placeAt(drawn);
        if (given === undefined) return;
        const { before, after, nodes, state, steps } = given;
        const { verdict, event, moved } = migrate(before, after, state, nodes, steps.at(-1)?.event.atMs ?? 0);
        if (verdict.kind !== 'same' && verdict.kind !== 'changed') return;
        const applied: ExecutionEvent[] = [...steps.filter((one) => one.before !== one.after).map((one) => one.event), event];
        let now = moved;
        for (const each of moves) {
          const next = eventOf(now, each, applied, 'none');
          if (next.type === 'canvas.entered' || next.type === 'execution.migrated') break;
          const reached = nextSnapshot(after, snapshotOf(now), next).state;
          if (reached !== now) applied.push(next);
          now = reached;
        }
        const accepted = { type: 'execution.accepted', atMs: 0, input: inputOf(before) } as const;
        const history = [accepted, ...applied].map((one, revision) => ({
          companyId: '1',
          executionId: 'an-execution',
          revision,
          event: one,
          entries: [],
        }));
        const read = JSON.parse(JSON.stringify(history)) as typeof history;
        const replayed = replayHistory(read, (hash) => (hash === after.hash ? after : before)).at(-1);
        expect(JSON.stringify(replayed)).toBe(JSON.stringify(now));
      }),
      fewRuns(200),
    ));

  it('and back again is as if it had never been (M4)', () =>
    fc.assert(
      fc.property(stand, future, (drawn, moves) => {
        const given = placeAt(drawn);
        if (given === undefined) return;
        const { before, after, nodes, state, steps } = given;
        const events = eventsOf(steps);
        const atMs = events.at(-1)?.atMs ?? 0;
        const { verdict, moved } = migrate(before, after, state, nodes, atMs);
        if (verdict.kind !== 'same') return;
        const inverse = Object.fromEntries(Object.entries(nodes).map(([id, name]) => [name, id]));
        const back = nextSnapshot(before, snapshotOf(moved), {
          type: 'execution.migrated',
          canvasHash: before.hash,
          version: 1,
          from: { canvasHash: after.hash, version: 2 },
          nodes: inverse,
          atMs,
        }).state;
        for (const { one, other } of continueBoth(state, back, [before, before], moves, events))
          expect(other).toEqual(JSON.parse(JSON.stringify(one)));
      }),
      fewRuns(200),
    ));
});

describe('an execution that is migrated as changed', () => {
  it('visits no node that lacks a variable which the target reads there (M5)', () => {
    fc.assert(
      fc.property(standIn(canvas({ nodes: answeredTypes })), future, (drawn, moves) => {
        const given = placeAt(drawn);
        if (given === undefined) return;
        const { before, after, nodes, state, steps } = given;
        const events = [...eventsOf(steps)];
        const { verdict, moved } = migrate(before, after, state, nodes, events.at(-1)?.atMs ?? 0);
        if (verdict.kind !== 'changed') return;
        expect(lackIn(after, moved, moves, events)).toEqual([]);
      }),
      fewRuns(500),
    );
  });
});

/** The variables of `$context` and `$webhook` that visits failed for, because nothing had written them. */
function lackIn(
  standing: CompiledCanvas,
  from: ExecutionState,
  moves: readonly Move[],
  events: readonly ExecutionEvent[],
): readonly string[] {
  const missing: string[] = [];
  const applied = [...events];
  let state = from;
  for (const each of moves) {
    const event = eventOf(state, each, applied, 'none');
    if (event.type === 'canvas.entered' || event.type === 'execution.migrated' || finalStatuses.has(state.status)) break;
    applied.push(event);
    const after = nextSnapshot(standing, snapshotOf(state), event);
    for (const { cause, message = '' } of after.history)
      if (cause === 'EXPRESSION' && /\$(?:context|webhook|input|item)\S* is (?:missing|not there)/.test(message)) missing.push(message);
    state = after.state;
  }
  return missing;
}

describe('the executions that these properties draw', () => {
  it('have the verdicts that they are about', () => {
    const kinds = fc.sample(stand, { numRuns: 300, seed: 31 }).map((drawn): Verdict['kind'] | undefined => {
      const given = placeAt(drawn);
      return given === undefined ? undefined : migrate(given.before, given.after, given.state, given.nodes, 0).verdict.kind;
    });
    expect(kinds).toEqual(expect.arrayContaining(['same', 'changed']));
  });
});

describe('the comparison of two canvases', () => {
  it('finds no difference in remarks, layout, order, defaults and what cannot be reached', () =>
    fc.assert(
      fc.property(canvas(), changes(['remark', 'layout', 'order', 'default', 'unreachable']), (json, list) => {
        const [before, after] = [compile(json), compile(change(json, list))];
        expect(before === undefined || after === undefined || compareCanvases(before, after).isSame).toBe(true);
      }),
      fewRuns(100),
    ));

  it('gives a way along edges of the version before to a node that differs by itself', () =>
    fc.assert(
      fc.property(canvas(), changes(), (json, list) => {
        const [before, after] = [compile(json), compile(change(json, list))];
        if (before === undefined || after === undefined) return;
        const comparison = compareCanvases(before, after);
        for (const node of before.nodes.values()) {
          const way = comparison.differenceFrom(node.id, true)?.way ?? [];
          const steps = way
            .slice(1)
            .map((id, index) => [...(before.nodes.get(way[index] ?? '')?.targets.values() ?? [])].some((one) => one.id === id));
          expect(steps).toEqual(steps.map(() => true));
          expect(way.length === 0 || comparison.local.has(way.at(-1) ?? '')).toBe(true);
        }
      }),
      fewRuns(200),
    ));
});
