// Values that a JSON Schema allows: what a model answers that follows its instructions, and what an effect of an own node may give.
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';

/** Most values that one schema is given: each value of an enum is among them, as far as they reach. */
const maxSamples = 40;

/**
 * Values that are valid under a JSON Schema, as far as the keywords below are concerned: the plainest first, then one for each value that
 * a part of it may have.
 *
 * @param wanted - values that a reader compares with: those that fit a part are tried there
 */
export function samplesOfSchema(schema: Json | undefined, wanted: readonly Json[] = []): readonly Json[] {
  return distinct(listSamples(schema, wanted, 0)).slice(0, maxSamples);
}

/**
 * The answers of a model that follows its instructions: valid under the schema in them, provided the schema is on a line of its own.
 *
 * @param instructions - the system message
 */
export function answersToInstructions(instructions: string, wanted: readonly Json[] = []): readonly string[] {
  const line = instructions.split('\n').find((one) => one.startsWith('{'));
  if (line === undefined) return ['{}'];
  return samplesOfSchema(readSchema(line), wanted).map((value) => JSON.stringify(value));
}

function readSchema(line: string): Json | undefined {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return undefined; // a line of the author's own that only begins as one
  }
}

function listSamples(schema: Json | undefined, wanted: readonly Json[], depth: number): readonly Json[] {
  if (!isJsonObject(schema) || depth > 8) return [null];
  const { const: constant, enum: values, anyOf, oneOf, type } = schema;
  if (constant !== undefined) return [constant];
  if (isList(values)) return values.length === 0 ? [null] : values;
  for (const choices of [anyOf, oneOf]) if (isList(choices)) return choices.flatMap((one) => listSamples(one, wanted, depth + 1));
  switch (isList(type) ? type[0] : type) {
    case 'object':
      return listObjects(schema, wanted, depth);
    case 'array':
      return [
        [],
        ...listSamples(schema['items'], wanted, depth + 1)
          .slice(0, 3)
          .map((item) => [item]),
      ];
    case 'string':
      return listTexts(schema, wanted);
    case 'integer':
    case 'number':
      return listNumbers(schema, wanted);
    case 'boolean':
      return [true, false];
    default:
      return [null];
  }
}

/** The required properties with their plainest values, then every other value of each property beside them. */
function listObjects({ properties, required }: JsonObject, wanted: readonly Json[], depth: number): readonly Json[] {
  const known = isJsonObject(properties) ? properties : {};
  const names = isList(required) ? required.filter((name) => typeof name === 'string') : [];
  const values = new Map(
    [...new Set([...names, ...Object.keys(known)])].map((name) => [name, listSamples(known[name], wanted, depth + 1)]),
  );
  const plain = Object.fromEntries(names.map((name) => [name, values.get(name)?.[0] ?? null]));
  const longest = Math.max(1, ...[...values.values()].map(({ length }) => length));
  const turned = Array.from({ length: Math.min(longest, 8) }, (_, turn) =>
    Object.fromEntries([...values].map(([name, each]) => [name, each[turn % each.length] ?? null])),
  );
  const single = [...values].flatMap(([name, each]) => each.slice(1).map((value) => ({ ...plain, [name]: value })));
  return [plain, ...single, ...turned];
}

function listTexts({ minLength, maxLength, format }: JsonObject, wanted: readonly Json[]): readonly string[] {
  const least = typeof minLength === 'number' ? minLength : 1;
  const most = typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY;
  const ofFormat = typeof format === 'string' ? formatted[format] : undefined;
  const fitting = wanted.filter((value) => typeof value === 'string').filter(({ length }) => length >= least && length <= most);
  return ofFormat === undefined ? ['a'.repeat(least), ...fitting] : [ofFormat];
}

const formatted: { readonly [format: string]: string } = {
  date: '2031-03-04',
  'date-time': '2031-03-04T10:30:00Z',
  time: '10:30:00',
  email: 'ana@example.com',
  uri: 'https://example.com',
};

function listNumbers({ type, minimum, maximum }: JsonObject, wanted: readonly Json[]): readonly number[] {
  const least = typeof minimum === 'number' ? minimum : Number.NEGATIVE_INFINITY;
  const most = typeof maximum === 'number' ? maximum : Number.POSITIVE_INFINITY;
  const fitting = [...wanted.filter((value) => typeof value === 'number'), most]
    .map((value) => (type === 'integer' ? Math.round(value) : value))
    .filter((value) => Number.isFinite(value) && value >= least && value <= most);
  return [Math.max(least, Math.min(0, most)), ...fitting];
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

const distinct = (values: readonly Json[]): readonly Json[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value] as const)).values(),
];
