// Stopping what would start, without touching what is open: pause, unpause, unpublish; and going back to an earlier version.
import { type Gate, isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import { bodyErrorResponses, CanvasProblem, formatInstant, parseBody, WorkflowQuery } from '../platform/http/admin.ts';
import { nameOperator, noteAct } from '../platform/http/acts.ts';
import { defineRoute } from '../platform/http/define-route.ts';
import { ZonedInstant } from '../platform/http/instants.ts';
import { invalidRequest, notFound } from '../platform/http/errors.ts';
import { closedBody, jsonResponse } from '../platform/http/openapi.ts';
import { asSeenText } from '../platform/shown-names.ts';
import { requireWorkflowCompany } from '../tenants/companies.ts';
import { readVersionNotes } from './authoring.ts';
import { refusedByLock, requireUnlocked } from './locks.ts';
import { GateView, Version } from './schema.ts';
import { publishContent } from './publish-draft.ts';
import { describeGate, listChannels, type WorkflowParts } from './workflows.ts';

const params = z.object({ workflowId: z.string() });
const facts = { auth: 'operator', permission: 'publish', tags: ['Workflows'], params, query: WorkflowQuery } as const;
const example = { path: { workflowId: 'order-status' }, query: { companyId: '1' } };
const State = z.object({
  workflowId: z.string(),
  gate: GateView.nullable().openapi({ description: 'What keeps it from being started; null where nothing does' }),
});
const changed = jsonResponse('What keeps it from being started now', State);

const PauseBody = z.object({
  says: z
    .union([z.string().min(1), z.custom<JsonObject>((says) => isJsonObject(says as Json))], { error: 'says is a text or a message' })
    .optional(),
  children: z.enum(['run', 'refuse'], { error: 'children is run or refuse' }).optional(),
  until: ZonedInstant('until is an instant in ISO 8601 with a zone, such as 2031-03-01T09:00:00Z').optional(),
});

export const pauseWorkflow = defineRoute({
  post: '/admin/v1/workflows/{workflowId}/pause',
  operationId: 'pauseWorkflow',
  ...facts,
  summary: 'Lets nothing start a workflow until it is unpaused; what is open goes on',
  description:
    'After the answer no process commits a start. Users who would begin it get the message of says; without it, their messages are unmatched (WORKFLOW_PAUSED) and may begin another workflow by its fallback. A webhook is answered 503 with Retry-After, a start 409.',
  body: closedBody('May be left out', {
    type: 'object',
    properties: {
      says: { type: ['string', 'object'], description: 'What users who would begin it are told: a text, or a message as nodes have it' },
      children: { type: 'string', enum: ['run', 'refuse'], description: 'Whether other workflows may still call it; run, when left out' },
      until: { type: 'string', format: 'date-time', description: 'When the pause ends by itself' },
    },
  }),
  answer: changed,
  refusals: bodyErrorResponses,
  example: { ...example, body: { says: 'We are mending this. Please write again in an hour.', until: '2031-03-04T09:00:00Z' } },
  async handle({ c, params: { workflowId }, query }, service: WorkflowParts) {
    const companyId = await requireWorkflowCompany(service, query.companyId, workflowId);
    const { says, children, until } = parseBody(PauseBody, await c.req.text());
    if (until !== undefined && Date.parse(until) <= service.clock.now()) throw invalidRequest('until is an instant later than now');
    return changeGate(c, service, { companyId, workflowId }, (company) =>
      company.pause(
        workflowId,
        {
          ...(says !== undefined && { says }),
          ...(children !== undefined && { children }),
          ...(until !== undefined && { untilMs: Date.parse(until) }),
          by: nameOperator(c),
        },
        { channels: listChannels(service, companyId), published: [] },
      ),
    );
  },
});

export const unpauseWorkflow = defineRoute({
  post: '/admin/v1/workflows/{workflowId}/unpause',
  operationId: 'unpauseWorkflow',
  ...facts,
  summary: 'Lets a paused workflow be started again, in exactly the version that was the latest',
  description: 'One that is not paused stays as it is; one that was unpublished is published again instead.',
  answer: changed,
  refusals: bodyErrorResponses,
  example,
  async handle({ c, params: { workflowId }, query }, service: WorkflowParts) {
    const companyId = await requireWorkflowCompany(service, query.companyId, workflowId);
    return changeGate(c, service, { companyId, workflowId }, async (company) => {
      await company.unpause(workflowId);
      return readGate(service, companyId, workflowId);
    });
  },
});

export const unpublishWorkflow = defineRoute({
  post: '/admin/v1/workflows/{workflowId}/unpublish',
  operationId: 'unpublishWorkflow',
  ...facts,
  summary: 'Takes a workflow out of publication: for what would start it, as if there were none; what is open goes on',
  description: 'Its versions stay. Publishing it again, or one of its versions, lets it be started.',
  answer: changed,
  refusals: bodyErrorResponses,
  example,
  async handle({ c, params: { workflowId }, query }, service: WorkflowParts) {
    const companyId = await requireWorkflowCompany(service, query.companyId, workflowId);
    return changeGate(c, service, { companyId, workflowId }, (company) => company.unpublish(workflowId, { by: nameOperator(c) }));
  },
});

const RollBackBody = z.object({
  note: asSeenText('note', z.string('note is a text').max(1_000, 'note is longer than 1,000 characters')).optional(),
});

export const publishVersionAgain = defineRoute({
  post: '/admin/v1/workflows/{workflowId}/versions/{version}/publish',
  operationId: 'publishVersionAgain',
  ...facts,
  params: params.extend({ version: z.string() }),
  summary: 'Publishes the content of an earlier version as the next one: numbers only grow, and the draft stays as it is',
  description: 'It is checked as a draft is. The content of the latest version creates none.',
  body: closedBody('May be left out', { type: 'object', properties: { note: { type: 'string', maxLength: 1_000 } } }),
  answer: jsonResponse(
    'The version that is now the latest',
    Version.extend({ note: z.string(), publishedBy: z.string().nullable(), warnings: z.array(CanvasProblem) }),
  ),
  refusals: { ...bodyErrorResponses, ...refusedByLock },
  example: { path: { workflowId: 'order-status', version: '1' }, query: { companyId: '1' }, body: { note: 'Back to the first' } },
  async handle({ c, params: { workflowId, version }, query }, service: WorkflowParts) {
    const { canvases } = service.store;
    const companyId = await requireWorkflowCompany(service, query.companyId, workflowId);
    const by = nameOperator(c);
    await requireUnlocked(service, { companyId, workflowId, by });
    const hasDraft = (await canvases.draft(companyId, workflowId)) !== undefined;
    const earlier = /^[1-9]\d{0,8}$/.test(version) ? await canvases.version(companyId, workflowId, Number(version)) : undefined;
    if (earlier === undefined) throw notFound('VERSION_NOT_FOUND', `Workflow "${workflowId}" has no version ${version}`);
    const { note = `Version ${version} again` } = parseBody(RollBackBody, await c.req.text());
    const { canvas, hash } = earlier;
    const meant = { companyId, workflowId, canvas, hash, note, by, hasDraft };
    const { last, published, problems } = await publishContent(service, meant);
    noteAct(c, {
      companyId,
      before: last && { version: last.version, hash: last.hash },
      after: { version: published.version, hash: published.hash, from: earlier.version },
    });
    const kept = (await readVersionNotes(service.store, companyId, workflowId)).get(published.version);
    return {
      workflowId,
      version: published.version,
      hash: published.hash,
      publishedAt: formatInstant(published.publishedAtMs),
      note: kept?.note ?? '',
      publishedBy: kept?.publishedBy ?? null,
      warnings: [...problems],
    };
  },
});

type EngineCompany = ReturnType<WorkflowParts['engine']['company']>;

/** Changes what keeps a workflow from being started, and notes what it was and is. */
async function changeGate(
  c: Parameters<typeof noteAct>[0],
  service: WorkflowParts,
  { companyId, workflowId }: { readonly companyId: string; readonly workflowId: string },
  change: (company: EngineCompany) => Promise<Gate | undefined>,
) {
  const before = await readGate(service, companyId, workflowId);
  const gate = await change(service.engine.company(companyId));
  noteAct(c, { companyId, before: noteGate(before), after: noteGate(gate) });
  return { workflowId, gate: describeGate(gate) };
}

const readGate = async ({ store }: Pick<WorkflowParts, 'store'>, companyId: string, workflowId: string): Promise<Gate | undefined> =>
  (await store.canvases.latest(companyId, workflowId))?.gate;

/** A gate in the record of an act: the message is a content, and is left out. */
const noteGate = (gate: Gate | undefined): JsonObject => ({ state: gate?.state ?? 'published' });
