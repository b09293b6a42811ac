import type { Clock } from '../contract/clock.ts';
import type { EffectCall, HeldUser } from '../contract/execution.ts';
import type { Awaitable, Leases } from '../contract/store.ts';

/** Why a lane does not take the next thing yet: an effect of one of its executions has no answer. */
export interface Block {
  /** From this instant on it no longer keeps the lane (RET: the user is released while the node goes on). */
  readonly untilMs: number;
  readonly call: EffectCall;
  readonly hold: HeldUser | undefined;
  /** Lets go of the effect, if it still works: nobody wants its answer any more. */
  readonly abort?: () => void;
}

/** A block that answers the user's messages itself. */
export interface Holding {
  readonly call: EffectCall;
  readonly hold: HeldUser;
}

/** Processes what belongs together one after the other, and what does not side by side (P9). */
export interface KeyedQueue {
  /** Runs a task when its turn comes: after all that came before, and not while the lane is blocked. */
  run<Result>(lane: string, task: () => Promise<Result>): Promise<Result>;
  /** Runs a task before all that queue, even in a blocked lane: the answer of an effect. */
  runFirst<Result>(lane: string, task: () => Promise<Result>): Promise<Result>;
  /** Runs a task before all else in the lane, what `runFirst` queued included: the recovery of what another process left. */
  runNext<Result>(lane: string, task: () => Promise<Result>): Promise<Result>;
  /** Does what `runFirst` does for a task that nobody waits for, and that does not fail. */
  soon(lane: string, task: () => Awaitable<void>): void;
  /**
   * Runs a task where it can be run at once: nothing works, queues or blocks in the lane, here or elsewhere.
   *
   * @returns what the task gave, which is not `undefined`; `undefined` where it was not run
   */
  tryRun<Result extends {}>(lane: string, task: () => Awaitable<Result>): Awaitable<Result | undefined>;
  /** Whether this process may still write for a lane whose turn it gave. */
  isOurs(lane: string): boolean;
  /** Keeps the lane until `unblock` with the same name, or until its time. */
  block(lane: string, name: string, block: Block): void;
  unblock(lane: string, name: string): void;
  /** What blocks a lane by this name. */
  blockOf(lane: string, name: string): Block | undefined;
  /** The names of what blocks a lane. */
  blockers(lane: string): readonly string[];
  /** What holds the lane's user at this instant, if anything does. */
  holding(lane: string, nowMs: number): Holding | undefined;
  /** Tries again to get a lane that was another process's. */
  wake(lane: string): void;
  /** Forgets what was this process's: it was taken for dead. What still has to be done is done when a lane is got again. */
  lose(): void;
  /** Resolves when no task runs or could run, and nothing is blocked. */
  whenIdle(): Promise<void>;
  /** Lanes with a task at work, and lanes kept by an effect. */
  activity(): { readonly working: number; readonly blocked: number };
}

/** Who may work in a lane, where several processes share a store. */
export interface LaneClaims extends Pick<Leases, 'claim' | 'release'> {
  /** Runs before all else in a lane that a process left when it died. */
  recoverLane(lane: string): Promise<void>;
}

type Task = () => Awaitable<void>;

interface BlockUnderTime {
  readonly block: Block;
  readonly timer: unknown;
}

interface Lane {
  readonly first: Task[];
  readonly queue: Task[];
  /** Made with the first block. */
  blocks: Map<string, BlockUnderTime> | undefined;
  isWorking: boolean;
  isOurs: boolean;
  /** Woken while it was being claimed: the answer may be older than what it was woken for. */
  isWoken: boolean;
}

/** After so long at one lane's tasks, all else in the process has its turn: a driver that answers at once lets nothing in between (P20). */
const longestTurnMs = 8;

/** How long it takes until the store is asked again for a lane, after it failed. */
const pauseMs = 500;

/**
 * @param clock - tells when a block runs out, and lets the lane go on then
 * @param ownership - none, where one process has the store to itself: then every lane is its own
 */
