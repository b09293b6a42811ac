// An engine on a SQLite file that reads requests from stdin and reports on stdout. It dies at a planned point, or closes the file when
// stdin ends.
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { createEngine } from '@hilo/engine';
import { standardNodes } from '@hilo/nodes';
import { openOver, openWith } from '../../../packages/stores/src/sqlite/open-sqlite-store.ts';
import { openWriterThread } from '../../../packages/stores/src/sqlite/writer.ts';
import { directory } from '../load/names.ts';
import type { CommandLine, ProcessOptions } from '../protocol.ts';
import { createFuse, report } from './fuse.ts';
import { fusedCanvases, fusedClock, fusedStore, fusedWriter } from './fused-store.ts';
import { fusedConnection } from './fused-connection.ts';
import { ledgerDrivers } from './ledger-drivers.ts';
import { performer } from './perform.ts';

const { path, ledgerPort, processNumber, kill } = JSON.parse(process.argv[2] ?? '') as ProcessOptions;
const fuse = createFuse(kill);
const connection = fusedConnection(fuse);
// To die at a single statement, one connection does everything in this thread; otherwise a thread writes, as in production.
const store = await (kill?.point.startsWith('sql.') === true
  ? openOver(connection.connect, { path })
  : openWith(async (place) => fusedWriter(await openWriterThread(place), fuse), { path }));
const { drivers, typeOf } = ledgerDrivers({ port: ledgerPort, processNumber, fuse });
const engine = createEngine({
  nodes: standardNodes,
  drivers,
  directory,
  clock: fusedClock(fuse),
  random: { bytes: (length) => randomBytes(length) },
  store: { executions: fusedStore(store.executions, fuse, typeOf), canvases: fusedCanvases(store.canvases, fuse) },
});
engine.on('engine.fault', ({ error, while: during }) => report({ kind: 'fault', message: `${during}: ${String(error)}` }));

engine.on('message.unmatched', ({ message, cause }) => {
  if (cause === 'NOT_PROCESSABLE') report({ kind: 'dropped', eventId: typeof message['id'] === 'string' ? message['id'] : '' });
});

const { executions, prune } = store;
const perform = performer({ engine, executions, prune, fuse, checkpoint: connection.checkpoint });
const lines = createInterface({ input: process.stdin });
lines.on('line', (text) => {
  const { id, command } = JSON.parse(text) as CommandLine;
  perform(command).then(
    (value) => fuse.aroundSync(['answer'], () => report({ kind: 'answered', id, value })),
    (error: unknown) => report({ kind: 'refused', id, code: codeOf(error), message: String(error) }),
  );
});
lines.on('close', () => void engine.stop().then(() => store.close()));
await engine.start();
report({ kind: 'ready' });

/** An error without a code is a bug. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'BUG';
}
