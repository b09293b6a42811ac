import {
  type Canvas,
  channels,
  executionStatuses,
  type Json,
  type JsonObject,
  type Problem,
  waitKinds,
  isJsonObject,
} from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import { byField, invalidFields, notFound, type HttpError, invalidRequest, invalidInput } from './errors.ts';
import { OperatorId } from './date-range.ts';
import { ErrorBody, FullError, jsonResponse } from './openapi.ts';
import { parseJson } from './parse-json.ts';

export const Instant = z.string().openapi({ format: 'date-time' });
/** Values that are shown as they are. Nothing is parsed by these schemas: they are the document. */
const Value = z.custom<Json>().openapi({ type: ['object', 'array', 'string', 'number', 'boolean', 'null'], description: 'Any JSON value' });
export const Values = z.custom<JsonObject>().openapi({ type: 'object', additionalProperties: true });

/** A canvas, whose format is served as `canvas.schema.json`. */
export const CanvasValue = z.custom<Canvas>().openapi({ type: 'object', description: 'A canvas: see /admin/v1/canvas.schema.json' });

/** A page of a list: `nextCursor` is null on the last. */
export const page = <Item extends z.ZodType>(item: Item) => z.object({ results: z.array(item), nextCursor: z.string().nullable() });

export const Execution = z
  .object({
    executionId: z.string(),
    workflowId: z.string(),
    version: z.union([z.int(), z.literal('draft')]),
    status: z.enum(executionStatuses),
    userId: z.string().nullable(),
    botId: z.string().nullable(),
    channel: z.enum(channels).nullable(),
    parentExecutionId: z.string().nullable(),
    wait: z
      .object({
        id: z.string(),
        kind: z.enum(waitKinds),
        nodeId: z.string(),
        openedAt: Instant,
        dueAt: Instant.nullable(),
        onDue: z.enum(['timeout', 'expire']),
        correlation: z.object({ name: z.string(), value: z.string() }).optional(),
        childExecutionId: z.string().optional(),
      })
      .nullable(),
    variables: Values,
    createdAt: Instant,
    updatedAt: Instant,
    endedAt: Instant.nullable(),
    cause: z.string().nullable().openapi({ description: 'Why it failed or was cancelled' }),
  })
  .openapi('Execution');

export const StateAtStep = Execution.pick({ variables: true, wait: true })
  .extend({ step: z.int(), at: Instant, nodeId: z.string().nullable().openapi({ description: 'Null before the first step' }) })
  .openapi('ExecutionState');

export const History = z
  .object({
    executionId: z.string(),
    entries: z.array(
      z.object({
        step: z.int().openapi({ description: 'Counted from 1' }),
        at: Instant,
        nodeId: z.string(),
        visitNumber: z.int(),
        type: z.string(),
        port: z.string().optional(),
        heard: Values.optional().openapi({ description: 'What the user wrote that led to it' }),
        effect: z
          .object({
            type: z.string(),
            key: z.string(),
            request: Value.optional(),
            result: Value.optional(),
            outcome: z.string().optional(),
          })
          .optional(),
        cause: z.string().optional(),
        limitMs: z.number().optional(),
        configuredMs: z.number().nullable().optional(),
        appliedMs: z.number().optional(),
        writes: z.array(z.object({ path: z.string(), value: Value.optional(), ttlMs: z.number().optional() })).optional(),
      }),
    ),
  })
  .openapi('History');

const PatchOperation = z.discriminatedUnion('op', [
  z.object({ op: z.literal(['add', 'replace']), path: z.string(), value: Value }),
  z.object({ op: z.literal('remove'), path: z.string() }),
]);

export const CanvasProblem = z
  .object({
    code: z.string(),
    severity: z.enum(['error', 'warning']),
    nodeId: z.string().optional(),
    pointer: z.string().openapi({ description: 'JSON pointer into the canvas (RFC 6901)' }),
    places: z.array(z.string()).readonly().optional().openapi({ description: 'All places in the node, where there are several' }),
    message: z.string(),
    hint: z.string(),
    way: z
      .array(z.object({ nodeId: z.string(), port: z.string().optional() }))
      .readonly()
      .optional()
      .openapi({ description: 'Nodes and the ports they are left by, from a beginning of the canvas to the node that has the problem' }),
    subject: z.string().optional().openapi({ description: 'The variable that it is about', example: '$context.name' }),
    range: z
      .object({ start: z.int().min(0), end: z.int().min(0) })
      .optional()
      .openapi({ description: 'Which part of the text at the pointer, in UTF-16 units: from start up to, not including, end' }),
    fixes: z
      .array(z.object({ label: z.string(), patch: z.array(PatchOperation).readonly() }))
      .readonly()
      .optional()
      .openapi({ description: 'Changes as JSON Patch (RFC 6902), the likeliest first; each alone makes this problem go' }),
  })
  .openapi('CanvasProblem');

