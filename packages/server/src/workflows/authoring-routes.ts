import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { type DescribedNode, describeCanvas, diffCanvases, parseCanvas } from '@hilo/engine';
import type { Canvas } from '@hilo/engine/contract';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { type HttpEnv, permissions } from '../platform/http/context.ts';
import { jsonBody, jsonResponse } from '../platform/http/openapi.ts';
import { invalidRequest, notFound } from '../platform/http/errors.ts';
import { QueryText } from '../platform/http/query.ts';
import { httpLimits } from '../platform/http/limits.ts';
import { mostTranscripts, transcriptName, transcripts } from '../platform/database/transcripts.ts';
import { requireCompany, requireWorkflowCompany } from '../tenants/companies.ts';
import { listOpenExecutions } from './authoring.ts';
import { findChecks, type WorkflowParts } from './workflows.ts';
import {
  CompanyQuery,
  WorkflowQuery,
  bodyErrorResponses,
  errorResponses,
  workflowNotFound,
  Page,
  CanvasProblem,
  Values,
  formatInstant,
} from '../platform/http/admin.ts';

const params = z.object({ workflowId: z.string() });
const transcriptParams = params.extend({
  name: z.string().regex(transcriptName, 'a name has 1 to 100 letters, digits, "_", "." or "-"'),
});
const tags = ['Workflows'];

const TranscriptChanged = z.object({ error: z.literal('TRANSCRIPT_CHANGED'), message: z.string() });

const Described = z.custom<DescribedNode>().openapi({ type: 'object', required: ['nodeId', 'ports', 'always', 'sometimes'] });

const me = createRoute({
  method: 'get',
  path: '/me',
  tags: ['Management'],
  summary: 'The operator of the request, their permissions and companies',
  responses: {
    200: jsonResponse(
      'The operator',
      z.object({
        name: z.string(),
        can: z.array(z.string()),
        companies: z.array(z.object({ id: z.string(), name: z.string() })),
        limits: z.object({ bodyBytes: z.int(), transcripts: z.int() }),
      }),
    ),
    ...errorResponses,
  },
});

const population = createRoute({
  method: 'get',
  path: '/workflows/{workflowId}/population',
  tags,
  summary: 'How many executions are in each version, and where',
  request: { params, query: WorkflowQuery },
  responses: {
    200: jsonResponse(
      'By version; the draft, on the test route, is left out',
      z.object({
        versions: z.array(
          z.object({
            version: z.int(),
            running: z.int(),
            waiting: z.int(),
            nodes: z.array(z.object({ nodeId: z.string(), waiting: z.int(), oldest: z.string().openapi({ format: 'date-time' }) })),
          }),
        ),
      }),
    ),
    ...errorResponses,
  },
});

const diff = createRoute({
  method: 'get',
  path: '/workflows/{workflowId}/diff',
  tags,
  summary: 'What one version does otherwise than another; layout is no difference',
  request: { params, query: WorkflowQuery.extend({ from: QueryText('from', 32), to: QueryText('to', 32).default('draft') }) },
  responses: { 200: jsonResponse('Nodes, edges and settings that differ', Values), ...errorResponses },
});

const describe = createRoute({
  method: 'post',
  path: '/describe',
  tags: ['Canvases'],
  summary: 'What an editor shows of each node of a canvas, and its problems; keeps nothing',
  request: { query: CompanyQuery, body: jsonBody('The bare canvas') },
  responses: {
    200: jsonResponse('Summaries, ports and variables by node', z.object({ nodes: z.array(Described), problems: z.array(CanvasProblem) })),
    ...bodyErrorResponses,
  },
});

