import { openOver } from '../src/sqlite/open-sqlite-store.ts';
import { describeUnreadable } from './describe-unreadable.ts';
import { watchedConnection } from './watched-connection.ts';

describeUnreadable('a SQLite store', async () => {
  const connection = watchedConnection();
  const store = await openOver(connection.connect, { path: ':memory:' });
  return { store, run: async (sql) => connection.run(sql).map((row) => ({ ...row })), close: () => store.close() };
});
