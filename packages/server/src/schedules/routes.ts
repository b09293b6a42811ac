// Starts by management: now or at an instant, listed with what was missed, and cancelled; and the schedules that are in force.
import { createHash } from 'node:crypto';
import { deliveryKey } from '@hilo/engine';
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { nextCronMs, nextDateMs } from '@hilo/nodes';
import { asCondition, type Call } from '@hilo/stores';
import { z } from '@hono/zod-openapi';
import { meetPeople } from '../platform/database/people.ts';
import { noteAct } from '../platform/http/acts.ts';
import { bodyErrorResponses, errorResponses, formatInstant, Instant, Page, PageQuery, parseBody, Value } from '../platform/http/admin.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { full, HttpError, invalidFields, notFound } from '../platform/http/errors.ts';
import { exampleUser } from '../platform/http/example-requests.ts';
import { readInstantAhead } from '../platform/http/instants.ts';
import { closedBody, ErrorBody, jsonResponse, otherCell } from '../platform/http/openapi.ts';
import { readRequestKey } from '../platform/http/request-key.ts';
import { explainNotOnce, QueryChoice, QueryText } from '../platform/http/query.ts';
import type { JobRecord } from '../platform/jobs/define-job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { scheduledStarts, schedules, startStatuses } from '../platform/tables/schedules.ts';
import { readUserId } from '../messages/send-request.ts';
import { requireBot, requireCompany } from '../tenants/companies.ts';
import { withShare } from '../tenants/company-limits.ts';
import { readRules } from './rules.ts';
import type { ScheduleClock } from './schedules.ts';
import { hasRoomAhead, selectStarts, stepStart } from './sql.ts';
import { audienceOf, type StartParts, type StartRecord } from './start-jobs.ts';

/** What these routes work with. */
export type ScheduleParts = StartParts & {
  readonly jobs: Jobs;
  readonly schedules: ScheduleClock;
};

const tags = ['Schedules'];
const ofCompany = z.object({ companyId: z.string() });
const ofStart = ofCompany.extend({ startId: z.string() });

const Counts = z.record(z.string(), z.int());

/** A start as management shows it. */
const StartBody = z
  .object({
    startId: z
      .string()
      .nullable()
      .openapi({ description: 'null for a start that was made at once', example: '3f6c1d1e3f6c1d1e3f6c1d1e3f6c1d1e' }),
    workflowId: z.string(),
    nodeId: z.string().nullable().openapi({ description: 'The start of the canvas; its first, where null', example: 'begin' }),
    status: z.enum(startStatuses).openapi({ description: 'waiting and running are still to come, or under way' }),
    at: Instant.openapi({ description: 'When it is due, or was' }),
    audience: Value.openapi({
      description: '"company", {"group"}, {"segment"} or {"field"} of a schedule; null for a start that was asked for',
      example: { group: 'vip' },
    }),
    botId: z.string().nullable(),
    userId: z.string().nullable(),
    inputs: z.custom<JsonObject>().openapi({ type: 'object', additionalProperties: true, description: 'What $input holds' }),
    executionId: z.string().nullable().openapi({ description: 'What was started; null for a start of many, or of none' }),
    jobId: z.string().nullable().openapi({ description: 'The job that makes it for each contact' }),
    counts: Counts.openapi({
      description: 'Of the contacts: started, missed, noBot (no bot reaches them), elsewhere (another cell serves them), failed',
      example: { started: 120, noBot: 2 },
    }),
    times: z
      .int()
      .openapi({ description: 'How many due times it stands for: several, where many were missed; 1,000 are counted', example: 1 }),
    reason: z
      .string()
      .nullable()
      .openapi({ description: 'Why it was missed or failed: LATE, SUPERSEDED, REPLACED, or the code of a refusal', example: 'LATE' }),
    createdBy: z.string(),
    createdAt: Instant,
    endedAt: Instant.nullable().openapi({ example: '2031-06-01T09:00:00.000Z' }),
  })
  .openapi('Start');

