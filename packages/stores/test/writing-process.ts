// Advances executions of a store as fast as it can, says what is durable, and goes on until it is killed.
import { accepted, advance, executionRecord } from '../../testing/src/contracts/execution-records.ts';
import { writeSync } from 'node:fs';
import { openSqliteStore } from '../src/index.ts';

const [path = '', writers = '1'] = process.argv.slice(2);
const { executions } = await openSqliteStore({ path });

async function write(id: string): Promise<void> {
  for (;;) {
    const revision = ((await executions.load('c1', id))?.revision ?? 0) + 1;
    const queued = await executions.nextQueued(id);
    const committed = await executions.commit({
      saves: [executionRecord({ id, revision, wait: { dueAtMs: revision } })],
      history: [advance(id, revision)],
      contacts: [],
      enqueue: [{ ...accepted(id), lane: id }],
      dequeue: queued === undefined ? [] : [queued.seq],
    });
    if (committed.kind !== 'committed') throw new Error(`The commit was answered "${committed.kind}"`);
    writeSync(1, `${id} ${revision}\n`);
  }
}

await Promise.all(Array.from({ length: Number(writers) }, (_, index) => write(`e${index}`)));
