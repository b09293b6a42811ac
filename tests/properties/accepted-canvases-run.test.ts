import { idempotencyKey } from '@hilo/engine/debug';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenCanvas } from '../../packages/testing/src/arbitraries/broken-canvases.ts';
import { canvasFamily } from '../../packages/testing/src/arbitraries/canvases.ts';
import { eventScript } from '../../packages/testing/src/arbitraries/event-scripts.ts';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';
import { faultsOf } from './legal.ts';
import { fewRuns } from '../../scripts/vitest/part-of.ts';
import { play } from './play.ts';

/** Permitted causes of failure for a canvas without problems: the outside world, values of expressions, the author's own `end`, and documented limits. */
const namedCauses: ReadonlySet<string> = new Set(
  `CANCELLED SESSION_EXPIRED ENDED_AS_FAILED TIMEOUT EXPIRED WINDOW_CLOSED INVALID_ANSWER INVALID_MESSAGE REFUSED
  HTTP_STATUS HTTP_UNREACHABLE DRIVER_FAILED DRIVER_ANSWER_INVALID EXPRESSION INVALID_REQUEST INVALID_PATH
  INVALID_AMOUNT INVALID_BODY INVALID_DESCRIPTION INVALID_EVENT INVALID_HEADER INVALID_PARAMETERS
  STEP_LIMIT_EXCEEDED HISTORY_LIMIT_EXCEEDED CHILD_DEPTH_EXCEEDED VALUE_TOO_LARGE VARIABLES_TOO_LARGE`.split(/\s+/),
);

const fault = fc.constantFrom('throws' as const, 'hangs' as const, 'rubbish' as const, undefined, undefined);

describe('what checkCanvas accepts', () => {
  it('runs without a fault: each execution ends, waits, or is at an unanswered call', () =>
    fc.assert(
      fc.asyncProperty(canvasFamily(), eventScript, async (family, script) => {
        const conversation = await play(family, script);
        expect(conversation.faults).toEqual([]);
        const states = (await conversation.executions()).map(({ state }) => state);
        expect(states.flatMap(faultsOf)).toEqual([]);
        const asked = new Set(conversation.calls.map((call) => call.idempotencyKey));
        expect(
          states.filter(({ origin, pending }) => pending !== undefined && !asked.has(idempotencyKey(origin.companyId, pending.key))),
        ).toEqual([]);
        const causes = states.flatMap(({ ending }) => (ending?.failure === undefined ? [] : [ending.failure.cause]));
        expect(causes.filter((cause) => !namedCauses.has(cause))).toEqual([]);
      }),
      fewRuns(40),
    ));

  it('waits for no effect longer than its limit, whatever the drivers do', () =>
    fc.assert(
      fc.asyncProperty(canvasFamily(), eventScript, fc.array(fault, { minLength: 1, maxLength: 5 }), async (family, script, faults) => {
        let calls = 0;
        const conversation = await play(family, script, { faults: () => faults[calls++ % faults.length] });
        expect(conversation.faults).toEqual([]);
        const overdue = (await conversation.executions()).filter(({ companyId, state: { pending } }) => {
          const key = idempotencyKey(companyId, pending?.key ?? '');
          const call = conversation.calls.findLast((one) => one.idempotencyKey === key);
          return pending !== undefined && conversation.clock.now() - (call?.atMs ?? 0) >= pending.limitMs;
        });
        expect(overdue).toEqual([]);
      }),
      fewRuns(40),
    ));
});

describe('what checkCanvas calls', () => {
  it('a busy loop goes round until a limit ends it', () =>
    fc.assert(
      fc.asyncProperty(brokenCanvas(['BUSY_LOOP']), async ({ canvas }) => {
        const conversation = await simulate({ canvases: [canvas], runsUnchecked: true });
        await conversation.says('hello');
        expect((await conversation.execution())?.state.ending?.failure?.cause).toBe('STEP_LIMIT_EXCEEDED');
      }),
      { numRuns: 20 },
    ));

  it('an unreachable exit keeps an execution for ever', () =>
    fc.assert(
      fc.asyncProperty(brokenCanvas(['UNREACHABLE_EXIT']), async ({ canvas }) => {
        const conversation = await simulate({ canvases: [{ ...canvas, settings: {} }], runsUnchecked: true });
        await conversation.says('hello');
        await conversation.passes('30d');
        expect((await conversation.execution())?.state).toMatchObject({ status: 'waiting', visits: { trap: 121 } });
      }),
      { numRuns: 20 },
    ));
});
