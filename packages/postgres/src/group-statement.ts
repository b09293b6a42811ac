// The statement that writes many commits at once.
import type { Value } from '@hilo/stores';
import {
  advancedColumns,
  bornColumns,
  type CommitRows,
  type Fence,
  learnedColumns,
  partitionSql,
  queueColumns,
  nowMs,
} from '@hilo/stores/sql-kit';

/** Why a commit of a group was left out of it. */
export type Refusal = 'foreign' | 'repeated' | 'conflict';

/** What a group's statement answers: also kept in the writer's row, for when the answer is lost (P2). */
export interface GroupAnswer {
  /** Whether the requesting member is still a member. */
  readonly isAlive: boolean;
  /** Commits that were left out, by their places in the group, from 1. */
  readonly refused: readonly { readonly commit: number; readonly why: Refusal }[];
  /** Numbers of the queued items, in order; of the commits that were not refused. */
  readonly seqs: readonly number[];
}

/** Who writes: a process, over one of its connections. */
export interface GroupWriter {
  /** Its number among the members; 0 when it is none. */
  readonly me: number;
  /** The writer's row. */
  readonly id: number;
  /** The expected and the next token of the row: the same statement never takes effect twice, nor after it was given up. */
  readonly before: string;
  readonly token: string;
}

/** One commit of a group. */
export interface GroupedCommit {
  readonly rows: CommitRows;
  readonly fence: Fence;
}

/** Rows of one kind, passed as one array per column; each row has the number of its commit in the group. */
interface Rows {
  readonly name: string;
  readonly columns: readonly string[];
  readonly of: (rows: CommitRows, fence: Fence) => readonly { readonly [column: string]: Value }[];
}

const rowsWith = <Name extends string>(
  name: string,
  columns: readonly Name[],
  of: (rows: CommitRows, fence: Fence) => readonly { readonly [Column in Name]: Value }[],
): Rows => ({ name, columns, of });

const given: readonly Rows[] = [
  rowsWith('saves', [...bornColumns, ...advancedColumns, 'reply_user_key'], ({ saves }) => saves),
  rowsWith('fences', ['part', 'epoch'], (_rows, { parts }) => parts),
  rowsWith('advances', ['company_id', 'execution_id', 'body'], ({ histories }) => histories),
  rowsWith('deliveries', ['key', 'until_ms', 'answer'], ({ seen }) => seen),
  rowsWith('items', queueColumns, ({ enqueue }) => enqueue),
  rowsWith('done', ['lane', 'seq'], ({ dequeue }) => dequeue),
  rowsWith('people', learnedColumns, ({ contacts }) => contacts),
  rowsWith('names', ['company_id', 'bot_id', 'user_key', 'name_key', 'name', 'value', 'expires_at_ms'], ({ memories }) => memories),
];

const integers: ReadonlySet<string> = new Set(['version', 'revision', 'unsettled', 'part', 'epoch', 'rank', 'seq']);

/** The columns that are numbers are instants, and a few others. */
const chooseType = (column: string): 'bigint' | 'text' => (column.endsWith('_ms') || integers.has(column) ? 'bigint' : 'text');

/** Columns of a contact that keep their value when a change leaves them out. */
const learnt = learnedColumns.slice(learnedColumns.indexOf('names'), -1);

/** Places before the arrays: member, writer, its token before and after, how many commits. */
const firstPlace = 6;

/** The values of the statement: one array for each column of each kind of row, however many commits there are. */
export function groupValues({ me, id, before, token }: GroupWriter, group: readonly GroupedCommit[]): readonly unknown[] {
  const arrays = given.flatMap(({ columns, of }) => {
    const all: Value[][] = [[], ...columns.map(() => [])];
    for (const [commit, { rows, fence }] of group.entries())
      for (const row of of(rows, fence)) {
        all[0]?.push(commit + 1);
        for (const [index, name] of columns.entries()) all[index + 1]?.push(row[name] ?? null);
      }
    return all;
  });
  return [me, id, before, token, group.length, ...arrays];
}

/**
 * One prepared statement for a whole group of commits. Preconditions are checked first, and commits that fail them are left out. Then
 * everything is written; when a row that was just checked has changed, because another process won in between, the statement fails as
 * a whole (`division_by_zero`) and its commits are made one by one.
 *
 * No two commits of a group may write the same row.
 */
