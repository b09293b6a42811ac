// What a field is said to take is what its schema takes: the numbers of descriptions, and those of the pages of nodes.
import { readFileSync } from 'node:fs';
import { isJsonObject, type Json } from '@hilo/engine/contract';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const schema = JSON.parse(read('packages/nodes/canvas.schema.json')) as Json;

interface Described {
  readonly description: string;
  readonly bounds: readonly Json[];
}

/** Every field with a description that has bounds of its own. */
function listFields(value: Json): readonly Described[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(listFields);
  if (!isJsonObject(value)) return [];
  const names = [
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'minProperties',
    'maxProperties',
    'exclusiveMinimum',
  ];
  const bounds = names.flatMap((name) => value[name] ?? []);
  const { description } = value;
  const own = typeof description === 'string' && bounds.length > 0 ? [{ description, bounds }] : [];
  return [...own, ...Object.values(value).flatMap(listFields)];
}

const number = (text: string): number => Number(text.replaceAll(',', ''));

it('the bounds that a description names are those of the schema', () => {
  const wrong = listFields(schema).flatMap(({ description, bounds }) =>
    [...description.matchAll(/\b(?:at most|up to|(\d[\d,]*) to) (\d[\d,]*)(?! ?(?:MB|kB|KB|s\b|seconds|px|%))/g)]
      .filter(([, from, to]) => [from, to].some((one) => one !== undefined && !bounds.includes(number(one))))
      .filter(() => !description.includes('when left out'))
      .map(() => [description.slice(0, 120), bounds]),
  );
  expect(wrong).toEqual([]);
});

it('the page of a node tells a number that is above its least one from one that is at least that', () => {
  const rows = read('docs/nodes/agent.md')
    .split('\n')
    .filter((row) => row.startsWith('| `limits.cost.amount`'));
  expect(rows).toEqual([expect.stringContaining('number, above 0 and at most 1,000,000')]);
});
