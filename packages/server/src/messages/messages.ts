// What the sending of messages works with.
import type { PresentFile } from '../platform/name-files.ts';
import type { Recipient } from '@hilo/channels';
import type { AbortSignal, JsonObject } from '@hilo/engine/contract';
import { fillPlaces } from '@hilo/nodes/effects';
import type { Call } from '@hilo/stores';
import type { Bot, MessageTemplate, Tenancy } from '../tenants/companies.ts';
import type { Shares } from '../tenants/company-limits.ts';
import type { Platform } from '../platform/platform.ts';
import type { MediaCheck } from './media/media-check.ts';
import type { Lane } from '../platform/database/lanes.ts';

export { campaignKeyPrefix, isByItself, isOfCampaign, ownKeyPrefix } from './message-keys.ts';
export { releaseHeld } from './takeover-gate.ts';
export { atOnceFor, type Paces, type ProviderRate } from './pace.ts';
export { acceptancesOf, mostAcceptances, latestOfUser, messagesOfUser, readUpTo } from './sql.ts';
export { tellStatus } from './message-events.ts';
export {
  keepMark,
  keepSaid,
  keepStatus,
  messageOfName,
  namedUser,
  providerNameOf,
  providerUser,
  sentByName,
  upsertAddress,
  userOfMessage,
} from './provider-records.ts';

/** What the sending of messages works with. */
export type MessageParts = Pick<Platform, 'store' | 'clock'> &
  Tenancy & {
    readonly outbox: Outbox;
    readonly messages: MessageLog;
    readonly media: MediaCheck;
    /** Gives the file of a message an address where it has a handle; without it there are no handles. */
    readonly present?: PresentFile;
    /** What companies may take; without it there are no limits. */
    readonly shares?: Shares;
    readonly channels: {
      /** Why the bot's provider would refuse the message; `undefined` when it may accept it. */
      refusal(bot: Bot, message: JsonObject): string | undefined;
    };
  };

/** What was sent and received, as `GET /admin/v1/bots/{botId}/messages` shows it. */
export interface LoggedMessage {
  readonly messageId: string;
  readonly direction: 'outbound' | 'inbound';
  readonly userId: string;
  readonly message: JsonObject;
  /** The key of an outbound message: the same for every attempt. */
  readonly idempotencyKey: string | null;
  readonly status: 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'received';
  readonly createdAtMs: number;
  readonly executionId: string | null;
  readonly nodeId: string | null;
  /** Why it failed, or why no workflow took it: a code. */
  readonly cause: string | null;
  /** The same in the words of whoever refused it. */
  readonly explanation?: string | undefined;
}

/** A message on its way out. */
export interface OutboundMessage {
  readonly companyId: string;
  readonly botId: string;
  readonly userId: string;
  readonly message: JsonObject;
  readonly idempotencyKey: string;
  readonly executionId?: string;
  readonly nodeId?: string;
}

/** Keeps every message of every bot. */
export interface MessageLog {
  /** Keeps a message that is sent; the same key again is the same message. @returns its id */
  sent(message: OutboundMessage): Promise<string>;
  /** Keeps why no workflow took a user's message. */
  unmatched(message: {
    readonly companyId: string;
    readonly botId: string;
    readonly messageId: string;
    readonly cause: string;
  }): Promise<void>;
  /** A page of the messages of a bot. */
  list(
    companyId: string,
    botId: string,
    filter: MessageFilter,
  ): Promise<{ readonly results: readonly LoggedMessage[]; readonly nextCursor: string | null }>;
}

/** Which messages of a bot are listed, and where in the list a page begins. */
export interface MessageFilter {
  readonly userId?: string | undefined;
  /** Kept at this instant or later. */
  readonly sinceMs?: number | undefined;
  /** Between the user and the bot of this conversation, from its start to its end; none where the bot has no such conversation. */
  readonly conversationId?: string | undefined;
  readonly status?: LoggedMessage['status'] | undefined;
  /** Those that failed, or that no workflow took, with this code. */
  readonly cause?: string | undefined;
  /** Oldest first, when left out. */
  readonly order?: 'asc' | 'desc';
  readonly limit: number;
  /** The `nextCursor` of the page before, in the same order. */
  readonly cursor?: string | undefined;
}