export function groupStatement(schema: string): string {
  const table = (name: string): string => `"${schema}".${name}`;
  const executions = [...bornColumns, ...advancedColumns];
  const replyOrder = `(select coalesce(max(other.reply_order), 0) + 1 from ${table('executions')} as other
    where other.company_id = s.company_id and other.bot_key = s.bot_key and other.user_key = s.reply_user_key
      and other.reply_since_ms is not null)`;
  const count = (name: string, where = ''): string => `(select count(*) from ${name} ${where})`;
  const kept = (name: string): string => `(select count(*) from given_${name} as g where ${isKept('g')})`;
  const isKept = (row: string): string => `(select flags from kept)[${row}.commit]`;

  const isSaved = `e.part = ${partitionSql('s.lane')} and e.company_id = s.company_id and e.execution_id = s.execution_id`;
  const isDone = `q.part = ${partitionSql('g.lane')} and q.seq = g.seq`;

  return `with ${givenRows()},
    alive as materialized (select id from ${table('members')} where id = $1 for key share),
    judged as materialized (
      select distinct on (commit) commit, why from (
        select g.commit, 'foreign' as why, 1 as place from (select * from given_fences order by part) as g
          where not exists (select from ${table('partitions')} as p
            where p.part = g.part and p.owner = (select id from alive) and p.epoch = g.epoch for share)
        union all select g.commit, 'repeated', 2 from given_deliveries as g
          join ${table('seen')} as k on k.part = ${partitionSql('g.key')} and k.key = g.key
        union all select s.commit, 'conflict', 3 from given_saves as s
          left join ${table('executions')} as e on ${isSaved}
          where e.revision is distinct from nullif(s.revision - 1, 0)
        union all select g.commit, 'conflict', 3 from given_done as g left join ${table('queue')} as q on ${isDone} where q.seq is null
      ) as found order by commit, place),
    kept as materialized (select array_agg(
        ($1 = 0 or exists (select from alive)) and not exists (select from judged where judged.commit = number) order by number) as flags
      from generate_series(1, $5::int) as number),
    delivered as (insert into ${table('seen')} (part, key, until_ms, answer)
      select ${partitionSql('key')}, key, until_ms, answer from given_deliveries as g where ${isKept('g')} order by key
      on conflict (part, key) do nothing returning 1),
    inserted as (insert into ${table('executions')} (part, ${executions.join(', ')}, reply_order)
      select ${partitionSql('s.lane')}, ${executions.map((name) => `s.${name}`).join(', ')}, ${replyOrder} from given_saves as s
        where s.revision = 1 and ${isKept('s')} order by s.place
      on conflict (part, company_id, execution_id) do nothing returning 1),
    updated as (update ${table('executions')} as e
      set ${advancedColumns.map((name) => `${name} = s.${name}`).join(', ')}, reply_order = ${replyOrder}
      from given_saves as s where s.revision > 1 and ${isKept('s')}
        and ${isSaved} and e.revision = s.revision - 1 returning 1),
    recorded as (insert into ${table('histories')} (part, execution, body)
      select e.part, e.id, g.body from given_advances as g
        join ${table('executions')} as e on e.company_id = g.company_id and e.execution_id = g.execution_id
        where ${isKept('g')} order by g.place returning 1),
    dequeued as (delete from ${table('queue')} as q using given_done as g where ${isDone} and ${isKept('g')} returning 1),
    queued as (insert into ${table('queue')} (part, company_id, lane, accepted_at_ms, accepted, rank)
      select ${partitionSql('lane')}, company_id, lane, accepted_at_ms, accepted, rank from given_items as g where ${isKept('g')} order by g.place
      returning seq),
    learned as (insert into ${table('contacts')} as contacts (part, ${learnedColumns.join(', ')})
      select ${partitionSql("company_id || '/user/' || bot_id || '/' || user_key")}, ${learnedColumns.join(', ')} from given_people as g
        where ${isKept('g')} order by company_id, bot_id, user_key
      on conflict (part, company_id, bot_id, user_key) do update set
        ${learnt.map((name) => `${name} = coalesce(excluded.${name}, contacts.${name})`).join(', ')},
        window_until_ms = greatest(contacts.window_until_ms, excluded.window_until_ms)
      returning part, id, company_id, bot_id, user_key),
    remembered as (insert into ${table('memories')} (part, contact, name_key, name, value, expires_at_ms)
      select c.part, c.id, g.name_key, g.name, g.value, g.expires_at_ms from given_names as g
        join learned as c on c.company_id = g.company_id and c.bot_id = g.bot_id and c.user_key = g.user_key
        where g.value is not null and ${isKept('g')} order by c.id, g.name_key
      on conflict (part, contact, name_key) do update set value = excluded.value, expires_at_ms = excluded.expires_at_ms returning 1),
    forgotten as (delete from ${table('memories')} as m using given_names as g, learned as c
      where g.value is null and c.company_id = g.company_id and c.bot_id = g.bot_id and c.user_key = g.user_key
        and m.part = c.part and m.contact = c.id and m.name_key = g.name_key returning 1),
    answered as materialized (select json_build_object(
      'isAlive', $1 = 0 or exists (select from alive),
      'refused', coalesce((select json_agg(json_build_object('commit', commit, 'why', why)) from judged), '[]'::json),
      'seqs', coalesce((select json_agg(seq order by seq) from queued), '[]'::json))::text as answer),
    noted as (update ${table('writers')} as w set token = $4, answer = answered.answer, at_ms = ${nowMs} from answered
      where w.id = $2 and w.token = $3 returning 1)
    select answer, 1 / (case when ${count('noted')} = 1
      and ${count('delivered')} = ${kept('deliveries')}
      and ${count('inserted')} + ${count('updated')} = ${kept('saves')}
      and ${count('recorded')} = ${kept('advances')}
      and ${count('dequeued')} = ${kept('done')}
      and ${count('remembered')} = (select count(*) from given_names as g where g.value is not null and ${isKept('g')})
      then 1 else 0 end) as whole from answered`;
}

/**
 * Settings of the connections for groups and batched reads. All rows are found by keys: the planner, which knows neither their number
 * nor the later size of new tables when it plans once, needs to be told.
 */
export const byKeyAlone: readonly (readonly [name: string, value: string])[] = [
  ['plan_cache_mode', 'force_generic_plan'],
  ['enable_seqscan', 'off'],
  ['enable_hashjoin', 'off'],
  ['enable_mergejoin', 'off'],
];

/** SQLSTATE of a group's statement that found a concurrent change. */
export const changedMeanwhile = '22012';

function givenRows(): string {
  let place = firstPlace;
  return given
    .map(({ name, columns }) => {
      const arrays = ['int', ...columns.map(chooseType)].map((type) => `$${place++}::${type}[]`);
      const names = ['commit', ...columns, 'place'];
      return `given_${name} as materialized (select * from unnest(${arrays.join(', ')}) with ordinality as rows(${names.join(', ')}))`;
    })
    .join(',\n    ');
}
