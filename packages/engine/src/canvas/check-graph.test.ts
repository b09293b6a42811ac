import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canvasOf, smallNodes } from '../../test/small-nodes.ts';
import { Canvas } from '../contract/canvas.ts';
import { checkCanvas } from './check.ts';

const check = (nodes: Parameters<typeof canvasOf>[0], edges: readonly string[]) =>
  checkCanvas(Canvas.parse(canvasOf(nodes, edges)), { nodes: smallNodes }).map(
    ({ code, nodeId, message }) => `${code} ${nodeId}: ${message}`,
  );

const begin = { id: 'begin', type: 'start' };
const done = { id: 'done', type: 'end' };
const step = (id: string, data = {}) => ({ id, type: 'step', data });

/** A step of a random canvas: for each port, where it leads, and whether it waits. */
interface Drawn {
  readonly isWaiting: readonly boolean[];
  readonly targets: readonly number[];
}
const ports = ['a', 'b', 'error'] as const;

/** Up to six steps; target -1 is no edge and the first number past the steps is the end. */
const drawings = fc.integer({ min: 1, max: 6 }).chain((size) =>
  fc.array(
    fc.record<Drawn>({
      isWaiting: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
      targets: fc.tuple(fc.integer({ min: -1, max: size }), fc.integer({ min: -1, max: size }), fc.integer({ min: -1, max: size })),
    }),
    { minLength: size, maxLength: size },
  ),
);

/** All ports are optional: one without an edge ends the execution, or continues by `error`. */
function draw(drawing: readonly Drawn[], required: readonly string[] = []) {
  const idOf = (target: number) => (target === drawing.length ? 'done' : `n${target}`);
  const nodes = drawing.map(({ isWaiting }, index) =>
    step(`n${index}`, {
      ports: required,
      optional: ports.filter((port) => !required.includes(port)),
      waits: ports.filter((_, port) => isWaiting[port]),
    }),
  );
  const edges = drawing.flatMap(({ targets }, index) =>
    ports.flatMap((port, at) => ((targets[at] ?? -1) < 0 ? [] : [`n${index}.${port} → ${idOf(targets[at] ?? 0)}`])),
  );
  return check([begin, ...nodes, done], ['begin → n0', ...edges]);
}

/** As an execution goes: where it comes to when it leaves a step by a port. */
const follow = ({ targets }: Drawn, port: number): number => ((targets[port] ?? -1) >= 0 ? (targets[port] ?? -1) : (targets[2] ?? -1));

function reachedIn(drawing: readonly Drawn[]): ReadonlySet<number> {
  const reached = new Set([0]);
  for (const step of reached) {
    const drawn = drawing[step];
    if (drawn !== undefined) for (const port of [0, 1, 2]) if (follow(drawn, port) >= 0) reached.add(follow(drawn, port));
  }
  return reached;
}

describe('a cycle that never waits', () => {
  it('is found exactly where a long enough walk returns without a wait', () =>
    fc.assert(
      fc.property(drawings, (drawing) => {
        // Brute force: from every step, walk every path without waits for as many steps as there are.
        const goesRound = (step: number, left: number): boolean => {
          const drawn = drawing[step];
          if (drawn === undefined) return false;
          if (left === 0) return true;
          return [0, 1, 2].some((port) => drawn.isWaiting[port] === false && goesRound(follow(drawn, port), left - 1));
        };
        const expected = [...reachedIn(drawing)].some((step) => goesRound(step, drawing.length));
        expect(draw(drawing).some((problem) => problem.startsWith('BUSY_LOOP'))).toBe(expected);
      }),
    ));

  it('is reported once, at its first node, with its cycle', () => {
    const nodes = [begin, step('a', { optional: ['out'] }), step('b'), step('c'), done];
    expect(check(nodes, ['begin → b', 'b.next → c', 'c.next → a', 'a.next → b', 'a.out → done'])).toEqual([
      'BUSY_LOOP a: This cycle never waits: a → b → c → a',
    ]);
    expect(check([begin, step('a', { optional: ['out'] }), done], ['begin → a', 'a.next → a', 'a.out → done'])).toEqual([
      'BUSY_LOOP a: This cycle never waits: a → a',
    ]);
  });

  it('is none when one of its ports waits, or for-each bounds it', () => {
    const waiting = step('a', { optional: ['out'], waits: ['next'] });
    expect(check([begin, waiting, done], ['begin → a', 'a.next → a', 'a.out → done'])).toEqual([]);
    const each = { id: 'each', type: 'for-each' };
    expect(check([begin, each, step('body'), done], ['begin → each', 'each.each → body', 'body → each', 'each.done → done'])).toEqual([]);
    expect(check([begin, each, step('body'), done], ['begin → each', 'each.each → done', 'each.done → body', 'body → each'])).toEqual([
      'BUSY_LOOP each: This cycle never waits: each → body → each',
    ]);
  });

  it('may include error, which stands in for every optional port without an edge', () => {
    const nodes = [begin, step('a', { optional: ['slow', 'error'], waits: ['error'] }), done];
    expect(check(nodes, ['begin → a', 'a.next → done', 'a.error → a'])).toEqual(['BUSY_LOOP a: This cycle never waits: a → a']);
    expect(check(nodes, ['begin → a', 'a.next → done', 'a.error → a', 'a.slow → done'])).toEqual([]);
  });
});

