import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../contract/limits.ts';
import { locateJsonFault, readJsonText } from './read-json.ts';

const read = (text: string) => {
  const result = readJsonText(text);
  return result.problems.length > 0 ? result.problems.map(({ code, message }) => `${code}: ${message}`).join('\n') : result.value;
};

/** Texts of JSON tokens, in any order. */
const scraps = fc
  .array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '\n', '\r', ' ', '1', '.', '-', 'e', 'true', 'null', '\0'))
  .map((parts) => parts.join(''));

/** What JSON.parse makes of a text. */
function parsed(text: string): unknown {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return 'refused';
  }
}

/** The same of ours, where a refusal must name a place. */
function ours(text: string): unknown {
  const result = readJsonText(text);
  if ('value' in result) return { value: result.value };
  return / at line \d+, column \d+$/.test(result.problems[0]?.message ?? '') ? 'refused' : result.problems;
}

describe('locateJsonFault', () => {
  it.for([
    ['', 'line 1, column 1'],
    ['{', 'line 1, column 2'],
    ['{\n  "a": 1,\n  b: 2\n}', 'line 3, column 3'],
    ['{ "a": 1 }}', 'line 1, column 11'],
    ['[1, 2\n', 'line 1, column 6'],
    ['{ "a": "x\ny" }', 'line 1, column 10'],
  ] as const)('finds the fault of %j', ([text, place]) => expect(locateJsonFault(text)).toBe(place));

  it('names a place inside every text that JSON.parse refuses', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string(), scraps), (text) => {
        fc.pre(parsed(text) === 'refused');
        const [, line = 0, column = 0] = /^line (\d+), column (\d+)$/.exec(locateJsonFault(text)) ?? [];
        const lines = text.split(/\r\n|\n|\r/);
        expect(Number(column)).toBeLessThanOrEqual((lines[Number(line) - 1] ?? '').length + 1);
        expect(Number(column)).toBeGreaterThan(0);
      }),
    ));
});

