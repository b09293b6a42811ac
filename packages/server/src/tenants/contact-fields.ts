// The fields that a company declares for its contacts: their declaration in a workspace, and what a value of each type is.
import { type Json, type JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import type { ContactField, FieldValue } from '../platform/tables/companies.ts';
import { Name, optional, Text } from './workspace/fields.ts';

/** So many fields a company declares at most, and so many characters a value of one has. */
export const fieldLimits = { fields: 100, chars: 1_000 } as const;

const fieldTypes = ['text', 'number', 'bool', 'date', 'list'] as const;

/** Names that every object has. */
const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const Field = z.strictObject({
  key: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'The key of a field begins with a letter or "_" and has at most 64 letters, digits or "_"')
    .refine((key) => !reserved.has(key), { error: 'This key is reserved: choose another' }),
  label: Name,
  type: z.enum(fieldTypes),
  options: optional(z.array(Text.min(1).max(fieldLimits.chars)).min(1).max(200)),
  isPersonal: optional(z.boolean()),
});

/** The fields of a company, each key once. */
export const ContactFields = z
  .array(Field)
  .max(fieldLimits.fields, `A company has at most ${fieldLimits.fields} fields`)
  .superRefine((fields, context) => {
    const seen = new Set<string>();
    for (const [index, { key, type, options }] of fields.entries()) {
      if (seen.has(key)) context.addIssue({ code: 'custom', path: [index, 'key'], message: `There is a second field "${key}"` });
      seen.add(key);
      if (options !== undefined && type !== 'text' && type !== 'list')
        context.addIssue({ code: 'custom', path: [index, 'options'], message: `Only a field of text or list has options, not of ${type}` });
    }
  });

const Word = Text.min(1).max(200);

/** How a company hears what people say to marketing messages. */
export const Consent = z.strictObject({
  stop: z.array(Word).min(1).max(100),
  start: z.array(Word).max(100).default([]),
  confirmStop: optional(Text.min(1).max(4_096)),
  confirmStart: optional(Text.min(1).max(4_096)),
  categories: z.array(z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION'])).default(['MARKETING']),
});

/** The field with a key. */
export const findField = (fields: readonly ContactField[], key: string): ContactField | undefined =>
  fields.find((field) => field.key === key);

/** A date of the calendar, such as 2026-02-28. */
const isDate = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const atMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text);
};

const isShort = (text: string): boolean => text.length <= fieldLimits.chars;

/** Why a value is none of a field; `undefined` where it is. */
export function fieldProblem({ key, type, options }: ContactField, value: Json): string | undefined {
  const refuse = (what: string): string => `"${key}" is ${what}`;
  const isChoice = (text: string): boolean => options === undefined || options.includes(text);
  const choose = refuse(`one of ${(options ?? []).slice(0, 10).join(', ')}`);
  switch (type) {
    case 'text':
      if (typeof value !== 'string' || !isShort(value)) return refuse(`a text of at most ${fieldLimits.chars} characters`);
      return isChoice(value) ? undefined : choose;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? undefined : refuse('a number');
    case 'bool':
      return typeof value === 'boolean' ? undefined : refuse('true or false');
    case 'date':
      return typeof value === 'string' && isDate(value) ? undefined : refuse('a date such as 2026-12-31');
    case 'list':
      if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) return refuse('a list of texts');
      if (!isShort(value.join(''))) return refuse(`a list of at most ${fieldLimits.chars} characters together`);
      return value.every(isChoice) ? undefined : refuse(`a list of ${(options ?? []).slice(0, 10).join(', ')}`);
  }
}

/** What is wrong with given fields, by key; `null` removes a field. */
export function fieldProblems(fields: readonly ContactField[], given: JsonObject): { readonly [key: string]: string } {
  const known = fields.map(({ key }) => key);
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => {
      const field = findField(fields, key);
      if (field === undefined)
        return [
          [
            key,
            `"${key}" is no field of this company: ${known.length === 0 ? 'it declares none' : `it has ${known.slice(0, 20).join(', ')}`}`,
          ],
        ];
      const problem = value === null ? undefined : fieldProblem(field, value);
      return problem === undefined ? [] : [[key, problem]];
    }),
  );
}

/** Of stored fields those that are declared and fit: what a company no longer declares is not shown. */
export function readFields(fields: readonly ContactField[], stored: JsonObject): { readonly [key: string]: FieldValue } {
  return Object.fromEntries(
    Object.entries(stored).flatMap(([key, value]) => {
      const field = findField(fields, key);
      return field !== undefined && fieldProblem(field, value) === undefined && isFieldValue(value) ? [[key, value] as const] : [];
    }),
  );
}

const isFieldValue = (value: Json): value is FieldValue =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (Array.isArray(value) && value.every((one) => typeof one === 'string'));
