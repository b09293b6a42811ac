// The statements by which rows of a company are read, staged and removed.
import {
  type Call,
  call,
  asCondition,
  type Durability,
  encodeList,
  integer,
  optional,
  partition,
  pick,
  plain,
  type ReadOf,
  sum,
  text,
  decodeRows,
  statementsOver,
  textColumn,
  integerColumn,
  userText,
  type Value,
} from '@hilo/stores';
import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely';
import { companyQuery, heldMs, ofCompany, query, statement } from '../../platform/database/schema.ts';
import { listColumns, type MovedTable } from './moved-tables.ts';

/** Any table, any column: the statements of all tables are the same but for their names. */
const anyStatement = statementsOver<{ readonly [table: string]: { readonly [column: string]: Value } }>();
type Db = Parameters<Parameters<ReturnType<typeof anyStatement>>[0]>[0];

/** What differs between the databases. */
export type Kind = Durability['database'];

type Staged = { readonly companyId: string; readonly stage: string };

const castText = (value: string) => sql<string>`cast(${value} as text)`;

/** A column of the JSON of a staged row. PostgreSQL gives texts. */
const selectMember = (kind: Kind, alias: string, index: number): RawBuilder<string> => {
  const line = sql.ref<string>(`${alias}.line`);
  return kind === 'sqlite' ? sql`${line} ->> ${sql.lit(index)}` : sql`cast(${line} as json) ->> ${sql.lit(index)}`;
};

/** The columns that say which row of another table a row belongs to: there, and in the row. */
const parentKey: { readonly [Name in Kind]: readonly ('part' | 'id')[] } = { sqlite: ['id'], postgres: ['part', 'id'] };
const childKey = (kind: Kind, { column }: { readonly column: string }): readonly string[] =>
  parentKey[kind].map((name) => (name === 'id' ? column : name));

/** Selects the rows of a company in a table. */
function isOfCompany(db: Db, kind: Kind, { name, of, named }: MovedTable, companyId: string): RawBuilder<boolean> {
  if (of !== undefined) {
    const parents = db.selectFrom(of.table).select(parentKey[kind]).where('company_id', '=', companyId);
    return sql<boolean>`(${sql.join(childKey(kind, of).map((column) => sql.ref(`${name}.${column}`)))}) in ${parents}`;
  }
  if (named === undefined) return sql<boolean>`${sql.ref(`${name}.company_id`)} = ${companyId}`;
  const column = sql.ref<string>(`${name}.${named.column}`);
  const next = String.fromCharCode(named.before.charCodeAt(0) + 1);
  return kind === 'sqlite' // by the table's key
    ? sql<boolean>`(${column} >= ${castText(companyId)} || ${sql.lit(named.before)} and ${column} < ${castText(companyId)} || ${sql.lit(next)})`
    : sql<boolean>`starts_with(${column}, ${castText(companyId)} || ${sql.lit(named.before)})`;
}

/** Copies the rows of a company into its stage. */
const pack = (table: MovedTable, kind: Kind) =>
  anyStatement<Staged>()((db, { companyId, stage }) => {
    const { name, number, of } = table;
    const makesArray = sql.raw(kind === 'sqlite' ? 'json_array' : 'json_build_array');
    const columns = listColumns(table).map((column) => sql.ref(`${name}.${column}`));
    const ownNumber = of?.column ?? number;
    const rows = db
      .selectFrom(name)
      .select([
        castText(stage).as('stage'),
        castText(companyId).as('company_id'),
        sql.lit(name).as('kind'),
        (ownNumber === undefined ? sql<number | null>`cast(null as bigint)` : sql.ref<number | null>(`${name}.${ownNumber}`)).as('number'),
        sql<string>`cast(${makesArray}(${sql.join(columns)}) as text)`.as('line'),
      ])
      .where(isOfCompany(db, kind, table, companyId));
    return db
      .insertInto('company_move_rows')
      .columns(['stage', 'company_id', 'kind', 'number', 'line'])
      .expression(number === undefined ? rows : rows.orderBy(`${name}.${number}`));
  });

