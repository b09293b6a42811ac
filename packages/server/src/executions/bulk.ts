// Acts on many executions at once: planned by lines, of which the last is the plan, and asked for as a job.
import { BulkAction, BulkFilter } from '@hilo/engine';
import { isHiloError, type JsonObject } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import { boundIssues } from '../platform/bound-issues.ts';
import { type AskingParts, jobAsked } from '../platform/jobs/job-asked.ts';
import { bodyErrorResponses, CompanyQuery, parseBody } from '../platform/http/admin.ts';
import { noteAct } from '../platform/http/acts.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { invalidFields } from '../platform/http/errors.ts';
import { answerInLines } from '../platform/http/lines.ts';
import { closedBody } from '../platform/http/openapi.ts';
import { defineJob, isRate, maxRate } from '../platform/jobs/define-job.ts';
import type { Platform } from '../platform/platform.ts';
import type { JobProblem } from '../platform/tables/jobs.ts';
import { inWords } from '../platform/in-words.ts';
import { requireCompany, type Tenancy } from '../tenants/companies.ts';

type Parts = Pick<Platform, 'engine'> & Tenancy & AskingParts;

/** Acts on the executions that a filter names, at most so many. Its counts are by what became of each. */
export const bulkJob = defineJob({
  kind: 'bulk',
  spec: z.strictObject({ filter: BulkFilter, action: BulkAction }),
  async page({ companyId, jobId, createdBy, spec, place, size, isAgain, each, atMost = 0 }, { engine }: Pick<Platform, 'engine'>) {
    const problems: JobProblem[] = [];
    const { read, counts, next } = await engine.company(companyId).bulk.part(spec.filter, spec.action, {
      place,
      limit: size,
      isAgain,
      each,
      atMost,
      by: createdBy,
      job: jobId,
      onOutcome(executionId, _outcome, failure) {
        if (failure !== undefined) problems.push({ executionId, ...failure });
      },
    });
    return { next, read, counts, isExact: true, problems };
  },
  undo({ action }, { id, counts }) {
    if (action.type !== 'migrate') return undefined;
    const migrated = action.accept.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
    return { kind: 'undo', spec: { workflowId: action.migration.workflowId, undoes: id, migrated } };
  },
});

const filterFields: JsonObject = {
  workflowId: { type: 'string', description: 'Of this workflow', examples: ['order-status'] },
  version: { description: 'In this version', anyOf: [{ type: 'integer', minimum: 1 }, { const: 'draft' }] },
  status: { type: 'string', description: 'In this status', examples: ['waiting'] },
  cause: { type: 'string', description: 'Failed or cancelled by this cause', examples: ['EXPRESSION_FAILED'] },
  nodeId: { type: 'string', description: 'Waiting at this node', examples: ['ask-number'] },
  failedNodeId: { type: 'string', description: 'Failed at this node', examples: ['look-up'] },
  from: { type: 'string', format: 'date-time', description: 'Started at this instant or later', examples: ['2031-03-01T00:00:00Z'] },
  to: { type: 'string', format: 'date-time', description: 'Started before this instant', examples: ['2031-03-02T00:00:00Z'] },
  channel: { type: 'string', description: 'Of this channel', examples: ['whatsapp'] },
  botId: { type: 'string', description: 'Of this bot', examples: ['bot_wa'] },
  userId: { type: 'string', description: 'Of this user', examples: ['5215512345678'] },
  olderThan: { type: 'string', format: 'duration', description: 'Unchanged for so long', examples: ['P30D'] },
};
const filterField: JsonObject = {
  type: 'object',
  description: 'Which executions: all fields must match; one is workflowId, userId, from, to or olderThan',
  properties: filterFields,
};
const actionField: JsonObject = {
  type: 'object',
  description:
    'What is done to each: {"type": "cancel", "reason"}, {"type": "release"}, {"type": "retry", "version", "effect", "keys", "set", "skip"}, {"type": "migrate", "migration", "accept"} or {"type": "signal", "name", "payload"}',
  additionalProperties: true,
};

const tags = ['Executions'];
const filter = { workflowId: 'order-status', status: 'waiting' };

const Plan = z.object({ filter: z.unknown(), action: z.unknown().optional() });

