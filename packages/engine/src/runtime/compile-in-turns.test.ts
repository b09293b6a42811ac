// Compiling a canvas gives way by the time that it takes, and gives what compiling it at once gives.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { visual } from '../../test/runnable-nodes.ts';
import { canvasOf } from '../../test/small-nodes.ts';
import { type Compilation, compileCanvas, nodeTypes } from '../canvas/compile.ts';
import { parseCanvas } from '../canvas/parse.ts';
import { defineNode, leave, ValueTemplate } from '../contract/index.ts';
import { compileInTurns } from './compile-in-turns.ts';

/** Counts turns of the event loop, and what `amount` has grown by in each. */
function watchTurns(amount: () => number): { end(): readonly number[] } {
  const turns: number[] = [];
  let [seen, isOver] = [amount(), false];
  const look = (): void => {
    turns.push(amount() - seen);
    seen = amount();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  return {
    end() {
      isOver = true;
      turns.push(amount() - seen);
      return turns;
    },
  };
}

const kept = defineNode({
  type: 'kept',
  config: z.strictObject({ value: ValueTemplate }),
  visual,
  ports: ['next'],
  run: () => leave('next'),
});

/** What the expressions of every node read and give. */
const valuesOf = ({ compiled }: Compilation) =>
  [...compiled.nodes.values()].map(({ config }) => {
    const value: unknown = Reflect.get(Object(config), 'value');
    const variables = { get: ([, name]: readonly unknown[]) => (name === 'a' ? 1 : 'text') };
    return typeof value === 'function' ? [Reflect.get(value, 'reads'), Reflect.apply(value, undefined, [variables])] : value;
  });

describe('compiling in turns', () => {
  it.each([1, 2, 99, 100, 101])('gives way after each of %i nodes that take their time (P20)', async (count) => {
    let nowMs = 0;
    let read = 0;
    const slow = defineNode({
      type: 'slow',
      config: z.custom(() => (nowMs += 30) > 0 && (read += 1) > 0),
      visual,
      ports: ['next'],
      run: () => leave('next'),
    });
    const { canvas } = parseCanvas(
      canvasOf(
        Array.from({ length: count }, (_, index) => ({ id: `n${index}`, type: 'slow' })),
        [],
      ),
    );
    if (canvas === undefined) throw new Error('The canvas cannot be parsed');
    const turns = watchTurns(() => read);
    await compileInTurns(canvas, 'h', { types: nodeTypes([slow]), clock: { now: () => nowMs } });
    expect(Math.max(...turns.end())).toBe(1);
    expect(read).toBe(count);
  });

  it('gives way between the texts of large data, and compiles what compiling at once does (P20)', async () => {
    const texts = fc.array(
      fc.constantFrom('{{$context.a + 1}}', 'b is {{$context.b}} of {{size($context.b)}}', '{{ $context.a }}', '{{', 'plain'),
      { minLength: 300, maxLength: 400 },
    );
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom('', '{{1 +}}', '{{$context.a', '{{nope($context.a)}}'), async (drawn, fault) => {
        const data = { value: { texts: drawn, fault, deep: [[{ text: drawn[0] ?? '' }]] } };
        const parse = () => {
          const { canvas } = parseCanvas(
            canvasOf(
              ['a', 'b', 'c'].map((id) => ({ id, type: 'kept', data: structuredClone(data) })),
              [],
            ),
          );
          if (canvas === undefined) throw new Error('The canvas cannot be parsed');
          return canvas;
        };
        const types = nodeTypes([kept]);
        let nowMs = 0;
        const turns = watchTurns(() => nowMs);
        const inTurns = await compileInTurns(parse(), 'h', { types, clock: { now: () => (nowMs += 1) } });
        expect(Math.max(...turns.end())).toBeLessThan(10); // milliseconds of a clock that goes on at each look
        const atOnce = compileCanvas(parse(), 'h', types);
        expect(inTurns.problems).toEqual(atOnce.problems);
        expect(valuesOf(inTurns)).toEqual(valuesOf(atOnce));
      }),
      { numRuns: 3 },
    );
  });
});
