import { pino, stdTimeFunctions } from 'pino';
import { createLineWriter } from './line-writer.ts';
import { createRedact } from './redact.ts';
import { createRequestLines, type RequestFields } from './request-lines.ts';

/** Most characters of one field; longer ones are cut. */
const longestField = 8 * 1024;

/** Structured lines, redacted by value at the sink (P31). */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** Writes what `info` writes with these fields and the message "request", for less: each request has such a line. */
  request?(fields: RequestFields): void;
}

/** The format of the log, what is removed from it, and where it goes. */
export interface LoggerOptions {
  readonly format: 'pretty' | 'json';
  /** Every secret that this process knows now; none of them is ever written. */
  readonly secrets: () => readonly string[];
  /** Where lines go; standard output, when left out. */
  readonly write?: (line: string) => void;
}

/**
 * Writes one line per event. Secrets are removed by value in any field (P31); control characters are escaped, and texts are cut at
 * 8 KB (T17).
 */
export function createLogger({ format, secrets, write = toStandardOutput() }: LoggerOptions): Logger {
  const redact = createRedact(secrets);
  const makeSafe = Object.assign((text: string) => redact(text.replace(unprintable, escapeChar)), { version: redact.version });
  const sink = {
    write(line: string) {
      const safe = makeSafe(line);
      write(format === 'json' ? safe : prettyLine(safe));
    },
  };
  const log = pino(
    { base: null, timestamp: stdTimeFunctions.isoTime, formatters: { level: (level) => ({ level }), log: shortenFields } },
    sink,
  );
  return {
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
    ...(format === 'json' && { request: createRequestLines(makeSafe, write) }),
  };
}

let standardOutput: ((line: string) => void) | undefined;
/** All loggers of a process share one standard output. */
const toStandardOutput = () => (standardOutput ??= createLineWriter(1));

/**
 * JSON escapes the characters below U+0020; terminals obey some of those above too, and what has no width makes two names look alike. The
 * line break that ends a line stays.
 */
const unprintable = /[[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{DI}]--[\ufe00-\ufe0f]]/gv;

const escapeChar = (char: string): string =>
  char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** Most lines have only short fields, and stay the object that they are. */
const shortenFields = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.values(fields).every(isTidy) ? fields : Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, tidy(value, 0)]));

const isTidy = (value: unknown): boolean => typeof value === 'number' || (typeof value === 'string' && value.length <= longestField);

const deepest = 6;

function tidy(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return shorten(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value;
  if (depth === deepest) return '…';
  if (value instanceof Error) return tidy({ name: value.name, message: value.message, stack: value.stack, cause: value.cause }, depth + 1);
  if (Array.isArray(value)) return value.map((item) => tidy(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, tidy(item, depth + 1)]));
}

const shorten = (text: string): string => (text.length <= longestField ? text : `${text.slice(0, longestField).toWellFormed()}…`);

/**
 * A line of JSON as people read it: time, level, message, and the fields behind it. What a terminal would obey stays escaped, which
 * pino-pretty would print as it is.
 */
function prettyLine(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as { readonly [name: string]: unknown };
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${showValue(value)}`);
  return `${String(time).slice(11, 19)} ${String(level).toUpperCase().padEnd(5)} ${[plain(String(msg)), ...rest].join('  ')}\n`;
}

const showValue = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:@+-]+$/.test(value) ? value : plain(JSON.stringify(value));

const plain = (text: string): string => text.replace(/\p{Cc}/gu, escapeChar).replace(unprintable, escapeChar);
