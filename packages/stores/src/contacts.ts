// Contacts, found by any of their ids.
import {
  type Awaitable,
  type Commit,
  type Committed,
  type Contact,
  type ContactChange,
  type ExecutionStore,
  hasPhone,
  type Json,
  type JsonObject,
  otherSpellings,
  personOf,
} from '@hilo/engine/contract';
import { LRUCache } from 'lru-cache';
import { type Call, call, createRunner, type Runner } from './statements/call.ts';
import type { SqliteRunner } from './sqlite/runner.ts';
import { contactOfAlias, contactOfUser, type ContactRow, type NamedContact } from './statements/contacts.ts';
import { decodeText, encodeText, encodeKey, orNull } from './text-encoding.ts';

/** Gives the contact that an id names: by the user's own id, else as a phone or a business-scoped id. */
export type LookUpContact = (named: NamedContact) => Contact | undefined | Promise<Contact | undefined>;

/** The contact that the first of the ids names that names any (UID-04); else the one whose phone number has another spelling (UID-07). */
export function findContact(
  lookUp: LookUpContact,
  companyId: string,
  botId: string,
  ids: readonly string[],
): ReturnType<ExecutionStore['contact']> {
  const named = (id: string): NamedContact => ({ companyId: encodeText(companyId), botId: encodeText(botId), key: encodeKey(id) });
  const find = ([id, ...others]: readonly string[], isWanted: (contact: Contact) => boolean): Awaitable<Contact | undefined> => {
    if (id === undefined) return undefined;
    return andThen(lookUp(named(id)), (found) => (found !== undefined && isWanted(found) ? found : find(others, isWanted)));
  };
  return andThen(
    find(ids, () => true),
    (found) => found ?? find(ids.flatMap(otherSpellings), (contact) => ids.some((id) => hasPhone(contact, id))),
  );
}

const andThen = <Found>(found: Awaitable<Found>, goOn: (found: Found) => Awaitable<Found>): Awaitable<Found> =>
  found instanceof Promise ? found.then((answer) => goOn(answer)) : goOn(found);

/** Most users are named by their own id. */
export const ownIdFirst =
  (runner: Runner): LookUpContact =>
  async (named) => {
    const own = await runner.read(call(contactOfUser, named));
    return createContact(own.length > 0 ? own : await runner.read(call(contactOfAlias, named)));
  };

/** @param rows - of one contact */
export function createContact(rows: readonly ContactRow[]): Contact | undefined {
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    botId: decodeText(row.bot_id),
    userId: decodeText(row.user_id),
    names: orNull(row.names, decodeText),
    phone: orNull(row.phone, decodeText),
    bsuid: orNull(row.bsuid, decodeText),
    timeZone: row.time_zone,
    locale: row.locale,
    windowUntilMs: row.window_until_ms,
    memory: Object.fromEntries(
      rows.flatMap(({ name, value, expires_at_ms }) =>
        name === null || value === null
          ? []
          : [[decodeText(name), { value: JSON.parse(value) as Json, expiresAtMs: expires_at_ms }] as const],
      ),
    ),
    ...readPerson(row),
  };
}

/** What is said of a person, whichever bots know them. */
export const readPerson = ({ fields, marketing }: Pick<ContactRow, 'fields' | 'marketing'>): Pick<Contact, 'fields' | 'marketing'> => ({
  ...(fields !== null && fields !== '{}' && { fields: JSON.parse(fields) as JsonObject }),
  ...((marketing === 'granted' || marketing === 'revoked') && { marketing }),
});

/** So many users are kept at most; the one who was heard longest ago makes room. */
const maxKept = 10_000;

/** A cache of contacts for a database without other writers: nearly every event begins with reading its user. */
export interface KnownContacts {
  readonly lookUp: LookUpContact;
  /**
   * Commits, and drops the contacts that it may have changed, even when the outcome is unknown (P2). A contact of which only the window is
   * moved, as by each message of a user who is known, is kept with it.
   */
  committing(commit: Commit, others: readonly Call[], committed: Promise<Committed>): Promise<Committed>;
  /** A runner whose writes of contacts and people, as those of an import or an erasure, drop what is kept. */
  watch(runner: Runner): Runner;
}

/** So many characters the fields of a contact that is kept have at most. */
const maxFieldChars = 500;

/**
 * Keeps who is named by their own id, has nothing remembered of them, and few fields: they are small. What is said of a person is said of
 * them for every bot, so that they are kept and forgotten by person.
 */
