/** The streaming parser of workspaces reads as every other door for JSON does. */
import { parseJsonText } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWorkspaceParser } from './source.ts';

const parsed = (text: string, cut: number): unknown => {
  const parser = createWorkspaceParser(() => undefined);
  parser.write(text.slice(0, cut));
  parser.write(text.slice(cut));
  return parser.end();
};

describe('a workspace', () => {
  it('keeps the digits of its numbers, wherever its text is cut', () =>
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.nat(60),
        (id, number, cut) => {
          const text = `{"ids": [${id}, ${JSON.stringify(number)}], "of": {"id": ${id}}}`;
          expect(parsed(text, cut)).toEqual(parseJsonText(text));
        },
      ),
    ));

  it.each([
    ['{"companies": [], "companies": []}', '"companies" stands twice in the workspace'],
    ['{"companies": [{"id": 1, "bots": [], "bots": []}]}', '"bots" stands twice in /companies/0'],
    ['{"companies": [{}, {"users": [], "name": "A", "users": []}]}', '"users" stands twice in /companies/1'],
    ['{"companies": [{"users": [{"id": "1"}, {"id": "2", "id": "3"}]}]}', '"id" stands twice in /companies/0/users'],
    ['{"companies": [{"users": [{"fields": {"a": 1, "a": 1}}]}]}', '"a" stands twice in /companies/0/users'],
    [String.raw`{"companies": [{"na\u006de": "A", "name": "A"}]}`, '"name" stands twice'],
  ])('has no key twice, wherever its text is cut: %s', (text, message) => {
    for (const cut of [0, 20, text.length - 4]) expect(() => parsed(text, cut)).toThrow(message);
  });

  it.each([
    ['{"__proto__": {"companies": []}}', 'in the workspace'],
    ['{"companies": [{"settings": {"__proto__": {"a": 1}}}]}', 'in /companies/0/settings'],
    ['{"companies": [{"users": [{"fields": {"__proto__": 1}}]}]}', 'in /companies/0/users'],
    [
      '{"companies": [{"functions": [{"tools": [{"inputSchema": {"__proto__": []}}]}]}]}',
      'in /companies/0/functions/0/tools/0/inputSchema',
    ],
    [String.raw`{"companies": [{"__pr\u006fto__": 1}]}`, 'in /companies/0'],
  ])('tells of a key that would be a prototype: %s', (text, place) => {
    for (const cut of [0, 20, text.length - 4]) expect(() => parsed(text, cut)).toThrow(`The key "__proto__" ${place} is reserved`);
  });

  it.each(['{"companies": [{"name": "', '{"companies": [', '{"companies": [1', '{"a'])('has no value without an end: %s', (beginning) => {
    const parser = createWorkspaceParser(() => undefined);
    const filler = (beginning.endsWith('[') ? ' ' : beginning.endsWith('1') ? '1' : 'x').repeat(1_000_000);
    parser.write(beginning);
    expect(() => {
      for (let piece = 0; piece < 33; piece += 1) parser.write(filler);
    }).toThrow('has more than 32000000 characters');
  });

  it('has the same key in objects beside and in one another', () => {
    const text =
      '{"companies": [{"id": 1, "users": [{"id": "1", "fields": {"id": 1}}, {"id": "2"}], "of": {"id": {"id": 1}}}, {"id": 2}], "id": 3}';
    for (const cut of [0, 40, 90]) expect(parsed(text, cut)).toMatchObject({ id: 3, companies: [{ id: 1 }, { id: 2 }] });
  });

  const withKey = (length: number): string => JSON.stringify({ companies: [{ ['k'.repeat(length)]: 1 }] });
  const withKeys = (count: number): string =>
    JSON.stringify({ companies: [{ settings: Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])) }] });

  it.each([withKey(999), withKey(1_000), withKeys(9_999), withKeys(10_000)])('takes keys up to their bounds (%#)', (text) =>
    expect(parsed(text, 20)).toEqual(JSON.parse(text)),
  );

  it.each([
    [withKey(1_001), 'A key in /companies/0 has more than 1000 characters: "kkk'],
    [withKeys(10_001), 'An object in /companies/0/settings has more than 10000 keys'],
  ])('refuses keys over their bounds, which refusals repeat and checks walk (%#)', (text, message) =>
    expect(() => parsed(text, 20)).toThrow(message),
  );
});
