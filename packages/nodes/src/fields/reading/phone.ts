/** Reads a phone number as people write it: with or without its country, copied from an address book, in a link or in a sentence. */
import type { Variables } from '@hilo/engine/contract';
import {
  type CountryCode,
  getCountries,
  isPossiblePhoneNumber,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { foldLetters } from '../../messages/folded-text.ts';
import { writeNumberWords } from '../../messages/number-words.ts';
import { saysNotThis } from './beside.ts';
import { clean } from './clean.ts';

/**
 * The only phone number in an answer: its digits with the country code, which are never rewritten. Without `+` or `00` it is of the first of
 * these countries where there is such a number; where there is none, it must be a whole number with its country code.
 *
 * @param isStrict - whether it must be the whole answer
 */
export function readPhone(answer: string, countries: Iterable<CountryCode>, isStrict: boolean): string | undefined {
  const cleaned = clean(answer);
  if (cleaned !== undefined && !/\d/.test(cleaned)) return readSaid(cleaned, [...countries], isStrict);
  return cleaned === undefined ? undefined : readWritten(cleaned, countries, isStrict);
}

/** @param text - after {@link clean} */
function readWritten(said: string, countries: Iterable<CountryCode>, isStrict: boolean): string | undefined {
  const text = said.replace(linked, '$1').replace(dateAlone, ';');
  const runs = [...text.matchAll(number)].filter(({ 0: written }) => written.replace(/\D/g, '').length > 5);
  // "DNI 45678912, cel 999888777"
  const [first, second] = runs.length > 1 ? runs.filter(({ index }) => !ofDocument.test(text.slice(0, index))) : runs;
  if (first === undefined || second !== undefined) return undefined;
  const written = first[0].replace(/(?<![ (./-])[ (./-]{1,20}$/, '');
  const before = text.slice(0, first.index);
  const behind = text.slice(first.index + written.length);
  if (/[\p{L}\d][.-]?$/u.test(before.replace(named, '')) || /^[\p{L}@]/u.test(behind) || ofDocument.test(before)) return undefined;
  if (!isStrict && saysNotThis(foldBefore(before), foldLetters(behind))) return undefined;
  if (isStrict && (!/^(?:tel:|whatsapp:)? ?$/i.test(before) || /[\p{L}\d]/u.test(behind))) return undefined;
  const digits = written.replace(/\(0\)/g, '').replace(/\D/g, '');
  if (written.includes('+')) return isWhole(digits) ? digits : undefined;
  if (digits.startsWith('00')) return isWhole(digits.slice(2)) ? digits.slice(2) : undefined;
  return readNational(digits, countries, written);
}

/** A number that Slack made a link of. */
const linked = /<tel:[^|<>]{1,60}\|([^<>]{1,60})>/;
/** A birthday is no number to call. */
const dateAlone = /(?<![\d+])(?:\d{1,2}[/.-]\d{1,2}[/.-](?:19|20)\d\d|(?:19|20)\d\d[/.-]\d{1,2}[/.-]\d{1,2})(?![\d/.-])/g;
/** The words before a number; the blank behind them tells where the last one ends. */
const foldBefore = (before: string): string => `${foldLetters(before)} `;

/**
 * A number that is said: digit by digit, "nueve nueve nueve uno …", or in larger numbers, "novecientos noventa y nueve …". "Noventa nueve" may be
 * 99 or 909: of the two ways to write all of it, the one counts that is a number of these countries, where the other is none.
 */
function readSaid(text: string, countries: readonly CountryCode[], isStrict: boolean): string | undefined {
  const words = text.replace(/, ?/g, ' ');
  const whole = (word: string): string => writeNumberWords(word, { anywhere: everyNumber });
  const isSaid = (word: string): boolean => /^\d/.test(whole(word));
  const said = (text.match(/\p{L}{2,20}/gu) ?? []).filter(isSaid);
  if (said.length < 3) return undefined;
  const half = said.length > 5 ? words.replace(/(?<!\p{L})meia(?!\p{L})/gu, 'seis') : words; // half a dozen, as Brazilians say 6
  const byDigit = half.replace(/\p{L}{2,20}/gu, (word) => (isSaid(word) ? whole(word) : word));
  const joined = writeRuns(half);
  const read = [...new Set([byDigit, joined])].flatMap((one) => readWritten(one, countries, isStrict) ?? []);
  return read.length === 1 ? read[0] : undefined;
}

/** What is said with every run of words that makes one number as that number. */
const writeRuns = (text: string): string => writeNumberWords(text, { anywhere: everyNumber });

/** Words that are numbers where digits are said. */
const everyNumber: ReadonlySet<string> = new Set(['un', 'una', 'uno', 'um', 'uma', 'one', 'cien', 'ciento', 'cem', 'cento', 'once', 'ten']);

/** "Tel.", "cel", "WhatsApp" right before a number. */
const named = /(?:tel|cel|tlf|telf|telefono|fono|movil|mobile|phone|ph|whatsapp|whats|wsp|wa|zap|fone)[.:-]?$/i;
/** A number with this before it is one of a document or an order. */
const ofDocument =
  /(?<!\p{L})(?:dni|d\.n\.i\.?|ruc|rfc|curp|cpf|cnpj|rg|nit|cuit|cuil|c[eé]dula|ssn|pasaporte|passport|pedido|orden|order|factura|invoice|ticket|cuenta|clabe|cvv|folio|boleta)(?: (?:n[oº°]?\.?|num(?:ero|\.)?|n[uú]mero|number|es|is|:|#)){0,2}[ :#]{0,3}$/iu;

/** A run of digits with signs between them. */
const number = /[+(]{0,2}\d[\d ()./-]{4,60}/g;

const isWhole = (digits: string): boolean => digits.length <= 15 && isPossiblePhoneNumber(`+${digits.replace(oldMexicanMobile, '52')}`);

/** Mobile numbers of Mexico once had a 1 after the country code; many are still written so. */
const oldMexicanMobile = /^521(?=\d{10}$)/;

/** What one dialled before a number of Mexico until 2019, and what many still write. */
const oldMexicanPrefix = /^(?:04[45]|01)(?=\d{10}$)/;

/** Where a number without its area code is possible by its length, and reaches nobody from elsewhere. */
const leastDigits: ReadonlyMap<string, number> = new Map([
  ['BR', 10],
  ['AR', 10],
]);

/** @param grouped - the same with the signs between its groups */
function readNational(written: string, countries: Iterable<CountryCode>, grouped: string): string | undefined {
  let digits = written;
  let isOurs = false;
  let isFirst = true;
  const asked: CountryCode[] = [];
  for (const country of countries) {
    asked.push(country);
    if (isFirst && country === 'MX') digits = written.replace(oldMexicanPrefix, '');
    isFirst = false;
    const number = parsePhoneNumberFromString(digits, country);
    if (number === undefined) continue;
    const whole = `${number.countryCallingCode}${number.nationalNumber}`;
    const reaches = number.nationalNumber.length >= (leastDigits.get(country) ?? 0);
    if (reaches && number.isValid()) return whole;
    isOurs ||= digits.startsWith(number.countryCallingCode);
  }
  // Ten digits and fewer are also a number without its country code, of most countries.
  const whole = digits.length > 10 || isOurs ? parsePhoneNumberFromString(`+${digits.replace(oldMexicanMobile, '52')}`) : undefined;
  // What is possible by its length alone is most often a number that lacks a digit.
  return whole?.isValid() === true && !beginsWithNumber(grouped, asked) ? digits : undefined;
}

/**
 * Whether a number of these countries stands before the last group already: that is an extension then, or the end of another number, as in
 * "987654321 322" and "987 654 321 / 322". The sign before it is another than those between the other groups.
 */
function beginsWithNumber(grouped: string, countries: readonly CountryCode[]): boolean {
  const { first = '', sign = '' } = lastGroup.exec(grouped)?.groups ?? {};
  const part = first.replace(/\D/g, '');
  const isOther = sign !== '' && !first.split(/\d{1,20}/).includes(sign);
  return isOther && countries.some((country) => parsePhoneNumberFromString(part, country)?.isValid() === true);
}
const lastGroup = /^(?<first>.{5,60}\d)(?<sign>[^\d]{1,6})\d{1,3}\)?$/;

/**
 * The countries that a number without its country code may be of, the likeliest first: the user's, the bot's, the company's. One after the
 * other, since the first one suffices for most numbers.
 */
export function* likelyCountries(variables: Variables): Generator<CountryCode> {
  const read = (...path: readonly [string, string]): string | undefined => {
    const value = variables.get(path);
    return typeof value === 'string' && value.length <= 60 ? value : undefined;
  };
  const ofPhone = (phone: string | undefined) =>
    phone === undefined ? undefined : parsePhoneNumberFromString(`+${phone.replace(/\D/g, '')}`)?.country;
  const sources = [
    () => ofLocale(read('$user', 'locale')),
    () => ofZone(read('$user', 'timeZone')),
    () => ofPhone(read('$user', 'phone')),
    () => ofPhone(read('$bot', 'phone')),
    () => ofLocale(read('$company', 'locale')),
    () => ofZone(read('$company', 'timeZone')),
  ];
  const given = new Set<CountryCode>();
  for (const find of sources) {
    const country = find();
    if (country === undefined || given.has(country)) continue;
    given.add(country);
    yield country;
  }
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
  return countriesOfZones().get(zone) ?? countriesOfZones().get(nameOfPlatform(zone) ?? '');
}

/** A zone as the platform calls it: those of a country are listed by their older names, such as Asia/Calcutta. */
function nameOfPlatform(zone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return undefined; // it throws for what is no zone
  }
}

let zones: ReadonlyMap<string, CountryCode> | undefined;

/** A table of the platform, made at its first use: to ask all countries for their zones takes 80 ms. */
function countriesOfZones(): ReadonlyMap<string, CountryCode> {
  if (zones !== undefined) return zones;
  const made = new Map<string, CountryCode>();
  for (const country of getCountries()) {
    const region: Regional = new Intl.Locale(`und-${country}`);
    for (const zone of region.getTimeZones?.() ?? []) if (!made.has(zone)) made.set(zone, country);
  }
  zones = made;
  return made;
}

/** What newer platforms know of a region, and the types of TypeScript do not have yet. */
interface Regional {
  readonly region?: string | undefined;
  getTimeZones?(): readonly string[] | undefined;
}
