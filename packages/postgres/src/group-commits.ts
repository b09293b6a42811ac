// Gathers commits for one statement, and gives each its answer.
import { randomBytes } from 'node:crypto';
import type { Commit, Committed } from '@hilo/engine/contract';
import type { Pool, PoolClient } from 'pg';
import { storeUnavailable } from '@hilo/stores';
import { type CommitRows, type Fence, inOthersLane, isEachOnce, nameOfContact, rowsOfCommit, type Sharing } from '@hilo/stores/sql-kit';
import { changedMeanwhile, type GroupAnswer, groupStatement, groupValues } from './group-statement.ts';
import { type Membership, takenForDead } from './membership.ts';
import { classifyFault, isUnknown, retry, sqlStateOf, unavailable } from './postgres-fault.ts';
import { withClient } from './runner.ts';
import { createWriters, type Writer } from './writers.ts';

/** Commits that arrive together are written by one statement: one round trip, and one `fsync`, for all of them. */
export interface GroupCommits {
  commit(commit: Commit): Promise<Committed>;
}

/** How many commits share a statement at most, how many statements are under way, and how much text is in one. */
const largestGroup = 64;
export const maxInFlight = 2;
const longestGroup = 4_000_000;

/** What a group writes. */
const growingTables = ['executions', 'histories', 'seen', 'queue', 'contacts', 'memories', 'people'];

interface Options {
  /** Connections with the settings of a group. */
  readonly pool: Pool;
  readonly schema: string;
  readonly membership: Pick<Membership, 'fence' | 'lose'>;
  readonly fence: Sharing['fence'];
  /** Commits in a separate transaction: those that cannot be grouped. */
  readonly commitAlone: (commit: Commit, fence: Fence) => Promise<Committed>;
  /** What the repetition of a delivery is answered. */
  readonly duplicate: (commit: Commit) => Promise<Committed>;
}

interface WaitingCommit {
  readonly commit: Commit;
  readonly rows: CommitRows;
  /** As of the request: a write of a process that was declared dead is refused even if it has joined again (P8). */
  readonly fence: Fence;
  /** What it writes: two that write the same are in different groups, the first of them first. */
  readonly touched: readonly string[];
  readonly resolve: (committed: Committed | Promise<Committed>) => void;
  readonly reject: (error: unknown) => void;
}

export function createGroupCommits({ pool, schema, membership, fence: fenceOf, commitAlone, duplicate }: Options): GroupCommits {
  const write = createGroupWrite(pool, schema);
  const analyzeTables = createAnalysis(pool, schema);
  /** What the groups in flight write. */
  const busy = new Set<string>();
  let waiting: WaitingCommit[] = [];
  let inFlight = 0;
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled || waiting.length === 0 || inFlight >= maxInFlight) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      const { group, later } = splitGroup(waiting, busy);
      waiting = later;
      if (group.length > 0) void handOver(group).finally(schedule);
      if (group.length > 0) schedule();
    });
  };

  const handOver = async (group: readonly WaitingCommit[]): Promise<void> => {
    inFlight += 1;
    for (const { touched } of group) for (const name of touched) busy.add(name);
    try {
      settle(group, await retry(() => write(group)));
      analyzeTables();
    } catch (error) {
      await (error instanceof GroupRefused ? commitOneByOne(group) : group.map(({ reject }) => reject(unavailable(error))));
    }
    for (const { touched } of group) for (const name of touched) busy.delete(name);
    inFlight -= 1;
  };

  /** One that fails does not affect the others (P17). */
  const commitOneByOne = async (group: readonly WaitingCommit[]): Promise<void> => {
    for (const { commit, fence, resolve, reject } of group) await commitAlone(commit, fence).then(resolve, reject);
  };

  const settle = (group: readonly WaitingCommit[], { isAlive, refused, seqs }: GroupAnswer): void => {
    const whyOf = new Map(refused.map(({ commit, why }) => [commit, why]));
    let given = 0;
    if (!isAlive) membership.lose(group[0]?.fence.me ?? 0);
    for (const [index, { commit, rows, resolve, reject }] of group.entries()) {
      const why = whyOf.get(index + 1);
      if (!isAlive) reject(storeUnavailable(takenForDead));
      else if (why === 'foreign') reject(storeUnavailable(inOthersLane));
      else if (why === 'repeated') resolve(duplicate(commit));
      else if (why === 'conflict') resolve({ kind: 'conflict' });
      else resolve({ kind: 'committed', seqs: seqs.slice(given, (given += rows.enqueue.length)) });
    }
  };

  return {
    commit(commit) {
      return new Promise((resolve, reject) => {
        const rows = rowsOfCommit(commit);
        membership.fence();
        const fence = fenceOf(commit.saves);
        if (!canBeGrouped(rows)) {
          resolve(commitAlone(commit, fence));
          return;
        }
        waiting.push({ commit, rows, fence, touched: listTouched(rows), resolve, reject });
        schedule();
      });
    },
  };
}

