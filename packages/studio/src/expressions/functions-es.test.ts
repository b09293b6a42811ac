// Each function and each thing that the engine provides is told in Spanish in the list of completions.
import { expect, it } from 'vitest';
import { completionsAt } from './completions.ts';
import * as spanish from './functions-es.ts';
import functions from './functions.json' with { type: 'json' };

const titles = { always: '', sometimes: '', canvas: '', fields: '', scopes: 'scopes', functions: '' };
const choices = { variables: [], workflows: [], credentials: [], templates: [], channels: [], valueOf: () => undefined };

it('tells every function in Spanish, and none that is not there', () => {
  expect(Object.keys(spanish.functionsInSpanish).toSorted()).toEqual([...new Set(functions.map(({ name }) => name))].toSorted());
});

it('leaves nothing in English', () => {
  const inEnglish = completionsAt('{{', 2, choices, titles)?.options ?? [];
  const inSpanish = completionsAt('{{', 2, choices, titles, spanish)?.options ?? [];
  expect(inSpanish.length).toBe(inEnglish.length);
  expect(inSpanish.map(({ label, apply }) => `${label} ${apply}`)).toEqual(inEnglish.map(({ label, apply }) => `${label} ${apply}`));
  const isScope = ({ section }: (typeof inEnglish)[number]): boolean => section.name === 'scopes';
  const same = inSpanish.filter((one, index) =>
    isScope(one) ? one.detail === inEnglish[index]?.detail : one.info === inEnglish[index]?.info,
  );
  expect(same.map(({ label }) => label)).toEqual([]);
});
