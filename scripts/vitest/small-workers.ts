import { ForksPoolWorker, type PoolOptions } from 'vitest/node';

/**
 * The pool of processes that run the tests. A process keeps the modules of every file that it ran (`isolate: false`) and what these left: its
 * memory grows from 0.3 to more than 1 GB. One that has grown too large runs no other file, so that a whole run fits a small machine; the
 * process in its place loads its modules again, which takes one to two seconds.
 */
export const smallWorkers = {
  name: 'small-forks',
  createPoolWorker: (options: PoolOptions): SmallWorker => new SmallWorker(options),
};

/** What a process has on its heap at the end of a file, when it is replaced: it holds twice as much in all. */
const mostBytes = 240_000_000;

class SmallWorker extends ForksPoolWorker {
  override readonly name = smallWorkers.name;
  /** Asks the process to say how much it uses, with the end of each file. */
  readonly reportMemory = true;
  #usedBytes = 0;

  override deserialize(message: unknown): unknown {
    if (isEndOfFile(message)) this.#usedBytes = message.usedMemory;
    return super.deserialize(message);
  }

  /** Asked before this process is given its next file. */
  canReuse(): boolean {
    return this.#usedBytes <= mostBytes;
  }
}

const isEndOfFile = (message: unknown): message is { readonly usedMemory: number } =>
  typeof message === 'object' && message !== null && 'usedMemory' in message && typeof message.usedMemory === 'number';
