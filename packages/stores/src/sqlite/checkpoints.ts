import { parse } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Connection } from './connection.ts';
import { sqliteReason } from './sqlite-reason.ts';
import type { WriterData } from './thread-messages.ts';

/** Moves pages from the log to the file, so that the log starts over and stays small. */
export interface Checkpoints {
  /** To be called after each commit. */
  follow(): void;
  close(): Promise<void>;
}

/** So many pages are moved together: a longer log saves few of them, and takes longer to read at a start. */
const pagesTogether = 1_000;

/** The source file, or the built one. */
const program = new URL(`./checkpoint-thread${parse(import.meta.url).ext}`, import.meta.url);

/**
 * A second thread moves most pages while commits go on: 1,000 of them take some 15 ms, which every commit would wait for. Those that
 * were written meanwhile are few, and are moved here, between two commits: only then can the log start over.
 *
 * @param writing - the connection that writes, which moves pages by itself where that thread is not fast enough
 */
export function createCheckpoints(path: string, writing: Connection): Checkpoints {
  let worker: Worker | undefined; // started when it is first needed: a short-lived process never needs it
  let isMoving = false;
  writing.run(`pragma wal_autocheckpoint = ${4 * pagesTogether}`);

  const start = (): Worker => {
    const started = new Worker(program, { workerData: { path } satisfies WriterData, execArgv: [] });
    started.on('message', () => {
      isMoving = false;
      moveRest();
    });
    started.on('error', () => undefined); // then the writing connection moves them by itself
    started.once('exit', () => (worker = undefined));
    return started;
  };
  /** What a full disk keeps from being moved stays in the log, and is moved another time. */
  const moveRest = (): void => {
    try {
      writing.run('pragma wal_checkpoint(passive)');
    } catch (error) {
      if (sqliteReason(error) === undefined) throw error;
    }
  };

  return {
    follow() {
      const [state] = isMoving ? [] : (writing.run('pragma wal_checkpoint(noop)') as readonly LogState[]);
      if (state === undefined || state.log - state.checkpointed < pagesTogether) return;
      isMoving = true;
      worker ??= start();
      worker.postMessage(undefined);
    },
    async close() {
      if (worker === undefined) return;
      const { promise: ended, resolve } = Promise.withResolvers<number>();
      worker.removeAllListeners('message').once('exit', resolve).postMessage('last');
      await ended;
    },
  };
}

/** Pages in the log, and how many of them are in the file. */
interface LogState {
  readonly log: number;
  readonly checkpointed: number;
}
