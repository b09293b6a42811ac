import type { ExecutionStore, Leases } from '@hilo/engine/contract';
import type { Course } from './course.ts';

/** Functions of the ports that change something. */
const writes: ReadonlySet<string> = new Set(
  'commit due countCrashes clearCrashCounts join claim release saveDraft publish prune'.split(' '),
);

/** The same functions, each a call across the border of a process. @param who - the process, for the labels */
export function across<Port extends object>(course: Course, who: string, port: Port): Port {
  const calls = Object.entries(port).map(([name, call]: [string, (...args: readonly unknown[]) => unknown]) => [
    name,
    (...args: readonly unknown[]) => course[writes.has(name) ? 'cross' : 'ask'](`${who}: ${name}`, () => call(...args)),
  ]);
  return Object.fromEntries(calls) as Port; // every function in its place, with its own arguments and answer
}

/** A store as a process has it: each call takes its time both ways, and so does what the store tells. */
export function storeAcross(course: Course, who: string, { leases, ...calls }: ExecutionStore): ExecutionStore {
  const store = across(course, who, calls);
  return leases === undefined ? store : { ...store, leases: leasesAcross(course, who, leases) };
}

function leasesAcross(course: Course, who: string, leases: Leases): Leases {
  const { claim, release, join } = across(course, who, leases);
  return {
    claim,
    release,
    join: (listener) =>
      join({
        onFree: (lane) => course.tell(`${who}: a lane is free`, () => listener.onFree(lane)),
        onQueued: (lane) => course.tell(`${who}: something is queued`, () => listener.onQueued(lane)),
        onOrphans: () => course.tell(`${who}: a process died`, () => listener.onOrphans()),
        // Comes with the answer of the call in which the process learns of it.
        onLost: () => listener.onLost(),
      }),
  };
}
