// A path of a variable that is as long as a text allows: nothing is known below the levels that values have, so nothing is asked there.
import { describe, expect, it } from 'vitest';
import { limits } from '../contract/limits.ts';
import type { Path } from '../variables/path.ts';
import { refuseParts } from './compile.ts';

describe('the kinds of parts of a variable', () => {
  it.each([2, 3, limits.request.depth, limits.request.depth + 1, 50_000])(
    'are asked for at most as deep as values are: %i steps',
    (steps) => {
      const path: Path = ['$context', ...Array.from({ length: steps }, (_, index) => (index % 2 === 0 ? 'a' : 0))];
      let asked = 0;
      refuseParts(path, Number.POSITIVE_INFINITY, () => {
        asked += 1;
        return 'any';
      });
      expect(asked).toBe(Math.min(steps - 1, limits.request.depth - 2));
    },
  );

  it('refuse a part that there is not', () => {
    expect(() => refuseParts(['$context', 'a', 'b'], 9, () => 'bool')).toThrow('$context.a is of the kind bool, and has no part "b"');
  });
});
