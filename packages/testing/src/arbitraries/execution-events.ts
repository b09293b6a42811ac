// Random events for an execution in any state.
import type { ExecutionEvent, ExecutionState, Json, OpenWait, PendingEffect, Settled } from '@hilo/engine/contract';
import {
  askModel,
  callDatabase,
  callFunction,
  callSoap,
  changeConsent,
  changeGroup,
  changeTags,
  httpRequest,
  logEvent,
  openCheckout,
  openHandoff,
  respondWebhook,
  runCode,
  sendMessage,
  sendTemplate,
} from '@hilo/nodes/effects';
import fc from 'fast-check';
import { jsonValue } from './json-values.ts';
import { vocabulary } from './vocabulary.ts';

/** An abstract event, independent of the state of the execution: {@link eventOf} makes it concrete. */
export interface Move {
  /** The pending effect or wait is answered, its time runs out, an earlier event is repeated, an event for another visit arrives … */
  readonly kind: 'answer' | 'timer' | 'repeat' | 'stray' | 'cancel' | 'quarantine' | 'release' | 'migrate';
  /** Picks one of the possibilities. */
  readonly choice: number;
  /** A text, for answers that have one. */
  readonly text: string;
  readonly value: Json;
  /** Since the event before. */
  readonly afterMs: number;
}

/** Random moves, most of them answers. */
export const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.oneof(
    { weight: 12, arbitrary: fc.constant('answer' as const) },
    { weight: 3, arbitrary: fc.constant('timer' as const) },
    { weight: 2, arbitrary: fc.constantFrom('repeat' as const, 'stray' as const) },
    { weight: 1, arbitrary: fc.constant('migrate' as const) },
    { weight: 1, arbitrary: fc.constantFrom('cancel' as const, 'quarantine' as const, 'release' as const, 'release' as const) },
  ),
  choice: fc.nat({ max: 20 }),
  text: fc.constantFrom<string>(...vocabulary.options, '7', 'abc'),
  value: jsonValue,
  afterMs: fc.constantFrom(0, 1, 1_000, 3_600_000, 86_400_000),
});

/**
 * The event of a move for an execution in its current state.
 *
 * @param past - the earlier events, oldest first
 * @param entry - a node of the canvas that a jump may target
 */
export function eventOf(state: ExecutionState, move: Move, past: readonly ExecutionEvent[], entry: string): ExecutionEvent {
  const atMs = (past.at(-1)?.atMs ?? state.startedAtMs) + move.afterMs;
  switch (move.kind) {
    case 'answer':
      return createAnswer(state, move, atMs, entry);
    case 'timer':
      return { type: 'timer.fired', waitId: state.wait?.id ?? 'none', lateByMs: 0, atMs: Math.max(atMs, state.wait?.dueAtMs ?? 0) };
    case 'repeat': {
      const again = past[move.choice % Math.max(1, past.length)];
      return again === undefined ? { type: 'execution.released', atMs } : { ...again, atMs };
    }
    case 'stray':
      return strays(atMs)[move.choice % 4] ?? { type: 'execution.released', atMs };
    case 'cancel':
      return { type: 'execution.cancelled', reason: move.text, atMs };
    case 'quarantine':
      return { type: 'execution.quarantined', reason: move.text, atMs };
    case 'release':
      return { type: 'execution.released', atMs };
    case 'migrate':
      return createMigration(state, move, atMs, entry);
  }
}

/** To the same content: as it stands, with a value, or on at an entry. */
function createMigration({ canvasHash }: ExecutionState, { choice, value }: Move, atMs: number, entry: string): ExecutionEvent {
  const migrated = { type: 'execution.migrated', canvasHash, version: 2, from: { canvasHash, version: 1 }, atMs } as const;
  return {
    ...migrated,
    ...(choice % 3 === 0 && { writes: [{ path: ['$context', 'result'], value }] }),
    ...(choice % 4 === 1 && { enter: entry }),
  };
}

