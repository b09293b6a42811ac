// Recorded conversations of a workflow on a draft, before it is published; and of a whole store on the nodes of this engine.
import type { CompiledCanvas } from '../canvas/compile.ts';
import { canvasHash } from '../canvas/hash.ts';
import { parseCanvas } from '../canvas/parse.ts';
import { HiloError, isHiloError } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import type { Canvas } from '../contract/canvas.ts';
import type { JsonObject } from '../contract/json.ts';
import type { ReplayDifference, ReplayOutcome, Seen } from '../contract/replay.ts';
import type { ExecutionRecord, HistoryRecord } from '../contract/store.ts';
import { finalStatuses } from '../machine/lifecycle.ts';
import { listCanvasHashes, type CanvasOf, type Replay, replayUntil } from '../machine/replay.ts';
import { isReplayed, Lockstep, type LockstepOptions } from '../machine/replay-on.ts';
import { systemTurn } from '../node.ts';
import { compileInTurns } from './compile-in-turns.ts';
import type { EngineContext } from './context.ts';
import { readExecution } from './operate.ts';
import { sliceMs } from './turns.ts';

/** What conversations are replayed on: the draft, a version, or a canvas as it is written. */
export type ReplayTarget = 'draft' | number | JsonObject | Canvas;

/** Which conversations are replayed, and what of them does not count. */
export interface ReplayOptions {
  /** The draft, when left out. */
  readonly against?: ReplayTarget;
  /** The newest ones: 1,000, when left out; at most 10,000. */
  readonly last?: number;
  /** Those that ended at this instant or later, in milliseconds since the Unix epoch; seven days ago, when left out. */
  readonly sinceMs?: number;
  /** Groups of differences that do not count. */
  readonly ignore?: readonly string[];
  /** Called after each page. */
  readonly onPage?: (progress: ReplayProgress) => void | Promise<void>;
}

/** How often each outcome came. `drawn`: differs by chance alone. */
export type ReplayCounts = { readonly [outcome in 'equal' | 'differs' | 'drawn' | 'unknown' | 'unreadable']: number };

export interface ReplayProgress {
  readonly read: number;
  readonly counts: ReplayCounts;
}

/** Conversations that differ in the same place. */
export interface ReplayGroup {
  /** What `ignore` names. */
  readonly group: string;
  readonly how: ReplayDifference;
  readonly nodeId: string;
  /** The port behind which it is, or the field that differs. */
  readonly where?: string;
  readonly count: number;
  /** The oldest and the newest of them. */
  readonly first: string;
  readonly newest: string;
}

/** What became of the conversations. Nothing of it is kept. */
export interface ReplayReport extends ReplayProgress {
  /** The version that they were recorded in; `null` where none is published. */
  readonly version: number | null;
  /** Largest first. */
  readonly groups: readonly ReplayGroup[];
  /** Why the others could not be compared. */
  readonly why: { readonly [reason: string]: number };
  /** The time was over before all were replayed. */
  readonly isPartial: boolean;
}

const [defaultLast, mostLast, weekMs] = [1_000, 10_000, 7 * 86_400_000];
/** The longest that a replay takes. */
const budgetMs = 30_000;
/** After so many events, others have their turn (P20). */
const eventsPerTurn = 100;
/** As many events are compared before it is looked whether the turn is over. */
const eventsPerStep = 10;
const pageSize = 100;
/** Rows that are looked at for each conversation that is asked for: most may have another version, or be open. */
const rowsPerConversation = 10;

/**
 * Replays the newest ended conversations of the published version on another content.
 *
 * @throws {HiloError} `INVALID_REQUEST`, `WORKFLOW_NOT_FOUND`, `VERSION_NOT_FOUND`, `INVALID_CANVAS`
 */
export async function replayWorkflow(
  context: EngineContext,
  companyId: string,
  workflowId: string,
  { against = 'draft', last = defaultLast, sinceMs, ignore = [], onPage }: ReplayOptions = {},
): Promise<ReplayReport> {
  if (!Number.isInteger(last) || last < 1 || last > mostLast)
    throw new HiloError('INVALID_REQUEST', {
      reason: `"last" is how many conversations are replayed: a whole number from 1 to ${mostLast}`,
    });
  const draft = await readReplayTarget(context, companyId, workflowId, against);
  const { clock } = context;
  const [fromMs, endMs] = [sinceMs ?? clock.now() - weekMs, clock.now() + budgetMs];
  const published = await context.canvases.latest(companyId, workflowId);
  const tally = new Tally(published?.version ?? null);
  const takeTurn = createPace(context);
  let isPartial = false;
  for await (const page of conversations(context, companyId, workflowId, { last, fromMs, version: published?.version })) {
    for (const record of page) {
      if (clock.now() > endMs) isPartial = true;
      else tally.add(record, await replayOne(context, record, draft, { ignore: new Set(ignore) }, takeTurn));
    }
    await onPage?.(tally.progress());
    if (isPartial) break;
  }
  return { ...tally.report(), isPartial };
}

