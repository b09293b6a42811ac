// Takes part, begins an execution, and stops in the middle of its next commit. Says what becomes of it when it is continued.
import { writeSync } from 'node:fs';
import { commitAll, executionRecord } from '../../testing/src/contracts/execution-records.ts';
import { isHiloError } from '@hilo/engine/contract';
import { openPostgresStore } from '../src/index.ts';
import { sideBySide } from '../src/statements/steps.ts';
import { commitOf } from './commit-of.ts';

const [url = '', schema = '', leaseMs = '1000'] = process.argv.slice(2);
const store = await openPostgresStore({ url, schema, leaseMs: Number(leaseMs) });
const say = (line: string): void => void writeSync(1, `${line}\n`);

await store.executions.leases?.join({
  onFree: () => undefined,
  onQueued: () => undefined,
  onOrphans: () => undefined,
  onLost: () => say('lost'),
});
say((await store.executions.leases?.claim('l')) ?? 'no leases');
await commitAll(store.executions, { saves: [executionRecord({ lane: 'l', pending: {} })] });

const late = commitOf({ saves: [executionRecord({ lane: 'l', revision: 2, status: 'failed' })] });
try {
  const { kind } = await store.together(late, function* () {
    say('stops');
    process.kill(process.pid, 'SIGSTOP');
    yield* sideBySide();
  });
  say(kind);
} catch (error) {
  say(isHiloError(error, 'STORE_UNAVAILABLE') ? error.code : String(error));
}
await store.close();
