import type { ExecutionFilter } from '@hilo/engine/contract';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { HttpEnv } from '../http/context.ts';
import type { Service } from '../service/service.ts';
import { companyOf } from './company-of.ts';
import { executionView, historyView } from './execution-view.ts';
import { cancelReason } from './cancel-reason.ts';
import { CompanyQuery, ExecutionsQuery } from './queries.ts';
import { executionNotFound } from './refusals.ts';
import { answers, bodyRefusals, describedBody, refusals } from './responses.ts';
import { Execution, History, page } from './schemas.ts';

const params = z.object({ executionId: z.string() });
const tags = ['Executions'];

const list = createRoute({
  method: 'get',
  path: '/executions',
  tags,
  summary: 'Executions, the newest first; a child is one of its own',
  request: { query: ExecutionsQuery },
  responses: { 200: answers(page(Execution), 'Executions'), ...refusals },
});

const get = createRoute({
  method: 'get',
  path: '/executions/{executionId}',
  tags,
  summary: 'An execution with its variables and its open wait',
  request: { params, query: CompanyQuery },
  responses: { 200: answers(Execution, 'The execution'), ...refusals },
});

const history = createRoute({
  method: 'get',
  path: '/executions/{executionId}/history',
  tags,
  summary: 'What an execution did: visits, effects, causes and writes, in order',
  request: { params, query: CompanyQuery },
  responses: { 200: answers(History, 'The history'), ...refusals },
});

const cancel = createRoute({
  method: 'post',
  path: '/executions/{executionId}/cancel',
  tags,
  summary: 'Ends an execution at once, and its children with it; one that has ended stays as it is',
  request: {
    params,
    query: CompanyQuery,
    body: describedBody('May be left out', { type: 'object', properties: { reason: { type: 'string', maxLength: 500 } } }),
  },
  responses: { 200: answers(Execution, 'The execution as it stands now'), ...bodyRefusals },
});

const release = createRoute({
  method: 'post',
  path: '/executions/{executionId}/release',
  tags,
  summary: 'Lets a quarantined execution go on where it stood; any other stays as it is',
  request: { params, query: CompanyQuery },
  responses: { 200: answers(Execution, 'The execution as it stands now'), ...refusals },
});

/** What runs, waits and has ended. */
export function executionRoutes(app: OpenAPIHono<HttpEnv>, service: Service): void {
  const { engine, store } = service;

  app.openapi(list, async (c) => {
    const { companyId, ...filter } = c.req.valid('query');
    const { results, nextCursor } = await store.executions.list(companyOf(service, companyId).id, filterOf(filter));
    return c.json({ results: results.map(executionView), nextCursor }, 200);
  });

  app.openapi(get, async (c) => {
    const { executionId } = c.req.valid('param');
    const record = await engine.execution(companyOf(service, c.req.valid('query').companyId).id, executionId);
    if (record === undefined) throw executionNotFound(executionId);
    return c.json(executionView(record), 200);
  });

  app.openapi(history, async (c) => {
    const { executionId } = c.req.valid('param');
    const { id: companyId } = companyOf(service, c.req.valid('query').companyId);
    if ((await engine.execution(companyId, executionId)) === undefined) throw executionNotFound(executionId);
    return c.json(historyView(executionId, await engine.history(companyId, executionId)), 200);
  });

  app.openapi(cancel, async (c) => {
    const { executionId } = c.req.valid('param');
    const { id: companyId } = companyOf(service, c.req.valid('query').companyId);
    if ((await engine.execution(companyId, executionId)) === undefined) throw executionNotFound(executionId);
    const reason = cancelReason(await c.req.text());
    return c.json(executionView(await engine.cancel(companyId, executionId, reason)), 200);
  });

  app.openapi(release, async (c) => {
    const { executionId } = c.req.valid('param');
    const { id: companyId } = companyOf(service, c.req.valid('query').companyId);
    if ((await engine.execution(companyId, executionId)) === undefined) throw executionNotFound(executionId);
    return c.json(executionView(await engine.release(companyId, executionId)), 200);
  });
}

/** A filter without what is not asked for. */
const filterOf = ({ limit, ...rest }: Omit<z.output<typeof ExecutionsQuery>, 'companyId'>): ExecutionFilter => ({
  limit,
  ...(rest.workflowId !== undefined && { workflowId: rest.workflowId }),
  ...(rest.status !== undefined && { status: rest.status }),
  ...(rest.userId !== undefined && { userId: rest.userId }),
  ...(rest.cursor !== undefined && { cursor: rest.cursor }),
});
