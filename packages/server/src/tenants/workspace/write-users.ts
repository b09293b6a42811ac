// Writes the users of a workspace, some at a time.
import { type Channel, type ContactChange, otherSpellings, sessionWindowMs, spelledPhone } from '@hilo/engine/contract';
import { userIdProblem } from '@hilo/nodes';
import {
  type Call,
  encodeKey,
  decodeRows,
  textColumn,
  encodeList,
  type GivenOf,
  type Runner,
  encodeText,
  personKeyOf,
  integer,
  optional,
  plain,
  type ReadOf,
  text,
} from '@hilo/stores';
import { sql } from 'kysely';
import { readUserIdFormat } from '../bots.ts';
import { bots as botTable, people as userTable } from '../../platform/tables/companies.ts';
import { telling } from '../../platform/events/telling.ts';
import { companyQuery, type Database } from '../../platform/database/schema.ts';
import type { GivenUser } from './given-users.ts';
import type { PreparedCompany, WorkspaceParts } from './prepare.ts';

/** Users of one transaction: other requests are served in between. */
const batch = 200;

/** A bot, and the user ids that it accepts. */
interface Bot {
  readonly botId: string;
  readonly channel: Channel;
  /** Bots of one kind take the same ids. */
  readonly kind: string;
  readonly takes: (userId: string) => boolean;
}

/** A contact of a bot, and one of the keys by which it is found. */
const knownContact = {
  botId: text(),
  key: plain(),
  /** 1 for the key of a user's own id; else 0: a phone or a business-scoped id. */
  isOwn: integer(),
  /** Ascending in the order in which contacts became known. */
  id: integer(),
  userId: text(),
  windowUntilMs: optional(integer()),
};
type KnownContact = ReadOf<typeof knownContact>;
const keys = { keys: plain() };

/** The contacts of bots that have one of these keys, in a list of bots and keys, in a column. */
const selectContactsBy = (
  db: Database,
  column: 'user_key' | 'phone_key' | 'bsuid_key',
  given: { readonly companyId: string; readonly keys: string },
) =>
  db
    .selectFrom(decodeRows(given.keys))
    // A cross join fixes SQLite's order: each key is looked up, instead of each contact among the keys.
    .crossJoin('contacts')
    .where('contacts.company_id', '=', given.companyId)
    .where('contacts.bot_id', '=', textColumn(0))
    .where(`contacts.${column}`, '=', textColumn(1))
    .select(['contacts.bot_id', sql<string>`contacts.${sql.ref(column)}`.as('key')])
    .select(sql<number>`${sql.lit(column === 'user_key' ? 1 : 0)}`.as('is_own'))
    .select(['contacts.id', 'contacts.user_id', 'contacts.window_until_ms']);

/** Those that have one of the keys as another one than their own, as their indexes have them. */
const selectAliases = (db: Database, column: 'phone_key' | 'bsuid_key', given: { readonly companyId: string; readonly keys: string }) =>
  selectContactsBy(db, column, given).whereRef(`contacts.${column}`, '<>', 'contacts.user_key');

const selectContactsOfUsers = companyQuery(keys, knownContact, (_company, given, db) => selectContactsBy(db, 'user_key', given));

const selectContactsNamed = companyQuery(keys, knownContact, (_company, given, db) =>
  selectContactsBy(db, 'user_key', given)
    .unionAll(selectAliases(db, 'phone_key', given))
    .unionAll(selectAliases(db, 'bsuid_key', given)),
);

/** Says of people who have not written when they came. */
const noteFirstSeen = companyQuery({ nowMs: integer(), ...keys }, {}, (company, given) =>
  company
    .updateTable('people')
    .set({ first_seen_at_ms: given.nowMs })
    .where('person_key', 'in', ({ selectFrom }) => selectFrom(decodeRows(given.keys)).select(textColumn(0).as('person_key')))
    .where('first_seen_at_ms', 'is', null),
);

const selectKnownPeople = companyQuery(keys, { personKey: plain() }, (company, given) =>
  company
    .selectFrom('people')
    .select('person_key')
    .where('person_key', 'in', ({ selectFrom }) => selectFrom(decodeRows(given.keys)).select(textColumn(0).as('person_key'))),
);

