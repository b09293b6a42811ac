import type { Json } from '@hilo/engine/contract';
import { isRecord, type JsonSchema } from '../canvas/canvas-json.ts';

/** How a value is edited, derived from its JSON Schema only; what the generator does not support is edited as JSON, never left out. */
export type Shape =
  | { readonly kind: 'text'; readonly maxLength?: number; readonly examples: readonly string[]; readonly format?: string }
  | { readonly kind: 'number'; readonly isInteger: boolean; readonly minimum?: number; readonly maximum?: number }
  | { readonly kind: 'boolean' }
  /** One of a few values: segments up to four, a select beyond. */
  | { readonly kind: 'choice'; readonly values: readonly Json[] }
  | { readonly kind: 'list'; readonly item: JsonSchema; readonly minItems: number; readonly maxItems?: number }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  | { readonly kind: 'record'; readonly value: JsonSchema }
  /** Told apart by a field that is constant in each. */
  | { readonly kind: 'union'; readonly tag: string; readonly options: readonly UnionOption[] }
  /** A value of its own kind, or a text with `{{`: a toggle between the two. */
  | { readonly kind: 'valueOrExpression'; readonly value: JsonSchema }
  /** Alternatives identified by their JSON type, such as a boolean, or else a text. */
  | { readonly kind: 'types'; readonly options: readonly JsonSchema[] }
  /** Any value, mostly a text with expressions in it. */
  | { readonly kind: 'template' }
  | { readonly kind: 'constant'; readonly value: Json }
  | { readonly kind: 'json' };

export interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

export interface UnionOption {
  /** The value of the tag that chooses it. */
  readonly tag: Json;
  readonly schema: JsonSchema;
}

/** Common fields of nodes besides the label: under "More settings". */
export const moreSettings: ReadonlySet<string> = new Set(['notes', 'retry', 'hold', 'mask', 'onError']);

/** @param root - the schema that `$ref` looks into */
export function shapeOf(given: JsonSchema, root: JsonSchema): Shape {
  const schema = resolve(given, root);
  const { type, enum: values, anyOf, oneOf } = schema;
  if ('const' in schema) return { kind: 'constant', value: schema['const'] ?? null };
  if (Array.isArray(values)) return { kind: 'choice', values: values as readonly Json[] };
  const options = schemasIn(oneOf ?? anyOf).map((option) => resolve(option, root));
  const [only] = options;
  if (options.length === 1 && only !== undefined) return shapeOf(only, root);
  if (options.length > 0) return choiceOf(options, root);
  switch (type) {
    case 'string':
      return {
        kind: 'text',
        examples: Array.isArray(schema['examples']) ? schema['examples'].filter((one) => typeof one === 'string') : [],
        ...numeric(schema, 'maxLength'),
        ...(typeof schema['format'] === 'string' && { format: schema['format'] }),
      };
    case 'number':
    case 'integer':
      return { kind: 'number', isInteger: type === 'integer', ...numeric(schema, 'minimum'), ...numeric(schema, 'maximum') };
    case 'boolean':
      return { kind: 'boolean' };
    case 'array':
      return isSchema(schema['items'])
        ? { kind: 'list', item: schema['items'], minItems: numeric(schema, 'minItems').minItems ?? 0, ...numeric(schema, 'maxItems') }
        : { kind: 'json' };
    case 'object':
      if (isSchema(schema['properties'])) return { kind: 'object', fields: fieldsOf(schema) };
      return isSchema(schema['additionalProperties']) ? { kind: 'record', value: schema['additionalProperties'] } : { kind: 'json' };
    default:
      return { kind: 'json' };
  }
}

/** Label first, then what must be there, then the rest, each in the order of the schema. */
export function fieldsOf(schema: JsonSchema): readonly Field[] {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const fields = Object.entries(isSchema(schema['properties']) ? schema['properties'] : {}).flatMap(([name, field]): Field[] =>
    isSchema(field) ? [{ name, schema: field, isRequired: required.has(name) }] : [],
  );
  const rank = ({ name, isRequired }: Field): number => (name === 'label' ? 0 : isRequired ? 1 : moreSettings.has(name) ? 3 : 2);
  return fields.toSorted((left, right) => rank(left) - rank(right));
}

function choiceOf(options: readonly JsonSchema[], root: JsonSchema): Shape {
  const values = options.filter((option) => !isExpressionText(option));
  const [first] = values;
  if (values.length < options.length && first !== undefined) {
    return { kind: 'valueOrExpression', value: values.length === 1 ? first : { oneOf: values as readonly Json[] } };
  }
  const kinds = new Set(options.map((option) => option['type']));
  if (kinds.has('string') && kinds.has('number') && kinds.has('array') && kinds.has('object')) return { kind: 'template' };
  // What may be null may as well be left out: there is a button for that.
  const present = options.filter((option) => option['type'] !== 'null');
  if (present.length > 0 && present.length < options.length) return shapeOf({ oneOf: present as readonly Json[] }, root);
  const tag = ['type', 'kind', 'op', 'operation', 'mode'].find((name) => options.every((option) => tagsOf(option, name, root).length > 0));
  if (tag === undefined) return kinds.size === options.length && !kinds.has(undefined) ? { kind: 'types', options } : { kind: 'json' };
  return {
    kind: 'union',
    tag,
    options: options.flatMap((option) => tagsOf(option, tag, root).map((value) => ({ tag: value, schema: option }))),
  };
}

/** A text that is, or holds, an expression. */
const isExpressionText = ({ type, pattern }: JsonSchema): boolean =>
  type === 'string' && typeof pattern === 'string' && pattern.includes(String.raw`\{\{`);

