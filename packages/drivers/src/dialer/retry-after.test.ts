import { describe, expect, it } from 'vitest';
import { retryAfterMs } from './dialer.ts';

describe('retryAfterMs', () => {
  const nowMs = Date.UTC(2031, 2, 3, 9);

  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 5 ', 5_000],
    ['Mon, 03 Mar 2031 09:00:30 GMT', 30_000],
    ['Mon, 03 Mar 2031 08:00:00 GMT', 0],
    ['Monday, 03-Mar-31 09:00:30 GMT', 30_000],
    ['Mon Mar  3 09:00:30 2031', 30_000],
    [undefined, undefined],
    ['', undefined],
    ['soon', undefined],
    ['Later 5', undefined],
    ['Etc 5', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['2031', 2_031_000],
    ['99999999999999999999', undefined],
    ['Mon, 99 Zzz 2031', undefined],
  ])('reads %j as %s ms (P24)', (value, ms) => {
    expect(retryAfterMs(value, nowMs)).toBe(ms);
  });
});
