// A visitor, as rows and streams name one.
import { encodeKey, encodeText } from '@hilo/stores';
import type { LaneColumns } from '../messages/messages.ts';

/** The name of a user of a bot, for what is kept by user. */
export const nameUser = ({ companyId, botId, userKey }: LaneColumns): string => JSON.stringify([companyId, botId, userKey]);

/** A user of a bot, in columns. */
export const encodeLane = (companyId: string, botId: string, userId: string): LaneColumns => ({
  companyId: encodeText(companyId),
  botId: encodeText(botId),
  userKey: encodeKey(userId),
});
