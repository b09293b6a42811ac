import { call, condition, keyOf, read, type Runner } from '@hilo/stores';
import type { PaymentColumns } from './payment-of.ts';
import { countTest, insertPayment, type NewPayment, paymentByEffect } from './sql.ts';

/** Tests of one configuration on the Free plan (PAY-01); the rules know no number for the other plans. */
const mostTests: { readonly [plan: string]: number | undefined } = { free: 10 };

/** What came of asking for a payment; with `limit`, nothing of it is kept. */
type Requested = { readonly kind: 'requested'; readonly payment: PaymentColumns } | { readonly kind: 'limit'; readonly most: number };

/**
 * Writes down that a payment is asked for, once for each effect, and counts a test (PAY-02). All of it is one transaction, so
 * that however many ask at once there are never more tests than the plan has, and none is counted twice.
 */
export async function requestPayment(runner: Runner, payment: NewPayment, plan: string | undefined): Promise<Requested> {
  const { companyId, effectKey, workflowId, nodeId } = payment;
  const most = mostTests[plan ?? ''] ?? Number.MAX_SAFE_INTEGER;
  const counting = condition(countTest, { companyId, workflowId, nodeKey: keyOf(read(nodeId)), most });
  const { failed } = await runner.write([condition(insertPayment, payment), ...(payment.provider === 'test' ? [counting] : [])]);
  if (failed === counting) return { kind: 'limit', most };
  const kept = await runner.readOne(call(paymentByEffect, { companyId, effectKey }));
  if (kept === undefined) throw new Error('A payment that was just written is not there');
  return { kind: 'requested', payment: kept };
}