const remove = (table: MovedTable, kind: Kind) =>
  anyStatement<{ readonly companyId: string }>()((db, { companyId }) =>
    db.deleteFrom(table.name).where(isOfCompany(db, kind, table, companyId)),
  );

/** The partition of a staged row, where its table has a column for it. */
function selectPart(kind: Kind, { name, texts }: MovedTable, companyId: string): readonly AliasedRawBuilder<number, 'part'>[] {
  const select = (column: string): RawBuilder<string> => selectMember(kind, 'staged', texts.indexOf(column));
  if (kind === 'sqlite') return [];
  if (name === 'contacts') return [partition(userText(companyId, select('bot_id'), select('user_key'))).as('part')];
  const column = name === 'seen' ? 'key' : 'lane';
  return texts.includes(column) ? [partition(select(column)).as('part')] : [];
}

/** Writes staged rows into their table, under new numbers. */
const unpack = (table: MovedTable, kind: Kind) =>
  anyStatement<Staged>()((db, { companyId, stage }) => {
    const { name, texts, integers, of, named } = table;
    const staged = db.selectFrom('company_move_rows as staged').where('staged.stage', '=', stage).where('staged.kind', '=', sql.lit(name));
    const part = selectPart(kind, table, companyId);
    const values = [
      ...part,
      ...texts.map((column, index) => selectMember(kind, 'staged', index).as(column)),
      ...integers.map((column, index) => sql<number>`cast(${selectMember(kind, 'staged', texts.length + index)} as bigint)`.as(column)),
    ];
    const columns = [...part.map(() => 'part'), ...listColumns(table)];
    if (of !== undefined) {
      const rows = staged
        .innerJoin('company_move_rows as owner', (join) =>
          join
            .onRef('owner.stage', '=', 'staged.stage')
            .on('owner.kind', '=', sql.lit(of.table))
            .onRef('owner.number', '=', 'staged.number'),
        )
        .innerJoin(`${of.table} as kept`, (join) =>
          ownNames[of.table].reduce(
            (on, column, index) => on.on(sql.ref(`kept.${column}`), '=', selectMember(kind, 'owner', index)),
            join.on('kept.company_id', '=', companyId),
          ),
        )
        .select([...parentKey[kind].map((column) => sql.ref<number>(`kept.${column}`).as(column)), ...values])
        .orderBy('staged.id');
      return db
        .insertInto(name)
        .columns([...childKey(kind, of), ...columns])
        .expression(rows);
    }
    const rows = staged.select(values).orderBy('staged.id');
    if (named !== undefined)
      return db
        .insertInto(name)
        .columns(columns)
        .expression(rows)
        .onConflict((conflict) => conflict.columns([...part.map(() => 'part'), named.column]).doNothing());
    // The only key is the number, which another row may have here: negative numbers are free.
    const isByHand = name === 'set_aside';
    return db
      .insertInto(name)
      .columns(['company_id', ...columns, ...(isByHand ? ['seq'] : [])])
      .expression(
        staged
          .select([castText(companyId).as('company_id'), ...values, ...(isByHand ? [sql<number>`-staged.id`.as('seq')] : [])])
          .orderBy('staged.id'),
      );
  });

/** By what a numbered row is found again once it has another number: the first columns of its line. */
const ownNames = { executions: ['execution_id'], contacts: ['bot_id', 'user_key'] } as const;

/** A staged value that another company has already. */
const clash = ({ name, texts, unique = '' }: MovedTable, kind: Kind) =>
  anyStatement<Staged>()((db, { companyId, stage }) =>
    db
      .selectFrom('company_move_rows as staged')
      .innerJoin(`${name} as kept`, (join) => join.on(sql.ref(`kept.${unique}`), '=', selectMember(kind, 'staged', texts.indexOf(unique))))
      .select([sql.lit(name).as('kind'), sql.ref<string>(`kept.${unique}`).as('value')])
      .where('staged.stage', '=', stage)
      .where('staged.kind', '=', sql.lit(name))
      .where(sql.ref('kept.company_id'), '<>', companyId)
      .limit(1),
  );

const dropDays = companyQuery({}, {}, (company) => company.deleteFrom('conversation_days'));

