export type { Durability, DurableStore, Pruned, Retention } from './durable-store.ts';
export { openPostgresStore, type PostgresOptions } from './postgres/open-postgres-store.ts';
export { openSqliteStore, type SqliteOptions } from './sqlite/open-sqlite-store.ts';
export { type RefusalCode, StoreRefused } from './store-refused.ts';
export { StoreUnavailable } from './store-unavailable.ts';