/** Called for every message queued for a user, once it is durable. */
export type OnKept = (lane: Lane) => void;

/** What became of a message: its channel took it, or does not. */
export type Delivered = { readonly kind: 'sent'; readonly messageId: string } | Refused;
type Refused = { readonly kind: 'refused'; readonly cause: string; readonly message: string };

/** The outcome of one try: a message that its channel defers may be tried again later. */
export type Tried =
  | Delivered
  /**
   * @property providerMessageId - the provider's id of the message, which later status reports name
   * @property phone - the number of the user as the provider spells it
   */
  | { readonly kind: 'sent'; readonly messageId: string; readonly providerMessageId?: string; readonly phone?: string }
  | {
      readonly kind: 'later';
      readonly cause: string;
      readonly message: string;
      /** How long the channel asks to pause. */
      readonly retryAfterMs: number | undefined;
    }
  /** Perhaps sent, and tried again under its key, by which the channel drops a second one (P5). */
  | { readonly kind: 'unknown'; readonly cause: string; readonly message: string };

/**
 * Hands a message to the user of a bot. The same key is the same message: a receiver that deduplicates sends it once.
 *
 * @throws {Error} when the outcome is unknown and it may be tried again under its key (P5)
 */
export type Deliver<Message extends OutboundMessage = OutboundMessage, Came = Delivered> = (
  bot: Bot,
  message: Message,
  signal: AbortSignal,
) => Promise<Came>;

/** A message whose turn has come, with its stored id and what is known of its user. */
export interface DueMessage extends OutboundMessage {
  readonly messageId: string;
  readonly recipient: Recipient;
}

/** A message that a caller of the REST API sends. */
export interface Send {
  readonly companyId: string;
  readonly botId: string;
  /** As the caller wrote it: so it goes to the channel. */
  readonly userId: string;
  /** The id by which the bot knows the user: all ids of a user share one order (P9, UID-04). */
  readonly knownAs: string;
  readonly message: JsonObject;
  /** The caller's `Idempotency-Key` (MSG-43). */
  readonly key?: SendKey;
  /**
   * An operator's message is noted by its sender; any other counts as the bot's in the conversation. What the service says by itself waits
   * out a takeover, as the messages of workflows do.
   */
  readonly from?: 'operator' | 'service';
  /** Written with the message, which is refused when a condition among these fails. */
  readonly guard?: readonly Call[];
}

/** The cause of a template that was not handed over, since its provider has stopped it. */
export const templateStopped = 'TEMPLATE_STOPPED';

/** Distinguishes requests. */
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

/** The result of accepting a message. Accepted means durable (P1). */
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
 * Sends every message to its channel. Messages to one user of a bot are sent one at a time, in the order of acceptance, whether a
 * workflow or the REST API sent them (P9); accepted messages survive the process.
 */
export interface Outbox {
  /** Takes a message of a caller who does not wait for its delivery. */
  accept(send: Send): Promise<Acceptance>;
  /** What a key was used for before; `undefined` for a new one. */
  used(send: Pick<Send, 'companyId' | 'botId'>, key: SendKey): Promise<UsedKey | undefined>;
  /** Sends for a workflow, which waits for the message's turn and its outcome. */
  readonly send: Deliver;
  find(companyId: string, botId: string, messageId: string): Promise<SentMessage | undefined>;
}

/** A template with its parameters as a message of the log: its text, and the template it was made from. */
export const templateMessage = (template: MessageTemplate, parameters: { readonly [name: string]: string }): JsonObject => ({
  type: 'template',
  templateId: template.id,
  elementName: template.elementName,
  language: template.language,
  parameters,
  ...(template.body !== undefined && { text: fillPlaces(template.body, parameters) }),
});
