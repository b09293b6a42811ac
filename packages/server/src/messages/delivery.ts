import type { Recipient } from '@hilo/drivers';
import type { AbortSignal } from '@hilo/engine/contract';
import type { Bot } from '../tenants/companies.ts';
import type { OutboundMessage } from './message-log.ts';

/** What became of a message: its channel took it, or does not. */
export type Delivered = { readonly kind: 'sent'; readonly messageId: string } | Refused;
type Refused = { readonly kind: 'refused'; readonly cause: string; readonly message: string };

/** What came of one try: a message that its channel does not take now may be tried again later. */
export type Tried =
  | Delivered
  | {
      readonly kind: 'later';
      readonly cause: string;
      readonly message: string;
      /** How long the channel asks to be left alone. */
      readonly retryAfterMs: number | undefined;
    };

/**
 * Hands a message to the user of a bot. The same key again is the same message: it is not sent twice by whoever knows.
 *
 * @throws {Error} when nobody knows whether it was sent, and it may be tried again under its key (P5)
 */
export type Deliver<Message extends OutboundMessage = OutboundMessage, Came = Delivered> = (
  bot: Bot,
  message: Message,
  signal: AbortSignal,
) => Promise<Came>;

/** A message whose turn it is, with the name under which it is kept, and what is known of its user. */
export interface DueMessage extends OutboundMessage {
  readonly messageId: string;
  readonly recipient: Recipient;
}
