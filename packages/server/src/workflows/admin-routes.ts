// Management of drafts and of published versions.
import { setTimeout as pause } from 'node:timers/promises';
import { bringForward, judgeCallers } from '@hilo/engine/authoring';
import { Canvas, type Problem, type PublishedVersion } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import {
  bodyErrorResponses,
  CanvasProblem,
  errorResponses,
  formatInstant,
  Page,
  parseBody,
  problemsRefused,
  workflowNotFound,
  WorkflowQuery,
} from '../platform/http/admin.ts';
import { CanvasValue, Draft as DraftValue, PutHeaders, Version as VersionValue, WorkflowsQuery, WorkflowSummary } from './schema.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { invalidFields, invalidRequest, notFound, tooLarge, unavailable } from '../platform/http/errors.ts';
import { acme, helloCanvas, orderStatus } from '../platform/http/example-requests.ts';
import { readInstant } from '../platform/http/instants.ts';
import { nameOperator, noteAct } from '../platform/http/acts.ts';
import { closedBody, jsonResponse, outlineOf } from '../platform/http/openapi.ts';
import { asSeenText } from '../platform/shown-names.ts';
import { requireCompany, requireDraftCompany, requireWorkflowCompany } from '../tenants/companies.ts';
import { toolSources } from './tool-sources.ts';
import { findChecks, readDraft, describeDraft, type WorkflowParts } from './workflows.ts';
import { type CanvasReading, readOwn } from '../platform/canvas-work/canvas-tasks.ts';
import { type SavedDraft, readSavedDraft, saveDraftOver, type VersionNote, readVersionNotes } from './authoring.ts';
import { describeLock, LockView, readLock, refusedByLock, requireUnlocked } from './locks.ts';
import { type AskingParts, jobAsked } from '../platform/jobs/job-asked.ts';
import { publishContent, publishJob, requirePublishable } from './publish-draft.ts';
import { setArchived, readWorkflowList } from './workflow-list.ts';

/**
 * The canvas of a request's body that was read.
 *
 * @throws {HttpError} 400 for malformed JSON, 413 when too large, 422 with every problem for anything that is not shaped like a canvas
 *   and so cannot be stored
 */
function requireCanvas({ canvas, problems }: CanvasReading): { readonly canvas: Canvas; readonly hash: string } {
  if (canvas !== undefined) return { canvas: readOwn(canvas.json), hash: canvas.hash };
  for (const problem of problems) refuseText(problem);
  throw problemsRefused(problems);
}

/** @throws {HttpError} for a text in which no canvas can be looked for */
export function refuseText({ code, message }: Problem): void {
  if (code === 'CANVAS_TOO_LARGE') throw tooLarge(message);
  if (code === 'NOT_JSON' || code === 'TOO_DEEP' || code === 'TOO_MANY_KEYS') throw invalidRequest(message);
}

const Draft = DraftValue.extend({
  revision: z.int().openapi({ description: 'Grows with each save; the ETag' }),
  savedAt: z.string().nullable().openapi({ format: 'date-time' }),
  savedBy: z.string().nullable(),
  lock: LockView.nullable().openapi({ description: 'Who keeps it for themselves; null where nobody does' }),
});
const DraftChanged = z.object({
  error: z.literal('DRAFT_CHANGED'),
  message: z.string(),
  draft: CanvasValue.nullable().openapi({ type: ['object', 'null'], description: 'What is kept now; null where there is no draft' }),
  revision: z.int(),
  savedBy: z.string().nullable(),
});

const Version = VersionValue.extend({ note: z.string(), publishedBy: z.string().nullable() });

const params = z.object({ workflowId: z.string() });
const tags = ['Workflows'];

const list = defineRoute({
  get: '/admin/v1/workflows',
  operationId: 'listWorkflows',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'The workflows of a company, by id or in another order',
  description: 'Archived workflows are a list of their own; q looks for a part of the name or id.',
  query: WorkflowsQuery,
  answer: jsonResponse('Workflows', Page(WorkflowSummary)),
  refusals: errorResponses,
  example: acme,
  async handle({ query: { companyId, archived, ...query } }, service: WorkflowParts) {
    return await readWorkflowList(service, requireCompany(service, companyId).id, { ...query, isArchived: archived === 'true' });
  },
});

