import { z } from 'zod';
import { compileJson, isTemplate, type JsonTemplate } from '../expressions/template.ts';
import { parseDuration } from '../expressions/time.ts';
import { instantMs, isoDuration, longestMs, millisecondsOf } from './duration.ts';
import { HiloError } from './errors.ts';
import type { Json } from './json.ts';
import { compiledTemplate } from './template.ts';
import type { Variables } from './variables.ts';

/** A duration in milliseconds, or the expression that comes to one when the node is visited. */
export type TimedDuration = number | JsonTemplate;

/** An instant in milliseconds since the Unix epoch, or the expression that comes to one when the node is visited. */
export type TimedInstant = number | JsonTemplate;

const expression = String.raw`[\s\S]*\{\{[\s\S]*\}\}[\s\S]*`;

/**
 * A duration: ISO 8601 (`PT20S`, `P3D`), or an expression that gives such a text, a duration, or a future instant. Read with
 * {@link durationMs}.
 */
export const TimedDuration = z
  .string()
  .meta({ pattern: `^(${isoDuration}|${expression})$`, examples: ['PT20S', 'PT2H', 'P3D', '{{$context.pause}}'] })
  .transform((text, context): TimedDuration => {
    if (isTemplate(text)) return compiledTemplate(text, compileJson, context);
    const ms = millisecondsOf(text);
    if (ms !== undefined) return ms;
    context.addIssue(`"${text}" is not a duration above zero and up to a hundred years; write ISO 8601, such as PT20S, PT2H or P3D`);
    return z.NEVER;
  });

/** When something happens: ISO 8601 with a zone, or an expression that comes to such a text or to a timestamp. Read with {@link instantAt}. */
export const TimedInstant = z
  .string()
  .meta({ examples: ['2031-03-01T09:00:00-05:00', '{{$context.appointment}}'] })
  .transform((text, context): TimedInstant => {
    if (isTemplate(text)) return compiledTemplate(text, compileJson, context);
    const atMs = instantMs(text);
    if (atMs !== undefined) return atMs;
    context.addIssue(`"${text}" is not an instant; write ISO 8601 with a zone, such as 2031-03-01T09:00:00-05:00`);
    return z.NEVER;
  });

/**
 * The milliseconds of a duration, whole and above zero.
 *
 * @throws {HiloError} `INVALID_DURATION` for an expression that comes to none
 */
export function durationMs(duration: TimedDuration, variables: Variables): number {
  if (typeof duration === 'number') return duration;
  const value = duration(variables);
  const ms = typeof value === 'string' ? msOf(value, variables) : undefined;
  if (ms !== undefined && ms > 0 && ms <= longestMs) return Math.ceil(ms);
  const known = ms === undefined ? 'which is no duration' : 'which is not above zero and up to a hundred years';
  throw new HiloError('INVALID_DURATION', {
    source: textOf(duration),
    reason: `came to ${inJson(value)}, ${known}; write PT2H, P3D or duration("90m")`,
  });
}

function msOf(text: string, { nowMs }: Variables): number | undefined {
  const span = millisecondsOf(text) ?? parseDuration(text)?.ms;
  if (span !== undefined) return span;
  const atMs = nowMs === undefined ? undefined : instantMs(text);
  return atMs === undefined || nowMs === undefined ? undefined : atMs - nowMs;
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
  const reason = `came to ${inJson(value)}, which is no instant; write 2031-03-01T09:00:00-05:00 or instant(date, time, zone)`;
  throw new HiloError('INVALID_DURATION', { source: textOf(instant), reason });
}

const textOf = ({ source }: JsonTemplate): string => (typeof source === 'string' ? source.slice(0, 100) : '');

const inJson = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
};