describe('a node that nothing leads to', () => {
  it('is found exactly where no execution can arrive', () =>
    fc.assert(
      fc.property(drawings, (drawing) => {
        const reached = reachedIn(drawing);
        const expected = [...drawing.keys(), drawing.length]
          .filter((node) => !reached.has(node))
          .map((node) => (node === drawing.length ? 'done' : `n${node}`));
        const found = draw(drawing).flatMap((problem) => /^UNREACHABLE_NODE (\w+)/.exec(problem)?.[1] ?? []);
        expect(found.sort()).toEqual(expected.sort());
      }),
    ));

  it('is one behind an error that ends the execution', () => {
    const nodes = [begin, step('a', { optional: ['error'], onError: 'fail' }), done, { id: 'never', type: 'end' }];
    expect(check(nodes, ['begin → a', 'a.next → done', 'a.error → never'])).toEqual([
      'UNREACHABLE_NODE never: No way from an entry leads to "never"',
    ]);
  });

  it('is none behind a port that is called like that of failures, or like a method of every object', () => {
    const nodes = [begin, step('a', { ports: ['error', 'toString', 'constructor', '__proto__'], onError: 'fail' }), done];
    const edges = ['error', 'toString', 'constructor', '__proto__'].map((port) => `a.${port} → done`);
    expect(check(nodes, ['begin → a', ...edges])).toEqual([]);
  });

  it('is no note, and no node after an unreadable one', () => {
    const nodes = [begin, { id: 'odd', type: 'odd' }, step('a'), done, { id: 'remark', type: 'note' }];
    expect(check(nodes, ['begin → odd', 'odd.x → a', 'a → done'])).toEqual([expect.stringMatching(/^UNKNOWN_NODE_TYPE odd/)]);
    expect(check(nodes.slice(1), ['odd.x → a', 'a → done'])).toEqual([expect.stringMatching(/^UNKNOWN_NODE_TYPE odd/)]);
  });
});

describe('a way that never ends', () => {
  it('is found exactly where a reachable node leads to no end', () =>
    fc.assert(
      fc.property(drawings, (drawing) => {
        // Every step must leave by `a`, so that none is an end by itself, and has an edge there.
        const closed = drawing.map(({ targets: [a = 0, ...others], isWaiting }) => ({ targets: [Math.max(a, 0), ...others], isWaiting }));
        const ends = (step: number, left: number): boolean => {
          const drawn = closed[step];
          return drawn === undefined ? step === closed.length : left > 0 && [0, 1, 2].some((port) => ends(follow(drawn, port), left - 1));
        };
        const expected = [...reachedIn(closed)].some((step) => !ends(step, closed.length));
        expect(draw(closed, ['a']).some((problem) => problem.startsWith('UNREACHABLE_EXIT'))).toBe(expected);
      }),
    ));

  it('is reported once for nodes that lead to each other', () => {
    const nodes = [begin, step('in', { ports: ['x', 'y'] }), step('a', { waits: ['next'] }), step('b'), done];
    expect(check(nodes, ['begin → in', 'in.x → a', 'in.y → done', 'a → b', 'b → a'])).toEqual([
      'UNREACHABLE_EXIT a: No way leads to an end any more from a, b',
    ]);
  });

  it('is not reported where a missing or wrong edge may lead to an end', () => {
    expect(check([begin, step('a')], ['begin → a'])).toEqual(['PORT_WITHOUT_EDGE a: Port "next" of "a" leads nowhere']);
    expect(check([begin, step('a')], ['begin → a', 'a → nobody'])).toEqual([expect.stringMatching(/^EDGE_TO_NOTHING/)]);
  });
});
