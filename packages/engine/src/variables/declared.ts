import type { VariableDeclaration } from '../contract/canvas.ts';
import { type Json, type JsonObject, kindOf } from '../contract/json.ts';
import { getPath } from './path.ts';

/** Values checked against their declarations, or the problems. */
export type Declared = { readonly kind: 'fits'; readonly values: JsonObject } | { readonly kind: 'refused'; readonly reason: string };

/**
 * Checks values against their declarations: defaults replace missing values, types must match, nothing is coerced. Undeclared names
 * pass unchanged.
 */
export function checkDeclared(values: JsonObject, declarations: Declarations | undefined): Declared {
  if (declarations === undefined || isEmpty(declarations)) return { kind: 'fits', values };
  const complete: { [name: string]: Json } = { ...values };
  for (const [name, { type, default: fallback, optional }] of Object.entries(declarations)) {
    const given = getPath(values, [name]);
    const value = (given ?? null) === null && fallback !== undefined ? fallback : given; // null is a value when there is no default
    if (value === undefined && optional === true) continue;
    if (value === undefined) return { kind: 'refused', reason: `"${name}" is missing; it is declared as ${type}` };
    if (type !== 'any' && value !== fallback && kindOf(value) !== type)
      return { kind: 'refused', reason: `"${name}" is declared as ${type} and is ${kindOf(value)}` };
    complete[name] = value;
  }
  return { kind: 'fits', values: complete };
}

/** Why a start with these inputs is refused, or `undefined`: one is missing, is of another type, or is not among those declared. */
export function findWrongInput(values: JsonObject, declarations: Declarations | undefined): string | undefined {
  if (declarations === undefined || isEmpty(declarations)) return undefined;
  const names = Object.keys(declarations);
  const unknown = Object.keys(values).find((name) => !names.includes(name));
  if (unknown !== undefined) return `"${unknown}" is none of the declared inputs, which are ${names.join(', ')}`;
  const checked = checkDeclared(values, declarations);
  return checked.kind === 'refused' ? checked.reason : undefined;
}

/** Declared inputs, outputs or variables, by name; an input may be optional. */
type Declarations = { readonly [name: string]: VariableDeclaration & { readonly optional?: boolean | undefined } };

/** The values that declarations bring by themselves. */
export const readDefaults = (declarations: Declarations | undefined): JsonObject =>
  declarations === undefined || isEmpty(declarations)
    ? none
    : Object.fromEntries(
        Object.entries(declarations).flatMap(([name, declared]) =>
          declared.default === undefined ? [] : [[name, declared.default] as const],
        ),
      );

const none: JsonObject = Object.freeze({});

/** Whether an object has no names of its own. */
export function isEmpty(object: object): boolean {
  for (const name in object) if (Object.hasOwn(object, name)) return false;
  return true;
}
