import type { AbortSignal } from '@hilo/engine/contract';
import type { Bot } from '../service/companies.ts';
import type { OutboundMessage } from '../service/message-log.ts';

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
 * @throws {Error} when nobody knows whether it was sent (P5)
 */
export type Deliver<Message extends OutboundMessage = OutboundMessage, Came = Delivered> = (
  bot: Bot,
  message: Message,
  signal: AbortSignal,
) => Promise<Came>;

/** Providers by their kind; of a kind without a line nothing is sent. */
export type Deliveries<Message extends OutboundMessage, Came> = { readonly [kind: string]: Deliver<Message, Came> | undefined };

/** A message whose turn it is, with the name under which it is kept. */
export interface DueMessage extends OutboundMessage {
  readonly messageId: string;
}

/** Delivers by the kind of the bot's provider. */
export const deliverBy =
  <Message extends OutboundMessage, Came>(deliveries: Deliveries<Message, Came>): Deliver<Message, Came | Refused> =>
  async (bot, message, signal) => {
    const { kind } = bot.provider;
    const deliver = Object.hasOwn(deliveries, kind) ? deliveries[kind] : undefined;
    if (deliver !== undefined) return deliver(bot, message, signal);
    return {
      kind: 'refused',
      cause: 'PROVIDER_UNSUPPORTED',
      message: `There is no adapter for providers of kind "${kind}" in this release: bot "${bot.id}" cannot send`,
    };
  };
