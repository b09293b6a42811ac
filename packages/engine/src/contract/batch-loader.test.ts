import { describe, expect, it } from 'vitest';
import { batchLoader } from './batch-loader.ts';

describe('a batch loader', () => {
  it('makes one call for the keys of a turn, and one for all that come while it is under way', async () => {
    const calls: (readonly number[])[] = [];
    const open: (() => void)[] = [];
    const load = batchLoader(async (keys: readonly number[]) => {
      calls.push(keys);
      await new Promise<void>((resolve) => open.push(resolve));
      return keys.map((key) => -key);
    });
    const first = [load(1), load(2)];
    await Promise.resolve();
    const later = [load(3), load(4), load(3)];
    open.shift()?.();
    expect(await Promise.all(first)).toEqual([-1, -2]);
    await Promise.resolve();
    open.shift()?.();
    expect(await Promise.all(later)).toEqual([-3, -4, -3]);
    expect(calls).toEqual([
      [1, 2],
      [3, 4, 3],
    ]);
  });

  it('fails for the keys of a call that fails, and loads what is asked for afterwards', async () => {
    let calls = 0;
    const load = batchLoader(async (keys: readonly string[]) => {
      calls += 1;
      if (keys.includes('bad')) throw new Error('refused');
      return keys;
    });
    const outcomes = await Promise.allSettled([load('good'), load('bad')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await load('good')).toBe('good');
    expect(calls).toBe(2);
  });
});
