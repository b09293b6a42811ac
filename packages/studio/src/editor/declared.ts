// The variables that a workflow declares, as lines with a name, a type and what each holds from the start.
import { isReservedName, isVariableName, type Json, type JsonObject } from '@hilo/engine/contract';
import { isRecord } from '../canvas/canvas-json.ts';

/** In the order in which they are offered. */
export const declaredTypes = ['string', 'number', 'boolean', 'object', 'array', 'any'] as const;
export type DeclaredType = (typeof declaredTypes)[number];

/** The type of a declaration: any, where it says none. */
export const typeOf = ({ type }: JsonObject): DeclaredType => declaredTypes.find((one) => one === type) ?? 'any';

/** Whether lines show all of a value; another one is written as JSON alone. */
export const areDeclared = (value: Json | undefined): value is JsonObject | undefined =>
  value === undefined ||
  (isRecord(value) &&
    Object.values(value).every(
      (one: Json) =>
        isRecord(one) &&
        (one['type'] === undefined || declaredTypes.some((type) => type === one['type'])) &&
        Object.keys(one).every((name) => name === 'type' || name === 'default' || name === 'description'),
    ));

/** Whether a variable of the conversation may be called so; one is there already. */
export const mayBeNamed = (name: string): boolean => name !== 'executionId' && isVariableName(name);

/** What is typed as a name, with what none may have in between left out or replaced. */
export const nameTyped = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_]/g, '_')
    .replace(/^[^A-Za-z_]+/, '')
    .slice(0, 64);

/** The kinds of values that a variable may begin with, in the order in which they are offered. */
export const valueKinds = ['text', 'number', 'choice', 'list', 'fields', 'none'] as const;
export type ValueKind = (typeof valueKinds)[number];

/** The kind of a value; nothing is one as well. */
export function kindOfValue(value: Json | undefined): ValueKind {
  if (value === undefined || value === null) return 'none';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'choice' : 'fields';
}

const empty: { readonly [Kind in ValueKind]: Json | undefined } = {
  text: '',
  number: 0,
  choice: false,
  list: [],
  fields: {},
  none: undefined,
};

/** A value as one of another kind: what it holds where that can be, else what such a value begins as. */
export function valueAs(value: Json | undefined, kind: ValueKind): Json | undefined {
  if (kind === kindOfValue(value)) return value;
  if (value === undefined || value === null || kind === 'none') return empty[kind];
  if (kind === 'list') return [value];
  if (kind === 'text' && typeof value !== 'object') return String(value);
  if (kind === 'number' && typeof value === 'string') return numberIn(value) ?? 0;
  if (kind === 'choice') return value === 'true' || value === 1;
  return empty[kind];
}

/** Whether a value may have a part of this name, which expressions read. */
export const canBeField = (name: string): boolean => name !== '' && !isReservedName(name);

/** A declaration of another type, with what it holds where that can be of the new one. */
export function redeclared(declaration: JsonObject, type: DeclaredType): JsonObject {
  const { default: before, description } = declaration;
  const after = before === undefined ? undefined : keptAs(before, type);
  return { type, ...(after !== undefined && { default: after }), ...(description !== undefined && { description }) };
}

/** What a variable begins with stays where it can be of the new type. */
function keptAs(value: Json, type: DeclaredType): Json | undefined {
  if (type === 'any' || value === null) return value;
  if (type === 'string') return typeof value === 'object' ? undefined : String(value);
  if (type === 'number') return typeof value === 'string' ? numberIn(value) : typeof value === 'number' ? value : undefined;
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  return Array.isArray(value) === (type === 'array') && typeof value === 'object' ? value : undefined;
}

/** The number that a text is; `undefined` for one that is none. */
export function numberIn(text: string): number | undefined {
  const number = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number;
}