/** The first waiting commits, without those that would write a row that an unwritten earlier one writes too. */
function splitGroup(
  waiting: readonly WaitingCommit[],
  busy: ReadonlySet<string>,
): { readonly group: readonly WaitingCommit[]; readonly later: WaitingCommit[] } {
  const group: WaitingCommit[] = [];
  const later: WaitingCommit[] = [];
  const taken = new Set<string>();
  let length = 0;
  for (const one of waiting) {
    const isFree = one.touched.every((name) => !busy.has(name) && !taken.has(name));
    const fits = group.length < largestGroup && (group.length === 0 || length + lengthOf(one.rows) <= longestGroup);
    for (const name of one.touched) taken.add(name);
    if (isFree && fits && (group.length === 0 || group[0]?.fence.me === one.fence.me)) {
      group.push(one);
      length += lengthOf(one.rows);
    } else later.push(one);
  }
  return { group, later };
}

/** How a group is written: by one of the writers, which know afterwards whether a statement of theirs took effect. */
function createGroupWrite(pool: Pool, schema: string): (group: readonly WaitingCommit[]) => Promise<GroupAnswer> {
  const text = groupStatement(schema);
  const writers = createWriters(pool, schema);

  const send = async (client: PoolClient, writer: Writer, token: string, values: unknown[]): Promise<GroupAnswer> => {
    try {
      const { rows } = await client.query<{ readonly answer: string }>({ name: 'hilo_group', text, values });
      writer.token = token;
      return parseAnswer(rows[0]?.answer);
    } catch (error) {
      if (isUnknown(error)) {
        const answer = await writers.outcome(writer, token, error);
        if (answer !== undefined) return parseAnswer(answer);
      } else if (sqlStateOf(error) === changedMeanwhile) {
        await writers.check(writer);
        throw new GroupRefused();
      }
      if (classifyFault(error) === 'mistake') throw new GroupRefused();
      throw error;
    }
  };

  /** @throws {GroupRefused} when one of them fails, or something changed under them: then nothing was written */
  return async (group) => {
    const writer = await writers.take();
    try {
      const [me, token] = [group[0]?.fence.me ?? 0, newToken()];
      const values = groupValues({ me, id: writer.id, before: writer.token, token }, group);
      return await withClient(pool, (client) => send(client, writer, token, [...values]));
    } finally {
      writers.giveBack(writer);
    }
  };
}

/**
 * A new store grows faster than autovacuum analyses it, and a statement planned on empty tables scans whole indexes: statistics are
 * renewed after 8 groups, 64, 512 and so on, which replans.
 */
function createAnalysis(pool: Pool, schema: string): () => void {
  let groups = 0;
  return () => {
    groups += 1;
    if (Number.isInteger(Math.log2(groups) / 3) && groups > 1)
      void pool.query(`analyze ${growingTables.map((name) => `"${schema}".${name}`).join(', ')}`).catch(() => undefined);
  };
}

/** A group that must be split: nothing of it was written. */
class GroupRefused extends Error {}

/** 63 random bits, as PostgreSQL writes them. */
const newToken = (): string => String(randomBytes(8).readBigUInt64BE() >> 1n);

function parseAnswer(text: string | undefined): GroupAnswer {
  if (text === undefined) throw new Error('A group of commits was answered by nothing');
  return JSON.parse(text) as GroupAnswer;
}

const lengthOf = ({ saves, enqueue }: CommitRows): number => {
  let length = 0;
  for (const { state, begun } of saves) length += state.length + (begun?.length ?? 0);
  for (const { accepted } of enqueue) length += accepted.length;
  return length;
};

/** One statement writes no row twice, and counts a user's open replies once; signals are held, and people change, so seldom that it has none. */
const canBeGrouped = ({ saves, contacts, hold, people }: CommitRows): boolean =>
  hold.length === 0 &&
  people.length === 0 &&
  saves.filter(({ reply_user_key }) => reply_user_key !== null).length <= 1 &&
  isEachOnce(contacts);

function listTouched({ seen, saves, enqueue, dequeue, contacts }: CommitRows): readonly string[] {
  return [
    ...seen.map(({ key }) => `seen ${key}`),
    ...saves.flatMap(({ company_id, execution_id, lane }) => [`execution ${company_id} ${execution_id}`, `lane ${lane}`]),
    ...enqueue.map(({ lane }) => `lane ${lane}`),
    ...dequeue.map(({ seq }) => `item ${seq}`),
    ...contacts.map((one) => `contact ${nameOfContact(one)}`),
  ];
}
