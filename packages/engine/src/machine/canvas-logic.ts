// A canvas as actor logic of XState.
import type { CompiledCanvas, CompiledNode } from '../canvas/compile.ts';
import type { EffectRequest } from '../contract/effect.ts';
import type { ExecutionEvent } from '../contract/event.ts';
import type { Ending, ExecutionInput, ExecutionState, HistoryEntry } from '../contract/execution.ts';
import type { JsonObject } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import type { Write } from '../contract/variables.ts';
import { countedSize } from '../variables/view.ts';
import { applyEvent } from './apply-event.ts';
import { finalStatuses, isLegal } from './lifecycle.ts';
import { visitNode } from './run-node.ts';
import { closeTransition, concat, none, openTransition, type TransitionContext } from './transition-context.ts';
import { type ActorLogic, type ActorOptions, createActor, type Snapshot } from 'xstate';

/** A canvas as XState actor logic: one pure transition carries an execution from an event to its next halt. */
export type CanvasLogic = ActorLogic<ExecutionSnapshot, ExecutionEvent, ExecutionInput>;

/**
 * The actor logic of a canvas: run it with `createActor`, or call its methods. A node is a state, a port is an event; between two halts
 * (an effect, a wait, an end) there is one synchronous loop.
 */
export function canvasLogic(canvas: CompiledCanvas): CanvasLogic {
  return {
    getInitialSnapshot: (_scope, input) => snapshotOf(initialState(input)),
    transition: (snapshot, event) => nextSnapshot(canvas, snapshot, event),
    getPersistedSnapshot: ({ status, output, error, state }) => ({ status, output, error, state }) as ExecutionSnapshot,
    restoreSnapshot: (persisted) => snapshotOf((persisted as { readonly state: ExecutionState } & typeof persisted).state),
  };
}

/** Receives the inspection events of an actor, as XState's inspector does. */
export type Inspect = NonNullable<ActorOptions<CanvasLogic>['inspect']>;

/**
 * Takes an execution through one event with the canvas's actor logic, from one halt to the next. An illegal event returns the identical
 * state. Without an inspector, the logic's own `transition` is called: an actor around it costs some 3 µs and 3.5 kB an event, and gives
 * the same result, which a property verifies.
 *
 * @param inspect - called with the actor, the event and the snapshot; must not throw
 */
export function runLogic(canvas: CompiledCanvas, state: ExecutionState, event: ExecutionEvent, inspect?: Inspect): Transition {
  // XState sends nothing to an actor that is done.
  if (finalStatuses.has(state.status)) return { state, ...noConsequences };
  return inspect === undefined ? transition(canvas, state, event) : runActor(canvas, snapshotOf(state), event, inspect);
}

/**
 * The transitions of one decision, which is made again from its beginning after each read: what was computed is not computed again, and a
 * transition with much to do gives up the event loop between two nodes (P20).
 */
export class TransitionLog {
  #done: readonly Transition[] = none;
  #next = 0;
  #open: { readonly context: TransitionContext; readonly node: CompiledNode } | undefined;
  readonly #turnWork: number;
  #spent = 0;

  /** @param turnWork - the work of expressions after which it gives up the event loop */
  constructor(turnWork: number = limits.turnWork) {
    this.#turnWork = turnWork;
  }

  /** The work of expressions that the last take was. */
  get spent(): number {
    return this.#spent;
  }

  /** To be called before the decision is made again. */
  rewind(): void {
    this.#next = 0;
  }

  /**
   * Takes the next transition.
   *
   * @param turnWork - the work of expressions after which this take ends
   * @returns `undefined` when its work for this turn of the event loop is done: take it again in the next
   */
  take(canvas: CompiledCanvas, state: ExecutionState, event: ExecutionEvent, turnWork = this.#turnWork): Transition | undefined {
    this.#spent = 0;
    const known = this.#done[this.#next];
    const taken = known ?? this.#goOn(canvas, state, event, turnWork);
    if (taken === undefined) return undefined;
    if (known === undefined) this.#done = concat(this.#done, [taken]);
    this.#next += 1;
    return taken;
  }

