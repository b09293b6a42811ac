// Payments, from their checkout to their end.
import type { PaymentEvent, PaymentProvider } from '@hilo/integrations';
import type { Clock, Random } from '@hilo/engine/contract';
import { asCondition, type DurableStore, encodeKey, type Runner } from '@hilo/stores';
import type { Logger } from '../platform/logging/logger.ts';
import type { Platform } from '../platform/platform.ts';
import type { PublicUrl } from '../platform/public-url.ts';
import { paymentEvents, payments as table } from '../platform/tables/payments.ts';
import type { Companies, Tenancy } from '../tenants/companies.ts';
import { createCheckoutOpener, createAccountFinder, type OpenCheckout } from './checkout.ts';
import { beginPayment, endPayment, selectEvents, selectPayment, selectPaymentsOf, type StoredPayment } from './sql.ts';

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
  const readTest = async (checkoutId: string): Promise<StoredPayment | undefined> => {
    const found = await runner.readOne(table.findUnique(checkoutId));
    return found?.provider === 'test' ? found : undefined;
  };

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
      const found = await readTest(checkoutId);
      return found === undefined ? undefined : showPayment(found, clock.now());
    },
    async chooseTest(checkoutId, status) {
      const found = await readTest(checkoutId);
      if (found !== undefined && clock.now() < found.expiresAtMs) {
        const { amount, currency } = found;
        await takeAndWake(found.companyId, '', { eventId: checkoutId, checkoutId, reference: checkoutId, status, amount, currency });
      }
    },
    async find(companyId, checkoutId) {
      const found = await runner.readOne(selectPayment({ companyId, paymentId: checkoutId }));
      return found === undefined ? undefined : showPayment(found, clock.now());
    },
    events: (companyId, checkoutId) => runner.read(selectEvents({ companyId, paymentId: checkoutId })),
    async list(companyId, { limit, workflowId, executionId, cursor }) {
      const page = { companyId, before: cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor), limit: limit + 1 };
      const rows = await runner.read(
        executionId !== undefined
          ? selectPaymentsOf.execution({ ...page, executionId })
          : workflowId !== undefined
            ? selectPaymentsOf.workflow({ ...page, workflowId })
            : selectPaymentsOf.company(page),
      );
      const results = rows.slice(0, limit);
      const nowMs = clock.now();
      return {
        results: results.map((row) => showPayment(row, nowMs)),
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
  const payment = await runner.readOne(selectPayment({ companyId, paymentId: checkoutId }));
  if (payment === undefined || (payment.credentialId ?? '') !== source) return 'ignored';
  if (payment.reference !== undefined && payment.reference !== reference) return 'ignored';
  if (status === 'approved' && (amount !== payment.amount || currency !== payment.currency)) return 'mismatched';
  const place = { companyId, paymentId: payment.paymentId };
  const { failed } = await runner.write([
    asCondition(paymentEvents.insertOnce({ ...place, source: encodeKey(source), eventKey: encodeKey(eventId), status, atMs: nowMs })),
    (status === 'pending' ? beginPayment : endPayment)({ ...place, status, nowMs }),
  ]);
  return failed === undefined ? 'taken' : 'repeated';
}

function showPayment(kept: StoredPayment, nowMs: number): Payment {
  const status = paymentStatuses.find((known) => known === kept.status) ?? 'requested';
  const isOver = (status === 'requested' || status === 'open') && kept.expiresAtMs <= nowMs;
  return {
    checkoutId: kept.paymentId,
    workflowId: kept.workflowId,
    nodeId: kept.nodeId,
    executionId: kept.executionId,
    provider: kept.provider,
    credentialId: kept.credentialId ?? null,
    amount: kept.amount,
    currency: kept.currency,
    description: kept.description,
    status: isOver ? 'expired' : status,
    isLate: kept.heard === undefined ? null : kept.heard === 'late',
    reference: kept.reference ?? null,
    url: kept.url ?? null,
    createdAtMs: kept.createdAtMs,
    expiresAtMs: kept.expiresAtMs,
    changedAtMs: kept.changedAtMs ?? null,
  };
}
