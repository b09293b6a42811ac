// The schemas of texts with `{{ … }}` in the data of nodes.
import { z } from 'zod';
import { compileExpression } from '../expressions/expression.ts';
import {
  compileAddress,
  compileJson,
  compileText,
  type Fault,
  findFaults,
  isTemplate,
  type JsonTemplate,
  type TextTemplate,
} from '../expressions/template.ts';
import { HiloError, isHiloError } from './errors.ts';
import { Json } from './json.ts';
import { isScopeName, type Variables } from './variables.ts';
import { FixedOffsetZone, type Zone } from 'luxon';
import { addSpan, getZone, parseDuration } from '../expressions/time.ts';
import { TimeSpan } from '../expressions/value.ts';
import { durationHelp, instantMs, isOfCalendar, isoDuration, longestMs, parseDurationMs, readDuration, readInstant } from './duration.ts';

/** A text with `{{ … }}`: a text in the canvas, here a function of the variables, compiled once. */
export const Template = z
  .string()
  .meta({ description: 'Text; {{expressions}} are replaced by their values' })
  .transform((text, context): TextTemplate => compileTemplate(text, compileText, context));

/**
 * The address of something on the web, with `{{ … }}`: what an expression gives behind the origin is percent-encoded as one segment of the
 * path, or one name or value of the query.
 */
export const AddressTemplate = z
  .string()
  .meta({ description: 'An address; values of {{expressions}} behind its host are percent-encoded' })
  .transform((text, context): TextTemplate => compileTemplate(text, compileAddress, context));

/** Any JSON with `{{ … }}` in its texts; a text that is one single expression keeps the type of its value. */
export const ValueTemplate = Json.meta({
  description: 'Any value; {{expressions}} in its texts are replaced, and one alone keeps its type',
}).transform((value, context): JsonTemplate => compileTemplate(value, compileJson, context));

/** What a rule compares: a path (`$context.age`), an expression (`{{…}}`), or a constant. */
export const Operand = Json.meta({ description: 'A path such as $context.age, an {{expression}}, or a constant' }).transform(
  (value, context): JsonTemplate => {
    if (typeof value !== 'string' || !isScopeName(/^\$\w+/.exec(value)?.[0])) return compileTemplate(value, compileJson, context);
    return compileTemplate(value, (text) => Object.assign(compileExpression(text), { source: value }), context);
  },
);

/** Mistakes of expressions are mistakes of the config: all of them reported with their places, not thrown. */
export function compileTemplate<Source extends Json, Template>(
  source: Source,
  compile: (source: Source) => Template,
  context: z.core.$RefinementCtx,
): Template {
  try {
    return compile(source);
  } catch (error) {
    if (!isHiloError(error, 'EXPRESSION')) throw error;
    const faults = findFaults(source);
    for (const fault of faults.length > 0 ? faults : [{ at: [], error }]) context.issues.push(expressionIssue(source, fault));
    return z.NEVER;
  }
}

/** A wrong expression as an issue of the config that it stands in. */
export const expressionIssue = (input: Json, { at, error }: Fault): z.core.$ZodRawIssue => ({
  code: 'custom',
  path: [...at],
  input,
  message: error.message,
  params: { code: 'EXPRESSION', source: error.details.source },
});

/** A duration in milliseconds, or the expression that comes to one when the node is visited. */
export type TimedDuration = number | JsonTemplate;

/** An instant in milliseconds since the Unix epoch, or the expression that comes to one when the node is visited. */
export type TimedInstant = number | JsonTemplate;

const expression = String.raw`\{\{[\s\S]*\}\}`;

/**
 * A duration: ISO 8601 (`PT20S`, `P3D`), or an expression that gives such a text, a duration, or a future instant. Months and years
 * (`P1M`) count from now on the calendar of the user's zone. Read with {@link durationMs}.
 */
export const TimedDuration = z
  .string()
  .meta({ pattern: `^${isoDuration}$|${expression}`, ...durationHelp, examples: ['PT20S', 'PT2H', 'P3D', '{{$context.pause}}'] })
  .transform(
    (text, context): TimedDuration =>
      isTemplate(text) || isCalendarSpan(text) ? compileTemplate(text, compileJson, context) : readDuration(text, context),
  );

