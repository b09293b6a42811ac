// The routes of transcripts: the tests of a workflow.
import { createHash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { maxTranscripts, transcriptName, transcripts } from '../platform/database/transcripts.ts';
import { bodyErrorResponses, errorResponses, formatInstant, Page, WorkflowQuery } from '../platform/http/admin.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { invalidRequest, notFound } from '../platform/http/errors.ts';
import { acme, orderStatus } from '../platform/http/example-requests.ts';
import { jsonResponse } from '../platform/http/openapi.ts';
import { PutHeaders } from './schema.ts';
import { requireDraftOwner, type WorkflowParts } from './workflows.ts';

/** What these routes work with. */
type TranscriptParts = Pick<WorkflowParts, 'companies' | 'store' | 'engine' | 'clock'>;

const params = z.object({ workflowId: z.string() });
const transcriptParams = params.extend({
  name: z.string().regex(transcriptName, 'a name has 1 to 100 letters, digits, "_", "." or "-"'),
});
const tags = ['Workflows'];

/** A request for one transcript. */
const transcript = { path: { ...orderStatus, name: 'first' }, ...acme, body: 'user: order' };

const TranscriptChanged = z.object({ error: z.literal('TRANSCRIPT_CHANGED'), message: z.string() });

const list = defineRoute({
  get: '/admin/v1/workflows/{workflowId}/transcripts',
  operationId: 'listTranscripts',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'The transcripts that are stored with a workflow as tests, by name',
  description: 'The names alone; each is read by its own address.',
  params,
  query: WorkflowQuery,
  answer: jsonResponse('Names', Page(z.object({ name: z.string(), updatedAt: z.string().openapi({ format: 'date-time' }) }))),
  refusals: errorResponses,
  example: { path: orderStatus, ...acme },
  async handle({ params: { workflowId }, query }, service: TranscriptParts) {
    const { store } = service;
    const companyId = await requireDraftOwner(service, query.companyId, workflowId);
    const found = await transcripts.list(store, companyId, workflowId);
    return { results: found.map(({ name, updatedAtMs }) => ({ name, updatedAt: formatInstant(updatedAtMs) })), nextCursor: null };
  },
});

const textOfTranscript = { description: 'The transcript', content: { 'text/plain': { schema: z.string() } } };

const get = defineRoute({
  get: '/admin/v1/workflows/{workflowId}/transcripts/{name}',
  operationId: 'getTranscript',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'One transcript',
  description: 'Its ETag is what If-Match takes when it is stored again.',
  params: transcriptParams,
  query: WorkflowQuery,
  answer: textOfTranscript,
  refusals: errorResponses,
  example: transcript,
  async handle({ c, params: { workflowId, name }, query }, service: TranscriptParts) {
    const { store } = service;
    const companyId = await requireDraftOwner(service, query.companyId, workflowId);
    const content = await transcripts.get(store, companyId, workflowId, name);
    if (content === undefined) throw noTranscript(workflowId, name);
    c.header('etag', hashContent(content));
    return c.text(content, 200);
  },
});

const put = defineRoute({
  put: '/admin/v1/workflows/{workflowId}/transcripts/{name}',
  operationId: 'saveTranscript',
  auth: 'operator',
  permission: 'edit',
  tags,
  summary: 'Stores a transcript under a name',
  description: 'With If-None-Match: * it replaces no other; with If-Match only what the author has read.',
  params: transcriptParams,
  query: WorkflowQuery,
  headers: PutHeaders,
  body: { content: { 'text/plain': { schema: z.string() } } },
  answer: jsonResponse('The transcript is stored', z.object({ name: z.string() })),
  refusals: {
    412: jsonResponse('Another author has stored it since the ETag of If-Match: nothing was written', TranscriptChanged),
    ...bodyErrorResponses,
  },
  example: transcript,
  async handle({ c, params: { workflowId, name }, query }, service: TranscriptParts) {
    const { store } = service;
    const companyId = await requireDraftOwner(service, query.companyId, workflowId);
    const kept = await transcripts.list(store, companyId, workflowId);
    if (kept.length >= maxTranscripts && !kept.some((one) => one.name === name))
      throw invalidRequest(`A workflow keeps ${maxTranscripts} transcripts: take one away first`);
    const content = await c.req.text();
    const old = await transcripts.get(store, companyId, workflowId, name);
    const before = readExpectedContent(old, c.req.header('if-match'), c.req.header('if-none-match'));
    const isKept =
      before !== 'other' && (await transcripts.put(store, companyId, workflowId, { name, content, nowMs: service.clock.now(), ...before }));
    if (!isKept) {
      await requireDraftOwner(service, companyId, workflowId); // it may have been removed meanwhile
      const message = `Another author has kept or deleted "${name}" since: read it again before it is replaced`;
      return c.json({ error: 'TRANSCRIPT_CHANGED' as const, message }, 412);
    }
    c.header('etag', hashContent(content));
    return { name };
  },
});

const remove = defineRoute({
  delete: '/admin/v1/workflows/{workflowId}/transcripts/{name}',
  operationId: 'deleteTranscript',
  auth: 'operator',
  permission: 'edit',
  tags,
  summary: 'Removes a transcript',
  description: 'The workflow and its other transcripts stay as they are.',
  params: transcriptParams,
  query: WorkflowQuery,
  answer: jsonResponse('The transcript was removed', z.object({ name: z.string() })),
  refusals: errorResponses,
  example: transcript,
  async handle({ params: { workflowId, name }, query }, service: TranscriptParts) {
    const { store } = service;
    const companyId = await requireDraftOwner(service, query.companyId, workflowId);
    if (!(await transcripts.delete(store, companyId, workflowId, name))) throw noTranscript(workflowId, name);
    return { name };
  },
});

const noTranscript = (workflowId: string, name: string) =>
  notFound('TRANSCRIPT_NOT_FOUND', `Workflow "${workflowId}" has no transcript "${name}"`);

/** Conversations that are kept with a workflow as its tests. */
export const transcriptRoutes: readonly Route<TranscriptParts>[] = [list, get, put, remove];

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
