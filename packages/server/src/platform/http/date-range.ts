import { instantMs } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';

/** An inclusive stretch of time, in milliseconds since the Unix epoch. */
export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

const dayMs = 86_400_000;

/** The range of a query, in milliseconds since the Unix epoch; a fraction is an instant between two of them. */
interface Bounds {
  readonly startAt: number;
  readonly endAt: number;
}

/** An instant of a query, in UTC (CON-02). */
export const UtcInstant = (field: string) =>
  z
    .string({ error: ({ input }) => (input === undefined ? `${field} is required` : `${field} may be in the query once`) })
    .transform((text, context) => {
      const atMs = /(?:Z|[+-]00:?00)$/i.test(text) ? parseInstant(text) : undefined;
      if (atMs !== undefined) return atMs;
      context.addIssue(`${field} is ISO 8601 in UTC, such as 2026-01-31T23:59:59Z`);
      return z.NEVER;
    })
    .openapi({ type: 'string', format: 'date-time', description: 'ISO 8601 in UTC' });

/**
 * A day or an instant of a query (STA-02). A day is all of it, in UTC.
 *
 * @param side - whether it begins a range, with the first instant of a day, or ends one, with the last
 */
export const DateOrInstant = (field: string, side: 'first' | 'last') =>
  z
    .string({ error: ({ input }) => (input === undefined ? `${field} is required` : `${field} may be in the query once`) })
    .transform((text, context) => {
      const atMs = /^\d{4}-\d\d-\d\d$/.test(text) ? parseDay(text, side) : parseInstant(text);
      if (atMs !== undefined) return atMs;
      context.addIssue(`${field} is a date, such as 2026-01-31, or ISO 8601 with a time zone`);
      return z.NEVER;
    })
    .openapi({
      type: 'string',
      anyOf: [{ format: 'date' }, { format: 'date-time' }],
      description: 'A date in UTC, or an instant with a time zone',
    });

/** Rounds a range to whole milliseconds, inwards: conversations begin on whole milliseconds. */
export const roundRange = ({ startAt, endAt }: Bounds): Range => ({ fromMs: Math.ceil(startAt), toMs: Math.floor(endAt) });

function parseInstant(text: string): number | undefined {
  const atMs = instantMs(text);
  const isBetween = /[.,]\d{3}\d*[1-9]/.test(text);
  return atMs !== undefined && isBetween ? atMs + 0.5 : atMs;
}

function parseDay(text: string, side: 'first' | 'last'): number | undefined {
  const first = instantMs(`${text}T00:00:00Z`);
  return first === undefined || side === 'first' ? first : first + dayMs - 0.5;
}

/** Adds to a schema that a range must not end before it begins (STA-08); reported beside other errors. */
export const requireOrder = <Schema extends z.ZodType<Bounds>>(schema: Schema) =>
  schema.refine(({ startAt, endAt }) => endAt >= startAt, {
    error: 'endAt is before startAt',
    path: ['endAt'],
    when: ({ value }) => bounds.safeParse(value).success,
  });

const bounds = z.object({ startAt: z.number(), endAt: z.number() });

/** An operator's number in a query. Any whole number is accepted, though only safe positive ones can exist (STA-10). */
export const OperatorId = z
  .string('operatorId may be in the query once')
  .regex(/^-?\d+$/, 'operatorId is a whole number')
  .transform(Number)
  .openapi({ type: 'integer' });