const waitingStart: z.input<typeof StartBody> = {
  startId: '3f6c1d1e3f6c1d1e3f6c1d1e3f6c1d1e',
  workflowId: 'hello',
  nodeId: null,
  status: 'waiting',
  at: '2031-06-01T09:00:00.000Z',
  audience: null,
  botId: 'bot_wa',
  userId: exampleUser.id,
  inputs: {},
  executionId: null,
  jobId: null,
  counts: {},
  times: 1,
  reason: null,
  createdBy: 'maria',
  createdAt: '2031-05-01T09:00:00.000Z',
  endedAt: null,
};

/** A start for an answer. @param job - that which makes it for each contact, while it is kept */
function describeStart(start: StartRecord, job: JobRecord | undefined): z.input<typeof StartBody> {
  const isCut = start.status === 'running' && job?.status === 'cancelled';
  return {
    startId: start.id,
    workflowId: start.workflowId,
    nodeId: start.nodeId ?? null,
    status: isCut ? 'cancelled' : start.status,
    at: formatInstant(start.dueAtMs),
    audience: start.audience,
    botId: start.botId === '' ? null : start.botId,
    userId: start.userId === '' ? null : start.userId,
    inputs: start.inputs,
    executionId: start.executionId ?? null,
    jobId: start.jobId ?? null,
    counts: { ...(start.counts ?? job?.counts) },
    times: start.times,
    reason: start.reason ?? job?.failure?.code ?? null,
    createdBy: start.createdBy,
    createdAt: formatInstant(start.createdAtMs),
    endedAt: start.endedAtMs === undefined ? null : formatInstant(start.endedAtMs),
  };
}

const withJob = async ({ jobs }: ScheduleParts, start: StartRecord) => {
  const { jobId, companyId } = start;
  const job = jobId === undefined ? undefined : await jobs.find(jobId, companyId).catch(() => undefined); // removed once it is old
  return describeStart(start, job);
};

const headers = z.object({
  'idempotency-key': z.string().max(128).optional().openapi({
    pattern: deliveryKey.source,
    description: 'A repeated key is the same start: within eight days, and while its row is kept',
  }),
});

type NewStart = Parameters<typeof scheduledStarts.insert>[0][number];

const StartRequest = z.strictObject({
  workflowId: z.string('workflowId is the id of a workflow'),
  nodeId: z.string('nodeId is the id of a start of the canvas').optional(),
  inputs: z.custom<JsonObject>((inputs) => isJsonObject(inputs as Json), 'inputs is an object').default({}),
  user: z.strictObject({ id: z.string('user.id is a text') }, 'user is an object with an id').optional(),
  botId: z.string('botId is a text').optional(),
  at: z.string('at is an instant').optional(),
  graceMs: z.int('graceMs is a whole number').min(0, 'graceMs is at least 0').max(31_536_000_000, 'graceMs is at most a year').optional(),
});

const usualGraceMs = 3_600_000;
/** So many starts of a company wait for their time; processes that keep one in the same moment may go over it by one each. */
export const mostAhead = 100_000;