interface Wanted {
  readonly last: number;
  readonly fromMs: number;
  readonly version: number | undefined;
}

/** The newest ended conversations of a version, in pages. */
async function* conversations(
  { store }: EngineContext,
  companyId: string,
  workflowId: string,
  { last, fromMs, version }: Wanted,
): AsyncGenerator<readonly ExecutionRecord[]> {
  if (version === undefined) return;
  let [found, read] = [0, 0];
  for (let cursor: string | null | undefined; cursor !== null && found < last && read < last * rowsPerConversation + pageSize; ) {
    await new Promise<void>(systemTurn); // a store in this process reads page after page of others at once
    const page = await store.list(companyId, { workflowId, limit: pageSize, ...(cursor !== undefined && { cursor }) });
    const wanted = page.results
      .filter((one) => one.version === version && finalStatuses.has(one.state.status) && one.updatedAtMs >= fromMs)
      .slice(0, last - found);
    found += wanted.length;
    read += page.results.length;
    cursor = page.nextCursor;
    yield wanted;
  }
}

/** The content that conversations are replayed on. @throws {HiloError} */
async function readReplayTarget(
  { canvases, library, types, digest, clock }: EngineContext,
  companyId: string,
  workflowId: string,
  against: ReplayTarget,
): Promise<CompiledCanvas> {
  if (against === 'draft') {
    const draft = await canvases.draft(companyId, workflowId);
    if (draft === undefined) throw new HiloError('WORKFLOW_NOT_FOUND', { workflowId });
    return library.load(companyId, draft.hash);
  }
  if (typeof against === 'number') {
    const found = await canvases.version(companyId, workflowId, against);
    if (found === undefined) throw new HiloError('VERSION_NOT_FOUND', { workflowId, version: against });
    return library.load(companyId, found.hash);
  }
  if (typeof against !== 'object' || against === null || Array.isArray(against))
    throw new HiloError('INVALID_REQUEST', { reason: '"against" is "draft", the number of a version, or a canvas' });
  const { canvas, problems: unread } = parseCanvas(against);
  if (canvas === undefined) throw new HiloError('INVALID_CANVAS', { workflowId, problems: unread });
  const { compiled, problems } = await compileInTurns(canvas, canvasHash(canvas), { types, digest, clock });
  if (problems.some(({ severity }) => severity === 'error')) throw new HiloError('INVALID_CANVAS', { workflowId, problems });
  return compiled;
}

/**
 * Lets others have their turn after so many events, in however many conversations they are: those in memory are read within a turn. Events of
 * much content fill a turn by their time.
 */
function createPace({ clock }: Pick<EngineContext, 'clock'>): (events: number) => Promise<void> {
  let [since, sinceMs] = [0, clock.now()];
  return async (events) => {
    since += events;
    if (since < eventsPerTurn && clock.now() - sinceMs < sliceMs) return;
    await new Promise<void>(systemTurn);
    [since, sinceMs] = [0, clock.now()];
  };
}

/** Replays one conversation, in turns. */
async function replayOne(
  context: EngineContext,
  { companyId, executionId }: ExecutionRecord,
  draft: CompiledCanvas,
  options: LockstepOptions,
  takeTurn = createPace(context),
): Promise<ReplayOutcome> {
  const history = await context.store.history(companyId, executionId);
  await takeTurn(0); // what was read was decoded
  const lockstep = new Lockstep(history, await readCanvases(context, companyId, history), draft, options);
  for (;;) {
    const outcome = lockstep.advance(eventsPerStep, limits.turnWork);
    await takeTurn(eventsPerStep);
    if (outcome !== undefined) return outcome;
  }
}

/** The canvases that a history ran on, as far as they are there and can be run. */
async function readCanvases({ library }: EngineContext, companyId: string, history: readonly HistoryRecord[]): Promise<CanvasOf> {
  const found = new Map<string, CompiledCanvas>();
  for (const hash of listCanvasHashes(history)) {
    try {
      found.set(hash, library.get(companyId, hash) ?? (await library.load(companyId, hash)));
    } catch (error) {
      if (!isHiloError(error, 'INVALID_CANVAS') && !isHiloError(error, 'WORKFLOW_NOT_FOUND')) throw error;
    }
  }
  return (hash) => found.get(hash);
}

/** One line of a conversation, as it was or on the other content. */
export interface ReplayLine extends Seen {
  readonly atMs: number;
}

/** A conversation as it was, and on another content. */
export interface ReplayedConversation {
  readonly executionId: string;
  readonly outcome: ReplayOutcome;
  readonly before: readonly ReplayLine[];
  readonly after: readonly ReplayLine[];
}

/**
 * Replays one execution on another content of its workflow.
 *
 * @throws {HiloError} `EXECUTION_NOT_FOUND`, `WORKFLOW_NOT_FOUND`, `VERSION_NOT_FOUND`, `INVALID_CANVAS`
 */
