import type { Clock } from './contract/clock.ts';
import type { HeldUser } from './contract/execution.ts';
import type { EffectCall } from './effect-call.ts';

/** Why a lane does not take the next thing yet: an effect of one of its executions has no answer. */
export interface Block {
  /** From this instant on it no longer keeps the lane (RET: the user is released while the node goes on). */
  readonly untilMs: number;
  readonly call: EffectCall;
  readonly hold: HeldUser | undefined;
}

/** A block that answers the user's messages itself. */
export interface Holding {
  readonly call: EffectCall;
  readonly hold: HeldUser;
}

/** Processes what belongs together one after the other, and what does not side by side (P9). */
export interface Lanes {
  /** Runs a task when its turn comes: after all that came before, and not while the lane is blocked. */
  run<Result>(lane: string, task: () => Promise<Result>): Promise<Result>;
  /** Runs a task before all that queue, even in a blocked lane: the answer of an effect. */
  runFirst<Result>(lane: string, task: () => Promise<Result>): Promise<Result>;
  /** Whether a task would run at once: nothing works, queues or blocks. */
  isFree(lane: string): boolean;
  /** Keeps the lane until `unblock` with the same name, or until its time. */
  block(lane: string, name: string, block: Block): void;
  unblock(lane: string, name: string): void;
  /** What holds the lane's user at this instant, if anything does. */
  holding(lane: string, nowMs: number): Holding | undefined;
  /** Resolves when no task runs or could run, and nothing is blocked. */
  whenIdle(): Promise<void>;
  /** Lanes with a task at work, and lanes kept by an effect. */
  activity(): { readonly working: number; readonly blocked: number };
}

type Task = () => Promise<void>;

interface Lane {
  readonly first: Task[];
  readonly queue: Task[];
  readonly blocks: Map<string, Block & { readonly timer: unknown }>;
  isWorking: boolean;
}

/** @param clock - tells when a block runs out, and lets the lane go on then */
export function createLanes(clock: Clock): Lanes {
  const lanes = new Map<string, Lane>();
  let idleListeners: (() => void)[] = [];

  const open = (name: string): Lane => {
    const lane = lanes.get(name) ?? { first: [], queue: [], blocks: new Map(), isWorking: false };
    lanes.set(name, lane);
    return lane;
  };

  const isBlocked = (lane: Lane): boolean => {
    if (lane.blocks.size === 0) return false;
    const nowMs = clock.now();
    return [...lane.blocks.values()].some(({ untilMs }) => nowMs < untilMs);
  };

  const work = async (name: string, lane: Lane): Promise<void> => {
    if (lane.isWorking) return;
    lane.isWorking = true;
    for (;;) {
      const task = lane.first.shift() ?? (isBlocked(lane) ? undefined : lane.queue.shift());
      if (task === undefined) break;
      await task();
    }
    lane.isWorking = false;
    if (lane.queue.length === 0 && lane.blocks.size === 0) lanes.delete(name);
    if (lanes.size === 0) {
      const listeners = idleListeners;
      idleListeners = [];
      for (const listener of listeners) listener();
    }
  };

  const add = <Result>(name: string, list: 'first' | 'queue', task: () => Promise<Result>): Promise<Result> =>
    new Promise<Result>((resolve, reject) => {
      const lane = open(name);
      lane[list].push(() => task().then(resolve, reject));
      void work(name, lane);
    });

  const wake = (name: string): void => {
    const lane = lanes.get(name);
    if (lane !== undefined) void work(name, lane);
  };

  return {
    run: (name, task) => add(name, 'queue', task),
    runFirst: (name, task) => add(name, 'first', task),
    isFree: (name) => !lanes.has(name),
    block(name, blocker, block) {
      const { blocks } = open(name);
      clock.clearTimeout(blocks.get(blocker)?.timer);
      const delayMs = Math.max(0, block.untilMs - clock.now());
      const timer = Number.isFinite(delayMs) ? clock.setTimeout(() => wake(name), delayMs) : undefined;
      blocks.set(blocker, { ...block, timer });
    },
    unblock(name, blocker) {
      const { blocks } = lanes.get(name) ?? {};
      clock.clearTimeout(blocks?.get(blocker)?.timer);
      blocks?.delete(blocker);
      wake(name);
    },
    holding(name, nowMs) {
      for (const { call, hold, untilMs } of lanes.get(name)?.blocks.values() ?? [])
        if (hold !== undefined && nowMs < untilMs) return { call, hold };
      return undefined;
    },
    activity() {
      const open = [...lanes.values()];
      return { working: open.filter(({ isWorking }) => isWorking).length, blocked: open.filter(({ blocks }) => blocks.size > 0).length };
    },
    whenIdle: () => (lanes.size === 0 ? Promise.resolve() : new Promise((resolve) => idleListeners.push(resolve))),
  };
}
