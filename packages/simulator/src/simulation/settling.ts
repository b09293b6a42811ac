import type { Engine } from '@hilo/engine';
import type { BoundDriver } from '@hilo/engine/contract';
import { turn } from '../virtual-clock.ts';
import type { RecordedCall } from './recorded-call.ts';

/** How many turns a settling may take before something is held to be stuck. */
const maxTurns = 1_000_000;

/** Counts the calls under way in what it wraps. */
export interface Watch {
  /** Watches an object of functions, such as a store. @param instead - functions that replace its own */
  all<Subject extends object>(subject: Subject, instead?: Partial<Subject>): Subject;
  /** A driver, watched: a call is over when it is answered, and when the engine lets go of it. */
  driver(driver: BoundDriver): BoundDriver;
  /** How many calls are not over. */
  open(): number;
  /** Resets the count: the caller of the calls is dead. */
  reset(): void;
}

/** A watch that counts nothing yet. */
export function createWatch(): Watch {
  const open = new Set<Promise<unknown>>();
  const watched = <Answer>(answer: Answer, onOver?: (over: () => void) => void): Answer => {
    if (!(answer instanceof Promise)) return answer;
    const over = () => void open.delete(answer);
    open.add(answer);
    answer.then(over, over);
    onOver?.(over);
    return answer;
  };
  return {
    open: () => open.size,
    reset: () => open.clear(),
    all: (subject, instead = {}) =>
      new Proxy(subject, {
        get(target, name, receiver) {
          const member: unknown = Reflect.get(instead, name) ?? Reflect.get(target, name, receiver);
          return typeof member === 'function'
            ? (...args: readonly unknown[]): unknown => watched(Reflect.apply(member, target, args))
            : member;
        },
      }),
    driver: ({ effect, perform }) => ({
      effect,
      perform: (request, context) => watched(perform(request, context), (over) => context.signal.addEventListener('abort', over)),
    }),
  };
}

/**
 * Resolves when nothing is in progress except calls that wait for an answer from outside: no lane is working, no store call is pending,
 * no other driver is busy.
 *
 * @throws {Error} when that does not happen
 */
export async function settle(world: Settling): Promise<void> {
  let quiet = 0;
  for (let turns = 0; quiet < 2; turns += 1) {
    if (turns > maxTurns)
      throw new Error('The engine does not come to rest: a driver of your own never answers, or an execution goes round for ever');
    await turn();
    const isBusy = world.engine.activity().working > 0 || world.watch.open() > world.drivers.pending().length;
    quiet = isBusy ? 0 : quiet + 1;
  }
}

/** What has to come to rest. */
interface Settling {
  readonly engine: Engine;
  readonly watch: Watch;
  readonly drivers: { pending(): readonly RecordedCall[] };
}
