/** Names bot and user in columns: two conversations that are active at once never have the same. */
export const activeKeyOf = ({
  companyId,
  botId,
  userKey,
}: {
  readonly companyId: string;
  readonly botId: string;
  readonly userKey: string;
}): string => JSON.stringify([companyId, botId, userKey]);
