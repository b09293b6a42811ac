import { createMemoryStore } from '@hilo/engine';
import { idempotencyKey, type Replay, replayHistory, replayUntil } from '@hilo/engine/debug';
import type { CanvasOf } from '../../packages/engine/src/machine/replay.ts';
import type { ExecutionRecord, ExecutionState, ExecutionStore, HistoryRecord, Json } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canvasFamily } from '../../packages/testing/src/arbitraries/canvases.ts';
import { eventScript } from '../../packages/testing/src/arbitraries/event-scripts.ts';
import { fewRuns } from '../../scripts/vitest/part-of.ts';
import { compiledOf, play } from './play.ts';

describe('replaying the recorded history of any execution', () => {
  it('gives the same states, byte for byte', () =>
    fc.assert(
      fc.asyncProperty(canvasFamily(), eventScript, async (family, script) => {
        const { store, saved } = remembering();
        const conversation = await play(family, script, { store });
        const canvasOf = compiledOf(family);
        for (const { executionId, companyId } of await conversation.executions()) {
          const history = await store.history(companyId, executionId);
          const replayed = replayHistory(JSON.parse(JSON.stringify(history)) as typeof history, canvasOf);
          expect(inParts(history, canvasOf)).toEqual(replayed);
          // Several records of one revision give one saved state: that of the last.
          const byRevision = new Map(history.map(({ revision }, index) => [revision, replayed[index]]));
          for (const { revision, state } of saved.filter((record) => record.executionId === executionId)) {
            expect(JSON.stringify(byRevision.get(revision))).toBe(JSON.stringify(state));
          }
        }
      }),
      fewRuns(40),
    ));

  it('performs the same effects in the same order, with the same keys', () =>
    fc.assert(
      fc.asyncProperty(canvasFamily(), eventScript, async (family, script) => {
        const conversation = await play(family, script);
        const canvasOf = compiledOf(family);
        for (const { companyId, executionId } of await conversation.executions()) {
          const replayed = replayHistory(await conversation.history(executionId), canvasOf);
          const asked = replayed.flatMap(({ pending }) =>
            pending === undefined ? [] : [lineOf(idempotencyKey(companyId, pending.key), pending)],
          );
          const performed = conversation.calls
            .filter((call) => call.executionId === executionId)
            .map((call) => lineOf(call.idempotencyKey, call));
          // A message refused for the closed window reached no driver; a hold's message is requested by no visit.
          const isBoth = (line: string) => asked.includes(line) && performed.includes(line);
          expect(performed.filter(isBoth)).toEqual(asked.filter((line, index) => isBoth(line) && line !== asked[index - 1]));
        }
      }),
      fewRuns(40),
    ));
});

/** The states of a replay that stops whenever any expression was evaluated, as a service does after much work (P20). */
function inParts(history: readonly HistoryRecord[], canvasOf: CanvasOf): readonly ExecutionState[] {
  const states: ExecutionState[] = [];
  let done: Replay = { state: undefined, events: 0 };
  do {
    done = replayUntil(history, history.length, canvasOf, {
      from: done,
      work: 1,
      passesMasks: true,
      onState: (state) => void states.push(state),
    });
  } while (done.underWay !== undefined);
  return states;
}

const lineOf = (key: string, { attempt, request }: { readonly attempt: number; readonly request: Json }): string =>
  `${key} ${attempt} ${JSON.stringify(request)}`;

/** A store that also keeps every state ever saved. */
function remembering(): { readonly store: ExecutionStore; readonly saved: readonly ExecutionRecord[] } {
  const store = createMemoryStore();
  const saved: ExecutionRecord[] = [];
  return {
    saved,
    store: {
      ...store,
      async commit(commit) {
        const committed = await store.commit(commit);
        if (committed.kind === 'committed') saved.push(...commit.saves);
        return committed;
      },
    },
  };
}