const Urls = z.partialRecord(z.enum(channels), z.string());

export const Draft = z
  .object({
    workflowId: z.string(),
    hash: z.string(),
    publishedVersion: z.int().nullable().openapi({ description: 'The latest version; null before the first' }),
    isPublished: z.boolean().openapi({ description: 'Whether the latest version is this very content' }),
    canvas: CanvasValue,
    problems: z.array(CanvasProblem),
    urls: z
      .object({ production: Urls, test: Urls })
      .nullable()
      .openapi({ description: 'The addresses of the webhook node, by connected channel; null without one (WEB-04)' }),
  })
  .openapi('Draft');

export const WorkflowSummary = Draft.pick({ workflowId: true, hash: true, publishedVersion: true, isPublished: true })
  .extend({
    name: z.string(),
    kind: z.enum(['skill', 'tool']),
    updatedAt: Instant.nullable().openapi({ description: 'When an author saved it last' }),
    savedBy: z.string().nullable(),
    errors: z.int(),
    warnings: z.int(),
    running: z.int(),
    waiting: z.int(),
    failed24h: z.int(),
  })
  .openapi('WorkflowSummary');

export const Version = z
  .object({ workflowId: z.string(), version: z.int(), hash: z.string(), publishedAt: Instant })
  .openapi('PublishedVersion');

export const Message = z
  .object({
    messageId: z.string(),
    direction: z.enum(['outbound', 'inbound']),
    userId: z.string(),
    message: Values,
    idempotencyKey: z.string().nullable(),
    status: z.enum(['queued', 'sent', 'delivered', 'read', 'failed', 'received']),
    createdAt: Instant,
    executionId: z.string().optional(),
    nodeId: z.string().optional(),
    cause: z.string().optional().openapi({ description: 'Why it failed, or why no workflow took it' }),
  })
  .openapi('LoggedMessage');

/** Which company is meant: needed where there are several. */
export const CompanyQuery = z.object({
  companyId: z.string().min(1).max(64).optional().openapi({ description: 'May be left out where there is one company' }),
});

/** The company, when the id alone is ambiguous. */
export const ExecutionQuery = z.object({
  companyId: CompanyQuery.shape.companyId.openapi({ description: 'May be left out: the id of an execution is unique among all companies' }),
});

/** Which company's workflow is meant. */
export const WorkflowQuery = z.object({
  companyId: CompanyQuery.shape.companyId.openapi({ description: 'May be left out where one company alone has such a workflow' }),
});

/** A page with more would be long to make: variables have up to 1 MB an execution. */
const mostOfPage = 200;

/** The page of a list. */
const PageQuery = CompanyQuery.extend({
  limit: z
    .string()
    .regex(/^\d{1,9}$/, 'limit is a whole number')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= mostOfPage, `limit is 1 to ${mostOfPage}`)
    .default(50)
    .openapi({ type: 'integer', minimum: 1, maximum: mostOfPage, default: 50 }),
});

/** A cursor that numbers rows. */
const RowCursor = z
  .string()
  .regex(/^\d{1,15}$/, 'cursor is the nextCursor of the page before')
  .optional()
  .openapi({ description: 'The nextCursor of the page before' });

/** What the list of workflows is sorted by; with `-` before it, descending. Those that are equal in it are sorted by id. */
export const workflowSorts = ['workflowId', '-workflowId', 'name', '-name', 'updatedAt', '-updatedAt', 'waiting', '-waiting'] as const;
export type WorkflowSort = (typeof workflowSorts)[number];

export const WorkflowsQuery = PageQuery.extend({
  q: z.string().min(1).max(200).optional().openapi({ description: 'Part of a name or id, in any case' }),
  archived: z.enum(['true', 'false']).default('false').openapi({ description: 'Those that were archived, in place of the others' }),
  sort: z
    .enum(workflowSorts)
    .default('workflowId')
    .openapi({ description: 'By workflowId, name, updatedAt or waiting; descending with a "-" before it; the same on every page' }),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,4096}$/, 'cursor is the nextCursor of the page before')
    .optional()
    .openapi({ description: 'The nextCursor of the page before' }),
});