export function keepContacts(lookUp: LookUpContact, sqlOf: SqliteRunner['sqlOf']): KnownContacts {
  // No map whose first key makes room: it would look through all that were removed before that one, at each event.
  const known = new LRUCache<string, Map<string, Contact>>({ maxSize: maxKept, sizeCalculation: () => 1 });
  let commits = 0;
  const writing = new WeakMap<Call['statement'], boolean>();
  const writesPeople = (calls: readonly Call[]): boolean =>
    calls.some(({ statement }) => {
      const found = writing.get(statement) ?? peopleWritten.test(sqlOf(statement));
      writing.set(statement, found);
      return found;
    });
  /** Forgets everybody after a write, also who is being read: whose rows it writes is known to the database alone. */
  const forgetAfter = <Done>(done: Promise<Done>): Promise<Done> =>
    done.finally(() => {
      commits += 1;
      known.clear();
    });

  /** The last commit that was begun of each person whose window one moves: of the others, as those of an import, nothing is kept. */
  const begun = new Map<string, object>();

  const moveWindow = ({ companyId, botId, userId, windowUntilMs = 0 }: ContactChange): void => {
    const key = encodeKey(userId);
    const ofPerson = known.get(namePerson(encodeText(companyId), key));
    const atBot = nameAtBot({ companyId, botId: encodeText(botId), key });
    const contact = ofPerson?.get(atBot);
    if (contact !== undefined) ofPerson?.set(atBot, { ...contact, windowUntilMs: Math.max(windowUntilMs, contact.windowUntilMs ?? 0) });
  };
  const follow = async ({ contacts }: Commit, committed: Promise<Committed>): Promise<Committed> => {
    const own = {};
    const persons = contacts.map(({ companyId, userId }) => namePerson(encodeText(companyId), encodeKey(userId)));
    for (const [index, change] of contacts.entries()) {
      const person = persons[index] ?? '';
      if (movesWindowAlone(change) || (begun.size > 0 && begun.has(person))) begun.set(person, own);
    }
    let outcome: Committed | undefined;
    try {
      return (outcome = await committed);
    } finally {
      commits += 1; // what is being read may be as it was before
      for (const [index, change] of contacts.entries()) {
        const person = persons[index] ?? '';
        if (outcome?.kind === 'committed' && movesWindowAlone(change) && begun.get(person) === own) moveWindow(change);
        else if (known.size > 0) known.delete(person);
      }
      if (begun.size > 0) for (const person of persons) if (begun.get(person) === own) begun.delete(person);
    }
  };
  const readNow = async (named: NamedContact): Promise<Contact | undefined> => {
    const before = commits;
    const contact = await lookUp(named);
    if (contact === undefined || commits !== before || !isKept(contact, named)) return contact;
    const person = namePerson(named.companyId, named.key);
    const ofPerson = known.get(person) ?? new Map<string, Contact>();
    known.set(person, ofPerson.set(nameAtBot(named), contact));
    return contact;
  };
  return {
    // A cached contact is returned without a promise.
    lookUp: (named) => known.get(namePerson(named.companyId, named.key))?.get(nameAtBot(named)) ?? readNow(named),
    committing(commit, others, committed) {
      const followed = commit.contacts.length === 0 ? committed : follow(commit, committed);
      return others.length > 0 && writesPeople(others) ? forgetAfter(followed) : followed;
    },
    watch: (runner) =>
      createRunner({
        readEach: runner.readEach,
        write: (calls) => (writesPeople(calls) ? forgetAfter(runner.write(calls)) : runner.write(calls)),
      }),
  };
}

/** Whether nothing is said in a change but until when the user may be written to. */
const movesWindowAlone = ({ companyId: _company, botId: _bot, userId: _user, windowUntilMs, ...others }: ContactChange): boolean =>
  windowUntilMs !== undefined && Object.values(others).every((value) => value === undefined);

const namePerson = (companyId: string, userKey: string): string => `${companyId}\0${personOf(userKey)}`;
const nameAtBot = ({ botId, key }: NamedContact): string => `${botId}\0${key}`;

/** A statement that writes what is kept here. */
const peopleWritten = /\b(?:insert into|insert or \w+ into|update|delete from) "?(?:contacts|memories|people)\b/i;

const isKept = ({ userId, memory, fields }: Contact, { key }: NamedContact): boolean =>
  encodeKey(userId) === key && Object.keys(memory).length === 0 && (fields === undefined || JSON.stringify(fields).length <= maxFieldChars);
