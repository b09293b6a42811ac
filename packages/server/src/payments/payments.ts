import type { AbortSignal } from '@hilo/engine/contract';
import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenants/companies.ts';

/** The status of a payment: requested, open to be paid, or what the provider reported. */
export const paymentStatuses = ['requested', 'open', 'pending', 'approved', 'rejected', 'expired'] as const;

/** What the surface of payments works with. */
export type PaymentParts = Pick<Platform, 'settings' | 'engine' | 'clock' | 'isAccepting' | 'log'> &
  Tenancy & { readonly payments: Payments };

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

export interface PaymentFilter {
  readonly limit: number;
  readonly workflowId?: string | undefined;
  readonly executionId?: string | undefined;
  /** The `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
}

/** Payments of all companies: made with a provider, ended by its callbacks, signalled to the executions that wait. */
export interface Payments {
  /** Opens a checkout; the same key is the same checkout, and a provider that opened it is not called again (P4). */
  open(
    order: CheckoutOrder,
    call: { readonly idempotencyKey: string; readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<Opened>;
  /** The headers in which providers sign. */
  readonly signatureHeaders: readonly string[];
  /** Takes a callback of the provider of a credential. Resolves once it is durable (P1). */
  takeCallback(companyId: string, credentialId: string, callback: { readonly headers: Headers; readonly body: Uint8Array }): Promise<Taken>;
  /** A test by its id, which only those have who were sent its address. */
  test(checkoutId: string): Promise<Payment | undefined>;
  /** Ends a test payment as chosen on its page. Only the first choice counts, and none after its time. */
  chooseTest(checkoutId: string, status: 'approved' | 'rejected'): Promise<void>;
  find(companyId: string, checkoutId: string): Promise<Payment | undefined>;
  /** The events of a payment, oldest first, including those after its end. */
  events(companyId: string, checkoutId: string): Promise<readonly { readonly status: string; readonly atMs: number }[]>;
  /** Payments of a company, the newest first. */
  list(companyId: string, filter: PaymentFilter): Promise<{ readonly results: readonly Payment[]; readonly nextCursor: string | null }>;
}
