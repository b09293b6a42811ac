import { instantMs } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Instant } from './fields.ts';

const part = (most: number) => fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(2, '0'));

describe('Instant', () => {
  it('is read as the engine reads it, days that there are not included', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9_999 }).map((year) => String(year).padStart(4, '0')),
        fc.tuple(part(13), part(32), part(24), part(60), part(60)),
        fc.constantFrom('Z', '.123Z', '.5Z', '-05:00', '', 'z'),
        (year, [month, day, hour, minute, second], end) => {
          const text = `${year}-${month}-${day}T${hour}:${minute}:${second}${end}`;
          expect(Instant.safeParse(text).data).toBe(instantMs(text));
        },
      ),
      { numRuns: 2_000 },
    ));
});
