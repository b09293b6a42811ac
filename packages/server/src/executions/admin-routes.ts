// Management of executions.
import type { JsonObject } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import { formatInstant } from '../platform/http/admin.ts';
import { noteAct } from '../platform/http/acts.ts';
import { bodyErrorResponses, errorResponses, Page, parseBody } from '../platform/http/admin.ts';
import { explainNotOnce } from '../platform/http/query.ts';
import { Execution, ExecutionQuery, executionCursors, ExecutionsQuery, History, ReplayedExecution, StateAtStep } from './schema.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { notFound } from '../platform/http/errors.ts';
import { execution } from '../platform/http/example-requests.ts';
import { closedBody, ErrorBody, jsonResponse, otherCell } from '../platform/http/openapi.ts';
import { asSeenText } from '../platform/shown-names.ts';
import { requireCompany, requireExecution } from '../tenants/companies.ts';
import { readExecutionPage, describeExecution, type ExecutionParts } from './execution-pages.ts';
import type { Platform } from '../platform/platform.ts';
import { describeHistory } from './history-view.ts';
import { readStateAt } from './step-states.ts';

const params = z.object({ executionId: z.string() });
const tags = ['Executions'];

const list = defineRoute({
  get: '/admin/v1/executions',
  operationId: 'listExecutions',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'Executions of a company or of all, newest first; a child is a separate execution',
  description:
    'A page ends before its limit where its executions are large, or where few of many fit: there are more as long as nextCursor is not null.',
  query: ExecutionsQuery,
  answer: jsonResponse('Executions', Page(Execution.partial({ variables: true }))),
  refusals: errorResponses,
  example: { query: { companyId: '1', workflowId: 'payment-once', limit: '10' } },
  async handle({ query: filter }, service: ExecutionParts) {
    const { companyId } = filter;
    const named = companyId === undefined ? undefined : requireCompany(service, companyId).id;
    const { results, nextCursor } = await readExecutionPage(service, { ...filter, companyId: named });
    return { results, nextCursor: executionCursors.write(nextCursor) };
  },
});

const get = defineRoute({
  get: '/admin/v1/executions/{executionId}',
  operationId: 'getExecution',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'An execution with its variables and its open wait',
  description: 'It may still run: the answer is its state at this moment.',
  params,
  query: ExecutionQuery,
  answer: jsonResponse('The execution', Execution),
  refusals: { ...errorResponses, ...otherCell },
  example: execution,
  async handle({ params: { executionId }, query }, service: ExecutionParts) {
    return describeExecution(await requireExecution(service, query.companyId, executionId));
  },
});

const history = defineRoute({
  get: '/admin/v1/executions/{executionId}/history',
  operationId: 'getHistory',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'The history of an execution: visits, effects, causes and writes, in order',
  description: 'All that is needed to follow why the execution is where it is.',
  params,
  query: ExecutionQuery,
  answer: jsonResponse('The history', History),
  refusals: { ...errorResponses, ...otherCell },
  example: execution,
  async handle({ params: { executionId }, query }, service: ExecutionParts) {
    const { companyId } = await requireExecution(service, query.companyId, executionId);
    return describeHistory(executionId, await service.engine.history(companyId, executionId));
  },
});

const state = defineRoute({
  get: '/admin/v1/executions/{executionId}/states/{step}',
  operationId: 'getStateAtStep',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'An execution as it was after a step of its history',
  description: 'Its history is replayed. From the first node with `mask` on, variables are those that steps have written.',
  params: params.extend({ step: z.string() }),
  query: ExecutionQuery,
  answer: jsonResponse('The execution at that step', StateAtStep),
  refusals: { ...errorResponses, ...otherCell },
  example: { path: { ...execution.path, step: '1' } },
  async handle({ params: { executionId, step }, query }, service: ExecutionParts & Pick<Platform, 'nodes' | 'clock'>) {
    const record = await requireExecution(service, query.companyId, executionId);
    const found = /^\d{1,9}$/.test(step) ? await readStateAt(service, record, Number(step)) : undefined;
    if (found === undefined)
      throw notFound(
        'STEP_NOT_FOUND',
        `Execution "${executionId}" has no step ${step}: its history numbers them from 1; 0 is before the first`,
      );
    return found;
  },
});

