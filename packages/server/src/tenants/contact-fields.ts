// The fields that a company declares for its contacts: their declaration in a workspace, and what a value of each type is.
import {
  type ContactField,
  contactFieldLimits,
  contactFieldProblem,
  contactFieldTypes,
  foldLetters,
  type Json,
  type JsonObject,
} from '@hilo/engine/contract';
import { z } from 'zod';
import type { FieldValue } from '../platform/tables/companies.ts';
import { Name, optional, Text } from './workspace/fields.ts';

/** Names that every object has. */
const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const Field = z.strictObject({
  key: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'The key of a field begins with a letter or "_" and has at most 64 letters, digits or "_"')
    .refine((key) => !reserved.has(key), { error: 'This key is reserved: choose another' }),
  label: Name,
  type: z.enum(contactFieldTypes),
  options: optional(z.array(Text.min(1).max(contactFieldLimits.chars)).min(1).max(200)),
  isPersonal: optional(z.boolean()),
});

/** The fields of a company, each key once. */
export const ContactFields = z
  .array(Field)
  .max(contactFieldLimits.fields, `A company has at most ${contactFieldLimits.fields} fields`)
  .superRefine((fields, context) => {
    const seen = new Set<string>();
    for (const [index, { key, type, options }] of fields.entries()) {
      if (seen.has(key)) context.addIssue({ code: 'custom', path: [index, 'key'], message: `There is a second field "${key}"` });
      seen.add(key);
      if (options !== undefined && type !== 'text' && type !== 'list')
        context.addIssue({ code: 'custom', path: [index, 'options'], message: `Only a field of text or list has options, not of ${type}` });
    }
  });

/**
 * A word of consent as it is compared: as keywords are, since people write it in any case, in full width, with accents or invisible characters,
 * and without the punctuation in it. What has neither a letter nor a digit is no word.
 */
export function readConsentWord(written: string): string {
  const word = foldLetters(written)
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
  return /[\p{L}\p{N}]/u.test(word) ? word : '';
}

const Word = Text.min(1)
  .max(200)
  .refine((word) => readConsentWord(word) !== '', { error: 'A word needs a letter or a digit' });

/** How a company hears what people say to marketing messages. */
export const Consent = z
  .strictObject({
    stop: z.array(Word).min(1).max(100),
    start: z.array(Word).max(100).default([]),
    confirmStop: optional(Text.min(1).max(4_096)),
    confirmStart: optional(Text.min(1).max(4_096)),
    categories: z.array(z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION'])).default(['MARKETING']),
  })
  .superRefine(({ stop, start }, context) => {
    const stops = new Set(stop.map(readConsentWord));
    for (const [index, word] of start.entries())
      if (stops.has(readConsentWord(word)))
        context.addIssue({ code: 'custom', path: ['start', index], message: `"${word}" stops as well: a word says one of the two` });
  });

/** The field with a key. */
const findField = (fields: readonly ContactField[], key: string): ContactField | undefined => fields.find((field) => field.key === key);

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
      const problem = value === null ? undefined : contactFieldProblem(field, value);
      return problem === undefined ? [] : [[key, problem]];
    }),
  );
}

/** Of stored fields those that are declared and fit: what a company no longer declares is not shown. */
export function readFields(fields: readonly ContactField[], stored: JsonObject): { readonly [key: string]: FieldValue } {
  return Object.fromEntries(
    Object.entries(stored).flatMap(([key, value]) => {
      const field = findField(fields, key);
      return field !== undefined && contactFieldProblem(field, value) === undefined && isFieldValue(value) ? [[key, value] as const] : [];
    }),
  );
}

const isFieldValue = (value: Json): value is FieldValue =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  (Array.isArray(value) && value.every((one) => typeof one === 'string'));
