import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { HttpEnv } from '../platform/http/context.ts';
import { describedBody, said } from '../platform/http/openapi.ts';
import type { Service } from '../service.ts';
import { companyOf, executionOf } from '../tenants/company-of.ts';
import { executionPage } from './execution-pages.ts';
import { executionView } from './execution-view.ts';
import { historyView } from './history-view.ts';
import { cancelReason } from './cancel-reason.ts';
import { ExecutionQuery, ExecutionsQuery } from '../platform/http/admin-queries.ts';
import { bodyRefusals, refusals } from '../platform/http/admin-responses.ts';
import { Execution, History, page } from '../platform/http/admin-schemas.ts';

const params = z.object({ executionId: z.string() });
const tags = ['Executions'];

const list = createRoute({
  method: 'get',
  path: '/executions',
  tags,
  summary: 'Executions, the newest first, of a company or of all; a child is one of its own',
  description: 'A page ends before its limit where its executions are large: there are more as long as nextCursor is not null.',
  request: { query: ExecutionsQuery },
  responses: { 200: said('Executions', page(Execution)), ...refusals },
});

const get = createRoute({
  method: 'get',
  path: '/executions/{executionId}',
  tags,
  summary: 'An execution with its variables and its open wait',
  request: { params, query: ExecutionQuery },
  responses: { 200: said('The execution', Execution), ...refusals },
});

const history = createRoute({
  method: 'get',
  path: '/executions/{executionId}/history',
  tags,
  summary: 'What an execution did: visits, effects, causes and writes, in order',
  request: { params, query: ExecutionQuery },
  responses: { 200: said('The history', History), ...refusals },
});

const cancel = createRoute({
  method: 'post',
  path: '/executions/{executionId}/cancel',
  tags,
  summary: 'Ends an execution at once, and its children with it; one that has ended stays as it is',
  request: {
    params,
    query: ExecutionQuery,
    body: describedBody('May be left out', { type: 'object', properties: { reason: { type: 'string', maxLength: 500 } } }),
  },
  responses: { 200: said('The execution as it stands now', Execution), ...bodyRefusals },
});

const release = createRoute({
  method: 'post',
  path: '/executions/{executionId}/release',
  tags,
  summary: 'Lets a quarantined execution go on where it stood; any other stays as it is',
  request: { params, query: ExecutionQuery },
  responses: { 200: said('The execution as it stands now', Execution), ...bodyRefusals },
});

/** What runs, waits and has ended. */
export function executionRoutes(app: OpenAPIHono<HttpEnv>, service: Service): void {
  const { engine } = service;

  app.openapi(list, async (c) => {
    const filter = c.req.valid('query');
    const { companyId } = filter;
    const named = companyId === undefined ? undefined : companyOf(service, companyId).id;
    return c.json(await executionPage(service, { ...filter, companyId: named }), 200);
  });

  app.openapi(get, async (c) => {
    const { executionId } = c.req.valid('param');
    return c.json(executionView(await executionOf(service, c.req.valid('query').companyId, executionId)), 200);
  });

  app.openapi(history, async (c) => {
    const { executionId } = c.req.valid('param');
    const { companyId } = await executionOf(service, c.req.valid('query').companyId, executionId);
    return c.json(historyView(executionId, await engine.history(companyId, executionId)), 200);
  });

  app.openapi(cancel, async (c) => {
    const { executionId } = c.req.valid('param');
    const { companyId } = await executionOf(service, c.req.valid('query').companyId, executionId);
    const reason = cancelReason(await c.req.text());
    return c.json(executionView(await engine.cancel(companyId, executionId, reason)), 200);
  });

  app.openapi(release, async (c) => {
    const { executionId } = c.req.valid('param');
    const { companyId } = await executionOf(service, c.req.valid('query').companyId, executionId);
    await c.req.text(); // says nothing, and keeps within its bounds all the same (P33)
    return c.json(executionView(await engine.release(companyId, executionId)), 200);
  });
}
