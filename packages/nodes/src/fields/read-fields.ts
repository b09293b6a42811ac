/** Reads the values of fields from what forms send and what people type. */
import { isJsonObject, type Json, type Variables } from '@hilo/engine/contract';
import { DateTime } from 'luxon';
import { foldText, showsNothing } from '../messages/folded-text.ts';
import { findNumber, findTitle } from '../messages/options.ts';
import { readYesOrNo, withoutCourtesies } from '../messages/yes-or-no.ts';
import { type CheckedFields, checkFields, findProblem } from './check-fields.ts';
import type { Field, Fields } from './field.ts';
import { english } from './form-words.ts';
import { findLocale, findZone, type ReadingContext } from './reading/clean.ts';
import { readMeant } from './reading/corrected.ts';
import { readDate } from './reading/date.ts';
import { asksForDozens } from './reading/dozens.ts';
import { readEmail } from './reading/email.ts';
import { readNumber } from './reading/number.ts';
import { likelyCountries, readPhone } from './reading/phone.ts';
import { readTime } from './reading/time.ts';

/**
 * The values of a form that was sent. Forms send numbers and truth values as texts, days as milliseconds, and what was left empty as an
 * empty text: all of these are read as what they mean. What is no field is dropped.
 *
 * @param words - in which it is said what is wrong
 */
export function readFields(fields: Fields, response: Json, words = english): CheckedFields {
  if (!isJsonObject(response)) return checkFields(fields, response, words);
  const values: [string, Json][] = [];
  for (const [name, field] of Object.entries(fields)) {
    const sent = Object.hasOwn(response, name) ? (response[name] ?? null) : null;
    if (sent !== null && sent !== '') values.push([name, coerce(field, sent)]);
  }
  return checkFields(fields, Object.fromEntries(values), words);
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
export function findTextProblem(
  field: Field,
  text: string,
  variables: Variables,
  nowMs: number | undefined,
  words = english,
): string | undefined {
  const value = readValue(field, text, variables, { locale: findLocale(variables), nowMs, isStrict: false });
  return findProblem(field, value ?? null, words);
}

function readValue(field: Field, text: string, variables: Variables, place: ReadingContext): Json | undefined {
  switch (field.type) {
    case 'text':
      return showsNothing(text) ? undefined : text;
    case 'number': {
      const countsSingly = field.label !== undefined && !asksForDozens(`${field.label} ${field.description ?? ''}`);
      return readMeant('number', text, false, (part) => readNumber(part, { ...place, countsSingly }));
    }
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
      return field.several ? readSeveral(field, text) : readOption(field, text);
    case 'list':
      return readEach(text, (part) => (field.of === 'text' ? part : readNumber(part, place)));
  }
}

type OptionField = Extract<Field, { readonly type: 'option' }>;

function readOption({ options }: OptionField, text: string): string | undefined {
  const chosen = findTitle(options, text) ?? findNumber(options, text, true) ?? options.find(({ payload }) => payload === text);
  return chosen === undefined ? undefined : (chosen.payload ?? chosen.title);
}

/** The options that a person names: `queso, jamón y piña`, `1 y 3`, `todo`, `todo menos piña`. In doubt none. */
function readSeveral(field: OptionField, text: string): readonly string[] | undefined {
  const [, most] = allOfThem.exec(withoutCourtesies(text)) ?? [];
  const values = field.options.map(({ title, payload }) => payload ?? title);
  if (most !== undefined) {
    const other = most === '' ? undefined : readOption(field, most);
    const others = most === '' ? [] : other === undefined ? readJoined(field, most) : [other];
    const kept = others === undefined ? [] : values.filter((value) => !others.includes(value));
    return kept.length > 0 ? kept : undefined;
  }
  const named = readEach<string | readonly string[]>(text, (part) => readOption(field, part) ?? readJoined(field, part));
  return named === undefined ? undefined : [...new Set(named.flat())];
}

/** All of the options, or all but those that are named behind. */
const allOfThem =
  /^(?:(?:quiero|quero|i want|con|com|with|las?|los?) )?(?:tod[oa]s?(?: (?:ell[oa]s|las? opciones|los anteriores))?|tudo|todas as opcoes|all(?: of (?:them|it|the above))?|everything|de todo|tutt[oi]|alles?|tous|toutes|semua(?:nya)?)(?: (?:menos|excepto|exceto|salvo|except(?: for)?|but|sauf|tranne|ausser|kecuali) (?=\S)|$)(.{0,200})$/u;

/** The options of a text in which words stand between them, or nothing does: `queso y jamón`, `1 y 3`, `queso jamón`. Titles with such words were read as a whole before. */
function readJoined(field: OptionField, text: string): readonly string[] | undefined {
  if (text.length > longestJoined) return undefined;
  const found: string[] = [];
  const parts = text.split(joining).filter((part) => part !== '');
  for (const part of parts) {
    const one = part === text ? undefined : readOption(field, part);
    const several = one === undefined ? readTitles(field, part) : [one];
    if (several === undefined) return undefined;
    found.push(...several);
  }
  return found.length === 0 ? undefined : found;
}

const longestJoined = 320;
const joining = / (?:y|e|and|et|und|dan|aur|और|و|con|com|with|avec|mit|mas|más|mais|plus) | ?[+&/] ?/iu;

/** Titles of one word without a sign between them. */
function readTitles({ options }: OptionField, text: string): readonly string[] | undefined {
  const titled = new Map(options.map(({ title, payload }) => [foldText(title), payload ?? title]));
  const words = foldText(text).split(' ');
  const found = words.map((word) => titled.get(word)).filter((value) => value !== undefined);
  return words.length < 2 || found.length < words.length ? undefined : found;
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
