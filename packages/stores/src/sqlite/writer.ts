import { parse } from 'node:path';
import { Worker } from 'node:worker_threads';
import { storeUnavailable } from '../store-error.ts';
import type { Connection } from './connection.ts';
import { rewriteFile } from './rewrite-file.ts';
import { decodeOutcomes, encodeGroup, type FromWriter, type ToWriter, type WriterData } from './thread-messages.ts';
import { type Write, writeGroup, type WriteOutcome } from './write-group.ts';

/** Makes groups of writes durable, in the order in which they are handed over. */
export interface Writer {
  /** How many groups may be on their way at once. */
  readonly maxInFlight: number;
  /**
   * @returns the outcome of each write, once durable
   * @throws {HiloError} `STORE_UNAVAILABLE` when the outcomes are unknown (P2)
   */
  write(group: readonly Write[]): Promise<readonly WriteOutcome[]>;
  /** Writes the whole file anew: see `rewrite` of a store. @throws errors of SQLite unchanged */
  rewrite?(): Promise<void>;
  close(): Promise<void>;
}

/** Writes in this thread: for a database that no second connection sees. */
export const createInlineWriter = (connection: Connection): Writer => ({
  maxInFlight: 1,
  write: async (group) => writeGroup(connection, group),
  rewrite: async () => rewriteFile(connection),
  close: async () => undefined,
});

/** The source file, or the built one. */
const program = new URL(`./writer-thread${parse(import.meta.url).ext}`, import.meta.url);

/** One thread, and the groups that it has not answered. */
interface Thread {
  readonly worker: Worker;
  readonly unanswered: PromiseWithResolvers<readonly WriteOutcome[]>[];
  /** The numbers of the statements that it has received. */
  readonly numbers: Map<string, number>;
}

/**
 * Starts a writer thread, so that neither the disk nor SQLite blocks this one. When the thread dies, the outcomes of its groups are
 * unknown; the next group starts another one.
 */
export async function openWriterThread(path: string): Promise<Writer> {
  let isClosed = false;
  let thread: Thread | undefined;

  const begin = (): { readonly begun: Thread; readonly ready: Promise<void> } => {
    // What the process was started with, such as `--import` or `--input-type`, is meant for its own program.
    const worker = new Worker(program, { workerData: { path } satisfies WriterData, execArgv: [] });
    const begun: Thread = { worker, unanswered: [], numbers: new Map() };
    const { promise: ready, resolve: isReady, reject: isRefused } = Promise.withResolvers<void>();
    ready.catch(() => undefined); // callers with a group in flight get the error
    const end = (cause?: unknown): void => {
      if (thread === begun) thread = undefined;
      const error = storeUnavailable('SQLite: the writing thread ended; what became of its last commits is unknown', { cause });
      isRefused(cause ?? error);
      for (const { reject } of begun.unanswered.splice(0)) reject(error);
    };
    worker.on('message', (said: FromWriter) => {
      if (said.outcomes === undefined) return isReady();
      if (begun.unanswered.length === 1) worker.unref(); // an idle store keeps no process alive
      begun.unanswered.shift()?.resolve(decodeOutcomes(said.outcomes));
    });
    worker.on('error', end);
    worker.on('exit', () => end());
    thread = begun;
    return { begun, ready };
  };

  const send = (group: readonly Write[], more: Pick<ToWriter, 'rewrites'> = {}): Promise<readonly WriteOutcome[]> => {
    const { worker, unanswered, numbers } = thread ?? begin().begun;
    const answer = Promise.withResolvers<readonly WriteOutcome[]>();
    unanswered.push(answer);
    worker.ref();
    worker.postMessage({ ...encodeGroup(group, numbers), ...more });
    return answer.promise;
  };

  await begin().ready;
  thread?.worker.unref();
  return {
    maxInFlight: 2,
    write: (group) => send(group),
    async rewrite() {
      const [outcome] = await send([], { rewrites: true });
      if (outcome !== undefined && 'error' in outcome) throw outcome.error;
    },
    async close() {
      if (isClosed || thread === undefined) return;
      isClosed = true;
      const { worker } = thread;
      worker.ref();
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      worker.postMessage({ ...encodeGroup([], new Map()), isLast: true } satisfies ToWriter);
      await ended;
    },
  };
}
