// The fields that a company keeps of its contacts, as its record has them.
import type { Json, JsonObject } from '@hilo/engine/contract';

/** A field of contacts that the company has. */
export interface ContactField {
  readonly key: string;
  readonly label?: string;
  readonly type: string;
}

const isField = (one: unknown): one is ContactField =>
  typeof one === 'object' && one !== null && 'key' in one && typeof one.key === 'string' && 'type' in one && typeof one.type === 'string';

/** @param company - its record */
export function readContactFields(company: { readonly [name: string]: unknown } | undefined): readonly ContactField[] {
  const fields = company?.['fields'];
  return Array.isArray(fields) ? (fields as readonly unknown[]).filter(isField) : [];
}

/** A value of a field as it is shown and written: a list with commas between. */
const shownValue = (value: Json | undefined): string =>
  value === undefined || value === null
    ? ''
    : Array.isArray(value)
      ? value.join(', ')
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);

/** The value of one field of a contact. */
export const valueOf = (fields: unknown, key: string): string => shownValue((fields as JsonObject | undefined)?.[key]);
