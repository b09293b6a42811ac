import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editedOption, followOption, type HeldEdge } from './option-titles.ts';

/** Writes titles one after the other over the option at `index`. @returns the option to which each edge belongs, by its port */
function write(
  start: readonly string[],
  index: number,
  steps: readonly string[],
  fixed: readonly string[] = [],
): ReadonlyMap<string, string> {
  let titles = start;
  let held: HeldEdge | undefined;
  let edges = new Map([...start, ...fixed].map((title) => [title, title]));
  for (const title of steps) {
    const after = titles.with(index, title);
    const edited = editedOption(titles, after);
    titles = after;
    if (edited === undefined) continue;
    const followed = followOption(edited, new Set(titles.toSpliced(index, 1)), new Set(edges.keys()), held);
    held = followed.held;
    const { renamed } = followed;
    if (renamed !== undefined) edges = new Map([...edges].map(([port, owner]) => [port === renamed.from ? renamed.to : port, owner]));
  }
  return edges;
}

describe('the edge of an option', () => {
  it('follows its title', () => {
    expect(write(['Yes', 'No'], 0, ['Ye', 'Y', '', 'S', 'Si'])).toEqual(
      new Map([
        ['Si', 'Yes'],
        ['No', 'No'],
      ]),
    );
  });

  it.each([
    ['that of another option', [], ['N', 'No', 'Not', 'Not now']],
    ['that of another port', ['other'], ['othe', 'other', 'others', 'Not now']],
  ])('is not exchanged while the title is %s', (_what, fixed, steps) => {
    const edges = write(['No', 'Yes'], 1, steps, fixed);
    expect(edges.get('Not now')).toBe('Yes');
    expect(edges.get('No')).toBe('No');
    for (const port of fixed) expect(edges.get(port)).toBe(port);
  });

  it('is the one of its own title in the end, whatever was written before', () => {
    const title = fc.constantFrom('', 'N', 'No', 'Not', 'other');
    fc.assert(
      fc.property(fc.array(title), (steps) => {
        expect(write(['No', 'Yes'], 1, [...steps, 'Last'], ['other'])).toEqual(
          new Map([
            ['No', 'No'],
            ['Last', 'Yes'],
            ['other', 'other'],
          ]),
        );
      }),
    );
  });

  it('stays with the first of two options of one title when the second is renamed', () => {
    expect(followOption({ index: 1, before: 'No', after: 'Not' }, new Set(['No']), new Set(['No']), undefined)).toEqual({});
  });
});
