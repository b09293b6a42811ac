// The kinds of answers that a question asks for, and how a reply is read as one.
import {
  compileJson,
  getPath,
  HiloError,
  instantMs,
  isHiloError,
  isJsonObject,
  isTemplate,
  type Json,
  JsonObject,
  type JsonTemplate,
  ValueTemplate,
  type Variables,
} from '@hilo/engine/contract';
import { DateTime } from 'luxon';
import { z } from 'zod';
import type { InboundMessage } from '../messages/inbound-message.ts';
import { showsNothing } from '../messages/folded-text.ts';
import { textLength } from '../messages/text.ts';
import { expressionSchema } from '../json-schema.ts';
import { checkFields } from '../fields/check-fields.ts';
import { readFields } from '../fields/read-fields.ts';
import { findChoice, readChoices } from './choices.ts';
import { FormInput } from './form-input.ts';
import { Order, readOrder } from './order.ts';
import { findWritten, textOf } from './sent-words.ts';
import { findLocale, findZone, type ReadingContext } from '../fields/reading/clean.ts';
import { readMeant } from '../fields/reading/corrected.ts';
import { readDate } from '../fields/reading/date.ts';
import { asksForDozens } from '../fields/reading/dozens.ts';
import { readEmail } from '../fields/reading/email.ts';
import { readNumber } from '../fields/reading/number.ts';
import { likelyCountries, readPhone } from '../fields/reading/phone.ts';
import { readPlace } from '../fields/reading/place.ts';
import { readTime } from '../fields/reading/time.ts';

/** A pattern of the expression language's `like`, found anywhere in a text; `^` and `$` tie it to the ends. In the canvas a text, here a test. */
const Pattern = z
  .string()
  .min(1)
  .max(1_000)
  .meta({ description: 'An RE2 pattern', examples: ['^[A-Z]{3}-[0-9]{4}$'] })
  .transform((pattern, context): ((text: string, variables: Pick<Variables, 'spend'>) => boolean) => {
    try {
      const like = compileJson(`{{like($message.text, ${JSON.stringify(pattern)})}}`);
      const test = (text: string, variables: Pick<Variables, 'spend'>) =>
        like({ get: (path) => getPath({ text }, path, 1), spend: (work) => variables.spend?.(work) !== false }) === true;
      test('', {}); // a pattern is compiled at its first use
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
/** How an answer may be written. */
const manner = {
  strict: z.boolean().default(false).meta({ description: 'Refuses an answer that is not alone, such as "about 20" or "20 years"' }),
  find: z.boolean().optional().meta({ description: 'Whether the only one in a sentence is the answer; yes, unless strict' }),
};
/** Whether an answer must stand alone. */
export const isStrict = ({ strict, find }: { readonly strict: boolean; readonly find?: boolean | undefined }): boolean =>
  strict || find === false;
const agrees = ({ strict, find }: { readonly strict: boolean; readonly find?: boolean | undefined }): boolean => !(strict && find === true);
const disagrees = { error: '"find" looks for the answer in a sentence, "strict" refuses sentences: leave one of them out', path: ['find'] };
const NumberInput = z
  .strictObject({
    kind: z.literal('number').meta({ description: 'A number, as people write it: 20, 1,200.50, 20 años, veinte' }),
    min: bound(z.number()).optional().meta({ description: 'The smallest accepted number' }),
    max: bound(z.number()).optional().meta({ description: 'The largest accepted number' }),
    integer: z.boolean().default(false).meta({ description: 'Whether it must be a whole number' }),
    ...manner,
  })
  .refine(agrees, disagrees)
  .refine(({ min, max }) => isOrdered(constant(min), constant(max)), outOfOrder);
const TimeText = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Write the time as "09:30"');
const TimeInput = z
  .strictObject({
    kind: z.literal('time').meta({ description: 'A time of day, kept as 15:30: 3:30 pm, a las tres y media de la tarde, noon' }),
    min: bound(TimeText).optional().meta({ description: 'The earliest accepted value' }),
    max: bound(TimeText).optional().meta({ description: 'The latest accepted value' }),
    ...manner,
  })
  .refine(agrees, disagrees)
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
    kind: z.literal('date').meta({ description: 'A day, kept as 2031-04-03: 3/4/2031, tomorrow, el lunes, in 3 days' }),
    min: bound(DateText).optional().meta({ description: 'The earliest accepted value' }),
    max: bound(DateText).optional().meta({ description: 'The latest accepted value' }),
    order: z.enum(['dayFirst', 'monthFirst']).optional().meta({
      description: 'How people write 3/4/2031; as their locale does, when left out, else the day first. 2031-04-03 is always understood',
    }),
    ...manner,
  })
  .refine(agrees, disagrees)
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
  z.strictObject({ kind: z.literal('email').meta({ description: 'An e-mail address' }), ...manner }).refine(agrees, disagrees),
  z
    .strictObject({
      kind: z.literal('phone').meta({
        description:
          'A phone number, kept as its digits with the country code; without one, it is of the country of the user, the bot or the company',
      }),
      ...manner,
    })
    .refine(agrees, disagrees),
  DateInput,
  TimeInput,
  OptionInput,
  z.strictObject({ kind: z.literal('location').meta({ description: 'A place on the map' }) }),
  z.strictObject({ kind: z.literal('contact').meta({ description: 'Cards of people' }) }),
  MediaInput,
  FormInput,
  z.strictObject({
    kind: z
      .literal('order')
      .meta({ description: 'A cart of the catalogue, kept as { items: [{ sku, quantity, price }], currency, total, note }' }),
  }),
]);
export type Input = z.output<typeof Input>;

