import type { AbortSignal, JsonObject } from '@hilo/engine/contract';

/** What the user is asked to pay. */
export interface CheckoutRequest {
  /** What names the checkout in callbacks. */
  readonly checkoutId: string;
  /** In the smallest unit of the currency, such as cents. */
  readonly amount: number;
  /** ISO 4217, in capitals. */
  readonly currency: string;
  readonly description: string;
  readonly createdAtMs: number;
  /** The execution waits no longer than that. A provider may close the checkout later, and never earlier. */
  readonly expiresAtMs: number;
  /** Where the person is led afterwards. */
  readonly returnUrl: string;
}

/** How a provider is asked. The same request under the same key is the same checkout, however often it is asked for (P4). */
export interface CheckoutContext {
  /** The company's account with the provider. */
  readonly credential: JsonObject;
  readonly companyId: string;
  readonly idempotencyKey: string;
  /** For the whole call. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type CheckoutAnswer =
  /** @property reference - the provider's own name for the checkout */
  | { readonly kind: 'created'; readonly reference: string; readonly url: string }
  /** There is none, and asking again would change nothing. */
  | { readonly kind: 'refused'; readonly cause: 'CREDENTIAL_INVALID' | 'PAYMENT_REFUSED'; readonly message: string }
  | {
      readonly kind: 'failed';
      readonly reason: 'timeout' | 'unavailable';
      readonly message: string;
      /** Whether there may be a checkout all the same (P5). */
      readonly outcome: 'failed' | 'unknown';
      readonly retryAfterMs?: number;
    };

/** What came from a provider: a signature is over these bytes and no others. */
export interface CallbackRequest {
  /** The value of {@link PaymentProvider.signatureHeader}; empty where there is none. */
  readonly signature: string;
  readonly body: Uint8Array;
  /** The account it is meant for; `undefined` for an unknown account, whose callback is never authentic. */
  readonly credential: JsonObject | undefined;
  readonly nowMs: number;
}

/** How a payment stands; what is `pending` ends in another way yet. */
export type PaymentStatus = 'approved' | 'rejected' | 'pending' | 'expired';

/** What a provider says of a checkout. The same event may come several times, under the same id (P10). */
export interface PaymentEvent {
  readonly eventId: string;
  readonly checkoutId: string;
  readonly reference: string;
  readonly status: PaymentStatus;
  /** What the checkout is over, as the provider says it: what it approves is compared with what was asked. */
  readonly amount: number | undefined;
  /** ISO 4217, in capitals. */
  readonly currency: string | undefined;
}

export type Callback =
  /** Not signed by who has the secret, or too long ago. */
  | { readonly kind: 'forged' }
  /** It is signed, and says nothing that can be read. */
  | { readonly kind: 'unreadable' }
  /** It is about something else. */
  | { readonly kind: 'other' }
  | ({ readonly kind: 'event' } & PaymentEvent);

/** Who takes payments. */
export interface PaymentProvider {
  /** The header that its callbacks are signed in, in small letters. */
  readonly signatureHeader: string;
  /** Asks for a checkout, once. Whatever goes wrong is an answer. */
  createCheckout(request: CheckoutRequest, context: CheckoutContext): Promise<CheckoutAnswer>;
  /** Judges a callback, and reads it only when it is authentic (T5). */
  verifyCallback(request: CallbackRequest): Callback;
}