const ask = defineRoute({
  post: '/admin/v1/companies/{companyId}/starts',
  operationId: 'createStart',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Starts an execution of a published workflow, now or at an instant',
  description:
    'Without "at" it is started at once. With it, the start waits, can be cancelled, and is made once, at most "graceMs" late (an hour); what is later is missed. The same Idempotency-Key is the same start.',
  params: ofCompany,
  headers,
  body: closedBody('The workflow; a user is one of the bot that is named', {
    type: 'object',
    required: ['workflowId'],
    properties: {
      workflowId: { type: 'string', description: 'A published workflow', examples: ['hello'] },
      nodeId: { type: 'string', description: 'A start of its canvas; the first, when left out', examples: ['begin'] },
      inputs: { type: 'object', description: 'What $input holds: the inputs that the canvas declares', additionalProperties: true },
      user: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      botId: { type: 'string', description: 'The bot of the user' },
      at: { type: 'string', format: 'date-time', description: 'When; now, when left out', examples: ['2031-12-01T09:00:00Z'] },
      graceMs: { type: 'integer', minimum: 0, default: usualGraceMs, description: 'How late it may be made', examples: [usualGraceMs] },
    },
  }),
  answer: jsonResponse('Started', StartBody),
  also: { 202: { description: 'Waits for its time', content: { 'application/json': { schema: StartBody, example: waitingStart } } } },
  refusals: { ...bodyErrorResponses, ...otherCell, 409: jsonResponse('As many wait for their time as may', ErrorBody) },
  example: {
    path: { companyId: '1' },
    headers: { 'idempotency-key': 'renewal-ana' },
    body: { workflowId: 'hello', user: exampleUser, botId: 'bot_wa' },
  },
  async handle({ c, operator, params }, parts: ScheduleParts) {
    const { id: companyId } = requireCompany(parts, params.companyId);
    const { workflowId, nodeId, inputs, user, botId, at, graceMs = usualGraceMs } = parseBody(StartRequest, await c.req.text());
    if (user !== undefined && botId === undefined) throw invalidFields({ botId: ['name the bot of the user'] });
    const bot = botId === undefined ? undefined : requireBot(parts, companyId, botId);
    const userId = user === undefined || bot === undefined ? undefined : readUserId(user.id, bot);
    const key = readRequestKey(c);
    noteAct(c, { companyId, kind: 'workflow', id: workflowId });
    const nowMs = parts.clock.now();
    const atMs = at === undefined ? undefined : readInstantAhead(at, nowMs);
    const start: NewStart = {
      companyId,
      id: nameStart(parts, companyId, workflowId, key),
      workflowId,
      nodeId,
      audience: null,
      botId: botId ?? '',
      userId: userId ?? '',
      inputs,
      status: 'waiting',
      dueAtMs: atMs ?? nowMs,
      graceMs,
      times: 1,
      createdBy: operator,
      createdAtMs: nowMs,
    };
    if (atMs === undefined) {
      const origin = {
        companyId,
        route: 'production' as const,
        ...(bot && { botId: bot.id, channel: bot.channel }),
        ...(userId !== undefined && { userId }),
      };
      const { executionId } = await withShare(parts.shares?.takeStart(companyId), () =>
        parts.engine.startWorkflow({
          origin,
          workflowId,
          inputs,
          ...(nodeId !== undefined && { nodeId }),
          ...(key !== undefined && { idempotencyKey: key }),
        }),
      );
      noteAct(c, { after: { executionId } });
      const made = { ...scheduledStarts.fromRow(scheduledStarts.toRow(start)), status: 'started' as const, executionId, endedAtMs: nowMs };
      return { ...describeStart(made, undefined), startId: null };
    }
    await requireStartable(parts, companyId, workflowId, nodeId);
    const met = userId === undefined || bot === undefined ? [] : meetPeople({ companyId, botId: bot.id }, [userId]);
    await keepStart(parts, start, met);
    parts.schedules.wake(atMs);
    noteAct(c, { after: { startId: start.id, at: formatInstant(atMs) } });
    return c.json(await withJob(parts, await requireStart(parts, companyId, start.id)), 202);
  },
});

/** Keeps a start until it is due, once. @throws {HttpError} 409 where as many wait as may */
async function keepStart({ store, clock }: ScheduleParts, start: NewStart, met: readonly Call[]): Promise<void> {
  const { companyId, id } = start;
  const room = asCondition(hasRoomAhead({ companyId, nowMs: clock.now(), most: mostAhead }));
  const { failed } = await store.runner.write([room, ...scheduledStarts.insertMissing([start]), ...met]);
  if (failed === undefined || (await store.runner.readOne(scheduledStarts.find({ companyId, id }))) !== undefined) return;
  const sentence = `At most ${mostAhead} starts of a company wait for their time: cancel one first`;
  throw full({ name: 'scheduled-starts', holder: companyId }, 'TOO_MANY_STARTS', sentence);
}

/** The id of a start: the same for the same key. */
function nameStart({ schedules: { createId } }: ScheduleParts, companyId: string, workflowId: string, key: string | undefined): string {
  if (key === undefined) return createId();
  return createHash('sha256')
    .update(JSON.stringify([companyId, workflowId, 'key', key]))
    .digest('hex')
    .slice(0, 32);
}

