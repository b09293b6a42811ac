// Runs a plan of faults against a simulated cluster, and gathers the evidence.
import { createMemoryCanvases, createMemoryStore, type Directory } from '@hilo/engine';
import { canvasHash } from '@hilo/engine/store-kit';
import type { Canvas, ExecutionStore, NodeDefinition } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { readCanvas } from '../../packages/simulator/src/read-canvas.ts';
import { simulatedIds } from '../../packages/simulator/src/simulation/world.ts';
import { virtualStartMs } from '../../packages/simulator/src/virtual-clock.ts';
import { createCallers } from './callers.ts';
import { libraryOf } from './canvas-library.ts';
import { clusterCanvases, randomCanvases } from './canvases.ts';
import { createChaos } from './chaos.ts';
import { createCommands } from './commands.ts';
import { createClusterProcesses } from './cluster-processes.ts';
import { createDice, hashText } from './dice.ts';
import type { Evidence } from './evidence.ts';
import { createFaults } from './faults.ts';
import { createOutside } from './outside.ts';
import type { ClusterPlan } from './plan.ts';
import type { SimulatedProcess } from './process.ts';
import { type RareState, rareStatesIn } from './rare-states.ts';
import { createRecording } from './recording.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { createSharedStore } from './shared-store.ts';
import { taskClock } from './task-clock.ts';
import { createUsers } from './users.ts';

/** The parts of a cluster, besides its plan. */
export interface ClusterParts {
  /** In place of the canvases that the plan chooses. */
  readonly canvases?: readonly object[] | undefined;
  readonly nodes?: readonly NodeDefinition[] | undefined;
  /** Keeps the lines of the trace, to be read by a person. */
  readonly keepsTrace?: boolean | undefined;
}

/** A run that is over. */
export interface ClusterRun {
  readonly evidence: Evidence;
  /** The rare states that were reached. */
  readonly rare: ReadonlySet<RareState>;
  readonly traceHash: string;
  readonly trace: readonly string[];
  /** How many tasks were run. */
  readonly steps: number;
  /** How much time passed inside, in milliseconds. */
  readonly simulatedMs: number;
}

const { companyId } = simulatedIds;
/** A run with more steps is in an endless loop. */
const maxSteps = 100_000;
/** After so long without an event, time leaps: engines on a shared store poll it every few seconds without end. */
const leapAfterMs = 20_000;
/** The quiet at the end: longer than any pause between two tries of a node. */
const quietMs = 2 * 3_600_000;
/** After a jump of the clock a timer may be a day late: clocks are not read more often. */
const quietAfterJumpMs = 26 * 3_600_000;

