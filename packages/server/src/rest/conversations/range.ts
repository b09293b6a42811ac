import { instantMs } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';

/** An inclusive stretch of time, in milliseconds since the Unix epoch. */
export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

const dayMs = 86_400_000;

/** Whether an instant begins a range, or ends it. */
type Side = 'first' | 'last';

/** An instant of a query, in UTC (CON-02). */
export const UtcInstant = (field: string, side: Side) =>
  z
    .string({ error: ({ input }) => (input === undefined ? `${field} is required` : `${field} stands in the query once`) })
    .transform((text, context) => {
      const atMs = /(?:Z|[+-]00:?00)$/i.test(text) ? millisecondOf(text, side) : undefined;
      if (atMs !== undefined) return atMs;
      context.addIssue(`${field} is ISO 8601 in UTC, such as 2026-01-31T23:59:59Z`);
      return z.NEVER;
    })
    .openapi({ type: 'string', format: 'date-time', description: 'ISO 8601 in UTC' });

/**
 * A day or an instant of a query (STA-02). A day is all of it, in UTC: it begins a range with its first millisecond and ends
 * one with its last.
 */
export const DateOrInstant = (field: string, side: Side) =>
  z
    .string({ error: ({ input }) => (input === undefined ? `${field} is required` : `${field} stands in the query once`) })
    .transform((text, context) => {
      const atMs = /^\d{4}-\d\d-\d\d$/.test(text) ? dayOf(text, side) : millisecondOf(text, side);
      if (atMs !== undefined) return atMs;
      context.addIssue(`${field} is a date, such as 2026-01-31, or ISO 8601 with a time zone`);
      return z.NEVER;
    })
    .openapi({ type: 'string', format: 'date', description: 'A date in UTC, or an instant with a time zone' });

/** Conversations begin on whole milliseconds: the first one that is not before the beginning, or the last not behind the end. */
function millisecondOf(text: string, side: Side): number | undefined {
  const atMs = instantMs(text);
  const isBetween = /[.,]\d{3}\d*[1-9]/.test(text);
  return atMs !== undefined && side === 'first' && isBetween ? atMs + 1 : atMs;
}

function dayOf(text: string, side: Side): number | undefined {
  const first = instantMs(`${text}T00:00:00Z`);
  return first === undefined || side === 'first' ? first : first + dayMs - 1;
}

/** Adds to a schema that a range does not end before it begins (STA-08). */
export const inOrder = <Schema extends z.ZodType<{ readonly startAt: number; readonly endAt: number }>>(schema: Schema) =>
  schema.refine(({ startAt, endAt }) => endAt >= startAt, { error: 'endAt is before startAt', path: ['endAt'] });

/** An operator's number in a query. */
export const OperatorId = z
  .string('operatorId stands in the query once')
  .regex(/^\d{1,15}$/, 'operatorId is a whole number')
  .transform(Number)
  .openapi({ type: 'integer' });
