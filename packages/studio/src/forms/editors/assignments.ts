import type { Json, JsonObject } from '@hilo/engine/contract';
import { isRecord } from '../../canvas/canvas-json.ts';
import { valueOf } from './rules.ts';

const known: ReadonlySet<string> = new Set(['path', 'value', 'ttl']);

/** Whether assignments are rows of a name and a text: values of other types, which a text would not keep, have the generated form. */
export const isAssignments = (value: Json | undefined): value is readonly JsonObject[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  (value as readonly Json[]).every(
    (row) => isRecord(row) && isText(row['path']) && isText(row['value']) && Object.keys(row).every((name) => known.has(name)),
  );

const isText = (value: Json | undefined): boolean => value === undefined || typeof value === 'string';

/** Whether the cases of a switch are what is read of them as texts: `7` is a number, and the text “7” has the generated form. */
export const isCases = (value: Json | undefined): value is readonly (string | number)[] =>
  Array.isArray(value) &&
  (value as readonly Json[]).every((one) => (typeof one === 'string' || typeof one === 'number') && valueOf(String(one)) === one);
