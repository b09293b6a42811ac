// Bots and their users, as what is kept, queued and remembered of a user's messages is found by them.
import { encodeKey, encodeText, plain, text } from '@hilo/stores';

/** A bot of a company. */
export interface OfBot {
  readonly companyId: string;
  readonly botId: string;
}

/** A user of a bot, by the key that tables have of them: their messages leave one after the other (P9). */
export interface Lane extends OfBot {
  readonly userKey: string;
}

/** A user by the id by which a bot knows them. */
export interface BotUser extends OfBot {
  readonly userId: string;
}

/** The columns of a lane beside its company. */
export const laneColumns = { botId: text(), userKey: plain() };

export const laneOf = ({ companyId, botId, userId }: BotUser): Lane => ({ companyId, botId, userKey: encodeKey(userId) });

/** The name of a lane; and what `active_key` holds, so that a user has one active conversation with a bot. */
export const nameLane = ({ companyId, botId, userKey }: Lane): string =>
  JSON.stringify([encodeText(companyId), encodeText(botId), userKey]);
