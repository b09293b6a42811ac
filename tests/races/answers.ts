import type { WebhookAccepted } from '@hilo/engine';
import { type HistoryRecord, type Json, isHiloError } from '@hilo/engine/contract';
import type { Outcome } from './course.ts';

/** The results of several resumes, each by its index. */
export interface Resumed {
  /** Answered as applied. */
  readonly applied: readonly number[];
  /** Answered as ignored, since another was first (`oneTimeOnly`). */
  readonly ignored: readonly number[];
  /** Answered as refused, since nothing waited for them. */
  readonly refused: readonly number[];
  readonly failed: readonly unknown[];
}

export function resumed(answers: readonly Outcome<WebhookAccepted>[]): Resumed {
  const all = { applied: [] as number[], ignored: [] as number[], refused: [] as number[], failed: [] as unknown[] };
  for (const [index, answer] of answers.entries()) {
    if (answer.kind === 'answered') (answer.value.ignored === true ? all.ignored : all.applied).push(index);
    else if (isHiloError(answer.error, 'EXECUTION_NOT_WAITING')) all.refused.push(index);
    else all.failed.push(answer.error);
  }
  return all;
}

/** The callers, by the `by` of their requests, who advanced an execution, in order. */
export const advancedBy = (events: readonly HistoryRecord['event'][]): readonly number[] =>
  events.flatMap((event) => (event.type === 'webhook.received' ? [callerOf(event.writes[0]?.value)] : []));

/** The caller's number in a webhook variable. */
const callerOf = (call: Json | undefined): number => (call as { readonly body: { readonly by: number } }).body.by;

export const ascending = (numbers: readonly number[]): readonly number[] => numbers.toSorted((a, b) => a - b);
