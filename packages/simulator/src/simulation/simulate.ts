// Begins a simulation.
import { createMemoryCanvases, createMemoryStore, type Directory, type Engine, type EngineEvents } from '@hilo/engine';
import {
  type BoundDriver,
  type Canvas,
  type CanvasStore,
  type Channel,
  type ContactField,
  type EffectDefinition,
  type ExecutionStore,
  type Json,
  type JsonObject,
  type NodeDefinition,
} from '@hilo/engine/contract';
import { compileCanvas, type CompiledCanvas, type NodeTypes, nodeTypes } from '@hilo/engine/debug';
import { canvasHash } from '@hilo/engine/store-kit';
import { standardNodes } from '@hilo/nodes';
import type { TemplateReopensWindow } from '@hilo/nodes/effects';
import { readCanvas } from '../read-canvas.ts';
import { readPlace } from '../script/script-input.ts';
import { seededRandom } from '../seeded-random.ts';
import { createVirtualClock, type VirtualClock, virtualStartMs } from '../virtual-clock.ts';
import { type Conversation, whyUnmatched } from './conversation.ts';
import { introduceUser, placeUser, tellOperator } from './act.ts';
import { converse } from './converse.ts';
import { createDesk, type Desk } from './desk.ts';
import { createAddresses } from './addresses.ts';
import { type Campaigns, createCampaigns } from './campaigns.ts';
import { namedFields, readClockRules } from './clock-starts.ts';
import { type Process, startProcess } from './process.ts';
import { type CompanyDirectory, findIn } from './company-directory.ts';
import type { Fault, RecordedCall } from './recorded-call.ts';
import { createRecordingDrivers, type RecordingDrivers, type RecordingOptions } from './recording-drivers.ts';
import { createWatch } from './settling.ts';
import { callLine, createTranscript, outcomeLine, transcribe, type Transcript } from './transcript.ts';
import { createExecutionNames, simulatedIds, type SimulatedUser, type SimulationObserver } from './world.ts';

/** The company, as `$company` has it and plan rules read it. */
export interface SimulatedCompany {
  /** Its id and name in `$company`; `1` and `Company`, when left out. */
  readonly id?: string;
  readonly name?: string;
  readonly plan?: string;
  /** `self-service` where it has a plan and none is named, as in a workspace; `enterprise`, whose calls no plan limits, without a plan. */
  readonly kind?: string;
  /** Its IANA time zone. */
  readonly timeZone?: string;
  /** How it writes numbers and dates, such as `es-PE`. */
  readonly locale?: string;
  /** The workflow that is started with `$input.failure` when an execution fails. */
  readonly failureWorkflowId?: string;
  readonly settings?: JsonObject;
  /** The fields that it keeps of contacts, of any type where none is given; those that its canvases name, when left out. */
  readonly fields?: readonly (Pick<ContactField, 'key' | 'options'> & Partial<Pick<ContactField, 'type'>>)[];
  /** What its canvases find by name. Of what is left out, everything is found. */
  readonly directory?: CompanyDirectory;
}

/** The circumstances of a simulation; each has a harmless default. */
export interface SimulationOptions {
  /** The workflow that `webhook` calls; the first canvas, when left out. */
  readonly main?: string;
  /** `whatsapp`, when left out. */
  readonly channel?: Channel;
  readonly user?: SimulatedUser;
  /** Its id and name in `$bot`, and the bot whose templates can be sent; `bot` and `Bot`, when left out. */
  readonly bot?: { readonly id: string; readonly name: string };
  /** An enterprise company, without plan limits, when left out. */
  readonly company?: SimulatedCompany;
  /** Milliseconds since the Unix epoch. */
  readonly startAt?: number;
  /** What ids and draws derive from. */
  readonly seed?: number;
  readonly nodes?: readonly NodeDefinition[];
  /** Drivers for effects of your own nodes; one for a standard effect replaces it. */
  readonly drivers?: readonly BoundDriver[];
  /**
   * Effects of your own nodes without a driver: their calls stay pending, like those of a model, a function, a database, a SOAP service
   * and a payment, and the transcript shows how to answer one.
   */
  readonly asks?: readonly EffectDefinition[];
  /**
   * Answers calls that would be pending; a call stays pending for `undefined`. `sampleAnswer` answers all but those of `http.request`,
   * whose answer is its whole result, or for short `{ status, headers, body }` or the reason of its silence, such as `timeout`.
   */
  readonly answers?: (call: RecordedCall) => Json | undefined;
  readonly observer?: SimulationObserver;
  readonly store?: ExecutionStore;
  readonly canvasStore?: CanvasStore;
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
  /** Each as an object, or as its text in JSON. All are published, so that they can call each other. */
  readonly canvases: readonly (object | string)[];
}

