import { replayHistory } from '@hilo/engine/debug';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canvasFamily, type CanvasFamily } from '../../packages/testing/src/arbitraries/canvases.ts';
import { eventScript } from '../../packages/testing/src/arbitraries/event-scripts.ts';
import type { ScriptInput } from '../../packages/simulator/src/script/script-input.ts';
import { fewRuns } from '../../scripts/vitest/part-of.ts';
import { compiledOf, play } from './play.ts';

/** Canvases with `$now` in any of their expressions. */
const timedFamily: fc.Arbitrary<CanvasFamily> = canvasFamily().filter((family) => JSON.stringify(family.main).includes('$now'));

/** A script in which the process may die between any two inputs, also with pending calls, and time passes before the next. */
const mortalScript: fc.Arbitrary<readonly ScriptInput[]> = eventScript.chain((inputs) =>
  fc
    .array(fc.constantFrom<ScriptInput | undefined>(undefined, undefined, { kind: 'passes', durationMs: 61_001 }), {
      minLength: inputs.length,
      maxLength: inputs.length,
    })
    .map((pauses) =>
      inputs.flatMap((input, index): readonly ScriptInput[] => {
        const pause = pauses[index];
        return pause === undefined ? [input] : [input, { kind: 'restarts' }, pause];
      }),
    ),
);

describe('executions that read $now', () => {
  it('reach the same state when their history is replayed, whenever the process died', () =>
    fc.assert(
      fc.asyncProperty(timedFamily, mortalScript, async (family, script) => {
        const conversation = await play(family, script);
        for (const { executionId, state } of await conversation.executions()) {
          const replayed = replayHistory(await conversation.history(executionId), compiledOf(family));
          expect(JSON.stringify(replayed.at(-1))).toBe(JSON.stringify(state));
        }
      }),
      fewRuns(60),
    ));
});