const cancel = defineRoute({
  post: '/admin/v1/executions/{executionId}/cancel',
  operationId: 'cancelExecution',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Ends an execution at once, and its children with it; one that has ended stays as it is',
  description: 'Its open wait ends with it: what arrives for it later does not resume it.',
  params,
  query: ExecutionQuery,
  body: closedBody('May be left out', { type: 'object', properties: { reason: { type: 'string', maxLength: 500 } } }),
  answer: jsonResponse('The execution in its current state', Execution),
  refusals: { ...bodyErrorResponses, ...otherCell },
  example: { ...execution, body: { reason: 'Ordered twice' } },
  async handle({ c, operator, params: { executionId }, query }, service: ExecutionParts) {
    const { companyId, state: before } = await requireExecution(service, query.companyId, executionId);
    const { reason } = parseBody(Cancel, await c.req.text());
    const cancelled = await service.engine.cancel(companyId, executionId, reason, { by: operator });
    noteAct(c, { companyId, before: { status: before.status }, after: { status: cancelled.state.status } });
    return describeExecution(cancelled);
  },
});

const release = defineRoute({
  post: '/admin/v1/executions/{executionId}/release',
  operationId: 'releaseExecution',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Resumes a quarantined execution where it stopped; any other is unchanged',
  description: 'For use after the cause of the quarantine was mended.',
  params,
  query: ExecutionQuery,
  answer: jsonResponse('The execution in its current state', Execution),
  refusals: { ...bodyErrorResponses, ...otherCell },
  example: execution,
  async handle({ c, operator, params: { executionId }, query }, service: ExecutionParts) {
    const { companyId, state: before } = await requireExecution(service, query.companyId, executionId);
    const released = await service.engine.release(companyId, executionId, { by: operator });
    noteAct(c, { companyId, before: { status: before.status }, after: { status: released.state.status } });
    return describeExecution(released);
  },
});

const continued = z.object({
  version: z.union([z.int().min(1), z.enum(['same', 'latest'])], 'version is a number, "latest" or "same"').optional(),
  set: z.record(z.string(), z.json(), 'set is an object: {"$context.brand": "…"}').optional(),
});
const Retry = continued.extend({
  effect: z.enum(['auto', 'repeat', 'keep'], 'effect is "auto", "repeat" or "keep"').optional(),
  keys: z.enum(['auto', 'new', 'same'], 'keys is "auto", "new" or "same"').optional(),
  again: z.boolean('again is true or false').optional(),
});
const Fork = continued.extend({
  before: z.int('before is the index of an event of the history: a whole number').min(1, 'before is at least 1'),
  enter: z.string('enter is the id of a node').min(1).optional(),
  ends: z.boolean('ends is true or false').optional(),
});

const continuedFields = {
  version: {
    description: 'The version of its workflow in which the new one is',
    anyOf: [{ type: 'integer', minimum: 1 }, { enum: ['same', 'latest'] }],
    default: 'same',
  },
  set: {
    description: 'Values for variables of $context and $memory that it does not have; {{expressions}} read its own',
    type: 'object',
    additionalProperties: true,
  },
} satisfies JsonObject;

const New = z.object({ executionId: z.string().openapi({ description: 'The new execution' }) }).openapi('ExecutionContinued');