const list = createRoute({
  method: 'get',
  path: '/workflows/{workflowId}/transcripts',
  tags,
  summary: 'Conversations that are kept with a workflow as tests, by name',
  request: { params, query: WorkflowQuery },
  responses: {
    200: jsonResponse('Names', Page(z.object({ name: z.string(), updatedAt: z.string().openapi({ format: 'date-time' }) }))),
    ...errorResponses,
  },
});
const textOfTranscript = { 200: { description: 'The transcript', content: { 'text/plain': { schema: z.string() } } } };
const get = createRoute({
  method: 'get',
  path: '/workflows/{workflowId}/transcripts/{name}',
  tags,
  summary: 'One transcript',
  request: { params: transcriptParams, query: WorkflowQuery },
  responses: { ...textOfTranscript, ...errorResponses },
});
const put = createRoute({
  method: 'put',
  path: '/workflows/{workflowId}/transcripts/{name}',
  tags,
  summary: 'Keeps a transcript under a name',
  request: { params: transcriptParams, query: WorkflowQuery, body: { content: { 'text/plain': { schema: z.string() } } } },
  responses: {
    200: jsonResponse('It is kept', z.object({ name: z.string() })),
    412: jsonResponse('Another author has kept it since the ETag of If-Match: nothing was written', TranscriptChanged),
    ...bodyErrorResponses,
  },
});
const remove = createRoute({
  method: 'delete',
  path: '/workflows/{workflowId}/transcripts/{name}',
  tags,
  summary: 'Takes a transcript away',
  request: { params: transcriptParams, query: WorkflowQuery },
  responses: { 200: jsonResponse('It is gone', z.object({ name: z.string() })), ...errorResponses },
});

