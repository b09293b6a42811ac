import type { Callback, CheckoutAnswer, CheckoutContext, CheckoutRequest, PaymentProvider } from '@hilo/integrations';
import type { AbortSignal, Clock, Random } from '@hilo/engine/contract';
import { asCondition, type DurableStore, type GivenOf, type Runner } from '@hilo/stores';
import type { PublicUrl } from '../platform/public-url.ts';
import type { Companies } from '../tenants/companies.ts';
import { payments } from '../platform/tables/payments.ts';
import { countTest, selectPaymentByEffect, type StoredPayment, updateCheckout } from './sql.ts';

/** A checkout that an execution requests. */
export interface CheckoutOrder {
  readonly companyId: string;
  /** The canvas and the node that request it: tests are counted per such configuration (PAY-02). */
  readonly workflowId: string;
  readonly nodeId: string;
  readonly executionId: string;
  /** The credential of the account that is paid; a test when left out. */
  readonly credentialId?: string | undefined;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly openMs: number;
}

/** The result of opening a checkout; the cause appears at the node's `error` port. */
export type Opened =
  | { readonly kind: 'opened'; readonly checkoutId: string; readonly url: string }
  | { readonly kind: 'refused'; readonly cause: string; readonly message: string }
  | {
      readonly kind: 'failed';
      readonly reason: 'timeout' | 'unavailable';
      readonly message: string;
      readonly outcome: 'failed' | 'unknown';
      readonly retryAfterMs?: number;
    };

/** Opens a checkout; the same key is the same checkout, and a provider that opened it is not called again (P4). */
export type OpenCheckout = (
  order: CheckoutOrder,
  call: { readonly idempotencyKey: string; readonly timeoutMs: number; readonly signal?: AbortSignal },
) => Promise<Opened>;

interface OpeningParts {
  readonly runner: DurableStore['runner'];
  readonly companies: Pick<Companies, 'company'>;
  readonly findAccount: FindAccount;
  readonly publicUrl: Pick<PublicUrl, 'get'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
}

/**
 * Opens checkouts. The request is stored first, so that the same request is repeated when the answer was lost (P2); once a checkout is
 * stored, the provider is not called again.
 */
export const createCheckoutOpener =
  ({ runner, companies, findAccount, publicUrl, clock, random }: OpeningParts): OpenCheckout =>
  async (order, { idempotencyKey, timeoutMs, signal }) => {
    const { companyId, credentialId } = order;
    const account = await findAccount(companyId, credentialId);
    if (account.kind === 'refused') return account;
    const nowMs = clock.now();
    const given = { paymentId: `pay_${Buffer.from(random.bytes(16)).toString('hex')}`, effectKey: idempotencyKey, nowMs };
    const plan = companies.company(companyId)?.plan;
    const requested = await requestPayment(runner, buildPayment(order, { ...given, provider: account.provider }), plan);
    if (requested.kind === 'limit')
      return refusal(
        'TEST_LIMIT_REACHED',
        `This node has made the ${requested.maxTests} tests of its plan: give it a credential in "auth"`,
      );
    const { paymentId: checkoutId, url, expiresAtMs, ...payment } = requested.payment;
    if (url !== undefined) return { kind: 'opened', checkoutId, url };
    if (expiresAtMs <= nowMs) return refusal('CHECKOUT_EXPIRED', 'The time to pay was over before there was a checkout');
    const answer = await account.createCheckout(
      {
        checkoutId,
        amount: payment.amount,
        currency: payment.currency,
        description: payment.description,
        createdAtMs: payment.createdAtMs,
        expiresAtMs,
        returnUrl: `${publicUrl.get()}/payments/returned`,
      },
      { companyId, idempotencyKey, timeoutMs, signal },
    );
    if (answer.kind !== 'created') return answer;
    const { reference } = answer;
    await runner.write([updateCheckout({ companyId, paymentId: checkoutId, reference, url: answer.url })]);
    return { kind: 'opened', checkoutId, url: answer.url };
  };

const refusal = (cause: string, message: string): Opened => ({ kind: 'refused', cause, message });

const buildPayment = (
  { companyId, workflowId, nodeId, executionId, credentialId, amount, currency, description, openMs }: CheckoutOrder,
  given: { readonly paymentId: string; readonly effectKey: string; readonly provider: string; readonly nowMs: number },
): GivenOf<typeof payments.columns> => ({
  companyId,
  paymentId: given.paymentId,
  effectKey: given.effectKey,
  workflowId,
  nodeId,
  executionId,
  provider: given.provider,
  credentialId,
  amount,
  currency,
  description,
  status: 'requested',
  createdAtMs: given.nowMs,
  expiresAtMs: given.nowMs + openMs,
});

