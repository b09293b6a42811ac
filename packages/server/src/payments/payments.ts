// Payments, from their checkout to their end.
import type { PaymentEvent, PaymentProvider } from '@hilo/integrations';
import type { Clock, Random } from '@hilo/engine/contract';
import { call, condition, decodeText, type DurableStore, encodeText, encodeKey, type Runner } from '@hilo/stores';
import type { Logger } from '../platform/logging/logger.ts';
import type { Platform } from '../platform/platform.ts';
import type { PublicUrl } from '../platform/public-url.ts';
import type { Companies, Tenancy } from '../tenants/companies.ts';
import { createCheckoutOpener, createAccountFinder, type OpenCheckout } from './checkout.ts';
import {
  beginPayment,
  endPayment,
  selectEvents,
  insertEvent,
  selectPayment,
  type PaymentColumns,
  selectPaymentsOf,
  selectTest,
} from './sql.ts';

/** The status of a payment: requested, open to be paid, or what the provider reported. */
export const paymentStatuses = ['requested', 'open', 'pending', 'approved', 'rejected', 'expired'] as const;

/** What the surface of payments works with. */
export type PaymentParts = Pick<Platform, 'settings' | 'engine' | 'clock' | 'isAccepting' | 'log'> &
  Tenancy & { readonly payments: Payments };

/**
 * The result of a callback: `taken` is new, `repeated` was stored before, `ignored` is about no payment of this service, `unreadable` is
 * authentic but not understood, `forged` has no valid signature.
 */
export type Taken = 'taken' | 'repeated' | 'ignored' | 'unreadable' | 'forged';

/** A payment as it is kept. */
export interface Payment {
  readonly checkoutId: string;
  readonly workflowId: string;
  readonly nodeId: string;
  readonly executionId: string;
  readonly provider: string;
  readonly credentialId: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  /** An open payment past its time is `expired`, even if the provider has not reported it. */
  readonly status: (typeof paymentStatuses)[number];
  /** Whether the execution had left its wait when the end was reported; null until that is known. */
  readonly isLate: boolean | null;
  readonly reference: string | null;
  readonly url: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly changedAtMs: number | null;
}

/** A page of a list of payments; by execution when one is named, else by workflow, else all of the company. */
export interface PaymentFilter {
  readonly limit: number;
  readonly workflowId?: string | undefined;
  readonly executionId?: string | undefined;
  /** The `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
}

/** Payments of all companies: made with a provider, ended by its callbacks, signalled to the executions that wait. */
export interface Payments {
  readonly open: OpenCheckout;
  /** The headers in which providers sign. */
  readonly signatureHeaders: readonly string[];
  /** Takes a callback of the provider of a credential. Resolves once it is durable (P1). */
  takeCallback(companyId: string, credentialId: string, callback: { readonly headers: Headers; readonly body: Uint8Array }): Promise<Taken>;
  /** A test by its id, which is part of the address that the user was sent, and cannot be guessed. */
  test(checkoutId: string): Promise<Payment | undefined>;
  /** Ends a test payment as chosen on its page. Only the first choice counts, and none after its time. */
  chooseTest(checkoutId: string, status: 'approved' | 'rejected'): Promise<void>;
  find(companyId: string, checkoutId: string): Promise<Payment | undefined>;
  /** The events of a payment, oldest first, including those after its end. */
  events(companyId: string, checkoutId: string): Promise<readonly { readonly status: string; readonly atMs: number }[]>;
  /** Payments of a company, the newest first. */
  list(companyId: string, filter: PaymentFilter): Promise<{ readonly results: readonly Payment[]; readonly nextCursor: string | null }>;
}

interface PaymentsParts {
  readonly store: Pick<DurableStore, 'runner'>;
  readonly companies: Pick<Companies, 'company' | 'credential' | 'credentialToProve'>;
  /** By the kind of credential that is an account with them. */
  readonly providers: ReadonlyMap<string, PaymentProvider>;
  readonly publicUrl: Pick<PublicUrl, 'get'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
  readonly log: Pick<Logger, 'warn'>;
  /** Called when an execution is to be signalled. */
  readonly wake: (atMs: number) => void;
}

/** Payments over a store: what is reported is stored before executions are signalled. */
export function createPayments({ store: { runner }, companies, providers, publicUrl, clock, random, log, wake }: PaymentsParts): Payments {
  const findAccount = createAccountFinder({ companies, providers, publicUrl, clock });
  const readTest = (checkoutId: string) => runner.readOne(call(selectTest, { paymentId: encodeKey(checkoutId) }));

  /** @param source - the credential that signed it; empty for a test */
  const takeAndWake = async (companyId: string, source: string, event: PaymentEvent): Promise<'taken' | 'repeated' | 'ignored'> => {
    const nowMs = clock.now();
    const outcome = await takeEvent(runner, { companyId, source, event, nowMs });
    if (outcome === 'taken') wake(nowMs);
    if (outcome !== 'mismatched') return outcome;
    const { checkoutId, reference, amount, currency } = event;
    log.warn(
      { companyId, checkoutId, reference, amount, currency },
      'A payment was approved over another amount than requested, and stays open',
    );
    return 'ignored';
  };

  return {
    open: createCheckoutOpener({ runner, companies, findAccount, publicUrl, clock, random }),
    signatureHeaders: [...providers.values()].map(({ signatureHeader }) => signatureHeader),
    async takeCallback(companyId, credentialId, given) {
      const account = await findAccount(companyId, credentialId, true);
      const callback = account.kind === 'account' ? account.verifyCallback(given) : ({ kind: 'forged' } as const);
      if (callback.kind !== 'forged') companies.company(companyId); // one that has another address is refused with it
      if (callback.kind === 'other') return 'ignored';
      return callback.kind === 'event' ? takeAndWake(companyId, credentialId, callback) : callback.kind;
    },
    async test(checkoutId) {
      const row = await readTest(checkoutId);
      return row === undefined ? undefined : decodePayment(row, clock.now());
    },
    async chooseTest(checkoutId, status) {
      const row = await readTest(checkoutId);
      if (row !== undefined && clock.now() < row.expires_at_ms) {
        const { amount, currency } = row;
        await takeAndWake(row.company_id, '', { eventId: checkoutId, checkoutId, reference: checkoutId, status, amount, currency });
      }
    },
    async find(companyId, checkoutId) {
      const row = await runner.readOne(call(selectPayment, { companyId, paymentId: encodeKey(checkoutId) }));
      return row === undefined ? undefined : decodePayment(row, clock.now());
    },
    async events(companyId, checkoutId) {
      const rows = await runner.read(call(selectEvents, { companyId, paymentId: encodeKey(checkoutId) }));
      return rows.map(({ status, at_ms: atMs }) => ({ status, atMs }));
    },
    async list(companyId, { limit, workflowId, executionId, cursor }) {
      const which = executionId !== undefined ? 'execution' : workflowId !== undefined ? 'workflow' : 'company';
      const page = { companyId, before: cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor), limit: limit + 1 };
      const rows = await runner.read(call(selectPaymentsOf[which], { ...page, value: encodeText(executionId ?? workflowId ?? '') }));
      const results = rows.slice(0, limit);
      const nowMs = clock.now();
      return {
        results: results.map((row) => decodePayment(row, nowMs)),
        nextCursor: rows.length > limit ? String(results.at(-1)?.id ?? '') : null,
      };
    },
  };
}

