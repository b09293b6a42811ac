import { type Run, wrong } from './evaluation.ts';
import { fitValue, type LanguageFunction, parameterAt, type StaticKind, takesKinds } from './functions/define.ts';
import { functionByName, unknownFunction } from './functions/index.ts';
import { compilePattern, like, type Pattern } from './like.ts';
import { parseTimestamp } from './time.ts';
import { kindOf, type Value } from './value.ts';

/** A compiled part of an expression: a function of the variables, and the known kind of its value. */
export interface Compiled {
  readonly run: Run;
  readonly kind: StaticKind;
}

/** An error of the expression itself, for any values: an unknown function, mismatched kinds. Never leaves this folder. */
export class CompileError extends Error {
  override readonly name = 'CompileError';
}

/**
 * Compiles a call of a function; the receiver of a method call is its first argument.
 *
 * @param literals - the arguments that are literal texts
 */
export function compileCall(name: string, args: readonly Compiled[], literals: readonly (string | undefined)[]): Compiled {
  const definition = functionByName.get(name);
  if (definition === undefined) throw new CompileError(unknownFunction(name));
  const kinds = args.map(({ kind }) => kind);
  if (!takesKinds(definition, kinds)) throw new CompileError(`${noOverload(name, kinds)}; it takes ${definition.form}`);
  const refusal = refuseTimestamps(definition, literals) ?? definition.refuses?.(literals);
  if (refusal !== undefined) throw new CompileError(refusal);
  const kind = definition.gives;
  const [, literal] = literals;
  if (name === 'like' && literal !== undefined && args[0] !== undefined) return compileLike(args[0], literal);
  // In the order of CEL's library, from the last: of two that fail, it decides which failure `??` sees.
  const fromLast = args.map(({ run }) => run).reverse();
  const parameters = args.map((_, index) => parameterAt(definition, index));
  return {
    kind,
    run(evaluation) {
      const values: Value[] = [];
      for (const run of fromLast) {
        const value = run(evaluation);
        if (value === undefined) return undefined;
        values.push(value);
      }
      values.reverse();
      for (const [index, parameter] of parameters.entries()) {
        const value = values[index];
        const fitting = value === undefined ? undefined : fitValue(evaluation, parameter, value);
        if (fitting === undefined) return wrong(evaluation, `${noOverload(name, values.map(kindOf))}; it takes ${definition.form}`);
        values[index] = fitting;
      }
      return definition.call(evaluation, values);
    },
  };
}

/** A literal text where only a timestamp may be: if it is none, the expression always fails. */
function refuseTimestamps(definition: LanguageFunction, literals: readonly (string | undefined)[]): string | undefined {
  const wrongOne = literals.find((literal, index) => {
    const kinds = parameterAt(definition, index)?.kinds;
    return literal !== undefined && kinds?.has('timestamp') === true && !kinds.has('text') && parseTimestamp(literal) === undefined;
  });
  if (wrongOne === undefined) return undefined;
  return `${definition.name}() takes an instant in ISO 8601 with a zone, such as 2026-12-01T15:00:00Z, not "${wrongOne.slice(0, 40)}"`;
}

/** `like` with a literal pattern: compiled once, at first use, since that may take 20 ms. */
function compileLike(text: Compiled, literal: string): Compiled {
  let pattern: Pattern | string | undefined;
  return {
    kind: 'bool',
    run(evaluation) {
      const value = text.run(evaluation);
      if (value === undefined) return undefined;
      if (typeof value !== 'string') return wrong(evaluation, noOverload('like', [kindOf(value), 'text']));
      pattern ??= compilePattern(literal);
      return typeof pattern === 'string' ? wrong(evaluation, pattern) : like(evaluation, value, pattern);
    },
  };
}

const noOverload = (name: string, kinds: readonly StaticKind[]): string => `no such overload: ${name}(${kinds.join(', ')})`;
