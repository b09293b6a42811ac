import { isJsonObject, type Json } from '@hilo/engine/contract';

/** What nobody expects in place of anything; `undefined` stands for its absence. */
const replacements: readonly (Json | undefined)[] = [
  undefined,
  null,
  true,
  -1,
  1.5,
  1e308,
  '',
  ' ',
  'x',
  '-1',
  '1e999',
  '\0',
  '\ud800',
  'é'.repeat(70_000),
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`, // JSON in a text, deeper than any stack
  [],
  [null],
  [[]],
  {},
  { x: null },
  { toString: null, constructor: 'x', length: -1 },
];

/** A value with each of its parts replaced in turn, and the path of that part. */
export function* changes(value: Json, path = ''): Generator<{ readonly path: string; readonly value: Json | undefined }> {
  for (const replacement of replacements) yield { path, value: replacement };
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    yield { path: `${path}.twice`, value: [...list, ...list] };
    for (const [index, item] of list.entries())
      for (const change of changes(item, `${path}.${index}`)) yield { path: change.path, value: list.with(index, change.value ?? null) };
  } else if (isJsonObject(value)) {
    yield { path: `${path}.more`, value: { ...value, unheard_of: { deep: [1] } } };
    for (const [name, item] of Object.entries(value)) {
      const { [name]: _left, ...others } = value;
      for (const change of changes(item, `${path}.${name}`))
        yield { path: change.path, value: change.value === undefined ? others : { ...value, [name]: change.value } };
    }
  }
}