export const MessagesQuery = PageQuery.extend({ userId: z.string().min(1).max(128).optional(), cursor: RowCursor });

export const ConversationsQuery = PageQuery.extend({
  botId: z.string().min(1).max(128).optional(),
  userId: z.string().min(1).max(256).optional(),
  operatorId: OperatorId.optional(),
  state: z.string().max(64).optional(),
  cursor: RowCursor,
});

export const PaymentsQuery = PageQuery.extend({
  workflowId: z.string().min(1).max(128).optional(),
  executionId: z.string().min(1).max(128).optional(),
  cursor: RowCursor,
});

export const ExecutionsQuery = PageQuery.extend({
  companyId: CompanyQuery.shape.companyId.openapi({ description: 'All companies, when left out' }),
  workflowId: z.string().min(1).max(128).optional(),
  status: z.enum(executionStatuses).optional(),
  userId: z.string().min(1).max(128).optional(),
  version: z
    .string()
    .regex(/^(?:[1-9]\d{0,8}|draft)$/, 'version is a number, or "draft"')
    .optional(),
  nodeId: z.string().min(1).max(128).optional().openapi({ description: 'Where it waits' }),
  cause: z.string().min(1).max(128).optional(),
  channel: z.enum(channels).optional(),
  botId: z.string().min(1).max(128).optional(),
  from: z.iso.datetime({ offset: true }).optional().openapi({ description: 'Begun at this instant or later' }),
  to: z.iso.datetime({ offset: true }).optional().openapi({ description: 'Begun before this instant' }),
  fields: z.enum(['all', 'summary']).default('all').openapi({ description: '`summary` leaves the variables out' }),
  cursor: RowCursor,
});

/** What every route of management may refuse with. */
export const errorResponses = {
  401: jsonResponse('No admin token, or not this one', ErrorBody),
  404: jsonResponse('No such company, workflow, version, execution or bot', ErrorBody),
  422: jsonResponse('A value of the query breaks a rule', FullError),
  429: jsonResponse('Too many requests: see Retry-After', ErrorBody),
  503: jsonResponse('Overloaded, or the store is not reached: nothing was written; see Retry-After', ErrorBody),
};

/** Further errors of routes that take a body. */
export const bodyErrorResponses = {
  ...errorResponses,
  400: jsonResponse('The body is no JSON, or contradicts the path', ErrorBody),
  413: jsonResponse('The body is too large', ErrorBody),
  422: jsonResponse(
    'A value breaks a rule; for a canvas or a workspace, see problems',
    FullError.extend({ problems: z.array(CanvasProblem).optional() }),
  ),
};

/** @param companyId - left out where there is no company at all */
export const companyNotFound = (companyId: string | undefined): HttpError =>
  notFound(
    'COMPANY_NOT_FOUND',
    companyId === undefined
      ? 'There is no company: bring a workspace in with POST /admin/v1/workspace or hilo import FILE'
      : `There is no company "${companyId}"`,
  );

export const workflowNotFound = (workflowId: string): HttpError =>
  notFound('WORKFLOW_NOT_FOUND', `There is no workflow "${workflowId}": PUT a canvas here to make it`);

export const executionNotFound = (executionId: string): HttpError =>
  notFound('EXECUTION_NOT_FOUND', `There is no execution "${executionId}"`);

/** A refused canvas or workspace: fields are JSON pointers, and the full report is beside them. */
export function problemsRefused(problems: readonly Problem[]): HttpError {
  const errors = problems.filter(({ severity }) => severity === 'error');
  return invalidFields(byField(errors.map(({ pointer, code, message }) => [pointer || '/', `${code}: ${message}`])), problems);
}

/** An instant as the interface shows it: ISO 8601, in UTC. */
export const instant = (atMs: number): string => new Date(atMs).toISOString();

/** @throws {HttpError} 400 for anything but a JSON object; an empty body is an empty object */
export function objectIn(text: string): JsonObject {
  const value = text.trim() === '' ? {} : parseJson(text);
  if (!isJsonObject(value)) throw invalidRequest('The body is not a JSON object');
  return value;
}

/** @throws {HttpError} 400 for anything but a JSON object, 422 for invalid fields */
export function bodyOf<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const { data, error } = schema.safeParse(objectIn(text));
  if (error !== undefined) throw invalidInput(error);
  return data;
}
