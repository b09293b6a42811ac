import type { EffectRequest } from './effect.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import type { Write } from './variables.ts';

/** What an execution can wait for. A wait is an effect that the outside world answers. */
export const waitKinds = ['reply', 'webhook', 'external', 'timer', 'child', 'event', 'handoff', 'payment', 'retry'] as const;
/** One of {@link waitKinds}. */
export type WaitKind = (typeof waitKinds)[number];

/** The time ran out first. */
export interface TimedOut {
  readonly kind: 'timeout';
  /** How late the timer fired: above zero when no process ran at the due time. */
  readonly lateByMs: number;
}

/** A wait of others or of time that a message of the user can end. */
interface Interruptible {
  /** Left out where no message ends it. */
  readonly isInterruptible?: true;
}

/** The user's message came first. */
export interface Interrupted {
  readonly kind: 'interrupted';
  readonly message: JsonObject;
}

/** What an open wait is for, besides its kind. `dueInMs` counts from the event that opens it. */
export type WaitRequest =
  | { readonly kind: 'reply'; readonly dueInMs?: number }
  | ({ readonly kind: 'webhook'; readonly dueInMs?: number } & Interruptible)
  | ({ readonly kind: 'external'; readonly dueInMs?: number } & Interruptible)
  | { readonly kind: 'timer'; readonly dueAtMs: number; readonly isInterruptible: boolean }
  | ({ readonly kind: 'event'; readonly name: string; readonly correlation: string; readonly dueInMs?: number } & Interruptible)
  | ({
      readonly kind: 'child';
      readonly workflowId: string;
      readonly version?: number;
      readonly inputs: JsonObject;
      readonly inheritWebhook: boolean;
      readonly dueInMs?: number;
    } & Interruptible)
  | { readonly kind: 'handoff'; readonly key: string; readonly dueInMs?: number }
  | { readonly kind: 'payment'; readonly key: string; readonly dueInMs?: number };

const wait =
  <Kind extends WaitRequest['kind'], Result>(kind: Kind) =>
  (request: Omit<Extract<WaitRequest, { readonly kind: Kind }>, 'kind'>): EffectRequest<Result> => ({
    type: `wait.${kind}`,
    request: dropUndefined({ kind, ...request }),
  });

/** A reply, and when it was processed: in milliseconds since the Unix epoch, the instant from which a next wait counts. */
export interface Replied {
  readonly kind: 'message';
  readonly message: JsonObject;
  readonly atMs: number;
  /** When it came, by the clock of the service, where that was before its wait began: what the user answers then is not what was asked. */
  readonly acceptedAtMs?: number;
}

/** A wait of others that a message of the user ends, where an edge leads on from `interrupted`. */
export const interruptible = <Result>(
  { type, request }: EffectRequest<Result>,
  isConnected: (port: string) => boolean,
): EffectRequest<Result | Interrupted> => ({
  type,
  request: isJsonObject(request) && isConnected('interrupted') ? { ...request, isInterruptible: true } : request,
});

/** Waits for the user's next message. */
export const reply = wait<'reply', Replied | TimedOut>('reply');

/** What a request that answers a wait writes: the webhook's variable (WEB-21). */
export interface WebhookAnswer {
  readonly kind: 'request';
  readonly writes: readonly Write[];
}

/** Waits for a request to this very webhook node. */
export const webhookCall = wait<'webhook', WebhookAnswer | TimedOut>('webhook');
/** Waits for a request with this execution's id to the canvas's webhook route. */
export const externalCall = wait<'external', WebhookAnswer | TimedOut>('external');

/** Waits until an instant; a user's message may cut it short. */
export const timer = wait<'timer', { readonly kind: 'elapsed'; readonly lateByMs: number } | Interrupted>('timer');

/** Waits for a named signal with a correlation value. */
export const signal = wait<'event', { readonly kind: 'received'; readonly payload: Json } | TimedOut>('event');

/** Waits for the end of the conversation with an operator: the signal `handoff` with this key as correlation. */
export const handoffEnd = wait<'handoff', { readonly kind: 'received'; readonly payload: Json } | TimedOut>('handoff');

/** Waits for the result of the checkout: the signal `payment` with this key as correlation. */
export const paymentEnd = wait<'payment', { readonly kind: 'received'; readonly payload: Json } | TimedOut>('payment');

/** Runs another workflow as a child and waits for its end. A message that the child waits for is the child's; one that ends the wait cancels it. */
export const child = wait<
  'child',
  | { readonly kind: 'completed'; readonly outputs: JsonObject; readonly webhook: JsonObject }
  | {
      readonly kind: 'failed';
      readonly cause: string;
      readonly message: string;
      /** What `$error` held in the child beside them: the fields of its cause, its node and attempt. Left out by earlier releases. */
      readonly details?: JsonObject;
      readonly webhook: JsonObject;
    }
  | TimedOut
>('child');

/** Continues in another canvas, in the same execution, and never comes back. */
export const jumpTo = (request: { readonly workflowId: string; readonly version?: number }): EffectRequest<never> => ({
  type: 'flow.jump',
  request: dropUndefined(request),
});

/** An event for every execution of the company that waits for one of this name and correlation value. */
export interface SentEvent {
  readonly name: string;
  /** Empty text for waits that name none. */
  readonly correlation: string;
  readonly payload: Json;
  /** How long it is held for the first wait that fits, where none is open; not at all, when left out. */
  readonly ttlMs?: number;
}

/**
 * Sends an event. It is handed over in the commit that records the result: exactly once, whatever dies (P3). `waits` is the number of
 * executions that waited for it.
 */
export const broadcast = (event: SentEvent): EffectRequest<{ readonly waits: number }> => ({ type: 'event.send', request: { ...event } });

const dropUndefined = (entries: { readonly [key: string]: unknown }): Json =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as JsonObject;
