import { parse } from 'node:path';
import { Worker as Thread } from 'node:worker_threads';
import type { Worker } from '@hilo/drivers';
import type { Clock } from '@hilo/engine/contract';
import { waitUpTo } from '../waiting.ts';
import type { FromThread, TaskOutcome, ThreadData } from './thread-messages.ts';

/** What a task came to in a thread: also what kept it from its end. */
export type ThreadOutcome =
  | TaskOutcome
  /** It took longer than it may. */
  | { readonly kind: 'late' }
  /** The thread ended by itself, such as for want of memory. */
  | { readonly kind: 'ended'; readonly reason: string }
  /** The thread can do no task. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** No thread had time for it. */
  | { readonly kind: 'busy' };

interface ThreadOptions extends ThreadData {
  /** Which thread: that of checks, or that of simulations. */
  readonly program: 'canvas-thread' | 'simulation-thread';
  readonly clock: Clock;
  /** The types of nodes that the thread must know. */
  readonly types: readonly string[];
  readonly limits: { readonly startMs: number; readonly taskMs: number; readonly heapMb: number };
}

const late: ThreadOutcome = { kind: 'late' };

/** Starts a thread that works on canvases. A task that takes too long ends with it. */
export function startCanvasThread<Task>({ program, clock, types, limits, nodesFrom }: ThreadOptions): Worker<Task, ThreadOutcome> {
  const file = new URL(`../../service/${program}${parse(import.meta.url).ext}`, import.meta.url); // the source, or what was built of it
  // What the process was started with, such as `--import` or `--input-type`, is meant for its own program.
  const thread = new Thread(file, {
    workerData: { nodesFrom } satisfies ThreadData,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
  });
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let over: ThreadOutcome | undefined;
  let settle: ((outcome: ThreadOutcome) => void) | undefined;

  const end = (why: ThreadOutcome): void => {
    if (over !== undefined) return;
    over = why;
    settle?.(why);
    ready.resolve();
    thread.ref(); // whoever closes waits for its end, also in a process that has nothing else to do
    void thread.terminate();
  };
  const endLate = (isReady: boolean): void => {
    if (!isReady) end({ kind: 'refused', reason: `it did not start within ${limits.startMs} ms` });
  };
  void waitUpTo(
    clock,
    limits.startMs,
    ready.promise.then(() => true),
    false,
  ).then(endLate);
  thread.on('message', (said: FromThread) => {
    switch (said.kind) {
      case 'ready': {
        const missing = types.filter((type) => !said.types.includes(type));
        if (missing.length > 0) return end({ kind: 'refused', reason: `it does not know the nodes ${missing.join(', ')}` });
        return ready.resolve();
      }
      case 'refused':
        return end(said);
      default:
        return settle?.(said);
    }
  });
  thread.on('error', (error: unknown) => end({ kind: 'ended', reason: error instanceof Error ? error.message : String(error) }));
  thread.on('exit', () => {
    end({ kind: 'ended', reason: 'it ended by itself' });
    ended.resolve();
  });

  return {
    ready: ready.promise,
    ended: ended.promise,
    isAlive: () => over === undefined,
    pause: () => false,
    resume: () => undefined,
    kill: () => end({ kind: 'busy' }),
    async run(task) {
      thread.ref();
      const answered = Promise.withResolvers<ThreadOutcome>();
      settle = answered.resolve;
      await ready.promise;
      if (over !== undefined) return over;
      thread.postMessage(task);
      const outcome = await waitUpTo(clock, limits.taskMs, answered.promise, late);
      if (outcome === late) end(late);
      settle = undefined;
      if (over === undefined) thread.unref(); // one that rests keeps no process alive; one that ends is waited for
      return outcome;
    },
  };
}

/** How work in a thread ends where it does not answer. Companies share each thread. */
export const threadEnds = {
  busy: { kind: 'busy' },
  fail: (reason: string): ThreadOutcome => ({ kind: 'ended', reason }),
  isTimeout: ({ kind }: ThreadOutcome): boolean => kind === 'late',
  keepsNothing: true,
} as const;
