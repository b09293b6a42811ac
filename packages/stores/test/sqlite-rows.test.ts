import { openOver } from '../src/sqlite/open-sqlite-store.ts';
import { describeRowsAnew } from './describe-rows-anew.ts';
import { describeUnreadable, type Tampered } from './describe-unreadable.ts';
import { watchedConnection } from './watched-connection.ts';

const open = async (): Promise<Tampered> => {
  const connection = watchedConnection();
  const store = await openOver(connection.connect, { path: ':memory:' });
  return { store, run: async (sql) => connection.run(sql).map((row) => ({ ...row })), close: () => store.close() };
};

describeUnreadable('a SQLite store', open);
describeRowsAnew('a SQLite store', open);
