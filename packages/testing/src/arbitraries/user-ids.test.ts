import { channels } from '@hilo/engine/contract';
import { isBsuid, userIdFor } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenUserId, bsuid, phoneUserId, userIdOf } from './arbitraries.ts';

const channel = fc.constantFrom(...channels);
const format = fc.constantFrom('strict' as const, 'open' as const);
const bot = fc
  .tuple(channel, format)
  .chain(([channel, format]) => fc.record({ channel: fc.constant(channel), format: fc.constant(format), id: userIdOf(channel, format) }));

describe('userIdFor', () => {
  it('accepts every valid id unchanged (UID-01, UID-02, UID-05)', () =>
    fc.assert(
      fc.property(bot, ({ channel, format, id }) => {
        expect(userIdFor(channel, format).parse(id)).toBe(id);
      }),
    ));

  it('refuses every other shape with INVALID_USER_ID (UID-03)', () =>
    fc.assert(
      fc.property(brokenUserId, channel, ({ userId }, channel) => {
        const issues = userIdFor(channel, 'strict').safeParse(userId).error?.issues;
        expect(issues).toMatchObject([{ params: { code: 'INVALID_USER_ID' } }]);
      }),
      { numRuns: 1_000 },
    ));
});

describe('isBsuid', () => {
  it('distinguishes a business-scoped id from a phone number (UID-04)', () =>
    fc.assert(
      fc.property(bsuid, phoneUserId, (id, phone) => {
        expect(isBsuid(id)).toBe(true);
        expect(isBsuid(phone)).toBe(false);
      }),
    ));
});
