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
});
