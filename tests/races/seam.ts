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

/** A store as a process has it: each call takes its time both ways, and so does what the store tells. */
export function storeAcross(course: Course, who: string, { leases, ...calls }: ExecutionStore): ExecutionStore {
  const store = across(course, who, calls);
  return leases === undefined ? store : { ...store, leases: leasesAcross(course, who, leases) };
}

/** What a process knows of its lanes it need not ask. The answer to a call that is left for another takes as long as that one does. */
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
