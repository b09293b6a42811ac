import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '@hilo/engine/contract';
import { accepted, type Answer, askAgainMs, type Caller, callerOf, isGone } from './caller.ts';

/** An invoice that is sent and paid by two calls, each with a delivery id of its own. */
export interface Invoice {
  readonly number: string;
  readonly userId: string;
  /** Known once the first call was answered. */
  executionId?: string;
  /** Whether the second call was answered. */
  isPaid?: true;
}

/** Callers that continue until the service is dead or stopping. */
export interface Load {
  /** Resolves when this many calls were answered. */
  answered(count: number): Promise<void>;
  /** Resolves when no caller gets an answer any more, with the unexpected statuses: neither success nor a temporary refusal. */
  readonly over: Promise<readonly number[]>;
}

const webhook = 'payment-reminder/web/wh1';

/** Sends an invoice, or repeats the call. */
const send = (caller: Caller, { number, userId }: Invoice): Promise<Answer> =>
  caller.hook(webhook, { user: { id: userId }, number, amount: '1' }, { 'webhook-id': `sent-${number}` });

const pay = (caller: Caller, { number, executionId = '' }: Invoice): Promise<Answer> =>
  caller.hook(webhook, { meta: { executionId }, receipt: number } satisfies JsonObject, { 'webhook-id': `paid-${number}` });

/** @param invoices - collects every begun invoice, before its first call */
export function startLoad(url: string, callers: number, invoices: Invoice[]): Load {
  const caller = callerOf(url);
  const goals: { readonly count: number; reach(): void }[] = [];
  const odd: number[] = [];
  let count = 0;
  const note = (): void => {
    count += 1;
    for (const goal of goals) if (count >= goal.count) goal.reach();
  };
  const bill = async (): Promise<boolean> => {
    const number = `F${invoices.length}`;
    const invoice: Invoice = { number, userId: String(5_215_500_000_000 + invoices.length) };
    invoices.push(invoice);
    const sent = await send(caller, invoice);
    if (!isTaken(sent)) return false;
    invoice.executionId = accepted(sent).executionId;
    note();
    const paid = await pay(caller, invoice);
    if (isTaken(paid)) invoice.isPaid = true;
    note();
    return isTaken(paid) || paid.status === 409; // the message before may still be on its way
  };
  const isTaken = ({ status }: Answer): boolean => {
    if (status !== 200 && status !== 409 && status !== 503) odd.push(status);
    return status === 200;
  };
  const work = async (): Promise<void> => {
    try {
      while (await bill());
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  };
  const over = Promise.all(Array.from({ length: callers }, work)).then(() => odd);
  return { answered: (goal) => new Promise((reach) => goals.push({ count: goal, reach })), over };
}

/** Repeats unanswered calls, and pays unpaid invoices: the same calls, as often as needed (P2, P10). */
export async function finish(caller: Caller, invoice: Invoice): Promise<string> {
  const { executionId } = accepted(await send(caller, invoice));
  const known = { ...invoice, executionId };
  let paid = await pay(caller, known);
  while (paid.status === 409) {
    await pause(askAgainMs);
    paid = await pay(caller, known);
  }
  accepted(paid);
  return executionId;
}
