// What decisions read: from the engine's store, directory, library and randomness, each thing once for a decision.
import type { CompiledCanvas } from '../canvas/compile.ts';
import { HiloError, isHiloError } from '../contract/errors.ts';
import type { Origin } from '../contract/execution.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import type { ExecutionRecord, HistoryRecord } from '../contract/store.ts';
import { type LaneReads, Unread } from '../lane/step.ts';
import { TransitionLog } from '../machine/canvas-logic.ts';
import { slotOf } from '../machine/deterministic-ids.ts';
import { createExecutionId, randomHex } from '../machine/new-execution.ts';
import type { PreparedMigration } from '../machine/migrate.ts';
import { limits } from '../contract/limits.ts';
import { type CanvasOf, type Replay, replayUntil } from '../machine/replay.ts';
import type { Answers, Callable, CallTarget, FoundStart, Need, NotCallable } from '../machine/reads.ts';
import { concat, none } from '../machine/transition-context.ts';
import { systemTurn } from '../node.ts';
import type { EngineContext } from './context.ts';
import { readExternalScopes } from './external-scopes.ts';
import { findStart } from './find-start.ts';
import { gateInForce } from './gates.ts';
import type { KnownContact } from './perform-effect.ts';

/** After so many events of a replay, others have their turn (P20). */
const eventsPerTurn = 100;

/** The reads of one decision: what its earlier tries lacked. */
export class ContextReads implements LaneReads {
  readonly nowMs: number;
  readonly inspect: LaneReads['inspect'];
  readonly transitions = new TransitionLog();
  readonly #context: EngineContext;
  readonly #companyId: string;
  /** The user, when read just now. */
  readonly #known: KnownContact | undefined;
  #found: Map<string, unknown> | undefined; // most decisions need no reads
  /** The execution that was asked for last, where the store does not answer at once. */
  #loading: { readonly key: string; readonly found: Promise<ExecutionRecord | undefined> } | undefined;
  #parts: Map<string, CompiledCanvas> | undefined;
  #refused: Map<string, HiloError> | undefined;
  /** By origin: nearly always of one. */
  #scopes: readonly { readonly of: Origin; readonly read: JsonObject | Promise<JsonObject> }[] = none;
  #starts: { [among: string]: FoundStart } | undefined;
  /** How far histories are replayed, by execution: what was computed is not computed again. */
  #replays: Map<string, Replay> | undefined;
  #isClaimRefused = false;
  #executionId: string | undefined;
  #seed: string | undefined;

  constructor(context: EngineContext, companyId: string, nowMs: number, known?: KnownContact) {
    this.#context = context;
    this.#companyId = companyId;
    this.nowMs = nowMs;
    this.#known = known;
    this.inspect = context.inspect;
  }

  get digest(): LaneReads['digest'] {
    return this.#context.digest;
  }

  prepare(...asked: Parameters<LaneReads['prepare']>): PreparedMigration {
    return this.#context.migrations.prepare(...asked);
  }

