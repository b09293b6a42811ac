import { compileJson, getPath, isHiloError, type Json } from '@hilo/engine/contract';
import { isPossiblePhoneNumber } from 'libphonenumber-js/max';
import { DateTime } from 'luxon';
import { z } from 'zod';
import type { InboundMessage } from '../messages/inbound-message.ts';
import { textLength } from '../messages/text-length.ts';

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
      test(''); // a pattern is looked at when it is first used
      return test;
    } catch (error) {
      if (!isHiloError(error, 'EXPRESSION')) throw error;
      context.addIssue(`"${pattern}" is not a pattern: ${error.details.reason}`);
      return z.NEVER;
    }
  });

const Length = z.int().min(1).max(10_000);

/** Refuses bounds that nothing can lie between. */
const ordered = (min: number | string | undefined, max: number | string | undefined): boolean =>
  min === undefined || max === undefined || min <= max;
const outOfOrder = { error: 'The least is more than the most: exchange them' };

const TextInput = z
  .strictObject({ kind: z.literal('text'), minLength: Length.optional(), maxLength: Length.optional(), like: Pattern.optional() })
  .refine(({ minLength, maxLength }) => ordered(minLength, maxLength), outOfOrder);
const NumberInput = z
  .strictObject({ kind: z.literal('number'), min: z.number().optional(), max: z.number().optional(), integer: z.boolean().default(false) })
  .refine(({ min, max }) => ordered(min, max), outOfOrder);
const DateInput = z
  .strictObject({
    kind: z.literal('date'),
    min: z.iso.date().optional(),
    max: z.iso.date().optional(),
    /** How people write `3/4/2031`: day or month first. `2031-04-03` is always understood. */
    order: z.enum(['dayFirst', 'monthFirst']).default('dayFirst'),
  })
  .refine(({ min, max }) => ordered(min, max), outOfOrder);
const MediaInput = z.strictObject({
  kind: z.literal('media'),
  types: z
    .array(z.enum(['image', 'audio', 'video', 'file', 'sticker']))
    .min(1)
    .optional(),
});

/** What kind of answer a question takes. */
export const Input = z.discriminatedUnion('kind', [
  TextInput,
  NumberInput,
  z.strictObject({ kind: z.literal('email') }),
  z.strictObject({ kind: z.literal('phone') }),
  DateInput,
  z.strictObject({ kind: z.literal('location') }),
  z.strictObject({ kind: z.literal('contact') }),
  MediaInput,
]);
export type Input = z.output<typeof Input>;

/** A reply as far as it can be understood. */
export type Reply = Partial<InboundMessage>;

/** The answer that a reply gives, in the form it is kept in; `undefined` when it gives none. */
export function answerIn(reply: Reply, input: Input): Json | undefined {
  const { text = '', coordinates, contacts } = reply;
  switch (input.kind) {
    case 'text':
      return textIn(text, input);
    case 'number':
      return numberIn(text, input);
    case 'email':
      return Email.safeParse(text.trim()).data;
    case 'phone':
      return phoneIn(reply);
    case 'date':
      return dateIn(text, input);
    case 'location':
      return Coordinates.safeParse(coordinates).data;
    case 'contact':
      return contacts?.[0] === undefined ? undefined : contacts;
    case 'media':
      return mediaIn(reply, input);
  }
}

function textIn(
  text: string,
  { minLength = 1, maxLength = Number.POSITIVE_INFINITY, like }: z.output<typeof TextInput>,
): string | undefined {
  const length = textLength(text, 'characters');
  const fits = text.trim() !== '' && length >= minLength && length <= maxLength;
  return fits && (like === undefined || like(text)) ? text : undefined;
}

/** At most 15 digits, as numbers keep them exactly (VAR-08). `1.000` and `1,000` are a thousand to some and one to others: neither is taken. */
function numberIn(
  text: string,
  { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, integer }: z.output<typeof NumberInput>,
): number | undefined {
  const written = text.trim();
  if (!/^[+-]?\d+(?:[.,]\d+)?$/.test(written) || /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(written)) return undefined;
  const value = Number(written.replace(',', '.')) + 0; // minus zero is zero
  const fits = written.replace(/\D/g, '').length <= 15 && value >= min && value <= max && (!integer || Number.isInteger(value));
  return fits ? value : undefined;
}

const Email = z.email();

/** The digits of a number that can exist, country code first; never rewritten. A shared contact answers with its first number. */
function phoneIn({ text, contacts }: Reply): string | undefined {
  const written = text ?? getPath(contacts, [0, 'phones', 0, 'phone']);
  if (typeof written !== 'string' || !/^\+?[\d\s().-]+$/.test(written.trim())) return undefined;
  const digits = written.replace(/\D/g, '');
  return isPossiblePhoneNumber(`+${digits.replace(oldMexicanMobile, '52')}`) ? digits : undefined;
}

/** Mexico gave up the `1` after its code in 2019; channels and people did not. Such a number is possible, and stays as it is. */
const oldMexicanMobile = /^521(?=\d{10}$)/;

/** As ISO 8601, `2031-04-03`. */
function dateIn(text: string, { min, max, order }: z.output<typeof DateInput>): string | undefined {
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text.trim()) ?? [];
  const [, first, second, lastYear] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text.trim()) ?? [];
  const [day, month] = order === 'dayFirst' ? [first, second] : [second, first];
  const date = DateTime.utc(Number(isoYear ?? lastYear), Number(isoMonth ?? month), Number(isoDay ?? day)).toISODate();
  return date !== null && (min === undefined || date >= min) && (max === undefined || date <= max) ? date : undefined;
}

const Coordinates = z.object({ lat: z.number().min(-90).max(90), long: z.number().min(-180).max(180) });

function mediaIn({ type, mediaUrl, filename, text }: Reply, { types }: z.output<typeof MediaInput>): Json | undefined {
  if (type === undefined || mediaUrl === undefined || (types !== undefined && !types.some((taken) => taken === type))) return undefined;
  return { type, mediaUrl, ...(filename === undefined ? {} : { filename }), ...(text === undefined ? {} : { text }) };
}