const retry = defineRoute({
  post: '/admin/v1/executions/{executionId}/retry',
  operationId: 'retryExecution',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Continues a failed, expired or cancelled execution as a new one: what was done is not done again',
  description:
    'An effect by whose answer its node failed is performed again; after any other failure the same event, with the answer that it brought, has its consequence again. One that expired or was cancelled stands at its last wait, with the whole time of it. The original stays as it ended, and names the new one; it is continued once.',
  params,
  query: ExecutionQuery,
  body: closedBody('May be left out', {
    type: 'object',
    properties: {
      ...continuedFields,
      effect: {
        enum: ['auto', 'repeat', 'keep'],
        default: 'auto',
        description: 'Whether the effect that was answered last is performed again; auto: where its node failed by the answer',
      },
      keys: {
        enum: ['auto', 'new', 'same'],
        default: 'auto',
        description:
          'The idempotency key of an effect that is performed again; auto: the same where its outcome is unknown, else a new one',
      },
      again: { type: 'boolean', default: false, description: 'Continues it once more, where it was continued before' },
    },
  }),
  answer: jsonResponse('The new execution', New),
  refusals: {
    ...bodyErrorResponses,
    ...otherCell,
    409: jsonResponse('It cannot be continued so: the code and the message say why', ErrorBody),
  },
  example: { ...execution, body: { version: 'latest' } },
  async handle({ c, operator, params: { executionId }, query }, service: ExecutionParts) {
    const { companyId, state: before } = await requireExecution(service, query.companyId, executionId);
    const options = parseBody(Retry, await c.req.text());
    const made = await service.engine.retry(companyId, executionId, { ...options, by: operator });
    noteAct(c, { companyId, before: { status: before.status }, after: { continuedAs: made.executionId } });
    return made;
  },
});

const fork = defineRoute({
  post: '/admin/v1/executions/{executionId}/fork',
  operationId: 'forkExecution',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Begins a copy of an execution where it stood before an event of its history',
  description:
    'The copy has its variables, its results and its open wait, with the time that was left of it; what it asks for has keys of its own. The history names the index of each event.',
  params,
  query: ExecutionQuery,
  body: closedBody('Where the copy begins', {
    type: 'object',
    required: ['before'],
    properties: {
      before: { type: 'integer', minimum: 1, description: 'The index of an event of its history, before which the copy begins' },
      ...continuedFields,
      enter: { type: 'string', description: 'The node at which the copy goes on; where it stood, when left out', examples: ['menu'] },
      ends: { type: 'boolean', default: false, description: 'Cancels the original in the same commit' },
    },
  }),
  answer: jsonResponse('The new execution', New),
  refusals: {
    ...bodyErrorResponses,
    ...otherCell,
    409: jsonResponse('It cannot be copied there: the code and the message say why', ErrorBody),
  },
  example: { ...execution, body: { before: 1 } },
  async handle({ c, operator, params: { executionId }, query }, service: ExecutionParts) {
    const { companyId } = await requireExecution(service, query.companyId, executionId);
    const options = parseBody(Fork, await c.req.text());
    const made = await service.engine.fork(companyId, executionId, { ...options, by: operator });
    noteAct(c, { companyId, after: { copiedAs: made.executionId, before: options.before } });
    return made;
  },
});

const replay = defineRoute({
  get: '/admin/v1/executions/{executionId}/replay',
  operationId: 'replayExecution',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'An execution as it was, and on the draft or a version of its workflow',
  description: 'Both are computed from its history, with the answers that it had; nothing is performed, and nothing is kept.',
  params,
  query: ExecutionQuery.extend({
    against: z
      .string({ error: explainNotOnce('against') })
      .regex(/^(?:draft|[1-9]\d{0,8})$/, 'against is "draft", or the number of a version')
      .default('draft')
      .openapi({ description: 'The draft of its workflow, or a version', example: 'draft' }),
  }),
  answer: jsonResponse('Both, side by side', ReplayedExecution),
  refusals: { ...errorResponses, ...otherCell },
  example: { ...execution, query: { against: 'draft' } },
  async handle({ params: { executionId }, query }, service: ExecutionParts) {
    const { companyId } = await requireExecution(service, query.companyId, executionId);
    const against = query.against === 'draft' ? query.against : Number(query.against);
    const { before, after, ...replayed } = await service.engine.company(companyId).replayExecution(executionId, { against });
    const lines = (list: typeof before) => list.map(({ atMs, ...line }) => ({ at: formatInstant(atMs), ...line }));
    return { ...replayed, before: lines(before), after: lines(after) };
  },
});

/** What runs, waits and has ended. */
export const executionRoutes: readonly Route<ExecutionParts & Pick<Platform, 'nodes' | 'clock'>>[] = [
  list,
  get,
  history,
  state,
  cancel,
  release,
  retry,
  fork,
  replay,
];

const Cancel = z.object({
  reason: asSeenText(
    'reason',
    z.string('reason is a text').trim().min(1, 'reason is empty').max(500, 'reason is longer than 500 characters'),
  ).optional(),
});