/** The constants that a field of an alternative may have. */
function tagsOf(option: JsonSchema, name: string, root: JsonSchema): readonly Json[] {
  const field = isSchema(option['properties']) ? option['properties'][name] : undefined;
  if (!isSchema(field)) return [];
  const shape = shapeOf(field, root);
  return shape.kind === 'constant' ? [shape.value] : shape.kind === 'choice' ? shape.values : [];
}

const isSchema = (value: Json | undefined): value is JsonSchema & { readonly [keyword: string]: Json } => isRecord(value);
const schemasIn = (value: Json | undefined): readonly JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

const numeric = <Name extends string>(schema: JsonSchema, name: Name): { readonly [field in Name]?: number } =>
  typeof schema[name] === 'number' ? ({ [name]: schema[name] } as { readonly [field in Name]: number }) : {};

/** Follows `$ref` into the root. What leads nowhere, or in a circle, is any value. */
function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let at = schema;
  for (let steps = 0; typeof at['$ref'] === 'string' && steps < 20; steps += 1) {
    const path = at['$ref'].startsWith('#') ? at['$ref'].slice(1).split('/').slice(1) : [undefined];
    let found: Json | undefined = root as Json;
    for (const step of path)
      found = step !== undefined && isRecord(found) ? (found as JsonSchema)[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
    if (!isSchema(found)) return {};
    const { $ref: _ref, ...beside } = at;
    at = { ...found, ...beside };
  }
  return typeof at['$ref'] === 'string' ? {} : at;
}

/** The alternative of the JSON type that a value has. */
export const optionOfType = ({ options }: Extract<Shape, { readonly kind: 'types' }>, value: Json | undefined): JsonSchema | undefined =>
  options.find(({ type }) => type === jsonType(value) || (type === 'integer' && typeof value === 'number'));

const jsonType = (value: Json | undefined): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** The alternative of a value; `undefined` when none fits. */
export const optionOf = (shape: Extract<Shape, { readonly kind: 'union' }>, value: Json | undefined): UnionOption | undefined => {
  const tag = isRecord(value) ? value[shape.tag] : undefined;
  return shape.options.find((option) => option.tag === tag);
};

/** Switches to another alternative. Fields of the same name stay; fields that the other does not have are dropped. */
export function switchTo(
  shape: Extract<Shape, { readonly kind: 'union' }>,
  value: Json | undefined,
  option: UnionOption,
  root: JsonSchema,
): Json {
  const fresh = emptyOf(option.schema, root);
  const known = new Set(fieldsOf(option.schema).map(({ name }) => name));
  const kept: { [field: string]: Json } = {};
  if (isRecord(value)) for (const [name, item] of Object.entries(value)) if (known.has(name)) kept[name] = item;
  return { ...(isRecord(fresh) ? fresh : {}), ...kept, [shape.tag]: option.tag };
}

/** The least value of a schema: what must be there, with defaults, and nothing else. */
export function emptyOf(schema: JsonSchema, root: JsonSchema, depth = 0): Json {
  const given = resolve(schema, root);
  if (given['default'] !== undefined) return given['default'];
  const shape = shapeOf(given, root);
  if (depth > 8) return null;
  switch (shape.kind) {
    case 'constant':
      return shape.value;
    case 'choice':
      return shape.values[0] ?? null;
    case 'number':
      return Math.max(0, shape.minimum ?? 0);
    case 'boolean':
      return false;
    case 'list':
      return Array.from({ length: Math.min(shape.minItems, 10) }, () => emptyOf(shape.item, root, depth + 1));
    case 'object':
      return Object.fromEntries(
        shape.fields.filter(({ isRequired }) => isRequired).map(({ name, schema: field }) => [name, emptyOf(field, root, depth + 1)]),
      );
    case 'record':
      return {};
    case 'union': {
      const [first] = shape.options;
      return first === undefined ? {} : switchTo(shape, undefined, first, root);
    }
    case 'valueOrExpression':
      return emptyOf(shape.value, root, depth + 1);
    case 'types':
      return emptyOf(shape.options[0] ?? {}, root, depth + 1);
    case 'text':
    case 'template':
      return '';
    case 'json':
      return null;
  }
}

/** Sets a field of an object; `undefined` removes it. Other fields, known or not, are unchanged and in order. */
export function withField(value: Json | undefined, name: string, field: Json | undefined): { readonly [field: string]: Json } {
  const record = isRecord(value) ? value : {};
  if (field !== undefined) return { ...record, [name]: field };
  const { [name]: _gone, ...others } = record;
  return others;
}

/** Fields of a value that its schema does not contain: they are shown as JSON, and kept. */
export const unknownFields = (value: Json | undefined, fields: readonly Field[]): readonly string[] =>
  isRecord(value) ? Object.keys(value).filter((name) => !fields.some((field) => field.name === name)) : [];

/** A field's name in words: `saveAs` as "Save as". */
export function labelOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** ISO 8601 of a number and a unit, and back; `undefined` where a duration has more than one part. */
export type DurationUnit = 'seconds' | 'minutes' | 'hours' | 'days';
const units: readonly (readonly [DurationUnit, string, string])[] = [
  ['days', 'P', 'D'],
  ['hours', 'PT', 'H'],
  ['minutes', 'PT', 'M'],
  ['seconds', 'PT', 'S'],
];
export function readDuration(text: string): { readonly amount: number; readonly unit: DurationUnit } | undefined {
  for (const [unit, before, after] of units) {
    const [, digits] = new RegExp(`^${before}(\\d{1,9})${after}$`).exec(text) ?? [];
    if (digits !== undefined) return { amount: Number(digits), unit };
  }
  return undefined;
}
export function writeDuration(amount: number, unit: DurationUnit): string {
  const [, before = '', after = ''] = units.find(([name]) => name === unit) ?? [];
  return `${before}${amount}${after}`;
}
