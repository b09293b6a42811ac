import { compileCanvas, type CompiledCanvas, initialState, nextSnapshot, nodeTypes, snapshotOf } from '@hilo/engine/debug';
import { canvasHash } from '@hilo/engine/store-kit';
import type { ExecutionEvent, ExecutionInput, ExecutionRecord, ExecutionState, HistoryRecord } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { eventOf, type Move } from '../../packages/testing/src/arbitraries/execution-events.ts';
import { readCanvas } from '../../packages/simulator/src/read-canvas.ts';

/** A canvas, compiled with the standard nodes. */
export function compiled(json: object): CompiledCanvas {
  const canvas = readCanvas(json);
  return compileCanvas(canvas, canvasHash(canvas), nodeTypes(standardNodes)).compiled;
}

/** A state as a store has it. */
export const recordOf = (state: ExecutionState, workflowId: string): ExecutionRecord => ({
  executionId: state.executionId,
  companyId: '1',
  workflowId,
  version: 1,
  revision: 1,
  lane: 'lane',
  createdAtMs: 0,
  updatedAtMs: 0,
  state,
});

/** What an execution of a canvas begins with. */
export const inputOf = ({ canvas, hash }: CompiledCanvas): ExecutionInput => ({
  executionId: 'an-execution',
  rootId: 'an-execution',
  origin: { companyId: '1', botId: 'bot', userId: '5215512345678', channel: 'whatsapp', route: 'production' },
  depth: 0,
  seed: '0123456789abcdef',
  startedAtMs: 1_900_000_000_000,
  canvasHash: hash,
  variables: { $user: { id: '5215512345678', names: 'Ana' }, $memory: {} },
  defaults: Object.fromEntries(
    Object.entries(canvas.variables).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])),
  ),
});

/** One event of a walk, the states on either side of it, and what its history says of it. */
export interface WalkStep extends Pick<HistoryRecord, 'entries'> {
  readonly event: ExecutionEvent;
  readonly before: ExecutionState;
  readonly after: ExecutionState;
}

/** Takes an execution through a canvas from its start: each move is made an event for the state that the one before led to. */
export function walk(canvas: CompiledCanvas, moves: readonly Move[]): readonly WalkStep[] {
  const entry = canvas.starts[0]?.id ?? canvas.webhook?.id ?? '';
  const message = { id: 'first', type: 'text', text: 'hello' };
  const events: ExecutionEvent[] = [{ type: 'execution.started', entry, trigger: { kind: 'message', message }, atMs: 1_900_000_000_000 }];
  let state = initialState(inputOf(canvas));
  return [undefined, ...moves].map((move) => {
    if (move !== undefined) events.push(eventOf(state, move, events, entry));
    const event = events.at(-1)!;
    const before = state;
    const next = nextSnapshot(canvas, snapshotOf(before), event);
    ({ state } = next);
    return { event, before, after: state, entries: next.history };
  });
}

/** What a walk has at this place. */
export function need<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new RangeError('There is none');
  return value;
}
