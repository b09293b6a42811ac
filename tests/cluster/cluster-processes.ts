import type { CanvasStore, ExecutionStore } from '@hilo/engine/contract';
import { HiloError } from '@hilo/engine/contract';
import { type ProcessSurroundings, type SimulatedProcess, startProcess } from './process.ts';
import type { SharedExecutionStore, SharedStore } from './shared-store.ts';

/** The processes of a cluster: as many as planned, as far as they are alive. */
export interface ClusterProcesses {
  /** Live processes, including hung ones. */
  living(): readonly SimulatedProcess[];
  /** Started processes, which accept calls. */
  serving(): readonly SimulatedProcess[];
  /** Starts all that should be there and are not. */
  fill(): void;
  /** Kills a process; another replaces it after a time. */
  kill(process: SimulatedProcess, downMs: number): void;
  /** Replaces an idle process by one with empty memory. */
  replace(process: SimulatedProcess): void;
  /** Resumes every hung process. */
  resumeAll(): void;
  /** Told of each death, before anything else happens. */
  onDeath(listener: (name: string) => void): void;
}

export interface ClusterProcessesOptions extends Omit<ProcessSurroundings, 'store' | 'connection' | 'canvases'> {
  /** How many processes there should be. */
  readonly count: number;
  readonly store: SharedStore | ExecutionStore;
  readonly canvases: CanvasStore;
  /** Told of every write, by the process that makes it. */
  readonly watched: (process: string, store: SharedExecutionStore) => SharedExecutionStore;
}

/** The pause before another start after a failed one. */
const retryMs = 1_000;

export function createClusterProcesses({ count, store, watched, ...surroundings }: ClusterProcessesOptions): ClusterProcesses {
  const { scheduler } = surroundings;
  const living = new Map<number, SimulatedProcess>();
  const serving = new Set<SimulatedProcess>();
  const listeners: ((name: string) => void)[] = [];
  let started = 0;

  const start = (slot: number): void => {
    started += 1;
    const name = `p${slot}#${started}`;
    const connection = 'connect' in store ? store.connect() : undefined;
    const process = startProcess(name, {
      ...surroundings,
      seed: surroundings.seed * 1_009 + started,
      store: watched(name, connection?.store ?? (store as ExecutionStore)),
      connection,
    });
    living.set(slot, process);
    process.gate.add('run', () => {
      process.engine.start().then(
        () => void serving.add(process),
        (error: unknown) => {
          if (error instanceof HiloError) end(process, retryMs);
          else surroundings.onFault({ process: name, error, while: 'starting' });
        },
      );
    });
  };

  const slotOf = (process: SimulatedProcess): number => [...living].find(([, other]) => other === process)?.[0] ?? -1;

  const end = (process: SimulatedProcess, downMs: number): void => {
    const slot = slotOf(process);
    if (slot < 0) return;
    process.kill();
    living.delete(slot);
    serving.delete(process);
    for (const listener of listeners) listener(process.name);
    scheduler.add(
      'cluster',
      `start p${slot}`,
      () => {
        if (!living.has(slot)) start(slot);
      },
      downMs,
    );
  };

  return {
    living: () => [...living.values()],
    serving: () => [...living.values()].filter((process) => serving.has(process)),
    fill() {
      for (let slot = 1; slot <= count; slot += 1) if (!living.has(slot)) start(slot);
    },
    kill: end,
    replace(process) {
      const slot = slotOf(process);
      process.stop();
      end(process, 0);
      if (slot >= 0) start(slot);
    },
    resumeAll() {
      for (const process of living.values()) if (process.isPaused()) process.resume();
    },
    onDeath: (listener) => void listeners.push(listener),
  };
}
