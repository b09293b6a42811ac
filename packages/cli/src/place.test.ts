import type { Problem } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlaceFinder } from './place.ts';

const problemAt = (pointer: string, code = 'INVALID_CONFIG', message = ''): Problem => ({
  code,
  severity: 'error',
  pointer,
  message,
  hint: '',
});

const text = `{
  "name": "A name",
  "nodes": [
    { "id": "first", "data": { "a/b": 1, "list": [1, 22] } },
    { "type": "end" }
  ]
}`;

/** The marked part of the text. */
function marked(pointer: string, code?: string): string | undefined {
  const place = createPlaceFinder(text)(problemAt(pointer, code));
  return place && text.split('\n')[place.line - 1]?.slice(place.column - 1, place.column - 1 + place.length);
}

describe('placesIn', () => {
  it.each([
    ['a value', '/name', '"A name"'],
    ['an item of a list', '/nodes/0/data/list/1', '22'],
    ['a key with a slash', '/nodes/0/data/a~1b', '1'],
    ['an object by its id', '/nodes/0', '"first"'],
    ['an object without an id by where it begins', '/nodes/1', '{'],
    ['a list by its key', '/nodes', '"nodes"'],
    ['what is missing by what it is missing in', '/nodes/0/data/missing/deeper', '"data"'],
    ['the whole by where it begins', '', '{'],
  ])('marks %s', (_what, pointer, expected) => {
    expect(marked(pointer)).toBe(expected);
  });

  it('marks the key where the key is the problem', () => {
    expect(marked('/name', 'UNKNOWN_FIELD')).toBe('"name"');
    expect(marked('/nodes/0/data', 'FORBIDDEN_KEY')).toBe('"data"');
  });

  it('uses the last of two equal keys, as JSON does', () => {
    const place = createPlaceFinder('{"a": 1,\n"a": 2}')(problemAt('/a'));
    expect(place).toEqual({ line: 2, column: 6, length: 1 });
  });

  it('uses the place in the message when the text is no JSON', () => {
    const place = createPlaceFinder('{')(problemAt('', 'NOT_JSON', 'The text ends too early at line 1, column 2'));
    expect(place).toEqual({ line: 1, column: 2, length: 1 });
    expect(createPlaceFinder('{')(problemAt('/nodes'))).toBeUndefined();
  });

  it('finds every value of any JSON, behind a byte order mark and with line ends of Windows too', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'small' }), fc.constantFrom(0, 2), fc.boolean(), (value, indent, isOfWindows) => {
        const json = JSON.stringify(value, null, indent);
        const placeOf = createPlaceFinder(isOfWindows ? `\ufeff${json.replaceAll('\n', '\r\n')}` : json);
        for (const [pointer, leaf] of leavesOf(value)) {
          const place = placeOf(problemAt(pointer))!;
          const shown = json.split('\n')[place.line - 1]?.slice(place.column - 1, place.column - 1 + place.length);
          expect(shown).toBe(JSON.stringify(leaf));
        }
      }),
    );
  });
});

/** Every value that has no parts, with its pointer. */
function leavesOf(value: unknown, pointer = ''): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[pointer, value]];
  const step = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, `${pointer}/${step(key)}`));
}
