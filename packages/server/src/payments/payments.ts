import type { AbortSignal } from '@hilo/engine/contract';
import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenants/companies.ts';

/** How a payment stands: it was asked for, it may be paid, or the provider said more. */
export const paymentStatuses = ['requested', 'open', 'pending', 'approved', 'rejected', 'expired'] as const;

/** What the surface of payments works with. */
export type PaymentParts = Pick<Platform, 'settings' | 'engine' | 'clock' | 'isAccepting' | 'log'> &
  Tenancy & { readonly payments: Payments };

/** A checkout that an execution asks for. */
export interface CheckoutOrder {
  readonly companyId: string;
  /** The canvas and the node that ask: a configuration of its own (PAY-02). */
  readonly workflowId: string;
  readonly nodeId: string;
  readonly executionId: string;
  /** Who takes the money; a test, where left out. */
  readonly credentialId?: string | undefined;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly openMs: number;
}

/** What came of asking; the cause is what the node's `error` says. */
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
 * What became of a callback: it was kept; it was kept before; it is about nothing that was asked for here; it is signed and
 * says nothing; it is not signed by who has the secret.
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
  /** An open one whose time is over is `expired`, though the provider has not said so. */
  readonly status: (typeof paymentStatuses)[number];
  /** Whether the execution had gone another way when this came to be known; null until that is clear. */
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
  /** Opens a checkout; the same key again is the same one, and a provider that made it is not asked again (P4). */
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
  /** What was said of a payment, the oldest first, also after its end was known. */
  events(companyId: string, checkoutId: string): Promise<readonly { readonly status: string; readonly atMs: number }[]>;
  /** Payments of a company, the newest first. */
  list(companyId: string, filter: PaymentFilter): Promise<{ readonly results: readonly Payment[]; readonly nextCursor: string | null }>;
}