/** The recipient of a checkout's money: an account of the company with a provider, or none in test mode. */
export interface Account {
  readonly kind: 'account';
  /** `test`, or the kind of the credential. */
  readonly provider: string;
  createCheckout(request: CheckoutRequest, call: Omit<CheckoutContext, 'credential'>): Promise<CheckoutAnswer>;
  /** Judges a callback for this account. Only this service ends a test. */
  verifyCallback(callback: { readonly headers: Headers; readonly body: Uint8Array }): Callback;
}

/** Why there is no account; the cause appears at the node's `error` port. */
type NoAccount = { readonly kind: 'refused'; readonly cause: 'CREDENTIAL_MISSING' | 'CREDENTIAL_INVALID'; readonly message: string };

interface AccountsParts {
  readonly companies: Pick<Companies, 'credential' | 'credentialToProve'>;
  /** By the kind of credential that is an account with them. */
  readonly providers: ReadonlyMap<string, PaymentProvider>;
  readonly publicUrl: Pick<PublicUrl, 'get'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Finds accounts of companies; without a credential it is the test mode (PAY-01). With `toProve` also of those with another address. */
export type FindAccount = (companyId: string, credentialId: string | undefined, toProve?: boolean) => Promise<Account | NoAccount>;

/** Looks accounts up among the credentials of companies. */
export const createAccountFinder = ({ companies, providers, publicUrl, clock }: AccountsParts): FindAccount => {
  const test: Account = {
    kind: 'account',
    provider: 'test',
    createCheckout: async ({ checkoutId }) => ({
      kind: 'created',
      reference: checkoutId,
      url: `${publicUrl.get()}/payments/test/${checkoutId}`,
    }),
    verifyCallback: () => ({ kind: 'forged' }),
  };
  return async (companyId, credentialId, toProve = false) => {
    if (credentialId === undefined) return test;
    const credential = await companies[toProve ? 'credentialToProve' : 'credential'](companyId, credentialId);
    if (credential === undefined)
      return noAccount('CREDENTIAL_MISSING', `There is no credential "${credentialId}": create it, or name another`);
    const { kind } = credential;
    const provider = typeof kind === 'string' ? providers.get(kind) : undefined;
    if (typeof kind !== 'string' || provider === undefined)
      return noAccount('CREDENTIAL_INVALID', `The credential "${credentialId}" is no account with a payment provider`);
    return {
      kind: 'account',
      provider: kind,
      createCheckout: (request, call) => provider.createCheckout(request, { ...call, credential }),
      verifyCallback: ({ headers, body }) =>
        provider.verifyCallback({ signature: headers.get(provider.signatureHeader) ?? '', body, credential, nowMs: clock.now() }),
    };
  };
};

const noAccount = (cause: NoAccount['cause'], message: string): NoAccount => ({ kind: 'refused', cause, message });

/** Tests allowed per configuration, by plan: PAY-01 limits the Free plan alone. */
const maxTestsByPlan: { readonly [plan: string]: number | undefined } = { free: 10 };

/** The result of requesting a payment; with `limit`, nothing is stored. */
type Requested = { readonly kind: 'requested'; readonly payment: StoredPayment } | { readonly kind: 'limit'; readonly maxTests: number };

/**
 * Stores a requested payment, once per effect, and counts a test (PAY-02), in one transaction: concurrent requests never exceed the
 * plan's tests, and none is counted twice.
 */
async function requestPayment(runner: Runner, payment: GivenOf<typeof payments.columns>, plan: string | undefined): Promise<Requested> {
  const { companyId, effectKey, workflowId, nodeId } = payment;
  const maxTests = maxTestsByPlan[plan ?? ''] ?? Number.MAX_SAFE_INTEGER;
  const counting = asCondition(countTest({ companyId, workflowId, nodeKey: nodeId, max: maxTests }));
  const { failed } = await runner.write([asCondition(payments.insertOnce(payment)), ...(payment.provider === 'test' ? [counting] : [])]);
  if (failed === counting) return { kind: 'limit', maxTests };
  const kept = await runner.readOne(selectPaymentByEffect({ companyId, effectKey }));
  if (kept === undefined) throw new Error('A payment that was just written is not there');
  return { kind: 'requested', payment: kept };
}