/** Runs a plan until all is quiet. Two runs of one plan are identical, bit for bit. */
export async function runPlan(plan: ClusterPlan, parts: ClusterParts = {}): Promise<ClusterRun> {
  const { seed, mode, isShared } = plan;
  const scheduler = createScheduler({ seed, startMs: virtualStartMs, keepsTrace: parts.keepsTrace ?? false });
  const faults = createFaults(seed, plan.faults);
  const rare = new Set<RareState>();
  const onRare = (state: RareState): void => void rare.add(state);
  const nodes = parts.nodes ?? standardNodes;
  const canvases = (parts.canvases ?? (plan.family === undefined ? clusterCanvases : randomCanvases(plan.family))).map(readCanvas);
  const recording = createRecording(scheduler.now, onRare);

  const shared = isShared
    ? createSharedStore(
        taskClock(scheduler.now, (label, run, delayMs) => scheduler.add('database', label, run, delayMs)),
        { onRare },
      )
    : undefined;
  const contents: ExecutionStore = shared?.contents ?? createMemoryStore();
  const canvasStore = createMemoryCanvases();
  for (const canvas of canvases) await canvasStore.publish(companyId, canvas, canvasHash(canvas), scheduler.now());
  const published = new Map(canvases.map((canvas) => [canvasHash(canvas), canvas]));
  const canvasOf = libraryOf(published, nodes);

  const rememberedCanvases = {
    ...canvasStore,
    async saveDraft(company: string, canvas: Canvas, hash: string) {
      published.set(hash, canvas);
      await canvasStore.saveDraft(company, canvas, hash);
    },
  };

  const users = createUsers({
    scheduler,
    dice: createDice(seed, 'answers'),
    answering: plan.answering,
    says: (userId, text) => commands.says(userId, text),
  });
  const outside = createOutside({
    faults,
    nowMs: scheduler.now,
    onEffect: recording.effect,
    onMessage: ({ userId }) => users.hear(userId),
  });
  const chaos = createChaos({
    scheduler,
    faults,
    processes: () => processes,
    isShared,
    publish: (choice) => commands.do({ kind: 'publishes', atMs: 0, user: 0, choice, copies: 1 }),
    onRare,
  });
  const processes = createClusterProcesses({
    count: plan.processes,
    scheduler,
    faults,
    seed,
    nodes,
    driversFor: outside.driversFor,
    store: shared ?? contents,
    canvases: rememberedCanvases,
    directory,
    isDiskFull: chaos.isDiskFull,
    watched: recording.watched,
    onRare,
    onFault: recording.fault,
    order: recording.order,
  });
  const callers = createCallers({
    scheduler,
    processes,
    faults,
    dice: createDice(seed, 'callers'),
    onAnswer: recording.answer,
    onFault: recording.fault,
    onRare,
  });
  const commands = createCommands({
    callers,
    canvases,
    users: plan.users,
    executions: recording.executions,
    canvasOf,
    onRare,
  });

  processes.fill();
  for (const command of plan.commands) scheduler.add('outside', command.kind, () => commands.do(command), command.atMs + 1);
  let [lastDone, lastDoneMs] = [0, scheduler.now()];
  /** Runs until nothing is left to do by that time. @returns whether that was reached */
  const runUntil = async (untilMs: number): Promise<boolean> => {
    while (scheduler.steps() < maxSteps) {
      const done = recording.progress();
      if (done > lastDone) [lastDone, lastDoneMs] = [done, scheduler.now()];
      if (isShared && scheduler.now() - lastDoneMs > leapAfterMs && processes.living().every(({ gate }) => gate.open() === 0)) {
        const dueMs = await contents.nextDueMs();
        if (scheduler.leap(isNoProcess, Math.min(untilMs, dueMs ?? untilMs))) lastDoneMs = scheduler.now();
      }
      if (!(await scheduler.step(untilMs))) return true;
      chaos.strike();
      if (mode === 'always-suspend') for (const process of processes.living()) if (isIdle(scheduler, process)) forget(process);
    }
    return false;
  };
  let forgottenAt = 0;
  const forget = (process: SimulatedProcess): void => {
    // Only what did something has something to forget.
    if (forgottenAt === recording.order()) return;
    forgottenAt = recording.order();
    processes.replace(process);
  };

  const lastMs = Math.max(0, ...plan.commands.map(({ atMs }) => atMs));
  await runUntil(virtualStartMs + lastMs + 60_000);
  users.fallSilent();
  faults.end();
  processes.resumeAll();
  const isCalm = await runUntil(scheduler.now() + (plan.faults['clock jump'] === undefined ? quietMs : quietAfterJumpMs));
  commands.releaseAll();
  const isAtRest = isCalm && (await runUntil(scheduler.now() + quietMs));

  const evidence = await recording.end(contents, {
    unanswered: callers.unanswered(),
    endMs: processes.living()[0]?.nowMs() ?? scheduler.now(),
    canvasOf,
    isQuiet: isAtRest,
    isPunctual: Object.keys(plan.faults).length === 0,
  });
  for (const state of rareStatesIn(evidence)) rare.add(state);
  scheduler.note(`left ${hashText(JSON.stringify(recording.executions()))}`);
  return {
    evidence,
    rare,
    traceHash: scheduler.traceHash(),
    trace: scheduler.trace,
    steps: scheduler.steps(),
    simulatedMs: scheduler.now() - virtualStartMs,
  };
}

const isNoProcess = (owner: string): boolean => !owner.includes('#');

/** Nothing is in progress: the remaining work is due later, or another process's. */
const isIdle = (scheduler: Scheduler, { name, gate, engine }: SimulatedProcess): boolean =>
  gate.open() === 0 && engine.activity().working === 0 && scheduler.of(name).every(({ dueMs }) => dueMs > scheduler.now());

const directory: Directory = {
  company: (id) => ({ id, name: 'Company', plan: 'enterprise', kind: 'enterprise', settings: {} }),
  bot: (_companyId, id) => ({ id, name: 'Bot', channel: 'whatsapp' }),
};
