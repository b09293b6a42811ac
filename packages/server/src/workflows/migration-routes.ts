// Migrations of waiting executions to another version: planned, by lines of which the last is the plan, and asked for as a job.
import { type MigrationPlan, parseJsonObject } from '@hilo/engine';
import { type JsonObject, migratingKinds, type Verdict } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import { type AskingParts, jobAsked } from '../platform/jobs/job-asked.ts';
import { bodyErrorResponses, formatInstant, parseBody, WorkflowQuery } from '../platform/http/admin.ts';
import { noteAct } from '../platform/http/acts.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { invalidRequest } from '../platform/http/errors.ts';
import { answerInLines } from '../platform/http/lines.ts';
import { closedBody, ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { QueryChoice } from '../platform/http/query.ts';
import { isRate, maxRate } from '../platform/jobs/define-job.ts';
import { migrateJob } from './migrate-jobs.ts';
import { requireDraftOwner, type WorkflowParts } from './workflows.ts';

const params = z.object({ workflowId: z.string() });
const tags = ['Migrations'];
const lines = (description: string) => ({ description, content: { 'application/x-ndjson': { schema: { type: 'string' as const } } } });

const mapping: JsonObject = {
  from: { description: 'The version to leave; "any" for every other', anyOf: [{ type: 'integer', minimum: 1 }, { const: 'any' }] },
  to: {
    description: 'The published version to come to; of a plan, the number after the latest one stands for the draft',
    type: 'integer',
    minimum: 1,
  },
  nodes: {
    description: 'Renamed nodes: the id before, and the id in the target',
    type: 'object',
    additionalProperties: { type: 'string' },
  },
  at: {
    description: 'What becomes of executions that wait at a node: "keep", {"enter": NODE} or {"cancel": REASON}',
    type: 'object',
    additionalProperties: true,
  },
  set: {
    description: 'Values for variables of $context and $memory that an execution does not have; {{expressions}} read its own',
    type: 'object',
    additionalProperties: true,
  },
};

const plan = defineRoute({
  post: '/admin/v1/workflows/{workflowId}/migrations/plan',
  operationId: 'planMigration',
  auth: 'operator',
  permission: 'view',
  onRecord: true,
  tags,
  summary: 'What a migration would do with each waiting execution; changes nothing',
  description:
    'A line after each page of executions, with what was read so far; the last line is the plan. With items=true, a line for each verdict, too.',
  params,
  query: WorkflowQuery.extend({ items: QueryChoice('items', ['true', 'false']).default('false') }),
  body: closedBody('The migration', { type: 'object', required: ['from', 'to'], properties: mapping }),
  answer: lines('Progress, then { read, counts, groups, nodes, planId }'),
  refusals: bodyErrorResponses,
  example: { path: { workflowId: 'order-status' }, query: { companyId: '1' }, body: { from: 'any', to: 1 } },
  async handle({ c, params: { workflowId }, query }, service: WorkflowParts) {
    const companyId = await requireDraftOwner(service, query.companyId, workflowId);
    const migration = readMigration(workflowId, parseJsonObject(await c.req.text()));
    return answerInLines(c, async (write) => {
      let items: { readonly executionId: string; readonly verdict: Verdict }[] = [];
      const found = await service.engine.company(companyId).migrations.plan(migration, {
        ...(query.items === 'true' && { onVerdict: (executionId, verdict) => void items.push({ executionId, verdict }) }),
        async onPage(progress) {
          for (const item of items) await write(item);
          items = [];
          await write(progress);
        },
      });
      return describePlan(found);
    });
  },
});

const describePlan = ({ groups, ...found }: MigrationPlan) => ({
  ...found,
  groups: groups.map(({ oldestMs, ...group }) => ({ ...group, oldest: formatInstant(oldestMs) })),
});

const Apply = z.object({
  migration: z.record(z.string(), z.json()),
  planId: z.string().max(100).optional(),
  accept: z.array(z.enum(migratingKinds)).min(1).default(['same']),
  rate: z.number('rate is a number').refine(isRate, `rate is a whole number from 1 to ${maxRate}`).optional(),
});

const apply = defineRoute({
  post: '/admin/v1/workflows/{workflowId}/migrations',
  operationId: 'migrateExecutions',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Asks for a job that migrates the waiting executions on which the verdict is accepted; the others stay',
  description:
    'Each is judged again in its commit. Without accept, only what is proved to be the same changes. The counts of the job are by verdict; POST /admin/v1/jobs/{jobId}/undo takes it back.',
  params,
  query: WorkflowQuery,
  body: closedBody('The migration, and what it may do', {
    type: 'object',
    required: ['migration'],
    properties: {
      migration: { type: 'object', required: ['from', 'to'], properties: mapping },
      planId: {
        type: 'string',
        description: 'Of the plan that was looked at: refused where the migration or a version is another',
        examples: ['3b0c8f6e9d1a4c57'],
      },
      accept: {
        type: 'array',
        minItems: 1,
        items: { enum: [...migratingKinds] },
        default: ['same'],
        description: 'Verdicts by which an execution may change',
      },
      rate: { type: 'integer', minimum: 1, maximum: maxRate, default: 500, description: 'Executions a second', examples: [200] },
    },
  }),
  also: jobAsked,
  refusals: { ...bodyErrorResponses, 409: jsonResponse('The migration or a version is not that of the plan', ErrorBody) },
  example: { path: { workflowId: 'order-status' }, query: { companyId: '1' }, body: { migration: { from: 'any', to: 1 } } },
  async handle({ c, operator, params: { workflowId }, query }, service: WorkflowParts & AskingParts) {
    const companyId = await requireDraftOwner(service, query.companyId, workflowId);
    const { planId, accept, rate, ...given } = parseBody(Apply, await c.req.text());
    const migration = readMigration(workflowId, given.migration);
    await service.engine.company(companyId).migrations.check(migration, planId);
    const { jobId } = await service.jobs.ask(migrateJob, {
      companyId,
      spec: { workflowId, migration, accept },
      createdBy: operator,
      rate,
    });
    noteAct(c, { companyId, after: { from: migration['from'] ?? null, to: migration['to'] ?? null, accept, jobId } });
    return c.json({ jobId }, 202);
  },
});

/** A migration of the workflow that the path names. Its fields are checked with the versions. */
function readMigration(workflowId: string, body: JsonObject): JsonObject {
  if (body['workflowId'] !== undefined && body['workflowId'] !== workflowId)
    throw invalidRequest(
      `The migration is of workflow ${JSON.stringify(body['workflowId'])}, and the path says "${workflowId}": make them the same`,
    );
  return { ...body, workflowId };
}

/** How waiting executions come to another version. */
export const migrationRoutes: readonly Route<WorkflowParts & AskingParts>[] = [plan, apply];
