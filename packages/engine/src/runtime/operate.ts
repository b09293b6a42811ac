// What an operator does to an execution, and reads of it.
import { HiloError } from '../contract/errors.ts';
import type { ExecutionRecord, HistoryRecord } from '../contract/store.ts';
import type { LaneCall } from '../lane/calls.ts';
import { nameOperator } from '../machine/name-operator.ts';
import { askLane } from './ask-lane.ts';
import type { EngineContext } from './context.ts';
import { refuseForeignExecution } from './lane-runtime.ts';

/** On whose behalf an operator's call is made. */
export interface Operated {
  /** Kept in the history of the execution, as the caller names them: at most 200 characters. */
  readonly by?: string;
  /** The job that does it with others. */
  readonly job?: string;
}

/** A history keeps the name with each event. */
const maxNameChars = 200;

/**
 * Ends an execution at once, in any state, and its children with it. An effect in progress is not undone, but its result changes
 * nothing any more. Cancelling an ended execution changes nothing.
 *
 * @throws {HiloError} `EXECUTION_NOT_FOUND`
 */
export const cancelExecution = (
  context: EngineContext,
  companyId: string,
  executionId: string,
  reason: string,
  operated: Operated,
): Promise<ExecutionRecord> => operate(context, { type: 'cancel', companyId, executionId, reason, ...readOperator(operated) });

/**
 * Resumes a quarantined execution (P17): its effect is performed again, its wait continues, and its unprocessable item is retried. Any
 * other execution is unchanged.
 *
 * @throws {HiloError} `EXECUTION_NOT_FOUND`
 */
export const releaseExecution = (
  context: EngineContext,
  companyId: string,
  executionId: string,
  operated: Operated,
): Promise<ExecutionRecord> => operate(context, { type: 'release', companyId, executionId, ...readOperator(operated) });

/** @throws {HiloError} `INVALID_REQUEST` for a name that is no text of 1 to 200 characters */
export function readOperator({ by, job }: Operated): Operated {
  if (by !== undefined && (typeof by !== 'string' || by === '' || by.length > maxNameChars))
    throw new HiloError('INVALID_REQUEST', { reason: `"by" names who does it: a text of 1 to ${maxNameChars} characters` });
  return nameOperator({ by, job });
}

/** Moves an execution where its lane is, before all that queues there. @throws {HiloError} `EXECUTION_NOT_FOUND` */
async function operate(context: EngineContext, call: Extract<LaneCall, { readonly type: 'cancel' | 'release' }>): Promise<ExecutionRecord> {
  const found = await readExecution(context, call.companyId, call.executionId);
  if (found === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId: call.executionId });
  return askLane(context, found.lane, call);
}

/** Reads an execution of this cell. @throws {HiloError} `CELL_ELSEWHERE` */
export async function readExecution(context: EngineContext, companyId: string, executionId: string): Promise<ExecutionRecord | undefined> {
  refuseForeignExecution(context, executionId);
  return context.store.load(companyId, executionId);
}

/** Reads all that an execution of this cell did. @throws {HiloError} `CELL_ELSEWHERE` */
export async function readHistory(context: EngineContext, companyId: string, executionId: string): Promise<readonly HistoryRecord[]> {
  refuseForeignExecution(context, executionId);
  return context.store.history(companyId, executionId);
}
