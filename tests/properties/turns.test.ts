import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runLogic, TransitionLog } from '../../packages/engine/src/machine/canvas-logic.ts';
import { canvasFamily } from '../../packages/testing/src/arbitraries/canvases.ts';
import { move } from '../../packages/testing/src/arbitraries/execution-events.ts';
import { fewRuns } from '../../scripts/vitest/part-of.ts';
import { compiled, walk } from './walk.ts';

describe('a transition in several turns of the event loop (P20)', () => {
  it('is the same as in one, however little is done in each, and is not computed twice', () =>
    fc.assert(
      fc.property(
        canvasFamily(),
        fc.array(move, { maxLength: 25, size: 'max' }),
        fc.constantFrom(0, 1, 100),
        ({ main }, moves, turnWork) => {
          const canvas = compiled(main);
          for (const { event, before, after } of walk(canvas, moves)) {
            const log = new TransitionLog(turnWork);
            let taken = log.take(canvas, before, event);
            for (let turns = 0; taken === undefined; turns += 1) {
              expect(turns).toBeLessThanOrEqual(2_000);
              log.rewind();
              taken = log.take(canvas, before, event);
            }
            expect(taken.state).toEqual(after);
            expect(taken.history).toEqual(runLogic(canvas, before, event).history);
            expect(taken.state === before).toBe(after === before);
            log.rewind();
            expect(log.take(canvas, before, event)).toBe(taken);
          }
        },
      ),
      fewRuns(50),
    ));
});
