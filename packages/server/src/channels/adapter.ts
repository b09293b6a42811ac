import type { InboundMessage } from '@hilo/engine';
import type { Bot } from '../service/companies.ts';

/** A delivery as it came: a signature is over these bytes and no others. */
export interface Delivery {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** How a kind of provider delivers its users' messages. */
export interface InboundAdapter {
  /** The header with the provider's signature: without it a delivery is refused before anything is looked up (P27). */
  readonly signatureHeader: string;
  /** Whether the provider sent these bytes. A bot without a secret never accepts any (T5). */
  isAuthentic(bot: Bot, delivery: Delivery): boolean;
  /**
   * The messages in it, in the order in which the user sent them.
   *
   * @throws {Refusal | HiloError} 400 for what is none
   */
  messages(bot: Bot, delivery: Delivery): readonly InboundMessage[];
  /** Answers the provider's question whether the address is ours; `undefined` when it does not know the bot's token. */
  verify?(bot: Bot, query: URLSearchParams): string | undefined;
}

/** Adapters by the `provider.kind` of a bot. */
export type InboundAdapters = ReadonlyMap<string, InboundAdapter>;
