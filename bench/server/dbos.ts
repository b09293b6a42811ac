import { join } from 'node:path';
import { startPostgres } from '../../packages/stores/test/postgres-server.ts';
import { postmasterOf } from '../clients.ts';
import { type Server, startServer } from './start-server.ts';

/** DBOS in a server of its own, on a PostgreSQL of its own, with default durability. */
export async function startDbosOrders(directory: string): Promise<readonly Server[]> {
  const postgres = await startPostgres({ outlastsPowerCuts: true });
  try {
    const server = await startServer(
      {
        title: 'DBOS',
        files: {},
        args: () => [join(import.meta.dirname, 'dbos-server.mjs'), postgres.url],
        isUp: /listening at (\S+)/,
        path: '/',
        calls: 'orders',
      },
      directory,
    );
    const pids = [...server.pids, await postmasterOf(postgres.url)];
    let killed: Promise<void> | undefined;
    const kill = (): Promise<void> => (killed ??= server.kill().then(() => postgres.remove()));
    return [
      { ...server, pids, kill, title: 'DBOS, each workflow durable', path: '/workflow' },
      { ...server, pids, kill, title: 'DBOS, each step durable', path: '/steps' },
    ];
  } catch (error) {
    await postgres.remove();
    throw error;
  }
}
