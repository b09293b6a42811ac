// Jobs of management: durable work over many executions, looked at, paused, and taken back.
import { z } from '@hono/zod-openapi';
import { noteAct } from '../platform/http/acts.ts';
import {
  bodyErrorResponses,
  CompanyQuery,
  errorResponses,
  formatInstant,
  Instant,
  Page,
  PageQuery,
  parseBody,
  Value,
} from '../platform/http/admin.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { closedBody, ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { explainNotOnce, QueryChoice, QueryText } from '../platform/http/query.ts';
import { isRate, maxRate, type JobRecord } from '../platform/jobs/define-job.ts';
import { jobAsked } from '../platform/jobs/job-asked.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { jobStatuses } from '../platform/tables/jobs.ts';
import { requireCompany, type Tenancy } from '../tenants/companies.ts';

/** What these routes need of the service. */
type JobParts = Tenancy & { readonly jobs: Jobs };

const tags = ['Jobs'];
const params = z.object({ jobId: z.string().openapi({ example: '5b0c8f6e9d1a4c573b0c8f6e9d1a4c57' }) });
const Failure = z.object({ code: z.string(), message: z.string() });

/** A job as management shows it. */
const JobBody = z
  .object({
    jobId: z.string(),
    companyId: z.string(),
    kind: z.string().openapi({ description: 'What does it, such as migrate, undo, bulk or publish', example: 'migrate' }),
    spec: Value.openapi({
      description: 'What is to be done, as its kind reads it',
      example: { workflowId: 'order-status', undoes: '5b0c8f6e9d1a4c57', migrated: 40 },
    }),
    status: z.enum(jobStatuses).openapi({ description: 'done and cancelled have ended' }),
    cursor: z.int().openapi({ description: 'How many things were looked at' }),
    counts: z.record(z.string(), z.int()).openapi({ description: 'Of them, how many had which outcome', example: { same: 40 } }),
    atLeast: z.boolean().openapi({
      description:
        'True where the counts may be of a page too many or too few: its process died in the middle of it, and what it had done is not counted yet',
    }),
    problems: z.array(Failure.extend({ executionId: z.string() })).openapi({ description: 'The first 1,000' }),
    failure: Failure.nullable().openapi({ description: 'Why it has not done all that was asked, or is tried again later' }),
    rate: z.int().openapi({ description: 'Things a second' }),
    atMost: z.int().nullable().openapi({ description: 'It acts on no more than so many', example: 120 }),
    notBefore: Instant.openapi({ description: 'It does not go on before this instant', format: 'date-time' }),
    createdBy: z.string(),
    createdAt: Instant,
    endedAt: Instant.nullable(),
  })
  .openapi('Job');

/** A job for an answer. */
const describeJob = (job: JobRecord): z.input<typeof JobBody> => ({
  jobId: job.id,
  companyId: job.companyId,
  kind: job.kind,
  spec: job.spec,
  status: job.status,
  cursor: job.cursor,
  counts: job.counts,
  atLeast: job.isAtLeast,
  problems: [...job.problems],
  failure: job.failure ?? null,
  rate: job.rate,
  atMost: job.atMost ?? null,
  notBefore: formatInstant(job.notBeforeMs),
  createdBy: job.createdBy,
  createdAt: formatInstant(job.createdAtMs),
  endedAt: job.endedAtMs === undefined ? null : formatInstant(job.endedAtMs),
});

const cursorForm = /^jobs-(\d{1,16})-(.{1,200})$/;
const cursor = z
  .string({ error: explainNotOnce('cursor') })
  .regex(cursorForm, 'cursor is the nextCursor of the page before')
  .transform((text) => {
    const [, createdAtMs = '0', id = ''] = cursorForm.exec(text) ?? [];
    return { createdAtMs: Number(createdAtMs), id };
  })
  .optional()
  .openapi({ type: 'string', description: 'The nextCursor of the previous page', example: 'jobs-1930000000000-3f6c1d1e' });

const list = defineRoute({
  get: '/admin/v1/jobs',
  operationId: 'listJobs',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'Jobs of a company or of all, newest first',
  description: 'A job is durable work over many executions: a migration, its undoing, an act in bulk, a publication at an instant.',
  query: PageQuery.extend({
    status: QueryChoice('status', jobStatuses).optional(),
    kind: QueryText('kind', 64).optional().openapi({ description: 'Only those of a kind' }),
    cursor,
  }),
  answer: jsonResponse('Jobs', Page(JobBody)),
  refusals: errorResponses,
  example: { query: { companyId: '1', kind: 'migrate', limit: '10' } },
  async handle({ query: { companyId, status, kind, limit, cursor: after } }, service: JobParts) {
    const { only } = service.companies;
    const companyIds = companyId !== undefined ? [requireCompany(service, companyId).id] : only === undefined ? undefined : [...only];
    const found = await service.jobs.list({ companyIds, status, kind, limit: limit + 1, after });
    const results = found.slice(0, limit);
    const last = results.at(-1);
    return {
      results: results.map(describeJob),
      nextCursor: found.length > limit && last !== undefined ? `jobs-${last.createdAtMs}-${last.id}` : null,
    };
  },
});