/** What a reply is checked for: a kind of answer, or a form of the channel whose fields are not known. */
export type Expected = Input | { readonly kind: 'form'; readonly fields?: undefined };

/** A reply as far as it can be understood. */
export type Reply = Partial<InboundMessage>;

/**
 * The answer in a reply, in its stored form; `undefined` when there is none.
 *
 * @param nowMs - when the reply came: what "today" means
 * @param isNumbered - whether the options were shown as numbered lines
 * @param question - the text of the question, where it is known
 */
export function readAnswer(
  reply: Reply,
  input: Expected,
  variables: Variables,
  nowMs?: number,
  isNumbered = false,
  question?: string,
): Json | undefined {
  const { text = '', coordinates, contacts } = reply;
  switch (input.kind) {
    case 'text':
      return readText(textOf(reply), input, variables);
    case 'number':
    case 'date':
    case 'time':
      return readValue(text, input, variables, nowMs, question);
    case 'email': {
      const isAlone = isStrict(input);
      const find = (written: string) => readMeant('email', written, isAlone, (part) => readEmail(part, isAlone));
      return findWritten(reply, 'email', find);
    }
    case 'phone': {
      const isAlone = isStrict(input);
      const find = (written: string) =>
        readMeant('phone', written, isAlone, (part) => readPhone(part, likelyCountries(variables), isAlone));
      return findWritten(reply, 'phone', find);
    }
    case 'option':
      return findChoice(reply, readChoices(input.options, variables), isNumbered)?.payload;
    case 'location':
      return Coordinates.safeParse(coordinates).data ?? readPlace(text);
    case 'contact':
      return contacts?.[0] === undefined ? undefined : contacts;
    case 'media':
      return readMedia(reply, input);
    case 'order':
      return readOrder(reply);
    case 'form': {
      const response = readForm(reply);
      if (input.fields === undefined || response === undefined) return response;
      const read = readFields(input.fields, response);
      return read.kind === 'valid' ? read.values : undefined;
    }
  }
}

/** The fields of a form that was sent, without the mark by which a channel knows it. */
function readForm({ type, response }: Reply): JsonObject | undefined {
  if (type !== 'flow' || !isJsonObject(response)) return undefined;
  return Object.fromEntries(Object.entries(response).filter(([name]) => name !== 'flow_token'));
}

/**
 * A value that was known before the question, as an answer to it: in the form in which answers are kept, or as a text that one would accept
 * as the whole reply; `undefined` when it is none.
 */
