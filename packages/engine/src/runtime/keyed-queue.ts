// Lanes of executions: their tasks in order, what blocks them, and how they are handed over to another process.
import type { Clock } from '../contract/clock.ts';
import { HiloError } from '../contract/errors.ts';
import type { Awaitable, LaneSet } from '../contract/store.ts';
import { type Block as LaneBlock, isBlocked, type NamedBlock as NamedLaneBlock } from '../lane/lane.ts';

/** A block, as the process keeps it in which its effect runs. */
export interface Block extends LaneBlock {
  /** Aborts the effect, if it still runs: its result is not awaited any more. */
  readonly abort?: () => void;
  /** Nothing is under way: it blocks the lane until another release runs, and the lane counts as idle. */
  readonly isIdle?: true;
}

/**
 * Runs the tasks of one lane in order, and those of different lanes concurrently (P9). A task whose lane another process owns, or
 * owns by the time its turn comes, is rejected with {@link LaneElsewhere}.
 */
export interface KeyedQueue {
  /** Runs a task in its turn: after all earlier ones, and not while the lane is blocked. */
  run<Result>(lane: string, task: () => Promise<Result>): Promise<Result>;
  /** Runs a task before all queued ones, even in a blocked lane: the answer of an effect. */
  runFirst<Result>(lane: string, task: () => Promise<Result>): Promise<Result>;
  /** Like `runFirst`, for a task that is not awaited and does not fail. */
  soon(lane: string, task: () => Awaitable<void>): void;
  /**
   * Runs a task only if it can run at once: nothing runs, is queued or blocks in the lane, and this process owns it.
   *
   * @returns the task's result, which is never `undefined`; `undefined` when it did not run
   */
  tryRun<Result extends {}>(lane: string, task: () => Awaitable<Result>): Awaitable<Result | undefined>;
  /** Whether this process still owns a lane, and may write for it. */
  isOurs(lane: string): boolean;
  /** Whether new work may begin in a lane here. */
  takes(lane: string): boolean;
  /** Blocks the lane until `unblock` with the same name, or until the block expires. */
  block(lane: string, name: string, block: Block): void;
  unblock(lane: string, name: string): void;
  /** The block of a lane with this name. */
  blockOf(lane: string, name: string): Block | undefined;
  /** The blocks of a lane. */
  blocks(lane: string): readonly NamedLaneBlock[];
  /** Drops the tasks of some or all lanes: the next owner recovers them. */
  lose(lanes?: LaneSet): void;
  /**
   * Starts nothing new in some lanes, and calls `release` once nothing is in progress in them, or after a time limit. From then on
   * this process does not own them.
   */
  giveUp(lanes: LaneSet, release: () => void): void;
  /** Resolves when no task runs or could run, and nothing is blocked. */
  whenIdle(): Promise<void>;
  /** The number of lanes with a running task, and of lanes blocked by an effect. */
  activity(): { readonly working: number; readonly blocked: number };
}

/** Which lanes this process owns, where several share a store. */
export interface LaneClaims {
  /** Whether this process owns a lane now. */
  isOurs(lane: string): boolean;
}

/** Another process owns the lane: the task did not run here. */
export class LaneElsewhere extends HiloError<'STORE_UNAVAILABLE'> {
  constructor(lane: string) {
    super('STORE_UNAVAILABLE', { reason: `Another process owns lane ${lane}: nothing was written` });
  }
}

interface Task {
  readonly run: () => Awaitable<void>;
  /** Absent when no caller awaits it. */
  readonly reject?: (error: LaneElsewhere) => void;
}

interface NamedBlock extends NamedLaneBlock {
  readonly block: Block;
  readonly timer: unknown;
}

interface Lane {
  readonly first: Task[];
  readonly queue: Task[];
  /** Nearly always none or one. */
  blocks: readonly NamedBlock[];
  isWorking: boolean;
  /** As of the start of its current task. A task that runs when the lane is lost continues; its results are discarded. */
  isOurs: boolean;
}

/** Lanes being handed over, each with what is called when nothing is in progress. */
interface Leaving {
  readonly lanes: LaneSet;
  readonly release: () => void;
  /** Ends the time that they may take. */
  readonly timer: unknown;
}

/** The longest turn of one lane before the event loop continues: with a driver that answers synchronously it would never end (P20). */
const longestTurnMs = 8;

/** How long lanes that are handed over may take to become idle. The next owner repeats unfinished work under the same keys. */
const restingMs = 5_000;

/**
 * Its turns are one whole: whether a lane is ours, blocked or handed over decides over each of its tasks.
 *
 * @param clock - ends blocks whose time is over
 * @param claims - absent when one process has the store to itself: then it owns every lane
 */