/**
 * Begins a conversation with a canvas: in memory and in virtual time, with an engine, drivers and a world that are deterministic.
 *
 * @example
 * const conversation = await simulate(canvas);
 * await conversation.says('hello');
 * await conversation.passes('2h');
 * expect(conversation.transcript()).toContain('bot: Are you still there?');
 *
 * @param subject - a canvas, as an object or as its text in JSON; or canvases with the circumstances that they run in
 * @throws {HiloError} `INVALID_CANVAS` with every problem of a canvas that cannot be published
 */
export async function simulate(subject: object | string | Simulation): Promise<Conversation> {
  const { canvases: subjects, main, ...options }: Simulation = isSimulation(subject) ? subject : { canvases: [subject] };
  const { nodes = standardNodes } = options;
  const types = nodeTypes(nodes);
  const canvases = subjects.map((one) => (options.runsUnchecked === true ? keepCompiled(readCanvas(one), types) : readCanvas(one)));
  const mainId = main ?? canvases[0]?.id ?? '';
  const {
    channel = 'whatsapp',
    user = { id: '5215512345678', names: 'Ana', phone: '5215512345678' },
    bot = { id: simulatedIds.botId, name: 'Bot' },
  } = options;

  const names = createExecutionNames();
  const transcript = createTranscript(names.named);
  const watch = createWatch();
  const { store: kept = createMemoryStore(), canvasStore: keptCanvases = createMemoryCanvases(), observer = {} } = options;
  const store = watch.all(kept, { commit: commitAndAnnounce(kept, names.add) });
  const canvasStore = watch.all(keptCanvases);
  const clock = createVirtualClock(options.startAt ?? virtualStartMs);
  const told = { transcript, observer };
  const desk = createToldDesk(clock, told, () => process.engine);
  const drivers = createToldDrivers(options, told, { desk, found: findIn(options.company, { bot, user }) });
  const addresses = createAddresses();
  const campaigns = createCampaigns(clock);
  const faults: EngineEvents['engine.fault'][0][] = [];
  const random = seededRandom(options.seed ?? 1);
  const directory = createDirectory({ channel, bot }, { fields: namedFields(canvases), ...options.company }, desk, campaigns);
  const start = (): Process => {
    const process = startProcess({
      nodes,
      drivers: drivers.drivers.map(watch.driver),
      clock,
      random,
      resumeUrl: addresses.write,
      store: { executions: store, canvases: canvasStore },
      directory,
    });
    process.engine.on('engine.fault', (fault) => void faults.push(fault));
    transcribe(process.engine, transcript, mainId, clock);
    tellMessages(process.engine, told, { desk, store, ids: names.ids });
    return process;
  };
  let process = start();

  if (options.runsUnchecked === true) await publishUnchecked(canvasStore, canvases, clock.now());
  else await publishChecked(process.engine, canvasStore, canvases);
  await saveUser(store, user);
  await process.engine.start();
  const conversation = converse({
    get engine() {
      return process.engine;
    },
    async restart() {
      process.kill();
      drivers.forget();
      watch.reset();
      process = start();
      await process.engine.start();
    },
    clock,
    store,
    drivers,
    desk,
    addresses,
    campaigns,
    watch,
    names,
    transcript,
    observer,
    faults,
    channel,
    user,
    mainId,
    clockRules: readClockRules(canvases, clock.now()),
    companyZone: options.company?.timeZone ?? 'UTC',
    canvasOf: createCompiler(canvases, types),
  });
  await conversation.settles();
  return conversation;
}

/** To whom a simulation tells what happens. */
interface Told {
  readonly transcript: Transcript;
  readonly observer: SimulationObserver;
}

/** The desk of the operators; the end of a hand-off goes to the executions that wait for it. */
const createToldDesk = (clock: VirtualClock, { transcript, observer }: Told, engine: () => Engine): Desk =>
  createDesk({
    clock,
    onEnd(conversationId, { state, payload }) {
      if (state === 'expired') {
        transcript.output(`hand-off expired: ${conversationId}`);
        observer.expired?.(conversationId);
      }
      // Not awaited: it resolves only when the lanes of the waiting executions are free.
      void engine().signal({ companyId: simulatedIds.companyId, kind: 'handoff', name: 'handoff', correlation: conversationId, payload });
    },
  });

/** Drivers whose calls and outcomes are told. */
const createToldDrivers = (
  { faults, enforcesSessionWindow, templateReopensWindow, drivers, asks, answers }: SimulationOptions,
  { transcript, observer }: Told,
  company: Pick<RecordingOptions, 'desk' | 'found'>,
): RecordingDrivers =>
  createRecordingDrivers({
    faults,
    enforcesSessionWindow,
    templateReopensWindow,
    drivers,
    asks,
    answers,
    ...company,
    onCall(call, fault) {
      transcript.output(callLine(call, fault));
      observer.called?.(call);
    },
    onOutcome(call, outcome) {
      transcript.output(outcomeLine(call, outcome));
      observer.answered?.(call, outcome);
    },
  });

