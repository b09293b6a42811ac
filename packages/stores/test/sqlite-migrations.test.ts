import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { commitAll, contactChange, executionRecord } from '../../testing/src/contracts/execution-records.ts';
import { openSqliteStore } from '../src/index.ts';
import { sqliteDialect } from '../src/schema/ddl-dialect.ts';
import { firstSchema, migrations } from '../src/schema/migrations.ts';
import { everythingOf, fillStore } from './filled-store.ts';
import { withDirectory } from './temporary-directory.ts';

const users = ['u1', 'u2', 'u3'];

/** Fills a store, with users that have a phone number of their own, one that is their id, and none. */
async function fill(path: string) {
  const store = await openSqliteStore({ path });
  await fillStore(store);
  for (const [index, userId] of [...users, ...users, 'u2', '529'].entries())
    await commitAll(store.executions, {
      saves: [executionRecord({ id: `f${index}`, userId, status: 'completed' })],
      contacts: [contactChange({ userId, ...(userId === '529' && { phone: '529' }), ...(userId === 'u3' && { bsuid: 'b3' }) })],
      seen: { keys: [`key ${index}`], untilMs: 1_000 * (index + 1), answer: index },
    });
  const before = await answersOf(store);
  await store.close();
  return before;
}

/** What a store answers, by users and their ids too. */
const answersOf = async (store: Awaited<ReturnType<typeof openSqliteStore>>) => ({
  ...(await everythingOf(store)),
  lists: await Promise.all([...users, '529'].map((userId) => store.executions.list('c1', { userId, limit: 2 }))),
  contacts: await Promise.all([...users, '521', '529', 'b3', 'nobody'].map(async (id) => store.executions.contact('c1', 'b1', [id]))),
});

/** Moves the rows of a store into tables of an earlier schema. */
function copyToSchema(schema: number, from: string, to: string): void {
  const database = new DatabaseSync(to);
  const [{ application_id: owner } = {}] = new DatabaseSync(from).prepare('pragma application_id').all();
  for (const migration of migrations.slice(0, schema - firstSchema + 1)) for (const sql of migration(sqliteDialect)) database.exec(sql);
  database.exec(`pragma application_id = ${Number(owner)}; attach '${from}' as source`);
  const tables = database.prepare("select name from main.sqlite_schema where type = 'table' and name not like 'sqlite_%'").all();
  for (const { name } of tables) {
    // Later releases have further columns.
    const columns = database
      .prepare(`select name from pragma_table_info('${String(name)}')`)
      .all()
      .map((column) => String(column['name']))
      .join(', ');
    database.exec(
      `delete from main.${String(name)}; insert into main.${String(name)} (${columns}) select ${columns} from source.${String(name)}`,
    );
  }
  database.exec(`update main.meta set value = '${schema}' where name = 'schema'; pragma journal_mode = wal`);
  database.close();
}

describe('a SQLite store that an earlier release wrote', () => {
  it.each(migrations.slice(0, -1).map((_, index) => firstSchema + index))('answers the same from schema %i on (P36)', (schema) =>
    withDirectory(async (directory) => {
      const [written, earlier] = [join(directory, 'written.db'), join(directory, 'earlier.db')];
      const before = await fill(written);
      copyToSchema(schema, written, earlier);
      const migrated = await openSqliteStore({ path: earlier, mustExist: true });
      expect(await answersOf(migrated)).toEqual(before);
      expect(await migrated.prune({ nowMs: 3_000, completedForMs: 1e9, failedForMs: 1e9 })).toEqual({ executions: 0, seen: 3 });
      await migrated.close();
      const [found] = new DatabaseSync(earlier).prepare("select value from meta where name = 'schema'").all();
      expect(found).toEqual({ value: String(firstSchema + migrations.length - 1) });
    })(),
  );
});
