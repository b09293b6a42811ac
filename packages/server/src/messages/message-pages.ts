// Pages of the message log: of a bot, a user or a conversation, since an instant, in either order.
import { call, decodeText, type DurableStore, encodeKey, encodeText } from '@hilo/stores';
import { type Database, ofCompany, statement } from '../platform/database/schema.ts';
import type { MessageFilter } from './messages.ts';
import { columns } from './sql.ts';

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
  bot: { readonly companyId: string; readonly botId: string },
  { userId, sinceMs = 0, conversationId, order = 'asc', limit, cursor }: MessageFilter,
) {
  const named = { companyId: encodeText(bot.companyId), botId: encodeText(bot.botId) };
  const conversation =
    conversationId === undefined
      ? undefined
      : await store.runner.readOne(call(selectConversation, { ...named, conversationId: encodeText(conversationId) }));
  const userKeys = await Promise.all(
    [userId, conversation && decodeText(conversation.user_id)].flatMap((id) => (id === undefined ? [] : [findUserKey(store, bot, id)])),
  );
  const isEmpty = (conversationId !== undefined && conversation === undefined) || new Set(userKeys).size > 1;
  if (isEmpty) return { rows: [], next: undefined };
  const [userKey] = userKeys;
  const range = {
    ...named,
    fromMs: Math.max(sinceMs, conversation?.start_at_ms ?? 0),
    toMs: conversation?.end_at_ms ?? latestMs,
    after: userKey === undefined && sinceMs > 0 ? await findFloor(store.runner, named, sinceMs) : 0,
    before: latestMs,
    limit: limit + 1,
  };
  const number = cursor === undefined ? undefined : Number(cursor);
  const page =
    order === 'asc'
      ? { ...range, after: Math.max(range.after, number ?? 0) }
      : { ...range, before: Math.min(range.before, number ?? latestMs) };
  const found = await store.runner.read(userKey === undefined ? call(pages[order], page) : call(pagesOfUser[order], { ...page, userKey }));
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? rows.at(-1)?.id : undefined };
}

/** Any id of the user finds their messages (UID-04). */
async function findUserKey(
  { executions }: LogStore,
  { companyId, botId }: { readonly companyId: string; readonly botId: string },
  userId: string,
): Promise<string> {
  const contact = await executions.contact(companyId, botId, [userId]);
  return encodeKey(contact?.userId ?? userId);
}

/** The clocks of processes differ by less than this, so that an older message has a lower number but for so much. */
const clockSkewMs = 60_000;

interface BotColumns {
  readonly companyId: string;
  readonly botId: string;
}

/**
 * A row up to which, by its number, all messages of the bot are older than an instant. Found by halving, as numbers have an index and
 * instants have none: what is older is not read.
 */
async function findFloor(runner: Runner, bot: BotColumns, sinceMs: number): Promise<number> {
  let low = 0;
  let high = (await runner.readOne(call(lastNumber, { ...bot })))?.id ?? 0;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = await runner.readOne(call(nextInstant, { ...bot, after: middle }));
    if (row === undefined || row.created_at_ms >= sinceMs - clockSkewMs) high = middle;
    else low = row.id;
  }
  return low;
}

const ofBot = (db: Database, { companyId, botId }: BotColumns) =>
  db.selectFrom('messages').where('company_id', '=', companyId).where('bot_id', '=', botId);

const lastNumber = statement<{ readonly companyId: string; readonly botId: string }>()((db, given) =>
  ofBot(db, given).select('id').orderBy('id', 'desc').limit(1),
);

const nextInstant = statement<{ readonly companyId: string; readonly botId: string; readonly after: number }>()((db, given) =>
  ofBot(db, given).select(['id', 'created_at_ms']).where('id', '>', given.after).orderBy('id').limit(1),
);

const selectConversation = ofCompany<{ readonly botId: string; readonly conversationId: string }>()((company, given) =>
  company
    .selectFrom('conversations')
    .select(['user_id', 'start_at_ms', 'end_at_ms'])
    .where('id', '=', given.conversationId)
    .where('bot_id', '=', given.botId),
);

/** Instants and numbers of a page: both ends of the instants belong to it, none of the numbers. */
interface Range extends BotColumns {
  readonly fromMs: number;
  readonly toMs: number;
  readonly after: number;
  readonly before: number;
  readonly limit: number;
}
type Given = { readonly [Name in keyof Range]: Range[Name] };

const inRange = (db: Database, given: Range, order: 'asc' | 'desc') =>
  ofBot(db, given)
    .select(columns)
    .where('id', '>', given.after)
    .where('id', '<', given.before)
    .where('created_at_ms', '>=', given.fromMs)
    .where('created_at_ms', '<=', given.toMs)
    .orderBy('id', order)
    .limit(given.limit);

const pages = {
  asc: statement<Given>()((db, given) => inRange(db, given, 'asc')),
  desc: statement<Given>()((db, given) => inRange(db, given, 'desc')),
};

type OfUser = Given & { readonly userKey: string };

const pagesOfUser = {
  asc: statement<OfUser>()((db, given) => inRange(db, given, 'asc').where('user_key', '=', given.userKey)),
  desc: statement<OfUser>()((db, given) => inRange(db, given, 'desc').where('user_key', '=', given.userKey)),
};
