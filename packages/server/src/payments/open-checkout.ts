import type { Clock, Random } from '@hilo/engine/contract';
import { call, type DurableStore, read, written } from '@hilo/stores';
import type { Companies } from '../tenants/companies.ts';
import type { PublicUrl } from '../platform/public-url.ts';
import type { FindAccount } from './accounts.ts';
import type { CheckoutOrder, Opened, Payments } from './payments.ts';
import { requestPayment } from './request-payment.ts';
import { keepCheckout, type NewPayment } from './sql.ts';

interface OpeningParts {
  readonly runner: DurableStore['runner'];
  readonly companies: Pick<Companies, 'company'>;
  readonly account: FindAccount;
  readonly publicUrl: Pick<PublicUrl, 'get'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
}

/**
 * Opens checkouts. What is asked for is written down first, so that a provider is asked for the very same again when nobody
 * heard its answer (P2); once there is a checkout, nobody is asked any more.
 */
export const checkoutOpener =
  ({ runner, companies, account, publicUrl, clock, random }: OpeningParts): Payments['open'] =>
  async (order, { idempotencyKey, timeoutMs, signal }) => {
    const { companyId, credentialId } = order;
    const taker = await account(companyId, credentialId);
    if (taker.kind === 'refused') return taker;
    const nowMs = clock.now();
    const given = { paymentId: `pay_${Buffer.from(random.bytes(16)).toString('hex')}`, effectKey: idempotencyKey, nowMs };
    const plan = companies.company(companyId)?.plan;
    const requested = await requestPayment(runner, newPayment(order, { ...given, provider: taker.provider }), plan);
    if (requested.kind === 'limit')
      return refused('TEST_LIMIT_REACHED', `This node has made the ${requested.most} tests of its plan: give it a credential in "auth"`);
    const { payment_id: checkoutId, url, expires_at_ms: expiresAtMs, ...payment } = requested.payment;
    if (url !== null) return { kind: 'opened', checkoutId, url };
    if (expiresAtMs <= nowMs) return refused('CHECKOUT_EXPIRED', 'The time to pay was over before there was a checkout');
    const answer = await taker.createCheckout(
      {
        checkoutId,
        amount: payment.amount,
        currency: payment.currency,
        description: read(payment.description),
        createdAtMs: payment.created_at_ms,
        expiresAtMs,
        returnUrl: `${publicUrl.get()}/payments/returned`,
      },
      { companyId, idempotencyKey, timeoutMs, signal },
    );
    if (answer.kind !== 'created') return answer;
    const made = { reference: written(answer.reference), url: answer.url };
    await runner.write([call(keepCheckout, { companyId, paymentId: checkoutId, ...made })]);
    return { kind: 'opened', checkoutId, url: answer.url };
  };

const refused = (cause: string, message: string): Opened => ({ kind: 'refused', cause, message });

const newPayment = (
  { companyId, workflowId, nodeId, executionId, credentialId, amount, currency, description, openMs }: CheckoutOrder,
  given: { readonly paymentId: string; readonly effectKey: string; readonly provider: string; readonly nowMs: number },
): NewPayment => ({
  companyId,
  paymentId: given.paymentId,
  effectKey: given.effectKey,
  workflowId: written(workflowId),
  nodeId: written(nodeId),
  executionId,
  provider: given.provider,
  credentialId: credentialId === undefined ? null : written(credentialId),
  amount,
  currency,
  description: written(description),
  createdAtMs: given.nowMs,
  expiresAtMs: given.nowMs + openMs,
});
