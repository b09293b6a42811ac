import type { Commit, Committed, Contact } from '@hilo/engine/contract';
import type { LookUpContact } from './execution-store.ts';
import type { NamedContact } from './statements/contacts.ts';
import { keyOf, encodeText } from './text-encoding.ts';

/** So many users are kept at most; the one kept longest makes room. */
const mostKept = 10_000;

/** A cache of contacts for a database without other writers: nearly every event begins with reading its user. */
export interface KnownContacts {
  readonly lookUp: LookUpContact;
  /** Commits, and drops the contacts that it may have changed, even when the outcome is unknown (P2). */
  committing(commit: Commit, committed: Promise<Committed>): Promise<Committed>;
}

/** Keeps who is named by their own id and has nothing remembered of them: they are small, and no other user's change is theirs. */
export function keepContacts(lookUp: LookUpContact): KnownContacts {
  const known = new Map<string, Contact>();
  let commits = 0;

  const forget = ({ contacts }: Commit): void => {
    commits += 1;
    for (const { companyId, botId, userId } of contacts)
      known.delete(nameOf({ companyId: encodeText(companyId), botId: encodeText(botId), key: keyOf(userId) }));
  };
  const readNow = async (named: NamedContact): Promise<Contact | undefined> => {
    const before = commits;
    const contact = await lookUp(named);
    if (contact === undefined || commits !== before || !isKept(contact, named)) return contact;
    const [oldest] = known.keys();
    if (known.size >= mostKept && oldest !== undefined) known.delete(oldest);
    known.set(nameOf(named), contact);
    return contact;
  };
  return {
    // A cached contact is returned without a promise.
    lookUp: (named) => known.get(nameOf(named)) ?? readNow(named),
    committing: (commit, committed) => (commit.contacts.length === 0 ? committed : committed.finally(() => forget(commit))),
  };
}

const nameOf = ({ companyId, botId, key }: NamedContact): string => `${companyId}\0${botId}\0${key}`;

const isKept = ({ userId, memory }: Contact, { key }: NamedContact): boolean => keyOf(userId) === key && Object.keys(memory).length === 0;
