/**
 * An answer before it is read as a number, date, time, phone number or e-mail address: bounded, and without what people do not see. Every
 * pattern of this folder is matched against such a text alone, and each of its repetitions has an end.
 */
import { canonicalZone, type Variables } from '@hilo/engine/contract';
import { latinDigits } from '../../messages/digits.ts';
import { foldLetters, foldSigns, lookedAt } from '../../messages/folded-text.ts';

/** The longest answer of these kinds, in UTF-16 units, after what is not displayed is gone. An e-mail address has 254 at most. */
const longestAnswer = 320;

/** Where and when an answer is read. */
export interface ReadingContext {
  /** The locale of the user, else of the company, where one is known and supported. */
  readonly locale: string | undefined;
  readonly nowMs: number | undefined;
  /** Whether the answer must stand alone; else it may be the only one of its kind in a sentence. */
  readonly isStrict: boolean;
  /** Whether the question is known, and counts no dozens: "una docena" is 12 then, and else in doubt. */
  readonly countsSingly?: boolean;
}

/** An answer with digits 0 to 9, plain blanks, hyphens and quotes, none of them displayed otherwise; `undefined` when it is too long or blank. */
export function clean(text: string): string | undefined {
  if (text.length > lookedAt) return undefined;
  const cleaned = foldSigns(latinDigits(foldSigns(text).normalize('NFKC').replaceAll('\u20e3', ''))).trim();
  return cleaned === '' || cleaned.length > longestAnswer ? undefined : cleaned;
}

/** The same in lower case without accents. */
export function cleanLetters(text: string): string | undefined {
  const cleaned = clean(text);
  return cleaned === undefined ? undefined : latinDigits(foldLetters(cleaned));
}

/** The locale in which a user writes: the user's, else the company's. What is no locale is read as English. */
export function findLocale(variables: Variables): string | undefined {
  const locale = variables.get(['$user', 'locale']) ?? variables.get(['$company', 'locale']);
  if (typeof locale !== 'string') return undefined;
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale.slice(0, 60))[0] ?? 'en';
  } catch {
    return 'en'; // it throws for what is no locale
  }
}

/** The time zone in which a user writes: the user's, else the company's. */
export function findZone(variables: Variables): string {
  const zone = variables.get(['$user', 'timeZone']) ?? variables.get(['$company', 'timeZone']);
  return (typeof zone === 'string' ? canonicalZone(zone) : undefined) ?? 'UTC';
}
