// What the parts of a running engine share, and what a host gives it.
import { type CompiledNode, type NodeTypes, nodeTypes } from '../canvas/compile.ts';
import type { WriteResumeUrl } from '../contract/callback.ts';
import type { Clock, Digest, Random } from '../contract/clock.ts';
import type { BoundDriver } from '../contract/driver.ts';
import type { Origin } from '../contract/execution.ts';
import type { JsonObject } from '../contract/json.ts';
import type { NodeDefinition } from '../contract/node.ts';
import type { CanvasStore, ExecutionStore, HeldSignal, LaneSet } from '../contract/store.ts';
import type { LaneCall, LaneReply } from '../lane/calls.ts';
import type { Inspect } from '../machine/canvas-logic.ts';
import { createMemoryCanvases } from '../memory/canvas-store.ts';
import { createMemoryStore } from '../memory/execution-store.ts';
import { systemClock, systemDigest, systemRandom, systemTurn } from '../node.ts';
import { type CanvasLibrary, createCanvasLibrary } from './canvas-library.ts';
import { type CrashTracker, createCrashTracker } from './crash-tracker.ts';
import { type Listeners, createListeners } from './events.ts';
import { createFinishes, type Finishes } from './finishes.ts';
import { createDueReader, type DueReader } from './due-reader.ts';
import { createHeldTimers, type HeldTimers } from './held-timers.ts';
import { randomHex } from '../machine/new-execution.ts';
import { createJoinedDeliveries, type JoinedDeliveries } from './joined-deliveries.ts';
import { type KeyedQueue, createKeyedQueue } from './keyed-queue.ts';
import { createLaneOwnership, type LaneOwnership, type Reach } from './lane-ownership.ts';
import type { Cell, LaneRuntime } from './lane-runtime.ts';
import { createMeetings, type Meetings } from './meetings.ts';
import { createPreparedMigrations, type PreparedMigrations } from './prepared-migrations.ts';
import { createRecoveries, type Recoveries } from './recoveries.ts';
import { type TimerScheduler, createTimerScheduler } from './timer-scheduler.ts';
import { createTurns, type Turns } from './turns.ts';

/** An open question whose timer is due. Instants are in milliseconds since the Unix epoch. */
export interface PausableQuestion {
  readonly companyId: string;
  readonly botId: string;
  readonly userId: string;
  readonly openedAtMs: number;
  readonly dueAtMs: number;
}

/** The engine's view of companies and bots: `$company` and `$bot` of expressions, and the plan. */
export interface Directory {
  /**
   * `$company`: id, name, plan, kind, settings.
   *
   * @param route - of the execution that asks: what runs drafts may have settings of its own
   */
  company(companyId: string, route?: Origin['route']): JsonObject | undefined | Promise<JsonObject | undefined>;
  /** `$bot`: id, name, channel. */
  bot(companyId: string, botId: string): JsonObject | undefined | Promise<JsonObject | undefined>;
  /** Whether this user is in a conversation with an operator, so that no message of theirs reaches a workflow. Default: never. */
  isAttended?(companyId: string, botId: string, userId: string): boolean | Promise<boolean>;
  /** The id of the campaign that a message of this user answers, which `$campaign` holds. Default: none. */
  campaign?(companyId: string, botId: string, userId: string): string | undefined | Promise<string | undefined>;
  /**
   * Until when the timer of a question is put off, since a person talks with the user: the time of a question stands still meanwhile.
   * Undefined where it may fire. Default: never.
   */
  questionPausedUntil?(question: PausableQuestion): number | undefined | Promise<number | undefined>;
  /** The id of the workflow that is started with `$input.failure` when an execution fails; never for its own failures. None, when left out. */
  failureWorkflow?(companyId: string): string | undefined | Promise<string | undefined>;
  /** Whether a bot is one for tests: what is said to it starts drafts, as they are saved then, and nothing that is published. Default: never. */
  startsDrafts?(companyId: string, botId: string): boolean;
  /** Whether a workflow is archived: nothing starts it, while its executions, and calls of it by other workflows, go on. Default: never. */
  isArchived?(companyId: string, workflowId: string): boolean;
}

/** The stores of an engine: executions, and the canvases that they run. */
export interface EngineStore {
  readonly executions: ExecutionStore;
  readonly canvases: CanvasStore;
}