const get = defineRoute({
  get: '/admin/v1/workflows/{workflowId}',
  operationId: 'getWorkflow',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'The draft, with its problems and the addresses of its webhook',
  description: 'Its ETag is what If-Match of the next save takes.',
  params,
  query: WorkflowQuery,
  answer: jsonResponse('The draft', Draft),
  refusals: errorResponses,
  example: { path: orderStatus, ...acme },
  async handle({ c, operator, params: { workflowId }, query }, service: WorkflowParts) {
    const { store } = service;
    const companyId = await requireWorkflowCompany(service, query.companyId, workflowId);
    const draft = await readDraft(service, companyId, workflowId);
    if (draft === undefined) throw workflowNotFound(workflowId);
    const saved = await readSavedDraft(store, companyId, draft);
    c.header('etag', `"${saved.revision}"`);
    // An author goes on with the data of today's definitions.
    const canvas = bringForward(saved.canvas, service.nodes);
    const problems = [...draft.problems, ...(await judgeCallers(toolSources(service, companyId), draft.canvas))];
    const view = describeDraft({ ...draft, canvas }, problems, {
      service,
      companyId,
      base: findBaseUrl(service, c.req.url),
    });
    const lock = await readLock(store, companyId, workflowId);
    return { ...view, ...describeRevision(saved), lock: describeLock(lock, { name: operator }) };
  },
});

const ArchiveState = z.object({ workflowId: z.string(), isArchived: z.boolean() });

const archive = defineRoute({
  post: '/admin/v1/workflows/{workflowId}/archive',
  operationId: 'archiveWorkflow',
  auth: 'operator',
  permission: 'edit',
  tags,
  summary: 'Takes a workflow out of lists and out of publication; its executions continue',
  description: 'Nothing of it is removed: it can be restored.',
  params,
  query: WorkflowQuery,
  answer: jsonResponse('The state was changed', ArchiveState),
  refusals: { ...bodyErrorResponses, ...refusedByLock },
  example: { path: { workflowId: 'collect-signature' }, ...acme },
  async handle({ c, operator, params: { workflowId }, query }, service: WorkflowParts) {
    const companyId = await requireWorkflowCompany(service, query.companyId, workflowId);
    await requireUnlocked(service, { companyId, workflowId, by: operator });
    const wasArchived = service.companies.isArchived(companyId, workflowId);
    if (!(await setArchived(service, companyId, { workflowId, isArchived: true }))) throw workflowNotFound(workflowId);
    // Restored, it is published again by whoever publishes it.
    const latest = await service.store.canvases.latest(companyId, workflowId);
    if (latest !== undefined && latest.gate?.state !== 'unpublished')
      await service.engine.company(companyId).unpublish(workflowId, { by: nameOperator(c) });
    noteAct(c, { companyId, before: { isArchived: wasArchived }, after: { isArchived: true } });
    service.log.info({ companyId, workflowId, by: operator }, 'A workflow was archived: nothing starts it');
    return { workflowId, isArchived: true };
  },
});

const restore = defineRoute({
  post: '/admin/v1/workflows/{workflowId}/restore',
  operationId: 'restoreWorkflow',
  auth: 'operator',
  permission: 'edit',
  tags,
  summary: 'Puts an archived workflow back into lists; publishing it lets it be started again',
  description: 'Its draft and its versions are as they were when it was archived.',
  params,
  query: WorkflowQuery,
  answer: jsonResponse('The state was changed', ArchiveState),
  refusals: bodyErrorResponses,
  example: { path: { workflowId: 'collect-signature' }, ...acme },
  async handle({ c, operator, params: { workflowId }, query }, service: WorkflowParts) {
    const companyId = await requireWorkflowCompany(service, query.companyId, workflowId);
    const wasArchived = service.companies.isArchived(companyId, workflowId);
    if (!(await setArchived(service, companyId, { workflowId, isArchived: false }))) throw workflowNotFound(workflowId);
    noteAct(c, { companyId, before: { isArchived: wasArchived }, after: { isArchived: false } });
    service.log.info({ companyId, workflowId, by: operator }, 'An archived workflow was restored');
    return { workflowId, isArchived: false };
  },
});

