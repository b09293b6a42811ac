// What the visits of one advance share, and the line of history that it ends with.
import type { CompiledCanvas, CompiledNode } from '../canvas/compile.ts';
import type { EffectRequest } from '../contract/effect.ts';
import type { ExecutionEvent } from '../contract/event.ts';
import type { HoldConfig } from '../contract/common-data.ts';
import type { Channel, Ending, ExecutionState, ExecutionStatus, HistoryEntry, OpenVisit, Trigger } from '../contract/execution.ts';
import type { Json } from '../contract/json.ts';
import type { RunArguments } from '../contract/node.ts';
import { nameWait } from './callbacks.ts';
import { createDraws } from './deterministic-ids.ts';
import type { Failure } from '../contract/problem.ts';
import type { Write } from '../contract/variables.ts';
import { digitsOf, sizeOf, sizeOfPath } from '../variables/measure.ts';
import { getPath } from '../variables/path.ts';
import { VariableView } from '../variables/view.ts';

/** The input of visits: one object for all visits of an advance, which run one after the other. */
class VisitArguments implements RunArguments<unknown> {
  config: unknown;
  trigger: Trigger | undefined;
  nowMs = 0;
  hold: HoldConfig | undefined;
  isAnswered = false;
  resultCount = 0;
  readonly variables: VariableView;
  readonly channel: Channel | undefined;
  #node: CompiledNode | undefined;
  #draw: (() => number) | undefined;
  readonly #canvas: CompiledCanvas;
  readonly #state: ExecutionState;

  /** @param state - the draft of the advance */
  constructor(canvas: CompiledCanvas, state: ExecutionState, view: VariableView) {
    this.#canvas = canvas;
    this.#state = state;
    this.variables = view;
    view.addresses = this;
    this.channel = state.origin.channel;
  }

  /** Sets the input to that of one visit. */
  prepare(node: CompiledNode, { trigger, atMs, results }: OpenVisit): this {
    this.#node = node;
    this.#draw = undefined;
    this.config = node.config;
    this.trigger = trigger;
    this.nowMs = atMs;
    this.variables.nowMs = atMs;
    this.isAnswered = results.length > 0;
    this.resultCount = results.length;
    this.hold = node.common.hold?.enabled === true && this.#canvas.canvas.kind === 'skill' ? node.common.hold : undefined;
    return this;
  }