describe('readJsonText', () => {
  it('reads what JSON.parse reads, and nothing else', () =>
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), scraps), (text) => {
        fc.pre(readJsonText(text).problems.every(({ code }) => code !== 'REPEATED_KEY'));
        expect(ours(text)).toEqual(parsed(text));
      }),
    ));

  it('refuses duplicate keys of an object, and names the place of each', () => {
    // A key that occurs nowhere else in the value, written in either of two ways.
    const spelling = fc.constantFrom('"twice"', '"tw\\u0069ce"', '"\\u0074wice"');
    const value = fc.jsonValue({ maxDepth: 3 }).map((one) => JSON.stringify(one));
    const others = fc.uniqueArray(
      fc.string().filter((key) => key !== 'twice'),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(spelling, value), { minLength: 1, maxLength: 4 }), others, value, (copies, keys, between) => {
        const marks: number[] = [];
        let text = `[${between},\n{`;
        for (const [index, [key, item]] of copies.entries()) {
          if (index > 0) marks.push(text.length);
          text += `${key}: ${item},\r\n`;
        }
        text += `${keys.map((key) => `${JSON.stringify(key)}:${between},`).join('\n')}"last":{"last":{}, "other":[{"last":1},{"last":1}]}}]`;
        const expected = marks.map((offset) => {
          const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
          return `REPEATED_KEY: The key "twice" stands in its object already; it stands there again at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
        });
        expect(read(text)).toEqual(expected.length === 0 ? JSON.parse(text) : expected.join('\n'));
      }),
    );
  });

  it('passes over a byte order mark', () => {
    expect(read('\ufeff{"a":1}')).toEqual({ a: 1 });
  });

  it.each([
    ['', 'The text is empty at line 1, column 1'],
    ['\ufeff \n', 'The text is empty at line 1, column 1'],
    ['{\n  "a": 1,\n}', 'Unexpected "}" (the comma before it is one too many) at line 3, column 1'],
    ['[1,,2]', 'Unexpected "," (nothing stands before this comma) at line 1, column 4'],
    ['{\n// a\n"a": 1}', 'Unexpected "/" (JSON has no comments) at line 2, column 1'],
    ['```json\n{}\n```', 'Unexpected "`" (the marks of Markdown around it are no part of it) at line 1, column 1'],
    ['Here it is: {}', 'Unexpected "H" (the text begins with no "{") at line 1, column 1'],
    ["{'a': 1}", 'Unexpected "\'" (names and texts have double quotes around them) at line 1, column 2'],
    ['{“a”: 1}', 'Unexpected "“" (names and texts have double quotes around them) at line 1, column 2'],
    ['{a: 1}', 'Unexpected "a" (names and texts have double quotes around them) at line 1, column 2'],
    ['{"a": NaN}', 'Unexpected "N" (null stands for no value) at line 1, column 7'],
    ['{"a": True}', 'Unexpected "T" (true and false have small letters) at line 1, column 7'],
    ['{"a": 1\n"b": 2}', 'Unexpected """ (a comma is missing before it) at line 2, column 1'],
    ['{"a": "]"}\n{}', 'Unexpected "{" (the text goes on behind its end) at line 2, column 1'],
    ['{\r\n"a": x}', 'Unexpected "x" at line 2, column 6'],
    ['{"a": 1', 'The text ends too early at line 1, column 8'],
    ['[1,2', 'The text ends too early at line 1, column 5'],
    ['["x"', 'The text ends too early at line 1, column 5'],
    ['[true\n', 'The text ends too early at line 2, column 1'],
    ['[{"a":[]}', 'The text ends too early at line 1, column 10'],
    ['{"a"', 'The text ends too early at line 1, column 5'],
    ['[1 2', 'Unexpected "2" (a comma is missing before it) at line 1, column 4'],
    ['[1}', 'Unexpected "}" at line 1, column 3'],
    ['1 2', 'Unexpected "2" (the text goes on behind its end) at line 1, column 3'],
    ['["\t"', 'Unexpected character U+0009 inside a text at line 1, column 3'],
    ['{"a": "1\n"}', 'Unexpected character U+000A inside a text (a line break in a text is written "\\n") at line 1, column 9'],
    ['{"a": "1\n", b}', 'Unexpected character U+000A inside a text (a line break in a text is written "\\n") at line 1, column 9'],
    ['{"a": b, "1\n"}', 'Unexpected "b" at line 1, column 7'],
    ['"\\x"', 'Unexpected "\\" at line 1, column 2'],
    ['-', 'The text ends too early at line 1, column 2'],
    ['[1,\u00a02]', 'Unexpected character U+00A0 at line 1, column 4'],
    ['nul', 'Unexpected "n" (the text begins with no "{") at line 1, column 1'],
  ])('reports for %j where it stops being JSON', (text, message) => {
    expect(read(text)).toBe(`NOT_JSON: ${message}`);
  });

  it('reports of truncated JSON that it ends too early, and of nothing else', () => {
    const item = fc.oneof(
      fc.json(),
      fc.array(fc.integer(), { minLength: 1 }).map((list) => JSON.stringify(list)),
    );
    // Not in the middle of a name such as `true`: it is no name then.
    const cuts = (json: string) => [...json.matchAll(/["{}[\],:]/g)].map(({ index }) => index);
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 3 }), fc.nat(), (items, at) => {
        const whole = `[${items.join(',')}]`;
        const places = cuts(whole).slice(1);
        const cut = whole.slice(0, places[at % places.length]);
        expect(read(cut)).toBe(`NOT_JSON: The text ends too early at line 1, column ${cut.length + 1}`);
        expect(read(`${cut}\u0001`)).not.toMatch(/too early/);
      }),
    );
  });

  it('accepts 64 levels and not 65, brackets in strings not counted', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}"[{\\"[["${']'.repeat(levels)}`;
    expect(read(nested(limits.depth - 1))).toBeInstanceOf(Array);
    expect(read(nested(limits.depth))).toBeInstanceOf(Array);
    expect(read(nested(limits.depth + 1))).toBe('TOO_DEEP: Objects and lists are nested more than 64 levels deep at line 1, column 65');
  });

  it.each(['[', '{"a":', '[{"":'])('does not fall over 100,000 levels of %s', (opening) => {
    expect(read(opening.repeat(100_000))).toMatch(/^TOO_DEEP/);
  });

  it('accepts 1 MB and not a byte more, counted in UTF-8', () => {
    const text = (bytes: number) => `"${'é'.repeat((bytes - 2) >> 1)}${'e'.repeat(bytes % 2)}"`;
    expect(read(text(limits.bodyBytes - 1))).toHaveLength((limits.bodyBytes >> 1) - 1);
    expect(read(text(limits.bodyBytes))).toHaveLength((limits.bodyBytes >> 1) - 1);
    expect(read(text(limits.bodyBytes + 1))).toBe('CANVAS_TOO_LARGE: The canvas has more than 1048576 bytes');
    expect(read(' '.repeat(20 * limits.bodyBytes))).toMatch(/^CANVAS_TOO_LARGE/);
  });
});
