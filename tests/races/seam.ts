import type { ExecutionStore, Leases } from '@hilo/engine/contract';
import type { Course } from './course.ts';

/** Functions of the ports that change something. */
const writes: ReadonlySet<string> = new Set('commit due countCrashes clearCrashCounts join post saveDraft publish prune'.split(' '));

/** The same functions, each a call across the border of a process. @param who - the process, for the labels */
export function across<Port extends object>(course: Course, who: string, port: Port): Port {
  const calls = Object.entries(port).map(([name, call]: [string, (...args: readonly unknown[]) => unknown]) => [
    name,
    (...args: readonly unknown[]) => course[writes.has(name) ? 'cross' : 'ask'](`${who}: ${name}`, () => call(...args)),
  ]);
  return Object.fromEntries(calls) as Port; // every function in its place, with its own arguments and answer
}

/** A store as a process reaches it: calls and notifications take time both ways. */
export function storeAcross(course: Course, who: string, { leases, ...calls }: ExecutionStore): ExecutionStore {
  const store = across(course, who, calls);
  return leases === undefined ? store : { ...store, leases: leasesAcross(course, who, leases) };
}

/** Local knowledge about lanes needs no call. The answer to a posted call takes as long as that call. */
function leasesAcross(course: Course, who: string, leases: Leases): Leases {
  return {
    ...leases,
    ...across(course, who, { join: leases.join }),
    async post(lane, call) {
      const { answer } = await course.cross(`${who}: post`, () => ({ answer: leases.post(lane, call) }));
      return answer;
    },
  };
}
