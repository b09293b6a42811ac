import { isJsonObject, type Json, JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';

/** A JSON Schema that answers are checked against. */
export interface OutputSchema {
  /** As the canvas has it. */
  readonly source: JsonObject;
  /** Why a value is invalid, or `undefined`. */
  problem(value: Json): string | undefined;
}

const maxSchemaChars = 16_384;
const maxProblemChars = 1_000;

/**
 * A JSON Schema of an object. Only keywords that are checked in one walk over the value are accepted: no `$ref`, which may be circular,
 * and no `pattern`, whose time is unbounded (T18).
 */
export const OutputSchema = JsonObject.meta({ description: 'A JSON Schema of the answer, which is an object' }).transform(
  (source, context): OutputSchema => {
    const refuse = (path: readonly (string | number)[], message: string): never => {
      context.addIssue({ code: 'custom', path: [...path], message });
      return z.NEVER;
    };
    if (source['type'] !== 'object') return refuse(['type'], 'An answer is an object: the schema begins with "type": "object"');
    if (JSON.stringify(source).length > maxSchemaChars) return refuse([], `A schema has at most ${maxSchemaChars} characters`);
    const wrong = findProblem(source, []);
    if (wrong !== undefined) return refuse(wrong.at, wrong.message);
    try {
      const checked = z.fromJSONSchema(source);
      return { source, problem: (value) => describeProblem(checked.safeParse(value)) };
    } catch (error) {
      const misshapen = findMisshapen(source, []);
      if (misshapen !== undefined) return refuse(misshapen.at, misshapen.message);
      // A TypeError is what JavaScript says of the program, and no sentence about the schema.
      const reason = error instanceof Error && !(error instanceof TypeError) ? `: ${error.message}` : '';
      return refuse([], `This is no JSON Schema that can be checked${reason}`);
    }
  },
);

/** What is wrong with a value, for people and models; `undefined` for nothing. */
export const describeProblem = ({ error }: { readonly error?: z.ZodError | undefined }): string | undefined =>
  error === undefined ? undefined : z.prettifyError(error).slice(0, maxProblemChars).toWellFormed();

const isText = (value: Json): boolean => typeof value === 'string';
const isTexts = (value: Json): boolean => Array.isArray(value) && value.every(isText);
const isNumber = (value: Json): boolean => typeof value === 'number';
const isCount = (value: Json): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isAnything = (): boolean => true;

/** Keywords without a schema as value: which values they may have, and in words. */
const plainKeywords: readonly (readonly [names: string, isRight: (value: Json) => boolean, words: string])[] = [
  ['$schema title description format', isText, 'a text'],
  ['type', (value) => isText(value) || isTexts(value), 'the name of a type, or a list of such names'],
  ['required', isTexts, 'a list of names'],
  ['enum examples', Array.isArray, 'a list of values'],
  ['minimum maximum exclusiveMinimum exclusiveMaximum multipleOf', isNumber, 'a number'],
  ['minLength maxLength minItems maxItems', isCount, 'a whole number from 0'],
  ['default const', isAnything, 'any value'],
];

/** By keyword: which values it may have. */
const plainRules = new Map(
  plainKeywords.flatMap(([names, isRight, words]) => names.split(' ').map((name) => [name, { isRight, words }] as const)),
);

/** The value of a keyword: a schema, a list of them, schemas by name, or no schema. */
const keywords: ReadonlyMap<string, 'schema' | 'list' | 'named' | 'plain'> = new Map([
  ['properties', 'named'],
  ['items', 'schema'],
  ['prefixItems', 'list'],
  ['additionalProperties', 'schema'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['allOf', 'list'],
  ...[...plainRules.keys()].map((keyword) => [keyword, 'plain'] as const),
]);

/**
 * The part of a schema that is checked in one walk: what a schema of somebody else demands beyond it stands out, and it is for them to
 * check.
 */
export function keepChecked(schema: Json): Json {
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): readonly (readonly [string, Json])[] => {
      switch (keywords.get(keyword)) {
        case undefined:
          return [];
        case 'plain':
          return plainRules.get(keyword)?.isRight(value) === true && keyword !== 'format' ? [[keyword, value]] : [];
        case 'schema':
          return [[keyword, keepChecked(value)]];
        case 'list':
          return Array.isArray(value) ? [[keyword, (value as readonly Json[]).map(keepChecked)]] : [];
        case 'named':
          return isJsonObject(value)
            ? [[keyword, Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, keepChecked(inside)]))]]
            : [];
      }
    }),
  );
}

interface SchemaProblem {
  readonly at: readonly (string | number)[];
  readonly message: string;
}

/** The first unsupported part of a schema. */
function findProblem(schema: Json | undefined, at: readonly (string | number)[]): SchemaProblem | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isJsonObject(schema)) return { at, message: 'A schema is an object, or true or false' };
  for (const [keyword, value] of Object.entries(schema)) {
    const place = [...at, keyword];
    const kind = keywords.get(keyword);
    if (kind === undefined) return { at: place, message: `"${keyword}" is not checked here: ${suggestRemedy(keyword)}` };
    if (kind === 'plain') continue;
    const inside = kind === 'schema' ? findProblem(value, place) : findProblemInside(kind, value, place);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

function findProblemInside(kind: 'list' | 'named', value: Json, at: readonly (string | number)[]): SchemaProblem | undefined {
  const isRight = kind === 'list' ? Array.isArray(value) : isJsonObject(value);
  if (!isRight) return { at, message: kind === 'list' ? 'Here is a list of schemas' : 'Here are schemas by name' };
  for (const [name, schema] of Object.entries(value ?? {})) {
    const found = findProblem(schema as Json, [...at, kind === 'list' ? Number(name) : name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first keyword of a schema with a value of a kind that it cannot have. */
function findMisshapen(schema: Json, at: readonly (string | number)[]): SchemaProblem | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const parts: readonly (readonly [string | number, Json])[] = Array.isArray(schema) ? [...schema.entries()] : Object.entries(schema);
  for (const [step, value] of parts) {
    const place = [...at, step];
    const isName = at.at(-1) === 'properties';
    const rule = isName || typeof step === 'number' ? undefined : plainRules.get(step);
    if (rule !== undefined && !rule.isRight(value)) return { at: place, message: `"${step}" is ${rule.words}` };
    const found = rule === undefined ? findMisshapen(value, place) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const suggestRemedy = (keyword: string): string =>
  keyword === '$ref' || keyword === '$defs'
    ? 'write the schema out where it is used'
    : keyword === 'pattern' || keyword === 'patternProperties'
      ? 'use "enum", "format" or lengths, or a condition behind this node'
      : 'leave it out';
