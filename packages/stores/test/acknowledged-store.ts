import { copyFileSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { accepted, advance, commitAll, executionRecord } from '../../testing/src/contracts/execution-records.ts';
import { type DurableStore, openSqliteStore } from '../src/index.ts';

/** A commit that was acknowledged. */
export interface Acknowledged {
  readonly executionId: string;
  /** How long the log was then. */
  readonly logBytes: number;
}

/** The files of a store, as they lie on the disk. */
export const filesOf = (path: string): readonly string[] => ['', '-wal', '-shm', '-lock'].map((end) => path + end).filter(existsSync);

/** Begins executions one after the other. */
export async function begin(store: DurableStore, path: string, ids: readonly string[], sizeBytes = 300): Promise<readonly Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  for (const id of ids) {
    await commitAll(store.executions, {
      saves: [executionRecord({ id, pending: {}, variables: { $user: { id, text: 'x'.repeat(sizeBytes) } } })],
      history: [advance(id, 1)],
      enqueue: [accepted(id)],
      seen: { keys: [`key of ${id}`], untilMs: 9_000, answer: id },
    });
    acknowledged.push({ executionId: id, logBytes: statSync(`${path}-wal`).size });
  }
  return acknowledged;
}

/** Copies a store as a crash would leave it: the original may be open. */
export function copyStore(from: string, to: string): void {
  for (const file of filesOf(to)) rmSync(file);
  mkdirSync(join(to, '..'), { recursive: true });
  for (const file of filesOf(from)) copyFileSync(file, to + file.slice(from.length));
}

/** @returns the code of the refusal, or `whole`, or what of the acknowledged is missing */
export async function openedAs(path: string, acknowledged: readonly Acknowledged[]): Promise<string> {
  let store: DurableStore;
  try {
    store = await openSqliteStore({ path });
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
  try {
    const missing: string[] = [];
    for (const { executionId } of acknowledged) if (!(await isWhole(store, executionId))) missing.push(executionId);
    const { unsettled = [], queued = 0 } = (await store.executions.unfinished('', 10))[0] ?? {};
    const isCounted = unsettled.length === acknowledged.length && queued === acknowledged.length;
    return missing.length === 0 && isCounted ? 'whole' : `without ${missing.join() || 'something queued'}`;
  } finally {
    await store.close();
  }
}

async function isWhole({ executions }: DurableStore, id: string): Promise<boolean> {
  const record = await executions.load('c1', id);
  const history = await executions.history('c1', id);
  const seen = await executions.seenAnswer([`key of ${id}`]);
  return record?.revision === 1 && history.length === 1 && seen?.answer === id;
}
