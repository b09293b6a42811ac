import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { advance, commit, executionRecord } from '../../testing/src/contracts/execution-records.ts';
import { openSqliteStore } from '../src/index.ts';
import { connect, makeDurable } from '../src/sqlite/connection.ts';
import { createGroupCommit } from '../src/sqlite/group-commit.ts';
import { decodeGroup, encodeGroup } from '../src/sqlite/thread-messages.ts';
import { type Write, writeGroup, type WriteOutcome } from '../src/sqlite/write-group.ts';
import { openWriterThread, type Writer } from '../src/sqlite/writer.ts';
import { note, notes, readNote } from './extension-tables.ts';
import { withDirectory } from './temporary-directory.ts';

const inserting = (key: number): Write => [{ sql: 'insert into t (k) values (?) returning k', values: [key], rows: 1 }];

/** Errors have other stacks elsewhere. */
const comparable = (outcome: WriteOutcome) => ('error' in outcome ? String((outcome.error as Error).message) : outcome);

const withTable = (test: (path: string) => Promise<void>) =>
  withDirectory(async (directory) => {
    const path = join(directory, 't.db');
    const connection = connect(path);
    makeDurable(connection);
    connection.once('create table t (k integer primary key)');
    connection.close();
    await test(path);
  });

const anyWrite = fc.array(
  fc.record({
    sql: fc.constantFrom('select ?', 'insert into t values (?)', 'delete from t'),
    rows: fc.constantFrom(undefined, 0, 1, 7),
    values: fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.double({ noNaN: true }), fc.constant(null))),
  }),
);

/** What a module of the source imports when it runs, and what those import. */
function importsOf(path: string, found = new Set<string>()): ReadonlySet<string> {
  for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(/^import (?!type )[^;]*from '([^']+)';$/gm)) {
    const target = name.startsWith('.') ? join(dirname(path), name) : name;
    if (found.has(target)) continue;
    found.add(target);
    if (name.startsWith('.')) importsOf(target, found);
  }
  return found;
}

it('begins without loading what a start of a process has loaded already: the engine, zod and Kysely', () => {
  const imported = [...importsOf(join(import.meta.dirname, '../src/sqlite/writer-thread.ts'))];
  expect(imported.filter((name) => !name.startsWith('/') && !/^[A-Z]:/.test(name))).toEqual(['node:worker_threads', 'node:path']);
  expect(imported.length).toBeLessThan(9);
});

describe('a group on its way to the thread', () => {
  it('arrives as it was handed over, whatever its values, and each statement is sent once', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyWrite)), (groups) => {
        const [known, statements] = [new Map<string, number>(), new Array<string>()];
        for (const group of groups) expect(decodeGroup(encodeGroup(group, known), statements)).toEqual(group);
        expect(statements).toEqual([...new Set(groups.flat(2).map(({ sql }) => sql))]);
      }),
    );
  });
});

describe('the thread that writes', () => {
  it(
    'comes to the same as writing here, mistakes and what SQLite cannot do included',
    withTable(async (path) => {
      const groups = [
        [inserting(1), inserting(2)],
        [inserting(2), inserting(3)], // a mistake among them
        [
          [{ sql: 'select k from t order by k', values: [] }],
          [{ sql: 'update t set k = 9 where k = ? returning k', values: [7], rows: 1 }],
        ],
      ] satisfies Write[][];
      const here = connect(':memory:');
      here.once('create table t (k integer primary key)');
      const writer = await openWriterThread(path);
      for (const group of groups) {
        const [there, expected] = [await writer.write(group), writeGroup(here, group)];
        expect(there.map(comparable)).toEqual(expected.map(comparable));
      }
      const other = connect(path);
      other.run('begin immediate');
      const [locked] = await writer.write([inserting(4)]);
      expect(locked).toMatchObject({ error: { errcode: 5 } });
      other.run('rollback');
      expect(await writer.write([inserting(4)])).toEqual([{ rows: [[{ k: 4 }]], failed: undefined }]);
      other.close();
      here.close();
      await writer.close();
    }),
  );

  it(
    'leaves unknown what became of its groups when it dies, and the next group begins another one (P2, P26)',
    withTable(async (path) => {
      const posted = vi.spyOn(Worker.prototype, 'postMessage');
      const writer = await openWriterThread(path);
      await writer.write([inserting(1)]);
      const [first] = posted.mock.contexts as Worker[];
      const unknown = [writer.write([inserting(2)]), writer.write([inserting(3)])].map((written) =>
        written.catch((error: unknown) => error),
      );
      await first?.terminate();
      // Either it was answered before the thread died, or nobody knows.
      for (const answer of await Promise.all(unknown))
        expect(Array.isArray(answer) ? 'answered' : String(answer)).toMatch(/^answered$|what became of its last commits is unknown/);
      // What is known to be there is there; what is unknown is there whole or not at all.
      expect(await writer.write([inserting(4)])).toEqual([{ rows: [[{ k: 4 }]], failed: undefined }]);
      const found = connect(path);
      const keys = found.run('select k from t order by k').map((row) => (row as { k: number }).k);
      expect([
        [1, 4],
        [1, 2, 4],
        [1, 2, 3, 4],
      ]).toContainEqual(keys);
      found.close();
      await writer.close();
      posted.mockRestore();
    }),
  );

  it(
    'has its log moved into the file by a second thread, so that the log starts over and nobody waits for it',
    withTable(async (path) => {
      const writer = await openWriterThread(path);
      const reading = connect(path);
      const log = () => reading.run('pragma wal_checkpoint(noop)')[0] as { readonly log: number; readonly checkpointed: number };
      const text = 'x'.repeat(4_000_000);
      await writer.write([
        [{ sql: 'create table long (body text)', values: [] }],
        [{ sql: 'insert into long values (?)', values: [text] }],
      ]);
      expect(log().log).toBeGreaterThan(900);
      let key = 0;
      await vi.waitFor(async () => {
        await writer.write([inserting((key += 1))]);
        expect(log().log).toBeLessThan(100);
      }, 120_000);
      expect(reading.run('select length(body) as length from long')).toEqual([{ length: 4_000_000 }]);
      reading.close();
      await writer.close();
      expect(existsSync(`${path}-wal`)).toBe(false);
    }),
  );

  it(
    'says so at once when it cannot be begun, and nothing is left locked',
    withDirectory(async (directory) => {
      await expect(openWriterThread(join(directory, 'no', 'folder', 't.db'))).rejects.toThrow(/unable to open/);
    }),
  );
});