  get memo(): Json {
    return getPath(this.#state.memos, [this.#node?.id ?? '']) ?? null;
  }

  /** See {@link nameWait}. */
  resumeUrl(nodeId: string | undefined): string | { readonly refused: string } {
    return nameWait(this.#canvas, this.#state, nodeId, this.nowMs);
  }

  get isConnected(): (port: string) => boolean {
    const node = this.#node;
    return (port) => node?.targets.has(port) === true;
  }

  get random(): () => number {
    return (this.#draw ??= createDraws(this.#canvas.digest, this.#state.seed, this.#state.visitsInAll));
  }
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** An execution during one event: the only mutable object here, and not visible outside. */
export interface TransitionContext {
  readonly canvas: CompiledCanvas;
  readonly atMs: number;
  /** The size of a line of history that says at `atMs` that a visit left: the same of each, but for its names and values. */
  readonly lineSize: number;
  readonly view: VariableView;
  /** The input of its visits. */
  readonly args: VisitArguments;
  readonly history: HistoryEntry[];
  /** Writes that outlive the execution: `$memory`, and contact fields of `$user`. */
  readonly persistentWrites: Write[];
  readonly visits: { [nodeId: string]: number };
  /** A copy of the state that is the context's own. */
  readonly state: Writable<ExecutionState>;
  requestedEffect: EffectRequest | undefined;
  /** The port that led to the visit that is open. */
  via: string;
  /** The visit that this advance opened last, written over by the next: only that at which it halts is kept. */
  spareVisit: Writable<OpenVisit> | undefined;
}

/** Copies a state for one event. The original is not changed. */
export function openTransition(canvas: CompiledCanvas, before: ExecutionState, atMs: number): TransitionContext {
  const visits = { ...before.visits };
  const state = copyState(before, visits);
  const view = new VariableView(before.variables, before.variablesSize);
  const args = new VisitArguments(canvas, state, view);
  return {
    canvas,
    atMs,
    lineSize: shellSize + digitsOf(atMs),
    view,
    args,
    history: [],
    persistentWrites: [],
    visits,
    state,
    requestedEffect: undefined,
    via: noPort,
    spareVisit: undefined,
  };
}

/**
 * A copy, with every name in one order, also of what is not there yet: states that get theirs in the order of events are slow to read, and
 * larger, and are not the same text as their replay (P19).
 */
const copyState = (before: ExecutionState, visits: ExecutionState['visits']): Writable<ExecutionState> => ({
  executionId: before.executionId,
  rootId: before.rootId,
  origin: before.origin,
  depth: before.depth,
  seed: before.seed,
  startedAtMs: before.startedAtMs,
  canvasHash: before.canvasHash,
  status: before.status,
  visit: before.visit,
  pending: before.pending,
  wait: before.wait,
  visits,
  visitsInAll: before.visitsInAll,
  visitsSinceWait: before.visitsSinceWait,
  historySize: before.historySize,
  memos: before.memos,
  said: before.said,
  answered: before.answered,
  resumedOnce: before.resumedOnce,
  keptRequests: before.keptRequests,
  isCaught: before.isCaught,
  variables: before.variables,
  variablesSize: before.variablesSize,
  ending: before.ending,
  forkedFrom: before.forkedFrom,
});

/** Applies the writes. @returns the state after the event; the context must not be used any more */
export function closeTransition({ state, view }: TransitionContext): ExecutionState {
  state.variables = view.commit();
  state.variablesSize = view.size;
  return state;
}

/** The result of one step of an execution: the node of the open visit, or none when the execution halts. */
export type Step = CompiledNode | undefined;

export const halt: Step = undefined;

/** The empty list, shared so that none is allocated. */
export const none: readonly never[] = [];

/**
 * Joins two lists. Nearly always one of them is empty: then the other is returned and nothing is allocated. A list that is made by a spread
 * or by `push` has room for 17 items.
 */
export const concat = <Item>(first: readonly Item[], second: readonly Item[]): readonly Item[] =>
  second.length === 0 ? first : first.length === 0 ? second : first.concat(second);

/** Stands for the port of a node that is entered without an edge: at the start, by a jump, on a result, through `catch`. */
export const noPort = '';

/** Ends the execution. */
export function end(
  context: TransitionContext,
  status: ExecutionStatus,
  failure: Failure | undefined,
  node?: CompiledNode,
  outputs: Ending['outputs'] = {},
): Step {
  const { state } = context;
  state.visit = undefined;
  state.wait = undefined;
  state.pending = undefined;
  if (state.keptRequests !== undefined) state.keptRequests = undefined;
  state.status = status;
  state.ending = failure === undefined ? { outputs } : { outputs, failure: node === undefined ? failure : { ...failure, nodeId: node.id } };
  return halt;
}

/** What the history says of a failure. The node and the attempt of a line are its own, also where the failure is that of a child. */
export function describeCause({ cause, message, details = {} }: Failure): Partial<HistoryEntry> {
  const { nodeId: _nodeId, attempt: _attempt, ...others } = details;
  return { ...others, cause, message };
}

/** Adds a line to the history of the event. */
export function record(context: TransitionContext, node: CompiledNode, visit: OpenVisit, entry: Partial<HistoryEntry>): void {
  context.history.push(countHistory(context, { at: context.atMs, nodeId: node.id, visitNumber: visit.number, type: node.type, ...entry }));
}

/**
 * Adds the line of a visit that left without a failure, as {@link record} would. Nearly every line is one of these, and the size of
 * their values is known since they were written.
 */
export function recordLeave(
  { atMs: at, lineSize, state, view, history }: TransitionContext,
  { id: nodeId, type, nameSize }: CompiledNode,
  { number: visitNumber }: OpenVisit,
  port: string,
  writes: readonly Write[],
): void {
  history.push(writes.length === 0 ? { at, nodeId, visitNumber, type, port } : { at, nodeId, visitNumber, type, port, writes });
  state.historySize += lineSize + digitsOf(visitNumber) + nameSize + port.length;
  if (writes.length > 0) state.historySize += sizeOfWrites(writes, view.valuesSize);
}

/** The line of a visit that left, without its values. */
const shellSize = sizeOf({ at: 0, nodeId: '', visitNumber: 0, type: '', port: '' }) - 2 * sizeOf(0) - 2 * sizeOf('');

/** @param valuesSize - of all values together */
function sizeOfWrites(writes: readonly Write[], valuesSize: number): number {
  let size = writesShellSize + valuesSize;
  for (let index = 0; index < writes.length; index += 1) {
    const { path, value, ttlMs } = writes[index] as Write;
    size += 1 + pathShellSize + sizeOfPath(path) + (value === undefined ? 0 : valueShellSize);
    if (ttlMs !== undefined) size += ttlShellSize + sizeOf(ttlMs);
  }
  return size;
}

// The size of names and marks: `,"writes":[]` less the comma that one write does not have, `{"path":}`, `,"value":`, `,"ttlMs":`.
const writesShellSize = 11;
const pathShellSize = 9;
const valueShellSize = 9;
const ttlShellSize = 9;

/** Counts an event into the history (P16): its size, of which that of a request is known to the variables from then on. */
export function countEvent(context: TransitionContext, event: ExecutionEvent): void {
  if (event.type !== 'execution.started' || event.trigger.kind !== 'webhook' || event.trigger.writes.length === 0) {
    countHistory(context, event);
    return;
  }
  const { entry, trigger, atMs, contextUpdates } = event;
  let valuesSize = 0;
  for (const { value } of trigger.writes) if (value !== undefined) valuesSize += context.view.weigh(value);
  context.state.historySize += startShellSize + sizeOf(entry) + sizeOf(atMs) + sizeOfWrites(trigger.writes, valuesSize);
  if (contextUpdates !== undefined) context.state.historySize += updatesShellSize + sizeOf(contextUpdates);
}

/** The start by a webhook without its entry, instant and writes; and `,"contextUpdates":`. */
const startShellSize = sizeOf({ type: 'execution.started', entry: '', trigger: { kind: 'webhook' }, atMs: 0 }) - sizeOf('') - sizeOf(0);
const updatesShellSize = 18;

/** Counts something that goes into the history (P16). */
export function countHistory<Part extends HistoryEntry | ExecutionEvent>({ state }: TransitionContext, part: Part): Part {
  state.historySize += sizeOf(part);
  return part;
}