export async function replayExecution(
  context: EngineContext,
  companyId: string,
  executionId: string,
  { against = 'draft', ignore = [] }: Pick<ReplayOptions, 'against' | 'ignore'> = {},
): Promise<ReplayedConversation> {
  const record = await readExecution(context, companyId, executionId);
  if (record === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId });
  const draft = await readReplayTarget(context, companyId, record.workflowId, against);
  const lines = { before: [] as ReplayLine[], after: [] as ReplayLine[] };
  const outcome = await replayOne(context, record, draft, {
    ignore: new Set(ignore),
    onSeen: (side, seen, atMs) => void lines[side].push({ ...seen, atMs }),
  });
  return { executionId, outcome, ...lines };
}

class Tally {
  readonly #version: number | null;
  readonly #counts = { equal: 0, differs: 0, drawn: 0, unknown: 0, unreadable: 0 };
  readonly #why: { [reason: string]: number } = {};
  readonly #groups = new Map<string, ReplayGroup>();
  #read = 0;

  constructor(version: number | null) {
    this.#version = version;
  }

  /** Counts the outcome of one; the newest come first. */
  add({ executionId }: ExecutionRecord, outcome: ReplayOutcome): void {
    this.#read += 1;
    this.#counts[outcome.kind === 'differs' && outcome.how === 'drawn' ? 'drawn' : outcome.kind] += 1;
    if (outcome.kind === 'unknown' || outcome.kind === 'unreadable') this.#why[outcome.why] = (this.#why[outcome.why] ?? 0) + 1;
    if (outcome.kind !== 'differs') return;
    const [how, nodeId = '', ...where] = outcome.group.split(':');
    const known = this.#groups.get(outcome.group);
    this.#groups.set(outcome.group, {
      group: outcome.group,
      how: outcome.how,
      nodeId: how === outcome.how ? nodeId : '',
      ...(where.length > 0 && { where: where.join(':') }),
      count: (known?.count ?? 0) + 1,
      first: executionId,
      newest: known?.newest ?? executionId,
    });
  }

  progress = (): ReplayProgress => ({ read: this.#read, counts: { ...this.#counts } });

  report = (): Omit<ReplayReport, 'isPartial'> => ({
    ...this.progress(),
    version: this.#version,
    groups: [...this.#groups.values()].toSorted((a, b) => b.count - a.count),
    why: this.#why,
  });
}

/** An execution whose history does not lead to where it is, with the nodes of this engine. */
export interface UnfaithfulReplay {
  readonly companyId: string;
  readonly executionId: string;
  readonly workflowId: string;
  readonly version: number | 'draft';
  readonly status: string;
}

/** What a replay of all histories of a store has found. */
export interface StoreReplay {
  readonly read: number;
  readonly equal: number;
  readonly differs: number;
  /** Not compared: values are masked, or a canvas or a part of the history is not there any more. */
  readonly unreadable: number;
  /** At most a hundred. */
  readonly different: readonly UnfaithfulReplay[];
}

const mostListed = 100;

/**
 * Replays every history of the store with the nodes of this engine, each to the state that its execution has (P19, P36): before the process
 * that wrote it is stopped for a new release. Reads only.
 */
export async function replayStore(context: EngineContext, onPage?: (progress: StoreReplay) => void | Promise<void>): Promise<StoreReplay> {
  const different: UnfaithfulReplay[] = [];
  const counts = { read: 0, equal: 0, differs: 0, unreadable: 0 };
  for (const companyId of (await context.canvases.companyIds?.()) ?? []) {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await context.store.list(companyId, { limit: pageSize, ...(cursor !== undefined && { cursor }) });
      for (const record of page.results) {
        const outcome = await compareWithHistory(context, record);
        counts.read += 1;
        counts[outcome] += 1;
        const { executionId, workflowId, version, state } = record;
        if (outcome === 'differs' && different.length < mostListed)
          different.push({ companyId, executionId, workflowId, version, status: state.status });
      }
      cursor = page.nextCursor;
      await onPage?.({ ...counts, different });
    }
  }
  return { ...counts, different };
}

async function compareWithHistory(context: EngineContext, record: ExecutionRecord): Promise<'equal' | 'differs' | 'unreadable'> {
  const { companyId, executionId, state } = record;
  const history = await context.store.history(companyId, executionId);
  const canvasOf = await readCanvases(context, companyId, history);
  let done: Replay = { state: undefined, events: 0 };
  while (done.events < history.length) {
    const next = replayUntil(history, history.length, canvasOf, { from: done, most: eventsPerTurn, work: limits.turnWork });
    const isStuck = next.underWay === undefined && next.events < Math.min(history.length, done.events + eventsPerTurn);
    if (isStuck) return 'unreadable';
    done = next;
    await new Promise<void>(systemTurn);
  }
  // One that went on while its history was read is equal to neither.
  const now = isReplayed(done.state, state) ? record : await context.store.load(companyId, executionId);
  if (now === undefined || done.state === undefined) return 'unreadable';
  return now.revision !== record.revision || isReplayed(done.state, now.state) ? 'equal' : 'differs';
}