/** @throws {HttpError} 404 for a workflow that is not published, or has no such start */
async function requireStartable(
  { store }: ScheduleParts,
  companyId: string,
  workflowId: string,
  nodeId: string | undefined,
): Promise<void> {
  const latest = await store.canvases.latest(companyId, workflowId);
  if (latest === undefined || latest.gate?.state === 'unpublished')
    throw notFound('WORKFLOW_NOT_FOUND', `Workflow "${workflowId}" is not published: publish it before it is started`);
  if (nodeId !== undefined && !latest.canvas.nodes.some(({ id, type }) => id === nodeId && type === 'start'))
    throw notFound('WORKFLOW_NOT_FOUND', `Workflow "${workflowId}" has no start "${nodeId}"`);
}

async function requireStart({ store }: ScheduleParts, companyId: string, startId: string): Promise<StartRecord> {
  const start = await store.runner.readOne(scheduledStarts.find({ companyId, id: startId }));
  if (start === undefined)
    throw notFound('START_NOT_FOUND', `There is no start "${startId}": GET /admin/v1/companies/${companyId}/starts lists them`);
  return start;
}

const cursorForm = /^starts-(\d{1,16})-([0-9a-f]{32})$/;
const cursor = z
  .string({ error: explainNotOnce('cursor') })
  .regex(cursorForm, 'cursor is the nextCursor of the page before')
  .transform((text) => {
    const [, dueAtMs = '0', id = ''] = cursorForm.exec(text) ?? [];
    return { belowMs: Number(dueAtMs), belowId: id };
  })
  .optional()
  .openapi({ type: 'string', description: 'The nextCursor of the previous page' });

const list = defineRoute({
  get: '/admin/v1/companies/{companyId}/starts',
  operationId: 'listStarts',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'Starts that wait, were made, or were missed: the latest due time first',
  description: 'What a schedule has missed is listed too, with status=missed.',
  params: ofCompany,
  query: z.object({
    status: QueryChoice('status', startStatuses).optional(),
    workflowId: QueryText('workflowId', 200).optional().openapi({ description: 'Only those of a workflow' }),
    limit: PageQuery.shape.limit,
    cursor,
  }),
  answer: jsonResponse('A page of starts', Page(StartBody)),
  refusals: errorResponses,
  example: { path: { companyId: '1' }, query: { status: 'waiting' } },
  async handle({ params, query }, parts: ScheduleParts) {
    const { id: companyId } = requireCompany(parts, params.companyId);
    const { status, workflowId, limit, cursor: after = { belowMs: Number.MAX_SAFE_INTEGER, belowId: '' } } = query;
    const found = await parts.store.runner.read(selectStarts({ companyId, status, workflowId, limit: limit + 1, ...after }));
    const results = found.slice(0, limit);
    const last = results.at(-1);
    return {
      results: await Promise.all(results.map((start) => withJob(parts, start))),
      nextCursor: found.length > limit && last !== undefined ? `starts-${last.dueAtMs}-${last.id}` : null,
    };
  },
});

const startExample = { companyId: '1', startId: 'START_ID' };
const refusals = { ...errorResponses, 409: jsonResponse('It was made, or has ended otherwise', ErrorBody) };

const get = defineRoute({
  get: '/admin/v1/companies/{companyId}/starts/{startId}',
  operationId: 'getStart',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'A start, and what became of it',
  description: 'The counts are those of the contacts of a schedule.',
  params: ofStart,
  answer: jsonResponse('The start', StartBody),
  refusals: errorResponses,
  example: { path: startExample },
  async handle({ params }, parts: ScheduleParts) {
    const { id: companyId } = requireCompany(parts, params.companyId);
    return await withJob(parts, await requireStart(parts, companyId, params.startId));
  },
});