/** Tells of messages that no execution takes: those for an operator, and those that fit nowhere. */
function tellMessages(engine: Engine, told: Told, { desk, ...known }: Parameters<typeof whyUnmatched>[1] & { readonly desk: Desk }): void {
  engine.on('message.attended', ({ message }) => {
    if (!desk.hasHeard(message['id'])) tellOperator({ desk, ...told }, message);
  });
  engine.on('message.unmatched', ({ userId }) => {
    const write = told.transcript.reserve(); // the reason is read from the store
    void whyUnmatched({ kind: 'message', userId }, known).then((why) => {
      write(why.line);
      told.observer.unmatched?.(why.reason);
    });
  });
}

async function publishChecked(engine: Engine, store: CanvasStore, canvases: readonly Canvas[]): Promise<void> {
  const { companyId } = simulatedIds;
  for (const canvas of canvases) {
    await store.saveDraft(companyId, canvas, canvasHash(canvas)); // the engine's verb would check it, as publishing does
    await engine.publish(companyId, canvas.id);
  }
}

/** Publishes what the check would refuse. */
async function publishUnchecked(store: CanvasStore, canvases: readonly Canvas[], nowMs: number): Promise<void> {
  for (const canvas of canvases) await store.publish(simulatedIds.companyId, canvas, canvasHash(canvas), nowMs);
}

/** Keeps what is known of the user before the first message. */
async function saveUser(store: ExecutionStore, user: SimulatedUser): Promise<void> {
  const { timeZone, locale } = user;
  const place = { ...(timeZone !== undefined && { timeZone }), ...(locale !== undefined && { locale }) };
  if (user.isKnown === true) await introduceUser({ store, user });
  if (Object.keys(place).length > 0) await placeUser({ store, user }, readPlace(place));
}

/**
 * A canvas without the nodes and edges that cannot be compiled: what is left of one with errors runs as far as it goes. A canvas that
 * compiles is returned as it is.
 */
export function keepCompiled(canvas: Canvas, types: NodeTypes): Canvas {
  const { problems } = compileCanvas(canvas, '', types);
  if (problems.every(({ severity }) => severity !== 'error')) return canvas;
  const wrong = new Set(problems.flatMap(({ pointer }) => /^\/nodes\/\d+|^\/edges\/\d+/.exec(pointer) ?? []));
  const nodes = canvas.nodes.filter((_node, index) => !wrong.has(`/nodes/${index}`));
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = canvas.edges.filter(({ source, target }, index) => !wrong.has(`/edges/${index}`) && ids.has(source) && ids.has(target));
  return { ...canvas, nodes, edges };
}

/** Compiles each canvas once, on first use. */
function createCompiler(canvases: readonly Canvas[], types: NodeTypes): (workflowId: string) => CompiledCanvas | undefined {
  const compiled = new Map<string, CompiledCanvas>();
  return (workflowId) => {
    const canvas = canvases.findLast(({ id }) => id === workflowId);
    if (canvas !== undefined && !compiled.has(workflowId)) compiled.set(workflowId, compileCanvas(canvas, '', types).compiled);
    return compiled.get(workflowId);
  };
}

const isSimulation = (subject: object | string): subject is Simulation => typeof subject === 'object' && 'canvases' in subject;

/** Commits, and announces each new execution. */
const commitAndAnnounce =
  (store: ExecutionStore, announce: (executionId: string) => void): ExecutionStore['commit'] =>
  async (commit) => {
    deepFreeze(commit); // a change of committed data throws here, instead of corrupting a production store unseen
    const committed = await store.commit(commit);
    const created = committed.kind === 'committed' ? commit.saves.filter(({ revision }) => revision === 1) : [];
    for (const { executionId } of created) announce(executionId);
    return committed;
  };

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const item of Object.values(value)) deepFreeze(item);
}

export function createDirectory(
  { channel, bot }: { readonly channel: Channel } & Required<Pick<SimulationOptions, 'bot'>>,
  {
    id,
    name = 'Company',
    plan,
    kind = plan === undefined ? 'enterprise' : 'self-service',
    settings = {},
    failureWorkflowId,
    timeZone,
    locale,
    fields = [],
  }: SimulatedCompany = {},
  desk: Pick<Desk, 'isOpen'>,
  campaigns?: Pick<Campaigns, 'answered'>,
): Directory {
  const named = plan ?? 'enterprise';
  return {
    isAttended: desk.isOpen,
    failureWorkflow: () => failureWorkflowId,
    company: (companyId) => ({
      id: id ?? companyId,
      name,
      plan: named,
      kind,
      settings,
      ...(timeZone !== undefined && { timeZone }),
      ...(locale !== undefined && { locale }),
      ...(fields.length > 0 && {
        fields: Object.fromEntries(
          fields.map(({ key, type, options }) => [
            key,
            { ...(type !== undefined && { type }), ...(options !== undefined && { options: [...options] }) },
          ]),
        ),
      }),
    }),
    bot: () => ({ ...bot, channel }),
    ...(campaigns !== undefined && { campaign: campaigns.answered }),
  };
}
