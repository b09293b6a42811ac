import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';

/**
 * What keeps arguments from being those of a tool, or `undefined`. Patterns are left to the function: a regular expression
 * that a company wrote never runs in this process (T18). So is a schema that says more than can be checked.
 */
export function argumentsProblem(inputSchema: JsonObject, given: JsonObject): string | undefined {
  const { error } = schemaOf(inputSchema).safeParse(given);
  return error?.issues.map(({ path, message }) => `${path.length === 0 ? '' : `${path.join('.')}: `}${message}`).join('; ');
}

function schemaOf(inputSchema: JsonObject): z.ZodType {
  try {
    return z.fromJSONSchema(withoutPatterns(inputSchema) as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return z.unknown();
  }
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
