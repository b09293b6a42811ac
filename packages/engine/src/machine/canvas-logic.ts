import { type ActorLogic, type ActorOptions, createActor } from 'xstate';
import type { CompiledCanvas } from '../canvas/compile.ts';
import type { ExecutionEvent } from '../contract/event.ts';
import type { ExecutionInput, ExecutionState } from '../contract/execution.ts';
import { applyEvent } from './apply-event.ts';
import { finalStatuses, isLegal } from './lifecycle.ts';
import { type ExecutionSnapshot, initialState, snapshotOf } from './snapshot.ts';
import { visitNode } from './step.ts';
import { closeWork, openWork } from './work.ts';

/** A canvas as XState actor logic: one pure transition carries an execution from an event to its next stand. */
export type CanvasLogic = ActorLogic<ExecutionSnapshot, ExecutionEvent, ExecutionInput>;

/**
 * The actor logic of a canvas: run it with `createActor`, or call its methods. A node is a state, a port is an event;
 * between two stands (an effect, a wait, an end) there is nothing but one synchronous loop.
 */
export function canvasLogic(canvas: CompiledCanvas): CanvasLogic {
  return {
    getInitialSnapshot: (_scope, input) => snapshotOf(initialState(input)),
    transition: (snapshot, event) => nextSnapshot(canvas, snapshot, event),
    getPersistedSnapshot: ({ status, output, error, state }) => ({ status, output, error, state }) as ExecutionSnapshot,
    restoreSnapshot: (persisted) => snapshotOf((persisted as { readonly state: ExecutionState } & typeof persisted).state),
  };
}

/** Is told what an actor does: what XState's inspector takes. */
export type Inspect = NonNullable<ActorOptions<CanvasLogic>['inspect']>;

/**
 * Runs the actor of an execution for one event: from the state it stands at to the state it stands at next. An event that
 * is not legal leaves the very state.
 *
 * @param inspect - told of the actor, the event and the snapshot; must not throw
 */
export function runActor(canvas: CompiledCanvas, state: ExecutionState, event: ExecutionEvent, inspect?: Inspect): ExecutionSnapshot {
  const before = snapshotOf(state);
  if (finalStatuses.has(state.status)) return before; // XState sends nothing to an actor that is done
  const logic: ActorLogic<ExecutionSnapshot, ExecutionEvent> = { ...canvasLogic(canvas), getInitialSnapshot: () => before };
  const actor = createActor(logic, { id: state.executionId, ...(inspect !== undefined && { inspect }) });
  actor.subscribe({ error: () => undefined }); // thrown below, to whoever advances the execution
  actor.start();
  actor.send(event);
  const after = actor.getSnapshot();
  if (after.status === 'error') throw after.error;
  return after;
}

/** What `transition` does, without an actor around it. An event that is not legal gives back the very snapshot. */
export function nextSnapshot(canvas: CompiledCanvas, snapshot: ExecutionSnapshot, event: ExecutionEvent): ExecutionSnapshot {
  if (!isLegal(snapshot.state, event)) return snapshot;
  const work = openWork(canvas, snapshot.state, event.atMs);
  let step = applyEvent(work, event);
  while (step.kind === 'visit') step = visitNode(work, step.node);
  return snapshotOf(closeWork(work), work);
}
