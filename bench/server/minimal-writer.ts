// The writer thread of the durable server by hand: each group of rows is one transaction, and answered once it is on the disk.
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Layout } from './minimal-layouts.ts';

/** What the thread begins with. */
export interface WriterData {
  readonly path: string;
  readonly layout: Layout;
}

/** A group of rows: of each row its numbers, where a text has its length, and all texts one behind the other. */
export interface Group {
  readonly rows: number;
  readonly numbers: Float64Array;
  readonly text: string;
}

const { path, layout } = workerData as WriterData;
const database = new DatabaseSync(path);
database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -8000');
for (const sql of layout.schema) database.exec(sql);
const [insert, begin, commit] = [layout.insert, 'begin immediate', 'commit'].map((sql) => database.prepare(sql));

parentPort?.on('message', ({ rows, numbers, text }: Group) => {
  begin?.run();
  let [at, from] = [0, 0];
  const values: (string | number)[] = layout.kinds.map(() => 0);
  for (let row = 0; row < rows; row += 1) {
    for (const [index, kind] of layout.kinds.entries()) {
      const number = numbers[at++] ?? 0;
      values[index] = kind === 'number' ? number : text.slice(from, (from += number));
    }
    insert?.run(...values);
  }
  commit?.run();
  parentPort?.postMessage(rows);
});
parentPort?.postMessage(0);
