// Whole conversations of which executions are continued and copied on the way: everything is accounted for (F2, P35).
import { HiloError } from '@hilo/engine';
import { finalStatuses } from '@hilo/engine/store-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canvasFamily } from '../../packages/testing/src/arbitraries/canvases.ts';
import { eventScript } from '../../packages/testing/src/arbitraries/event-scripts.ts';
import type { ScriptInput } from '../../packages/simulator/src/script/script-input.ts';
import type { Conversation } from '../../packages/simulator/src/simulation/conversation.ts';
import { sampleAnswer } from '../../packages/simulator/src/simulation/sample-answers.ts';
import { simulate } from '../../packages/simulator/src/simulation/simulate.ts';
import { simulatedIds } from '../../packages/simulator/src/simulation/world.ts';
import { orphaned } from '../cluster/oracles/conservation.ts';
import { fewRuns } from '../../scripts/vitest/part-of.ts';
import { waitingFamily } from './waiting-family.ts';

/** What an operator does between two inputs, to one of the executions that there are. */
interface Act {
  readonly kind: 'retry' | 'fork' | 'cancel';
  readonly behind: number;
  readonly which: number;
  readonly before: number;
  readonly ends: boolean;
}

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom('retry' as const, 'fork' as const, 'fork' as const, 'cancel' as const),
  behind: fc.nat({ max: 8 }),
  which: fc.nat({ max: 9 }),
  before: fc.nat({ max: 9 }),
  ends: fc.boolean(),
});

/** A copy of the execution that begins first, while it waits. */
const copyOfTheFirst: Act = { kind: 'fork', behind: 0, which: 0, before: 1, ends: false };

/** @returns the execution that was made; nothing where it was refused, as many are */
async function perform(conversation: Conversation, { kind, which, before, ends }: Act): Promise<string | undefined> {
  const company = conversation.engine.company(simulatedIds.companyId);
  const all = await conversation.executions();
  const { executionId } = all[which % Math.max(1, all.length)] ?? { executionId: 'none' };
  try {
    if (kind === 'cancel') await company.cancel(executionId);
    else if (kind === 'retry') return (await company.retry(executionId)).executionId;
    else {
      const { length } = await company.history(executionId);
      return (await company.fork(executionId, { before: 1 + (before % Math.max(1, length)), ends })).executionId;
    }
    return undefined;
  } catch (error) {
    if (error instanceof HiloError && error.status < 500) return undefined;
    throw error;
  }
}

const begin: ScriptInput = { kind: 'says', message: { type: 'text', text: 'hello' } };

describe('executions that are continued and copied', () => {
  it('are all accounted for, with their children and with whom they continue (F2, P35)', async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(canvasFamily(), eventScript, fc.array(act, { minLength: 1, maxLength: 4 }), async (family, script, acts) => {
        const conversation = await simulate({ canvases: [family.main, ...family.children], answers: sampleAnswer });
        const continued = new Map<string, string>();
        for (const [index, input] of [begin, ...script].entries()) {
          await conversation.plays(input);
          for (const one of acts.filter(({ behind }) => behind === index)) {
            const known = new Set((await conversation.executions()).map(({ executionId }) => executionId));
            const executionId = await perform(conversation, one);
            await conversation.settles();
            if (executionId === undefined) continue;
            made += 1;
            expect(known.has(executionId)).toBe(false);
            const { results } = await conversation.engine.company(simulatedIds.companyId).executions({ limit: 100 });
            const found = results.find((record) => record.executionId === executionId);
            continued.set(executionId, found?.state.forkedFrom ?? 'nothing');
            expect(known.has(found?.state.forkedFrom ?? '')).toBe(true);
          }
        }
        const executions = await conversation.executions();
        const records = new Map(executions.map((record) => [record.executionId, record]));
        expect(executions.flatMap((record) => orphaned(record, records))).toEqual([]);
        for (const [executionId, from] of continued) expect(records.get(executionId)?.state.forkedFrom).toBe(from);
        for (const { executionId, state } of executions) {
          const as = state.ending?.continuedAs;
          if (as === undefined) continue;
          expect(finalStatuses.has(state.status)).toBe(true);
          expect(records.get(as)?.state.forkedFrom).toBe(executionId);
        }
        expect(conversation.faults).toEqual([]);
      }),
      { ...fewRuns(40), examples: [[waitingFamily, [], [copyOfTheFirst]]] },
    );
    expect(made).toBeGreaterThan(0);
  });
});