/** The histories that arrive are counted like new ones: whatever was counted of an earlier stay goes. */
const dropNumbers = companyQuery({}, {}, (company) => company.deleteFrom('numbers'));

/** What moves all rows of a company: its statements over each table. */
export interface RowMoves {
  /** Moves all rows of a company into a stage; callers of it are still recognised by what stays. */
  readonly pack: (given: Staged) => readonly Call[];
  /** Removes what stays of a company that has left. */
  readonly removeStaying: (companyId: string) => readonly Call[];
  /** Writes a whole stage into the tables. */
  readonly unpack: (given: Staged) => readonly Call[];
  /** Finds staged values that other companies have already. */
  readonly clashes: (given: Staged) => readonly Call<{ readonly kind: string; readonly value: string }>[];
}

/** Makes the statements over each of the tables that move, in the order in which rows are written. */
export function createRowMoves(kind: Kind, tables: readonly MovedTable[]): RowMoves {
  const statements = tables.map((table) => ({
    table,
    pack: pack(table, kind),
    remove: remove(table, kind),
    unpack: unpack(table, kind),
    ...(table.unique !== undefined && { clash: clash(table, kind) }),
  }));
  return {
    pack: (given) => [
      ...statements.map((each) => call(each.pack, given)),
      // Rows that refer to others are removed first.
      ...statements
        .toReversed()
        .flatMap(({ table, remove: one }) => (table.stays === true ? [] : [call(one, { companyId: given.companyId })])),
      // Triggers counted the removed executions here.
      ...statements.flatMap(({ table, remove: one }) =>
        table.name === 'pruned_executions' ? [call(one, { companyId: given.companyId })] : [],
      ),
      dropDays({ companyId: given.companyId }),
      dropNumbers({ companyId: given.companyId }),
    ],
    removeStaying: (companyId) => [
      ...statements.flatMap(({ table, remove: one }) => (table.stays === true ? [call(one, { companyId })] : [])),
      dropNumbers({ companyId }), // what PostgreSQL counted in a transaction beside the one in which it left
    ],
    unpack: (given) => [dropNumbers({ companyId: given.companyId }), ...statements.map((each) => call(each.unpack, given))],
    clashes: (given) => statements.flatMap((each) => (each.clash === undefined ? [] : [call(each.clash, given)])),
  };
}

/** Stages rows of a file. */
export const stageLines = (given: Staged, lines: readonly (readonly [kind: string, number: number | null, line: string])[]): Call =>
  call(insertLines, { rows: encodeList(lines.map((line) => [given.stage, given.companyId, ...line])) });

const insertLines = statement<{ readonly rows: string }>()((db, { rows }) =>
  db
    .insertInto('company_move_rows')
    .columns(['stage', 'company_id', 'kind', 'number', 'line'])
    .expression(({ selectFrom }) =>
      selectFrom(decodeRows(rows)).select([
        textColumn(0).as('stage'),
        textColumn(1).as('company_id'),
        textColumn(2).as('kind'),
        integerColumn(3).as('number'),
        textColumn(4).as('line'),
      ]),
    ),
);

const stagedLine = { id: integer(), kind: plain(), number: optional(integer()), line: plain() };

/** A page of staged rows, in their order. */
export const linesAfter = query({ stage: plain(), after: integer() }, stagedLine, (db, { stage, after }) =>
  db
    .selectFrom('company_move_rows')
    .select(['id', 'kind', 'number', 'line'])
    .where('stage', '=', stage)
    .where('id', '>', after)
    .orderBy('id')
    .limit(100),
);

/** How many rows of each table a stage has. */
export const countLines = query({ stage: plain() }, { kind: plain(), count: sum() }, (db, { stage }) =>
  db
    .selectFrom('company_move_rows')
    .select(['kind', sql<number>`cast(count(*) as int)`.as('count')])
    .where('stage', '=', stage)
    .groupBy('kind'),
);

const fullStage = query({ stage: plain(), count: integer() }, {}, (db, { stage, count }) =>
  db
    .selectFrom('company_move_rows')
    .select(sql<number>`count(*)`.as('count'))
    .where('stage', '=', stage)
    .having(sql<number>`count(*)`, '=', count),
);

