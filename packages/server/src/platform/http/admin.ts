// What the routes of management are made of: values of answers, pages, common parameters and refusals.
import { parseJsonObject } from '@hilo/engine';
import type { Json, JsonObject, Problem } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import { groupByField, groupIssues, invalidFields, notFound, type HttpError } from './errors.ts';
import { ErrorBody, FullError, jsonResponse } from './openapi.ts';
import { boundIssues } from '../bound-issues.ts';
import { inWords } from '../in-words.ts';
import { explainNotOnce, QueryText } from './query.ts';
import { explainUnknownNames } from './unknown-names.ts';

/** An instant of an answer: ISO 8601, in UTC. */
export const Instant = z.string().openapi({ format: 'date-time' });
/** Values of any shape, for the description of the interface: answers are not parsed by these schemas. */
export const Value = z
  .custom<Json>()
  .openapi({ type: ['object', 'array', 'string', 'number', 'boolean', 'null'], items: {}, description: 'Any JSON value' });
/** Any JSON object, for the description of the interface. */
export const Values = z.custom<JsonObject>().openapi({ type: 'object', additionalProperties: true });

/** A page of a list: `nextCursor` is null on the last. */
export const Page = <Item extends z.ZodType>(item: Item) => z.object({ results: z.array(item), nextCursor: z.string().nullable() });

const PatchOperation = z.discriminatedUnion('op', [
  z.object({ op: z.enum(['add', 'replace']), path: z.string(), value: Value }),
  z.object({ op: z.literal('remove'), path: z.string() }),
]);

/** A problem of a canvas or a workspace: what, where, and what to do. */
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
      .openapi({
        description: 'Nodes and the ports by which the path leaves them, from an entry of the canvas to the node with the problem',
      }),
    follows: z
      .string()
      .optional()
      .openapi({ description: 'A node on the way in which an execution fails before it comes to this one', example: 'greet' }),
    subject: z.string().optional().openapi({ description: 'The variable concerned', example: '$context.name' }),
    range: z
      .object({ start: z.int().min(0), end: z.int().min(0) })
      .optional()
      .openapi({ description: 'Which part of the text at the pointer, in UTF-16 units: from start up to, not including, end' }),
    fixes: z
      .array(z.object({ label: z.string(), patch: z.array(PatchOperation).readonly() }))
      .readonly()
      .optional()
      .openapi({ description: 'Changes as JSON Patch (RFC 6902), the most likely first; each alone fixes the problem' }),
    dialogue: z
      .object({
        script: z.string().openapi({ example: 'user: hello\n' }),
        transcript: z.string().openapi({ example: 'user: hello\n  bot: Hi!\n' }),
      })
      .nullable()
      .optional()
      .openapi({ description: 'A conversation that leads there, where one was asked for; null when none was found in time' }),
  })
  .openapi('CanvasProblem');

/** Which company is meant: needed where there are several. */
export const CompanyQuery = z.object({
  companyId: QueryText('companyId', 64).optional().openapi({ description: 'Optional if there is one company' }),
});

/** Which company's workflow is meant. */
export const WorkflowQuery = z.object({
  companyId: CompanyQuery.shape.companyId.openapi({ description: 'Optional if only one company has such a workflow' }),
});

/** Bounds the work of one page: the variables of an execution have up to 1 MB. */
const maxPageSize = 200;

/** The page of a list. */
export const PageQuery = CompanyQuery.extend({
  limit: z
    .string({ error: explainNotOnce('limit') })
    .regex(/^\d{1,9}$/, 'limit is a whole number')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= maxPageSize, `limit is 1 to ${maxPageSize}`)
    .default(50)
    .openapi({ type: 'integer', minimum: 1, maximum: maxPageSize, default: 50 }),
});

/**
 * The cursors of a list that numbers its rows, such as `payments-42`: a list refuses the cursor of another, whose numbers mean other rows.
 *
 * @param list - in small letters
 */
