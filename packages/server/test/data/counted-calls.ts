import { setImmediate } from 'node:timers/promises';
import { createRunner, type Runner } from '@hilo/stores';

/** Counts what is asked of a store, so that a test waits for its answers, however long a busy machine takes, and for nothing else. */
export interface CountedCalls {
  over(runner: Pick<Runner, 'readEach' | 'write'>): Runner;
  /** Resolves once everything is answered, and nothing more was asked because of that. No time of a test passes. */
  answered(): Promise<void>;
  /** How many calls were made. */
  made(): number;
}

/** After so many turns of the event loop without a call, nothing more follows from the last answer. */
const quietTurns = 3;

export function countCalls(): CountedCalls {
  let underWay = 0;
  let made = 0;
  const count = async <Answer>(call: Promise<Answer>): Promise<Answer> => {
    underWay += 1;
    made += 1;
    return call.finally(() => (underWay -= 1));
  };
  return {
    over: ({ readEach, write }) => createRunner({ readEach: (all) => count(readEach(all)), write: (all) => count(write(all)) }),
    made: () => made,
    async answered() {
      for (let quiet = 0; quiet < quietTurns; ) {
        await setImmediate();
        quiet = underWay === 0 ? quiet + 1 : 0;
      }
    },
  };
}
