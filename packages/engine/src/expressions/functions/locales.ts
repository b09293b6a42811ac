import { isLocale } from '../../contract/user-variables.ts';
import type { Path } from '../../variables/path.ts';
import { type Evaluation, spend, wrong } from '../evaluation.ts';
import { wholeNumber } from './define.ts';

/** What making a number format and asking for a locale cost; small caches of both keep most calls from it. */
const makeWork = 20_000;
const formatWork = 500;

const ofUser: Path = ['$user', 'locale'];
const ofCompany: Path = ['$company', 'locale'];
export const localePlaces = [ofUser, ofCompany];

/** The locale for output: the given one, else the user's, else the company's. */
export function chooseLocale(evaluation: Evaluation, given: string | undefined): string | undefined {
  const asked = given ?? evaluation.variables.get(ofUser) ?? evaluation.variables.get(ofCompany) ?? 'en';
  if (typeof asked !== 'string') return wrong(evaluation, 'a locale is a text such as "es-PE"');
  if (!locales.has(asked)) spend(evaluation, makeWork);
  return keep(locales, asked, findLocale) ?? wrong(evaluation, noLocale(asked));
}

/** A locale that stands in an expression is there, or the expression always fails. */
export const refuseLocale = (name: string | undefined): string | undefined =>
  name === undefined || keep(locales, name, findLocale) !== undefined ? undefined : noLocale(name);

const noLocale = (name: string): string => `there is no locale "${name.slice(0, 40)}"; write one such as "es-PE"`;

/**
 * The supported locale for a requested one: `en-ZZ` is served by `en`. Formats are cached by it and not by the requested one, which is
 * arbitrary input.
 */
function findLocale(asked: string): string | undefined {
  if (!isLocale(asked)) return undefined;
  const [known] = Intl.NumberFormat.supportedLocalesOf(asked);
  return known === undefined ? undefined : new Intl.NumberFormat(known).resolvedOptions().locale;
}

export function formatNumber(evaluation: Evaluation, value: number, digits?: number, locale?: string): string | undefined {
  if (digits !== undefined) {
    if (wholeNumber(evaluation, digits, 'the number of digits') === undefined) return undefined;
    if (digits < 0 || digits > 20) return wrong(evaluation, 'formatNumber() takes from 0 to 20 digits');
  }
  const known = chooseLocale(evaluation, locale);
  if (known === undefined) return undefined;
  const key = `${known} ${digits ?? ''}`;
  spend(evaluation, formats.has(key) ? formatWork : makeWork);
  const format = keep(formats, key, () => {
    const fraction = digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return new Intl.NumberFormat(known, { ...fraction, signDisplay: 'negative' }); // what is rounded to zero is "0" and not "-0"
  });
  return format.format(value);
}

const locales = new Map<string, string | undefined>();
const formats = new Map<string, Intl.NumberFormat>();
const mostKept = 500;

/** Gets a value from a cache, or creates it; a full cache is cleared, since its keys are arbitrary input. */
function keep<Made>(cache: Map<string, Made>, key: string, make: (key: string) => Made): Made {
  const kept = cache.get(key);
  if (kept !== undefined || cache.has(key)) return kept as Made;
  if (cache.size >= mostKept) cache.clear();
  const made = make(key);
  cache.set(key, made);
  return made;
}
