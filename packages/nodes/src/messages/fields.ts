import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import { type Explanation, mustBe, place } from './explain.ts';
import { textLength } from './text-length.ts';

/** A field with its description: what it is for, in one sentence. Editors, forms and the documentation show it. */
export const says = <Field extends z.ZodType>(description: string, field: Field): Field => field.meta({ description });

/** A text that must say something: blank is refused (MSG-08). Lengths are in code points (MSG-16). */
export function text(dialect: Dialect, max?: number): z.ZodString {
  return anyText(dialect, max)
    .refine((value) => dialect.isOpen(value) || value.trim() !== '', {
      error: ({ path }) => `${place(path)} is blank: write at least one visible character`,
    })
    .meta(dialect.hints({ minLength: 1, ...(max !== undefined && { maxLength: max }) }));
}

/** A text that may be left out or be blank, which comes to the same. */
export const optionalText = (dialect: Dialect, max?: number) => anyText(dialect, max).exactOptional();

function anyText(dialect: Dialect, max = Number.POSITIVE_INFINITY): z.ZodString {
  const string = z.string({ error: mustBe('a text') });
  if (max === Number.POSITIVE_INFINITY) return string;
  return string
    .refine((value) => dialect.isOpen(value) || textLength(value, 'characters') <= max, {
      error: ({ path, input }) => `${place(path)} has ${textLength(String(input), 'characters')} characters: shorten it to at most ${max}`,
    })
    .meta(dialect.hints({ maxLength: max }));
}

/** How many items a list has, both ends included. */
export interface ListSize {
  readonly min: number;
  readonly max?: number;
}

/** A list with a size of its own. */
export function list<Item extends z.ZodType>(item: Item, { min, max = Number.POSITIVE_INFINITY }: ListSize): z.ZodArray<Item> {
  const size = max === Number.POSITIVE_INFINITY ? `at least ${numberOf(min)}` : `${min} to ${numberOf(max)}`;
  const error: Explanation = ({ path, input }) => `${place(path)} has ${numberOf(Array.isArray(input) ? input.length : 0)}: give ${size}`;
  const items = z.array(item, { error: mustBe(`a list of ${size}`) }).min(min, { error });
  return max === Number.POSITIVE_INFINITY ? items : items.max(max, { error });
}

const numberOf = (items: number): string => (items === 1 ? '1 item' : `${items} items`);