const put = defineRoute({
  put: '/admin/v1/workflows/{workflowId}',
  operationId: 'saveWorkflow',
  auth: 'operator',
  permission: 'edit',
  tags,
  summary: 'Stores a canvas as the draft, even with problems; creates the workflow if there is none',
  description: 'With If-Match, nothing is replaced that another author saved since. Only publishing lets it run outside of tests.',
  params,
  query: WorkflowQuery,
  headers: PutHeaders,
  body: closedBody('The bare canvas; its id is that of the path', outlineOf(Canvas)),
  answer: jsonResponse('The draft as it was stored', Draft),
  refusals: {
    412: jsonResponse('Another author has saved or removed the draft since If-Match: nothing was written', DraftChanged),
    ...bodyErrorResponses,
    ...refusedByLock,
  },
  example: { path: { workflowId: 'hello' }, ...acme, body: helloCanvas },
  async handle({ c, operator, params: { workflowId }, query }, service: WorkflowParts) {
    const { store } = service;
    const companyId = await requireDraftCompany(service, query.companyId, workflowId);
    const reading = await service.canvasWork.read(companyId, await c.req.text());
    const { canvas, hash } = requireCanvas(reading);
    if (canvas.id !== workflowId)
      throw invalidRequest(`The canvas has the id "${canvas.id}", and the path says "${workflowId}": make them the same`);
    const { references } = reading;
    const checks = await findChecks(service, companyId, { ...reading, id: canvas.id });
    const [own = []] = await service.canvasWork.check(companyId, [{ canvas, references }], checks);
    const problems = [...own, ...(await judgeCallers(toolSources(service, companyId), canvas))];
    const before = await describeKept(service, companyId, workflowId);
    const expected = readExpectedRevision(c.req.header('if-match'), c.req.header('if-none-match'));
    const unexpected = await saveDraft(service, companyId, { canvas, hash, expected, by: operator });
    if (unexpected !== undefined) {
      const { kept } = unexpected;
      if (kept !== undefined) c.header('etag', `"${kept.revision}"`);
      return c.json(
        {
          error: 'DRAFT_CHANGED' as const,
          message:
            kept === undefined
              ? 'There is no draft of this workflow any more: save it without If-Match to make it anew'
              : 'Another author has saved this draft since',
          draft: kept?.canvas ?? null,
          revision: kept?.revision ?? 0,
          savedBy: kept?.savedBy ?? null,
        },
        412,
      );
    }
    const facts = { canvas, hash, latest: await store.canvases.latest(companyId, workflowId) };
    const saved = await readSavedDraft(store, companyId, facts);
    c.header('etag', `"${saved.revision}"`);
    noteAct(c, { companyId, before, after: { hash, revision: saved.revision } });
    return {
      ...describeDraft(facts, problems, { service, companyId, base: findBaseUrl(service, c.req.url) }),
      ...describeRevision(saved),
      lock: describeLock(await readLock(store, companyId, workflowId), { name: operator }),
    };
  },
});

/** Drafts: what authors work at. */
export const draftRoutes: readonly Route<WorkflowParts>[] = [list, get, put, archive, restore];

/** What the record of an act says of the draft before it. */
async function describeKept(
  { store }: Pick<WorkflowParts, 'store'>,
  companyId: string,
  workflowId: string,
): Promise<{ readonly hash: string; readonly revision: number } | undefined> {
  const draft = await store.canvases.draft(companyId, workflowId);
  return draft === undefined ? undefined : { hash: draft.hash, revision: (await readSavedDraft(store, companyId, draft)).revision };
}

/** How often a save is tried again when another was faster, and the pause between two tries. */
const [maxTries, pauseMs] = [20, 10];

/**
 * Saves a draft over the revision that its author expects; where any is expected, the last save wins.
 *
 * @returns what is kept, when that is another revision: then nothing was written
 * @throws {HttpError} 409 where somebody else has locked it, 503 when other saves were faster every time
 */
