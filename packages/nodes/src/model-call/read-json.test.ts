// What a model gives as JSON is read within bounds: a text of any depth and width is an answer or none, and never a fault.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonAnswer } from './read-json.ts';

const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
const wide = (keys: number): string => `{${Array.from({ length: keys }, (_, index) => `"k${index}":1`).join()}}`;

describe('the answer of a model', () => {
  it.each([
    [nested(63), 'valid'],
    [nested(64), 'valid'],
    [nested(65), 'invalid'],
    [wide(9_999), 'valid'],
    [wide(10_000), 'valid'],
    [wide(10_001), 'invalid'],
    [`\`\`\`json\n${nested(40_000)}\n\`\`\``, 'invalid'],
  ])('%# within its limits is read, and beyond them is none', (text, kind) => {
    expect(readJsonAnswer(text, () => undefined)).toMatchObject({ kind });
  });

  it('is one or none, whatever its brackets', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('[', '{"a":', '"', '\\', ']', '}', ',', '1'), { maxLength: 30 }),
        fc.nat(20_000),
        (parts, times) => {
          const { kind } = readJsonAnswer(parts.join('').repeat(1 + (times % 2_000)), () => undefined);
          expect(['valid', 'invalid']).toContain(kind);
        },
      ),
      { numRuns: 50 },
    ));
});