  replay(history: readonly HistoryRecord[], until: number, canvasOf: CanvasOf): Replay | undefined {
    const executionId = history[0]?.executionId ?? '';
    const replays = (this.#replays ??= new Map<string, Replay>());
    const done = replayUntil(history, until, canvasOf, {
      from: replays.get(executionId),
      most: eventsPerTurn,
      work: limits.turnWork,
    });
    replays.set(executionId, done);
    return done.events < until && done.maskedAt === undefined ? undefined : done;
  }

  get meeting(): LaneReads['meeting'] {
    if (this.#context.ownership === undefined) return 'alone';
    return this.#isClaimRefused ? 'looks' : 'claims';
  }

  seed(): string {
    return (this.#seed ??= randomHex(this.#context.random, 16));
  }

  executionId(lane: string): string {
    return (this.#executionId ??= createExecutionId(this.#context, () => slotOf(lane)));
  }

  /** The reads of a further decision on the same message, at this instant: the starts that it was tried with are not tried again. */
  again(nowMs: number, isClaimRefused = this.#isClaimRefused): ContextReads {
    const reads = new ContextReads(this.#context, this.#companyId, nowMs);
    reads.#starts = this.#starts;
    reads.#isClaimRefused = isClaimRefused;
    return reads;
  }

  canvas(hash: string, isForEnd = false): CompiledCanvas | undefined {
    const found = this.#context.library.get(this.#companyId, hash) ?? (isForEnd ? this.#parts?.get(hash) : undefined);
    const refusal = found === undefined && !isForEnd ? this.#refused?.get(hash) : undefined;
    if (refusal !== undefined) throw refusal;
    return found;
  }

  scopes(origin: Origin): JsonObject | undefined {
    for (const { of, read } of this.#scopes) if (isSameUser(of, origin)) return read instanceof Promise ? undefined : read;
    const read = readExternalScopes(this.#context, origin, this.nowMs, this.#known);
    this.#scopes = concat(this.#scopes, [{ of: origin, read }]);
    return read instanceof Promise ? undefined : read;
  }

  knownAnswer(type: string): Json | undefined {
    return this.#context.drivers.get(type)?.answer;
  }

  find<Kind extends keyof Answers>(need: Need & { readonly kind: Kind }): Answers[Kind] | undefined {
    if (need.kind === 'failureWorkflow' && this.#context.directory.failureWorkflow === undefined) return null as Answers[Kind];
    if (need.kind === 'campaign' && this.#context.directory.campaign === undefined) return null as Answers[Kind];
    if (need.kind === 'attended' && this.#context.directory.isAttended === undefined) return false as Answers[Kind];
    if (need.kind === 'contact' && this.#known !== undefined) return (this.#known.contact ?? null) as Answers[Kind];
    if ('among' in need) return this.#starts?.[need.among] as Answers[Kind] | undefined;
    const key = keyOf(need);
    const known = this.#found?.get(key);
    return (known === undefined ? this.#findNow(need, key) : known) as Answers[Kind] | undefined;
  }

  /** Reads an execution at once, where the store answers at once. */
  #findNow(need: Need, key: string): ExecutionRecord | null | undefined {
    if (need.kind !== 'execution') return undefined;
    const found = this.#context.store.load(this.#companyId, need.executionId);
    if (found instanceof Promise) {
      this.#loading = { key, found };
      return undefined;
    }
    (this.#found ??= new Map()).set(key, found ?? null);
    return found ?? null;
  }

  /** @throws {HiloError} what prevents the read; a canvas that cannot be run is an answer */
  async read(need: Need): Promise<void> {
    const { library } = this.#context;
    switch (need.kind) {
      case 'turn':
        return new Promise<void>(systemTurn);
      case 'canvas':
        if (need.isForEnd)
          (this.#parts ??= new Map<string, CompiledCanvas>()).set(need.hash, await library.loadPart(this.#companyId, need.hash));
        else
          await library.load(this.#companyId, need.hash).catch((error: unknown) => {
            if (!isHiloError(error, 'INVALID_CANVAS')) throw error;
            (this.#refused ??= new Map<string, HiloError>()).set(need.hash, error);
          });
        return;
      case 'scopes':
        this.#scopes = await Promise.all(this.#scopes.map(async ({ of, read }) => ({ of, read: await read })));
        return;
      case 'start':
        (this.#starts ??= {})[need.among] = await findStart(this.#context, this.#companyId, need.accepted, need.among);
        return;
      default:
        (this.#found ??= new Map()).set(keyOf(need), await this.#lookUp(need));
    }
  }

  async #lookUp(need: Exclude<Need, { readonly kind: 'canvas' | 'turn' | 'scopes' | 'start' }>): Promise<unknown> {
    const { store, directory } = this.#context;
    const companyId = this.#companyId;
    switch (need.kind) {
      case 'workflow':
        return readCallable(this.#context, companyId, need.target);
      case 'waits':
        return store.awaitingSignal(companyId, need.name, need.correlation);
      case 'heldSignals':
        return (await store.countHeldSignals?.(companyId, this.nowMs)) ?? null;
      case 'execution':
        return (await (this.#loading?.key === keyOf(need) ? this.#loading.found : store.load(companyId, need.executionId))) ?? null;
      case 'failureWorkflow':
        return readFailureWorkflow(this.#context, companyId);
      case 'contact':
        return (await store.contact(companyId, need.botId, need.ids)) ?? null;
      case 'bot':
        return (await directory.bot(companyId, need.botId)) ?? null;
      case 'attended':
        return (await directory.isAttended?.(companyId, need.botId, need.userId)) ?? false;
      case 'campaign':
        return (await directory.campaign?.(companyId, need.botId, need.userId)) ?? null;
      case 'questions': {
        if (need.isAll) return store.awaitingReplies(companyId, need.botId, need.userId);
        const newest = await store.awaitingReply(companyId, need.botId, need.userId);
        return newest === undefined ? [] : [newest];
      }
      case 'seen':
        return (await store.seenAnswer(need.keys)) ?? null;
      case 'history':
        return store.history(companyId, need.executionId);
    }
  }
}

/** The name of what is read: short for what nearly every decision reads. */
const keyOf = (need: Need): string =>
  need.kind === 'execution' ? need.executionId : need.kind === 'questions' ? `questions ${need.isAll}` : JSON.stringify(need);

/** Answers a question about a lane with everything that it needs to read. */
export async function queryLane<Answer>(context: EngineContext, companyId: string, ask: (reads: LaneReads) => Answer): Promise<Answer> {
  const reads = new ContextReads(context, companyId, context.clock.now());
  for (;;) {
    try {
      return ask(reads);
    } catch (error) {
      if (!(error instanceof Unread)) throw error;
      await reads.read(error.missing.need);
    }
  }
}

/** Whether the scopes of two executions are the same. */
const isSameUser = (a: Origin, b: Origin): boolean =>
  a === b || (a.companyId === b.companyId && a.botId === b.botId && a.userId === b.userId && a.channel === b.channel);

/** The failure workflow of a company. One that cannot be called is reported as a fault, and does not prevent the end. */
async function readFailureWorkflow(context: EngineContext, companyId: string): Promise<Callable | null> {
  const workflowId = await context.directory.failureWorkflow?.(companyId);
  if (workflowId === undefined || context.directory.isArchived?.(companyId, workflowId) === true) return null;
  if (gateInForce(await context.canvases.latest(companyId, workflowId), context.clock.now()) !== undefined) return null;
  const called = await readCallable(context, companyId, { workflowId, version: 'latest' });
  if (!('cause' in called)) return called;
  const error = new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
  context.events.emit('engine.fault', { error, while: `starting the workflow for failures of company "${companyId}": ${called.message}` });
  return null;
}

/** The workflow as it can be called, or why it cannot. */
async function readCallable(
  { canvases, library, clock }: EngineContext,
  companyId: string,
  { workflowId, version }: CallTarget,
): Promise<Callable | NotCallable> {
  const draft = version === 'draft' ? await canvases.draft(companyId, workflowId) : undefined;
  const latest = await canvases.latest(companyId, workflowId);
  const published = typeof version === 'number' ? await canvases.version(companyId, workflowId, version) : latest;
  const gate = draft === undefined ? gateInForce(latest, clock.now()) : undefined;
  if (gate?.state === 'paused' && gate.children === 'refuse')
    return { cause: 'WORKFLOW_PAUSED', message: `Workflow "${workflowId}" is paused, and takes no calls` };
  const found = draft === undefined ? published : { ...draft, version: 'draft' as const };
  if (found === undefined || gate?.state === 'unpublished')
    return notFound(`There is no published workflow "${workflowId}"${typeof version === 'number' ? ` of version ${version}` : ''}`);
  try {
    const canvas = await library.load(companyId, found.hash);
    const entry = canvas.starts[0]?.id ?? canvas.webhook?.id;
    return entry === undefined ? notFound(`Workflow "${workflowId}" has no start to call`) : { canvas, version: found.version, entry };
  } catch (error) {
    if (error instanceof HiloError) return notFound(error.message);
    throw error;
  }
}

const notFound = (message: string): NotCallable => ({ cause: 'WORKFLOW_NOT_FOUND', message });
