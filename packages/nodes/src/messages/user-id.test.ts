import { type Channel, channels } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { channelFacts } from './channel.ts';
import { canonicalPhone, isBsuid, type UserIdFormat, userIdFor, userIdProblem, userVariables } from './user-id.ts';

const digits = '0123456789';
const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const alphanumerics = digits + capitals + capitals.toLowerCase();
const all = (text: string, alphabet: string): boolean => Array.from(text).every((character) => alphabet.includes(character));

/** The rules said a second time, letter by letter and without a pattern. */
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

  it('takes what strict takes in the open format too, up to its length', () =>
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
  ])('says of %j: %s (UID-02)', (id, is) => expect(isBsuid(id)).toBe(is));
});

describe('userVariables', () => {
  const phone = fc.oneof(fc.constant(null), id, fc.stringMatching(/^\+?[1-9][0-9 -]{1,18}$/));
  const contact = fc.record({ userId: id, names: fc.option(fc.string()), phone });

  it('gives phone and phoneNumber one value, digits or null, on phone-number channels alone (VAR-04 to VAR-06)', () =>
    fc.assert(
      fc.property(contact, channel, (contact, channel) => {
        const user = userVariables(contact, channel);
        expect(user).toMatchObject({ id: contact.userId, names: contact.names });
        expect('phone' in user).toBe(channelFacts[channel].isPhoneNumberChannel);
        expect('phoneNumber' in user).toBe('phone' in user);
        expect(user.phoneNumber).toBe(user.phone);
        expect(user.phone ?? '00').toMatch(/^[0-9]{2,15}$/);
      }),
    ));

  it.each([
    ['a user who came by phone', { userId: '5215512345678', names: null, phone: '+52 1 55-1234-5678' }, '5215512345678'],
    ['a user who came by id and whose phone is known', { userId: 'MX.a1B2c3', names: null, phone: '5215512345678' }, '5215512345678'],
    ['a user who hides the phone', { userId: 'MX.onlyBsuid9', names: null, phone: null }, null],
    ['a phone that is an id in truth (VAR-05)', { userId: 'MX.a1', names: null, phone: 'MX.a1' }, null],
    ['a phone known from the id alone', { userId: '593987654321', names: null, phone: null }, '593987654321'],
  ])('gives the phone of %s', (_, contact, phone) => {
    expect(userVariables(contact, 'whatsapp')).toEqual({ id: contact.userId, names: null, phone, phoneNumber: phone });
  });

  it('has no phone at all on the web (VAR-06)', () => {
    expect(userVariables({ userId: '521', names: 'Ana', phone: '521' }, 'web')).toStrictEqual({ id: '521', names: 'Ana' });
  });
});

describe('canonicalPhone', () => {
  it('changes nothing once it is canonical, and adds no digit', () =>
    fc.assert(
      fc.property(id, (phone) => {
        const canonical = canonicalPhone(phone);
        expect(canonicalPhone(canonical)).toBe(canonical);
        expect([null, phone.replaceAll(/[^0-9]/g, '')]).toContain(canonical);
      }),
    ));

  it('keeps the Mexican 521, for no phone is rewritten by country', () => {
    expect(canonicalPhone('+5215512345678')).toBe('5215512345678');
  });
});
