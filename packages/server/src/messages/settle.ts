import { type Clock, type ContactChange, sessionWindowMs } from '@hilo/engine/contract';
import { channelFacts } from '@hilo/nodes';
import { type Call, call, condition, type DurableStore } from '@hilo/stores';
import type { Delivered } from './delivery.ts';
import { setStatus } from './sql.ts';
import type { Bot } from '../tenants/companies.ts';
import { keepOutcome } from './outcome-sql.ts';
import { leave } from './outbox-sql.ts';
import type { Turn } from './turns.ts';

/** Says what became of a message, and takes it off its lane. @returns false when another process has taken it over: nothing happens */
export async function settleTurn(
  store: Pick<DurableStore, 'runner' | 'commitWith'>,
  turn: Turn,
  me: string,
  delivered: Delivered,
  clock: Pick<Clock, 'now'>,
  reopening?: ContactChange,
): Promise<boolean> {
  const calls = settling(turn, me, delivered, clock.now());
  if (reopening === undefined) return (await store.runner.write(calls)).failed === undefined;
  const { kind } = await store.commitWith({ saves: [], history: [], contacts: [reopening], enqueue: [], dequeue: [] }, calls);
  return kind === 'committed';
}

function settling(
  { id, lane: { companyId, botId }, messageId, idempotencyKey }: Turn,
  me: string,
  delivered: Delivered,
  nowMs: number,
): readonly Call[] {
  const failure = delivered.kind === 'refused' ? delivered : undefined;
  const cause = failure?.cause ?? null;
  const explanation = failure?.message.slice(0, 1_000).toWellFormed().replaceAll('\0', '') ?? null;
  return [
    condition(leave, { id, me }),
    call(setStatus, { companyId, idempotencyKey, status: failure === undefined ? 'sent' : 'failed', cause }),
    call(keepOutcome, { companyId, botId, messageId, code: cause, explanation, updatedAtMs: nowMs }),
  ];
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