/** Answers that fit no pending effect or wait. */
const strays = (atMs: number): readonly ExecutionEvent[] => [
  { type: 'effect.settled', key: 'another', settled: { kind: 'result', value: { kind: 'done' } }, atMs },
  { type: 'reply.received', waitId: 'another', message: { id: 'm', type: 'text', text: 'Yes' }, atMs },
  { type: 'webhook.received', waitId: 'another', via: 'another', once: true, writes: [], atMs },
  { type: 'execution.started', entry: 'another', trigger: { kind: 'call', inputs: {}, webhook: {} }, atMs },
];

function createAnswer({ pending, wait, status }: ExecutionState, move: Move, atMs: number, entry: string): ExecutionEvent {
  if (status === 'quarantined') return { type: 'execution.released', atMs };
  if (pending !== undefined) return createSettled(pending, move, atMs, entry);
  return wait === undefined ? { type: 'execution.released', atMs } : answerToWait(wait, move, atMs);
}

function createSettled({ key, type, request }: PendingEffect, { choice, value, text }: Move, atMs: number, entry: string): ExecutionEvent {
  if (type === 'flow.jump' && choice % 2 === 0) return { type: 'canvas.entered', key, canvasHash: 'hash', entry, atMs };
  const results = type === 'flow.jump' ? [] : listResults(type, request, value, text);
  const failure: Settled = {
    kind: 'failure',
    outcome: 'unknown',
    failure: { cause: 'TIMEOUT', message: 'No answer', details: { limitMs: 5 } },
  };
  const settled: readonly Settled[] = [...results.map((result) => ({ kind: 'result' as const, value: result })), failure];
  return { type: 'effect.settled', key, settled: settled[choice % settled.length] ?? failure, atMs };
}

/** The results that a driver of an effect may return; the good one has the weight of two. */
function listResults(type: string, request: Json, value: Json, text: string): readonly Json[] {
  if (type === 'event.send') return [{ waits: 0 }, { waits: 1 }];
  const samples = standardEffects.get(type)?.samples(request as never, { values: [value], text }) ?? [{ kind: 'done' }];
  return [...samples.slice(0, 1), ...samples] as readonly Json[];
}

const standardEffects = new Map(
  [
    askModel,
    callDatabase,
    callFunction,
    callSoap,
    changeConsent,
    changeGroup,
    changeTags,
    httpRequest,
    logEvent,
    openCheckout,
    openHandoff,
    respondWebhook,
    runCode,
    sendMessage,
    sendTemplate,
  ].map((effect) => [effect.type as string, effect] as const),
);

function answerToWait(wait: OpenWait, { choice, text, value }: Move, atMs: number): ExecutionEvent {
  const { id: waitId, kind } = wait;
  const message = { id: `message-${choice}`, type: 'text', text };
  // What a message can interrupt is answered as often by what it waits for.
  if (wait.takesReply && (kind === 'reply' || choice % 2 === 0))
    return { type: 'reply.received', waitId, message: choice % 3 === 0 ? { ...message, payload: text.toLowerCase() } : message, atMs };
  switch (kind) {
    case 'webhook':
    case 'external':
      return {
        type: 'webhook.received',
        waitId,
        via: wait.nodeId,
        once: choice % 2 === 0,
        writes: [{ path: ['$webhook', 'hook'], value: { body: value } }],
        atMs,
      };
    case 'event':
    case 'handoff':
      return { type: 'signal.received', waitId, payload: value, atMs };
    case 'payment': {
      const statuses = ['approved', 'rejected', 'pending', 'expired', value];
      return { type: 'signal.received', waitId, payload: { status: statuses[choice % statuses.length] ?? null }, atMs };
    }
    case 'child': {
      const webhook = choice % 2 === 0 ? { hook: { body: value } } : {};
      const results = [
        { kind: 'completed', outputs: { answer: value }, webhook },
        { kind: 'failed', cause: 'ENDED_AS_FAILED', message: text, webhook },
      ];
      return { type: 'child.ended', waitId, result: results[choice % 2] ?? {}, atMs };
    }
    default:
      return { type: 'timer.fired', waitId, lateByMs: 0, atMs: Math.max(atMs, wait.dueAtMs ?? 0) };
  }
}
