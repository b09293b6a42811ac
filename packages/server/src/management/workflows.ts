import { canvasHash, checkCanvas } from '@hilo/engine';
import { standardNodes } from '@hilo/nodes';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { HttpEnv } from '../http/context.ts';
import { invalidRequest } from '../http/refusal.ts';
import type { Service } from '../service/service.ts';
import { companyOf } from './company-of.ts';
import { connectionsFor } from './connections.ts';
import { draftSummary, draftView } from './draft-view.ts';
import { draftsPage } from './drafts-page.ts';
import { CompanyQuery, WorkflowsQuery } from './queries.ts';
import { canvasOf } from './read-canvas-body.ts';
import { workflowNotFound } from './refusals.ts';
import { answers, bodyRefusals, describedBody, refusals } from './responses.ts';
import { Draft, page, WorkflowSummary } from './schemas.ts';

const params = z.object({ workflowId: z.string() });
const tags = ['Workflows'];

const list = createRoute({
  method: 'get',
  path: '/workflows',
  tags,
  summary: 'The workflows of a company, by id',
  request: { query: WorkflowsQuery },
  responses: { 200: answers(page(WorkflowSummary), 'Workflows'), ...refusals },
});

const get = createRoute({
  method: 'get',
  path: '/workflows/{workflowId}',
  tags,
  summary: 'The draft, with its problems and the addresses of its webhook',
  request: { params, query: CompanyQuery },
  responses: { 200: answers(Draft, 'The draft'), ...refusals },
});

const put = createRoute({
  method: 'put',
  path: '/workflows/{workflowId}',
  tags,
  summary: 'Keeps a canvas as the draft, problems and all; makes the workflow when there is none',
  request: { params, query: CompanyQuery, body: describedBody('The bare canvas; its id is that of the path') },
  responses: { 200: answers(Draft, 'The draft as it was kept'), ...bodyRefusals },
});

/** Drafts: what authors work at. */
export function workflowRoutes(app: OpenAPIHono<HttpEnv>, service: Service): void {
  const { engine, store } = service;
  const { canvases } = store;

  app.openapi(list, async (c) => {
    const { companyId, limit, cursor } = c.req.valid('query');
    const { id } = companyOf(service, companyId);
    const { workflowIds, nextCursor } = await draftsPage(store, id, { limit, cursor });
    const results = [];
    for (const workflowId of workflowIds) {
      const draft = await canvases.draft(id, workflowId);
      if (draft === undefined) continue;
      const { name, kind } = draft.canvas;
      results.push({ ...draftSummary({ ...draft, latest: await canvases.latest(id, workflowId) }), name, kind });
    }
    return c.json({ results, nextCursor }, 200);
  });

  app.openapi(get, async (c) => {
    const { workflowId } = c.req.valid('param');
    const { id: companyId } = companyOf(service, c.req.valid('query').companyId);
    const draft = await canvases.draft(companyId, workflowId);
    if (draft === undefined) throw workflowNotFound(workflowId);
    const { canvas } = draft;
    const problems = checkCanvas(canvas, { ...(await connectionsFor(service, companyId, canvas)), nodes: standardNodes });
    const latest = await canvases.latest(companyId, workflowId);
    return c.json(draftView({ ...draft, latest }, problems, { service, companyId, origin: originOf(c.req.url) }), 200);
  });

  app.openapi(put, async (c) => {
    const { workflowId } = c.req.valid('param');
    const { id: companyId } = companyOf(service, c.req.valid('query').companyId);
    const canvas = canvasOf(await c.req.text());
    if (canvas.id !== workflowId)
      throw invalidRequest(`The canvas has the id "${canvas.id}", and the path says "${workflowId}": make them the same`);
    const problems = await engine.saveDraft(companyId, canvas, await connectionsFor(service, companyId, canvas));
    const facts = { canvas, hash: canvasHash(canvas), latest: await canvases.latest(companyId, workflowId) };
    return c.json(draftView(facts, problems, { service, companyId, origin: originOf(c.req.url) }), 200);
  });
}

const originOf = (url: string): string => new URL(url).origin;
