import { call, keyOf, type Runner, written } from '@hilo/stores';
import { statement } from '../platform/database/statement.ts';

/** Whoever has this id in one of the three ways. */
export const contactKeys = statement<{ readonly companyId: string; readonly botId: string; readonly key: string }>()(
  (db, { companyId, botId, key }) =>
    db
      .selectFrom('contacts')
      .select(['user_key', 'phone_key', 'bsuid_key'])
      .where('company_id', '=', companyId)
      .where('bot_id', '=', botId)
      .where(({ eb, or }) => or([eb('user_key', '=', key), eb('phone_key', '=', key), eb('bsuid_key', '=', key)])),
);

/** By what keys conversations of a user are found: who is known to a bot by a phone and by a business-scoped id is one person (UID-04). */
export async function userKeysOf(
  runner: Pick<Runner, 'readEach'>,
  companyId: string,
  botIds: readonly string[],
  userId: string,
): Promise<readonly string[]> {
  const key = keyOf(userId);
  const contacts = await runner.readEach(
    botIds.map((botId) => call(contactKeys, { companyId: written(companyId), botId: written(botId), key })),
  );
  const known = contacts.flat().flatMap(({ user_key, phone_key, bsuid_key }) => [user_key, phone_key, bsuid_key]);
  return [...new Set([key, ...known.filter((each) => each !== null)])];
}