export function createKeyedQueue(clock: Clock, claims?: LaneClaims): KeyedQueue {
  const lanes = new Map<string, Lane>();
  const handovers = createHandovers(clock, lanes);
  let idleListeners: (() => void)[] = [];

  const open = (name: string): Lane => {
    const known = lanes.get(name);
    if (known !== undefined) return known;
    const lane: Lane = { first: [], queue: [], blocks: none, isWorking: false, isOurs: true };
    lanes.set(name, lane);
    return lane;
  };

  const isBlockedNow = ({ blocks }: Lane): boolean => blocks.length > 0 && isBlocked(blocks, clock.now());

  /** The list whose first task may run now. */
  const turn = (lane: Lane): Task[] | undefined => {
    if (lane.first.length > 0) return lane.first;
    return lane.queue.length > 0 && !isBlockedNow(lane) ? lane.queue : undefined;
  };

  const takes = (name: string): boolean => claims === undefined || (claims.isOurs(name) && !handovers.has(name));

  const work = (name: string, lane: Lane): void => {
    if (lane.isWorking) return;
    lane.isWorking = true;
    runTasks(name, lane, clock.now());
  };

  /** Runs the tasks of a lane, one after the other. No promise is made when none of them returns one. */
  const runTasks = (name: string, lane: Lane, sinceMs: number): void => {
    for (;;) {
      lane.isOurs ||= takes(name); // it was lost, and gained again
      if (!lane.isOurs) dismiss(name, lane);
      const list = turn(lane);
      const running = list?.shift()?.run();
      if (list === undefined) break;
      if (running instanceof Promise) return void running.then(() => runTasks(name, lane, sinceMs));
      if (list.length > 0 && clock.now() - sinceMs >= longestTurnMs)
        return void clock.setTimeout(() => runTasks(name, lane, clock.now()), 0);
    }
    rest(name, lane);
  };

  /** Removes a lane that has neither tasks nor blocks. */
  const rest = (name: string, lane: Lane): void => {
    lane.isWorking = false;
    const isHeld = isOnlyHeld(lane);
    if (!isHeld && lane.blocks.length + lane.first.length + lane.queue.length > 0) return;
    if (!isHeld && lanes.get(name) === lane) lanes.delete(name);
    handovers.onRest(name);
    if (idleListeners.length > 0 && isIdle()) {
      const listeners = idleListeners;
      idleListeners = [];
      for (const listener of listeners) listener();
    }
  };

  const isIdle = (): boolean => lanes.size === 0 || [...lanes.values()].every(isOnlyHeld);

  const lose = (lost?: LaneSet): void => {
    if (lost === undefined) handovers.cancelAll(); // a lane may be gained again at once, and must not be released then
    for (const [name, lane] of lanes) {
      if (lost?.has(name) === false) continue;
      for (const { timer } of lane.blocks) clock.clearTimeout(timer);
      lane.blocks = none;
      lane.isOurs = false;
      dismiss(name, lane);
      if (!lane.isWorking) rest(name, lane);
    }
  };

  const leave = (name: string, lane: Lane): void => {
    lane.isWorking = false;
    if (lane.isOurs && turn(lane) === undefined) rest(name, lane);
    else work(name, lane);
  };

  /** Runs a task in an idle lane, and then the tasks that were queued meanwhile. */
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
    if (lane !== undefined && !lane.isWorking) work(name, lane);
  };

  /** Whether a task may enter a lane. While the lane is handed over, only tasks of work in progress may. */
  const mayEnter = (name: string, place: 'first' | 'queue'): boolean =>
    takes(name) || (place === 'first' && claims?.isOurs(name) === true && lanes.get(name)?.isOurs === true);

  const add = <Result>(name: string, place: 'first' | 'queue', task: () => Promise<Result>): Promise<Result> => {
    if (!mayEnter(name, place)) return Promise.reject(new LaneElsewhere(name));
    const lane = open(name);
    const isFree = lane.isOurs && !lane.isWorking && turn(lane) === undefined;
    if (isFree && (place !== 'queue' || !isBlockedNow(lane))) return runNow(name, lane, task);
    return new Promise<Result>((resolve, reject) => {
      lane[place].push({ run: () => task().then(resolve, reject), reject });
      work(name, lane);
    });
  };

  return {
    run: (name, task) => add(name, 'queue', task),
    runFirst: (name, task) => add(name, 'first', task),
    soon(name, task) {
      if (!mayEnter(name, 'first')) return;
      const lane = open(name);
      lane.first.push({ run: task });
      if (!lane.isWorking) work(name, lane);
    },
    tryRun: (name, task) => (lanes.has(name) || !takes(name) ? undefined : runNow(name, open(name), task)),
    isOurs: (name) => claims === undefined || (lanes.get(name)?.isOurs ?? claims.isOurs(name)),
    takes,
    ...createBlocks(clock, { lanes, open, wake }),
    lose,
    giveUp(wanted, onRest) {
      handovers.begin(wanted, () => {
        lose(wanted);
        onRest();
      });
    },
    activity() {
      let [working, blocked] = [0, 0];
      for (const { isWorking, blocks } of lanes.values()) {
        if (isWorking) working += 1;
        if (blocks.length > 0) blocked += 1;
      }
      return { working, blocked };
    },
    whenIdle: () => (isIdle() ? Promise.resolve() : new Promise((resolve) => idleListeners.push(resolve))),
  };
}

