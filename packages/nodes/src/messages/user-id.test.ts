import { type Channel, channels } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBsuid, type UserIdFormat, userIdFor, userIdProblem } from './send-request.ts';

const digits = '0123456789';
const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const alphanumerics = digits + capitals + capitals.toLowerCase();
const all = (text: string, alphabet: string): boolean => Array.from(text).every((character) => alphabet.includes(character));

/** The rules restated, letter by letter and without a pattern. */
function isValid(id: string, channel: Channel, format: UserIdFormat): boolean {
  if (format === 'open' && channel !== 'whatsapp') return id.length > 0 && id.length <= 128 && all(id, `${alphanumerics}_.:@-`);
  const isPhone = id.length >= 2 && id.length <= 15 && all(id, digits) && !id.startsWith('0');
  const [country = '', rest = '', ...more] = id.split('.');
  return isPhone || (more.length === 0 && country.length === 2 && all(country, capitals) && rest !== '' && all(rest, alphanumerics));
}

const channel = fc.constantFrom(...channels);
const format = fc.constantFrom<UserIdFormat>('strict', 'open');
/** Ids, near misses and noise. */
const id = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from(digits)), maxLength: 20 }),
  fc.stringMatching(/^[A-Za-z]{1,3}\.[A-Za-z0-9]{0,20}$/),
  fc.stringMatching(/^[A-Z]{2}\.[A-Za-z0-9]{1,8}(\.[a-z]{1,3})?\n?$/),
  fc.string({ unit: fc.constantFrom(...Array.from(`${alphanumerics}_.:@- +`)), maxLength: 140 }),
  fc.string({ unit: 'binary' }),
);

describe('userIdProblem', () => {
  it('refuses exactly what the rules refuse (UID-01 to UID-05)', () =>
    fc.assert(
      fc.property(id, channel, format, (id, channel, format) => {
        expect(userIdProblem(id, channel, format) === undefined).toBe(isValid(id, channel, format));
      }),
      { numRuns: 2_000 },
    ));

  it.each([
    ['12', true],
    ['1', false],
    ['123456789012345', true],
    ['1234567890123456', false],
    ['0123456', false],
    ['+5215512345678', false],
    ['52 155', false],
    ['52-155', false],
    ['', false],
    ['US.13491208655302741918', true],
    ['us.13491208655302741918', false],
    [`US.${'9'.repeat(253)}`, true],
    [`US.${'9'.repeat(254)}`, false],
    ['USA.1', false],
    ['US.', false],
    ['US.ENT.11815799212886844830', false],
    ['US.1_2', false],
    ['5215512345678\n', false],
    ['٥٢١٥', false],
  ])('on a strict channel, says of %j whether it is valid: %s (UID-01 to UID-03)', (id, isAccepted) => {
    expect(userIdProblem(id, 'slack', 'strict') === undefined).toBe(isAccepted);
  });

  it.each([
    ['U024BE7LH', true],
    ['a'.repeat(128), true],
    ['a'.repeat(129), false],
    ['29:1XJ-c_a@b', true],
    ['a/b', false],
    ['+52', false],
  ])('on an open channel, says of %j whether it is valid: %s (UID-05)', (id, isAccepted) => {
    expect(userIdProblem(id, 'slack', 'open') === undefined).toBe(isAccepted);
    expect(userIdProblem(id, 'whatsapp', 'open')).toBeDefined();
  });

  it('accepts what strict accepts in the open format too, up to its length', () =>
    fc.assert(
      fc.property(id, channel, (id, channel) => {
        fc.pre(id.length <= 128 && userIdProblem(id, channel, 'strict') === undefined);
        expect(userIdProblem(id, channel, 'open')).toBeUndefined();
      }),
    ));
});

describe('userIdFor', () => {
  it('agrees with userIdProblem and keeps the id as received (UID-02)', () =>
    fc.assert(
      fc.property(id, channel, format, (id, channel, format) => {
        const parsed = userIdFor(channel, format).safeParse(id);
        expect(parsed.success).toBe(userIdProblem(id, channel, format) === undefined);
        expect(parsed.data).toBe(parsed.success ? id : undefined);
      }),
    ));

  it.each([[5215512345678], [null], [['52']], [{}], [true]])('refuses %j, which is no text (UID-03)', (id) => {
    const issues = userIdFor('whatsapp', 'strict').safeParse(id).error?.issues;
    expect(issues).toMatchObject([{ code: 'custom', params: { code: 'INVALID_USER_ID' } }]);
  });
});

describe('isBsuid', () => {
  it.each([
    ['MX.a1B2c3', true],
    ['5215512345678', false],
    ['MX.a.b', false],
  ])('judges %j: %s (UID-02)', (id, is) => expect(isBsuid(id)).toBe(is));
});
