// The thread that owns the writing connection of a file.
import { parentPort, workerData } from 'node:worker_threads';
import { createCheckpoints } from './checkpoints.ts';
import { connect, makeDurable } from './connection.ts';
import { decodeGroup, encodeOutcomes, type FromWriter, type ToWriter, type WriterData } from './thread-messages.ts';
import { writeGroup } from './write-group.ts';

const { path } = workerData as WriterData;
const connection = connect(path);
makeDurable(connection);
const checkpoints = createCheckpoints(path, connection);

/** Statements by their numbers: each is sent once. */
const statements: string[] = [];
const say = (message: FromWriter): void => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToWriter) => {
  if (message.isLast === true) return void close();
  say({ outcomes: encodeOutcomes(writeGroup(connection, decodeGroup(message, statements))) });
  checkpoints.follow();
});
say({ isReady: true });

/** Moves the log into the file, if no other process has it open, and ends the thread. */
async function close(): Promise<void> {
  await checkpoints.close();
  connection.close();
  parentPort?.close();
}
