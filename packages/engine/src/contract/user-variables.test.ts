import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { channels } from './execution.ts';
import { canonicalPhone, isLocale, isTimeZone, userVariables } from './user-variables.ts';

const channel = fc.constantFrom(...channels);
const id = fc.oneof(fc.stringMatching(/^[0-9]{0,20}$/), fc.stringMatching(/^[A-Z]{2}\.[A-Za-z0-9]{1,20}$/), fc.string({ unit: 'binary' }));

describe('userVariables', () => {
  const phone = fc.oneof(fc.constant(null), id, fc.stringMatching(/^\+?[1-9][0-9 -]{1,18}$/));
  const contact = fc.record({ userId: id, names: fc.option(fc.string()), phone });

  it('sets phone and phoneNumber to one value, digits or null, on phone-number channels alone (VAR-04 to VAR-06)', () =>
    fc.assert(
      fc.property(contact, channel, (contact, channel) => {
        const user = userVariables(contact.userId, contact, channel);
        expect(user).toMatchObject({ id: contact.userId, names: contact.names });
        expect('phone' in user).toBe(channel === 'whatsapp');
        expect('phoneNumber' in user).toBe('phone' in user);
        expect(user['phoneNumber']).toBe(user['phone']);
        expect(user['phone'] ?? '00').toMatch(/^[0-9]{2,15}$/);
      }),
    ));

  it.each([
    ['a user who came by phone', { userId: '5215512345678', names: null, phone: '+52 1 55-1234-5678' }, '5215512345678'],
    ['a user who came by id and whose phone is known', { userId: 'MX.a1B2c3', names: null, phone: '5215512345678' }, '5215512345678'],
    ['a user who hides the phone', { userId: 'MX.onlyBsuid9', names: null, phone: null }, null],
    ['a phone that is an id in truth (VAR-05)', { userId: 'MX.a1', names: null, phone: 'MX.a1' }, null],
    ['a phone known from the id alone', { userId: '593987654321', names: null, phone: null }, '593987654321'],
  ])('returns the phone of %s', (_, contact, phone) => {
    expect(userVariables(contact.userId, contact, 'whatsapp')).toEqual({ id: contact.userId, names: null, phone, phoneNumber: phone });
  });

  it('has no phone at all on the web (VAR-06)', () => {
    expect(userVariables('521', { names: 'Ana', phone: '521' }, 'web')).toStrictEqual({ id: '521', names: 'Ana' });
  });
});

describe('where a user is', () => {
  it('is set when known, and otherwise left out, so that the company’s value applies', () => {
    expect(userVariables('521', { names: null, phone: null, timeZone: 'America/Lima', locale: null }, 'web')).toStrictEqual({
      id: '521',
      names: null,
      timeZone: 'America/Lima',
    });
  });

  it('is a zone and a locale that the platform has', () => {
    expect(['America/Lima', 'UTC', 'europe/madrid'].every(isTimeZone)).toBe(true);
    expect(['', 'Lima', 'Mars/Base', '+05:00', '-0300', 'x'.repeat(10_000), '__proto__'].some(isTimeZone)).toBe(false);
    expect(['es', 'es-PE', 'zh-Hant-TW', 'es-419'].every(isLocale)).toBe(true);
    expect(['', 'xx-YY', 'es_PE', 'en-u-ca-buddhist', 'a'.repeat(10_000)].some(isLocale)).toBe(false);
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
