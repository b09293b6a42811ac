import { describe, expect, it } from 'vitest';
import { evaluate, reason } from '../../test/evaluated.ts';
import { celDifferences } from './differences.ts';
import { expressionLanguage } from './language.ts';

describe('the documentation of the expression language', () => {
  it.each(expressionLanguage.flatMap(({ examples }) => examples))('%s has the documented value', (source, value) => {
    expect(evaluate(source)).toEqual(value);
  });

  it.each(celDifferences.flatMap(({ examples }) => examples))('%s differs from CEL as documented', (source, value) => {
    let found: unknown = null;
    expect(reason(() => (found = evaluate(source))) === '').toBe(value !== null);
    expect(found).toEqual(value);
  });

  it('has an example and a sentence for each operator and function', () => {
    const bare = expressionLanguage.filter(({ says, examples }) => examples.length === 0 || !/^\p{Lu}.*\.$/su.test(says));
    expect(bare.map(({ forms }) => forms)).toEqual([]);
  });
});