/**
 * Stores users, and makes them contacts of bots: of those to which they wrote, with the 24-hour window of that day (WIN-01), and of
 * those that accept their ids. What a bot has learned from the user's own messages stays, unless the workspace changed. Unchanged
 * users are only read: a few statements for some hundreds of them, and no transaction.
 *
 * @param onWritten - called after each batch with the number of users done
 * @param isFor - of which bots they may become contacts; all, when left out. `named`: of this one they do, whose ids theirs were found to be
 * @param also - what is written in the transaction of each batch, behind its users
 * @returns how many users were missing or different
 */
export async function writeUsers(
  { store, clock }: Pick<WorkspaceParts, 'store' | 'clock'>,
  { companyId, users }: Pick<PreparedCompany, 'companyId' | 'users'>,
  onWritten: (users: number) => void,
  isFor: (bot: Pick<Bot, 'botId' | 'channel'>) => boolean | 'named' = () => true,
  also: () => readonly Call[] = () => [],
): Promise<number> {
  const bots = (await store.runner.read(botTable.all(companyId)))
    .filter((bot) => isFor(bot) !== false)
    .map((bot) => ({
      botId: bot.botId,
      channel: bot.channel,
      kind: isFor(bot) === 'named' ? '' : `${readUserIdFormat(bot)} ${bot.channel}`,
      takes: (userId: string) => isFor(bot) === 'named' || userIdProblem(userId, bot.channel, readUserIdFormat(bot)) === undefined,
    }));
  let [done, written] = [0, 0];
  for (const some of users.inBatches(batch)) {
    const pairs = some.flatMap((user) => findBotsOfUser(user, bots).map((bot) => ({ user, bot })));
    const { changed, known } = await compare(store.runner, companyId, some, pairs);
    // Where all are new, as in a first import, no set is made of them: texts in sets outlive the batch.
    const isAll = changed.length === some.length;
    const changedKeys = new Set(isAll ? [] : changed.map(({ userId }) => userId));
    const contacts = pairs.flatMap(({ user, bot }) => {
      const contact = findContact(known, bot, user);
      return buildContactChange({ companyId, ...bot }, user, contact, isAll || changedKeys.has(user.id), clock.now()) ?? [];
    });
    const others = also();
    if (changed.length > 0 || contacts.length > 0)
      await store.commitWith({ saves: [], history: [], contacts, enqueue: [], dequeue: [] }, [
        ...userTable.upsert(changed),
        await tellingNewcomers(store.runner, noteFirstSeen({ companyId, nowMs: clock.now(), keys: encodePeople(changed) }), {
          companyId,
          changed,
          some,
          pairs,
          atMs: clock.now(),
        }),
        ...others,
      ]);
    else if (others.length > 0) await store.runner.write(others);
    written += changed.length;
    onWritten((done += some.length));
  }
  return written;
}

type ChangedUser = GivenOf<typeof userTable.columns>;

const encodePeople = (users: readonly Pick<ChangedUser, 'userId'>[]): string =>
  encodeList(users.map(({ userId }) => [personKeyOf(userId)]));

/** A commit tells of the people that it makes contacts; who becomes one of no bot is told here, read before they are written. */
async function tellingNewcomers(
  runner: Pick<Runner, 'read'>,
  write: Call,
  {
    companyId,
    changed,
    some,
    pairs,
    atMs,
  }: {
    readonly companyId: string;
    readonly changed: readonly ChangedUser[];
    readonly some: readonly GivenUser[];
    readonly pairs: readonly Pair[];
    readonly atMs: number;
  },
): Promise<Call> {
  const reached = new Set(pairs.map(({ user }) => user));
  const unreached = new Set(some.flatMap((user) => (reached.has(user) ? [] : [user.id])));
  if (unreached.size === 0) return write;
  const others = changed.filter(({ userId }) => unreached.has(userId));
  if (others.length === 0) return write;
  const rows = await runner.read(selectKnownPeople({ companyId, keys: encodePeople(others) }));
  const known = new Set(rows.map((row) => row.personKey));
  const created = others.filter(({ userId }) => !known.has(personKeyOf(userId)));
  return telling(write, () =>
    created.map(({ userId }) => ({ type: 'contact.created', companyId, atMs, about: { userId }, data: { userId } })),
  );
}

/** The bots of which a user becomes a contact. The id is judged once for all bots of a kind: a company may have thousands. */
function findBotsOfUser({ id, lastMessageAt }: GivenUser, bots: readonly Bot[]): readonly Bot[] {
  const judged = new Map<string, boolean>();
  return bots.filter(({ botId, kind, takes }) => {
    if (lastMessageAt[botId] !== undefined) return true;
    const known = judged.get(kind);
    if (known !== undefined) return known;
    const isTaken = takes(id);
    judged.set(kind, isTaken);
    return isTaken;
  });
}

