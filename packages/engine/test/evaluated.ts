import { HiloError } from '../src/contract/errors.ts';
import type { Json, JsonObject } from '../src/contract/json.ts';
import { compileExpression } from '../src/expressions/expression.ts';
import { getPath } from '../src/variables/path.ts';

/** Variables as they stand, of which nobody counts what they cost. */
export const variables = (root: JsonObject) => ({ get: (path: readonly (string | number)[]) => getPath(root, path) });
/** What an expression comes to. */
export const evaluate = (source: string, root: JsonObject = {}): Json => compileExpression(source)(variables(root));
/** Why an expression is refused; empty when it is not. */
export const reason = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof HiloError && error.code === 'EXPRESSION') return error.message;
    throw error;
  }
  return '';
};
