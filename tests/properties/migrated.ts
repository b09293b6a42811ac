// Executions that are migrated between two versions of a canvas, and what they show afterwards beside those that stay.
import { parseCanvas } from '@hilo/engine';
import type { ExecutionEvent, ExecutionState, NodeDefinition } from '@hilo/engine/contract';
import {
  compileCanvas,
  type CompiledCanvas,
  type ExecutionSnapshot,
  judgeMigration,
  nextSnapshot,
  nodeTypes,
  prepareMigration,
  snapshotOf,
} from '@hilo/engine/debug';
import { canvasHash } from '@hilo/engine/store-kit';
import { standardNodes } from '@hilo/nodes';
import { eventOf, type Move } from '../../packages/testing/src/arbitraries/execution-events.ts';
import { withOldNames } from './changed-canvases.ts';
import { recordOf } from './walk.ts';

/** A canvas compiled; none where it is no valid version. */
export function compile(json: object, nodes: readonly NodeDefinition[] = standardNodes): CompiledCanvas | undefined {
  const { canvas: parsed } = parseCanvas(json);
  if (parsed === undefined) return undefined;
  const { compiled, problems } = compileCanvas(parsed, canvasHash(parsed), nodeTypes(nodes));
  return problems.some(({ severity }) => severity === 'error') ? undefined : compiled;
}

export type Renames = { readonly [before: string]: string };

/** A state migrated as it is judged, and the event; the state itself where the verdict lets it stay. */
export function migrate(before: CompiledCanvas, after: CompiledCanvas, state: ExecutionState, nodes: Renames, atMs: number) {
  const migration = { workflowId: before.canvas.id, from: 1, to: 2, nodes };
  const prepared = prepareMigration(migration, before, after);
  const verdict = judgeMigration(recordOf(state, before.canvas.id), prepared, atMs);
  const fills = verdict.kind === 'changed' ? verdict.fills : [];
  const event: ExecutionEvent = {
    type: 'execution.migrated',
    canvasHash: after.hash,
    version: 2,
    from: { canvasHash: before.hash, version: 1 },
    ...(Object.keys(nodes).length > 0 && { nodes }),
    ...(fills.length > 0 && { writes: fills }),
    atMs,
  };
  return { verdict, event, moved: nextSnapshot(after, snapshotOf(state), event).state };
}

/** Everything of a snapshot but what names the version. */
function seen(snapshot: ExecutionSnapshot, before: ExecutionState): unknown {
  if (snapshot.state === before) return 'unchanged';
  const { canvasHash: _hash, historySize: _size, variablesSize: _variables, visits: _visits, ...state } = snapshot.state; // names count in sizes
  const asked =
    snapshot.requestedEffect === undefined ? null : { type: snapshot.requestedEffect.type, request: snapshot.requestedEffect.request };
  return { state: withoutJitter(state), history: snapshot.history.map(withoutPause), asked, kept: snapshot.persistentWrites };
}

/** The pause before a retry is drawn from the name of its node: under a rename it is another share of the same delay. */
const withoutJitter = <State extends Pick<ExecutionState, 'wait'>>(state: State): State =>
  state.wait?.kind === 'retry' ? { ...state, wait: { ...state.wait, dueAtMs: 0 } } : state;
const withoutPause = (entry: ExecutionSnapshot['history'][number]) =>
  entry.wait?.kind === 'retry' ? { ...entry, wait: { ...entry.wait, dueAtMs: 0 } } : entry;

/** An event for the one, as the other's effect or wait is called: those that were opened since the migration have the new names. */
function addressed(event: ExecutionEvent, one: ExecutionState, other: ExecutionState): ExecutionEvent {
  if ('waitId' in event && event.waitId === one.wait?.id) return { ...event, waitId: other.wait?.id ?? '' };
  return 'key' in event && event.key === one.pending?.key ? { ...event, key: other.pending?.key ?? '' } : event;
}

/** Both continue by the same events. @returns what each shows after each event */
export function continueBoth(
  still: ExecutionState,
  moved: ExecutionState,
  canvases: readonly [CompiledCanvas, CompiledCanvas],
  future: readonly Move[],
  past: readonly ExecutionEvent[],
) {
  const [before, after] = canvases;
  const events = [...past];
  const shown: { readonly one: unknown; readonly other: unknown }[] = [];
  let [one, other] = [still, moved];
  const entry = before.starts[0]?.id ?? before.webhook?.id ?? '';
  for (const each of future) {
    const made = eventOf(one, each, events, entry);
    if (made.type === 'canvas.entered' || made.type === 'execution.migrated') break;
    const event = { ...made, atMs: Math.max(made.atMs, made.type === 'timer.fired' ? (other.wait?.dueAtMs ?? 0) : 0) };
    events.push(event);
    const [a, b] = [nextSnapshot(before, snapshotOf(one), event), nextSnapshot(after, snapshotOf(other), addressed(event, one, other))];
    shown.push({ one: seen(a, one), other: withOldNames(seen(b, other)) });
    [one, other] = [a.state, b.state];
  }
  return shown;
}
