import { createHash } from 'node:crypto';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { maxTranscripts, transcriptName, transcripts } from '../platform/database/transcripts.ts';
import { bodyErrorResponses, errorResponses, formatInstant, Page, WorkflowQuery } from '../platform/http/admin.ts';
import { needs } from '../platform/http/auth/require-permission.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { invalidRequest, notFound } from '../platform/http/errors.ts';
import { jsonResponse } from '../platform/http/openapi.ts';
import { PutHeaders } from './schema.ts';
import { requireDraftOwner, type WorkflowParts } from './workflows.ts';

const params = z.object({ workflowId: z.string() });
const transcriptParams = params.extend({
  name: z.string().regex(transcriptName, 'a name has 1 to 100 letters, digits, "_", "." or "-"'),
});
const tags = ['Workflows'];

const TranscriptChanged = z.object({ error: z.literal('TRANSCRIPT_CHANGED'), message: z.string() });

const list = createRoute({
  method: 'get',
  path: '/workflows/{workflowId}/transcripts',
  operationId: 'listTranscripts',
  ...needs('view'),
  tags,
  summary: 'The transcripts that are stored with a workflow as tests, by name',
  description: 'The names alone; each is read by its own address.',
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
  operationId: 'getTranscript',
  ...needs('view'),
  tags,
  summary: 'One transcript',
  description: 'Its ETag is what If-Match takes when it is stored again.',
  request: { params: transcriptParams, query: WorkflowQuery },
  responses: { ...textOfTranscript, ...errorResponses },
});
const put = createRoute({
  method: 'put',
  path: '/workflows/{workflowId}/transcripts/{name}',
  operationId: 'saveTranscript',
  ...needs('edit'),
  tags,
  summary: 'Stores a transcript under a name',
  description: 'With If-None-Match: * it replaces no other; with If-Match only what the author has read.',
  request: {
    params: transcriptParams,
    query: WorkflowQuery,
    headers: PutHeaders,
    body: { content: { 'text/plain': { schema: z.string() } } },
  },
  responses: {
    200: jsonResponse('The transcript is stored', z.object({ name: z.string() })),
    412: jsonResponse('Another author has stored it since the ETag of If-Match: nothing was written', TranscriptChanged),
    ...bodyErrorResponses,
  },
});
const remove = createRoute({
  method: 'delete',
  path: '/workflows/{workflowId}/transcripts/{name}',
  operationId: 'deleteTranscript',
  ...needs('edit'),
  tags,
  summary: 'Removes a transcript',
  description: 'The workflow and its other transcripts stay as they are.',
  request: { params: transcriptParams, query: WorkflowQuery },
  responses: { 200: jsonResponse('The transcript was removed', z.object({ name: z.string() })), ...errorResponses },
});

/** Conversations that are kept with a workflow as its tests. */
export function transcriptRoutes(
  app: OpenAPIHono<HttpEnv>,
  service: Pick<WorkflowParts, 'companies' | 'store' | 'engine' | 'clock'>,
): void {
  const { store, clock } = service;

  const noTranscript = (workflowId: string, name: string) =>
    notFound('TRANSCRIPT_NOT_FOUND', `Workflow "${workflowId}" has no transcript "${name}"`);

  app.openapi(list, async (c) => {
    const { workflowId } = c.req.valid('param');
    const companyId = await requireDraftOwner(service, c.req.valid('query').companyId, workflowId);
    const found = await transcripts.list(store, companyId, workflowId);
    return c.json(
      { results: found.map(({ name, updatedAtMs }) => ({ name, updatedAt: formatInstant(updatedAtMs) })), nextCursor: null },
      200,
    );
  });
  app.openapi(get, async (c) => {
    const { workflowId, name } = c.req.valid('param');
    const companyId = await requireDraftOwner(service, c.req.valid('query').companyId, workflowId);
    const content = await transcripts.get(store, companyId, workflowId, name);
    if (content === undefined) throw noTranscript(workflowId, name);
    c.header('etag', hashContent(content));
    return c.text(content, 200);
  });
  app.openapi(put, async (c) => {
    const { workflowId, name } = c.req.valid('param');
    const companyId = await requireDraftOwner(service, c.req.valid('query').companyId, workflowId);
    const kept = await transcripts.list(store, companyId, workflowId);
    if (kept.length >= maxTranscripts && !kept.some((one) => one.name === name))
      throw invalidRequest(`A workflow keeps ${maxTranscripts} transcripts: take one away first`);
    const content = await c.req.text();
    const old = await transcripts.get(store, companyId, workflowId, name);
    const before = readExpectedContent(old, c.req.header('if-match'), c.req.header('if-none-match'));
    const isKept =
      before !== 'other' && (await transcripts.put(store, companyId, workflowId, { name, content, nowMs: clock.now(), ...before }));
    if (!isKept) {
      await requireDraftOwner(service, companyId, workflowId); // it may have been removed meanwhile
      const message = `Another author has kept or deleted "${name}" since: read it again before it is replaced`;
      return c.json({ error: 'TRANSCRIPT_CHANGED' as const, message }, 412);
    }
    c.header('etag', hashContent(content));
    return c.json({ name }, 200);
  });
  app.openapi(remove, async (c) => {
    const { workflowId, name } = c.req.valid('param');
    const companyId = await requireDraftOwner(service, c.req.valid('query').companyId, workflowId);
    if (!(await transcripts.delete(store, companyId, workflowId, name))) throw noTranscript(workflowId, name);
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
