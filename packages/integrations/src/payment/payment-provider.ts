import type { AbortSignal, JsonObject } from '@hilo/engine/contract';

/** The order that the user is asked to pay. */
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

/** The parameters of a request. The same request under the same key is the same checkout, for any number of tries (P4). */
export interface CheckoutContext {
  /** The company's account with the provider. */
  readonly credential: JsonObject;
  readonly companyId: string;
  readonly idempotencyKey: string;
  /** For the whole call. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What a provider says of a checkout that it was asked to make. */
export type CheckoutAnswer =
  /** @property reference - the provider's own name for the checkout */
  | { readonly kind: 'created'; readonly reference: string; readonly url: string }
  /** There is none, and a retry would not help. */
  | { readonly kind: 'refused'; readonly cause: 'CREDENTIAL_INVALID' | 'PAYMENT_REFUSED'; readonly message: string }
  | {
      readonly kind: 'failed';
      readonly reason: 'timeout' | 'unavailable';
      readonly message: string;
      /** Whether there may be a checkout all the same (P5). */
      readonly outcome: 'failed' | 'unknown';
      readonly retryAfterMs?: number;
    };

/** A callback of a provider, unparsed: its signature is over these exact bytes. */
export interface CallbackRequest {
  /** The value of {@link PaymentProvider.signatureHeader}; empty when missing. */
  readonly signature: string;
  readonly body: Uint8Array;
  /** The account that it is addressed to; `undefined` for an unknown one, whose callback is never authentic. */
  readonly credential: JsonObject | undefined;
  readonly nowMs: number;
}

/** The status of a payment; `pending` is followed by another. */
export type PaymentStatus = 'approved' | 'rejected' | 'pending' | 'expired';

/** A provider's report on a checkout. The same event may be repeated, under the same id (P10). */
export interface PaymentEvent {
  readonly eventId: string;
  readonly checkoutId: string;
  readonly reference: string;
  readonly status: PaymentStatus;
  /** The amount in the provider's report, which is compared with the order. */
  readonly amount: number | undefined;
  /** ISO 4217, in capitals. */
  readonly currency: string | undefined;
}

/** What a request at the address of a payment provider is. */
export type Callback =
  /** Not signed by who has the secret, or too long ago. */
  | { readonly kind: 'forged' }
  /** It is authentic, but cannot be parsed. */
  | { readonly kind: 'unreadable' }
  /** It is about something else. */
  | { readonly kind: 'other' }
  | ({ readonly kind: 'event' } & PaymentEvent);

/** A payment provider. */
export interface PaymentProvider {
  /** The header that its callbacks are signed in, in small letters. */
  readonly signatureHeader: string;
  /** Requests a checkout, once. Every failure is a result. */
  createCheckout(request: CheckoutRequest, context: CheckoutContext): Promise<CheckoutAnswer>;
  /** Judges a callback, and reads it only when it is authentic (T5). */
  verifyCallback(request: CallbackRequest): Callback;
}
