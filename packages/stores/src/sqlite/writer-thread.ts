// The thread that owns the writing connection of a file.
import { parentPort, workerData } from 'node:worker_threads';
import { createCheckpoints } from './checkpoints.ts';
import { connect, makeDurable } from './connection.ts';
import { decodeGroup, encodeOutcomes, type FromWriter, type ToWriter, type WriterData } from './thread-messages.ts';
import { rewriteFile } from './rewrite-file.ts';
import { writeGroup, type WriteOutcome } from './write-group.ts';

const { path } = workerData as WriterData;
const connection = connect(path);
makeDurable(connection);
const checkpoints = createCheckpoints(path, connection);

/** Statements by their numbers: each is sent once. */
const statements: string[] = [];
const say = (message: FromWriter): void => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToWriter) => {
  if (message.isLast === true) return void close();
  const group = decodeGroup(message, statements);
  say({ outcomes: encodeOutcomes(message.rewrites === true ? [tryRewrite()] : writeGroup(connection, group)) });
  checkpoints.follow();
});
say({ isReady: true });

function tryRewrite(): WriteOutcome {
  try {
    rewriteFile(connection);
    return { rows: [], failed: undefined };
  } catch (error) {
    return { error };
  }
}

/** Moves the log into the file, if no other process has it open, and ends the thread. */
async function close(): Promise<void> {
  await checkpoints.close();
  connection.close();
  parentPort?.close();
}
