import type { Scheduler } from './scheduler.ts';

/** The result of a call on the remote system: an answer, a failure, or nothing ever. */
export type Arrival<Result> =
  | { readonly kind: 'answer'; readonly value: Result; readonly delayMs?: number }
  | { readonly kind: 'failure'; readonly error: unknown; readonly delayMs?: number }
  | { readonly kind: 'silence' };

/** The border of a process: everything that crosses it is a task, and nothing crosses it once the process is dead. */
export interface Gate {
  /** Adds a task of this process. @returns removes it */
  add(label: string, run: () => void, delayMs?: number): () => void;
  /**
   * Makes a call: one task carries it to the remote system, another carries the result back.
   *
   * @param arrive - runs on the remote system, where it is unknown whether the caller is still alive
   */
  cross<Result>(label: string, arrive: () => Promise<Arrival<Result>>): Promise<Result>;
  /** Notifies the process: in a task of its own, or before its next task if that runs earlier. */
  notify(label: string, run: () => void): void;
  /** Calls without an answer so far. */
  open(): number;
  isShut(): boolean;
  /** The process is dead. @param arrives - whether a call that is on its way gets there all the same */
  shut(arrives: () => boolean): void;
}

/** @param name - of the process: the owner of its tasks */
export function createGate(scheduler: Scheduler, name: string): Gate {
  /** The process cannot take back what it has sent. */
  const outbound = `${name}>`;
  const underWay = new Set<() => void>();
  let pending: (() => void)[] = [];
  let isShut = false;
  let open = 0;

  const notifyAll = (): void => {
    const tasks = pending;
    pending = [];
    for (const task of tasks) task();
  };
  const add: Gate['add'] = (label, run, delayMs) => {
    if (isShut) return () => undefined;
    const task = (): void => {
      notifyAll();
      run();
    };
    return scheduler.add(name, label, task, delayMs);
  };

  return {
    add,
    notify(label, run) {
      pending.push(run);
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
