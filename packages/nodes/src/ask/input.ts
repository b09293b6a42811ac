import {
  canonicalZone,
  compileJson,
  getPath,
  HiloError,
  instantMs,
  isHiloError,
  isTemplate,
  type Json,
  type JsonTemplate,
  ValueTemplate,
  type Variables,
} from '@hilo/engine/contract';
import { isPossiblePhoneNumber } from 'libphonenumber-js/min';
import { DateTime } from 'luxon';
import { z } from 'zod';
import type { InboundMessage } from '../messages/inbound-message.ts';
import { textLength } from '../messages/text.ts';
import { expressionSchema } from '../json-schema.ts';
import { findChoice, readChoices } from './choices.ts';

/** A pattern of the expression language's `like`, found anywhere in a text; `^` and `$` tie it to the ends. In the canvas a text, here a test. */
const Pattern = z
  .string()
  .min(1)
  .max(1_000)
  .meta({ description: 'An RE2 pattern', examples: ['^[A-Z]{3}-[0-9]{4}$'] })
  .transform((pattern, context): ((text: string) => boolean) => {
    try {
      const like = compileJson(`{{like($message.text, ${JSON.stringify(pattern)})}}`);
      const test = (text: string) => like({ get: (path) => getPath({ text }, path, 1) }) === true;
      test(''); // a pattern is compiled at its first use
      return test;
    } catch (error) {
      if (!isHiloError(error, 'EXPRESSION')) throw error;
      context.addIssue(`"${pattern}" is not a pattern: ${error.details.reason}`);
      return z.NEVER;
    }
  });

const Length = z.int().min(1).max(10_000);

/** Refuses bounds that nothing can lie between. */
const isOrdered = (min: number | string | undefined, max: number | string | undefined): boolean =>
  min === undefined || max === undefined || min <= max;
const constant = (bound: Bound | undefined): number | string | undefined => (typeof bound === 'function' ? undefined : bound);
type Bound = number | string | JsonTemplate;
const outOfOrder = { error: 'The least is more than the most: exchange them' };

const TextInput = z
  .strictObject({
    kind: z.literal('text').meta({ description: 'Any text within these bounds' }),
    minLength: Length.optional().meta({ description: 'The minimum number of characters' }),
    maxLength: Length.optional().meta({ description: 'The maximum number of characters' }),
    like: Pattern.optional(),
  })
  .refine(({ minLength, maxLength }) => isOrdered(minLength, maxLength), outOfOrder);
/** A constant bound, or an expression that is evaluated when the question is asked. */
const bound = <Bound extends z.ZodType<number | string>>(schema: Bound) => z.union([schema, Expression]);
const Expression = z
  .string()
  .refine(isTemplate, { error: 'Write a value, or an expression between {{ and }}' })
  .transform((text): unknown => text)
  .pipe(ValueTemplate)
  .meta({ description: 'An expression that gives the bound', pattern: expressionSchema.pattern, examples: ['{{$context.least}}'] });
const NumberInput = z
  .strictObject({
    kind: z.literal('number').meta({ description: 'A number, as people write it' }),
    min: bound(z.number()).optional().meta({ description: 'The smallest accepted number' }),
    max: bound(z.number()).optional().meta({ description: 'The largest accepted number' }),
    integer: z.boolean().default(false).meta({ description: 'Whether it must be a whole number' }),
  })
  .refine(({ min, max }) => isOrdered(constant(min), constant(max)), outOfOrder);
const TimeText = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Write the time as "09:30"');
const TimeInput = z
  .strictObject({
    kind: z.literal('time').meta({ description: 'A time of day, kept as 15:30' }),
    min: bound(TimeText).optional().meta({ description: 'The earliest accepted value' }),
    max: bound(TimeText).optional().meta({ description: 'The latest accepted value' }),
  })
  .refine(({ min, max }) => isOrdered(constant(min), constant(max)), outOfOrder);
