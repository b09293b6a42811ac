import { defineEffect, isJsonObject, Json, JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';

/**
 * How a column is compared with a value: `in` with a list of values, `isNull` and `notNull` with none. `like` reads its value as a pattern;
 * `contains`, `startsWith` and `endsWith` take each sign of it as it is.
 */
export const DatabaseComparison = z.enum([
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'contains',
  'startsWith',
  'endsWith',
  'in',
  'isNull',
  'notNull',
]);

export const DatabaseOrder = z.strictObject({ column: z.string(), direction: z.enum(['asc', 'desc']) });

/** A text, a number, a boolean, or for `in` a list of those. */
const Condition = z.strictObject({ column: z.string(), op: DatabaseComparison, value: Json.exactOptional() });

const common = {
  /** The connection; the driver alone sees its address and its secret. */
  credentialId: z.string(),
  /** For all of it, the connection counted. */
  timeoutMs: z.int().positive(),
};
const where = z.array(Condition);
const orderBy = z.array(DatabaseOrder);
const columns = z.array(z.string()).exactOptional();

const Request = z.discriminatedUnion('operation', [
  z.strictObject({
    ...common,
    operation: z.literal('list'),
    table: z.string(),
    columns,
    where,
    orderBy,
    limit: z.int().positive(),
    offset: z.int().nonnegative(),
  }),
  z.strictObject({ ...common, operation: z.literal('get'), table: z.string(), columns, where, orderBy }),
  z.strictObject({ ...common, operation: z.literal('create'), table: z.string(), values: JsonObject }),
  z.strictObject({ ...common, operation: z.literal('update'), table: z.string(), values: JsonObject, where }),
  z.strictObject({ ...common, operation: z.literal('delete'), table: z.string(), where }),
  z.strictObject({
    ...common,
    operation: z.literal('query'),
    sql: z.string(),
    parameters: z.array(Json),
    readOnly: z.boolean(),
    maxRows: z.int().positive(),
  }),
]);
type Request = z.output<typeof Request>;

const Result = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rows'), rows: z.array(JsonObject) }),
  z.strictObject({ kind: z.literal('changed'), affectedRows: z.int().nonnegative(), key: JsonObject.exactOptional() }),
  z.strictObject({
    kind: z.literal('failed'),
    reason: z.enum(['refused', 'unreachable', 'timeout', 'too-large', 'unknown-name', 'invalid', 'read-only', 'constraint', 'failed']),
    message: z.string(),
    /** What the database calls it. */
    code: z.string().exactOptional(),
    /** Whether the statement may have been carried out all the same (P5). */
    outcome: z.enum(['failed', 'unknown']),
    /** How long the connection is left alone. */
    retryAfterMs: z.int().nonnegative().exactOptional(),
  }),
]);
type Result = z.output<typeof Result>;

/**
 * Reads rows of one table, changes them, or runs one statement. Values are bound, never written into the statement; names of tables and
 * columns must be listed by the database itself (T13).
 *
 * `changed` has the primary key of a created row. A statement without rows is `changed` as well.
 */
export const callDatabase = defineEffect('database.call', {
  request: Request,
  result: Result,
  samples: (request, { values, text }) => [
    ...answersOfDatabase(request, values),
    { kind: 'failed', reason: 'constraint', message: text, outcome: 'failed' } as const,
    { kind: 'failed', reason: 'timeout', message: text, outcome: 'unknown' } as const,
  ],
});

/** What a table has for a request, and that it has nothing; a statement may give either. */
function answersOfDatabase(request: Request, values: readonly Json[]): readonly Result[] {
  const rows = values.filter(isJsonObject).map((value): Result => {
    const where: JsonObject =
      'where' in request ? Object.fromEntries(request.where.map(({ column, value: wanted = null }) => [column, wanted])) : {};
    return { kind: 'rows', rows: [{ ...where, ...value }] };
  });
  const changed = (affectedRows: number): Result => ({ kind: 'changed', affectedRows });
  switch (request.operation) {
    case 'list':
    case 'get':
      return [...rows, { kind: 'rows', rows: [] }];
    case 'create':
      return [{ kind: 'changed', affectedRows: 1, key: { id: 1 } }];
    case 'update':
    case 'delete':
      return [changed(1), changed(0)];
    case 'query':
      return request.readOnly ? [...rows, { kind: 'rows', rows: [] }] : [changed(1), changed(0), ...rows, { kind: 'rows', rows: [] }];
  }
}
