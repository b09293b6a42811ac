import { z } from '@hono/zod-openapi';
import { noteAct } from '../platform/http/acts.ts';
import { bodyErrorResponses, errorResponses, Page, parseBody } from '../platform/http/admin.ts';
import { Execution, ExecutionQuery, executionCursors, ExecutionsQuery, History, StateAtStep } from './schema.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { notFound } from '../platform/http/errors.ts';
import { execution } from '../platform/http/example-requests.ts';
import { closedBody, jsonResponse, otherCell } from '../platform/http/openapi.ts';
import { requireCompany, requireExecution } from '../tenants/companies.ts';
import { readExecutionPage, describeExecution, type ExecutionParts } from './execution-pages.ts';
import type { Platform } from '../platform/platform.ts';
import { describeHistory } from './history-view.ts';
import { readStateAt } from './step-states.ts';

const params = z.object({ executionId: z.string() });
const tags = ['Executions'];

const list = defineRoute({
  get: '/admin/v1/executions',
  operationId: 'listExecutions',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'Executions of a company or of all, newest first; a child is a separate execution',
  description:
    'A page ends before its limit where its executions are large, or where few of many fit: there are more as long as nextCursor is not null.',
  query: ExecutionsQuery,
  answer: jsonResponse('Executions', Page(Execution.partial({ variables: true }))),
  refusals: errorResponses,
  example: { query: { companyId: '1', workflowId: 'payment-once', limit: '10' } },
  async handle({ query: filter }, service: ExecutionParts) {
    const { companyId } = filter;
    const named = companyId === undefined ? undefined : requireCompany(service, companyId).id;
    const { results, nextCursor } = await readExecutionPage(service, { ...filter, companyId: named });
    return { results, nextCursor: executionCursors.write(nextCursor) };
  },
});

const get = defineRoute({
  get: '/admin/v1/executions/{executionId}',
  operationId: 'getExecution',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'An execution with its variables and its open wait',
  description: 'It may still run: the answer is its state at this moment.',
  params,
  query: ExecutionQuery,
  answer: jsonResponse('The execution', Execution),
  refusals: { ...errorResponses, ...otherCell },
  example: execution,
  async handle({ params: { executionId }, query }, service: ExecutionParts) {
    return describeExecution(await requireExecution(service, query.companyId, executionId));
  },
});

const history = defineRoute({
  get: '/admin/v1/executions/{executionId}/history',
  operationId: 'getHistory',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'The history of an execution: visits, effects, causes and writes, in order',
  description: 'All that is needed to follow why the execution is where it is.',
  params,
  query: ExecutionQuery,
  answer: jsonResponse('The history', History),
  refusals: { ...errorResponses, ...otherCell },
  example: execution,
  async handle({ params: { executionId }, query }, service: ExecutionParts) {
    const { companyId } = await requireExecution(service, query.companyId, executionId);
    return describeHistory(executionId, await service.engine.history(companyId, executionId));
  },
});

const state = defineRoute({
  get: '/admin/v1/executions/{executionId}/states/{step}',
  operationId: 'getStateAtStep',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'An execution as it was after a step of its history',
  description: 'Its history is replayed. From the first node with `mask` on, variables are those that steps have written.',
  params: params.extend({ step: z.string() }),
  query: ExecutionQuery,
  answer: jsonResponse('The execution at that step', StateAtStep),
  refusals: { ...errorResponses, ...otherCell },
  example: { path: { ...execution.path, step: '1' } },
  async handle({ params: { executionId, step }, query }, service: ExecutionParts & Pick<Platform, 'nodes'>) {
    const record = await requireExecution(service, query.companyId, executionId);
    const found = /^\d{1,9}$/.test(step) ? await readStateAt(service, record, Number(step)) : undefined;
    if (found === undefined)
      throw notFound(
        'STEP_NOT_FOUND',
        `Execution "${executionId}" has no step ${step}: its history numbers them from 1; 0 is before the first`,
      );
    return found;
  },
});

const cancel = defineRoute({
  post: '/admin/v1/executions/{executionId}/cancel',
  operationId: 'cancelExecution',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Ends an execution at once, and its children with it; one that has ended stays as it is',
  description: 'Its open wait ends with it: what arrives for it later does not resume it.',
  params,
  query: ExecutionQuery,
  body: closedBody('May be left out', { type: 'object', properties: { reason: { type: 'string', maxLength: 500 } } }),
  answer: jsonResponse('The execution in its current state', Execution),
  refusals: { ...bodyErrorResponses, ...otherCell },
  example: { ...execution, body: { reason: 'Ordered twice' } },
  async handle({ c, operator, params: { executionId }, query }, service: ExecutionParts) {
    const { companyId, state: before } = await requireExecution(service, query.companyId, executionId);
    const { reason } = parseBody(Cancel, await c.req.text());
    const cancelled = await service.engine.cancel(companyId, executionId, reason, { by: operator });
    noteAct(c, { companyId, before: { status: before.status }, after: { status: cancelled.state.status } });
    return describeExecution(cancelled);
  },
});

const release = defineRoute({
  post: '/admin/v1/executions/{executionId}/release',
  operationId: 'releaseExecution',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Resumes a quarantined execution where it stopped; any other is unchanged',
  description: 'For use after the cause of the quarantine was mended.',
  params,
  query: ExecutionQuery,
  answer: jsonResponse('The execution in its current state', Execution),
  refusals: { ...bodyErrorResponses, ...otherCell },
  example: execution,
  async handle({ c, operator, params: { executionId }, query }, service: ExecutionParts) {
    const { companyId, state: before } = await requireExecution(service, query.companyId, executionId);
    const released = await service.engine.release(companyId, executionId, { by: operator });
    noteAct(c, { companyId, before: { status: before.status }, after: { status: released.state.status } });
    return describeExecution(released);
  },
});

/** What runs, waits and has ended. */
export const executionRoutes: readonly Route<ExecutionParts & Pick<Platform, 'nodes'>>[] = [list, get, history, state, cancel, release];

const Cancel = z.object({
  reason: z.string('reason is a text').trim().min(1, 'reason is empty').max(500, 'reason is longer than 500 characters').optional(),
});
