import type { PaymentEvent } from '@hilo/drivers';
import { call, condition, keyOf, read, type Runner } from '@hilo/stores';
import { beginPayment, endPayment, insertEvent, paymentById } from './sql.ts';

interface Given {
  readonly companyId: string;
  /** The credential that signed it; empty for a test. */
  readonly source: string;
  readonly event: PaymentEvent;
  readonly nowMs: number;
}

/** What became of an event. `mismatched`: it approves another amount than was asked for, and changes nothing. */
export type TookEvent = 'taken' | 'repeated' | 'ignored' | 'mismatched';

/**
 * Keeps what a provider said of a payment, once for each of its events (P10). The first end is the end: what contradicts it
 * later is kept beside it and changes nothing. Only the account that made a checkout can say anything of it (P28).
 */
export async function takeEvent(runner: Runner, { companyId, source, event, nowMs }: Given): Promise<TookEvent> {
  const { eventId, checkoutId, reference, status, amount, currency } = event;
  const payment = await runner.readOne(call(paymentById, { companyId, paymentId: keyOf(checkoutId) }));
  if (payment === undefined || read(payment.credential_id ?? '') !== source) return 'ignored';
  if (payment.reference !== null && read(payment.reference) !== reference) return 'ignored';
  if (status === 'approved' && (amount !== payment.amount || currency !== payment.currency)) return 'mismatched';
  const place = { companyId, paymentId: payment.payment_id };
  const { failed } = await runner.write([
    condition(insertEvent, { ...place, source: keyOf(source), eventKey: keyOf(eventId), status, nowMs }),
    call(status === 'pending' ? beginPayment : endPayment, { ...place, status, nowMs }),
  ]);
  return failed === undefined ? 'taken' : 'repeated';
}