async function saveDraft(
  { store, clock }: Pick<WorkflowParts, 'store' | 'clock'>,
  companyId: string,
  given: { readonly canvas: Canvas; readonly hash: string; readonly by: string; readonly expected: number | 'any' | undefined },
): Promise<{ readonly kept: SavedDraft | undefined } | undefined> {
  const { expected, ...draft } = given;
  for (let tries = 0; tries < maxTries; tries += 1) {
    await requireUnlocked({ store }, { companyId, workflowId: draft.canvas.id, by: draft.by });
    const current = await store.canvases.draft(companyId, draft.canvas.id);
    const kept = current === undefined ? undefined : await readSavedDraft(store, companyId, current);
    const isExpected = expected === undefined || (expected === 'any' ? kept !== undefined : expected === (kept?.revision ?? 0));
    if (!isExpected) return { kept };
    const before = current === undefined || kept === undefined ? undefined : { revision: kept.revision, hash: current.hash };
    if (await saveDraftOver(store, companyId, { ...draft, before, nowMs: clock.now() })) return undefined;
    await pause(pauseMs);
  }
  throw unavailable('This draft is saved by many requests at once; send this again in a moment');
}

/**
 * The revision that a save is to replace.
 *
 * @returns 0 for a draft that must be new, `any` for one that must be there, `undefined` where neither matters
 * @throws {HttpError} 400 for what is no ETag of a draft
 */
function readExpectedRevision(ifMatch: string | undefined, ifNoneMatch: string | undefined): number | 'any' | undefined {
  if (ifNoneMatch?.trim() === '*') return 0;
  if (ifMatch === undefined) return undefined;
  if (ifMatch.trim() === '*') return 'any';
  const revision = /^\s*"(\d{1,15})"\s*$/.exec(ifMatch)?.[1];
  if (revision === undefined) throw invalidRequest('If-Match is the ETag of the draft, such as "17"');
  return Number(revision);
}

const describeRevision = ({ revision, savedAtMs, savedBy }: SavedDraft) => ({
  revision,
  savedAt: savedAtMs === undefined ? null : formatInstant(savedAtMs),
  savedBy: savedBy ?? null,
});

/** The public address of this service: that of the settings, else that of the request. */
const findBaseUrl = ({ settings: { publicUrl } }: Pick<WorkflowParts, 'settings'>, url: string): string =>
  publicUrl?.replace(/(?<!\/)\/+$/, '') ?? new URL(url).origin;

const publish = defineRoute({
  post: '/admin/v1/workflows/{workflowId}/publish',
  operationId: 'publishWorkflow',
  auth: 'operator',
  permission: 'publish',
  tags,
  summary: 'Publishes the draft as the next version; a draft that equals the latest version creates none',
  description:
    'New executions run the new version; those that are open stay on theirs. With at, a job publishes the draft then, where it was not saved in the meantime.',
  params,
  query: WorkflowQuery,
  body: closedBody('May be left out', {
    type: 'object',
    properties: {
      note: { type: 'string', maxLength: 1_000 },
      revision: { type: 'integer', description: 'Of the draft that is meant' },
      at: {
        type: 'string',
        format: 'date-time',
        description: 'When it is published; now, when left out',
        examples: ['2031-03-01T09:00:00Z'],
      },
    },
  }),
  also: jobAsked,
  answer: jsonResponse('The version that is now the latest', Version.extend({ warnings: z.array(CanvasProblem) })),
  refusals: {
    412: jsonResponse(
      'The draft was saved in the meantime: nothing was published',
      z.object({ error: z.literal('DRAFT_CHANGED'), message: z.string(), revision: z.int() }),
    ),
    ...bodyErrorResponses,
    ...refusedByLock,
  },
  example: { path: { workflowId: 'hello' }, ...acme, body: { note: 'The first version' } },
  async handle({ c, operator, params: { workflowId }, query }, service: WorkflowParts & AskingParts) {
    const { store } = service;
    const { canvases } = store;
    const companyId = await requireWorkflowCompany(service, query.companyId, workflowId);
    const draft = await canvases.draft(companyId, workflowId);
    if (draft === undefined) throw workflowNotFound(workflowId);
    await requireUnlocked(service, { companyId, workflowId, by: operator });
    const { note = '', revision, at } = parseBody(PublishBody, await c.req.text());
    const { revision: current } = await readSavedDraft(store, companyId, draft);
    if (revision !== undefined && revision !== current)
      return c.json(
        { error: 'DRAFT_CHANGED' as const, message: 'The draft was saved since: look at it before it is published', revision: current },
        412,
      );
    const meant = { companyId, workflowId, canvas: draft.canvas, hash: draft.hash, note, by: operator };
    if (at !== undefined) {
      const notBeforeMs = readInstant(at);
      if (notBeforeMs <= service.clock.now()) throw invalidFields({ at: ['at has passed: leave it out to publish now'] });
      await requirePublishable(service, meant);
      const spec = { workflowId, hash: draft.hash, note };
      const { jobId } = await service.jobs.ask(publishJob, { companyId, spec, createdBy: operator, notBeforeMs });
      noteAct(c, { companyId, after: { hash: draft.hash, at, jobId } });
      return c.json({ jobId }, 202);
    }
    const { last, published, problems } = await publishContent(service, { ...meant, hasDraft: true });
    noteAct(c, { companyId, before: describeContent(last), after: describeContent(published) });
    return { ...describeVersion(published, await readVersionNotes(store, companyId, workflowId)), warnings: [...problems] };
  },
});