interface Given {
  readonly companyId: string;
  /** The credential that signed it; empty for a test. */
  readonly source: string;
  readonly event: PaymentEvent;
  readonly nowMs: number;
}

/** The result of an event. `mismatched`: it approves another amount than was requested, and changes nothing. */
type TookEvent = 'taken' | 'repeated' | 'ignored' | 'mismatched';

/**
 * Stores a provider's event on a payment, once per event (P10). The first final status is final: a later contradicting event is
 * stored and changes nothing. Only the account that opened a checkout may report on it (P28).
 */
async function takeEvent(runner: Runner, { companyId, source, event, nowMs }: Given): Promise<TookEvent> {
  const { eventId, checkoutId, reference, status, amount, currency } = event;
  const payment = await runner.readOne(call(selectPayment, { companyId, paymentId: encodeKey(checkoutId) }));
  if (payment === undefined || decodeText(payment.credential_id ?? '') !== source) return 'ignored';
  if (payment.reference !== null && decodeText(payment.reference) !== reference) return 'ignored';
  if (status === 'approved' && (amount !== payment.amount || currency !== payment.currency)) return 'mismatched';
  const place = { companyId, paymentId: payment.payment_id };
  const { failed } = await runner.write([
    condition(insertEvent, { ...place, source: encodeKey(source), eventKey: encodeKey(eventId), status, nowMs }),
    call(status === 'pending' ? beginPayment : endPayment, { ...place, status, nowMs }),
  ]);
  return failed === undefined ? 'taken' : 'repeated';
}

function decodePayment(row: PaymentColumns, nowMs: number): Payment {
  const status = paymentStatuses.find((known) => known === row.status) ?? 'requested';
  const isOver = (status === 'requested' || status === 'open') && row.expires_at_ms <= nowMs;
  return {
    checkoutId: row.payment_id,
    workflowId: decodeText(row.workflow_id),
    nodeId: decodeText(row.node_id),
    executionId: row.execution_id,
    provider: row.provider,
    credentialId: row.credential_id === null ? null : decodeText(row.credential_id),
    amount: row.amount,
    currency: row.currency,
    description: decodeText(row.description),
    status: isOver ? 'expired' : status,
    isLate: row.heard === null ? null : row.heard === 'late',
    reference: row.reference === null ? null : decodeText(row.reference),
    url: row.url,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    changedAtMs: row.changed_at_ms,
  };
}
