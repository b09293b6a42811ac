import { isExpression, isTemplate, type Json, TimedDuration, ValueTemplate, VariablePath } from '@hilo/engine/contract';
import { z } from 'zod';
import { CredentialReference } from '../api/config.ts';
import { DatabaseComparison, DatabaseOrder } from '../effects/call-database.ts';

/** A name in the database. It is a constant of the canvas and never computed from a value (T13). */
const Name = z
  .string()
  .min(1)
  .max(128)
  .refine((name) => !isTemplate(name), { error: 'A name is a constant: what comes from outside goes into values' });

const Condition = z
  .strictObject({
    column: Name.meta({ description: 'The column', examples: ['status'] }),
    op: DatabaseComparison.default('eq').meta({
      description:
        'The comparison operator. `like` compares with a pattern, in which % stands for any text and _ for any sign: for what a user wrote take contains, startsWith or endsWith, which take each sign as it is',
    }),
    value: ValueTemplate.optional().meta({ description: 'The value to compare with; isNull and notNull need none' }),
  })
  .superRefine(({ column, op, value }, context) => {
    const takesNone = op === 'isNull' || op === 'notNull';
    if (takesNone !== (value === undefined))
      context.addIssue({
        code: 'custom',
        path: ['value'],
        message: takesNone ? `"${op}" compares with no value` : 'Say what to compare with',
      });
    if (value === undefined || isExpression(value.source)) return;
    const problem = value.source === null ? 'Nothing equals null: use "isNull"' : conditionProblem({ column, op, value: value.source });
    if (problem !== undefined) context.addIssue({ code: 'custom', path: ['value'], message: problem });
  });

/** Values of one `in`. */
const maxListed = 1_000;

/**
 * Why a condition cannot be sent, or `undefined`. Objects and lists are no operands: a value that was meant to be a text may be one
 * (T13).
 */
export function conditionProblem({ column, op, value }: RenderedCondition): string | undefined {
  if (value === undefined) return undefined;
  if (op !== 'in') return isScalar(value) ? undefined : `"${column}" can be compared with a text, a number or a boolean only`;
  const items = Array.isArray(value) ? (value as readonly Json[]) : undefined;
  if (items === undefined || !items.every(isScalar)) return `"${column}" can be in a list of texts, numbers and booleans only`;
  return items.length > maxListed ? `The list for "${column}" has more than ${maxListed} values` : undefined;
}

/** A condition with its value. */
interface RenderedCondition {
  readonly column: string;
  readonly op: z.output<typeof DatabaseComparison>;
  readonly value?: Json;
}

const isScalar = (value: Json): boolean => value !== null && typeof value !== 'object';

const Order = DatabaseOrder.extend({
  column: Name.meta({ description: 'The column', examples: ['status'] }),
  direction: DatabaseOrder.shape.direction.default('asc').meta({ description: 'Ascending or descending' }),
});

const common = {
  connection: CredentialReference.meta({ description: 'The credential with the address of the database' }),
  timeout: TimedDuration.optional().meta({ description: 'How long the statement may take in all' }),
  saveAs: VariablePath.optional().meta({ description: 'Where the result is kept: rows, or for a change affectedRows and key' }),
};
const table = Name.meta({ description: 'The table', examples: ['orders'] });
const columns = z.array(Name).min(1).max(200).optional().meta({ description: 'The columns to read; all, when left out' });
const where = z.array(Condition).max(50).meta({ description: 'The conditions that select the rows; all of them must hold' });
const requiredWhere = where
  .min(1, 'Without a condition this would mean every row; to mean that, use a query')
  .meta({ description: 'The conditions that select the rows; all of them must hold' });
const orderBy = z.array(Order).max(10).default([]).meta({ description: 'The order of the rows' });
const values = z
  .record(Name, ValueTemplate)
  .refine((given) => Object.keys(given).length > 0 && Object.keys(given).length <= 200, { error: 'Give 1 to 200 values' })
  .meta({ description: 'The values to write, by column' });

/** A constant: values go into its parameters (T13). */
const Sql = z
  .string()
  .max(20_000)
  .regex(/\S/, 'There is no statement')
  .refine((sql) => !isTemplate(sql), { error: 'A statement is a constant: write $1 or ? in it, and the value into "parameters"' });

export const DatabaseConfig = z.discriminatedUnion('operation', [
  z.strictObject({
    ...common,
    operation: z.literal('list').meta({ description: 'Reads the rows for which all conditions hold' }),
    table,
    columns,
    where: where.default([]),
    orderBy,
    limit: z.int().min(1).max(1_000).default(100).meta({ description: 'The maximum number of rows' }),
    offset: z.int().min(0).max(1_000_000).default(0).meta({ description: 'How many rows to skip' }),
  }),
  z.strictObject({
    ...common,
    operation: z.literal('get').meta({ description: 'Reads the first row for which all conditions hold' }),
    table,
    columns,
    where: requiredWhere,
    orderBy,
  }),
  z.strictObject({ ...common, operation: z.literal('create').meta({ description: 'Adds a row' }), table, values }),
  z.strictObject({
    ...common,
    operation: z.literal('update').meta({ description: 'Changes the rows for which all conditions hold' }),
    table,
    values,
    where: requiredWhere,
  }),
  z.strictObject({
    ...common,
    operation: z.literal('delete').meta({ description: 'Removes the rows for which all conditions hold' }),
    table,
    where: requiredWhere,
  }),
  z.strictObject({
    ...common,
    operation: z.literal('query').meta({ description: 'Runs one statement' }),
    sql: Sql.meta({
      description:
        'One SQL statement, with the placeholders of the database: $1 in PostgreSQL, ? in the others; expressions are not allowed',
      examples: ['SELECT id, status FROM orders WHERE phone = $1'],
    }),
    parameters: z.array(ValueTemplate).max(200).default([]).meta({ description: 'Values of the placeholders, in their order' }),
    readOnly: z.boolean().default(true).meta({ description: 'Whether the statement only reads; set false for one that changes data' }),
    maxRows: z
      .int()
      .min(1)
      .max(1_000)
      .default(1_000)
      .meta({ description: 'The maximum number of rows; more are an error, and not truncated' }),
  }),
]);
export type DatabaseConfig = z.output<typeof DatabaseConfig>;
