import type { Signal } from '@hilo/engine';
import type { Clock, ExecutionStore } from '@hilo/engine/contract';
import { ask, askOne, type DurableStore, read } from '@hilo/stores';
import type { Logger } from '../service/logger.ts';
import { dueGroups } from './group-statements.ts';
import type { Grouping } from './grouping.ts';
import { dueConversations, expireConversation, tellAgain, untoldConversations } from './statements.ts';

interface AttendantParts {
  readonly store: Pick<DurableStore, 'runner'>;
  readonly executions: Pick<ExecutionStore, 'load'>;
  readonly grouping: Pick<Grouping, 'flush'>;
  /** Tells workflows that wait. @returns those that went on */
  readonly signal: (signal: Signal) => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Looks after what is due: texts that leave, conversations that expire, workflows that are told of an end. */
export interface Attendant {
  start(): void;
  /** Something is due at this instant. */
  wake(atMs: number): void;
  /** Looks after nothing any more; resolves when what is at hand is done. The rest waits in the store. */
  stop(): Promise<void>;
}

/** How often the store is looked through for what nobody here knows of: another process's, or that of one that is gone. */
const lookMs = 1_000;

export function createAttendant({ store: { runner }, executions, grouping, signal, clock, log }: AttendantParts): Attendant {
  let timer: unknown;
  let nextAtMs = Number.POSITIVE_INFINITY;
  let looking: Promise<void> | undefined;
  let isRunning = false;

  const leave = async (nowMs: number): Promise<void> => {
    for (const { company_id, conversation_id } of await runner.read(() => ask(dueGroups, { nowMs })))
      await grouping.flush(company_id, read(conversation_id));
  };

  const expire = async (nowMs: number): Promise<void> => {
    for (const { company_id: companyId, id } of await runner.read(() => ask(dueConversations, { nowMs })))
      await runner.write(() => askOne(expireConversation, { companyId, id, nowMs }));
  };

  /** Tells an execution until it has heard, or waits for something else, or has ended: it may not have come to its wait yet. */
  const tell = async (nowMs: number): Promise<void> => {
    for (const row of await runner.read(() => ask(untoldConversations, { nowMs }))) {
      const { company_id: companyId, id, wait_key: key, execution_id: executionId } = row;
      const payload = {
        conversationId: read(id),
        state: row.state,
        endedReason: row.ended_reason === null ? null : read(row.ended_reason),
        operatorId: row.operator_id,
      };
      const correlation = key ?? id;
      let isOver = false;
      try {
        const advanced = await signal({ companyId, name: 'handoff', correlation, payload });
        isOver = advanced.length > 0 || !(await mayStillWait(companyId, executionId ?? '', correlation));
      } catch (error) {
        log.warn({ companyId, executionId, error: String(error) }, 'A workflow could not be told that a conversation ended');
      }
      const pauseMs = Math.max(lookMs, (nowMs - (row.end_at_ms ?? nowMs)) / 4);
      await runner.write(() => ask(tellAgain, { companyId, id, tellAtMs: isOver ? null : Math.ceil(nowMs + pauseMs) }));
    }
  };

  const mayStillWait = async (companyId: string, executionId: string, key: string): Promise<boolean> => {
    const record = await executions.load(companyId, executionId);
    if (record === undefined) return false;
    const { status, wait } = record.state;
    return (
      status === 'running' ||
      status === 'quarantined' ||
      (status === 'waiting' && wait?.kind === 'retry') ||
      wait?.correlation?.value === key
    );
  };

  const look = async (): Promise<void> => {
    const nowMs = clock.now();
    try {
      await leave(nowMs);
      await expire(nowMs);
      await tell(nowMs);
    } catch (error) {
      log.warn({ error: String(error) }, 'Conversations could not be looked after; the next look is in a second');
    }
  };

  const run = (): void => {
    clock.clearTimeout(timer);
    nextAtMs = Number.POSITIVE_INFINITY;
    looking = look().then(() => {
      looking = undefined;
      // What became due meanwhile is due at once.
      wake(Math.min(nextAtMs, clock.now() + lookMs));
    });
  };

  function wake(atMs: number): void {
    if (!isRunning) return;
    const nowMs = clock.now();
    if (looking !== undefined) nextAtMs = Math.min(nextAtMs, atMs);
    else if (atMs <= nowMs) run();
    else {
      clock.clearTimeout(timer);
      nextAtMs = Math.min(nextAtMs, atMs);
      timer = clock.setTimeout(run, nextAtMs - nowMs);
    }
  }

  return {
    wake,
    start() {
      isRunning = true;
      wake(clock.now() + lookMs);
    },
    async stop() {
      isRunning = false;
      clock.clearTimeout(timer);
      await looking;
    },
  };
}
