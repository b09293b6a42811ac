import { canvasHash, createMemoryCanvases, createMemoryStore, type Directory, type EngineEvents } from '@hilo/engine';
import {
  type BoundDriver,
  type CanvasStore,
  type Channel,
  type ExecutionStore,
  type JsonObject,
  type NodeDefinition,
} from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import type { TemplateReopensWindow } from '@hilo/nodes/effects';
import { readCanvas } from '../read-canvas.ts';
import { seededRandom } from '../seeded-random.ts';
import { createVirtualClock, virtualStartMs } from '../virtual-clock.ts';
import { converse } from './converse.ts';
import type { Conversation } from './conversation.ts';
import { createExecutionNames } from './execution-names.ts';
import { type Process, startProcess } from './process.ts';
import { createRecordingDrivers, type Fault, type RecordedCall } from './recording-drivers.ts';
import { createWatch } from './settling.ts';
import { callLine, createTranscript, transcribe } from './transcript.ts';
import { type SimulatedUser, simulatedIds } from './world.ts';

/** What `$company` tells, and the plan rules look at. */
export interface SimulatedCompany {
  readonly plan?: string;
  readonly kind?: string;
  readonly settings?: JsonObject;
}

/** Conversations that are over, and whose executions live on in a store. */
export interface EarlierTalk {
  /** How many there were: deliveries of this one have ids that none of theirs has. */
  readonly conversations: number;
  /** All executions of theirs, oldest first. */
  readonly executionIds: readonly string[];
}

/** The circumstances of a simulation; each has a harmless default. */
export interface SimulationOptions {
  /** The workflow that `webhook` calls; the first canvas, when left out. */
  readonly main?: string;
  /** `whatsapp`, when left out. */
  readonly channel?: Channel;
  readonly user?: SimulatedUser;
  /** An enterprise company, which knows no plan limit, when left out. */
  readonly company?: SimulatedCompany;
  /** Milliseconds since the Unix epoch. */
  readonly startAt?: number;
  /** What ids and draws derive from. */
  readonly seed?: number;
  readonly nodes?: readonly NodeDefinition[];
  /** For effects of your own nodes; one for a standard effect takes its place. */
  readonly drivers?: readonly BoundDriver[];
  readonly store?: ExecutionStore;
  readonly canvasStore?: CanvasStore;
  /** What was said before over the same stores, where this conversation goes on with it. */
  readonly continues?: EarlierTalk;
  /** Faults of drivers, by call. */
  readonly faults?: (call: RecordedCall) => Fault | undefined;
  /** WIN-03; true, when left out. */
  readonly enforcesSessionWindow?: boolean;
  /** WIN-02; `onSend`, when left out. */
  readonly templateReopensWindow?: TemplateReopensWindow;
  /** Runs canvases that publishing would refuse, to see what becomes of them. */
  readonly runsUnchecked?: boolean;
}

/** Canvases with the circumstances they run in. */
export interface Simulation extends SimulationOptions {
  /** As JSON, or parsed. All are published, so that they can call each other. */
  readonly canvases: readonly object[];
}

/**
 * Talks to a canvas: in memory, in virtual time, with an engine, drivers and a world that do the same in every run.
 *
 * @example
 * const talk = await simulate(canvas);
 * await talk.says('hello');
 * await talk.passes('2h');
 * expect(talk.transcript()).toContain('bot: Are you still there?');
 *
 * @throws {HiloError} `INVALID_CANVAS` with every problem of a canvas that cannot be published
 */
export async function simulate(subject: object | Simulation): Promise<Conversation> {
  const { canvases: subjects, main, ...options }: Simulation = isSimulation(subject) ? subject : { canvases: [subject] };
  const canvases = subjects.map(readCanvas);
  const mainId = main ?? canvases[0]?.id ?? '';
  const { channel = 'whatsapp', user = { id: '5215512345678', names: 'Ana', phone: '5215512345678' } } = options;

  const names = createExecutionNames();
  for (const executionId of options.continues?.executionIds ?? []) names.add(executionId);
  const transcript = createTranscript(names.named);
  const watch = createWatch();
  const kept = options.store ?? createMemoryStore();
  const store = watch.all(kept, { commit: announcingCommit(kept, names.add) });
  const canvasStore = watch.all(options.canvasStore ?? createMemoryCanvases());
  const clock = createVirtualClock(options.startAt ?? virtualStartMs);
  const drivers = createRecordingDrivers({
    faults: options.faults,
    enforcesSessionWindow: options.enforcesSessionWindow,
    templateReopensWindow: options.templateReopensWindow,
    onCall: (call, fault) => transcript.output(callLine(call, fault)),
  });
  const faults: EngineEvents['engine.fault'][0][] = [];
  const random = seededRandom(options.seed ?? 1);
  const start = (): Process => {
    const process = startProcess({
      nodes: options.nodes ?? standardNodes,
      drivers: [...drivers.drivers, ...(options.drivers ?? [])].map(watch.driver),
      clock,
      random,
      store,
      canvases: canvasStore,
      directory: directoryOf(channel, options.company),
    });
    process.engine.on('engine.fault', (fault) => void faults.push(fault));
    transcribe(process.engine, transcript, mainId, clock);
    return process;
  };
  let process = start();

  for (const canvas of canvases) {
    if (options.runsUnchecked === true) await canvasStore.publish(simulatedIds.companyId, canvas, canvasHash(canvas), clock.now());
    else {
      await process.engine.saveDraft(simulatedIds.companyId, canvas);
      await process.engine.publish(simulatedIds.companyId, canvas.id);
    }
  }
  await process.engine.run();
  const nodeIds = new Map(canvases.map(({ id, nodes }) => [String(id), nodes.find(({ type }) => type === 'webhook')?.id ?? '']));
  const talk = converse({
    get engine() {
      return process.engine;
    },
    async restart() {
      process.kill();
      drivers.forget();
      watch.reset();
      process = start();
      await process.engine.run();
    },
    clock,
    store,
    drivers,
    watch,
    names,
    transcript,
    faults,
    channel,
    user,
    conversations: options.continues?.conversations ?? 0,
    mainId,
    webhookOf: (workflowId) => nodeIds.get(workflowId) ?? '',
  });
  await talk.settles();
  return talk;
}

const isSimulation = (subject: object): subject is Simulation => 'canvases' in subject;

/** Commits, and tells of every execution that is there for the first time. */
const announcingCommit =
  (store: ExecutionStore, tell: (executionId: string) => void): ExecutionStore['commit'] =>
  async (commit) => {
    const committed = await store.commit(commit);
    const created = committed.kind === 'committed' ? commit.saves.filter(({ revision }) => revision === 1) : [];
    for (const { executionId } of created) tell(executionId);
    return committed;
  };

function directoryOf(channel: Channel, { plan = 'enterprise', kind = 'enterprise', settings = {} }: SimulatedCompany = {}): Directory {
  return {
    company: (companyId) => ({ id: companyId, name: 'Company', plan, kind, settings }),
    bot: (_companyId, botId) => ({ id: botId, name: 'Bot', channel }),
  };
}
