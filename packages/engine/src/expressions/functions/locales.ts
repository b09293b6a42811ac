import { isLocale } from '../../contract/user-variables.ts';
import type { Path } from '../../variables/path.ts';
import { createCacheByText } from '../cache-by-text.ts';
import { type Evaluation, spend, spendOnce, wrong } from '../evaluation.ts';
import { wholeNumber } from './define.ts';

/** The work of creating a number format, or of looking up a locale. */
const createWork = 20_000;
/** The work of formatting a number. */
const formatWork = 500;

const ofUser: Path = ['$user', 'locale'];
const ofCompany: Path = ['$company', 'locale'];
/** The variables that the locale of output comes from. */
export const localePaths = [ofUser, ofCompany];

/** The locale for output: the given one, else the user's, else the company's, else English. */
export function chooseLocale(evaluation: Evaluation, given: string | undefined): string | undefined {
  const requested = given ?? evaluation.variables.get(ofUser) ?? evaluation.variables.get(ofCompany) ?? 'en';
  if (typeof requested !== 'string') return wrong(evaluation, 'a locale is a text such as "es-PE"');
  spendOnce(evaluation, `locale ${requested}`, createWork);
  return getLocale(requested) ?? wrong(evaluation, noLocale(requested));
}

/** Why a literal locale is refused: with an unknown one the expression would always fail. */
export const refuseLocale = (name: string | undefined): string | undefined =>
  name === undefined || getLocale(name) !== undefined ? undefined : noLocale(name);

function noLocale(name: string): string {
  const meant = name.slice(0, 40).trim().replaceAll('_', '-');
  if (/^[A-Z]{3}$/.test(meant))
    return `there is no locale "${meant}": a currency is a text beside the number, as in "${meant} " + formatNumber($context.n, 2)`;
  return `there is no locale ${JSON.stringify(name.slice(0, 40))}; write ${findLocale(meant) === undefined ? 'one such as "es-PE"' : `"${meant}"`}`;
}

/**
 * The supported locale for a requested one: `en-ZZ` is served by `en`. Formats are cached by it and not by the requested one, which is
 * arbitrary input.
 */
function findLocale(requested: string): string | undefined {
  if (!isLocale(requested)) return undefined;
  const [known] = Intl.NumberFormat.supportedLocalesOf(requested);
  return known === undefined ? undefined : new Intl.NumberFormat(known).resolvedOptions().locale;
}

/** The supported locale for a requested one, as {@link findLocale} finds it. */
const getLocale = createCacheByText(findLocale);

/** A number in the notation of a locale; fails for a number of digits that is not whole or not from 0 to 20. */
export function formatNumber(evaluation: Evaluation, value: number, digits?: number, locale?: string): string | undefined {
  if (digits !== undefined) {
    if (wholeNumber(evaluation, digits, 'the number of digits') === undefined) return undefined;
    if (digits < 0 || digits > 20) return wrong(evaluation, 'formatNumber() takes from 0 to 20 digits');
  }
  const known = chooseLocale(evaluation, locale);
  if (known === undefined) return undefined;
  const key = `${known} ${digits ?? ''}`;
  spendOnce(evaluation, `number format ${key}`, createWork);
  spend(evaluation, formatWork);
  return getFormat(key).format(value);
}

/** The format for a locale and a number of digits. */
const getFormat = createCacheByText((key): Intl.NumberFormat => {
  const [locale = 'en', digits = ''] = key.split(' ');
  const fraction = digits === '' ? {} : { minimumFractionDigits: Number(digits), maximumFractionDigits: Number(digits) };
  return new Intl.NumberFormat(locale, { ...fraction, signDisplay: 'negative' }); // what is rounded to zero is "0" and not "-0"
});
