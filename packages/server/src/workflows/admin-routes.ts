import { setImmediate as turn } from 'node:timers/promises';
import { parseCanvas } from '@hilo/engine';
import { canvasHash } from '@hilo/engine/store-kit';
import { type Canvas, isHiloError, type Problem, type PublishedVersion } from '@hilo/engine/contract';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import {
  bodyRefusals,
  CanvasProblem,
  CanvasValue,
  Draft,
  instant,
  page,
  problemsRefused,
  refusals,
  Version,
  workflowNotFound,
  WorkflowQuery,
  WorkflowsQuery,
  WorkflowSummary,
} from '../platform/http/admin.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { invalidRequest, notFound, tooLarge } from '../platform/http/errors.ts';
import { describedBody, jsonResponse } from '../platform/http/openapi.ts';
import { companyOf, companyOfDraft, companyOfWorkflow } from '../tenants/company-of.ts';
import {
  checksFor,
  connectionsFor,
  draftOf,
  draftsPage,
  draftSummary,
  draftView,
  problemsOf,
  withRivals,
  type WorkflowParts,
} from './workflows.ts';

/**
 * The canvas of a request's body.
 *
 * @throws {Refusal} 400 for what is no JSON, 413 for what is too large, 422 with every problem for what has not the
 *   shape of a canvas: it cannot be kept
 */
function canvasOf(text: string): Canvas {
  const { canvas, problems } = parseCanvas(text);
  if (canvas !== undefined) return canvas;
  for (const problem of problems) refuseText(problem);
  throw problemsRefused(problems);
}

/** @throws {Refusal} for a text in which no canvas can be looked for */
export function refuseText({ code, message }: Problem): void {
  if (code === 'CANVAS_TOO_LARGE') throw tooLarge(message);
  if (code === 'NOT_JSON' || code === 'TOO_DEEP' || code === 'TOO_MANY_KEYS') throw invalidRequest(message);
}

const params = z.object({ workflowId: z.string() });
const tags = ['Workflows'];

const list = createRoute({
  method: 'get',
  path: '/workflows',
  tags,
  summary: 'The workflows of a company, by id',
  request: { query: WorkflowsQuery },
  responses: { 200: jsonResponse('Workflows', page(WorkflowSummary)), ...refusals },
});

const get = createRoute({
  method: 'get',
  path: '/workflows/{workflowId}',
  tags,
  summary: 'The draft, with its problems and the addresses of its webhook',
  request: { params, query: WorkflowQuery },
  responses: { 200: jsonResponse('The draft', Draft), ...refusals },
});

const put = createRoute({
  method: 'put',
  path: '/workflows/{workflowId}',
  tags,
  summary: 'Keeps a canvas as the draft, problems and all; makes the workflow when there is none',
  request: { params, query: WorkflowQuery, body: describedBody('The bare canvas; its id is that of the path') },
  responses: { 200: jsonResponse('The draft as it was kept', Draft), ...bodyRefusals },
});

/** Drafts: what authors work at. */
export function workflowRoutes(app: OpenAPIHono<HttpEnv>, service: WorkflowParts): void {
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
const baseOf = ({ settings: { publicUrl } }: Pick<WorkflowParts, 'settings'>, url: string): string =>
  publicUrl?.replace(/\/+$/, '') ?? new URL(url).origin;

const publish = createRoute({
  method: 'post',
  path: '/workflows/{workflowId}/publish',
  tags,
  summary: 'Makes the draft the next version; the same content as the latest version stays that version',
  request: { params, query: WorkflowQuery },
  responses: {
    200: jsonResponse('The version that is now the latest', Version.extend({ warnings: z.array(CanvasProblem) })),
    ...bodyRefusals,
  },
});

const versions = createRoute({
  method: 'get',
  path: '/workflows/{workflowId}/versions',
  tags,
  summary: 'Every published version, the first one first',
  request: { params, query: WorkflowQuery },
  responses: { 200: jsonResponse('Versions', page(Version)), ...refusals },
});

const version = createRoute({
  method: 'get',
  path: '/workflows/{workflowId}/versions/{version}',
  tags,
  summary: 'One published version with its canvas',
  request: { params: params.extend({ version: z.string() }), query: WorkflowQuery },
  responses: { 200: jsonResponse('The version', Version.extend({ canvas: CanvasValue })), ...refusals },
});

/** What runs: published versions, each immutable. */
export function publishingRoutes(app: OpenAPIHono<HttpEnv>, service: WorkflowParts): void {
  const { engine, store } = service;
  const { canvases } = store;

  app.openapi(publish, async (c) => {
    const { workflowId } = c.req.valid('param');
    const companyId = await companyOfWorkflow(service, c.req.valid('query').companyId, workflowId);
    const draft = await canvases.draft(companyId, workflowId);
    if (draft === undefined) throw workflowNotFound(workflowId);
    await c.req.text(); // says nothing, and keeps within its bounds all the same (P33)
    const checks = await checksFor(service, companyId, draft.canvas);
    try {
      const published = await engine.publish(companyId, workflowId, checks);
      const warnings = await withRivals(published.warnings, draft.canvas, checks.published);
      return c.json({ ...versionView(published.version), warnings: [...warnings] }, 200);
    } catch (error) {
      if (!isHiloError(error, 'INVALID_CANVAS')) throw error;
      throw problemsRefused(await problemsOf(draft.canvas, checks));
    }
  });

  app.openapi(versions, async (c) => {
    const { workflowId } = c.req.valid('param');
    const companyId = await companyOfWorkflow(service, c.req.valid('query').companyId, workflowId);
    const found = await canvases.versions(companyId, workflowId);
    if (found.length === 0 && (await canvases.draft(companyId, workflowId)) === undefined) throw workflowNotFound(workflowId);
    return c.json({ results: found.map(versionView), nextCursor: null }, 200);
  });

  app.openapi(version, async (c) => {
    const { workflowId, version: number } = c.req.valid('param');
    const companyId = await companyOfWorkflow(service, c.req.valid('query').companyId, workflowId);
    const found = /^[1-9]\d{0,8}$/.test(number) ? await canvases.version(companyId, workflowId, Number(number)) : undefined;
    if (found === undefined) throw notFound('VERSION_NOT_FOUND', `Workflow "${workflowId}" has no version ${number}`);
    return c.json({ ...versionView(found), canvas: found.canvas }, 200);
  });
}

const versionView = ({ workflowId, version, hash, publishedAtMs }: PublishedVersion) => ({
  workflowId,
  version,
  hash,
  publishedAt: instant(publishedAtMs),
});
