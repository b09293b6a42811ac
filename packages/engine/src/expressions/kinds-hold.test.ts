// What the check infers of an expression holds when it runs: the kind of its value, and that it fails with values of the kinds that are known.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HiloError } from '../contract/errors.ts';
import { expression, kindOfVariable, variables } from '../../test/arbitrary-expressions.ts';
import { type Json, kindOf } from '../contract/json.ts';
import { getPath, type Path } from '../variables/path.ts';
import { compileExpression, type Expression, inferKind } from './expression.ts';
import { compileJson, compileText, kindOfTemplate } from './template.ts';

const attempt = <Value>(work: () => Value): { readonly value: Value } | undefined => {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof HiloError) return undefined;
    throw error;
  }
};

/** What decides by itself, or compares, may have a part that fails. */
const mayDecide = /[?&|]|[!=]=/;

it('is what the check says of it, alone, in brackets, in JSON and in a text', () => {
  fc.assert(
    fc.property(expression, variables, (source, values) => {
      const compiled = attempt<Expression>(() => compileExpression(source));
      if (compiled === undefined) return;
      const get = (path: Path): Json | undefined => getPath({ $context: values, $user: {}, $company: {} }, path);
      const view = { get, nowMs: 1_930_000_000_000 };
      const answer = attempt(() => compiled.value(view));
      expect(attempt(() => compileExpression(`(${source})`)(view))).toEqual(answer);
      expect(attempt(() => compileJson(`{{${source}}}`)(view))).toEqual(answer);
      const shown = answer && (typeof answer.value === 'string' ? answer.value : answer.value === null ? '' : JSON.stringify(answer.value));
      expect(attempt(() => compileText(`a${`{{${source}}}`}`)(view))?.value).toBe(shown === undefined ? undefined : `a${shown}`);
      const inferred = inferKind(source, kindOfVariable);
      expect(answer === undefined || 'kind' in inferred || mayDecide.test(source)).toBe(true);
      const kind = kindOfTemplate(`{{${source}}}`, kindOfVariable);
      expect(answer === undefined || kind === undefined ? kind : kindOf(answer.value)).toBe(kind);
    }),
    { numRuns: 400 },
  );
});
