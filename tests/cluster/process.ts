// One process of a simulated cluster: its engine, its store and its life.
import { createEngine, type Directory, type Engine } from '@hilo/engine';
import type { BoundDriver, CanvasStore, NodeDefinition } from '@hilo/engine/contract';
import { seededRandom } from '../../packages/simulator/src/seeded-random.ts';
import type { EngineFault } from './evidence.ts';
import type { Faults } from './faults.ts';
import { createGate, type Gate } from './gate.ts';
import type { Life } from './outside.ts';
import type { Scheduler } from './scheduler.ts';
import type { SharedExecutionStore, StoreConnection } from './shared-store.ts';
import { taskClock } from './task-clock.ts';
import { canvasStoreAcross, executionStoreAcross, type StoreSeam } from './store-seam.ts';

/** What a process is started in. */
export interface ProcessSurroundings extends Pick<StoreSeam, 'isDiskFull' | 'onRare'> {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  /** What its ids derive from. */
  readonly seed: number;
  readonly nodes: readonly NodeDefinition[];
  readonly driversFor: (process: string, gate: Gate, life: () => Life) => readonly BoundDriver[];
  readonly store: SharedExecutionStore;
  /** Its lease, where processes share the store. */
  readonly connection?: StoreConnection | undefined;
  readonly canvases: CanvasStore;
  readonly directory: Directory;
  readonly onFault: (fault: EngineFault) => void;
  /** How much has happened so far. */
  readonly order: () => number;
}

/** An engine as a process is: it can die between any two tasks, hang, and be wrong about the time. */
export interface SimulatedProcess {
  readonly name: string;
  readonly engine: Engine;
  readonly gate: Gate;
  isPaused(): boolean;
  /** The time of its clock. */
  nowMs(): number;
  /** Kills it: its memory is lost. */
  kill(): void;
  /** It hangs: its tasks are held back, and its lease runs out. */
  pause(): void;
  resume(): void;
  /** Declares it dead although it is alive. */
  expire(): void;
  jumpClock(byMs: number): void;
  /** Stops it cleanly. */
  stop(): void;
}

export function startProcess(name: string, surroundings: ProcessSurroundings): SimulatedProcess {
  const { scheduler, faults, seed, nodes, connection, canvases, directory, isDiskFull, onRare, onFault } = surroundings;
  const gate = createGate(scheduler, name);
  let [offsetMs, isPaused] = [0, false];
  let life: Life = { lifetime: 1, aliveSince: surroundings.order() };
  const onLost = (): void => {
    life = { ...life, lifetime: life.lifetime + 1 };
  };
  const seam: StoreSeam = { gate, faults, isDiskFull, onLost, onGained: onLost, onRare };
  connection?.notifyBy(gate.notify);
  const engine = createEngine({
    nodes,
    drivers: surroundings.driversFor(name, gate, () => life),
    clock: taskClock(() => scheduler.now() + offsetMs, gate.add),
    random: seededRandom(seed),
    store: { executions: executionStoreAcross(seam, surroundings.store), canvases: canvasStoreAcross(seam, canvases) },
    directory,
  });
  engine.on('message.held', () => onRare('message held back'));
  engine.on('engine.fault', ({ error, while: doing }) => onFault({ process: name, error, while: doing }));

  return {
    name,
    engine,
    gate,
    isPaused: () => isPaused,
    nowMs: () => scheduler.now() + offsetMs,
    kill() {
      gate.shut(() => faults.dice('kill').chance(0.5));
      connection?.fallSilent();
    },
    pause() {
      isPaused = true;
      scheduler.hold(name);
      connection?.fallSilent();
    },
    resume() {
      if (gate.isShut()) return;
      isPaused = false;
      scheduler.resume(name);
      connection?.speak();
    },
    expire: () => connection?.expire(),
    jumpClock(byMs) {
      offsetMs += byMs;
    },
    stop: () => void engine.stop(),
  };
}
