import { setImmediate as turn } from 'node:timers/promises';
import { canvasHash } from '@hilo/engine';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { HttpEnv } from '../platform/http/context.ts';
import { describedBody, said } from '../platform/http/openapi.ts';
import { invalidRequest } from '../platform/http/refusal.ts';
import type { Service } from '../service.ts';
import { instant } from '../platform/http/instant.ts';
import { type SavedDraft, savedDraft, saveRevision } from './authoring.ts';
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
import { CanvasValue, Draft as DraftValue, page, WorkflowSummary } from '../platform/http/admin-schemas.ts';

const Draft = DraftValue.extend({
  revision: z.int().openapi({ description: 'Grows with each save; the ETag' }),
  savedAt: z.string().nullable().openapi({ format: 'date-time' }),
  savedBy: z.string().nullable(),
});
const DraftChanged = z.object({
  error: z.literal('DRAFT_CHANGED'),
  message: z.string(),
  draft: CanvasValue,
  revision: z.int(),
  savedBy: z.string().nullable(),
});

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
  responses: {
    200: said('The draft as it was kept', Draft),
    412: said('Somebody else saved since the revision of If-Match: nothing was written', DraftChanged),
    ...bodyRefusals,
  },
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
    const saved = await savedDraft(store, companyId, draft);
    c.header('etag', `"${saved.revision}"`);
    const view = draftView({ ...draft, canvas: saved.canvas }, problems, { service, companyId, base: baseOf(service, c.req.url) });
    return c.json({ ...view, ...revisionView(saved) }, 200);
  });

  app.openapi(put, async (c) => {
    const { workflowId } = c.req.valid('param');
    const companyId = await companyOfDraft(service, c.req.valid('query').companyId, workflowId);
    const canvas = canvasOf(await c.req.text());
    if (canvas.id !== workflowId)
      throw invalidRequest(`The canvas has the id "${canvas.id}", and the path says "${workflowId}": make them the same`);
    const connections = await connectionsFor(service, companyId, canvas);
    const hash = canvasHash(canvas);
    const by = c.get('credential') ?? 'operator';
    const expected = expectedRevision(c.req.header('if-match'), c.req.header('if-none-match'));
    for (let tries = 0; ; tries += 1) {
      const kept = await canvases.draft(companyId, workflowId);
      const before = kept === undefined ? undefined : await savedDraft(store, companyId, kept);
      const current = before?.revision ?? 0;
      const isExpected = expected === undefined || expected === current;
      if (isExpected && (await saveRevision(store, companyId, { canvas, hash, before: current, nowMs: service.clock.now(), by }))) break;
      // Without a condition the last one wins, as ever: a faster writer is replaced.
      if ((isExpected && tries < mostTries) || before === undefined) continue;
      c.header('etag', `"${current}"`);
      return c.json(
        {
          error: 'DRAFT_CHANGED' as const,
          message: 'Somebody else saved this draft since',
          draft: before.canvas,
          revision: current,
          savedBy: before.savedBy ?? null,
        },
        412,
      );
    }
    const found = await engine.saveDraft(companyId, canvas, connections);
    const problems = await withRivals(found, canvas, () => canvases.published(companyId));
    const facts = { canvas, hash, latest: await canvases.latest(companyId, workflowId) };
    const saved = await savedDraft(store, companyId, facts);
    c.header('etag', `"${saved.revision}"`);
    return c.json({ ...draftView(facts, problems, { service, companyId, base: baseOf(service, c.req.url) }), ...revisionView(saved) }, 200);
  });
}

/** How often a save without a condition looks again when another writer was faster. */
const mostTries = 20;

/** The revision that a save is to replace; 0 for a draft that must be new, `undefined` where anything is replaced. @throws {Refusal} */
function expectedRevision(ifMatch: string | undefined, ifNoneMatch: string | undefined): number | undefined {
  if (ifNoneMatch?.trim() === '*') return 0;
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const revision = /^\s*"(\d{1,15})"\s*$/.exec(ifMatch)?.[1];
  if (revision === undefined) throw invalidRequest('If-Match is the ETag of the draft, such as "17"');
  return Number(revision);
}

const revisionView = ({ revision, savedAtMs, savedBy }: SavedDraft) => ({
  revision,
  savedAt: savedAtMs === undefined ? null : instant(savedAtMs),
  savedBy: savedBy ?? null,
});

/** Where people reach this service: what the settings say, else what the request was sent to. */
const baseOf = ({ settings: { publicUrl } }: Pick<Service, 'settings'>, url: string): string =>
  publicUrl?.replace(/\/+$/, '') ?? new URL(url).origin;
