import { type CanvasLibrary, createCanvasLibrary } from './canvas-library.ts';
import { type NodeTypes, nodeTypes } from './canvas/compile.ts';
import type { Clock, Random } from './contract/clock.ts';
import type { BoundDriver } from './contract/driver.ts';
import type { JsonObject } from './contract/json.ts';
import type { NodeDefinition } from './contract/node.ts';
import type { CanvasStore, ExecutionStore } from './contract/store.ts';
import { createEarlierWebhooks, type EarlierWebhooks } from './earlier-webhooks.ts';
import { createListeners, type Listeners, type RoutedMessage } from './engine-events.ts';
import { createLanes, type Lanes } from './lanes.ts';
import type { Inspect } from './machine/canvas-logic.ts';
import { createMembership, type Membership } from './membership.ts';
import { createMemoryCanvases } from './stores/memory-canvases.ts';
import { createMemoryStore } from './stores/memory-store.ts';

import { untilTaken } from './until-taken.ts';
import { createTimerScheduler, type TimerScheduler } from './timer-scheduler.ts';
import { createSuspects, type Suspects } from './suspects.ts';

/** What the engine asks about companies and bots: the `$company` and `$bot` of expressions, and the plan. */
export interface Directory {
  /** `$company`: id, name, plan, kind, settings. */
  company(companyId: string): JsonObject | undefined | Promise<JsonObject | undefined>;
  /** `$bot`: id, name, channel. */
  bot(companyId: string, botId: string): JsonObject | undefined | Promise<JsonObject | undefined>;
  /** Whether a person talks with this user now: then no message of theirs reaches a workflow. Nobody does, when left out. */
  isAttended?(companyId: string, botId: string, userId: string): boolean | Promise<boolean>;
}

/** What an engine is made of. Time and randomness are arguments: the engine has none of its own. */
export interface EngineOptions {
  readonly nodes: readonly NodeDefinition[];
  readonly drivers?: readonly BoundDriver[];
  readonly clock: Clock;
  readonly random: Random;
  /** In memory, when left out. */
  readonly store?: ExecutionStore;
  readonly canvases?: CanvasStore;
  /** Nobody, when left out: no plan limits any call. */
  readonly directory?: Directory;
  /**
   * Is told by XState what the actor of each execution does, as it advances: its event and its snapshot, before they are
   * committed. For XState's inspector, or a recording; one that throws harms nobody.
   */
  readonly inspect?: Inspect;
}

/** What the parts of the kernel set going in lanes. */
interface Work {
  /** Gives the next accepted thing of a lane its turn. */
  processNext(kernel: Kernel, lane: string, what: { readonly isInternal: boolean }): void;
  /** Gives an accepted message its turn. @returns what came of it, where its turn is now */
  processMessage(kernel: Kernel, lane: string, seq: number): Promise<RoutedMessage | 'queued'>;
  /** Gives all that was accepted for a lane its turn. */
  processAll(kernel: Kernel, lane: string): void;
  /** Takes up what is unfinished in a lane, in the lane's turn. */
  takeUp(kernel: Kernel, lane: string): Promise<void>;
  /** Takes up, in their turn, lanes whose process died. */
  takeUpAfterDeath(kernel: Kernel, lanes: readonly string[]): Promise<void>;
  /** Fires what is due now. @returns how many waits were */
  fireDueTimers(kernel: Kernel): Promise<number>;
  /** Takes up what nobody has. */
  recover(kernel: Kernel): Promise<void>;
}

/** The parts every verb works with. */
export interface Kernel {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: ExecutionStore;
  readonly canvases: CanvasStore;
  readonly directory: Directory;
  readonly types: NodeTypes;
  readonly library: CanvasLibrary;
  readonly earlierWebhooks: EarlierWebhooks;
  readonly drivers: ReadonlyMap<string, BoundDriver>;
  /** Where other processes share the store. */
  readonly membership: Membership | undefined;
  readonly lanes: Lanes;
  readonly events: Listeners;
  readonly inspect: Inspect | undefined;
  readonly timers: TimerScheduler;
  readonly suspects: Suspects;
  readonly processNext: (lane: string, what: { readonly isInternal: boolean }) => void;
  readonly processMessage: (lane: string, seq: number) => Promise<RoutedMessage | 'queued'>;
  readonly processAll: (lane: string) => void;
  readonly takeUp: (lane: string) => Promise<void>;
}

const emptyDirectory: Directory = { company: () => undefined, bot: () => undefined };

export function createKernel(
  {
    nodes,
    drivers = [],
    clock,
    random,
    store = createMemoryStore(),
    canvases = createMemoryCanvases(),
    directory = emptyDirectory,
    inspect,
  }: EngineOptions,
  work: Work,
): Kernel {
  const types = nodeTypes(nodes);
  const events = createListeners();
  const membership =
    store.leases === undefined
      ? undefined
      : createMembership(store.leases, {
          onFree: (lane) => kernel.lanes.wake(lane),
          onQueued: (lane) => work.processNext(kernel, lane, { isInternal: false }),
          onOrphans: () => recoverInBackground(work, kernel),
          onLost() {
            kernel.lanes.lose();
            recoverInBackground(work, kernel); // there may be nobody else
          },
          takeUp: (lane) => untilTaken(kernel, `taking up lane ${lane}`, () => work.takeUpAfterDeath(kernel, [lane])),
        });
  const kernel: Kernel = {
    clock,
    random,
    store,
    canvases,
    directory,
    types,
    library: createCanvasLibrary(canvases, types),
    earlierWebhooks: createEarlierWebhooks(canvases, types, clock),
    drivers: new Map(drivers.map((driver) => [driver.effect.type, driver])),
    membership,
    lanes: createLanes(clock, membership),
    events,
    inspect: inspect === undefined ? undefined : guardedInspect(inspect, events),
    timers: createTimerScheduler({ clock, store, events, fire: () => work.fireDueTimers(kernel) }),
    suspects: createSuspects(clock),
    processNext: (lane, what) => work.processNext(kernel, lane, what),
    processMessage: (lane, seq) => work.processMessage(kernel, lane, seq),
    processAll: (lane) => work.processAll(kernel, lane),
    takeUp: (lane) => work.takeUp(kernel, lane),
  };
  return kernel;
}

const guardedInspect =
  (inspect: Inspect, events: Listeners): Inspect =>
  (event) => {
    try {
      if (typeof inspect === 'function') inspect(event);
      else inspect.next?.(event);
    } catch (error) {
      events.emit('engine.fault', { error, while: 'inspecting an execution' });
    }
  };

function recoverInBackground(work: Work, kernel: Kernel): void {
  work.recover(kernel).catch((error: unknown) => kernel.events.emit('engine.fault', { error, while: 'taking up what was left' }));
}