/** The stored users and contacts, beside what the workspace gives. */
async function compare(
  runner: Pick<Runner, 'read' | 'readEach'>,
  companyId: string,
  users: readonly GivenUser[],
  pairs: readonly Pair[],
): Promise<{ readonly changed: readonly ChangedUser[]; readonly known: ReadonlyMap<string, KnownContact> }> {
  const known = new Map<string, KnownContact>();
  const readContacts = async (
    how: typeof selectContactsNamed,
    wanted: readonly (readonly [botId: string, key: string])[],
  ): Promise<void> => {
    if (wanted.length === 0) return;
    const given = { companyId, keys: encodeList(wanted.map(([botId, key]) => [encodeText(botId), key])) };
    for (const contact of await runner.read(how(given))) {
      const name = formatContactKey(contact.botId, contact.key);
      const other = known.get(name);
      // A user's own id comes before shared ones; of those, the user who was known first (UID-06).
      const isBetter = other === undefined || contact.isOwn > other.isOwn || (contact.isOwn === other.isOwn && contact.id < other.id);
      if (isBetter) known.set(name, contact);
    }
  };
  const given = users.map(({ id, ...user }) => ({ companyId, userId: id, isListed: true, ...user }));
  const own = pairs.map(({ user, bot }) => [bot.botId, encodeKey(user.id)] as const);
  const [changed] = await Promise.all([userTable.changed(runner, given), readContacts(selectContactsOfUsers, own)]);
  const isUnknown = ({ user, bot }: Pair): boolean => known.size === 0 || !known.has(formatContactKey(bot.botId, encodeKey(user.id)));
  const unknownUsers = pairs.filter(isUnknown);
  await readContacts(
    selectContactsNamed,
    unknownUsers.flatMap(({ user, bot }) => {
      const named = listIds(user, bot).map(encodeKey);
      return named.flatMap((key, index) => (named.indexOf(key) === index ? [[bot.botId, key] as const] : []));
    }),
  );
  return { changed, known };
}

/** A user, and a bot of which they become a contact. */
interface Pair {
  readonly user: GivenUser;
  readonly bot: Bot;
}

/** The ids of a user as they are given, then the other spellings of the phone number (UID-07). */
function listIds({ id, phone, bsuid }: GivenUser, { channel }: Bot): readonly string[] {
  const given = [id, phone, bsuid].filter((known) => known !== undefined);
  return [...given, ...otherSpellings(phone ?? spelledPhone(id, channel).phone ?? '')];
}

const formatContactKey = (botId: string, key: string): string => JSON.stringify([botId, key]);

/** The contact that any of the user's ids names, the first one first: as `ExecutionStore.contact` has it. */
function findContact(known: ReadonlyMap<string, KnownContact>, bot: Bot, user: GivenUser): KnownContact | undefined {
  if (known.size === 0) return undefined;
  for (const id of listIds(user, bot)) {
    const contact = known.get(formatContactKey(bot.botId, encodeKey(id)));
    if (contact !== undefined) return contact;
  }
  return undefined;
}

/** The change of a bot's contact for a user; `undefined` when it is up to date. */
function buildContactChange(
  { companyId, botId, channel }: Omit<Bot, 'takes'> & { readonly companyId: string },
  { id, names, phone = spelledPhone(id, channel).phone, bsuid, timeZone, locale, lastMessageAt }: GivenUser,
  known: KnownContact | undefined,
  isChanged: boolean,
  nowMs: number,
): ContactChange | undefined {
  const lastMs = lastMessageAt[botId] === 'now' ? nowMs : lastMessageAt[botId];
  const identity = {
    ...(names !== undefined && { names }),
    ...(phone !== undefined && { phone }),
    ...(bsuid !== undefined && { bsuid }),
    ...(timeZone !== undefined && { timeZone }),
    ...(locale !== undefined && { locale }),
  };
  const windowUntilMs = typeof lastMs === 'number' ? lastMs + sessionWindowMs : undefined;
  const opens = windowUntilMs !== undefined && windowUntilMs > (known?.windowUntilMs ?? 0);
  if (known !== undefined && !isChanged && !opens) return undefined;
  return {
    companyId,
    botId,
    userId: known === undefined ? id : known.userId,
    ...(known === undefined || isChanged ? identity : {}),
    ...(opens ? { windowUntilMs } : {}),
  };
}
