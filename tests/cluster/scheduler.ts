import { turn } from '../../packages/simulator/src/virtual-clock.ts';
import { createDice, hashText } from './dice.ts';

/** One thing that can happen, at once or at its time. */
export interface Task {
  /** Names it in the trace: two runs of one seed have the same labels in the same order. */
  readonly label: string;
  readonly dueMs: number;
  /** Who does it: held back and dropped with all else of this owner. */
  readonly owner: string;
  run(): void;
}

/** Decides what happens next: of all that is ready, what the seed draws. Time moves only when nothing is ready. */
export interface Scheduler {
  now(): number;
  /** @returns removes the task */
  add(owner: string, label: string, run: () => void, delayMs?: number): () => void;
  /** Tasks of this owner that have not been run. */
  of(owner: string): readonly Task[];
  /** Forgets all tasks of an owner. */
  drop(owner: string): void;
  /** Keeps an owner's tasks from being run until `resume`. */
  hold(owner: string): void;
  resume(owner: string): void;
  /**
   * Runs the next task, and all that it sets off at once.
   *
   * @param untilMs - time moves no further than this
   * @returns `false` when nothing is left to run until then
   */
  step(untilMs: number): Promise<boolean>;
  /**
   * Advances time at once when nothing is ready: to the next task of an owner that counts, or to an instant. Tasks of other owners that
   * are due by then run late.
   *
   * @returns whether time advanced
   */
  leap(counts: (owner: string) => boolean, untilMs: number): boolean;
  /** Writes a line into the trace. */
  note(line: string): void;
  /** Of everything that happened so far, in its order: the same for every run of the same seed. */
  traceHash(): string;
  /** Lines of the trace, when they are kept. */
  readonly trace: readonly string[];
  /** How many tasks were run. */
  steps(): number;
}

export interface SchedulerOptions {
  readonly seed: number;
  /** Milliseconds since the Unix epoch. */
  readonly startMs: number;
  /** Keeps the lines of the trace, to be read by a person. */
  readonly keepsTrace?: boolean;
}

export function createScheduler({ seed, startMs, keepsTrace = false }: SchedulerOptions): Scheduler {
  const dice = createDice(seed, 'schedule');
  /** Tasks that are due, and the others. */
  const ready: Task[] = [];
  const later = new Set<Task>();
  const held = new Set<string>();
  const trace: string[] = [];
  let [high, low] = [0, 0];
  let nowMs = startMs;
  let steps = 0;

  const note = (line: string): void => {
    low = hashText(line, low);
    high = hashText(line, high ^ low);
    if (keepsTrace) trace.push(`${nowMs - startMs} ${line}`);
  };

  const remove = (task: Task): void => {
    if (later.delete(task)) return;
    const index = ready.indexOf(task);
    if (index >= 0) ready.splice(index, 1);
  };

  /** Makes due tasks ready, in the order of their times. */
  const ripen = (): void => {
    const ripe = [...later].filter(({ dueMs }) => dueMs <= nowMs).sort((a, b) => a.dueMs - b.dueMs);
    for (const task of ripe) {
      later.delete(task);
      ready.push(task);
    }
  };

  const eligible = (): readonly Task[] => (held.size === 0 ? ready : ready.filter(({ owner }) => !held.has(owner)));

  const draw = (): Task | undefined => {
    const tasks = eligible();
    return tasks.length === 0 ? undefined : tasks[dice.below(tasks.length)];
  };

  /** Moves time to the next task that may be run. */
  const wait = (untilMs: number): boolean => {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { owner, dueMs } of later) if (dueMs < nextMs && !held.has(owner)) nextMs = dueMs;
    if (nextMs > untilMs || nextMs === Number.POSITIVE_INFINITY) return false;
    nowMs = nextMs;
    ripen();
    return true;
  };

  return {
    now: () => nowMs,
    add(owner, label, run, delayMs = 0) {
      const task: Task = { owner, label, run, dueMs: nowMs + Math.max(0, delayMs) };
      if (delayMs > 0) later.add(task);
      else ready.push(task);
      return () => remove(task);
    },
    of: (owner) => [...ready, ...later].filter((task) => task.owner === owner),
    drop(owner) {
      for (const task of [...ready, ...later]) if (task.owner === owner) remove(task);
    },
    hold: (owner) => void held.add(owner),
    resume: (owner) => void held.delete(owner),
    async step(untilMs) {
      let task = draw();
      while (task === undefined && wait(untilMs)) task = draw();
      if (task === undefined) return false;
      remove(task);
      steps += 1;
      note(`${task.owner} ${task.label}`);
      task.run();
      await turn(); // its consequences run before the next task is drawn
      return true;
    },
    leap(counts, untilMs) {
      if (eligible().length > 0) return false;
      let nextMs = untilMs;
      for (const { owner, dueMs } of later) if (dueMs < nextMs && counts(owner)) nextMs = dueMs;
      if (nextMs <= nowMs) return false;
      nowMs = nextMs;
      ripen();
      return true;
    },
    note,
    traceHash: () => `${hex(high)}${hex(low)}`,
    trace,
    steps: () => steps,
  };
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');
