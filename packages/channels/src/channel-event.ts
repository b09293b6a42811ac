// What a channel adapter makes of a provider's delivery: events about users, and what a message among them means.
import type { InboundMessage } from '@hilo/nodes/effects';

/**
 * The meaning of what a provider delivers. Only a `message` can answer a question or start a workflow, and only an `opening` (the link or
 * advertisement by which a person came) can start the workflow of its reference; everything else is kept, counted, and moves nothing.
 */
export const meanings = [
  'message',
  'opening',
  'group',
  'echo',
  'unsupported',
  'ephemeral',
  'call',
  'system',
  'activity',
  'reaction',
  'edit',
  'deletion',
  'status',
] as const;
export type Meaning = (typeof meanings)[number];

/** What is no message, by why it is none. */
export type NoticeKind = Exclude<Meaning, 'message' | 'opening'>;

/** How and where a message was written, in the provider's own words. */
export interface Written {
  /** The provider's own name of the type, as `documentedTypes` has it. */
  readonly type: string;
  /** Whether others than the person and the bot read it. */
  readonly inGroup?: boolean;
  /** Whether the page, the account or a bot wrote it. */
  readonly byBot?: boolean;
  /** Whether it is known that a person wrote it in the provider's own app, in the name of the page or the number. */
  readonly byPerson?: boolean;
  /** Whether it went to the user of its event: what the page, the number or the account wrote to them. */
  readonly toUser?: boolean;
}

/** The user an event is about. */
export interface ChannelUser {
  readonly id: string;
  readonly phone?: string | null;
  readonly bsuid?: string | null;
  readonly names?: string | null;
  /** The user's IANA time zone and locale, where the provider tells them. */
  readonly timeZone?: string | null;
  readonly locale?: string | null;
  /** The user's address, for a provider that needs one: the service stores the last one, and passes it with each message. */
  readonly address?: string;
}

/** What every event of a provider carries. */
interface Happened {
  /** The provider's id of the event: the same id again is the same event (P10). */
  readonly eventId: string;
  /** When it happened according to the provider, in milliseconds since the Unix epoch. */
  readonly atMs: number;
}

/** An event in a delivery. */
export type ChannelEvent =
  /**
   * A user wrote, chose, or shared something. What is no message of a person to this bot in private becomes a `notice` on its way to the
   * service, see `private-message.ts`.
   */
  | ({
      readonly kind: 'message';
      readonly user: ChannelUser;
      readonly message: InboundMessage;
      /** How and where it was written, in the provider's words; left out, the type of the message counts. */
      readonly written?: Written;
      /** When the user wrote it, where that is not when it happened; 0 where it is not known, as when it came. */
      readonly writtenAtMs?: number;
      /** Set by the rule: a person came by a link or an advertisement and wrote nothing, so that it can only start a workflow. */
      readonly isOpening?: true;
      /** The workflow whose draft the user tries, by a link of its author. */
      readonly draft?: string;
      /** An operator hands it in again, after it was set aside. */
      readonly isAgain?: true;
    } & Happened)
  /**
   * Something that is no message of a person to this bot in private: it is kept among the messages of its user and counted, answers
   * nothing, and starts nothing.
   */
  | ({
      readonly kind: 'notice';
      readonly what: NoticeKind;
      readonly user: ChannelUser;
      readonly message: InboundMessage;
      /** Set on an echo that went to the user: it is kept as what was said to them. */
      readonly isToUser?: true;
      /** Set on such an echo that a person wrote in the provider's own app. */
      readonly isByPerson?: true;
    } & Happened)
  /**
   * The status of a sent message, identified by Hilo's `messageId` or by the provider's id. A provider that returns the key also reports
   * messages whose send had no answer.
   */
  | ({
      readonly kind: 'status';
      readonly status: 'sent' | 'delivered' | 'read' | 'failed';
      readonly of: { readonly messageId: string } | { readonly providerMessageId: string; readonly idempotencyKey?: string };
      /** Why it failed, as in `SendResult`. */
      readonly failure?: { readonly cause: string; readonly message: string };
    } & Happened)
  /** The user's id has changed. */
  | ({ readonly kind: 'userIdChanged'; readonly previousId: string; readonly user: ChannelUser } & Happened)
  /**
   * The user stopped marketing messages, or allowed them again, by a switch of the provider's own app. It is kept as their consent, with
   * what the provider says of it among their messages; it is no message of theirs, and opens no 24-hour window.
   */
  | ({
      readonly kind: 'consent';
      readonly user: ChannelUser;
      readonly marketing: 'granted' | 'revoked';
      readonly message: InboundMessage;
    } & Happened)
  /** @property emoji - null when a reaction was removed */
  | ({
      readonly kind: 'reaction';
      readonly user: ChannelUser;
      readonly providerMessageId: string;
      readonly emoji: string | null;
    } & Happened)
  /** A user changed a message that they had sent; null where they deleted it. */
  | ({
      readonly kind: 'edit';
      readonly user: ChannelUser;
      readonly providerMessageId: string;
      readonly message: InboundMessage | null;
    } & Happened);