export function checkKnown(known: Json, input: Expected, variables: Variables, nowMs?: number): Json | undefined {
  switch (input.kind) {
    case 'option': {
      const written = typeof known === 'number' ? String(known) : known;
      return typeof written === 'string' ? readAnswer({ payload: written, text: written }, input, variables) : undefined;
    }
    case 'form':
      if (!isJsonObject(known)) return undefined;
      return input.fields === undefined || checkFields(input.fields, known).kind === 'valid' ? known : undefined;
    case 'location':
      return Coordinates.safeParse(known).success ? known : undefined;
    case 'contact':
      return z.array(JsonObject).min(1).safeParse(known).success ? known : undefined;
    case 'order':
      return Order.safeParse(known).success ? known : undefined;
    case 'media':
      return isJsonObject(known) && readMedia(InboundMedia.safeParse(known).data ?? {}, input) !== undefined ? known : undefined;
    case 'number':
      return typeof known === 'number'
        ? limitNumber(known, input, variables)
        : readKnownText(known, { ...input, strict: true }, variables, nowMs);
    case 'phone':
      // Digits alone are the form in which phone numbers are kept: their country code is there.
      return typeof known === 'string'
        ? (readPhone(`+${known.replace(/^\+/, '')}`, [], true) ?? readKnownText(known, { ...input, strict: true }, variables))
        : undefined;
    case 'text':
      return readKnownText(known, input, variables);
    default:
      return readKnownText(known, { ...input, strict: true }, variables, nowMs);
  }
}

const readKnownText = (known: Json, input: Input, variables: Variables, nowMs?: number): Json | undefined =>
  typeof known === 'string' ? readAnswer({ text: known }, input, variables, nowMs) : undefined;

const InboundMedia = z.object({ type: z.string(), mediaUrl: z.string() });

function readText(
  text: string,
  { minLength = 1, maxLength = Number.POSITIVE_INFINITY, like }: z.output<typeof TextInput>,
  variables: Variables,
): string | undefined {
  const length = textLength(text, 'characters');
  const fits = !showsNothing(text) && length >= minLength && length <= maxLength;
  return fits && (like === undefined || like(text, variables)) ? text : undefined;
}

/** A number, date or time within its bounds. */
function readValue(
  text: string,
  input: z.output<typeof NumberInput> | z.output<typeof DateInput> | z.output<typeof TimeInput>,
  variables: Variables,
  nowMs: number | undefined,
  question: string | undefined,
): Json | undefined {
  const countsSingly = question !== undefined && !asksForDozens(question);
  const place: ReadingContext = { locale: findLocale(variables), nowMs: nowMs ?? variables.nowMs, isStrict: isStrict(input), countsSingly };
  if (input.kind === 'number') {
    const value = readMeant('number', text, place.isStrict, (part) => readNumber(part, place));
    return value === undefined ? undefined : limitNumber(value, input, variables);
  }
  const { kind, min, max } = input;
  // Computed once, and only when there is something to compare.
  let bounds: readonly (string | undefined)[] | undefined;
  const fits = (value: string): boolean => {
    const [least = value, most = value] = (bounds ??= [min, max].map((bound) => textBound(bound, variables, kind)));
    return value >= least && value <= most; // those of one length sort as texts
  };
  const zone = findZone(variables);
  const value = readMeant(kind, text, place.isStrict, (part) =>
    kind === 'time' ? readTime(part, { ...place, zone }, fits) : readDate(part, { ...place, order: input.order, zone, fits }),
  );
  return value !== undefined && fits(value) ? value : undefined;
}

function limitNumber(value: number, { min, max, integer }: z.output<typeof NumberInput>, variables: Variables): number | undefined {
  if (integer && !Number.isInteger(value)) return undefined;
  const [least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY] = [min, max].map((bound) => numberBound(bound, variables));
  return value >= least && value <= most ? value : undefined;
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

function invalidBound(bound: Bound | undefined, value: Json, kind: string): HiloError {
  const source = typeof bound === 'function' && typeof bound.source === 'string' ? bound.source : 'The bound';
  return new HiloError('INVALID_DURATION', {
    source,
    reason: `came to ${JSON.stringify(value).slice(0, 80)}, which is no ${kind} to compare with`,
  });
}

const Coordinates = z.object({ lat: z.number().min(-90).max(90), long: z.number().min(-180).max(180) });

function readMedia({ type, mediaUrl, file, filename, text }: Reply, { types }: z.output<typeof MediaInput>): Json | undefined {
  if (type === undefined || mediaUrl === undefined || (types !== undefined && !types.some((taken) => taken === type))) return undefined;
  return {
    type,
    mediaUrl,
    ...(file === undefined ? {} : { file }),
    ...(filename === undefined ? {} : { filename }),
    ...(text === undefined ? {} : { text }),
  };
}
