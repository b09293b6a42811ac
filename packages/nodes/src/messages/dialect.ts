import { findMeantField, isTemplate } from '@hilo/engine/contract';
import { z } from 'zod';
import { textLength } from './text.ts';

/** The message for an issue of zod: what is wrong, where, and what to do. */
export type Explanation = (issue: Pick<z.core.$ZodRawIssue, 'path' | 'input'>) => string;

/** The place of an issue in words: `"quick_replies[0].title"`. */
export function place(path: readonly PropertyKey[] | undefined): string {
  if (path === undefined || path.length === 0) return 'The message';
  const steps = path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`));
  return `"${steps.join('')}"`;
}

/** The message for a missing value or one of another kind. `what` completes "give …". */
export const mustBe =
  (what: string): Explanation =>
  ({ path, input }) =>
    input === undefined ? `${place(path)} is missing: give ${what}` : `${place(path)} must be ${what}, and is ${describeValue(input)}`;

/** The given value: a short one itself, else its kind. */
function describeValue(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? 'a text' : `the text ${JSON.stringify(value)}`;
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/**
 * A notation of messages, from which their schemas are built. There are two: {@link rest}, for bodies of requests, and {@link canvas}, in
 * which an author's `{{ expression }}` may replace a value that is not known yet.
 */
export interface Dialect<Numeric extends z.ZodType = z.ZodType, Flag extends z.ZodType = z.ZodType> {
  /** An object with these fields. Others are ignored on REST and refused in a canvas (GEN-07). */
  object<Shape extends z.core.$ZodShape>(shape: Shape): z.ZodObject<Shape>;
  /** Whether a text gets its value when the canvas runs, so that it is not checked before. */
  isDeferred(text: string): boolean;
  /** A number within a range, both ends included. */
  number(range: NumberRange): Numeric;
  /** A boolean, true when left out. */
  readonly flag: Flag;
  /** The keywords that the JSON Schema of a text has, for the OpenAPI document. */
  hints(constraints: TextHints): TextHints;
}

export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/** Keywords of JSON Schema. */
export type TextHints = { readonly maxLength?: number; readonly minLength?: number; readonly format?: string };

function numberWithin({ min, max }: NumberRange): z.ZodNumber {
  const range = rangeInWords({ min, max });
  const outside: Explanation = ({ path, input }) => `${place(path)} is ${String(input)}: give ${range}`;
  return z
    .number({ error: mustBe(range) })
    .min(min, { error: outside })
    .max(max, { error: outside });
}

const rangeInWords = ({ min, max }: NumberRange): string => `a number from ${min} to ${max}`;

/** A text that is one expression keeps the type of its value: it may replace a number or a boolean. */
function allowExpression<Schema extends z.ZodType>(schema: Schema, what: string) {
  const error = mustBe(`${what}, or one {{ expression }}`);
  return z.union([schema, z.string().regex(/^\s*\{\{[\s\S]*\}\}\s*$/, { error })], { error });
}

const unknownFields =
  (known: readonly string[]) =>
  (issue: z.core.$ZodRawIssue): string => {
    const { input } = issue;
    const titled =
      typeof input === 'string' && input.length <= 40 && known.includes('title') ? `; write ${JSON.stringify({ title: input })}` : '';
    if (issue.code !== 'unrecognized_keys') return `${mustBe('an object')(issue)}${titled}`;
    const lines = issue.keys.map((key) => {
      const meant = findMeantField(key, known);
      const remedy = meant === undefined ? `: remove it, or use one of ${known.join(', ')}` : `; did you mean "${meant}"?`;
      return `${place(issue.path)} has no field "${quoteKey(key)}"${remedy}`;
    });
    return lines.join('\n'); // a line for each
  };

/** A key on one line: it may be as long as a body, and there is a line for each. */
const quoteKey = (key: string): string =>
  (key.length > 64 ? `${key.slice(0, 63)}…` : key).toWellFormed().replaceAll(/[\n\r\u2028\u2029]/g, ' ');

/** Bodies of `POST /v1/bots/{botId}/messages`, and messages about to be sent. */
export const rest = {
  object: (shape) => z.object(shape, { error: mustBe('an object') }),
  isDeferred: () => false,
  number: numberWithin,
  flag: z.boolean({ error: mustBe('true or false') }).default(true),
  hints: (constraints) => constraints,
} satisfies Dialect<z.ZodNumber, z.ZodDefault<z.ZodBoolean>>;

/** Messages in the config of a node. */
export const canvas = {
  object: (shape) => z.strictObject(shape, { error: unknownFields(Object.keys(shape)) }),
  isDeferred: isTemplate,
  number: (range) => allowExpression(numberWithin(range), rangeInWords(range)),
  flag: allowExpression(z.boolean(), 'true or false').default(true),
  hints: () => ({}), // an expression may be longer than the text it makes
} satisfies Dialect;

/** Describes a field in one sentence, with an example, for editors, forms and the documentation. */
export const describe = <Field extends z.ZodType>(description: string, field: Field, example?: string): Field =>
  field.meta({ description, ...(example !== undefined && { examples: [example] }) });

/** A text that must not be blank (MSG-08). Lengths are in code points (MSG-16). */
export function text(dialect: Dialect, max?: number): z.ZodString {
  return anyText(dialect, max)
    .refine((value) => dialect.isDeferred(value) || value.trim() !== '', {
      error: ({ path }) => `${place(path)} is blank: write at least one visible character`,
    })
    .meta(dialect.hints({ minLength: 1, ...(max !== undefined && { maxLength: max }) }));
}

/** A text that may be left out, or blank, which is the same. */
export const optionalText = (dialect: Dialect, max?: number) => anyText(dialect, max).exactOptional();

function anyText(dialect: Dialect, max = Number.POSITIVE_INFINITY): z.ZodString {
  const string = z.string({ error: mustBe('a text') });
  if (max === Number.POSITIVE_INFINITY) return string;
  return string
    .refine((value) => dialect.isDeferred(value) || textLength(value, 'characters') <= max, {
      error: ({ path, input }) => `${place(path)} has ${textLength(String(input), 'characters')} characters: shorten it to at most ${max}`,
    })
    .meta(dialect.hints({ maxLength: max }));
}

/** How many items a list has, both ends included. */
export interface ListSize {
  readonly min: number;
  readonly max?: number;
}

/** A list with bounds on its length. */
export function list<Item extends z.ZodType>(item: Item, { min, max = Number.POSITIVE_INFINITY }: ListSize): z.ZodArray<Item> {
  const size = max === Number.POSITIVE_INFINITY ? `at least ${countItems(min)}` : `${min} to ${countItems(max)}`;
  const error: Explanation = ({ path, input }) => `${place(path)} has ${countItems(Array.isArray(input) ? input.length : 0)}: give ${size}`;
  const items = z.array(item, { error: mustBe(`a list of ${size}`) }).min(min, { error });
  return max === Number.POSITIVE_INFINITY ? items : items.max(max, { error });
}

const countItems = (items: number): string => (items === 1 ? '1 item' : `${items} items`);
