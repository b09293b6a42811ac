// Whether a message is accepted and has its turn in one commit, so that nothing of it is kept before.
import type { ExecutionStore } from '../contract/store.ts';

/**
 * A message that kills its process in its turn has to be found by the next process, and counted (P17). So a process that joins leaves a mark
 * in the store, which only a clean stop removes. Where an earlier process left one, each message is accepted alone, and its turn is a second
 * commit, until a process stops cleanly: what the provider repeats is kept before it is tried.
 */
export interface JoinedDeliveries {
  /** A message begins to be accepted in its lane. */
  enter(lane: string): Acceptance;
  /** The process ends by itself: the mark goes, and nothing is joined any more. */
  end(): Promise<void>;
}

/** A message that is being accepted. Messages of a lane have their turns in the order of their acceptance (P9). */
export interface Acceptance {
  /**
   * Joins acceptance and turn, where no other message of the lane is being accepted; else waits for one that is joined.
   *
   * @returns what the task returns; nothing where the message has to be accepted alone
   */
  join<Outcome>(task: () => Promise<Outcome | undefined> | undefined): Promise<Outcome | undefined>;
  /** It is accepted, or refused. */
  leave(): void;
}

/** Where the mark stands: among the crashes of lanes, whose names all have a slash. */
export const markOfJoined = 'joined deliveries';

/** What is being accepted in a lane. */
interface Entrance {
  messages: number;
  joining: Promise<unknown> | undefined;
}

type Marks = Pick<ExecutionStore, 'crashCounts' | 'countCrashes' | 'clearCrashCounts'>;

/** @param marks - undefined where several processes keep lanes: another may have accepted an earlier message of the lane */
export function createJoinedDeliveries(marks: Marks | undefined): JoinedDeliveries {
  if (marks === undefined) return noneJoined;
  const entrances = new Map<string, Entrance>();
  let isMarked = false;
  let isOver = false;
  /** Whether messages may be joined; found out at the first one. */
  let may: boolean | Promise<boolean> | undefined;

  const begin = async (): Promise<boolean> => {
    try {
      const wasLeft = (await marks.crashCounts([markOfJoined])).has(markOfJoined);
      isMarked = true; // by an earlier process, or from here on by this one
      if (!wasLeft) await marks.countCrashes([markOfJoined]);
      return (may = !wasLeft);
    } catch {
      may = undefined; // asked again with the next message; this one finds out for itself what the store lacks
      return false;
    }
  };

  return {
    enter(lane) {
      const entrance = entrances.get(lane) ?? { messages: 0, joining: undefined };
      entrances.set(lane, entrance);
      entrance.messages += 1;
      const isAlone = entrance.messages === 1;
      return {
        async join(task) {
          if (isOver) return undefined;
          if (!isAlone) {
            await entrance.joining?.catch(() => undefined);
            return undefined;
          }
          const mayJoin = (may ??= begin());
          if (mayJoin === false) return undefined;
          const joining = mayJoin === true ? task() : mayJoin.then((isFree) => (isFree && !isOver ? task() : undefined));
          entrance.joining = joining;
          return joining;
        },
        leave() {
          entrance.messages -= 1;
          if (entrance.messages === 0) entrances.delete(lane);
        },
      };
    },
    async end() {
      isOver = true;
      await may;
      if (isMarked) await marks.clearCrashCounts([markOfJoined]);
    },
  };
}

const alone: Acceptance = { join: () => Promise.resolve(undefined), leave: () => undefined };
const noneJoined: JoinedDeliveries = { enter: () => alone, end: () => Promise.resolve() };
