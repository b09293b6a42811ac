import { nameOperator, noteAct } from '../platform/http/acts.ts';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { bodyErrorResponses, errorResponses, Page, parseBody } from '../platform/http/admin.ts';
import { Execution, ExecutionQuery, executionCursors, ExecutionsQuery, History, StateAtStep } from './schema.ts';
import { needs } from '../platform/http/auth/require-permission.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { notFound } from '../platform/http/errors.ts';
import { closedBody, jsonResponse, otherCell } from '../platform/http/openapi.ts';
import { requireCompany, requireExecution } from '../tenants/companies.ts';
import { readExecutionPage, describeExecution, type ExecutionParts } from './execution-pages.ts';
import type { Platform } from '../platform/platform.ts';
import { describeHistory } from './history-view.ts';
import { readStateAt } from './step-states.ts';

const params = z.object({ executionId: z.string() });
const tags = ['Executions'];

const list = createRoute({
  method: 'get',
  path: '/executions',
  operationId: 'listExecutions',
  ...needs('view'),
  tags,
  summary: 'Executions of a company or of all, newest first; a child is a separate execution',
  description:
    'A page ends before its limit where its executions are large, or where few of many fit: there are more as long as nextCursor is not null.',
  request: { query: ExecutionsQuery },
  responses: { 200: jsonResponse('Executions', Page(Execution.partial({ variables: true }))), ...errorResponses },
});

const get = createRoute({
  method: 'get',
  path: '/executions/{executionId}',
  operationId: 'getExecution',
  ...needs('view'),
  tags,
  summary: 'An execution with its variables and its open wait',
  description: 'It may still run: the answer is its state at this moment.',
  request: { params, query: ExecutionQuery },
  responses: { 200: jsonResponse('The execution', Execution), ...errorResponses, ...otherCell },
});

const history = createRoute({
  method: 'get',
  path: '/executions/{executionId}/history',
  operationId: 'getHistory',
  ...needs('view'),
  tags,
  summary: 'The history of an execution: visits, effects, causes and writes, in order',
  description: 'All that is needed to follow why the execution is where it is.',
  request: { params, query: ExecutionQuery },
  responses: { 200: jsonResponse('The history', History), ...errorResponses, ...otherCell },
});

const state = createRoute({
  method: 'get',
  path: '/executions/{executionId}/states/{step}',
  operationId: 'getStateAtStep',
  ...needs('view'),
  tags,
  summary: 'An execution as it was after a step of its history',
  description: 'Its history is replayed. From the first node with `mask` on, variables are those that steps have written.',
  request: { params: params.extend({ step: z.string() }), query: ExecutionQuery },
  responses: { 200: jsonResponse('The execution at that step', StateAtStep), ...errorResponses, ...otherCell },
});

const cancel = createRoute({
  method: 'post',
  path: '/executions/{executionId}/cancel',
  operationId: 'cancelExecution',
  tags,
  summary: 'Ends an execution at once, and its children with it; one that has ended stays as it is',
  description: 'Its open wait ends with it: what arrives for it later does not resume it.',
  request: {
    params,
    query: ExecutionQuery,
    body: closedBody('May be left out', { type: 'object', properties: { reason: { type: 'string', maxLength: 500 } } }),
  },
  responses: { 200: jsonResponse('The execution in its current state', Execution), ...bodyErrorResponses, ...otherCell },
});

const release = createRoute({
  method: 'post',
  path: '/executions/{executionId}/release',
  operationId: 'releaseExecution',
  tags,
  summary: 'Resumes a quarantined execution where it stopped; any other is unchanged',
  description: 'For use after the cause of the quarantine was mended.',
  request: { params, query: ExecutionQuery },
  responses: { 200: jsonResponse('The execution in its current state', Execution), ...bodyErrorResponses, ...otherCell },
});

/** What runs, waits and has ended. */
export function executionRoutes(app: OpenAPIHono<HttpEnv>, service: ExecutionParts & Pick<Platform, 'nodes'>): void {
  const { engine } = service;

  app.openapi(list, async (c) => {
    const filter = c.req.valid('query');
    const { companyId } = filter;
    const named = companyId === undefined ? undefined : requireCompany(service, companyId).id;
    const { results, nextCursor } = await readExecutionPage(service, { ...filter, companyId: named });
    return c.json({ results, nextCursor: executionCursors.write(nextCursor) }, 200);
  });

  app.openapi(get, async (c) => {
    const { executionId } = c.req.valid('param');
    return c.json(describeExecution(await requireExecution(service, c.req.valid('query').companyId, executionId)), 200);
  });

  app.openapi(history, async (c) => {
    const { executionId } = c.req.valid('param');
    const { companyId } = await requireExecution(service, c.req.valid('query').companyId, executionId);
    return c.json(describeHistory(executionId, await engine.history(companyId, executionId)), 200);
  });

  app.openapi(state, async (c) => {
    const { executionId, step } = c.req.valid('param');
    const record = await requireExecution(service, c.req.valid('query').companyId, executionId);
    const found = /^\d{1,9}$/.test(step) ? await readStateAt(service, record, Number(step)) : undefined;
    if (found === undefined)
      throw notFound(
        'STEP_NOT_FOUND',
        `Execution "${executionId}" has no step ${step}: its history numbers them from 1; 0 is before the first`,
      );
    return c.json(found, 200);
  });

  app.openapi(cancel, async (c) => {
    const { executionId } = c.req.valid('param');
    const { companyId, state: before } = await requireExecution(service, c.req.valid('query').companyId, executionId);
    const { reason } = parseBody(Cancel, await c.req.text());
    const cancelled = await engine.cancel(companyId, executionId, reason, { by: nameOperator(c) });
    noteAct(c, { companyId, before: { status: before.status }, after: { status: cancelled.state.status } });
    return c.json(describeExecution(cancelled), 200);
  });

  app.openapi(release, async (c) => {
    const { executionId } = c.req.valid('param');
    const { companyId, state: before } = await requireExecution(service, c.req.valid('query').companyId, executionId);
    const released = await engine.release(companyId, executionId, { by: nameOperator(c) });
    noteAct(c, { companyId, before: { status: before.status }, after: { status: released.state.status } });
    return c.json(describeExecution(released), 200);
  });
}

const Cancel = z.object({
  reason: z.string('reason is a text').trim().min(1, 'reason is empty').max(500, 'reason is longer than 500 characters').optional(),
});