const versions = defineRoute({
  get: '/admin/v1/workflows/{workflowId}/versions',
  operationId: 'listVersions',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'Every published version, the first one first',
  description: 'Versions are never changed; numbers count from 1.',
  params,
  query: WorkflowQuery,
  answer: jsonResponse('Versions', Page(Version)),
  refusals: errorResponses,
  example: { path: orderStatus, ...acme },
  async handle({ params: { workflowId }, query }, service: WorkflowParts) {
    const { store } = service;
    const { canvases } = store;
    const companyId = await requireWorkflowCompany(service, query.companyId, workflowId);
    const found = await canvases.versions(companyId, workflowId);
    if (found.length === 0 && (await canvases.draft(companyId, workflowId)) === undefined) throw workflowNotFound(workflowId);
    const notes = await readVersionNotes(store, companyId, workflowId);
    return { results: found.map((one) => describeVersion(one, notes)), nextCursor: null };
  },
});

const version = defineRoute({
  get: '/admin/v1/workflows/{workflowId}/versions/{version}',
  operationId: 'getVersion',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'One published version with its canvas',
  description: 'It is what executions of this version run, whatever the draft is now.',
  params: params.extend({ version: z.string() }),
  query: WorkflowQuery,
  answer: jsonResponse('The version', Version.extend({ canvas: CanvasValue })),
  refusals: errorResponses,
  example: { path: { ...orderStatus, version: '1' }, ...acme },
  async handle({ params: { workflowId, version: number }, query }, service: WorkflowParts) {
    const { store } = service;
    const { canvases } = store;
    const companyId = await requireWorkflowCompany(service, query.companyId, workflowId);
    const found = /^[1-9]\d{0,8}$/.test(number) ? await canvases.version(companyId, workflowId, Number(number)) : undefined;
    if (found === undefined) throw notFound('VERSION_NOT_FOUND', `Workflow "${workflowId}" has no version ${number}`);
    return { ...describeVersion(found, await readVersionNotes(store, companyId, workflowId)), canvas: found.canvas };
  },
});

/** What runs: published versions, each immutable. */
export const publishingRoutes: readonly Route<WorkflowParts & AskingParts>[] = [publish, versions, version];

/** A version as the record of an act names it. */
const describeContent = (version: PublishedVersion | undefined) =>
  version === undefined ? undefined : { version: version.version, hash: version.hash };

const describeVersion = ({ workflowId, version, hash, publishedAtMs }: PublishedVersion, notes: ReadonlyMap<number, VersionNote>) => ({
  workflowId,
  version,
  hash,
  publishedAt: formatInstant(publishedAtMs),
  note: notes.get(version)?.note ?? '',
  publishedBy: notes.get(version)?.publishedBy ?? null,
});

const PublishBody = z.object({
  note: asSeenText('note', z.string('note is a text').max(1_000, 'note is longer than 1,000 characters')).optional(),
  revision: z.int('revision is a whole number').min(0, 'revision is 0 or more').optional(),
  at: z.string('at is a text').optional(),
});
