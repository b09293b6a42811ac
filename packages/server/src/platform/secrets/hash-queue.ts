// The queue of client secrets that are to be hashed: each costs much of a processor, and whoever guesses sends many.
import { createPool, type OnLimit } from '@hilo/drivers';
import type { Clock } from '@hilo/engine/contract';
import { createBoundedMap } from '../bounded-map.ts';

/** The client and the network of a secret, which together have one lane. */
export interface Guesser {
  /** The address of the caller, or its network. */
  readonly network: string;
  readonly clientId: string;
}

/** Checks secrets in turns by client, so that a client that guesses waits behind its own guesses (P22, T2). */
export interface HashQueue {
  /**
   * Judges when it is this guesser's turn.
   *
   * @param judge - runs once, or never
   * @returns the verdict; `undefined` when later secrets of the same guesser evicted it
   */
  judge(guesser: Guesser, judge: () => Promise<boolean>): Promise<boolean | undefined>;
}

/** The sizes and pauses of the queue. */
export interface HashQueueBounds {
  readonly atOnce: number;
  readonly waiting: number;
  /** Waiting places that one network or one client may have, however many others there are. */
  readonly share: number;
  /** Wrong secrets within a minute that slow nothing yet. */
  readonly freeFailures: number;
  /** What each further one adds to the pause before the next is judged, and the longest pause. */
  readonly pauseStepMs: number;
  readonly longestPauseMs: number;
}

interface Lane extends Guesser {
  readonly key: string;
  readonly waiting: WaitingSecret[];
  isAtWork: boolean;
}

interface WaitingSecret {
  /** Not before: what has failed on its network slows it. */
  readonly dueMs: number;
  readonly judge: () => Promise<boolean>;
  readonly settle: (verdict: Promise<boolean> | undefined) => void;
}

/**
 * A lane checks one secret at a time, and pauses after wrong ones. The latest is first, so that a right one does not wait for earlier
 * guesses. Of the due lanes, the one with the fewest wrong secrets is next, and among those the longest waiting: a client that was
 * never wrong waits only for checks in progress, and for others like it.
 */
export function createHashQueue(bounds: HashQueueBounds, clock: Clock, onLimit: OnLimit): HashQueue {
  const failures = { ofNetworks: createFailureCounts(clock), ofLanes: createFailureCounts(clock) };
  /** Those in which something waits or is judged, in the order of their last turn. */
  const lanes = new Map<string, Lane>();
  const places = createPlaces(bounds, lanes, onLimit);
  let atWork = 0;
  let timer: unknown;

  const computePauseMs = (count: number): number =>
    Math.min(Math.max(0, count - bounds.freeFailures) * bounds.pauseStepMs, bounds.longestPauseMs);

  /** When a lane is due: after its pause for wrong secrets. A clock that was set back does not lengthen the pause. */
  const computeDueMs = ({ key, waiting }: Lane, nowMs: number): number => {
    const { count, lastMs } = failures.ofLanes.of(key);
    const dueMs = Math.max(lastMs + computePauseMs(count), Math.min(...waiting.map((one) => one.dueMs)));
    return dueMs > nowMs + bounds.longestPauseMs ? nowMs : dueMs;
  };

  function takeTurns(): void {
    clock.clearTimeout(timer);
    const nowMs = clock.now();
    const ready = [...lanes.values()].filter(({ waiting, isAtWork }) => waiting.length > 0 && !isAtWork);
    const { due = [], later = [] } = Object.groupBy(ready, (lane) => (computeDueMs(lane, nowMs) <= nowMs ? 'due' : 'later'));
    const fewestFirst = due.toSorted((a, b) => failures.ofLanes.of(a.key).count - failures.ofLanes.of(b.key).count);
    for (const lane of fewestFirst.slice(0, bounds.atOnce - atWork)) takeTurn(lane, nowMs);
    // Lanes without a place get their turn when a check in progress ends.
    if (later.length > 0) timer = clock.setTimeout(takeTurns, Math.min(...later.map((lane) => computeDueMs(lane, nowMs))) - nowMs);
  }

  function takeTurn(lane: Lane, nowMs: number): void {
    const latest = lane.waiting.findLastIndex(({ dueMs }) => dueMs <= nowMs);
    const [next] = lane.waiting.splice(Math.max(latest, 0), 1);
    if (next === undefined) return;
    places.give(lane);
    lane.isAtWork = true;
    atWork += 1;
    next.settle(work(lane, next.judge));
  }

  async function work(lane: Lane, judge: () => Promise<boolean>): Promise<boolean> {
    try {
      const isRight = await judge();
      if (isRight) failures.ofLanes.forget(lane.key);
      else {
        failures.ofLanes.add(lane.key);
        failures.ofNetworks.add(lane.network);
      }
      return isRight;
    } finally {
      lane.isAtWork = false;
      atWork -= 1;
      lanes.delete(lane.key);
      if (lane.waiting.length > 0) lanes.set(lane.key, lane);
      takeTurns();
    }
  }

  return {
    judge: (guesser, judge) =>
      new Promise((resolve) => {
        places.take(guesser);
        const key = JSON.stringify([guesser.network, guesser.clientId]);
        const lane = lanes.get(key) ?? { ...guesser, key, waiting: [], isAtWork: false };
        lanes.set(key, lane);
        const dueMs = clock.now() + computePauseMs(failures.ofNetworks.of(guesser.network).count);
        lane.waiting.push({ dueMs, judge, settle: resolve });
        takeTurns();
      }),
  };
}

