import { EventEmitter } from 'eventemitter3';
import { type CanvasLibrary, createCanvasLibrary } from './canvas-library.ts';
import { type NodeTypes, nodeTypes } from './canvas/compile.ts';
import type { Clock, Random } from './contract/clock.ts';
import type { BoundDriver } from './contract/driver.ts';
import type { JsonObject } from './contract/json.ts';
import type { NodeDefinition } from './contract/node.ts';
import type { CanvasStore, ExecutionStore, Queued } from './contract/store.ts';
import type { EngineEvents } from './engine-events.ts';
import { createLanes, type Lanes } from './lanes.ts';
import { createMemoryCanvases } from './stores/memory-canvases.ts';
import { createMemoryStore } from './stores/memory-store.ts';

/** What the engine asks about companies and bots: the `$company` and `$bot` of expressions, and the plan. */
export interface Directory {
  /** `$company`: id, name, plan, kind, settings. */
  company(companyId: string): JsonObject | undefined | Promise<JsonObject | undefined>;
  /** `$bot`: id, name, channel. */
  bot(companyId: string, botId: string): JsonObject | undefined | Promise<JsonObject | undefined>;
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
  readonly drivers: ReadonlyMap<string, BoundDriver>;
  readonly lanes: Lanes;
  readonly events: EventEmitter<EngineEvents>;
  /** Gives something accepted its turn in its lane. */
  readonly process: (queued: Queued) => void;
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
  }: EngineOptions,
  process: (kernel: Kernel, queued: Queued) => void,
): Kernel {
  const types = nodeTypes(nodes);
  const kernel: Kernel = {
    clock,
    random,
    store,
    canvases,
    directory,
    types,
    library: createCanvasLibrary(canvases, types),
    drivers: new Map(drivers.map((driver) => [driver.effect.type, driver])),
    lanes: createLanes(clock),
    events: new EventEmitter<EngineEvents>(),
    process: (queued) => process(kernel, queued),
  };
  return kernel;
}

/** Tells listeners; one that throws is told as a fault and stops nothing. */
export function tell<Name extends keyof EngineEvents>({ events }: Kernel, name: Name, ...args: EngineEvents[Name]): void {
  if (events.listenerCount(name) === 0) return;
  try {
    events.emit<keyof EngineEvents>(name, ...args);
  } catch (error) {
    if (name !== 'engine.fault') events.emit('engine.fault', { error, while: `telling ${name}` });
  }
}
