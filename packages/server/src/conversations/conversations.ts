import type { Message } from '@hilo/nodes';
import type { SendKey, Outbox } from '../messages/messages.ts';
import type { Chosen, Wanted } from './choose-operator.ts';
import type { Platform } from '../platform/platform.ts';
import type { Tenancy } from '../tenants/companies.ts';
import type { MediaCheck } from '../messages/media/media-check.ts';

/** What the routes of conversations work with. */
export type ConversationParts = Pick<Platform, 'store' | 'clock' | 'log'> &
  Tenancy & { readonly conversations: Conversations; readonly outbox: Outbox; readonly media: MediaCheck };

/** How long a conversation stays open without a message, by default (P13). */
export const usualIdleMs = 86_400_000;

/** A conversation that is to begin. */
export interface Opening extends Wanted {
  readonly companyId: string;
  readonly botId: string;
  /** The id by which the bot knows the user. */
  readonly userId: string;
  /** `organic`, `induced_by_operator` or another origin (CON-16). */
  readonly origin: string;
  /** After how long without a message it expires. */
  readonly idleMs: number;
  /** The same again is the same conversation; drawn, when left out. */
  readonly id?: string;
  /** Whether the user waits from the beginning: so it is with a hand-off, and not when the operator writes first. */
  readonly isUserWaiting: boolean;
  /**
   * Of a hand-off: the execution that waits for the end, or null when none does. An open conversation of the user is reused.
   */
  readonly handsOver?: string | null;
}

export type Opened =
  | { readonly kind: 'opened'; readonly id: string; readonly waitKey: string }
  /** The user has one already. */
  | { readonly kind: 'taken'; readonly id: string }
  | Exclude<Chosen, { readonly kind: 'chosen' }>;

/** The outcome of an operator's message. */
export type Said =
  | { readonly kind: 'sent'; readonly messageId: string }
  /** It leaves with others, at the latest then (GRP-01). */
  | { readonly kind: 'gathered'; readonly leavesAtMs: number }
  /** The conversation has ended, or has no operator. */
  | { readonly kind: 'unattended' }
  /** The key was used for another request. */
  | { readonly kind: 'key-taken' };

export type Transferred =
  | { readonly kind: 'transferred'; readonly childId: string }
  | { readonly kind: 'ended' }
  | Exclude<Chosen, { readonly kind: 'chosen' }>;

/** The life of conversations between users and operators (CON-17, CON-18). What ended stays as it is. */
export interface Conversations {
  open(opening: Opening): Promise<Opened>;
  /**
   * Sends a message of the operator, in the order of all that is sent to the user (P9), or gathers it with others (GRP-01).
   * The same key again is the same message (MSG-43).
   */
  say(companyId: string, id: string, message: Message, key?: SendKey): Promise<Said>;
  /** Closes or resolves a conversation. @returns whether it was active */
  end(companyId: string, id: string, state: 'closed' | 'resolved', reason: string): Promise<boolean>;
  /** Ends a conversation and opens its child with another operator, in one commit. */
  transfer(companyId: string, id: string, to: Wanted): Promise<Transferred>;
  /** Lets another operator continue with the same conversation. */
  assign(
    companyId: string,
    id: string,
    to: Wanted,
  ): Promise<{ readonly kind: 'assigned' | 'ended' } | Exclude<Chosen, { readonly kind: 'chosen' }>>;
  /** Whether this user is in a conversation with an operator. */
  isActive(companyId: string, botId: string, userId: string): Promise<boolean>;
}