/** When something happens: ISO 8601 with a zone, or an expression that comes to such a text or to a timestamp. Read with {@link instantAt}. */
export const TimedInstant = z
  .string()
  .meta({ examples: ['2031-03-01T09:00:00-05:00', '{{$context.appointment}}'] })
  .transform(
    (text, context): TimedInstant => (isTemplate(text) ? compileTemplate(text, compileJson, context) : readInstant(text, context)),
  );

/**
 * The milliseconds of a duration, whole and above zero.
 *
 * @param untilMs - the instant at which the duration ends, from which its months count back; left out, they count from now
 * @throws {HiloError} `INVALID_DURATION` for an expression that comes to none
 */
export function durationMs(duration: TimedDuration, variables: Variables, untilMs?: number): number {
  if (typeof duration === 'number') return duration;
  const value = duration(variables);
  const ms = typeof value === 'string' ? parseMs(value, variables, untilMs) : undefined;
  if (ms !== undefined && ms > 0 && ms <= longestMs) return Math.ceil(ms);
  const known = ms === undefined ? 'which is no duration' : 'which is not above zero and up to a hundred years';
  throw new HiloError('INVALID_DURATION', {
    source: quoteSource(duration),
    reason: `came to ${formatJson(value)}, ${known}; write PT2H, P3D or duration("90m")`,
  });
}

/** Whether a text is a duration of whole months or years above zero, which counts from the instant of the visit. */
function isCalendarSpan(text: string): boolean {
  const months = isOfCalendar(text) && !/[+-]/.test(text) ? (parseDuration(text)?.months ?? 0) : 0;
  return months > 0 && months <= longestMonths;
}

const dayMs = 86_400_000;

/**
 * The least and the most that a duration of a config can be, in milliseconds: the same for a fixed one, and for months and years those of
 * the shortest and the longest. Nothing is known of an expression.
 */
export function durationBounds(duration: unknown): readonly [leastMs: number, mostMs: number] | undefined {
  if (typeof duration === 'number') return [duration, duration];
  const source: unknown = typeof duration === 'function' && 'source' in duration ? duration.source : undefined;
  const span = typeof source === 'string' && isCalendarSpan(source) ? parseDuration(source) : undefined;
  if (span === undefined) return undefined;
  const [years, months] = [Math.floor(span.months / 12), span.months % 12];
  return [span.ms + (years * 365 + months * 28) * dayMs, span.ms + (years * 366 + months * 31) * dayMs];
}

/** A hundred years. */
const longestMonths = 1_200;

function parseMs(text: string, variables: Variables, untilMs: number | undefined): number | undefined {
  const { nowMs } = variables;
  const ms = parseDurationMs(text);
  if (ms !== undefined) return ms;
  const span = parseDuration(text);
  if (span !== undefined && span.months === 0) return span.ms;
  if (span !== undefined && untilMs !== undefined)
    return untilMs - addSpan(untilMs, new TimeSpan(0 - span.ms, 0 - span.months), zoneOf(variables));
  if (span !== undefined) return nowMs === undefined ? undefined : addSpan(nowMs, span, zoneOf(variables)) - nowMs;
  const atMs = nowMs === undefined ? undefined : instantMs(text);
  return atMs === undefined || nowMs === undefined ? undefined : atMs - nowMs;
}

/** The zone of the user, else of the company, else UTC. */
function zoneOf(variables: Variables): Zone {
  const name = variables.get(['$user', 'timeZone']) ?? variables.get(['$company', 'timeZone']);
  return (typeof name === 'string' ? getZone(name) : undefined) ?? FixedOffsetZone.utcInstance;
}

/**
 * The instant, in milliseconds since the Unix epoch.
 *
 * @throws {HiloError} `INVALID_DURATION` for an expression that comes to none
 */
export function instantAt(instant: TimedInstant, variables: Variables): number {
  if (typeof instant === 'number') return instant;
  const value = instant(variables);
  const atMs = typeof value === 'string' ? instantMs(value) : undefined;
  if (atMs !== undefined) return atMs;
  const reason = `came to ${formatJson(value)}, which is no instant; write 2031-03-01T09:00:00-05:00 or instant(date, time, zone)`;
  throw new HiloError('INVALID_DURATION', { source: quoteSource(instant), reason });
}

const quoteSource = ({ source }: JsonTemplate): string => (typeof source === 'string' ? source.slice(0, 100) : '');

const formatJson = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
};