  #goOn(canvas: CompiledCanvas, state: ExecutionState, event: ExecutionEvent, turnWork: number): Transition | undefined {
    if (this.#open === undefined && (finalStatuses.has(state.status) || !isLegal(state, event))) return { state, ...noConsequences };
    const context = this.#open?.context ?? openTransition(canvas, state, event.atMs);
    let node = this.#open === undefined ? applyEvent(context, event) : this.#open.node;
    this.#open = undefined;
    const before = context.view.work;
    const until = before + turnWork;
    while (node !== undefined) {
      node = visitNode(context, node);
      this.#spent = context.view.work - before;
      if (node === undefined || context.view.work < until) continue;
      this.#open = { context, node };
      return undefined;
    }
    closeTransition(context);
    return context;
  }
}

/** Runs the actor of an execution for one event. */
function runActor(canvas: CompiledCanvas, before: ExecutionSnapshot, event: ExecutionEvent, inspect: Inspect): ExecutionSnapshot {
  const logic: ActorLogic<ExecutionSnapshot, ExecutionEvent> = { ...canvasLogic(canvas), getInitialSnapshot: () => before };
  const actor = createActor(logic, { id: before.state.executionId, inspect });
  actor.subscribe({ error: () => undefined }); // thrown below, to the caller
  actor.start();
  actor.send(event);
  const after = actor.getSnapshot();
  if (after.status === 'error') throw after.error;
  return after;
}

/** The same as `transition`, without an actor around it. An illegal event returns the identical snapshot. */
export function nextSnapshot(canvas: CompiledCanvas, snapshot: ExecutionSnapshot, event: ExecutionEvent): ExecutionSnapshot {
  const after = transition(canvas, snapshot.state, event);
  return after.state === snapshot.state ? snapshot : snapshotOf(after.state, after);
}

/** Takes a state through one event. An illegal event returns the identical state. */
function transition(canvas: CompiledCanvas, state: ExecutionState, event: ExecutionEvent): Transition {
  if (!isLegal(state, event)) return { state, ...noConsequences };
  const context = openTransition(canvas, state, event.atMs);
  let node = applyEvent(context, event);
  while (node !== undefined) node = visitNode(context, node);
  closeTransition(context);
  return context;
}

/** The snapshot of an execution's actor: its state, and the consequences of the last event. */
export type ExecutionSnapshot = Snapshot<Ending> & Transition;

/** An execution that was accepted and has not begun. */
export function initialState(input: ExecutionInput): ExecutionState {
  const { executionId, rootId, origin, depth, seed, startedAtMs, canvasHash, variables: outside, defaults } = input;
  const variables: JsonObject = {
    $error: noError,
    ...outside,
    $context: { ...defaults, executionId: rootId },
  };
  return {
    executionId,
    rootId,
    origin,
    depth,
    seed,
    startedAtMs,
    canvasHash,
    status: 'running',
    visits: {},
    visitsInAll: 0,
    visitsSinceWait: 0,
    historySize: 0,
    memos: noMemos,
    resumedOnce: noNodes,
    isCaught: false,
    variables,
    variablesSize: countedSize(variables),
  };
}

// One for all executions that have none.
const noMemos: ExecutionState['memos'] = Object.freeze({});
const noNodes: ExecutionState['resumedOnce'] = Object.freeze([]);
const noError: JsonObject = Object.freeze({ cause: null, message: null, nodeId: null, attempt: null });

/** A state after an event, and what the event led to. */
interface Transition extends Consequences {
  readonly state: ExecutionState;
}

/** The consequences of an event, besides the state. */
interface Consequences {
  /** The new history entries, oldest first. */
  readonly history: readonly HistoryEntry[];
  /** The effect, child call or jump that the execution halted at. */
  readonly requestedEffect: EffectRequest | undefined;
  /** Writes that outlive the execution. */
  readonly persistentWrites: readonly Write[];
}

const noConsequences: Consequences = { history: [], requestedEffect: undefined, persistentWrites: [] };

/** Wraps a state in XState's snapshot. A failed execution is `done`, not `error`: failing is an outcome, not a bug. */
export const snapshotOf = (
  state: ExecutionState,
  { history, requestedEffect, persistentWrites }: Consequences = noConsequences,
): ExecutionSnapshot =>
  finalStatuses.has(state.status)
    ? { state, history, requestedEffect, persistentWrites, status: 'done', output: state.ending ?? { outputs: {} }, error: undefined }
    : { state, history, requestedEffect, persistentWrites, status: 'active', output: undefined, error: undefined };
