/** Reads a phone number as people write it: with or without its country, copied from an address book, in a link or in a sentence. */
import type { Variables } from '@hilo/engine/contract';
import {
  type CountryCode,
  getCountries,
  isPossiblePhoneNumber,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { clean } from './clean.ts';

/**
 * The only phone number in an answer: its digits with the country code, which are never rewritten. Without `+` or `00` it is of the first of
 * these countries where there is such a number; where there is none, it must be a whole number with its country code.
 *
 * @param isStrict - whether it must be the whole answer
 */
export function readPhone(answer: string, countries: readonly CountryCode[], isStrict: boolean): string | undefined {
  const text = clean(answer);
  const found = text === undefined ? [] : [...text.matchAll(number)].filter(({ 0: written }) => written.replace(/\D/g, '').length > 5);
  const [first, second] = found;
  if (text === undefined || first === undefined || second !== undefined) return undefined;
  const [written = ''] = first;
  const before = text.slice(0, first.index);
  const behind = text.slice(first.index + written.length);
  if (/[\p{L}\d][.-]?$/u.test(before) || /^[\p{L}@]/u.test(behind)) return undefined;
  if (isStrict && (!/^(?:tel:|whatsapp:)? ?$/i.test(before) || /[\p{L}\d]/u.test(behind))) return undefined;
  const digits = written.replace(/\(0\)/g, '').replace(/\D/g, '');
  if (written.includes('+')) return isWhole(digits) ? digits : undefined;
  if (digits.startsWith('00')) return isWhole(digits.slice(2)) ? digits.slice(2) : undefined;
  return readNational(digits, countries);
}

/** A run of digits with signs between them. */
const number = /[+(]{0,2}\d[\d ()./-]{4,60}/g;

const isWhole = (digits: string): boolean => digits.length <= 15 && isPossiblePhoneNumber(`+${digits.replace(oldMexicanMobile, '52')}`);

/** Mobile numbers of Mexico once had a 1 after the country code; many are still written so. */
const oldMexicanMobile = /^521(?=\d{10}$)/;

/** What one dialled before a number of Mexico until 2019, and what many still write. */
const oldMexicanPrefix = /^(?:04[45]|01)(?=\d{10}$)/;

function readNational(written: string, countries: readonly CountryCode[]): string | undefined {
  const digits = countries[0] === 'MX' ? written.replace(oldMexicanPrefix, '') : written;
  const national = countries.map((country) => parsePhoneNumberFromString(digits, country));
  const valid = national.find((one) => one?.isValid() === true);
  if (valid !== undefined) return `${valid.countryCallingCode}${valid.nationalNumber}`;
  const isOurs = national.some((one) => one !== undefined && digits.startsWith(one.countryCallingCode));
  // Ten digits and fewer are also a number without its country code, of most countries.
  const whole = digits.length > 10 || isOurs ? parsePhoneNumberFromString(`+${digits.replace(oldMexicanMobile, '52')}`) : undefined;
  if (whole?.isValid() === true) return digits;
  const possible = national.find((one) => one?.isPossible() === true);
  return possible === undefined ? undefined : `${possible.countryCallingCode}${possible.nationalNumber}`;
}

/** The countries that a number without its country code may be of, the likeliest first: the user's, the bot's, the company's. */
export function likelyCountries(variables: Variables): readonly CountryCode[] {
  const read = (...path: readonly [string, string]): string | undefined => {
    const value = variables.get(path);
    return typeof value === 'string' && value.length <= 60 ? value : undefined;
  };
  const ofPhone = (phone: string | undefined) =>
    phone === undefined ? undefined : parsePhoneNumberFromString(`+${phone.replace(/\D/g, '')}`)?.country;
  const found = [
    ofLocale(read('$user', 'locale')),
    ofZone(read('$user', 'timeZone')),
    ofPhone(read('$user', 'phone')),
    ofPhone(read('$bot', 'phone')),
    ofLocale(read('$company', 'locale')),
    ofZone(read('$company', 'timeZone')),
  ];
  return [...new Set(found.filter((country) => country !== undefined))];
}

function ofLocale(locale: string | undefined): CountryCode | undefined {
  try {
    const region = locale === undefined ? undefined : new Intl.Locale(locale).region;
    return region !== undefined && isSupportedCountry(region) ? region : undefined;
  } catch {
    return undefined; // it throws for what is no locale
  }
}

/** The country of a time zone, as the platform knows it; none where it does not. */
function ofZone(zone: string | undefined): CountryCode | undefined {
  if (zone === undefined || !zone.includes('/')) return undefined;
  const aliases: ReadonlySet<string> = new Set([zone, zone.replace(/^America\/Argentina\//, 'America/')]);
  return getCountries().find((country) => {
    const region: Regional = new Intl.Locale(`und-${country}`);
    return region.getTimeZones?.()?.some((one) => aliases.has(one)) === true;
  });
}

/** What newer platforms know of a region, and the types of TypeScript do not have yet. */
interface Regional {
  readonly region?: string | undefined;
  getTimeZones?(): readonly string[] | undefined;
}
