// The entry of @hilo/stores: stores over SQLite, and tables of your own.
import '@hilo/engine/require-node';
export type { StoredWorkflow } from './canvas-store.ts';
export { type Durability, type DurableStore, hasOthers, type Pruned, type Retention } from './durable-store.ts';
export { type ErasedExecution, eraseExecutions, eraseLanes, findExecutionsOf, forgetSeenKeys, pageSeen, seenKeyOf } from './erase.ts';
export { pruneEndedOf } from './prune.ts';
export { createHistoryExports, type Ended, type HistoryExports, outcomes } from './history-exports.ts';
export { keepForOwner } from './owner-alone.ts';
export { type NumberedHistory, readNumberedHistory } from './numbered-history.ts';
export type { Extension, Migration } from './schema/migrations.ts';
export type { DdlDialect } from './schema/ddl-dialect.ts';
export { openSqliteStore, type SqliteOptions } from './sqlite/open-sqlite-store.ts';
export { asCondition, type Call, call, condition, createRunner, type Runner, type RunnerCore, type Written } from './statements/call.ts';
export { partition, userText } from './statements/partition.ts';
export { type OnUnreadable, readStateCompany } from './rows.ts';
export { rewriteRows, type RowsAnew } from './rows-anew.ts';
export { integerColumn, encodeList, decodeRows, textColumn } from './statements/row-list.ts';
export { type CompanyRows, companyStatementsOver } from './statements/of-company.ts';
export { type Statement, statementsOver, type Value } from './statements/statement.ts';
export { insertVersion } from './statements/canvases.ts';
export { isOfUser } from './statements/users-executions.ts';
export { StoreError, type StoreErrorCode, storeUnavailable } from './store-error.ts';
export { changePerson, fillPeopleFields } from './commit.ts';
export { findsParts, findsPartsName, foldText, formsOf, partSeparator } from './folded-text.ts';
export { decodeText, encodeText, encodeKey, personKeyOf } from './text-encoding.ts';
export {
  type Column,
  counted,
  flag,
  integer,
  internal,
  json,
  key,
  keyOf,
  lasting,
  lookup,
  numbered,
  oneOf,
  optional,
  plain,
  staying,
  sum,
  text,
} from './tables/columns.ts';
export { defineTable } from './tables/define-table.ts';
export { companyQueriesOver, pick, queriesOver, type Query, type ReadOf, selected } from './tables/queries.ts';
export type {
  Columns,
  GivenColumns,
  GivenOf,
  ItemOf,
  KeyOf,
  OfCompany,
  Parametered,
  Places,
  Personal,
  PersonalOwner,
  RowOf,
  Table,
  TableFacts,
  TableOptions,
  TableRows,
} from './tables/table.ts';
export type { Tables } from './schema/row-types.ts';
