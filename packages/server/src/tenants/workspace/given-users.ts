import type { Problem } from '@hilo/engine/contract';
import { User } from './schema.ts';
import { parseShape, workspaceProblem } from './problems.ts';
import type { NamedElsewhere } from './references.ts';

// Not imported: a Node.js without it would name it, and not the version that is needed.
const { DatabaseSync } = process.getBuiltinModule('node:sqlite');

/** A user as a workspace describes them, checked. */
export type GivenUser = ReturnType<typeof User.parse>;

/** The most problems of users that one import reports. */
const maxProblems = 1_000;

/**
 * The users of a workspace, kept apart while all of it is checked: in a temporary SQLite database that no other process can open,
 * which goes to the disk once it is larger than its cache and is removed when it is closed. So their number is bounded by the
 * disk and not by memory.
 */
export interface GivenUsers {
  /** Takes the next user of a company. @param company - its place in the workspace */
  add(company: number, given: unknown): void;
  /** Problems of users: shapes, and duplicate ids. The first 1,000. */
  readonly problems: readonly Problem[];
  count(company: number): number;
  /** The bots that a company's users name, each at the first user who does. */
  namedBots(company: number): readonly NamedElsewhere[];
  /** A company's users in the order of the workspace, at most `size` at a time. */
  inBatches(company: number, size: number): Iterable<readonly GivenUser[]>;
  /** A company's user of this id. */
  find(company: number, id: string): GivenUser | undefined;
  close(): void;
}

/** Opens the temporary database; it is removed by `close`, or when the process ends. */
export function createGivenUsers(): GivenUsers {
  const database = new DatabaseSync('');
  // A temporary database: it needs neither a journal nor durability.
  database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -32000');
  database.exec(
    'create table users (place integer primary key, company integer not null, id text not null, given text not null, unique (company, id))',
  );
  database.exec('begin');
  const insert = database.prepare('insert into users (company, id, given) values (?, ?, ?) on conflict do nothing');
  // By place alone, which is the order of the table: by the index of a company, all of its users would be sorted for each batch.
  const next = database.prepare('select place, given from users where place > ? and place <= ? and +company = ? order by place limit ?');
  const problems: Problem[] = [];
  /** Users of a company are consecutive: between `before` and `last`. */
  const seen = new Map<number, { given: number; before: number; last: number; readonly bots: Map<string, NamedElsewhere> }>();
  let last = 0;

  const findOrAddCompany = (company: number) => {
    const found = seen.get(company) ?? { given: 0, before: last, last, bots: new Map<string, NamedElsewhere>() };
    seen.set(company, found);
    return found;
  };

  return {
    problems,
    add(company, given) {
      const of = findOrAddCompany(company);
      const at = ['companies', company, 'users', of.given];
      of.given += 1;
      if (problems.length >= maxProblems) return;
      const { value: user, problems: unshapely } = parseShape(User, given, at);
      problems.push(...unshapely);
      if (user === undefined) return;
      for (const id of Object.keys(user.lastMessageAt))
        if (!of.bots.has(id)) of.bots.set(id, { kind: 'bot', id, at: [...at, 'lastMessageAt', id] });
      const { changes, lastInsertRowid } = insert.run(company, user.id, JSON.stringify(user));
      if (changes > 0) last = of.last = Number(lastInsertRowid);
      else problems.push(workspaceProblem('DUPLICATE_ID', [...at, 'id'], `There is a second "${user.id}"`));
    },
    count: (company) => findOrAddCompany(company).given,
    namedBots: (company) => [...findOrAddCompany(company).bots.values()],
    *inBatches(company, size) {
      const { before, last } = findOrAddCompany(company);
      let place = before;
      for (;;) {
        const rows = next.all(place, last, company, size);
        if (rows.length === 0) return;
        place = Number(rows.at(-1)?.['place']);
        yield rows.map(({ given }) => JSON.parse(String(given)) as GivenUser);
      }
    },
    find(company, id) {
      const row = database.prepare('select given from users where company = ? and id = ?').get(company, id);
      return row === undefined ? undefined : (JSON.parse(String(row['given'])) as GivenUser);
    },
    close: () => database.close(),
  };
}
