/** Reads the values of fields from what forms send and what people type. */
import { isJsonObject, type Json, type Variables } from '@hilo/engine/contract';
import { DateTime } from 'luxon';
import { showsNothing } from '../messages/folded-text.ts';
import { findNumber, findTitle } from '../messages/options.ts';
import { readYesOrNo } from '../messages/yes-or-no.ts';
import { type CheckedFields, checkFields, findProblem } from './check-fields.ts';
import type { Field, Fields } from './field.ts';
import { findLocale, findZone, type ReadingContext } from './reading/clean.ts';
import { readMeant } from './reading/corrected.ts';
import { readDate } from './reading/date.ts';
import { readEmail } from './reading/email.ts';
import { readNumber } from './reading/number.ts';
import { likelyCountries, readPhone } from './reading/phone.ts';
import { readTime } from './reading/time.ts';

/**
 * The values of a form that was sent. Forms send numbers and truth values as texts, days as milliseconds, and what was left empty as an
 * empty text: all of these are read as what they mean. What is no field is dropped.
 */
export function readFields(fields: Fields, response: Json): CheckedFields {
  if (!isJsonObject(response)) return checkFields(fields, response);
  const values: [string, Json][] = [];
  for (const [name, field] of Object.entries(fields)) {
    const sent = Object.hasOwn(response, name) ? (response[name] ?? null) : null;
    if (sent !== null && sent !== '') values.push([name, coerce(field, sent)]);
  }
  return checkFields(fields, Object.fromEntries(values));
}

/** A value in the type of its field, where it is written otherwise; else as it is. */
function coerce(field: Field, sent: Json): Json {
  switch (field.type) {
    case 'text':
      return typeof sent === 'number' || typeof sent === 'boolean' ? String(sent) : sent;
    case 'number':
      return coerceNumber(sent);
    case 'boolean':
      return sent === 'true' ? true : sent === 'false' ? false : sent;
    case 'date':
      return coerceDate(sent);
    case 'phone':
      return typeof sent === 'string' && /^[+\d\s().-]{1,40}$/.test(sent) ? sent.replace(/\D/g, '') : sent;
    case 'email':
      return typeof sent === 'string' ? sent.trim() : sent;
    case 'option':
      if (!field.several) return typeof sent === 'number' ? String(sent) : sent;
      return isList(sent) ? sent : [sent];
    case 'list':
      return isList(sent) && field.of === 'number' ? sent.map(coerceNumber) : sent;
    case 'time':
      return sent;
  }
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** A number as JSON writes it. */
const numberText = /^-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/;
const coerceNumber = (sent: Json): Json => (typeof sent === 'string' && numberText.test(sent.trim()) ? Number(sent) : sent);

/** The day of an instant in milliseconds, which forms give as midnight in UTC. */
function coerceDate(sent: Json): Json {
  const atMs = typeof sent === 'string' && /^-?\d{1,16}$/.test(sent) ? Number(sent) : sent;
  return typeof atMs === 'number' ? (DateTime.fromMillis(atMs, { zone: 'utc' }).toISODate() ?? sent) : sent;
}

/**
 * The value of a field in what a person types, as `ask` reads it; `undefined` when there is none that the field accepts.
 *
 * @param nowMs - when it was typed: what "today" means
 */
export function readField(field: Field, text: string, variables: Variables, nowMs: number | undefined = variables.nowMs): Json | undefined {
  const value = readValue(field, text, variables, { locale: findLocale(variables), nowMs, isStrict: false });
  return value === undefined || findProblem(field, value) !== undefined ? undefined : value;
}

/** What is wrong with a text in place of a field, as the rest of a sentence; `undefined` where {@link readField} finds its value. */
export function findTextProblem(field: Field, text: string, variables: Variables, nowMs: number | undefined): string | undefined {
  const value = readValue(field, text, variables, { locale: findLocale(variables), nowMs, isStrict: false });
  return findProblem(field, value ?? null);
}

function readValue(field: Field, text: string, variables: Variables, place: ReadingContext): Json | undefined {
  switch (field.type) {
    case 'text':
      return showsNothing(text) ? undefined : text;
    case 'number':
      return readMeant('number', text, false, (part) => readNumber(part, place));
    case 'boolean':
      return readYesOrNo(text);
    case 'date': {
      const fits = (date: string): boolean => findProblem(field, date) === undefined;
      const zone = findZone(variables);
      return readMeant('date', text, false, (part) => readDate(part, { ...place, order: undefined, zone, fits }));
    }
    case 'time':
      return readMeant('time', text, false, (part) => readTime(part, place, () => true));
    case 'email':
      return readMeant('email', text, false, (part) => readEmail(part, false));
    case 'phone':
      return readMeant('phone', text, false, (part) => readPhone(part, likelyCountries(variables), false));
    case 'option':
      return field.several ? readEach(text, (part) => readOption(field, part)) : readOption(field, text);
    case 'list':
      return readEach(text, (part) => (field.of === 'text' ? part : readNumber(part, place)));
  }
}

function readOption({ options }: Extract<Field, { readonly type: 'option' }>, text: string): string | undefined {
  const chosen = findTitle(options, text) ?? findNumber(options, text, true) ?? options.find(({ payload }) => payload === text);
  return chosen === undefined ? undefined : (chosen.payload ?? chosen.title);
}

/** The most values that a person gives at once. A few hundred letters of a message may be as many parts, of which each is read by itself. */
const mostParts = 100;

/** The parts of a text, which commas, semicolons and lines separate, each once; `undefined` where one of them is none, or there are too many. */
function readEach<Value extends Json>(text: string, read: (part: string) => Value | undefined): readonly Value[] | undefined {
  const found = new Set<Value>();
  const parts = new Set(
    text
      .split(/[,;\n]/)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
  if (parts.size > mostParts) return undefined;
  for (const part of parts) {
    const value = read(part);
    if (value === undefined) return undefined;
    found.add(value);
  }
  return found.size === 0 ? undefined : [...found];
}