const plan = defineRoute({
  post: '/admin/v1/executions/bulk/plan',
  operationId: 'planBulk',
  auth: 'operator',
  permission: 'view',
  onRecord: true,
  tags,
  summary: 'Counts the executions that a filter names; changes nothing',
  description:
    'A line after each page, with what was read and what fits; the last line is the plan. With a retry as the action, it counts as well which were continued before (continued), and of the others whose user has begun another execution since (talking) and to whom nothing may be said now (windowClosed).',
  query: CompanyQuery,
  body: closedBody('The filter, and the act', {
    type: 'object',
    required: ['filter'],
    properties: { filter: filterField, action: actionField },
  }),
  answer: {
    description: 'Progress, then { total, byStatus, byVersion, byCause, sample }',
    content: { 'application/x-ndjson': { schema: { type: 'string' as const } } },
  },
  refusals: bodyErrorResponses,
  example: { query: { companyId: '1' }, body: { filter } },
  async handle({ c, query }, service: Parts) {
    const { id } = requireCompany(service, query.companyId);
    const body = parseBody(Plan, await c.req.text());
    const [named, action] = [readFilter(body.filter), body.action === undefined ? undefined : readAction(body.action)];
    const { bulk } = service.engine.company(id);
    if (action !== undefined) await requireAct(service, id, named, action);
    return answerInLines(c, async (write) => {
      try {
        return await bulk.plan(named, { ...(action !== undefined && { action }), onPage: write });
      } catch (error) {
        throw describeEmpty(error);
      }
    });
  },
});

const Act = Plan.extend({
  atMost: z.int('atMost is the total of the plan: a whole number').min(1, 'atMost is at least 1'),
  rate: z.number('rate is a number').refine(isRate, `rate is a whole number from 1 to ${maxRate}`).optional(),
});

const act = defineRoute({
  post: '/admin/v1/executions/bulk',
  operationId: 'actInBulk',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Asks for a job that acts on the executions that a filter names, and on no more than were planned',
  description:
    'Each act has no second consequence: what was done is counted as unchanged. A retry skips, unless skip says otherwise, whose user has begun another execution since, and to whom nothing may be said now. A signal needs nodeId.',
  query: CompanyQuery,
  body: closedBody('The filter, the act, and how many', {
    type: 'object',
    required: ['filter', 'action', 'atMost'],
    properties: {
      filter: filterField,
      action: actionField,
      atMost: { type: 'integer', minimum: 1, description: 'The total of the plan: the job acts on no more', examples: [120] },
      rate: { type: 'integer', minimum: 1, maximum: maxRate, default: 500, description: 'Executions a second', examples: [200] },
    },
  }),
  also: jobAsked,
  refusals: bodyErrorResponses,
  example: { query: { companyId: '1' }, body: { filter, action: { type: 'cancel', reason: 'The offer has ended' }, atMost: 120 } },
  async handle({ c, operator, query }, service: Parts) {
    const { id: companyId } = requireCompany(service, query.companyId);
    const { atMost, rate, ...body } = parseBody(Act, await c.req.text());
    const [named, action] = [readFilter(body.filter), readAction(body.action)];
    await requireAct(service, companyId, named, action);
    const { jobId } = await service.jobs.ask(bulkJob, { companyId, spec: { filter: named, action }, createdBy: operator, atMost, rate });
    const { workflowId } = named;
    noteAct(c, {
      companyId,
      ...(workflowId !== undefined && { kind: 'workflow', id: workflowId }),
      after: { action: action.type, filter: Object.keys(named), atMost, jobId }, // by fields: a filter may name a person
    });
    return c.json({ jobId }, 202);
  },
});

/** @throws {HttpError} 422 by field */
function readFilter(given: unknown): BulkFilter {
  if (given === undefined) throw invalidFields({ filter: ['"filter" is missing'] });
  const { data, error } = boundIssues(BulkFilter).safeParse(given, { error: inWords });
  if (error !== undefined)
    throw invalidFields({ filter: error.issues.map(({ path, message }) => `${path.join('.') || 'filter'}: ${message}`) });
  return data;
}

/** An act is an object with its type, or with its name as the only field. @throws {HttpError} 422 by field */
function readAction(given: unknown): z.output<typeof BulkAction> {
  if (given === undefined) throw invalidFields({ action: ['"action" is missing'] });
  const { data, error } = boundIssues(BulkAction).safeParse(nameType(given), { error: inWords });
  if (error !== undefined)
    throw invalidFields({ action: error.issues.map(({ path, message }) => `${path.join('.') || 'action'}: ${message}`) });
  return data;
}

function nameType(given: unknown): unknown {
  if (typeof given === 'string') return { type: given };
  if (typeof given !== 'object' || given === null || 'type' in given) return given;
  const [[type, fields] = ['', {}], ...others] = Object.entries(given);
  return others.length > 0 ? given : { type, ...(typeof fields === 'object' ? fields : {}) };
}

/** @throws {HttpError | HiloError} 422 for a filter that names too much, and for an act that could be done to none */
async function requireAct({ engine }: Parts, companyId: string, filter: BulkFilter, action: z.output<typeof BulkAction>): Promise<void> {
  try {
    await engine.company(companyId).bulk.check(filter, action);
  } catch (error) {
    throw describeEmpty(error);
  }
}

const describeEmpty = (error: unknown): unknown =>
  isHiloError(error, 'FILTER_EMPTY') ? invalidFields({ filter: [`FILTER_EMPTY: ${error.message}`] }) : error;

/** What is done to many executions. */
export const bulkRoutes: readonly Route<Parts>[] = [plan, act];
