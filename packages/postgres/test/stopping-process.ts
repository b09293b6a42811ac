// Takes part, begins an execution, and stops in the middle of its next commit. Says what becomes of it when it is continued.
import { writeSync } from 'node:fs';
import { commitAll, executionRecord } from '../../testing/src/contracts/execution-records.ts';
import { isHiloError } from '@hilo/engine/contract';
import { call } from '../../stores/src/index.ts';
import { openPostgresStore } from '../src/index.ts';
import { statement } from '../../stores/src/statements/statement.ts';
import { commitOf } from '../../stores/test/commit-of.ts';

const [url = '', schema = '', leaseMs = '1000'] = process.argv.slice(2);
const store = await openPostgresStore({ url, schema, leaseMs: Number(leaseMs) });
const say = (line: string): void => void writeSync(1, `${line}\n`);

await store.executions.leases?.join({
  onGained: () => undefined,
  onWanted: () => undefined,
  onQueued: () => undefined,
  onCall: async () => undefined,
  onLost: () => say('lost'),
});
say(store.executions.leases?.isOurs('l') === true ? 'has it' : 'has it not');
await commitAll(store.executions, { saves: [executionRecord({ lane: 'l', pending: {} })] });

/** Stops this process where the statement is asked for: behind the others of its transaction. */
const stop = statement()((db) => {
  say('stops');
  process.kill(process.pid, 'SIGSTOP');
  return db.selectNoFrom(({ val }) => val(1).as('one'));
});
const late = commitOf({ saves: [executionRecord({ lane: 'l', revision: 2, status: 'failed' })] });
try {
  const { kind } = await store.commitWith(late, [call(stop, {})]);
  say(kind);
} catch (error) {
  say(isHiloError(error, 'STORE_UNAVAILABLE') ? error.code : String(error));
}
await store.close();
