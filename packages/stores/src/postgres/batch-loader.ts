/**
 * Loads many values with one query: requests during a query are batched into the next one.
 *
 * @param ask - answers a batch, in order
 */
export function batchLoader<Asked, Answer>(ask: (all: readonly Asked[]) => Promise<readonly Answer[]>): (one: Asked) => Promise<Answer> {
  interface Waiting {
    readonly asked: Asked;
    readonly resolve: (answer: Promise<Answer>) => void;
  }
  let waiting: Waiting[] = [];
  let isAsking = false;

  const work = async (): Promise<void> => {
    isAsking = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const answers = ask(batch.map(({ asked }) => asked));
      for (const [index, { resolve }] of batch.entries()) resolve(answers.then((all) => all[index] as Answer));
      await answers.catch(() => undefined); // the callers get the error
    }
    isAsking = false;
  };

  return (asked) =>
    new Promise((resolve) => {
      waiting.push({ asked, resolve });
      if (!isAsking) queueMicrotask(() => void (isAsking || work()));
    });
}
