// Pages of the message log: of a bot, a user or a conversation, since an instant, in either order.
import { type DurableStore, encodeKey, integer, pick, plain } from '@hilo/stores';
import type { OfBot } from '../platform/database/lanes.ts';
import { conversations } from '../platform/tables/conversations.ts';
import { messages } from '../platform/tables/messages.ts';
import type { MessageFilter } from './messages.ts';
import { listedNames } from './sql.ts';

type Runner = Pick<DurableStore['runner'], 'read' | 'readOne'>;
type LogStore = { readonly runner: Runner; readonly executions: Pick<DurableStore['executions'], 'contact'> };

/** The latest instant there is, and more than any row has as its number. */
const latestMs = 8_640_000_000_000_000;

/**
 * Reads a page of messages.
 *
 * @returns the rows, and the number of the last one where more follow
 */
export async function readMessagePage(
  store: LogStore,
  bot: OfBot,
  { userId, sinceMs = 0, conversationId, order = 'asc', limit, cursor }: MessageFilter,
) {
  const conversation =
    conversationId === undefined ? undefined : await store.runner.readOne(selectConversation({ ...bot, id: conversationId }));
  const userKeys = await Promise.all(
    [userId, conversation?.userId].flatMap((id) => (id === undefined ? [] : [findUserKey(store, bot, id)])),
  );
  const isEmpty = (conversationId !== undefined && conversation === undefined) || new Set(userKeys).size > 1;
  if (isEmpty) return { rows: [], next: undefined };
  const [userKey] = userKeys;
  const range = {
    ...bot,
    fromMs: Math.max(sinceMs, conversation?.startAtMs ?? 0),
    toMs: conversation?.endAtMs ?? latestMs,
    after: userKey === undefined && sinceMs > 0 ? await findFloor(store.runner, bot, sinceMs) : 0,
    before: latestMs,
    limit: limit + 1,
  };
  const number = cursor === undefined ? undefined : Number(cursor);
  const page =
    order === 'asc'
      ? { ...range, after: Math.max(range.after, number ?? 0) }
      : { ...range, before: Math.min(range.before, number ?? latestMs) };
  const found = await store.runner.read((userKey === undefined ? pages : pagesOfUser)[order]({ ...page, userKey: userKey ?? '' }));
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? rows.at(-1)?.id : undefined };
}

/** Any id of the user finds their messages (UID-04). */
async function findUserKey({ executions }: LogStore, { companyId, botId }: OfBot, userId: string): Promise<string> {
  const contact = await executions.contact(companyId, botId, [userId]);
  return encodeKey(contact?.userId ?? userId);
}

/** The clocks of processes differ by less than this, so that an older message has a lower number but for so much. */
const clockSkewMs = 60_000;

/**
 * A row up to which, by its number, all messages of the bot are older than an instant. Found by halving, as numbers have an index and
 * instants have none: what is older is not read.
 */
async function findFloor(runner: Runner, bot: OfBot, sinceMs: number): Promise<number> {
  let low = 0;
  let high = (await runner.readOne(lastNumber(bot)))?.id ?? 0;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = await runner.readOne(nextInstant({ ...bot, after: middle }));
    if (row === undefined || row.createdAtMs >= sinceMs - clockSkewMs) high = middle;
    else low = row.id;
  }
  return low;
}

const { botId, createdAtMs } = messages.columns;

const lastNumber = messages.read(['id'], { botId }, (rows, given) => rows.where('bot_id', '=', given.botId).orderBy('id', 'desc').limit(1));

const nextInstant = messages.read(['id', 'createdAtMs'], { botId, after: integer() }, (rows, given) =>
  rows.where('bot_id', '=', given.botId).where('id', '>', given.after).orderBy('id').limit(1),
);

const selectConversation = conversations.read(
  ['userId', 'startAtMs', 'endAtMs'],
  pick(conversations.columns, 'id', 'botId'),
  (rows, given) => rows.where('id', '=', given.id).where('bot_id', '=', given.botId),
);

/** Instants and numbers of a page: both ends of the instants belong to it, none of the numbers. */
const range = {
  botId,
  userKey: plain(),
  fromMs: createdAtMs,
  toMs: createdAtMs,
  after: integer(),
  before: integer(),
  limit: integer(),
};

const pageOf = (order: 'asc' | 'desc', isOfUser: boolean) =>
  messages.read(listedNames, range, (rows, given) => {
    const page = rows
      .where('bot_id', '=', given.botId)
      .where('id', '>', given.after)
      .where('id', '<', given.before)
      .where('created_at_ms', '>=', given.fromMs)
      .where('created_at_ms', '<=', given.toMs)
      .orderBy('id', order)
      .limit(given.limit);
    return isOfUser ? page.where('user_key', '=', given.userKey) : page;
  });
const pages = { asc: pageOf('asc', false), desc: pageOf('desc', false) };
const pagesOfUser = { asc: pageOf('asc', true), desc: pageOf('desc', true) };
