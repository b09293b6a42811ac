/** Checks values against fields, without coercion. */
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import { phoneForm, timeForm } from './describe-fields.ts';
import { type Field, type Fields, optionValues } from './field.ts';
import { english, type FormWords } from './form-words.ts';

/** What is wrong with one field, as a sentence for people and models. */
export interface FieldProblem {
  /** The name of the field; empty for the values as a whole. */
  readonly field: string;
  readonly message: string;
}

export type CheckedFields =
  | { readonly kind: 'valid'; readonly values: JsonObject }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] };

/** The most unknown names that are listed. */
const maxUnknown = 10;

/**
 * Whether values fit their fields: exactly where they are valid under `fieldsToJsonSchema`, and days within their bounds.
 *
 * @param words - in which it is said what is wrong
 */
export function checkFields(fields: Fields, values: Json, words = english): CheckedFields {
  if (!isJsonObject(values)) return { kind: 'invalid', problems: [{ field: '', message: 'The values must be a JSON object.' }] };
  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(fields, name));
  const problems = [
    ...Object.entries(fields).flatMap(([name, field]): readonly FieldProblem[] => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      const problem = value === undefined ? (field.required ? words.missing : undefined) : findProblem(field, value, words);
      return problem === undefined ? [] : [{ field: name, message: `"${field.label ?? name}" ${problem}.` }];
    }),
    ...unknown
      .slice(0, maxUnknown)
      .map((name): FieldProblem => ({ field: name, message: `There is no field ${JSON.stringify(name.slice(0, 64))}.` })),
  ];
  return problems.length === 0 ? { kind: 'valid', values } : { kind: 'invalid', problems };
}

/** What is wrong with a value, as the rest of a sentence; `undefined` when it is valid. */
export function findProblem(field: Field, value: Json, words = english): string | undefined {
  switch (field.type) {
    case 'text':
      return typeof value === 'string' ? judgeLength(value, field, words) : words.text;
    case 'number':
      return judgeNumber(value, field, words);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : words.yesOrNo;
    case 'date':
      return judgeDate(value, field, words);
    case 'time':
      return typeof value === 'string' && timeForm.test(value) ? undefined : words.time;
    case 'email':
      return email.safeParse(value).success ? undefined : words.email;
    case 'phone':
      return typeof value === 'string' && phoneForm.test(value) ? undefined : words.phone;
    case 'option':
      return judgeOption(value, field, words);
    case 'list':
      return judgeList(value, field, words);
  }
}

const email = z.email();
const day = z.iso.date();

type FieldOf<Type extends Field['type']> = Extract<Field, { readonly type: Type }>;

function judgeLength(text: string, { minLength, maxLength }: FieldOf<'text'>, words: FormWords): string | undefined {
  if (text.length < minLength) return words.charsOrMore(minLength);
  return maxLength !== undefined && text.length > maxLength ? words.charsOrFewer(maxLength) : undefined;
}

function judgeNumber(value: Json, { min, max, integer }: FieldOf<'number'>, words: FormWords): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return integer ? words.wholeNumber : words.number;
  if (integer && !Number.isSafeInteger(value)) return words.wholeNumber;
  if (min !== undefined && value < min) return words.orMore(min);
  return max !== undefined && value > max ? words.orLess(max) : undefined;
}

function judgeDate(value: Json, { min, max }: FieldOf<'date'>, words: FormWords): string | undefined {
  if (typeof value !== 'string' || !day.safeParse(value).success) return words.day;
  if (min !== undefined && value < min) return words.orLater(min);
  return max !== undefined && value > max ? words.orEarlier(max) : undefined;
}

function judgeOption(value: Json, field: FieldOf<'option'>, words: FormWords): string | undefined {
  const values = optionValues(field);
  const isOne = (one: Json): boolean => values.some((known) => known === one);
  const listed = values.join(', ').slice(0, 500);
  if (!field.several) return isOne(value) ? undefined : words.oneOf(listed);
  const isRight = Array.isArray(value) && value.length > 0 && value.every(isOne) && new Set(value).size === value.length;
  return isRight ? undefined : words.someOf(listed);
}

function judgeList(value: Json, { of, maxItems }: FieldOf<'list'>, words: FormWords): string | undefined {
  const isItem = (item: Json): boolean => (of === 'text' ? typeof item === 'string' : typeof item === 'number' && Number.isFinite(item));
  if (!Array.isArray(value) || !value.every(isItem)) return words.listOf[of];
  return maxItems !== undefined && value.length > maxItems ? words.itemsOrFewer(maxItems) : undefined;
}
