// Bots and users as columns hold them: what is kept, queued and remembered of a user's messages is found by these.
import { encodeKey, encodeText } from '@hilo/stores';

/** A bot. */
export type BotColumns = { readonly companyId: string; readonly botId: string };

/** A user of a bot, whose messages leave one after the other (P9). */
export type LaneColumns = BotColumns & { readonly userKey: string };

/** A user by the id by which a bot knows them. */
export interface BotUser {
  readonly companyId: string;
  readonly botId: string;
  readonly userId: string;
}

export const encodeBot = ({ companyId, botId }: BotColumns): BotColumns => ({
  companyId: encodeText(companyId),
  botId: encodeText(botId),
});

export const encodeLane = ({ companyId, botId, userId }: BotUser): LaneColumns => ({
  ...encodeBot({ companyId, botId }),
  userKey: encodeKey(userId),
});

/** The name of a lane; and what `active_key` holds, so that a user has one active conversation with a bot. */
export const nameLane = ({ companyId, botId, userKey }: LaneColumns): string => JSON.stringify([companyId, botId, userKey]);
