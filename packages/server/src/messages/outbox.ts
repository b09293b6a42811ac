import type { JsonObject } from '@hilo/engine/contract';
import type { Call } from '@hilo/stores';
import type { Deliver } from './delivery.ts';

/** A message that a caller of the REST API sends. */
export interface Send {
  readonly companyId: string;
  readonly botId: string;
  /** As the caller wrote it: so it goes to the channel. */
  readonly userId: string;
  /** The id by which the bot knows the user: whatever the caller wrote, a user has one order (P9, UID-04). */
  readonly knownAs: string;
  readonly message: JsonObject;
  /** The caller's `Idempotency-Key` (MSG-43). */
  readonly key?: SendKey;
  /** An operator's message is noted by whoever sends it; any other is the bot's in the conversation with an operator. */
  readonly from?: 'operator';
  /** Written with the message, which is not accepted if a condition among these does not hold. */
  readonly guard?: readonly Call[];
}

/** What tells one request from another. */
export interface SendKey {
  readonly value: string;
  readonly fingerprint: string;
}

/** What an `Idempotency-Key` was used for before: nothing more is sent (MSG-43). */
export type UsedKey =
  | { readonly kind: 'repeated'; readonly messageId: string }
  /** The text of an operator that leaves with others, at the latest then (GRP-01). */
  | { readonly kind: 'gathered'; readonly leavesAtMs: number }
  /** Another request. */
  | { readonly kind: 'key-taken' };

/** How a message was taken. Accepted means durable (P1). */
export type Acceptance = { readonly kind: 'accepted'; readonly messageId: string } | { readonly kind: 'guarded' } | UsedKey;

/** What became of a message that was sent (MSG-42). */
export interface SentMessage {
  readonly messageId: string;
  readonly status: string;
  /** Why it failed. */
  readonly error: { readonly code: string; readonly message: string } | undefined;
  readonly updatedAtMs: number;
}

/**
 * The way of every message to its channel. Those to one user of a bot leave one after the other, in the order in which
 * they were accepted, whether a workflow or the REST API sent them (P9); what was accepted survives any process.
 */
export interface Outbox {
  /** Takes a message of a caller who does not wait for its delivery. */
  accept(send: Send): Promise<Acceptance>;
  /** What a key was used for before; `undefined` for a new one. */
  used(send: Pick<Send, 'companyId' | 'botId'>, key: SendKey): Promise<UsedKey | undefined>;
  /** Sends for a workflow, which waits for its turn and for what comes of it. */
  readonly send: Deliver;
  find(companyId: string, botId: string, messageId: string): Promise<SentMessage | undefined>;
}