/** A condition: that many rows are staged, so that no other import of it was at work here. */
export const stageHas = (stage: string, count: number): Call => asCondition(fullStage({ stage, count }));

/** Removes the rows of a company but those of one stage. */
export const dropStages = companyQuery({ but: plain() }, {}, (company, { but }) =>
  company.deleteFrom('company_move_rows').where('stage', '<>', but),
);

/** Removes the rows of one stage. */
export const dropStage = query({ stage: plain() }, {}, (db, { stage }) => db.deleteFrom('company_move_rows').where('stage', '=', stage));

/** The workflows of a company. */
export const draftIds = companyQuery({}, { workflowId: text() }, (company) => company.selectFrom('drafts').select('workflow_id'));

const moveColumns = {
  companyId: text(),
  moveId: plain(),
  number: integer(),
  state: plain(),
  /** Once it has left. */
  rowsMoved: optional(integer()),
  /** Where it is now. */
  cell: optional(plain()),
  url: optional(plain()),
};
/** Where a move stands. */
export type StoredMove = ReadOf<typeof moveColumns>;

/** Every company that has moved, is moving or came from another store. */
export const selectMoves = query({}, moveColumns, (db) => db.selectFrom('company_moves').selectAll());

/** Begins or continues a move: gives a row where none is there, or where it was in the state `fromState` and no later one. */
export const beginMove = query({ ...pick(moveColumns, 'companyId', 'moveId', 'number', 'state'), fromState: plain() }, {}, (db, given) =>
  db
    .insertInto('company_moves')
    .values({ company_id: given.companyId, move_id: given.moveId, number: given.number, state: given.state })
    .onConflict((conflict) =>
      conflict
        .column('company_id')
        .doUpdateSet(({ ref }) => ({
          move_id: ref('excluded.move_id'),
          number: ref('excluded.number'),
          state: ref('excluded.state'),
          rows_moved: ref('excluded.rows_moved'),
          cell: null,
          url: null,
        }))
        .where('company_moves.state', '=', given.fromState)
        .whereRef('company_moves.number', '<=', 'excluded.number'),
    )
    .returning('company_id'),
);

/** A step of a move: gives a row where it was in the state before. */
export const stepMove = companyQuery({ moveId: plain(), before: plain(), state: plain() }, {}, (company, { moveId, before, state }) =>
  company.updateTable('company_moves').set({ state }).where('move_id', '=', moveId).where('state', '=', before).returning('company_id'),
);

/** Keeps how many rows a stage has. */
export const countMoved = companyQuery({ stage: plain() }, {}, (company, { stage }) =>
  company.updateTable('company_moves').set(({ selectFrom }) => ({
    rows_moved: selectFrom('company_move_rows').select(sql<number>`count(*)`.as('count')).where('stage', '=', stage),
  })),
);

/** Names the new place of a company that has left; returns no row for another state. */
export const redirectMove = companyQuery({ cell: plain(), url: plain() }, {}, (company, { cell, url }) =>
  company.updateTable('company_moves').set({ cell, url }).where('state', '=', 'left').returning('company_id'),
);

/** Whether the store has a company. */
export const companyExists = companyQuery({}, {}, (company) => company.selectFrom('companies').select('company_id'));

/** Whether work of a company is in progress: running executions, queued messages, messages that are being sent. */
export const inHand = ofCompany<{ readonly nowMs: number }>()((company, { nowMs }, db) =>
  db
    .selectNoFrom(({ exists, or }) =>
      or([
        exists(company.selectFrom('executions').select('executions.id').where('executions.status', '=', 'running')),
        exists(company.selectFrom('queue').select('queue.seq')),
        exists(
          company
            .selectFrom('outbox')
            .select('outbox.id')
            .where('outbox.claimed_by', 'is not', null)
            .where('outbox.due_at_ms', '>', nowMs)
            .where('outbox.due_at_ms', '<', heldMs),
        ),
      ]).as('is_in_hand'),
    )
    .where(sql<boolean>`true`),
);