/** Further routes of the editor, besides drafts and versions. */
export function authoringRoutes(app: OpenAPIHono<HttpEnv>, service: WorkflowParts): void {
  const { store, clock, companies } = service;
  const { canvases } = store;

  /** The company of a workflow that has a draft. @throws {HttpError} 404, 422 */
  const requireDraftOwner = async (companyId: string | undefined, workflowId: string): Promise<string> => {
    const owner = await requireWorkflowCompany(service, companyId, workflowId);
    if ((await canvases.draft(owner, workflowId)) === undefined) throw workflowNotFound(workflowId);
    return owner;
  };

  app.openapi(me, (c) => {
    const name = c.get('credential') ?? 'operator';
    const all = companies.all().map((company) => ({ id: company.id, name: company.name }));
    return c.json(
      {
        name,
        can: [...(c.get('can') ?? permissions)],
        companies: all,
        limits: { bodyBytes: httpLimits.bodyBytes, transcripts: mostTranscripts },
      },
      200,
    );
  });

  app.openapi(population, async (c) => {
    const { workflowId } = c.req.valid('param');
    const companyId = await requireDraftOwner(c.req.valid('query').companyId, workflowId);
    const versions = new Map<number, { running: number; waiting: number; nodes: Map<string, { waiting: number; oldestMs: number }> }>();
    for (const executionId of await listOpenExecutions(store, companyId, workflowId)) {
      const record = await store.executions.load(companyId, executionId);
      await turn(); // variables have up to 1 MB each, and there may be thousands of executions (P20)
      if (record === undefined || record.version === 'draft') continue;
      const version = versions.get(record.version) ?? {
        running: 0,
        waiting: 0,
        nodes: new Map<string, { waiting: number; oldestMs: number }>(),
      };
      versions.set(record.version, version);
      const { wait } = record.state;
      if (wait === undefined) {
        version.running += 1;
        continue;
      }
      version.waiting += 1;
      const node = version.nodes.get(wait.nodeId) ?? { waiting: 0, oldestMs: wait.openedAtMs };
      version.nodes.set(wait.nodeId, { waiting: node.waiting + 1, oldestMs: Math.min(node.oldestMs, wait.openedAtMs) });
    }
    const results = [...versions].map(([version, { running, waiting, nodes }]) => ({
      version,
      running,
      waiting,
      nodes: [...nodes].map(([nodeId, { waiting: here, oldestMs }]) => ({ nodeId, waiting: here, oldest: formatInstant(oldestMs) })),
    }));
    return c.json({ versions: results.toSorted((a, b) => a.version - b.version) }, 200);
  });

  app.openapi(diff, async (c) => {
    const { workflowId } = c.req.valid('param');
    const { companyId: given, from, to } = c.req.valid('query');
    const companyId = await requireDraftOwner(given, workflowId);
    const requireCanvas = async (name: string): Promise<Canvas> => {
      const found =
        name === 'draft'
          ? await canvases.draft(companyId, workflowId)
          : /^[1-9]\d{0,8}$/.test(name)
            ? await canvases.version(companyId, workflowId, Number(name))
            : undefined;
      if (found === undefined) throw notFound('VERSION_NOT_FOUND', `Workflow "${workflowId}" has no version ${name}; "draft" is its draft`);
      return found.canvas;
    };
    return c.json({ ...diffCanvases(await requireCanvas(from), await requireCanvas(to)) }, 200);
  });

  app.openapi(describe, async (c) => {
    const { companyId } = c.req.valid('query');
    const isFor = companyId !== undefined || companies.all().length === 1 ? requireCompany(service, companyId) : undefined;
    const text = await c.req.text();
    const { canvas } = parseCanvas(text);
    const checks = isFor === undefined || canvas === undefined ? { nodes: service.nodes } : await findChecks(service, isFor.id, canvas);
    const { nodes, problems } = describeCanvas(text, checks);
    return c.json({ nodes: [...nodes], problems: [...problems] }, 200);
  });

  const noTranscript = (name: string) => notFound('TRANSCRIPT_NOT_FOUND', `There is no transcript "${name}"`);

  app.openapi(list, async (c) => {
    const { workflowId } = c.req.valid('param');
    const companyId = await requireDraftOwner(c.req.valid('query').companyId, workflowId);
    const found = await transcripts.list(store, companyId, workflowId);
    return c.json(
      { results: found.map(({ name, updatedAtMs }) => ({ name, updatedAt: formatInstant(updatedAtMs) })), nextCursor: null },
      200,
    );
  });
  app.openapi(get, async (c) => {
    const { workflowId, name } = c.req.valid('param');
    const content = await transcripts.get(store, await requireDraftOwner(c.req.valid('query').companyId, workflowId), workflowId, name);
    if (content === undefined) throw noTranscript(name);
    c.header('etag', hashContent(content));
    return c.text(content, 200);
  });
  app.openapi(put, async (c) => {
    const { workflowId, name } = c.req.valid('param');
    const companyId = await requireDraftOwner(c.req.valid('query').companyId, workflowId);
    const kept = await transcripts.list(store, companyId, workflowId);
    if (kept.length >= mostTranscripts && !kept.some((one) => one.name === name))
      throw invalidRequest(`A workflow keeps ${mostTranscripts} transcripts: take one away first`);
    const content = await c.req.text();
    const old = await transcripts.get(store, companyId, workflowId, name);
    const before = readExpectedContent(old, c.req.header('if-match'), c.req.header('if-none-match'));
    const isKept =
      before !== 'other' && (await transcripts.put(store, companyId, workflowId, { name, content, nowMs: clock.now(), ...before }));
    if (!isKept) {
      const message = `Another author has kept or deleted "${name}" since: read it again before it is replaced`;
      return c.json({ error: 'TRANSCRIPT_CHANGED' as const, message }, 412);
    }
    c.header('etag', hashContent(content));
    return c.json({ name }, 200);
  });
  app.openapi(remove, async (c) => {
    const { workflowId, name } = c.req.valid('param');
    const companyId = await requireDraftOwner(c.req.valid('query').companyId, workflowId);
    await c.req.text(); // ignored, but held to the size limit (P33)
    if (!(await transcripts.delete(store, companyId, workflowId, name))) throw noTranscript(name);
    return c.json({ name }, 200);
  });
}

const hashContent = (content: string): string => `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`;

/** What a transcript must be before it is replaced, by the headers of the request; `other` where it is not so. */
function readExpectedContent(
  old: string | undefined,
  ifMatch: string | undefined,
  ifNoneMatch: string | undefined,
): { readonly before?: string | null } | 'other' {
  if (ifNoneMatch?.trim() === '*') return { before: null };
  if (ifMatch === undefined) return {};
  const isSame = old !== undefined && (ifMatch.trim() === '*' || ifMatch.trim() === hashContent(old));
  return isSame ? { before: old } : 'other';
}
