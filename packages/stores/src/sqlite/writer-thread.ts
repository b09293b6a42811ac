// The thread that owns the writing connection of a file, and the checkpoints that its commits lead to.
import { parentPort, workerData } from 'node:worker_threads';
import { connect, makeDurable } from './connection.ts';
import type { FromWriter, ToWriter, WriterData } from './thread-messages.ts';
import { type Write, writeGroup } from './write-group.ts';

const { path } = workerData as WriterData;
const connection = connect(path);
makeDurable(connection);

/** Statements by their numbers: each is sent once. */
const statements: string[] = [];
const say = (message: FromWriter): void => parentPort?.postMessage(message);

parentPort?.on('message', ({ texts, writes, isLast }: ToWriter) => {
  if (isLast === true) return close();
  statements.push(...texts);
  const group = writes.map((write): Write => write.map(([sql, rows, ...values]) => ({ sql: statements[sql] ?? '', rows, values })));
  say({
    outcomes: writeGroup(connection, group).map((outcome) =>
      'error' in outcome ? { error: plainError(outcome.error) } : { rows: outcome.rows, failed: outcome.failed },
    ),
  });
});
say({ isReady: true });

/** Takes the log into the file, where nobody else has it open, and ends the thread. */
function close(): void {
  connection.close();
  parentPort?.close();
}

/** Only what is on an error by itself goes to another thread: SQLite's code does not. */
function plainError(error: unknown): { readonly message: string; readonly errcode: number | undefined } {
  const errcode = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;
  return { message: error instanceof Error ? error.message : String(error), errcode };
}