const OptionInput = z.strictObject({
  kind: z.literal('option').meta({ description: 'One of the options' }),
  options: ValueTemplate.meta({
    description: 'The options: a list of texts or of { title, payload, description }, usually from an expression',
    examples: ['{{$context.slots}}'],
  }),
});
const DateText = z.iso.date('Write a day of the calendar, such as 2031-04-03, or an expression between {{ and }}');
const DateInput = z
  .strictObject({
    kind: z.literal('date').meta({ description: 'A day, kept as 2031-04-03' }),
    min: bound(DateText).optional().meta({ description: 'The earliest accepted value' }),
    max: bound(DateText).optional().meta({ description: 'The latest accepted value' }),
    order: z
      .enum(['dayFirst', 'monthFirst'])
      .default('dayFirst')
      .meta({ description: 'How people write 3/4/2031: day or month first; 2031-04-03 is always understood' }),
  })
  .refine(({ min, max }) => isOrdered(constant(min), constant(max)), outOfOrder);
const MediaInput = z.strictObject({
  kind: z.literal('media').meta({ description: 'A file that the user sends' }),
  types: z
    .array(z.enum(['image', 'audio', 'video', 'file', 'sticker']))
    .min(1)
    .optional()
    .meta({ description: 'The kinds of file that are taken; all of them, when left out' }),
});

/** The kind of answer that a question accepts. */
export const Input = z.discriminatedUnion('kind', [
  TextInput,
  NumberInput,
  z.strictObject({ kind: z.literal('email').meta({ description: 'An e-mail address' }) }),
  z.strictObject({ kind: z.literal('phone').meta({ description: 'A phone number, kept as its digits with the country code' }) }),
  DateInput,
  TimeInput,
  OptionInput,
  z.strictObject({ kind: z.literal('location').meta({ description: 'A place on the map' }) }),
  z.strictObject({ kind: z.literal('contact').meta({ description: 'Cards of people' }) }),
  MediaInput,
]);
export type Input = z.output<typeof Input>;

/** A reply as far as it can be understood. */
export type Reply = Partial<InboundMessage>;

/** The answer in a reply, in its stored form; `undefined` when there is none. */
export function readAnswer(reply: Reply, input: Input, variables: Variables): Json | undefined {
  const { text = '', coordinates, contacts } = reply;
  switch (input.kind) {
    case 'text':
      return readText(text, input);
    case 'number':
      return readNumber(text, input, variables);
    case 'email':
      return Email.safeParse(text.trim()).data;
    case 'phone':
      return readPhone(reply);
    case 'date':
      return readDate(text, input, variables);
    case 'time':
      return readTime(text, input, variables);
    case 'option':
      return findChoice(reply, readChoices(input.options, variables))?.payload;
    case 'location':
      return Coordinates.safeParse(coordinates).data;
    case 'contact':
      return contacts?.[0] === undefined ? undefined : contacts;
    case 'media':
      return readMedia(reply, input);
  }
}

function readText(
  text: string,
  { minLength = 1, maxLength = Number.POSITIVE_INFINITY, like }: z.output<typeof TextInput>,
): string | undefined {
  const length = textLength(text, 'characters');
  const fits = text.trim() !== '' && length >= minLength && length <= maxLength;
  return fits && (like === undefined || like(text)) ? text : undefined;
}

/** `1.000` is a thousand or one, depending on the locale: the user's, else the company's; without either it is refused. */
function readNumber(text: string, { min, max, integer }: z.output<typeof NumberInput>, variables: Variables): number | undefined {
  const value = parseNumber(text, findLocale(variables));
  if (value === undefined || (integer && !Number.isInteger(value))) return undefined;
  const [least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY] = [min, max].map((bound) => numberBound(bound, variables));
  return value >= least && value <= most ? value : undefined;
}

function findLocale(variables: Variables): string | undefined {
  const locale = variables.get(['$user', 'locale']) ?? variables.get(['$company', 'locale']);
  return typeof locale === 'string' ? locale : undefined;
}

