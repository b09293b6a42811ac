import type { CompiledCanvas, CompiledNode } from '../canvas/compile.ts';
import type { EffectRequest } from '../contract/effect.ts';
import type { ExecutionEvent } from '../contract/event.ts';
import type { Ending, ExecutionState, ExecutionStatus, HistoryEntry, OpenVisit } from '../contract/execution.ts';
import type { Failure } from '../contract/failure.ts';
import type { Write } from '../contract/variables.ts';
import { weigh } from '../variables/measure.ts';
import { openVariables, type VariableView } from '../variables/view.ts';
import { VisitArguments } from './visit.ts';

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** An execution on its way through one event: the only thing here that changes, and nobody outside sees it change. */
export interface Work {
  readonly canvas: CompiledCanvas;
  readonly atMs: number;
  readonly view: VariableView;
  /** What its visits are given. */
  readonly args: VisitArguments;
  readonly trail: HistoryEntry[];
  /** Writes that outlive the execution: `$memory`, and what is known of `$user`. */
  readonly outward: Write[];
  readonly visits: { [nodeId: string]: number };
  /** A copy of the state that is the work's own. */
  readonly state: Writable<ExecutionState>;
  asked: EffectRequest | undefined;
}

export function openWork(canvas: CompiledCanvas, before: ExecutionState, atMs: number): Work {
  const visits = { ...before.visits };
  const view = openVariables(before.variables, before.variablesBytes);
  const state = { ...before, visits };
  return { canvas, atMs, view, args: new VisitArguments(canvas, state, view), trail: [], outward: [], visits, state, asked: undefined };
}

/** The state after the work, its writes applied. The work is over. */
export function closeWork({ state, view }: Work): ExecutionState {
  state.variables = view.commit();
  state.variablesBytes = view.bytes();
  return state;
}

/** What one step of an execution comes to: it stands, or it goes on to a node. */
export type Step = { readonly kind: 'stand' } | { readonly kind: 'visit'; readonly node: CompiledNode; readonly via: string };

export const stand: Step = { kind: 'stand' };

/** The way into a node that no port leads through: the beginning, a jump, an answer, `catch`. */
export const directly = '';

/** Ends the execution. */
export function end(
  work: Work,
  status: ExecutionStatus,
  failure: Failure | undefined,
  node?: CompiledNode,
  outputs: Ending['outputs'] = {},
): Step {
  const { state } = work;
  state.visit = undefined;
  state.wait = undefined;
  state.pending = undefined;
  state.status = status;
  state.ending = failure === undefined ? { outputs } : { outputs, failure: node === undefined ? failure : { ...failure, nodeId: node.id } };
  return stand;
}

/** Adds a line to the history of the event. */
export function record(work: Work, node: CompiledNode, visit: OpenVisit, entry: Partial<HistoryEntry>): void {
  work.trail.push(weighed(work, { at: work.atMs, nodeId: node.id, visitNumber: visit.number, type: node.type, ...entry }));
}

/** Counts something that goes into the history (P16). */
export function weighed<Part extends HistoryEntry | ExecutionEvent>({ state }: Work, part: Part): Part {
  state.historyBytes += weigh(part);
  return part;
}
