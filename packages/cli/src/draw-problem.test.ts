import stringWidth from 'fast-string-width';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawProblem, problemLine } from './draw-problem.ts';
import type { Paint } from './paint.ts';

const plain: Paint = (_format, text) => text;
const problem = { code: 'SOME_CODE', severity: 'error', pointer: '/a', message: 'Something is wrong', hint: 'Correct it.' } as const;

/** The marked part of the text as it is drawn, by the columns of the terminal. */
function markedPart(drawn: string): string {
  const lines = drawn.split('\n');
  const at = lines.findIndex((line) => /│ *\^+$/.test(line));
  const mark = lines[at] ?? '';
  let column = 0;
  let part = '';
  for (const { segment } of new Intl.Segmenter().segment(lines[at - 1] ?? '')) {
    if (column >= mark.indexOf('^') && column < mark.length) part += segment;
    column += stringWidth(segment);
  }
  return part;
}

describe('drawProblem', () => {
  it('shows place, text and what to do', () => {
    const source = { text: 'first\nsecond line\nthird', place: { line: 2, column: 8, length: 4 } };
    expect(drawProblem({ file: 'a.json', problem, source }, plain, 80)).toBe(
      [
        'error SOME_CODE  Something is wrong',
        '   ╭─ a.json:2:8  /a',
        ' 1 │ first',
        ' 2 │ second line',
        '   │        ^^^^',
        ' 3 │ third',
        '   ╰─ Correct it.',
      ].join('\n'),
    );
  });

  it('shows the way that leads to it, and what mends it', () => {
    const step = (index: number) => ({ nodeId: `n${index}`, port: 'next' });
    const way = [step(1), { nodeId: 'ask' }];
    const fixes = ['Give it a default', 'Take it out', 'Write it before', 'A fourth'].map((label) => ({ label, patch: [] }));
    expect(
      drawProblem({ file: 'a.json', problem: { ...problem, way, fixes } }, plain, 80)
        .split('\n')
        .slice(2),
    ).toEqual([
      '   │  way: n1.next → ask',
      '   │  fix: Give it a default',
      '   │  fix: Take it out',
      '   │  fix: Write it before',
      '   ╰─ Correct it.',
    ]);
    const long = Array.from({ length: 100 }, (_, index) => step(index));
    expect(drawProblem({ file: 'a.json', problem: { ...problem, way: long } }, plain, 80).split('\n')[2]).toBe(
      '   │  way: n0.next → n1.next → n2.next → n3.next → … → n96.next → n97.next → n98.next → n99.next',
    );
  });

  it('shows a problem without a place', () => {
    expect(drawProblem({ file: 'a.json', problem: { ...problem, pointer: '' } }, plain, 80)).toBe(
      ['error SOME_CODE  Something is wrong', '   ╭─ a.json', '   ╰─ Correct it.'].join('\n'),
    );
  });

  it('marks the place in a line of any length, among wide characters, within the given width', () => {
    const side = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.constantFrom('', '日本語'.repeat(40), '\t\t', 'x'.repeat(500)),
    );
    fc.assert(
      fc.property(side, side, fc.integer({ min: 50, max: 140 }), (before, after, columns) => {
        const [left, right] = [before, after].map((text) => text.replace(/[^\P{Cc}\t]|[\n\r\u2028\u2029]/gu, ''));
        const text = `${left}"MARKED"${right}`;
        const source = { text, place: { line: 1, column: (left?.length ?? 0) + 1, length: 8 } };
        expect(markedPart(drawProblem({ file: 'a.json', problem, source }, plain, columns))).toBe('"MARKED"');
      }),
    );
  });
});

describe('problemLine', () => {
  it('is one line that editors can jump by', () => {
    const source = { text: 'x', place: { line: 3, column: 7, length: 1 } };
    expect(problemLine({ file: 'a.json', problem, source }, plain)).toBe('a.json:3:7: error SOME_CODE: Something is wrong');
  });
});
