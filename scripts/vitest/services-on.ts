import { startPostgres } from '../../packages/stores/test/postgres-server.ts';

/** With `HILO_TEST_RUNTIME=postgres`, starts the one PostgreSQL in which each service of a test has a database of its own. */
export default async function startForServices(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['HILO_TEST_RUNTIME'] !== 'postgres') return undefined;
  const server = await startPostgres();
  process.env['HILO_TEST_POSTGRES_URL'] = server.url;
  return server.remove;
}
