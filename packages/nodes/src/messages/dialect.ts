import { isTemplate } from '@hilo/engine/contract';
import { z } from 'zod';
import { type Explanation, mustBe, place } from './explain.ts';

/**
 * How a message is written down. The rules of a message are stated once and read in two dialects: {@link rest}, for
 * bodies of requests, and {@link canvas}, where an author's `{{ expression }}` may stand for a value not known yet.
 */
export interface Dialect<Numeric extends z.ZodType = z.ZodType, Flag extends z.ZodType = z.ZodType> {
  /** An object with these fields. Others are ignored on REST and refused in a canvas (GEN-07). */
  object<Shape extends z.core.$ZodShape>(shape: Shape): z.ZodObject<Shape>;
  /** Whether a text gets its value when the canvas runs, so that nothing can be said of it before. */
  isOpen(text: string): boolean;
  /** A number within a range, both ends included. */
  number(range: NumberRange): Numeric;
  /** A boolean, true when left out. */
  readonly flag: Flag;
  /** What JSON Schema can say of a text, for those who read the OpenAPI document. */
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

/** A text that is one single expression keeps the type of its value: it may stand for a number or a boolean. */
function orExpression<Schema extends z.ZodType>(schema: Schema, what: string) {
  const error = mustBe(`${what}, or one {{ expression }}`);
  return z.union([schema, z.string().regex(/^\s*\{\{[\s\S]*\}\}\s*$/, { error })], { error });
}

const unknownFields =
  (known: readonly string[]) =>
  (issue: z.core.$ZodRawIssue): string => {
    if (issue.code !== 'unrecognized_keys') return mustBe('an object')(issue);
    const unknown = issue.keys.map((key) => `"${key}"`).join(', ');
    return `${place(issue.path)} has no field ${unknown}: remove it, or use one of ${known.join(', ')}`;
  };

/** Bodies of `POST /v1/bots/{botId}/messages`, and messages about to be sent. */
export const rest = {
  object: (shape) => z.object(shape, { error: mustBe('an object') }),
  isOpen: () => false,
  number: numberWithin,
  flag: z.boolean({ error: mustBe('true or false') }).default(true),
  hints: (constraints) => constraints,
} satisfies Dialect<z.ZodNumber, z.ZodDefault<z.ZodBoolean>>;

/** Messages in the config of a node. */
export const canvas = {
  object: (shape) => z.strictObject(shape, { error: unknownFields(Object.keys(shape)) }),
  isOpen: isTemplate,
  number: (range) => orExpression(numberWithin(range), rangeInWords(range)),
  flag: orExpression(z.boolean(), 'true or false').default(true),
  hints: () => ({}), // an expression may be longer than the text it makes
} satisfies Dialect;
