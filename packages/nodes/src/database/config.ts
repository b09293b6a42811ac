import { isExpression, isTemplate, type Json, TimedDuration, ValueTemplate, VariablePath } from '@hilo/engine/contract';
import { z } from 'zod';
import { CredentialReference } from '../api/config.ts';
import { DatabaseComparison, DatabaseOrder } from '../effects/call-database.ts';

/** A name as the database has it. It is a constant of the canvas: no value ever becomes one (T13). */
const Name = z
  .string()
  .min(1)
  .max(128)
  .refine((name) => !isTemplate(name), { error: 'A name is a constant: what comes from outside goes into values' });

const Condition = z
  .strictObject({ column: Name, op: DatabaseComparison.default('eq'), value: ValueTemplate.optional() })
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
const mostListed = 1_000;

/**
 * What keeps a condition from being asked, or `undefined`. Objects and lists are no values to compare with: what was meant
 * to be a text may come as one (T13).
 */
export function conditionProblem({ column, op, value }: RenderedCondition): string | undefined {
  if (value === undefined) return undefined;
  if (op !== 'in') return isScalar(value) ? undefined : `"${column}" can be compared with a text, a number or a boolean only`;
  const items = Array.isArray(value) ? (value as readonly Json[]) : undefined;
  if (items === undefined || !items.every(isScalar)) return `"${column}" can be in a list of texts, numbers and booleans only`;
  return items.length > mostListed ? `The list for "${column}" has more than ${mostListed} values` : undefined;
}

/** A condition with its value. */
interface RenderedCondition {
  readonly column: string;
  readonly op: z.output<typeof DatabaseComparison>;
  readonly value?: Json;
}

const isScalar = (value: Json): boolean => value !== null && typeof value !== 'object';

const Order = DatabaseOrder.extend({ column: Name, direction: DatabaseOrder.shape.direction.default('asc') });

const common = {
  connection: CredentialReference,
  timeout: TimedDuration.optional(),
  saveAs: VariablePath.optional(),
};
const table = Name;
const columns = z.array(Name).min(1).max(200).optional();
/** All of them must hold. */
const where = z.array(Condition).max(50);
const some = where.min(1, 'Without a condition this would mean every row; to mean that, use a query');
const orderBy = z.array(Order).max(10).default([]);
const values = z
  .record(Name, ValueTemplate)
  .refine((given) => Object.keys(given).length > 0 && Object.keys(given).length <= 200, { error: 'Give 1 to 200 values' });

/** A constant: values go into its parameters (T13). */
const Sql = z
  .string()
  .max(20_000)
  .regex(/\S/, 'There is no statement')
  .refine((sql) => !isTemplate(sql), { error: 'A statement is a constant: write $1 or ? in it, and the value into "parameters"' });

export const DatabaseConfig = z.discriminatedUnion('operation', [
  z.strictObject({
    ...common,
    operation: z.literal('list'),
    table,
    columns,
    where: where.default([]),
    orderBy,
    limit: z.int().min(1).max(1_000).default(100),
    offset: z.int().min(0).max(1_000_000).default(0),
  }),
  z.strictObject({ ...common, operation: z.literal('get'), table, columns, where: some, orderBy }),
  z.strictObject({ ...common, operation: z.literal('create'), table, values }),
  z.strictObject({ ...common, operation: z.literal('update'), table, values, where: some }),
  z.strictObject({ ...common, operation: z.literal('delete'), table, where: some }),
  z.strictObject({
    ...common,
    operation: z.literal('query'),
    /** One statement, in the words of the database: `$1` in PostgreSQL, `?` in the others. */
    sql: Sql,
    parameters: z.array(ValueTemplate).max(200).default([]),
    /** What changes something says so. */
    readOnly: z.boolean().default(true),
    /** More than these are an error, not cut off. */
    maxRows: z.int().min(1).max(1_000).default(1_000),
  }),
]);
export type DatabaseConfig = z.output<typeof DatabaseConfig>;
