// What a runtime that keeps whole lanes has to set going after a decision: effects, timers and turns that the lane needs now, and did not
// need before.
import type { EffectCall } from '../contract/execution.ts';
import type { DueWait, ExecutionRecord } from '../contract/store.ts';
import { createEffectCall } from '../machine/decide.ts';
import { findBlock, type KeptLane } from './lane.ts';

/** What a lane needs after a decision. JSON. */
export interface FollowUps {
  /** Effects to perform; each answer is an input of the lane. */
  readonly effects: readonly EffectCall[];
  /** Keys of effects whose results are no longer awaited. */
  readonly dropped: readonly string[];
  /** Timers to set; each is an input of the lane. */
  readonly timers: readonly DueWait[];
  /** When the lane needs a `turn`, in milliseconds since the Unix epoch. */
  readonly turnsAtMs: readonly number[];
}

/** Compares a lane with what it was before a decision at `atMs`. */
export function collectFollowUps(before: KeptLane, kept: KeptLane, atMs: number): FollowUps {
  const known = new Map(before.executions.map((record) => [record.executionId, record]));
  const performing = new Map(kept.executions.flatMap((record) => listPendingEffects(record).map((call) => [call.key, call] as const)));
  const asked = new Map(before.executions.flatMap((record) => listPendingEffects(record).map((call) => [call.key, call] as const)));
  const timers = kept.executions.flatMap((record) => {
    const { companyId, executionId, lane } = record;
    const open = findTimer(record);
    if (open === undefined || open.waitId === findTimer(known.get(executionId))?.waitId) return [];
    return [{ companyId, executionId, lane, ...open }];
  });
  const turns = kept.executions.flatMap((record) => {
    const untilMs = heldUntilMs(record);
    return untilMs === undefined || untilMs === heldUntilMs(known.get(record.executionId)) ? [] : [Math.max(atMs, untilMs)];
  });
  return {
    effects: [...performing.values()].filter(({ key, attempt }) => asked.get(key)?.attempt !== attempt),
    dropped: [...asked.keys()].filter((key) => !performing.has(key)),
    timers,
    turnsAtMs: [...new Set(turns)],
  };
}

const listPendingEffects = (record: ExecutionRecord): readonly EffectCall[] =>
  record.state.status === 'running' && record.state.pending !== undefined ? [createEffectCall(record, record.state.pending)] : [];

function findTimer(record: ExecutionRecord | undefined): Pick<DueWait, 'waitId' | 'dueAtMs'> | undefined {
  const wait = record?.state.status === 'waiting' ? record.state.wait : undefined;
  return typeof wait?.dueAtMs === 'number' ? { waitId: wait.id, dueAtMs: wait.dueAtMs } : undefined;
}

/** Until when an execution blocks its lane, if the block expires by itself. */
function heldUntilMs(record: ExecutionRecord | undefined): number | undefined {
  const untilMs = record === undefined ? undefined : findBlock(record)?.untilMs;
  return untilMs === Number.POSITIVE_INFINITY ? undefined : untilMs;
}