function numberBound(bound: Bound | undefined, variables: Variables): number | undefined {
  const value = typeof bound === 'function' ? bound(variables) : bound;
  if (value === undefined || typeof value === 'number') return value;
  throw invalidBound(bound, value, 'number');
}

/** A bound of a date or a time as text; a timestamp becomes its day or time in the user's zone. */
function textBound(bound: Bound | undefined, variables: Variables, kind: 'date' | 'time'): string | undefined {
  const value = typeof bound === 'function' ? bound(variables) : bound;
  if (value === undefined) return undefined;
  if (typeof value === 'string') {
    if (kind === 'date' ? z.iso.date().safeParse(value).success : TimeText.safeParse(value).success) return value;
    const atMs = instantMs(value);
    if (atMs !== undefined)
      return DateTime.fromMillis(atMs, { zone: findZone(variables) }).toFormat(kind === 'date' ? 'yyyy-MM-dd' : 'HH:mm');
  }
  throw invalidBound(bound, value, kind);
}

function findZone(variables: Variables): string {
  const zone = variables.get(['$user', 'timeZone']) ?? variables.get(['$company', 'timeZone']);
  return (typeof zone === 'string' ? canonicalZone(zone) : undefined) ?? 'UTC';
}

function invalidBound(bound: Bound | undefined, value: Json, kind: string): HiloError {
  const source = typeof bound === 'function' && typeof bound.source === 'string' ? bound.source : 'The bound';
  return new HiloError('INVALID_DURATION', {
    source,
    reason: `came to ${JSON.stringify(value).slice(0, 80)}, which is no ${kind} to compare with`,
  });
}

const Email = z.email();

/** The digits of a number that can exist, country code first; never rewritten. A shared contact answers with its first number. */
function readPhone({ text, contacts }: Reply): string | undefined {
  const written = text ?? getPath(contacts, [0, 'phones', 0, 'phone']);
  if (typeof written !== 'string' || !/^\+?[\d\s().-]+$/.test(written.trim())) return undefined;
  const digits = written.replace(/\D/g, '');
  return isPossiblePhoneNumber(`+${digits.replace(oldMexicanMobile, '52')}`) ? digits : undefined;
}

/** Mexico gave up the `1` after its code in 2019; channels and people did not. Such a number is possible, and stays as it is. */
const oldMexicanMobile = /^521(?=\d{10}$)/;

/** As ISO 8601, `2031-04-03`. */
function readDate(text: string, { min, max, order }: z.output<typeof DateInput>, variables: Variables): string | undefined {
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text.trim()) ?? [];
  const [, first, second, lastYear] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text.trim()) ?? [];
  const [day, month] = order === 'dayFirst' ? [first, second] : [second, first];
  const date = DateTime.utc(Number(isoYear ?? lastYear), Number(isoMonth ?? month), Number(isoDay ?? day)).toISODate();
  return date === null ? undefined : limitToBounds(date, min, max, variables, 'date');
}

/** On a clock of 24 hours, `15:30`: of `15:30`, `15.30`, `15h30`, `3:30 pm`, `3 p.m.`, `15h`. A number alone is no time. */
function readTime(text: string, { min, max }: z.output<typeof TimeInput>, variables: Variables): string | undefined {
  const match = /^(\d{1,2})(?:\s?([:.h])\s?([0-5]\d))?\s*(h|hrs?\.?)?\s*([ap])?\.?\s?(m)?\.?$/i.exec(text.trim());
  const [, hours = '', separator, minutes = '00', unit, half, m] = match ?? [];
  if (match === null || (half === undefined) !== (m === undefined)) return undefined;
  if (separator === undefined && unit === undefined && half === undefined) return undefined;
  const hour = Number(hours);
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  const onClock = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return onClock > 23 ? undefined : limitToBounds(`${String(onClock).padStart(2, '0')}:${minutes}`, min, max, variables, 'time');
}

