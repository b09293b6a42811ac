// The thread that moves pages of a log to the file, each time that it is told to.
import { parentPort, workerData } from 'node:worker_threads';
import { connect, makeDurable } from './connection.ts';
import type { WriterData } from './thread-messages.ts';

const { path } = workerData as WriterData;
const connection = connect(path);
makeDurable(connection);

parentPort?.on('message', (message: 'last' | undefined) => {
  if (message === 'last') {
    connection.close();
    parentPort?.close();
    return;
  }
  connection.run('pragma wal_checkpoint(passive)');
  parentPort?.postMessage(undefined);
});
