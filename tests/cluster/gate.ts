import type { Scheduler } from './scheduler.ts';

/** What comes of a call on the other side: an answer, a failure, or never anything. */
export type Arrival<Result> =
  | { readonly kind: 'answer'; readonly value: Result; readonly delayMs?: number }
  | { readonly kind: 'failure'; readonly error: unknown; readonly delayMs?: number }
  | { readonly kind: 'silence' };

/** The border of a process: whatever crosses it is a task, and once the process is dead nothing crosses it any more. */
export interface Gate {
  /** Adds a task of this process. @returns takes it back */
  add(label: string, run: () => void, delayMs?: number): () => void;
  /**
   * Makes a call: one task takes it to the other side, another brings back what comes of it.
   *
   * @param arrive - runs on the other side, where nobody knows whether the caller still lives
   */
  cross<Result>(label: string, arrive: () => Promise<Arrival<Result>>): Promise<Result>;
  /** Tells the process something: with a task of its own, or before the next that comes earlier. */
  tell(label: string, run: () => void): void;
  /** Calls whose answer is still to come. */
  open(): number;
  isShut(): boolean;
  /** The process is dead. @param arrives - whether a call that is on its way gets there all the same */
  shut(arrives: () => boolean): void;
}

/** @param name - of the process: the owner of its tasks */
export function createGate(scheduler: Scheduler, name: string): Gate {
  /** What was sent is no longer the process's to take back. */
  const outbound = `${name}>`;
  const underWay = new Set<() => void>();
  let untold: (() => void)[] = [];
  let isShut = false;
  let open = 0;

  const tellAll = (): void => {
    const tasks = untold;
    untold = [];
    for (const task of tasks) task();
  };
  const add: Gate['add'] = (label, run, delayMs) => {
    if (isShut) return () => undefined;
    const task = (): void => {
      tellAll();
      run();
    };
    return scheduler.add(name, label, task, delayMs);
  };

  return {
    add,
    tell(label, run) {
      untold.push(run);
      add(label, () => undefined);
    },
    cross: (label, arrive) =>
      new Promise((resolve, reject) => {
        if (isShut) return;
        open += 1;
        const takeBack = scheduler.add(outbound, label, () => {
          underWay.delete(takeBack);
          void arrive().then((arrival) => {
            if (arrival.kind === 'silence') {
              open -= 1;
              return;
            }
            const settle = (): void => {
              open -= 1;
              if (arrival.kind === 'answer') resolve(arrival.value);
              else reject(arrival.error);
            };
            const what = arrival.kind === 'answer' && typeof arrival.value === 'string' ? arrival.value : arrival.kind;
            add(`${label} ${what}`, settle, arrival.delayMs);
          });
        });
        underWay.add(takeBack);
      }),
    open: () => open,
    isShut: () => isShut,
    shut(arrives) {
      isShut = true;
      scheduler.drop(name);
      for (const takeBack of underWay) if (!arrives()) takeBack();
    },
  };
}