/** A date or time, if it lies within its bounds. Those of one length sort as texts. */
function limitToBounds(
  value: string,
  min: Bound | undefined,
  max: Bound | undefined,
  variables: Variables,
  kind: 'date' | 'time',
): string | undefined {
  const [least = value, most = value] = [min, max].map((bound) => textBound(bound, variables, kind));
  return value >= least && value <= most ? value : undefined;
}

const Coordinates = z.object({ lat: z.number().min(-90).max(90), long: z.number().min(-180).max(180) });

function readMedia({ type, mediaUrl, filename, text }: Reply, { types }: z.output<typeof MediaInput>): Json | undefined {
  if (type === undefined || mediaUrl === undefined || (types !== undefined && !types.some((taken) => taken === type))) return undefined;
  return { type, mediaUrl, ...(filename === undefined ? {} : { filename }), ...(text === undefined ? {} : { text }) };
}

/** A number with a sign, and a currency before or behind it. */
const numberPattern =
  /^([+-]?)\s*(?:(?:[A-Za-z]{0,3}\p{Sc}|([A-Za-z]{3})|S\/\.?)\s*)?([+-]?)(\d[\d.,'’\s]*)(?:\s*(?:\p{Sc}|([A-Za-z]{3})))?$/u;

/** Codes such as `USD`. */
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const isCurrency = (code: string): boolean => currencies.has(code.toUpperCase());

/** The two notations `1,200.50` and `1.200,50`: the separators of thousands and of the fraction. */
const notations = {
  point: { whole: /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?$/, thousands: ',', decimal: '.' },
  comma: { whole: /^(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,\d+)?$/, thousands: '.', decimal: ',' },
} as const;

/**
 * Parses a number as people write it: `$120`, `120 USD`, `1,200.50`, `1.200,50`, `1 200,50`. Read by the locale if possible; without a locale, or
 * when the locale has no such number, only if it is unambiguous.
 *
 * @returns `undefined` when it is no number, is ambiguous, or has more than 15 digits (VAR-08)
 */
function parseNumber(text: string, locale: string | undefined): number | undefined {
  const [, first = '', before, second = '', body = '', behind] = numberPattern.exec(text.trim()) ?? [];
  if ([before, behind].some((code) => code !== undefined && !isCurrency(code))) return undefined;
  const digits = normalizeThousands(body.trim());
  if (digits === undefined || digits.replace(/\D/g, '').length > 15 || (first !== '' && second !== '')) return undefined;
  const value = parseMagnitude(digits, locale);
  return value === undefined ? undefined : (first === '-' || second === '-' ? -value : value) + 0; // minus zero is zero
}

/** Removes blanks and apostrophes, which separate thousands in any locale; then no other separator may. */
function normalizeThousands(body: string): string | undefined {
  if (!/['’\s]/.test(body)) return body === '' ? undefined : body;
  return /^[1-9]\d{0,2}(?:['’\s]\d{3})+(?:[.,]\d+)?$/.test(body) ? body.replace(/['’\s]/g, '').replace(',', '.') : undefined;
}

function parseMagnitude(digits: string, locale: string | undefined): number | undefined {
  const usual = locale === undefined ? undefined : parseAs(digits, findDecimalSign(locale) === ',' ? 'comma' : 'point');
  if (usual !== undefined) return usual;
  const [point, comma] = [parseAs(digits, 'point'), parseAs(digits, 'comma')];
  if (point !== undefined && comma !== undefined && point !== comma) return undefined;
  return point ?? comma;
}

function parseAs(digits: string, name: keyof typeof notations): number | undefined {
  const { whole, thousands, decimal } = notations[name];
  return whole.test(digits) ? Number(digits.replaceAll(thousands, '').replace(decimal, '.')) : undefined;
}

/** What separates the fraction in a locale; a point where the locale is unknown. */
function findDecimalSign(locale: string): string | undefined {
  try {
    return new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value;
  } catch {
    return undefined;
  }
}
