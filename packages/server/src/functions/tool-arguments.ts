import { getPath, isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';

/**
 * What keeps arguments from being those of a tool, or `undefined`. Patterns are left to the function: a regular expression
 * that a company wrote never runs in this process (T18). So is a schema that says more than can be checked, and one that
 * could take too long (P20).
 */
export function argumentsProblem(inputSchema: JsonObject, given: JsonObject): string | undefined {
  if (sizeOf(inputSchema) * valuesIn(given) > mostChecks) return undefined;
  const { error } = schemaOf(inputSchema).safeParse(given);
  return error?.issues.map(({ path, message }) => `${path.length === 0 ? '' : `${path.join('.')}: `}${message}`).join('; ');
}

/** A schema as clients see it: arguments are an object, whether it says so or not. */
export const objectSchema = (inputSchema: JsonObject): JsonObject & { readonly type: 'object' } => ({ ...inputSchema, type: 'object' });

function schemaOf(inputSchema: JsonObject): z.ZodType {
  try {
    return z.fromJSONSchema(withoutPatterns(objectSchema(inputSchema)) as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return z.unknown();
  }
}

/** Every part of a schema looks at every value once at most. These many checks take some 50 ms. */
const mostChecks = 50_000;

const valuesIn = (value: Json): number =>
  typeof value !== 'object' || value === null ? 1 : Object.values(value).reduce<number>((sum, item: Json) => sum + valuesIn(item), 1);

/** How much of a schema there is, in every place that it refers to itself from; endless where it goes round in circles. */
function sizeOf(schema: JsonObject): number {
  const sizes = new Map<string, number>();
  const sizeBehind = (reference: string): number => {
    const known = sizes.get(reference);
    if (known !== undefined) return known;
    const [, place = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
    const definition = getPath(schema, [place, name]);
    sizes.set(reference, Infinity); // as long as it is not known
    const size = definition === undefined ? Infinity : sizeIn(definition);
    sizes.set(reference, size);
    return size;
  };
  const sizeIn = (part: Json): number => {
    if (typeof part !== 'object' || part === null) return 1;
    const $ref = isJsonObject(part) ? part['$ref'] : undefined;
    const behind = typeof $ref === 'string' ? sizeBehind($ref) : 0;
    return Object.values(part).reduce<number>((sum, item: Json) => sum + sizeIn(item), 1 + behind);
  };
  const { $defs: _, definitions: __, ...inside } = schema; // reached by references alone
  return sizeIn(inside);
}

function withoutPatterns(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([name, value]) => !(patterns.has(name) && isPattern(name, value)));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutPatterns(value)]));
}

const patterns: ReadonlySet<string> = new Set(['pattern', 'patternProperties', 'format']);

/** A property of the arguments may have such a name, too: its value is a schema. */
const isPattern = (name: string, value: Json): boolean => name === 'patternProperties' || typeof value === 'string';
