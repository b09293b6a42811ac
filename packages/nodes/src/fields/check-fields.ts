/** Checks values against fields, without coercion. */
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import { phoneForm, timeForm } from './describe-fields.ts';
import { type Field, type Fields, optionValues } from './field.ts';

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

/** Whether values fit their fields: exactly where they are valid under `fieldsToJsonSchema`, and days within their bounds. */
export function checkFields(fields: Fields, values: Json): CheckedFields {
  if (!isJsonObject(values)) return { kind: 'invalid', problems: [{ field: '', message: 'The values must be a JSON object.' }] };
  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(fields, name));
  const problems = [
    ...Object.entries(fields).flatMap(([name, field]): readonly FieldProblem[] => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      const problem = value === undefined ? (field.required ? 'is missing' : undefined) : findProblem(field, value);
      return problem === undefined ? [] : [{ field: name, message: `"${field.label ?? name}" ${problem}.` }];
    }),
    ...unknown
      .slice(0, maxUnknown)
      .map((name): FieldProblem => ({ field: name, message: `There is no field ${JSON.stringify(name.slice(0, 64))}.` })),
  ];
  return problems.length === 0 ? { kind: 'valid', values } : { kind: 'invalid', problems };
}

/** What is wrong with a value, as the rest of a sentence; `undefined` when it is valid. */
export function findProblem(field: Field, value: Json): string | undefined {
  switch (field.type) {
    case 'text':
      return typeof value === 'string' ? judgeLength(value, field) : 'must be a text';
    case 'number':
      return judgeNumber(value, field);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'date':
      return judgeDate(value, field);
    case 'time':
      return typeof value === 'string' && timeForm.test(value) ? undefined : 'must be a time such as 15:30';
    case 'email':
      return email.safeParse(value).success ? undefined : 'must be an e-mail address';
    case 'phone':
      return typeof value === 'string' && phoneForm.test(value) ? undefined : 'must be a phone number, as digits with the country code';
    case 'option':
      return judgeOption(value, field);
    case 'list':
      return judgeList(value, field);
  }
}

const email = z.email();
const day = z.iso.date();

type FieldOf<Type extends Field['type']> = Extract<Field, { readonly type: Type }>;

function judgeLength(text: string, { minLength, maxLength }: FieldOf<'text'>): string | undefined {
  const count = (length: number): string => `${length} character${length === 1 ? '' : 's'}`;
  if (text.length < minLength) return `must have ${count(minLength)} or more`;
  return maxLength !== undefined && text.length > maxLength ? `must have ${count(maxLength)} or fewer` : undefined;
}

function judgeNumber(value: Json, { min, max, integer }: FieldOf<'number'>): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return `must be a ${integer ? 'whole ' : ''}number`;
  if (integer && !Number.isSafeInteger(value)) return 'must be a whole number';
  if (min !== undefined && value < min) return `must be ${min} or more`;
  return max !== undefined && value > max ? `must be ${max} or less` : undefined;
}

function judgeDate(value: Json, { min, max }: FieldOf<'date'>): string | undefined {
  if (typeof value !== 'string' || !day.safeParse(value).success) return 'must be a day such as 2031-04-03';
  if (min !== undefined && value < min) return `must be ${min} or later`;
  return max !== undefined && value > max ? `must be ${max} or earlier` : undefined;
}

function judgeOption(value: Json, field: FieldOf<'option'>): string | undefined {
  const values = optionValues(field);
  const isOne = (one: Json): boolean => values.some((known) => known === one);
  const listed = values.join(', ').slice(0, 500);
  if (!field.several) return isOne(value) ? undefined : `must be one of ${listed}`;
  const isRight = Array.isArray(value) && value.length > 0 && value.every(isOne) && new Set(value).size === value.length;
  return isRight ? undefined : `must be a list of one or more of ${listed}, each once`;
}

function judgeList(value: Json, { of, maxItems }: FieldOf<'list'>): string | undefined {
  const isItem = (item: Json): boolean => (of === 'text' ? typeof item === 'string' : typeof item === 'number' && Number.isFinite(item));
  if (!Array.isArray(value) || !value.every(isItem)) return `must be a list of ${of}s`;
  return maxItems !== undefined && value.length > maxItems ? `must have ${maxItems} items or fewer` : undefined;
}
