import type { Commit, Committed } from '@hilo/engine/contract';
import type { LookUpContact } from './execution-store.ts';
import type { ContactRow, NamedContact } from './statements/contacts.ts';
import { keyOf, read, written } from './text-encoding.ts';

/** So many users are kept at most; the one kept longest makes room. */
const mostKept = 10_000;

/** Contacts that were read from a database into which nobody else writes: nearly everything that happens begins with reading its user. */
export interface KnownContacts {
  readonly lookUp: LookUpContact;
  /** Makes a commit, and forgets whose contacts it may have changed: also where nobody knows what became of it (P2). */
  committing(commit: Commit, committed: Promise<Committed>): Promise<Committed>;
}

/** Keeps who is named by their own id and has nothing remembered of them: their row is small, and no other user's change is theirs. */
export function keepContacts(lookUp: LookUpContact): KnownContacts {
  const known = new Map<string, readonly ContactRow[]>();
  let commits = 0;

  const forget = ({ contacts }: Commit): void => {
    commits += 1;
    for (const { companyId, botId, userId } of contacts)
      known.delete(nameOf({ companyId: written(companyId), botId: written(botId), key: keyOf(userId) }));
  };
  const readNow = async (named: NamedContact): Promise<readonly ContactRow[]> => {
    const before = commits;
    const rows = await lookUp(named);
    if (commits !== before || !isKept(rows, named)) return rows;
    const [oldest] = known.keys();
    if (known.size >= mostKept && oldest !== undefined) known.delete(oldest);
    known.set(nameOf(named), rows);
    return rows;
  };
  return {
    // Who is known is given without a promise.
    lookUp: (named) => known.get(nameOf(named)) ?? readNow(named),
    committing: (commit, committed) => (commit.contacts.length === 0 ? committed : committed.finally(() => forget(commit))),
  };
}

const nameOf = ({ companyId, botId, key }: NamedContact): string => `${companyId}\0${botId}\0${key}`;

const isKept = ([row]: readonly ContactRow[], { key }: NamedContact): boolean =>
  row !== undefined && row.name === null && keyOf(read(row.user_id)) === key;
