import { setImmediate as turn } from 'node:timers/promises';
import { canvasHash } from '@hilo/engine';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { HttpEnv } from '../platform/http/context.ts';
import { describedBody, said } from '../platform/http/openapi.ts';
import { invalidRequest } from '../platform/http/refusal.ts';
import type { Service } from '../service.ts';
import { withRivals } from './check-canvas.ts';
import { companyOf, companyOfDraft, companyOfWorkflow } from '../tenants/company-of.ts';
import { connectionsFor } from './connections.ts';
import { draftOf } from './draft-of.ts';
import { draftSummary, draftView } from './draft-view.ts';
import { draftsPage } from './drafts-page.ts';
import { WorkflowQuery, WorkflowsQuery } from '../platform/http/admin-queries.ts';
import { canvasOf } from './read-canvas-body.ts';
import { workflowNotFound } from '../platform/http/admin-refusals.ts';
import { bodyRefusals, refusals } from '../platform/http/admin-responses.ts';
import { Draft, page, WorkflowSummary } from '../platform/http/admin-schemas.ts';

const params = z.object({ workflowId: z.string() });
const tags = ['Workflows'];

const list = createRoute({
  method: 'get',
  path: '/workflows',
  tags,
  summary: 'The workflows of a company, by id',
  request: { query: WorkflowsQuery },
  responses: { 200: said('Workflows', page(WorkflowSummary)), ...refusals },
});

const get = createRoute({
  method: 'get',
  path: '/workflows/{workflowId}',
  tags,
  summary: 'The draft, with its problems and the addresses of its webhook',
  request: { params, query: WorkflowQuery },
  responses: { 200: said('The draft', Draft), ...refusals },
});

const put = createRoute({
  method: 'put',
  path: '/workflows/{workflowId}',
  tags,
  summary: 'Keeps a canvas as the draft, problems and all; makes the workflow when there is none',
  request: { params, query: WorkflowQuery, body: describedBody('The bare canvas; its id is that of the path') },
  responses: { 200: said('The draft as it was kept', Draft), ...bodyRefusals },
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
      await turn(); // a canvas has up to 1 MB, and a page up to 200 of them (P20)
      if (draft === undefined) continue;
      const { name, kind } = draft.canvas;
      results.push({ ...draftSummary({ ...draft, latest: await canvases.latest(id, workflowId) }), name, kind });
    }
    return c.json({ results, nextCursor }, 200);
  });

  app.openapi(get, async (c) => {
    const { workflowId } = c.req.valid('param');
    const companyId = await companyOfWorkflow(service, c.req.valid('query').companyId, workflowId);
    const draft = await draftOf(service, companyId, workflowId);
    if (draft === undefined) throw workflowNotFound(workflowId);
    const problems = await withRivals(draft.problems, draft.canvas, () => canvases.published(companyId));
    return c.json(draftView(draft, problems, { service, companyId, base: baseOf(service, c.req.url) }), 200);
  });

  app.openapi(put, async (c) => {
    const { workflowId } = c.req.valid('param');
    const companyId = await companyOfDraft(service, c.req.valid('query').companyId, workflowId);
    const canvas = canvasOf(await c.req.text());
    if (canvas.id !== workflowId)
      throw invalidRequest(`The canvas has the id "${canvas.id}", and the path says "${workflowId}": make them the same`);
    const found = await engine.saveDraft(companyId, canvas, await connectionsFor(service, companyId, canvas));
    const problems = await withRivals(found, canvas, () => canvases.published(companyId));
    const facts = { canvas, hash: canvasHash(canvas), latest: await canvases.latest(companyId, workflowId) };
    return c.json(draftView(facts, problems, { service, companyId, base: baseOf(service, c.req.url) }), 200);
  });
}

/** Where people reach this service: what the settings say, else what the request was sent to. */
const baseOf = ({ settings: { publicUrl } }: Pick<Service, 'settings'>, url: string): string =>
  publicUrl?.replace(/\/+$/, '') ?? new URL(url).origin;
