// For stores over a SQL database elsewhere, such as @hilo/postgres: the statements, the schema, the records as rows and the fences that every
// store of Hilo shares. A store of another kind is written against @hilo/engine/store-kit.
import '@hilo/engine/require-node';
export { createCanvasStore } from './canvas-store.ts';
export { type CommitRows, commitWith, duplicate, inOthersLane, isEachOnce, nameOfContact, rowsOfCommit } from './commit.ts';
export { createContact } from './contacts.ts';
export { createExecutionStore } from './execution-store.ts';
export { forgetByEnd, prune } from './prune.ts';
export { postgresDialect } from './schema/ddl-dialect.ts';
export { listPaused, pendingMigrations } from './schema/migrations.ts';
export { nowMs } from './schema/refuse-members.ts';
export { learnedColumns } from './schema/row-types.ts';
export { fairShare, type Fence, fenceFor, partitionCount, partitionOf, type Sharing, unfenced } from './sharing.ts';
export { createWritten, readRows } from './statements/call.ts';
export { selectLatest } from './statements/canvases.ts';
export { contactNamed } from './statements/contacts.ts';
export { type Database, postgresDatabase } from './statements/database.ts';
export { advancedColumns, awaitingReply, bornColumns, selectExecution } from './statements/executions.ts';
export { nextQueued, queueColumns, seenAnswer } from './statements/inbox.ts';
export { laneQueries, selectCrashCount } from './statements/lane-sql.ts';
export { partitionSql } from './statements/partition.ts';
export { compile, type Compiled } from './statements/statement.ts';
export { storeClosed } from './store-error.ts';
