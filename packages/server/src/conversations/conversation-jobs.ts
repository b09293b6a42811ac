// What is done about conversations in the background: unanswered ones are closed, and workflows told.
import type { Engine } from '@hilo/engine';
import type { Clock, ExecutionStore } from '@hilo/engine/contract';
import { asCondition, type Call, type DurableStore } from '@hilo/stores';
import { actOfEvent } from '../audit/audit.ts';
import { telling } from '../platform/events/telling.ts';
import type { Logger } from '../platform/logging/logger.ts';
import { laneOf } from '../platform/database/lanes.ts';
import { createPoller, type Poller } from '../platform/poller.ts';
import { reportAgainMs, reportEnd } from '../executions/executions.ts';
import { releaseHeld } from '../messages/messages.ts';
import { tellEnded } from './conversation-events.ts';
import { dueConversations, dueGroups, expireConversation, reportAgain, conversationsToReport } from './sql.ts';
import type { Grouping } from './grouping.ts';

interface JobParts {
  readonly store: Pick<DurableStore, 'runner'>;
  readonly executions: Pick<ExecutionStore, 'load'>;
  readonly grouping: Pick<Grouping, 'flush'>;
  /** Signals waiting workflows. @returns the executions that continued */
  readonly signal: Engine['signal'];
  readonly clock: Clock;
  readonly log: Logger;
}

const pollEveryMs = 1_000;

/** The bot speaks again: on record, as that it fell silent was. */
const takeoverEnded = ({ companyId, id }: { readonly companyId: string; readonly id: string }, nowMs: number): Call =>
  actOfEvent({ actor: 'the service', requestId: id, action: 'endTakeover' }, { companyId, kind: 'conversation', id }, nowMs);

/** Runs what is due: sends grouped texts, expires conversations, and signals workflows whose conversation ended. */
export function createConversationJobs({ store: { runner }, executions, grouping, signal, clock, log }: JobParts): Poller {
  const leave = async (nowMs: number): Promise<void> => {
    for (const { companyId, conversationId } of await runner.read(dueGroups({ nowMs }))) await grouping.flush(companyId, conversationId);
  };

  const expire = async (nowMs: number): Promise<void> => {
    for (const row of await runner.read(dueConversations({ nowMs }))) {
      const { companyId, id } = row;
      const told = { companyId, id, row };
      await runner.write([
        telling(asCondition(expireConversation({ companyId, id, nowMs })), () =>
          tellEnded(told, { state: 'expired', reason: undefined }, nowMs),
        ),
        releaseHeld(laneOf(row)),
        ...(row.takenOverAtMs === undefined ? [] : [takeoverEnded(told, nowMs)]),
      ]);
    }
  };

  /** Signals an execution until it has continued, waits for something else, or has ended: it may not have reached its wait yet. */
  const signalEnds = async (nowMs: number): Promise<void> => {
    for (const row of await runner.read(conversationsToReport({ nowMs }))) {
      const { companyId, id, waitKey = id, executionId = '', state, endedReason = null, operatorId = null, endAtMs } = row;
      const payload = { conversationId: id, state, endedReason, operatorId };
      const end = { companyId, executionId, kind: 'handoff', correlation: waitKey, payload } as const;
      const heard = await reportEnd({ executions, signal }, end).catch((error: unknown) => {
        log.warn({ companyId, executionId, error: String(error) }, 'A workflow could not be signalled that a conversation ended');
      });
      const notifyAtMs = heard === undefined ? reportAgainMs(nowMs, endAtMs ?? null) : undefined;
      await runner.write([reportAgain({ companyId, id, notifyAtMs })]);
    }
  };

  return createPoller({
    clock,
    log,
    everyMs: pollEveryMs,
    async poll(nowMs) {
      await leave(nowMs);
      await expire(nowMs);
      await signalEnds(nowMs);
    },
    failure: 'What is due of conversations was not done',
  });
}