describe('groups on their way', () => {
  it('are two at most, and what comes meanwhile is the next', async () => {
    const answers: ((count: number) => void)[] = [];
    const sizes: number[] = [];
    const writer: Writer = {
      maxInFlight: 2,
      write: (group) => {
        sizes.push(group.length);
        return new Promise((resolve) => answers.push(() => resolve(group.map(() => ({ rows: [], failed: undefined })))));
      },
      close: async () => undefined,
    };
    const groups = createGroupCommit(writer);
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const add = async (count: number) => {
      for (let index = 0; index < count; index += 1) void groups.add([]);
      await turn();
    };
    await add(1);
    await add(3);
    await add(5);
    await add(7);
    expect(sizes).toEqual([1]); // what is few waits for the group that is on its way
    answers.shift()?.(0);
    await turn();
    await turn();
    expect(sizes).toEqual([1, 15]);
    await add(300);
    for (let index = 0; index < 8; index += 1) {
      answers.shift()?.(0);
      await turn();
      await turn();
    }
    expect(sizes).toEqual([1, 15, 32, 256, 12]);
    await groups.close();
  });

  it('set out before the turn is over where they are large enough to keep a thread busy', () => {
    const sizesOf = (maxInFlight: number): readonly number[] => {
      const sizes: number[] = [];
      const write: Writer['write'] = (group) => {
        sizes.push(group.length);
        return new Promise(() => undefined);
      };
      const groups = createGroupCommit({ maxInFlight, write, close: async () => undefined });
      for (let index = 0; index < 100; index += 1) void groups.add([]);
      return sizes;
    };
    expect(sizesOf(2)).toEqual([8, 32]);
    expect(sizesOf(1)).toEqual([]); // what is written in this thread keeps nobody else busy
  });
});

describe('a store with a thread that writes', () => {
  it(
    'reads what it has answered, whoever reads (P1)',
    withDirectory(async (directory) => {
      const store = await openSqliteStore({ path: join(directory, 'hilo.db') });
      await Promise.all(
        Array.from({ length: 200 }, async (_, index) => {
          const id = `e${index}`;
          expect(await commit(store.executions, { saves: [executionRecord({ id })], history: [advance(id, 1)] })).toMatchObject({
            kind: 'committed',
          });
          expect((await store.executions.load('c1', id))?.executionId).toBe(id);
        }),
      );
      await store.close();
    }),
  );

  it(
    'writes nothing over the connection that reads',
    withDirectory(async (directory) => {
      const store = await openSqliteStore({ path: join(directory, 'hilo.db'), extensions: [notes] });
      await expect(store.runner.read(note('n1'))).rejects.toThrow(/readonly|read-only/);
      await store.runner.write([note('n1')]);
      expect(await store.runner.readOne(readNote('n1'))).toEqual({ body: 'text' });
      await store.close();
    }),
  );

  it(
    'keeps no process alive that has nothing to do',
    withDirectory(async (directory) => {
      const index = new URL('../src/index.ts', import.meta.url).href;
      const program = `const { openSqliteStore } = await import(${JSON.stringify(index)});
        const store = await openSqliteStore({ path: ${JSON.stringify(join(directory, 'hilo.db'))} });
        await store.executions.countCrashes(['lane']);
        console.log((await store.executions.crashCounts(['lane'])).get('lane'));`;
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { timeout: 60_000 });
      expect(stdout.trim()).toBe('1');
    }),
  );
});
