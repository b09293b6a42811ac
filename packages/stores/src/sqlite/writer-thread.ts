// The thread that owns the writing connection of a file, and the checkpoints that its commits lead to.
import { parentPort, workerData } from 'node:worker_threads';
import { connect, makeDurable } from './connection.ts';
import { decodeGroup, encodeOutcomes, type FromWriter, type ToWriter, type WriterData } from './thread-messages.ts';
import { writeGroup } from './write-group.ts';

const { path } = workerData as WriterData;
const connection = connect(path);
makeDurable(connection);

/** Statements by their numbers: each is sent once. */
const statements: string[] = [];
const say = (message: FromWriter): void => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToWriter) => {
  if (message.isLast === true) return close();
  say({ outcomes: encodeOutcomes(writeGroup(connection, decodeGroup(message, statements))) });
});
say({ isReady: true });

/** Checkpoints the log, if no other process has the file open, and ends the thread. */
function close(): void {
  connection.close();
  parentPort?.close();
}