/** Rejects the queued tasks of a lane that another process owns. */
function dismiss(name: string, { first, queue }: Pick<Lane, 'first' | 'queue'>): void {
  for (const { reject } of [...first.splice(0), ...queue.splice(0)]) reject?.(new LaneElsewhere(name));
}

/** Whether nothing runs in a lane that is blocked until another release runs, or could run. */
const isOnlyHeld = (lane: Lane): boolean =>
  lane.blocks.length > 0 && !lane.isWorking && lane.first.length === 0 && lane.blocks.every(({ block }) => block.isIdle === true);

/** What blocks set off: the lanes, how one is opened, and how its tasks continue. */
interface BlockedLanes {
  readonly lanes: ReadonlyMap<string, Lane>;
  readonly open: (name: string) => Lane;
  readonly wake: (name: string) => void;
}

/** The blocks of lanes, each of which ends by its name or with its time. */
function createBlocks(clock: Clock, { lanes, open, wake }: BlockedLanes): Pick<KeyedQueue, 'block' | 'unblock' | 'blockOf' | 'blocks'> {
  const find = ({ blocks }: Lane, wanted: string): NamedBlock | undefined => blocks.find(({ name }) => name === wanted);

  /** The other blocks of a lane; the timer of this one is over. */
  const remove = (lane: Lane, wanted: string): readonly NamedBlock[] => {
    clock.clearTimeout(find(lane, wanted)?.timer);
    return lane.blocks.length === 1 && lane.blocks[0]?.name === wanted ? none : lane.blocks.filter(({ name }) => name !== wanted);
  };

  return {
    block(name, blocker, block) {
      const lane = open(name);
      const { untilMs } = block;
      const timer = Number.isFinite(untilMs) ? clock.setTimeout(() => wake(name), Math.max(0, untilMs - clock.now())) : undefined;
      const others = remove(lane, blocker);
      const own = { name: blocker, block, timer };
      lane.blocks = others.length === 0 ? [own] : [...others, own];
    },
    unblock(name, blocker) {
      const lane = lanes.get(name);
      if (lane === undefined || lane.blocks.length === 0) return;
      lane.blocks = remove(lane, blocker);
      wake(name);
    },
    blockOf(name, blocker) {
      const lane = lanes.get(name);
      return lane === undefined ? undefined : find(lane, blocker)?.block;
    },
    blocks: (name) => lanes.get(name)?.blocks ?? none,
  };
}

/** Lanes that are handed over to other processes. */
interface Handovers {
  has(lane: string): boolean;
  /** Dismisses what is queued in some lanes, and releases them once nothing is in progress there, or after a time limit. */
  begin(lanes: LaneSet, release: () => void): void;
  /** Nothing is in progress in a lane any more. */
  onRest(lane: string): void;
  /** Releases nothing of what is under way. */
  cancelAll(): void;
}

function createHandovers(clock: Clock, lanes: ReadonlyMap<string, Lane>): Handovers {
  const leaving = new Set<Leaving>();
  let isReleasing = false;

  const release = (one: Leaving): void => {
    if (isReleasing || !leaving.has(one)) return;
    isReleasing = true;
    clock.clearTimeout(one.timer);
    one.release();
    leaving.delete(one);
    isReleasing = false;
  };
  const releaseIfQuiet = (one: Leaving): void => {
    if (![...lanes].some(([name, lane]) => one.lanes.has(name) && !isOnlyHeld(lane))) release(one);
  };

  return {
    has: (lane) => [...leaving].some((one) => one.lanes.has(lane)),
    begin(wanted, onRelease) {
      const one: Leaving = { lanes: wanted, release: onRelease, timer: clock.setTimeout(() => release(one), restingMs) };
      leaving.add(one);
      for (const [name, lane] of lanes) if (wanted.has(name)) dismiss(name, { first: [], queue: lane.queue });
      releaseIfQuiet(one);
    },
    onRest(lane) {
      for (const one of leaving) if (one.lanes.has(lane)) releaseIfQuiet(one);
    },
    cancelAll() {
      for (const { timer } of leaving) clock.clearTimeout(timer);
      leaving.clear();
    },
  };
}

const none: readonly never[] = [];
