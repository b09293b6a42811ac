import { type Clock, type ContactChange, sessionWindowMs } from '@hilo/engine/contract';
import { channelFacts } from '@hilo/nodes';
import { ask, askOne, type DurableStore, type Steps } from '@hilo/stores';
import type { Delivered } from './delivery.ts';
import { setStatus } from './sql.ts';
import type { Bot } from '../tenants/companies.ts';
import { keepOutcome } from './outcome-sql.ts';
import { leave } from './outbox-sql.ts';
import type { Turn } from './turns.ts';

/** Says what became of a message, and takes it off its lane. @returns false when another process has taken it over: nothing happens */
export async function settleTurn(
  store: Pick<DurableStore, 'runner' | 'together'>,
  turn: Turn,
  me: string,
  delivered: Delivered,
  clock: Pick<Clock, 'now'>,
  reopening?: ContactChange,
): Promise<boolean> {
  let isMine = false;
  const steps = function* (): Steps<void> {
    isMine = yield* settled(turn, me, delivered, clock.now());
  };
  if (reopening === undefined) await store.runner.write(steps);
  else await store.together({ saves: [], history: [], contacts: [reopening], enqueue: [], dequeue: [] }, steps);
  return isMine;
}

function* settled(
  { id, lane: { companyId, botId }, messageId, idempotencyKey }: Turn,
  me: string,
  delivered: Delivered,
  nowMs: number,
): Steps<boolean> {
  if ((yield* askOne(leave, { id, me })) === undefined) return false;
  const failure = delivered.kind === 'refused' ? delivered : undefined;
  const cause = failure?.cause ?? null;
  yield* ask(setStatus, { companyId, idempotencyKey, status: failure === undefined ? 'sent' : 'failed', cause });
  const explanation = failure?.message.slice(0, 1_000).toWellFormed().replaceAll('\0', '') ?? null;
  yield* ask(keepOutcome, { companyId, botId, messageId, code: cause, explanation, updatedAtMs: nowMs });
  return true;
}

/** What a template that was sent changes for its user: under `onSend` it opens the window (WIN-02) for what leaves behind it. */
export function reopeningOf(
  { settings, channel, companyId, id: botId }: Bot,
  turn: Turn,
  knownAs: string,
  nowMs: number,
): ContactChange | undefined {
  if (turn.message['type'] !== 'template' || settings.templateReopensWindow !== 'onSend' || !channelFacts[channel].hasSessionWindow)
    return undefined;
  return { companyId, botId, userId: knownAs, windowUntilMs: nowMs + sessionWindowMs };
}
