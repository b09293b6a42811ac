import type { CompiledCanvas, CompiledNode } from '../canvas/compile.ts';
import type { EffectRequest } from '../contract/effect.ts';
import type { ExecutionEvent } from '../contract/event.ts';
import type { HoldConfig } from '../contract/common-data.ts';
import type { Channel, Ending, ExecutionState, ExecutionStatus, HistoryEntry, OpenVisit, Trigger } from '../contract/execution.ts';
import type { Json } from '../contract/json.ts';
import type { RunArguments } from '../contract/node.ts';
import { draws } from './deterministic-ids.ts';
import type { Failure } from '../contract/failure.ts';
import type { Variables, Write } from '../contract/variables.ts';
import { weigh } from '../variables/measure.ts';
import { type VariableView, openVariables } from '../variables/view.ts';

/** What visits are given: one object for all visits of an advance, which come one after the other. */
export class VisitArguments implements RunArguments<unknown> {
  config: unknown;
  trigger: Trigger | undefined;
  nowMs = 0;
  memo: Json = null;
  hold: HoldConfig | undefined;
  readonly variables: Variables & { nowMs: number };
  readonly channel: Channel | undefined;
  #node: CompiledNode | undefined;
  #draw: (() => number) | undefined;
  readonly #canHold: boolean;
  readonly #state: ExecutionState;

  /** @param state - the one that the advance works on */
  constructor({ canvas }: CompiledCanvas, state: ExecutionState, { get, spend }: Variables) {
    this.#canHold = canvas.kind === 'skill';
    this.#state = state;
    this.variables = { get, spend, nowMs: 0 };
    this.channel = state.origin.channel;
  }

  of(node: CompiledNode, { trigger, atMs }: OpenVisit): this {
    const { memos } = this.#state;
    this.#node = node;
    this.#draw = undefined;
    this.config = node.config;
    this.trigger = trigger;
    this.nowMs = atMs;
    this.variables.nowMs = atMs;
    this.hold = this.#canHold && node.common.hold?.enabled === true ? node.common.hold : undefined;
    this.memo = (Object.hasOwn(memos, node.id) ? memos[node.id] : null) ?? null;
    return this;
  }

  readonly isConnected = (port: string): boolean => this.#node?.targets.has(port) === true;

  readonly random = (): number => (this.#draw ??= draws(this.#state.seed, this.#state.visitsInAll))();
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** An execution on its way through one event: the only thing here that changes, and nobody outside sees it change. */
export interface TransitionContext {
  readonly canvas: CompiledCanvas;
  readonly atMs: number;
  readonly view: VariableView;
  /** What its visits are given. */
  readonly args: VisitArguments;
  readonly history: HistoryEntry[];
  /** Writes that outlive the execution: `$memory`, and what is known of `$user`. */
  readonly persistentWrites: Write[];
  readonly visits: { [nodeId: string]: number };
  /** A copy of the state that is the context's own. */
  readonly state: Writable<ExecutionState>;
  requestedEffect: EffectRequest | undefined;
}

export function openTransition(canvas: CompiledCanvas, before: ExecutionState, atMs: number): TransitionContext {
  const visits = { ...before.visits };
  const view = openVariables(before.variables, before.variablesBytes);
  const state = { ...before, visits };
  return {
    canvas,
    atMs,
    view,
    args: new VisitArguments(canvas, state, view),
    history: [],
    persistentWrites: [],
    visits,
    state,
    requestedEffect: undefined,
  };
}

/** The state after the context, its writes applied. The context is over. */
export function closeTransition({ state, view }: TransitionContext): ExecutionState {
  state.variables = view.commit();
  state.variablesBytes = view.bytes();
  return state;
}

/** What one step of an execution comes to: it stands, or it goes on to a node. */
export type Step = { readonly kind: 'halt' } | { readonly kind: 'visit'; readonly node: CompiledNode; readonly via: string };

export const halt: Step = { kind: 'halt' };

/** The way into a node that no port leads through: the beginning, a jump, an answer, `catch`. */
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
  state.status = status;
  state.ending = failure === undefined ? { outputs } : { outputs, failure: node === undefined ? failure : { ...failure, nodeId: node.id } };
  return halt;
}

/** Adds a line to the history of the event. */
export function record(context: TransitionContext, node: CompiledNode, visit: OpenVisit, entry: Partial<HistoryEntry>): void {
  context.history.push(countHistory(context, { at: context.atMs, nodeId: node.id, visitNumber: visit.number, type: node.type, ...entry }));
}

/**
 * Adds the line of a visit that left without a failure, as {@link record} would. Nearly every line is one of these, and their
 * values were weighed when they were written.
 */
export function recordLeave(
  context: TransitionContext,
  node: CompiledNode,
  visit: OpenVisit,
  port: string,
  writes: readonly Write[],
): void {
  const { atMs: at, state, view } = context;
  const { id: nodeId, type } = node;
  const visitNumber = visit.number;
  context.history.push(writes.length === 0 ? { at, nodeId, visitNumber, type, port } : { at, nodeId, visitNumber, type, port, writes });
  state.historyBytes += leaveShellBytes + weigh(at) + weigh(visitNumber) + node.nameBytes + weigh(port);
  if (writes.length > 0) state.historyBytes += weighWrites(writes, view.valueBytes());
}

/** The line of a visit that left, without its values. */
const leaveShellBytes = weigh({ at: 0, nodeId: '', visitNumber: 0, type: '', port: '' }) - 2 * weigh(0) - 3 * weigh('');

/** @param valueBytes - of all values together */
function weighWrites(writes: readonly Write[], valueBytes: number): number {
  let bytes = writesShellBytes + valueBytes;
  for (const { path, value, ttlMs } of writes) {
    bytes += 1 + pathShellBytes + weigh(path) + (value === undefined ? 0 : valueShellBytes);
    if (ttlMs !== undefined) bytes += ttlShellBytes + weigh(ttlMs);
  }
  return bytes;
}

// What names and marks weigh: `,"writes":[]` less the comma that one write does not have, `{"path":}`, `,"value":`, `,"ttlMs":`.
const writesShellBytes = 11;
const pathShellBytes = 9;
const valueShellBytes = 9;
const ttlShellBytes = 9;

/** Counts something that goes into the history (P16). */
export function countHistory<Part extends HistoryEntry | ExecutionEvent>({ state }: TransitionContext, part: Part): Part {
  state.historyBytes += weigh(part);
  return part;
}
