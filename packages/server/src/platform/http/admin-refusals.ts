import type { Problem } from '@hilo/engine/contract';
import { byField, invalidFields, notFound, type Refusal } from './refusal.ts';

/** @param companyId - left out where there is no company at all */
export const companyNotFound = (companyId: string | undefined): Refusal =>
  notFound(
    'COMPANY_NOT_FOUND',
    companyId === undefined
      ? 'There is no company: bring a workspace in with POST /admin/v1/workspace or hilo import FILE'
      : `There is no company "${companyId}"`,
  );

export const workflowNotFound = (workflowId: string): Refusal =>
  notFound('WORKFLOW_NOT_FOUND', `There is no workflow "${workflowId}": PUT a canvas here to make it`);

export const executionNotFound = (executionId: string): Refusal =>
  notFound('EXECUTION_NOT_FOUND', `There is no execution "${executionId}"`);

/** A canvas or a workspace that cannot be taken: a field is a JSON pointer, and the report stands beside them. */
export function problemsRefused(problems: readonly Problem[]): Refusal {
  const errors = problems.filter(({ severity }) => severity === 'error');
  return invalidFields(byField(errors.map(({ pointer, code, message }) => [pointer || '/', `${code}: ${message}`])), problems);
}