/** The places of secrets that wait. */
function createPlaces({ waiting: places, share }: HashQueueBounds, lanes: Map<string, Lane>, onLimit: OnLimit) {
  const networks = createPool({ places }, share);
  const clients = createPool({ places }, share);

  function give({ network, clientId }: Guesser): void {
    networks.give(network, onePlace);
    clients.give(clientId, onePlace);
  }

  function evictOldest(isTheirs: (lane: Lane) => boolean): void {
    const all = [...lanes.values()].filter(({ waiting }) => waiting.length > 0);
    const theirs = all.filter(isTheirs);
    const [longest] = (theirs.length > 0 ? theirs : all).toSorted((a, b) => b.waiting.length - a.waiting.length);
    const oldest = longest?.waiting.shift();
    if (longest === undefined || oldest === undefined) return;
    give(longest);
    if (longest.waiting.length === 0 && !longest.isAtWork) lanes.delete(longest.key);
    oldest.settle(undefined);
    const message = 'More client secrets came from an address than can be judged: some were refused';
    onLimit({ limit: 'client-secrets', holder: longest.network, message });
  }

  return {
    give,
    /** When the network or the client has its share, the longest lane of that one loses its oldest secret. */
    take({ network, clientId }: Guesser): void {
      while (!networks.take(network, onePlace)) evictOldest((lane) => lane.network === network);
      while (!clients.take(clientId, onePlace)) evictOldest((lane) => lane.clientId === clientId);
    },
  };
}

const onePlace = { places: 1 };

/** How often something failed lately, by name. */
export interface FailureCounts {
  add(name: string): void;
  forget(name: string): void;
  /** Those since the first of them, within a minute; none, when there were none. */
  of(name: string): Failures;
}

interface Failures {
  readonly count: number;
  /** When the last one was. */
  readonly lastMs: number;
}

const forgetAfterMs = 60_000;
/** Bounds the memory used by failures under ever new names. */
const maxNames = 10_000;
const none: Failures = { count: 0, lastMs: 0 };

function createFailureCounts(clock: Pick<Clock, 'now'>): FailureCounts {
  const names = createBoundedMap<Failures & { readonly sinceMs: number }>(maxNames);
  const findFresh = (name: string) => {
    const known = names.get(name);
    return known !== undefined && Math.abs(clock.now() - known.sinceMs) < forgetAfterMs ? known : undefined;
  };
  return {
    add(name) {
      const nowMs = clock.now();
      const { count, sinceMs } = findFresh(name) ?? { count: 0, sinceMs: nowMs };
      names.set(name, { count: count + 1, sinceMs, lastMs: nowMs });
    },
    forget(name) {
      names.delete(name);
    },
    of: (name) => findFresh(name) ?? none,
  };
}
