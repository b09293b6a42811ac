// Retries and copies of executions, each decided in the lane of the execution that it continues.
import { HiloError } from '../contract/errors.ts';
import { isJsonObject } from '../contract/json.ts';
import type { ContinueOptions, ForkCall, RetryCall, Started } from '../lane/calls.ts';
import { nameOperator } from '../machine/name-operator.ts';
import { askLane } from './ask-lane.ts';
import type { EngineContext } from './context.ts';
import { readExecution, readOperator } from './operate.ts';

/** What a retry is to be, and who does it. */
export type RetryOptions = Omit<RetryCall, 'type' | 'companyId' | 'executionId'>;

/** Where a copy begins, what it is to be, and who makes it. */
export type ForkOptions = Omit<ForkCall, 'type' | 'companyId' | 'executionId'>;

/**
 * Continues an execution that failed, expired or was cancelled as a new one.
 *
 * @throws {HiloError} `EXECUTION_NOT_FOUND`, `CONTINUED_ALREADY`, and why it cannot be continued
 */
export async function retryExecution(
  context: EngineContext,
  companyId: string,
  executionId: string,
  options: RetryOptions = {},
): Promise<Started> {
  const { effect, keys, again } = options;
  checkChoice('effect', effect, ['auto', 'repeat', 'keep']);
  checkChoice('keys', keys, ['auto', 'new', 'same']);
  return askLane(context, await laneOf(context, companyId, executionId), {
    type: 'retry',
    companyId,
    executionId,
    ...readOptions(options),
    ...(effect !== undefined && { effect }),
    ...(keys !== undefined && { keys }),
    ...(again === true && { again }),
  });
}

/**
 * Begins a copy of an execution where it stood before an event of its history.
 *
 * @throws {HiloError} `EXECUTION_NOT_FOUND`, `INVALID_REQUEST`, and why it cannot be copied there
 */
export async function forkExecution(
  context: EngineContext,
  companyId: string,
  executionId: string,
  options: ForkOptions,
): Promise<Started> {
  const { before, enter, ends } = options;
  if (!Number.isInteger(before)) refuse('"before" is the index of an event in its history: a whole number');
  if (enter !== undefined && typeof enter !== 'string') refuse('"enter" is the id of a node');
  return askLane(context, await laneOf(context, companyId, executionId), {
    type: 'fork',
    companyId,
    executionId,
    before,
    ...readOptions(options),
    ...(enter !== undefined && { enter }),
    ...(ends === true && { ends }),
  });
}

async function laneOf(context: EngineContext, companyId: string, executionId: string): Promise<string> {
  const found = await readExecution(context, companyId, executionId);
  if (found === undefined) throw new HiloError('EXECUTION_NOT_FOUND', { executionId });
  return found.lane;
}

function readOptions({ version, set, by, job }: ContinueOptions): ContinueOptions {
  if (
    typeof version === 'number'
      ? !Number.isInteger(version) || version < 1
      : version !== undefined && version !== 'same' && version !== 'latest'
  )
    refuse('"version" is the number of a version, "latest" or "same"');
  if (set !== undefined && !isJsonObject(set)) refuse('"set" is an object: {"$context.brand": "…"}');
  return { ...(version !== undefined && { version }), ...(set !== undefined && { set }), ...readOperator(nameOperator({ by, job })) };
}

function checkChoice(name: string, given: unknown, choices: readonly string[]): void {
  if (given !== undefined && !choices.some((one) => one === given))
    refuse(`"${name}" is one of ${choices.map((one) => `"${one}"`).join(', ')}`);
}

function refuse(reason: string): never {
  throw new HiloError('INVALID_REQUEST', { reason });
}
