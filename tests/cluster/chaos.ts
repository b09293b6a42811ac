import type { ClusterProcesses } from './cluster-processes.ts';
import type { FaultKind, Faults } from './faults.ts';
import type { RareState } from './rare-states.ts';
import type { Scheduler } from './scheduler.ts';

/** Injects faults that belong to no call: deaths, hangs, clock jumps, disk errors. */
export interface Chaos {
  /** To be called between any two tasks. */
  strike(): void;
  isDiskFull(): boolean;
}

export interface ChaosOptions {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly processes: () => ClusterProcesses;
  readonly isShared: boolean;
  readonly publish: (choice: number) => void;
  readonly onRare: (state: RareState) => void;
}

/** Most faults of one kind in a run: a run with a death in each step shows nothing. */
const most = 6;
const dayMs = 86_400_000;

export function createChaos({ scheduler, faults, processes, isShared, publish, onRare }: ChaosOptions): Chaos {
  const struck = new Map<FaultKind, number>();
  let diskFullUntilMs = 0;

  const strikes = (kind: FaultKind): boolean => {
    const count = struck.get(kind) ?? 0;
    if (count >= most || !faults.strikes(kind)) return false;
    struck.set(kind, count + 1);
    scheduler.note(kind);
    return true;
  };
  const anyone = (kind: FaultKind) => {
    const candidates = processes()
      .living()
      .filter((process) => kind === 'kill' || !process.isPaused());
    return candidates.length === 0 ? undefined : faults.dice(kind).pick(candidates);
  };

  const kill = (): void => {
    const process = anyone('kill');
    if (process !== undefined) processes().kill(process, faults.dice('kill').pick([10, 1_000, 15_000, 300_000]));
  };

  const pause = (): void => {
    const process = anyone('pause');
    if (process === undefined) return;
    process.pause();
    const forMs = faults.dice('pause').pick([500, 9_000, 12_000, 40_000]);
    scheduler.add('chaos', `${process.name} goes on`, () => process.resume(), forMs);
  };

  const jump = (): void => {
    const dice = faults.dice('clock jump');
    const byMs = dice.pick([-1, 1]) * dice.pick([1_000, 60_000, 3_600_000, dayMs]);
    anyone('clock jump')?.jumpClock(byMs);
    onRare(byMs < 0 ? 'clock went back' : 'clock went forward');
  };

  return {
    isDiskFull: () => scheduler.now() < diskFullUntilMs,
    strike() {
      if (strikes('kill')) kill();
      if (strikes('pause')) pause();
      if (isShared && strikes('early expiry')) anyone('early expiry')?.expire();
      if (!isShared && strikes('clock jump')) jump();
      if (strikes('disk full')) diskFullUntilMs = scheduler.now() + faults.dice('disk full').pick([100, 3_000, 30_000]);
      if (strikes('publish storm')) publish(faults.dice('publish storm').below(1_000));
    },
  };
}
