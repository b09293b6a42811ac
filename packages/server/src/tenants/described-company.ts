// A company as its canvases see it: `$company`. No secret.
import { isJsonObject, type JsonObject } from '@hilo/engine/contract';
import type { Company } from './companies.ts';

/** Settings as drafts see them: those below `test` stand before the others of the same names. */
export function layTestSettings({ test, ...settings }: JsonObject): JsonObject {
  if (test === undefined) return settings;
  return isJsonObject(test) ? { ...settings, ...test } : { ...settings, test };
}

/** What canvases know of the fields of contacts: a write is judged by it. */
const describeFields = (fields: NonNullable<Company['fields']>): JsonObject =>
  Object.fromEntries(fields.map(({ key, type, options }) => [key, { type, ...(options !== undefined && { options: [...options] }) }]));

/** The `$company` of an execution. @param isDraft - for what runs drafts */
export function describeCompany(
  { id, name, plan, kind, timeZone, locale, fields, settings }: Company,
  { isDraft }: { readonly isDraft: boolean },
): JsonObject {
  return {
    id,
    name,
    plan,
    kind,
    settings: isDraft ? layTestSettings(settings) : settings,
    ...(timeZone !== undefined && { timeZone }),
    ...(locale !== undefined && { locale }),
    ...(fields !== undefined && { fields: describeFields(fields) }),
  };
}
