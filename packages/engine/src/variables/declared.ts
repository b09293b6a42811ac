import type { VariableDeclaration } from '../contract/canvas.ts';
import { isJsonObject, type Json, type JsonObject } from '../contract/json.ts';

/** Values as they were declared, or what is wrong with them. */
export type Declared = { readonly kind: 'fits'; readonly values: JsonObject } | { readonly kind: 'refused'; readonly reason: string };

/**
 * Holds values against their declarations: defaults fill what is missing, types must fit, nothing is coerced. Names that
 * are not declared pass as they are.
 */
export function asDeclared(values: JsonObject, declarations: { readonly [name: string]: VariableDeclaration } | undefined): Declared {
  const complete: { [name: string]: Json } = { ...values };
  for (const [name, { type, default: fallback }] of Object.entries(declarations ?? {})) {
    const value = complete[name] ?? fallback;
    if (value === undefined) return { kind: 'refused', reason: `"${name}" is missing; it is declared as ${type}` };
    if (type !== 'any' && typeOf(value) !== type)
      return { kind: 'refused', reason: `"${name}" is declared as ${type} and is ${typeOf(value)}` };
    complete[name] = value;
  }
  return { kind: 'fits', values: complete };
}

const typeOf = (value: Json): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : isJsonObject(value) ? 'object' : typeof value;

/** The values that declarations bring by themselves. */
export const defaultsOf = (declarations: { readonly [name: string]: VariableDeclaration } | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(declarations ?? {}).flatMap(([name, declared]) =>
      declared.default === undefined ? [] : [[name, declared.default] as const],
    ),
  );
