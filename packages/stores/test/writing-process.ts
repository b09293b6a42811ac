// Advances executions of a store as fast as it can, says what is durable, and goes on until it is killed.
import { isHiloError } from '@hilo/engine/contract';
import { accepted, advance, executionRecord } from '../../testing/src/contracts/execution-records.ts';
import { writeSync } from 'node:fs';
import { openSqliteStore } from '../src/index.ts';
import { openPostgresStore } from '../../postgres/src/index.ts';
import type { Writing } from './write-and-die.ts';

const { place, ids } = JSON.parse(process.argv[2] ?? '') as Writing;
const { executions } = 'url' in place ? await openPostgresStore(place) : await openSqliteStore(place);

/** @returns the revision that is durable now */
async function writeNext(id: string): Promise<number> {
  const revision = ((await executions.load('c1', id))?.revision ?? 0) + 1;
  const queued = await executions.nextQueued(id);
  const committed = await executions.commit({
    saves: [executionRecord({ id, revision, wait: { dueAtMs: revision } })],
    history: [advance(id, revision)],
    contacts: [],
    enqueue: [{ ...accepted(id), lane: id }],
    dequeue: queued === undefined ? [] : [queued],
  });
  if (committed.kind !== 'committed') throw new Error(`The commit was answered "${committed.kind}"`);
  return revision;
}

async function write(id: string): Promise<void> {
  for (;;) {
    try {
      writeSync(1, `${id} ${await writeNext(id)}\n`);
    } catch (error) {
      if (!isHiloError(error, 'STORE_UNAVAILABLE')) throw error; // a server that comes back is asked again what there is
    }
  }
}

await Promise.all(ids.map(write));
