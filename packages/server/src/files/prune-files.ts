// Removes files that need not be kept any longer: after 30 days, or with the messages of a company that keeps them for less long.
// What authors uploaded stays.
import { integer, type Runner, pick } from '@hilo/stores';
import { isNotAway, selectAway } from '../platform/database/not-away.ts';
import { query } from '../platform/database/schema.ts';
import { companies } from '../platform/tables/companies.ts';
import { files } from '../platform/tables/files.ts';
import type { FileRow } from '../platform/name-files.ts';
import { type FileBucket, removeFiles, removeObject } from './file-bytes.ts';

const dayMs = 86_400_000;

/** Files that are removed in one transaction. */
const batch = 50;

type Old = Pick<FileRow, 'companyId' | 'id' | 'place'>;

const oldOfAll = query({ beforeMs: integer() }, pick(files.columns, 'companyId', 'id', 'place'), (db, { beforeMs }) =>
  db
    .selectFrom('files')
    .select(['company_id', 'id', 'place'])
    .where('created_at_ms', '<=', beforeMs)
    .where('is_lasting', 'is', null)
    .where(isNotAway(db, 'files'))
    .orderBy('created_at_ms')
    .limit(batch),
);
const oldOfCompany = files.read(['companyId', 'id', 'place'], { beforeMs: integer() }, (rows, { beforeMs }) =>
  rows.where('created_at_ms', '<=', beforeMs).where('is_lasting', 'is', null).limit(batch),
);

/** Removes files with their bytes, wherever these are. */
async function removeRows(runner: Runner, bucket: FileBucket | undefined, rows: readonly Old[]): Promise<void> {
  for (const row of rows) await removeObject(bucket, row);
  if (rows.length > 0) await runner.write(removeFiles(rows));
}

interface Pruning {
  readonly runner: Runner;
  readonly bucket: FileBucket | undefined;
  readonly nowMs: number;
  /** How long files are kept at most. */
  readonly keptMs: number;
}

/** @returns how many were removed */
export async function pruneFiles({ runner, bucket, nowMs, keptMs }: Pruning): Promise<number> {
  const removeAll = async (read: () => Promise<readonly Old[]>): Promise<number> => {
    for (let removed = 0; ; ) {
      const page = await read();
      await removeRows(runner, bucket, page);
      removed += page.length;
      if (page.length < batch) return removed;
    }
  };
  let removed = await removeAll(() => runner.read(oldOfAll({ beforeMs: nowMs - keptMs })));
  const away = new Set((await runner.read(selectAway({}))).map(({ companyId }) => companyId));
  for (const { companyId, keepDays } of await runner.read(companies.allOfEveryCompany())) {
    const days = keepDays?.messages;
    if (days === undefined || away.has(companyId)) continue;
    removed += await removeAll(() => runner.read(oldOfCompany({ companyId, beforeMs: nowMs - days * dayMs })));
  }
  return removed;
}
