// The entry of @hilo/postgres: a store that several processes share, and what explains an address of a server before one is asked.
import '@hilo/engine/require-node';
export { openPostgresStore, type PostgresOptions } from './open-postgres-store.ts';
export { explainServerUrl, readServerPlace } from './server-address.ts';