const JobQuery = z.object({
  companyId: CompanyQuery.shape.companyId.openapi({ description: 'Optional: the id of a job is unique among all companies' }),
});

/** A job of a company that the operator has. @throws {HttpError} 404 */
async function requireJob({ jobs, companies }: JobParts, jobId: string, companyId: string | undefined): Promise<JobRecord> {
  const job = await jobs.find(jobId, companyId);
  return companies.only?.has(job.companyId) === false ? jobs.find(jobId, '') : job; // another's is as unknown as one that is not there
}

const example = { path: { jobId: 'JOB_ID' }, query: { companyId: '1' } };

const get = defineRoute({
  get: '/admin/v1/jobs/{jobId}',
  operationId: 'getJob',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'A job, and how far it is',
  description: 'Its counts are kept after each page of up to 100 executions.',
  params,
  query: JobQuery,
  answer: jsonResponse('The job', JobBody),
  refusals: errorResponses,
  example,
  async handle({ params: { jobId }, query }, service: JobParts) {
    return describeJob(await requireJob(service, jobId, query.companyId));
  },
});

const ended = { 409: jsonResponse('The job has ended', ErrorBody) };

/** A step of an operator. */
const defineStep = (verb: 'pause' | 'resume' | 'cancel', summary: string, description: string) =>
  defineRoute({
    post: `/admin/v1/jobs/{jobId}/${verb}`,
    operationId: `${verb}Job`,
    auth: 'operator',
    permission: 'operate',
    tags,
    summary,
    description,
    params,
    query: JobQuery,
    answer: jsonResponse('The job as it is then', JobBody),
    refusals: { ...bodyErrorResponses, ...ended },
    example,
    async handle({ c, params: { jobId }, query }, service: JobParts) {
      const before = await requireJob(service, jobId, query.companyId);
      const after = await service.jobs[verb](before);
      noteAct(c, { companyId: before.companyId, before: { status: before.status }, after: { status: after.status } });
      return describeJob(after);
    },
  });

const pause = defineStep(
  'pause',
  'Lets a job act no more until it is resumed',
  'The page under way, of a second at most, is done to its end.',
);
const resume = defineStep('resume', 'Lets a paused job go on where it stopped', 'A job that goes on already is unchanged.');
const cancel = defineStep('cancel', 'Ends a job where it stands', 'What it has done stays done: undo takes it back, where that can be.');

const undo = defineRoute({
  post: '/admin/v1/jobs/{jobId}/undo',
  operationId: 'undoJob',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Asks for a job that takes back what another has done',
  description:
    'Of migrations: those to which nothing has happened since go back to the version before, others are counted as goneOn, and those that went back by an earlier undo as alreadyUndone. What entered a node cannot be undone.',
  params,
  query: JobQuery,
  also: jobAsked,
  refusals: { ...bodyErrorResponses, 409: jsonResponse('The job has not ended, or is of a kind that cannot be undone', ErrorBody) },
  example,
  async handle({ c, operator, params: { jobId }, query }, service: JobParts) {
    const job = await requireJob(service, jobId, query.companyId);
    const asked = await service.jobs.undo(job, operator);
    noteAct(c, { companyId: job.companyId, after: { jobId: asked.jobId } });
    return c.json(asked, 202);
  },
});

const Change = z.object({
  rate: z.number('rate is a number').refine(isRate, `rate is a whole number from 1 to ${maxRate}`),
});

const change = defineRoute({
  patch: '/admin/v1/jobs/{jobId}',
  operationId: 'changeJob',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Changes the rate of a job',
  description: 'It holds from the next page on.',
  params,
  query: JobQuery,
  body: closedBody('The rate', {
    type: 'object',
    required: ['rate'],
    properties: { rate: { type: 'integer', minimum: 1, maximum: maxRate, description: 'Things a second' } },
  }),
  answer: jsonResponse('The job as it is then', JobBody),
  refusals: { ...bodyErrorResponses, ...ended },
  example: { ...example, body: { rate: 50 } },
  async handle({ c, params: { jobId }, query }, service: JobParts) {
    const before = await requireJob(service, jobId, query.companyId);
    const { rate } = parseBody(Change, await c.req.text());
    const after = await service.jobs.setRate(before, rate);
    noteAct(c, { companyId: before.companyId, before: { rate: before.rate }, after: { rate: after.rate } });
    return describeJob(after);
  },
});

/** What is done in the background for operators. */
export const jobRoutes: readonly Route<JobParts>[] = [list, get, change, pause, resume, cancel, undo];