/** One piece of an engine's work, for a trace: ids, types and names, and nothing that a user wrote. */
export interface TracedWork {
  readonly name: 'advance' | 'effect';
  readonly companyId: string;
  readonly executionId: string;
  /** The event that an execution advances by, or the effect that is performed. */
  readonly type: string;
  readonly nodeId?: string;
}

/** Wraps a piece of work, for example in a span: calls it once, synchronously, and returns its result. */
export type Trace = <Answer>(what: TracedWork, work: () => Answer) => Answer;

/** The options of an engine. */
export interface EngineOptions {
  /** The node types that canvases may use: `standardNodes` of `@hilo/nodes`, and those of the host. */
  readonly nodes: readonly NodeDefinition[];
  /** The drivers of effects. A canvas with an effect without a driver cannot be published. */
  readonly drivers?: readonly BoundDriver[];
  /** Default: the machine's time. */
  readonly clock?: Clock;
  /** Default: the machine's randomness. */
  readonly random?: Random;
  /** SHA-256. Default: the machine's own; all give the same keys. */
  readonly digest?: Digest;
  /** Writes the addresses of callbacks: `resumeUrl` in canvases. Pure. Default: none, and texts with one fail. */
  readonly resumeUrl?: WriteResumeUrl;
  /** Default: in memory. */
  readonly store?: EngineStore;
  /** Default: none; no plan limits any call. */
  readonly directory?: Directory;
  /**
   * Receives XState's inspection events of each execution's actor as it advances: its event and its snapshot, before the commit. For
   * XState's inspector, or a recording; an error that it throws is ignored.
   */
  readonly inspect?: Inspect;
  /** Forwards calls to other processes that share `store`. Default: calls go through the store. */
  readonly reach?: Reach;
  /** Keeps lanes elsewhere than in `store`, which is then a read model of them. Default: this process and the store. */
  readonly runtime?: CreateLaneRuntime;
  /** The users that this engine serves, where cells divide them. Default: all. */
  readonly cell?: Cell;
  /** Wraps each advance with its commit, and each call of a driver. */
  readonly trace?: Trace;
}

/** Creates a runtime with the parts of the engine that it needs. */
export type CreateLaneRuntime = (engine: EngineContext) => LaneRuntime;

/** What signals and waits have in common: a wait takes a signal of its topic alone. */
export type Topic = Pick<HeldSignal, 'companyId' | 'name' | 'correlation'>;

/** Functions that lower parts of the engine call: injected once, by `createEngine`, so that imports point one way. */
interface LaneWork {
  /** Gives the next accepted item of a lane its turn. */
  processNext(context: EngineContext, lane: string, what: { readonly isInternal: boolean }): void;
  /** Makes what gives held signals to the waits for them; none are given, when left out. */
  createDeliveries?(context: () => EngineContext): (topic: Topic) => void;
  /** Recovers unfinished work of a lane, in the lane's turn. */
  recoverLane(context: EngineContext, lane: string): Promise<void>;
  /** Recovers unfinished work of earlier processes: everywhere, or in some lanes. @param onListed - called when it is listed */
  recover(context: EngineContext, lanes?: LaneSet, onListed?: () => void): Promise<void>;
  /** Takes a call that another process handed over. */
  takeHandedCall(context: EngineContext, lane: string, call: LaneCall): Promise<LaneReply | undefined>;
  /** Fires a slice of the due timers. @returns how many */
  fireDueTimers(context: EngineContext): Promise<number>;
}