const cancel = defineRoute({
  delete: '/admin/v1/companies/{companyId}/starts/{startId}',
  operationId: 'cancelStart',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Cancels a start that waits for its time, or the rest of one that is made for many',
  description: 'Executions that were started go on. A repeated call changes nothing.',
  params: ofStart,
  answer: jsonResponse('The cancelled start', StartBody),
  refusals,
  example: { path: startExample },
  async handle({ c, params }, parts: ScheduleParts) {
    const { id: companyId } = requireCompany(parts, params.companyId);
    const start = await requireStart(parts, companyId, params.startId);
    noteAct(c, { companyId, kind: 'start', id: start.id });
    const { jobId } = start;
    if (start.status === 'running' && jobId !== undefined) await parts.jobs.cancel(await parts.jobs.find(jobId, companyId));
    const from = start.status === 'running' && jobId !== undefined ? ('running' as const) : ('waiting' as const);
    await parts.store.runner.writeOne(stepStart({ companyId, id: start.id, from, to: 'cancelled' }));
    const after = await requireStart(parts, companyId, start.id);
    if (after.status !== 'cancelled')
      throw new HttpError(409, 'START_ENDED', `Start "${start.id}" is ${after.status} and cannot be cancelled`);
    return await withJob(parts, after);
  },
});

const ScheduleBody = z
  .object({
    workflowId: z.string(),
    nodeId: z.string().openapi({ description: 'The start of the canvas', example: 'begin' }),
    cron: z.string().nullable().openapi({ description: 'null for a date of contacts', example: '0 9 * * 1-5' }),
    field: z
      .string()
      .nullable()
      .openapi({ description: 'The field of contacts that holds the date; null for a cron expression', example: 'renewal' }),
    timeZone: z.string().nullable().openapi({ description: "null for a date, which is on the contact's clock", example: 'America/Lima' }),
    audience: Value.openapi({ description: '"company", {"group"}, {"segment"} or {"field"}', example: 'company' }),
    graceMs: z.int().openapi({ description: 'How late it may begin', example: usualGraceMs }),
    isPaused: z.boolean().openapi({ description: 'Whether its workflow is paused: nothing begins meanwhile' }),
    nextAt: Instant.nullable().openapi({
      example: '2031-06-02T14:00:00.000Z',
      description: 'When it is looked at next: a date of contacts four times an hour',
    }),
    through: Instant.nullable().openapi({
      example: '2031-06-01T14:00:00.000Z',
      description: 'Up to when it was looked at; null before the first time',
    }),
  })
  .openapi('Schedule');

const listSchedules = defineRoute({
  get: '/admin/v1/companies/{companyId}/schedules',
  operationId: 'listSchedules',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'The schedules of published workflows, and when each is due next',
  description: 'Those of the latest version of each workflow that is published and not archived.',
  params: ofCompany,
  answer: jsonResponse('The schedules', z.object({ results: z.array(ScheduleBody) })),
  refusals: errorResponses,
  example: { path: { companyId: '1' } },
  async handle({ params }, parts: ScheduleParts) {
    const { id: companyId, timeZone = 'UTC' } = requireCompany(parts, params.companyId);
    const nowMs = parts.clock.now();
    const cursors = await parts.store.runner.read(schedules.all(companyId));
    const found = await readRules(parts, companyId, nowMs);
    return {
      results: found.flatMap(({ workflowId, isPaused, rules }) =>
        rules.map((rule) => {
          const { nodeId, kind, graceMs, text } = rule;
          const through = cursors.find(
            (one) => one.workflowId === workflowId && one.nodeId === nodeId && one.kind === kind && one.rule === text,
          );
          const nextMs = kind === 'cron' ? nextCronMs(rule, timeZone, nowMs) : nextDateMs(rule, nowMs);
          return {
            workflowId,
            nodeId,
            cron: kind === 'cron' ? rule.cron : null,
            field: kind === 'cron' ? null : rule.field,
            timeZone: kind === 'cron' ? (rule.timeZone ?? timeZone) : null,
            audience: audienceOf(rule),
            graceMs,
            isPaused,
            nextAt: nextMs === undefined || isPaused ? null : formatInstant(nextMs),
            through: through === undefined ? null : formatInstant(through.throughMs),
          };
        }),
      ),
    };
  },
});

/** Schedules, and starts at an instant. */
export const scheduleRoutes: readonly Route<ScheduleParts>[] = [listSchedules, ask, list, get, cancel];
