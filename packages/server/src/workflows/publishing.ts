import { isHiloError, type PublishedVersion } from '@hilo/engine/contract';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { HttpEnv } from '../platform/http/context.ts';
import { describedBody, said } from '../platform/http/openapi.ts';
import { parseJson } from '../platform/http/parse-json.ts';
import { invalidInput, notFound } from '../platform/http/refusal.ts';
import type { Service } from '../service.ts';
import { noteVersion, savedDraft, type VersionNote, versionNotes } from './authoring.ts';
import { problemsOf, withRivals } from './check-canvas.ts';
import { companyOfWorkflow } from '../tenants/company-of.ts';
import { checksFor } from './connections.ts';
import { instant } from '../platform/http/instant.ts';
import { WorkflowQuery } from '../platform/http/admin-queries.ts';
import { problemsRefused, workflowNotFound } from '../platform/http/admin-refusals.ts';
import { bodyRefusals, refusals } from '../platform/http/admin-responses.ts';
import { CanvasValue, page, Problem, Version as VersionValue } from '../platform/http/admin-schemas.ts';

const Version = VersionValue.extend({ note: z.string(), publishedBy: z.string().nullable() });

const params = z.object({ workflowId: z.string() });
const tags = ['Workflows'];

const publish = createRoute({
  method: 'post',
  path: '/workflows/{workflowId}/publish',
  tags,
  summary: 'Makes the draft the next version; the same content as the latest version stays that version',
  request: {
    params,
    query: WorkflowQuery,
    body: describedBody('May be left out', {
      type: 'object',
      properties: { note: { type: 'string', maxLength: 1_000 }, revision: { type: 'integer', description: 'Of the draft that is meant' } },
    }),
  },
  responses: {
    412: said(
      'The draft was saved since: nothing was published',
      z.object({ error: z.literal('DRAFT_CHANGED'), message: z.string(), revision: z.int() }),
    ),
    200: said('The version that is now the latest', Version.extend({ warnings: z.array(Problem) })),
    ...bodyRefusals,
  },
});

const versions = createRoute({
  method: 'get',
  path: '/workflows/{workflowId}/versions',
  tags,
  summary: 'Every published version, the first one first',
  request: { params, query: WorkflowQuery },
  responses: { 200: said('Versions', page(Version)), ...refusals },
});

const version = createRoute({
  method: 'get',
  path: '/workflows/{workflowId}/versions/{version}',
  tags,
  summary: 'One published version with its canvas',
  request: { params: params.extend({ version: z.string() }), query: WorkflowQuery },
  responses: { 200: said('The version', Version.extend({ canvas: CanvasValue })), ...refusals },
});

/** What runs: published versions, each immutable. */
export function publishingRoutes(app: OpenAPIHono<HttpEnv>, service: Service): void {
  const { engine, store } = service;
  const { canvases } = store;

  app.openapi(publish, async (c) => {
    const { workflowId } = c.req.valid('param');
    const companyId = await companyOfWorkflow(service, c.req.valid('query').companyId, workflowId);
    const draft = await canvases.draft(companyId, workflowId);
    if (draft === undefined) throw workflowNotFound(workflowId);
    const { note = '', revision } = readPublish(await c.req.text());
    const { revision: current } = await savedDraft(store, companyId, draft);
    if (revision !== undefined && revision !== current)
      return c.json(
        { error: 'DRAFT_CHANGED' as const, message: 'The draft was saved since: look at it before it is published', revision: current },
        412,
      );
    const checks = await checksFor(service, companyId, draft.canvas);
    try {
      const published = await engine.publish(companyId, workflowId, checks);
      const by = c.get('credential') ?? 'operator';
      await noteVersion(store, companyId, { workflowId, version: published.version.version, note, by });
      const notes = await versionNotes(store, companyId, workflowId);
      const warnings = await withRivals(published.warnings, draft.canvas, checks.published);
      return c.json({ ...versionView(published.version, notes), warnings: [...warnings] }, 200);
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
    const notes = await versionNotes(store, companyId, workflowId);
    return c.json({ results: found.map((one) => versionView(one, notes)), nextCursor: null }, 200);
  });

  app.openapi(version, async (c) => {
    const { workflowId, version: number } = c.req.valid('param');
    const companyId = await companyOfWorkflow(service, c.req.valid('query').companyId, workflowId);
    const found = /^[1-9]\d{0,8}$/.test(number) ? await canvases.version(companyId, workflowId, Number(number)) : undefined;
    if (found === undefined) throw notFound('VERSION_NOT_FOUND', `Workflow "${workflowId}" has no version ${number}`);
    return c.json({ ...versionView(found, await versionNotes(store, companyId, workflowId)), canvas: found.canvas }, 200);
  });
}

const versionView = ({ workflowId, version, hash, publishedAtMs }: PublishedVersion, notes: ReadonlyMap<number, VersionNote>) => ({
  workflowId,
  version,
  hash,
  publishedAt: instant(publishedAtMs),
  note: notes.get(version)?.note ?? '',
  publishedBy: notes.get(version)?.publishedBy ?? null,
});

const PublishBody = z.object({ note: z.string().max(1_000).optional(), revision: z.int().min(0).optional() });

/** What is said of a version; nothing, where the body is empty. @throws {Refusal} */
function readPublish(text: string): z.output<typeof PublishBody> {
  if (text.trim() === '') return {};
  const { data, error } = PublishBody.safeParse(parseJson(text));
  if (data === undefined) throw invalidInput(error);
  return data;
}
