// Each thing that a standard node asks the world for is called by a word of people, in each language.
import { standardNodes } from '@hilo/nodes';
import { expect, it } from 'vitest';
import { effectWords } from './effect-words.ts';

it.each(['en', 'es'] as const)('no effect of the standard nodes is without a word in %s', (language) => {
  const types = new Set(standardNodes.flatMap(({ effects = [] }) => effects.map(({ type }) => type)));
  expect(types.size).toBeGreaterThan(10);
  expect([...types].filter((type) => !Object.hasOwn(effectWords[language], `effect.${type}`))).toEqual([]);
});