/** The parts every verb works with. */
export interface EngineContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
  readonly store: ExecutionStore;
  readonly canvases: CanvasStore;
  readonly directory: Directory;
  readonly types: NodeTypes;
  readonly library: CanvasLibrary;
  readonly migrations: PreparedMigrations;
  readonly drivers: ReadonlyMap<string, BoundDriver>;
  /** Ownership of lanes, where other processes share the store. */
  readonly ownership: LaneOwnership | undefined;
  /** The slots that this engine serves; all when undefined. */
  readonly cell: Cell | undefined;
  /** The runtime that keeps lanes; undefined when this process and the store do. */
  readonly runtime: LaneRuntime | undefined;
  readonly lanes: KeyedQueue;
  readonly events: Listeners;
  readonly inspect: Inspect | undefined;
  readonly trace: Trace | undefined;
  readonly timers: TimerScheduler;
  readonly heldTimers: HeldTimers;
  readonly dueTimers: DueReader;
  readonly turns: Turns;
  /** Callers that wait for the answer of a canvas. */
  readonly finishes: Finishes;
  readonly crashTracker: CrashTracker;
  readonly recoveries: Recoveries;
  readonly joinedDeliveries: JoinedDeliveries;
  /** Takes events of persons who are not known yet one after the other. */
  readonly meetings: Meetings;
  /** The starts at which the work of a message was used up, as far as that was said: once for each version of a canvas. */
  readonly overBudgetStarts: WeakSet<CompiledNode>;
  readonly processNext: (lane: string, what: { readonly isInternal: boolean }) => void;
  /** Gives held signals to the waits for them, in the background. */
  readonly deliverHeld: (topic: Topic) => void;
  readonly recoverLane: (lane: string) => Promise<void>;
}

const emptyDirectory: Directory = { company: () => undefined, bot: () => undefined };

export function createContext(
  {
    nodes,
    drivers = [],
    clock = systemClock,
    random = systemRandom,
    digest = systemDigest,
    resumeUrl,
    store: { executions: store, canvases } = { executions: createMemoryStore(), canvases: createMemoryCanvases() },
    directory = emptyDirectory,
    inspect,
    runtime,
    reach,
    cell,
    trace,
  }: EngineOptions,
  work: LaneWork,
): EngineContext {
  const types = nodeTypes(nodes);
  const events = createListeners();
  const heldTimers = createHeldTimers();
  const ownership =
    store.leases === undefined || runtime !== undefined
      ? undefined
      : createLaneOwnership(store.leases, reach, {
          onWanted: (lanes, release) => context.lanes.giveUp(lanes, release),
          onQueued: (lane) => work.processNext(context, lane, { isInternal: false }),
          recover(lanes, onListed) {
            context.timers.lookUp(); // there may be an earlier wait than any of this process's own
            return work.recover(context, lanes, onListed);
          },
          takes: (lane) => context.lanes.takes(lane),
          lose: () => context.lanes.lose(),
          takeHanded: (lane, call) => work.takeHandedCall(context, lane, call),
          newKey: () => randomHex(random, 16),
          fault: (error, doing) => events.emit('engine.fault', { error, while: doing }),
        });
  const lanes = createKeyedQueue(clock, ownership);
  const context: EngineContext = {
    clock,
    random,
    digest,
    store,
    canvases,
    directory,
    types,
    library: createCanvasLibrary(canvases, { types, digest, clock, resumeUrl }),
    migrations: createPreparedMigrations(),
    drivers: new Map(drivers.map((driver) => [driver.effect.type, driver])),
    ownership,
    cell,
    runtime: undefined,
    lanes,
    events,
    inspect: inspect === undefined ? undefined : guardInspect(inspect, events),
    trace,
    turns: createTurns({ inNextTurn: systemTurn, now: () => clock.now() }),
    finishes: createFinishes(clock, events),
    timers: createTimerScheduler({ clock, store, events, held: heldTimers, fire: () => work.fireDueTimers(context) }),
    heldTimers,
    dueTimers: createDueReader({ store, clock, lanes, held: heldTimers }),
    crashTracker: createCrashTracker({ clock, store, events }),
    recoveries: createRecoveries(clock),
    joinedDeliveries: createJoinedDeliveries(ownership === undefined ? store : undefined),
    meetings: createMeetings(store),
    overBudgetStarts: new WeakSet(),
    processNext: (lane, what) => work.processNext(context, lane, what),
    deliverHeld: work.createDeliveries?.(() => whole) ?? (() => undefined),
    recoverLane: (lane) => work.recoverLane(context, lane),
  };
  const whole: EngineContext = runtime === undefined ? context : { ...context, runtime: runtime(context) };
  return whole;
}

const guardInspect =
  (inspect: Inspect, events: Listeners): Inspect =>
  (event) => {
    try {
      if (typeof inspect === 'function') inspect(event);
      else inspect.next?.(event);
    } catch (error) {
      events.emit('engine.fault', { error, while: 'inspecting an execution' });
    }
  };
