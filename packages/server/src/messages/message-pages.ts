// Pages of the message log: of a bot, a user or a conversation, since an instant, with a status or a cause, in either order.
import { type DurableStore, encodeKey, type GivenOf, integer, pick, plain, selected } from '@hilo/stores';
import type { OfBot } from '../platform/database/lanes.ts';
import { type CompanyDatabase, companyQuery } from '../platform/database/schema.ts';
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
  { userId, sinceMs = 0, conversationId, status, cause, order = 'asc', limit, cursor }: MessageFilter,
  pagesOf: ReturnType<typeof createMessagePages> = usualPages,
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
  const listed = pagesOf({ order, isOfUser: userKey !== undefined, by: foundBy(status, cause) });
  const given = { ...page, userKey: userKey ?? '', status: status ?? '', cause: cause ?? '' };
  const found = await store.runner.read(listed.rows(given));
  const rows = found.slice(0, limit);
  if (found.length > limit) return { rows, next: rows.at(-1)?.id };
  const last = listed.lastOfWindow === undefined ? undefined : await store.runner.readOne(listed.lastOfWindow(given));
  return { rows, next: last?.id };
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

/** How the rows of a page are chosen. What few have and no index knows is looked for in so many rows at a time. */
type FoundBy = 'any' | 'cause' | 'causeAndStatus' | 'failed' | 'status';
const usualWindow = 20_000;

const foundBy = (status: MessageFilter['status'], cause: string | undefined): FoundBy => {
  if (cause !== undefined) return status === undefined ? 'cause' : 'causeAndStatus';
  return status === undefined ? 'any' : status === 'failed' ? 'failed' : 'status';
};

interface Pages {
  readonly order: 'asc' | 'desc';
  readonly isOfUser: boolean;
  readonly by: FoundBy;
}

const chosen = { ...range, status: plain(), cause: plain() };

const inRange = ({ order, isOfUser }: Pages, company: CompanyDatabase, given: GivenOf<typeof chosen>) =>
  company
    .selectFrom('messages')
    .where('bot_id', '=', given.botId)
    .where('id', '>', given.after)
    .where('id', '<', given.before)
    .where('created_at_ms', '>=', given.fromMs)
    .where('created_at_ms', '<=', given.toMs)
    .$if(isOfUser, (rows) => rows.where('user_key', '=', given.userKey))
    .orderBy('id', order);

const listedColumns = pick(messages.columns, ...listedNames);

function makePages(how: Pages, windowRows: number) {
  const { order, by } = how;
  const rows = companyQuery(chosen, listedColumns, (company, given, db) => {
    const all = inRange(how, company, given);
    if (by === 'status') {
      const some = all.select(selected('messages', listedColumns)).limit(windowRows).as('window');
      return db.selectFrom(some).selectAll().where('status', '=', given.status).orderBy('id', order).limit(given.limit);
    }
    return all
      .$if(by === 'cause' || by === 'causeAndStatus', (some) => some.where('cause', '=', given.cause))
      .$if(by === 'causeAndStatus', (some) => some.where('status', '=', given.status))
      .$if(by === 'failed', (some) => some.where('cause', 'is not', null).where('status', '=', given.status))
      .select(selected('messages', listedColumns))
      .limit(given.limit);
  });
  const last = companyQuery(chosen, pick(messages.columns, 'id'), (company, given) =>
    inRange(how, company, given)
      .select('id')
      .limit(1)
      .offset(windowRows - 1),
  );
  return { rows, lastOfWindow: by === 'status' ? last : undefined };
}

const ways: readonly FoundBy[] = ['any', 'cause', 'causeAndStatus', 'failed', 'status'];

/** The statements of all pages. @param windowRows - among how many one looks for what no index knows */
export function createMessagePages(windowRows = usualWindow) {
  const made = new Map(
    (['asc', 'desc'] as const).flatMap((order) =>
      [false, true].flatMap((isOfUser) =>
        ways.map((by) => [`${order} ${isOfUser} ${by}`, makePages({ order, isOfUser, by }, windowRows)] as const),
      ),
    ),
  );
  return ({ order, isOfUser, by }: Pages) => {
    const found = made.get(`${order} ${isOfUser} ${by}`);
    if (found === undefined) throw new Error('There is no such page');
    return found;
  };
}

const usualPages = createMessagePages();
