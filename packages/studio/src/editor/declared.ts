// The variables that a workflow declares, as lines with a name, a type and what each holds from the start.
import { isVariableName, type Json, type JsonObject } from '@hilo/engine/contract';
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

/** A declaration of another type, with what it holds where that can be of the new one. */
export function redeclared(declaration: JsonObject, type: DeclaredType): JsonObject {
  const { default: before, description } = declaration;
  const after = before === undefined ? undefined : valueAs(before, type);
  return { type, ...(after !== undefined && { default: after }), ...(description !== undefined && { description }) };
}

function valueAs(value: Json, type: DeclaredType): Json | undefined {
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