export function createKeyedQueue(clock: Clock, ownership?: LaneClaims): KeyedQueue {
  const lanes = new Map<string, Lane>();
  /** Claims nobody heard the answer to: the lane may be ours since then, and something unfinished in it. */
  const unanswered = new Set<string>();
  let idleListeners: (() => void)[] = [];

  const forget = (lane: Lane): void => {
    for (const { timer } of lane.blocks?.values() ?? []) clock.clearTimeout(timer);
    lane.blocks = undefined;
  };

  const open = (name: string): Lane => {
    const known = lanes.get(name);
    if (known !== undefined) return known;
    const isOurs = ownership === undefined;
    const lane: Lane = { first: [], queue: [], blocks: undefined, isWorking: false, isOurs, isWoken: false };
    lanes.set(name, lane);
    return lane;
  };

  const isBlocked = (lane: Lane): boolean => {
    if (lane.blocks === undefined) return false;
    const nowMs = clock.now();
    return [...lane.blocks.values()].some(({ block }) => nowMs < block.untilMs);
  };

  /** The list whose first task may run now. */
  const turn = (lane: Lane): Task[] | undefined => {
    if (lane.first.length > 0) return lane.first;
    return lane.queue.length > 0 && !isBlocked(lane) ? lane.queue : undefined;
  };

  const work = async (name: string, lane: Lane): Promise<void> => {
    if (lane.isWorking) return;
    lane.isWorking = true;
    let sinceMs = clock.now();
    for (;;) {
      const list = turn(lane);
      if (list !== undefined && lane.isOurs) {
        const running = list.shift()?.();
        if (running instanceof Promise) await running;
        if (list.length > 0 && clock.now() - sinceMs >= longestTurnMs) {
          await new Promise<void>((resolve) => void clock.setTimeout(resolve, 0));
          sinceMs = clock.now();
        }
      } else if (list !== undefined) {
        if (!(await acquire(name, lane))) break;
      } else if (ownership === undefined || !lane.isOurs || !isEmpty(lane) || !(await release(ownership, name, lane))) break;
    }
    rest(name, lane);
  };

  /** Forgets a lane that nothing is left in. */
  const rest = (name: string, lane: Lane): void => {
    lane.isWorking = false;
    if (isEmpty(lane)) lanes.delete(name);
    if (lanes.size === 0 && idleListeners.length > 0) {
      const listeners = idleListeners;
      idleListeners = [];
      for (const listener of listeners) listener();
    }
  };

  const leave = (name: string, lane: Lane): void => {
    lane.isWorking = false;
    if (ownership === undefined && turn(lane) === undefined) rest(name, lane);
    else void work(name, lane);
  };

  /** Runs a task in a lane that rests, and what has queued meanwhile. */
  const runNow = <Answer extends Awaitable<unknown>>(name: string, lane: Lane, task: () => Answer): Answer => {
    lane.isWorking = true;
    let answer: Answer;
    try {
      answer = task();
    } catch (error) {
      leave(name, lane);
      throw error;
    }
    if (answer instanceof Promise) return answer.finally(() => leave(name, lane)) as Answer; // of the same result
    leave(name, lane);
    return answer;
  };

  const wake = (name: string): void => {
    const lane = lanes.get(name);
    if (lane === undefined) return;
    lane.isWoken = true;
    if (!lane.isWorking) void work(name, lane);
  };

  /** Makes the lane this process's own, if it can be. */
  const acquire = async (name: string, lane: Lane): Promise<boolean> => {
    for (;;) {
      lane.isWoken = false;
      const answer = ownership === undefined ? 'claimed' : await ownership.claim(name).catch(() => 'failed' as const);
      if (answer === 'failed') {
        unanswered.add(name);
        clock.setTimeout(() => wake(name), pauseMs);
      }
      lane.isOurs = answer === 'claimed' || answer === 'inherited';
      if (lane.isOurs) forget(lane); // of an earlier time, when it was ours as well
      if (answer === 'inherited' || (lane.isOurs && unanswered.delete(name))) await ownership?.recoverLane(name);
      if (lane.isOurs || !lane.isWoken) return lane.isOurs;
    }
  };

  const release = async ({ release }: LaneClaims, name: string, lane: Lane): Promise<boolean> => {
    try {
      await release(name);
      lane.isOurs = false;
    } catch {
      clock.setTimeout(() => wake(name), pauseMs);
    }
    return !lane.isOurs;
  };

  const add = <Result>(name: string, place: 'next' | 'first' | 'queue', task: () => Promise<Result>): Promise<Result> => {
    const lane = open(name);
    const isFree = lane.isOurs && !lane.isWorking && turn(lane) === undefined;
    if (isFree && (place !== 'queue' || !isBlocked(lane))) return runNow(name, lane, task);
    return new Promise<Result>((resolve, reject) => {
      const run = (): Promise<void> => task().then(resolve, reject);
      if (place === 'next') lane.first.unshift(run);
      else lane[place].push(run);
      void work(name, lane);
    });
  };

  /** Runs a task in a lane that nobody has here, where no other process has it either. */
  const claimAndRun = async <Result>(name: string, task: () => Awaitable<Result>): Promise<Result | undefined> => {
    const lane = open(name);
    lane.isWorking = true;
    const isOurs = await acquire(name, lane);
    lane.isWorking = false;
    if (isOurs && isEmpty(lane)) return runNow(name, lane, task);
    void work(name, lane);
    return undefined;
  };

  return {
    run: (name, task) => add(name, 'queue', task),
    runFirst: (name, task) => add(name, 'first', task),
    runNext: (name, task) => add(name, 'next', task),
    soon(name, task) {
      const lane = open(name);
      lane.first.push(task);
      if (!lane.isWorking) void work(name, lane);
    },
    tryRun(name, task) {
      if (lanes.has(name)) return undefined;
      return ownership === undefined ? runNow(name, open(name), task) : claimAndRun(name, task);
    },
    isOurs: (name) => ownership === undefined || lanes.get(name)?.isOurs === true,
    block(name, blocker, block) {
      const lane = open(name);
      lane.blocks ??= new Map();
      clock.clearTimeout(lane.blocks.get(blocker)?.timer);
      const { untilMs } = block;
      const timer = Number.isFinite(untilMs) ? clock.setTimeout(() => wake(name), Math.max(0, untilMs - clock.now())) : undefined;
      lane.blocks.set(blocker, { block, timer });
    },
    unblock(name, blocker) {
      const lane = lanes.get(name);
      const blocked = lane?.blocks?.get(blocker);
      if (lane?.blocks === undefined) return;
      clock.clearTimeout(blocked?.timer);
      lane.blocks.delete(blocker);
      if (lane.blocks.size === 0) lane.blocks = undefined;
      wake(name);
    },
    blockOf: (name, blocker) => lanes.get(name)?.blocks?.get(blocker)?.block,
    blockers: (name) => [...(lanes.get(name)?.blocks?.keys() ?? [])],
    holding(name, nowMs) {
      for (const { block } of lanes.get(name)?.blocks?.values() ?? [])
        if (block.hold !== undefined && nowMs < block.untilMs) return { call: block.call, hold: block.hold };
      return undefined;
    },
    wake,
    lose() {
      if (ownership === undefined) return;
      for (const [name, lane] of lanes) {
        forget(lane);
        lane.isOurs = false;
        wake(name);
      }
    },
    activity() {
      const open = [...lanes.values()];
      return {
        working: open.filter(({ isWorking }) => isWorking).length,
        blocked: open.filter(({ blocks }) => blocks !== undefined).length,
      };
    },
    whenIdle: () => (lanes.size === 0 ? Promise.resolve() : new Promise((resolve) => idleListeners.push(resolve))),
  };
}

/** Whether nothing is left that a lane is kept for. */
const isEmpty = ({ first, queue, blocks }: Lane): boolean => blocks === undefined && first.length + queue.length === 0;
