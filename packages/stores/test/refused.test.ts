import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { type Extension, openSqliteStore, StoreError } from '../src/index.ts';
import { fillStore } from './filled-store.ts';
import { withDirectory } from './temporary-directory.ts';

/** @returns the code of the refusal, which says on one line where it is; else what came instead */
async function refusalOf(path: string, options = {}): Promise<unknown> {
  const opened = await openSqliteStore({ path, ...options }).catch((error: unknown) => error);
  if (!(opened instanceof StoreError)) return opened;
  const { code, message } = opened as StoreError;
  return message.includes(path) && !message.includes('\n') ? code : message;
}

async function filledFile(path: string): Promise<void> {
  const store = await openSqliteStore({ path });
  for (let count = 0; count < 50; count += 1) await fillStore(store, `e${count}`);
  await store.close();
}

function change(path: string, ...statements: readonly string[]): void {
  const database = new DatabaseSync(path);
  for (const sql of statements) database.exec(sql);
  database.close();
}

describe('openSqliteStore', () => {
  it(
    'refuses to begin a store where one must be, and leaves nothing behind',
    withDirectory(async (directory) => {
      expect(await refusalOf(join(directory, 'gone', 'hilo.db'), { mustExist: true })).toBe('STORE_MISSING');
      await writeFile(join(directory, 'empty.db'), '');
      expect(await refusalOf(join(directory, 'empty.db'), { mustExist: true })).toBe('STORE_MISSING');
      expect(await readdir(directory)).toEqual(['empty.db']);
    }),
  );

  it(
    "refuses another application's database, and changes nothing in it",
    withDirectory(async (directory) => {
      const [tagged, plain] = [join(directory, 'tagged.db'), join(directory, 'plain.db')];
      change(tagged, 'pragma application_id = 77');
      change(plain, 'create table theirs (a)');
      const before = await readFile(plain);
      for (const path of [tagged, plain]) expect(await refusalOf(path)).toBe('STORE_FOREIGN');
      expect(await readFile(plain)).toEqual(before);
      expect(await readdir(directory)).toHaveLength(2);
    }),
  );

  it(
    'refuses what a newer release wrote',
    withDirectory(async (directory) => {
      const path = join(directory, 'hilo.db');
      await filledFile(path);
      change(path, "update meta set value = '1000' where name = 'schema'");
      expect(await refusalOf(path)).toBe('STORE_NEWER');
    }),
  );

  it(
    'refuses what a build before the first release wrote, and says how to bring it over',
    withDirectory(async (directory) => {
      const path = join(directory, 'hilo.db');
      await filledFile(path);
      change(path, "update meta set value = '2' where name = 'schema'");
      const before = await readFile(path);
      await expect(openSqliteStore({ path })).rejects.toMatchObject({
        code: 'STORE_OLDER',
        message: expect.stringContaining('hilo export') as string,
      });
      expect(await readFile(path)).toEqual(before);
    }),
  );

  it(
    'refuses tables of an extension that are older than its first schema',
    withDirectory(async (directory) => {
      const path = join(directory, 'hilo.db');
      const made = () => ['create table tags (id text not null primary key)'];
      const open = (tags: Pick<Extension, 'firstSchema' | 'migrations'>) =>
        openSqliteStore({ path, extensions: [{ name: 'tags', ...tags }] });
      await (await open({ firstSchema: 3, migrations: [made] })).close();
      await expect(open({ migrations: [made] })).rejects.toMatchObject({ code: 'STORE_NEWER', details: { schema: 3, known: 1 } });
      await expect(open({ firstSchema: 4, migrations: [made] })).rejects.toMatchObject({
        code: 'STORE_OLDER',
        details: { schema: 3, first: 4 },
      });
      await (await open({ firstSchema: 3, migrations: [made, () => ['alter table tags add column name text']] })).close();
      await expect(open({ firstSchema: 3, migrations: [made] })).rejects.toMatchObject({
        code: 'STORE_NEWER',
        details: { schema: 4, known: 3 },
      });
    }),
  );

  it(
    'refuses what is no database, and one that is damaged',
    withDirectory(async (directory) => {
      const [text, zeros, cut, flipped, bare] = ['text', 'zeros', 'cut', 'flipped', 'bare'].map((name) =>
        join(directory, `${name}.db`),
      ) as [string, string, string, string, string];
      await writeFile(text, 'not a database, but long enough to be taken for one. '.repeat(20));
      await writeFile(zeros, Buffer.alloc(8_192));
      for (const path of [cut, flipped, bare]) await filledFile(path);
      await truncate(cut, 20_000);
      const bytes = await readFile(flipped);
      bytes.fill(0xff, 8_192, 8_192 + 64); // the head of a page
      await writeFile(flipped, bytes);
      change(bare, 'drop table meta');
      for (const path of [text, zeros, cut, flipped, bare]) expect(await refusalOf(path)).toBe('STORE_DAMAGED');
    }),
  );

  it(
    'refuses tables that are not as they were made, and leaves those of others alone (P26)',
    withDirectory(async (directory) => {
      const path = join(directory, 'hilo.db');
      await filledFile(path);
      change(path, 'create table notes (text)', 'create index notes_by_text on notes (text)');
      await (await openSqliteStore({ path })).close();
      // One bit of one letter: SQLite still reads the rows, under another name.
      const bytes = (await readFile(path)).toString('latin1');
      const table = /(CREATE TABLE executions \([^)]*?company_)i/g; // a copy of it may stand in the empty part of the page
      await writeFile(path, bytes.replaceAll(table, '$1I'), 'latin1');
      expect(await refusalOf(path)).toBe('STORE_DAMAGED');
    }),
  );

  it(
    'refuses a place where no file can be',
    withDirectory(async (directory) => {
      await writeFile(join(directory, 'file'), '');
      expect(await refusalOf(join(directory, 'file', 'hilo.db'))).toBe('STORE_UNREACHABLE');
      expect(await refusalOf(directory)).toBe('STORE_UNREACHABLE');
    }),
  );

  it(
    'refuses a file that is open, in this process or another, until that one is gone',
    withDirectory(async (directory) => {
      const path = join(directory, 'hilo.db');
      const holder = spawn(process.execPath, [join(import.meta.dirname, 'holding-process.ts'), path], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const died = once(holder, 'exit');
      await once(holder.stdout, 'data');
      expect(await refusalOf(path)).toBe('STORE_LOCKED');
      holder.kill('SIGKILL');
      await died;
      const store = await openSqliteStore({ path, mustExist: true });
      expect(await store.executions.load('c1', 'e1')).toBeDefined();
      expect(await refusalOf(path)).toBe('STORE_LOCKED');
      await store.close();
    }),
  );
});