export const createRowCursor = (list: string) => ({
  /** A parameter of the query; reads to the digits of the number. */
  query: z
    .string({ error: explainNotOnce('cursor') })
    .regex(new RegExp(`^${list}-\\d{1,15}$`), 'cursor is the nextCursor of the page before')
    .transform((cursor) => cursor.slice(list.length + 1))
    .optional()
    .openapi({ type: 'string', description: 'The nextCursor of the previous page', example: `${list}-42` }),
  /** The `nextCursor` of a page. @param row - the digits of its number; null for the last page */
  write: (row: string | null): string | null => (row === null ? null : `${list}-${row}`),
});

/**
 * The cursors of a list that goes on behind a text, which a caller need not see: `contacts-Yw`.
 *
 * @param list - in small letters
 */
export const createTextCursor = (list: string) => ({
  /** A parameter of the query; reads to the text. */
  query: z
    .string({ error: explainNotOnce('cursor') })
    .regex(new RegExp(`^${list}-[\\w-]{1,400}$`), 'cursor is the nextCursor of the page before')
    .transform((cursor) => Buffer.from(cursor.slice(list.length + 1), 'base64url').toString())
    .optional()
    .openapi({ type: 'string', description: 'The nextCursor of the previous page' }),
  /** The `nextCursor` of a page. @param text - `undefined` for the last page */
  write: (text: string | undefined): string | null => (text === undefined ? null : `${list}-${Buffer.from(text).toString('base64url')}`),
});

/** What every route of management may refuse with. */
export const errorResponses = {
  401: jsonResponse('No valid admin token', ErrorBody),
  404: jsonResponse('No such company, workflow, version, execution or bot', ErrorBody),
  422: jsonResponse('A query parameter is not valid', FullError),
  429: jsonResponse('Too many requests: see Retry-After', ErrorBody),
  503: jsonResponse('Overloaded, or the store is unavailable: nothing was written; see Retry-After', ErrorBody),
};

/** Further errors of routes that take a body. */
export const bodyErrorResponses = {
  ...errorResponses,
  400: jsonResponse('The body is not JSON, or contradicts the path', ErrorBody),
  413: jsonResponse('The body is too large', ErrorBody),
  422: jsonResponse(
    'A value is not valid; for a canvas or a workspace, see problems',
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

/** 404 for a workflow that the company does not have. */
export const workflowNotFound = (workflowId: string): HttpError =>
  notFound('WORKFLOW_NOT_FOUND', `There is no workflow "${workflowId}": PUT a canvas here to make it`);

/** 404 for an execution that no company has, or not this one. */
export const executionNotFound = (executionId: string): HttpError =>
  notFound('EXECUTION_NOT_FOUND', `There is no execution "${executionId}"`);

/** So many problems are told of at most: nobody mends more before asking again, and a body of one kind of fault may have 300,000. */
const maxProblems = 1_000;

/** A refused canvas or workspace: fields are JSON pointers, and the full report is beside them. */
export function problemsRefused(problems: readonly Problem[]): HttpError {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const told = errors.slice(0, maxProblems).map(({ pointer, code, message }) => [pointer || '/', `${code}: ${message}`] as const);
  const report = problems.length <= maxProblems ? problems : [...errors, ...problems.filter(({ severity }) => severity !== 'error')];
  return invalidFields(groupByField(told), report.slice(0, maxProblems), errors.length - told.length);
}

/** An instant as the interface shows it: ISO 8601, in UTC. */
export const formatInstant = (atMs: number): string => new Date(atMs).toISOString();

/** Parses a body that may be left out: an empty one is an empty object. @throws {HttpError} 400 for anything but a JSON object */
export const parseOptionalObject = (text: string): JsonObject => (text.trim() === '' ? {} : parseJsonObject(text));

/**
 * Reads the body of a request by its schema.
 *
 * @throws {HttpError} 400 for anything but a JSON object, 422 for invalid fields and for those that the schema does not know
 */
export function parseBody<Schema extends z.ZodObject>(schema: Schema, text: string): z.output<Schema> {
  const body = parseOptionalObject(text);
  const unknown = explainUnknownNames(Object.keys(body), Object.keys(schema.shape), 'this body');
  const { data, error } = boundIssues(schema).safeParse(body, { error: inWords });
  if (data !== undefined && Object.keys(unknown).length === 0) return data;
  // A strict schema says less of an unknown field.
  throw invalidFields({ ...unknown, ...groupIssues(error?.issues ?? []), ...unknown });
}
