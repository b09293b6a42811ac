/**
 * Writes what French, German, Italian, Indonesian and Hindi say with a part of one as digits, for a user whose locale is of that language: times
 * that are said from the hour on either side (`halb sechs`, `9h et quart`, `alle 5 meno un quarto`, `setengah empat`, `साढ़े पाँच बजे`), halves
 * (`deux et demi`, `anderthalb`, `ढाई`) and how many people come together (`zu viert`, `berempat`).
 */
import { writeWordsOfLocale } from '../../messages/number-words-of-locale.ts';
import { hasPartOfDay } from './other-languages.ts';

/** A way to say a time: `hour` is its hour, `part` how many minutes lie between, and `side` on which side of it. */
interface Saying {
  readonly pattern: RegExp;
  /** Minutes from the hour to the time, where `part` is none. */
  readonly offset?: number;
}

const sayings: ReadonlyMap<string, readonly Saying[]> = new Map([
  [
    'de',
    [
      {
        pattern:
          /(?<![\p{L}\p{M}\d:.,/-])(?<part>\d{1,2}|[\p{L}\p{M}-]{2,20})(?: minuten)? (?<side>vor|nach) halb (?<hour>\d{1,2}|[\p{L}\p{M}-]{2,20})(?: uhr)?(?![\p{L}\p{M}\d]|[:./-]\d)/u,
        offset: -30,
      },
      { pattern: /(?<![\p{L}\p{M}\d:.,/-])halb (?<hour>\d{1,2}|[\p{L}\p{M}-]{2,20})(?: uhr)?(?![\p{L}\p{M}\d]|[:./-]\d)/u, offset: -30 },
      {
        pattern: /(?<![\p{L}\p{M}\d:.,/-])dreiviertel (?<hour>\d{1,2}|[\p{L}\p{M}-]{2,20})(?: uhr)?(?![\p{L}\p{M}\d]|[:./-]\d)/u,
        offset: -15,
      },
      {
        pattern:
          /(?<![\p{L}\p{M}\d:.,/-])(?<part>\d{1,2}|[\p{L}\p{M}-]{2,20})(?: minuten)? (?<side>vor|nach) (?<hour>\d{1,2}|[\p{L}\p{M}-]{2,20})(?: uhr)?(?![\p{L}\p{M}\d]|[:./-]\d)/u,
      },
    ],
  ],
  [
    'fr',
    [
      {
        pattern:
          /(?<![\p{L}\p{M}\d:.,/-])(?<hour>midi|minuit|(?:\d{1,2}|[\p{L}\p{M}-]{2,20}) ?(?:heures?|h)) (?<side>et|moins) (?:le |un )?(?<part>\d{1,2}|[\p{L}\p{M}-]{2,20})(?![\p{L}\p{M}\d]|[:./-]\d)/u,
      },
    ],
  ],
  [
    'it',
    [
      {
        pattern:
          /(?<![\p{L}\p{M}\d:.,/-])(?<hour>\d{1,2}|[\p{L}\p{M}-]{2,20}) (?<side>meno) (?:un )?(?<part>\d{1,2}|[\p{L}\p{M}-]{2,20})(?![\p{L}\p{M}\d]|[:./-]\d)/u,
      },
      {
        pattern:
          /(?<![\p{L}\p{M}\d:.,/-])(?<hour>\d{1,2}|[\p{L}\p{M}-]{2,20}) e (?:un )?(?<part>quarto|mezz[ao]|tre quarti|\d{1,2}|[\p{L}\p{M}-]{2,20})(?![\p{L}\p{M}\d]|[:./-]\d)/u,
      },
    ],
  ],
  [
    'id',
    [
      { pattern: /(?<![\p{L}\p{M}\d:.,/-])setengah (?<hour>\d{1,2}|[\p{L}\p{M}-]{2,20})(?![\p{L}\p{M}\d]|[:./-]\d)/u, offset: -30 },
      {
        pattern:
          /(?<![\p{L}\p{M}\d:.,/-])(?<hour>\d{1,2}|[\p{L}\p{M}-]{2,20}) (?<side>lewat|kurang) (?<part>\d{1,2}|[\p{L}\p{M}-]{2,20})(?: menit)?(?![\p{L}\p{M}\d]|[:./-]\d)/u,
      },
    ],
  ],
  [
    'hi',
    [
      {
        pattern:
          /(?<![\p{L}\p{M}\d:.,/-])(?:साढे|saa?dhe) (?<hour>\d{1,2}|[\p{L}\p{M}-]{2,20})(?= ?(?:बजे|baje))(?![\p{L}\p{M}\d]|[:./-]\d)/u,
        offset: 30,
      },
      {
        pattern:
          /(?<![\p{L}\p{M}\d:.,/-])(?:सवा|sawa|sava) (?<hour>\d{1,2}|[\p{L}\p{M}-]{2,20})(?= ?(?:बजे|baje))(?![\p{L}\p{M}\d]|[:./-]\d)/u,
        offset: 15,
      },
      {
        pattern: /(?<![\p{L}\p{M}\d:.,/-])(?:पौने|paune) (?<hour>\d{1,2}|[\p{L}\p{M}-]{2,20})(?= ?(?:बजे|baje))(?![\p{L}\p{M}\d]|[:./-]\d)/u,
        offset: -15,
      },
    ],
  ],
]);

/** Parts of an hour by their names, in minutes. */
const parts: ReadonlyMap<string, number> = new Map(
  Object.entries({
    15: 'viertel quart quarto seperempat',
    30: 'demie demi mezza mezzo setengah',
    45: 'dreiviertel tre-quarti',
  }).flatMap(([minutes, names]) => names.split(' ').map((name) => [name, Number(minutes)] as const)),
);
const backwards: ReadonlySet<string> = new Set(['vor', 'moins', 'meno', 'kurang']);
const middles: ReadonlyMap<string, number> = new Map(Object.entries({ midi: 12, mezzogiorno: 12, minuit: 0, mezzanotte: 0 }));

/** An answer with its time in digits. */
export interface ClockWords {
  readonly text: string;
  /** Whether nothing says which half of the day the time is of: "halb sechs". */
  readonly isOfEitherHalf: boolean;
}

/**
 * A time that is said from an hour, as digits: `halb sechs abends` as `5:30 abends`.
 *
 * @param given - folded
 */
export function writeClockWords(given: string, locale: string | undefined): ClockWords {
  const language = locale?.slice(0, 2) ?? '';
  const said = sayings.get(language) ?? [];
  const text =
    language === 'hi' ? given.replaceAll('\u093c', '') : given.replace('tre quarti', 'tre-quarti').replace(/(?<!\p{L})acht (?=uhr)/u, '8 ');
  if (language === 'id' && /(?<!\p{L})tengah malam(?!\p{L})/u.test(text))
    return { text: text.replace('tengah malam', 'midnight'), isOfEitherHalf: false };
  for (const { pattern, offset } of said) {
    const found = pattern.exec(text);
    const minutes = found === null ? undefined : minutesOf(found.groups ?? {}, offset, locale);
    if (found === null || minutes === undefined) continue;
    const { 0: written, index } = found;
    const isMiddle = middles.has(found.groups?.['hour'] ?? '');
    const isNamed =
      isMiddle || minutes >= 13 * 60 || /\d ?h /.test(written) || hasPartOfDay(text) || /(?<!\p{L})[ap]\.? ?m(?!\p{L})/u.test(text);
    const hour = Math.floor(minutes / 60);
    const clock = `${!isMiddle && hour === 0 ? 12 : hour}:${String(minutes % 60).padStart(2, '0')}`;
    return { text: `${text.slice(0, index)}${clock}${text.slice(index + written.length)}`, isOfEitherHalf: !isNamed };
  }
  return { text, isOfEitherHalf: false };
}

/** The minutes since midnight, or noon, of a time as it is said. */
function minutesOf(
  { hour = '', part, side = '' }: Readonly<Record<string, string | undefined>>,
  offset: number | undefined,
  locale: string | undefined,
): number | undefined {
  const hours = middles.get(hour) ?? numberOf(hour.replace(/ ?(?:heures?|h)$/, ''), locale);
  const between = part === undefined ? 0 : (parts.get(part) ?? numberOf(part, locale));
  // "2 e 3" are two hours.
  const isMinutes = part === undefined || (between !== undefined && between >= 5 && between < 60);
  if (hours === undefined || between === undefined || !isMinutes || hours > 23) return undefined;
  const minutes = hours * 60 + (offset ?? 0) + (backwards.has(side) ? -between : between);
  return minutes < 0 ? minutes + 24 * 60 : minutes;
}

function numberOf(word: string, locale: string | undefined): number | undefined {
  const digits = writeWordsOfLocale(word, locale);
  return /^\d{1,2}$/.test(digits) ? Number(digits) : undefined;
}

interface Half {
  /** The whole number is its group, where it has one. */
  readonly pattern: RegExp;
  /** What is added to it. */
  readonly part: number;
}

const halves: ReadonlyMap<string, readonly Half[]> = new Map([
  ['fr', [{ pattern: /(?<![\p{L}\p{M}\d.,/-])(\d{1,2}|[\p{L}\p{M}-]{2,20}) et demie?(?![\p{L}\p{M}\d])/iu, part: 0.5 }]],
  [
    'de',
    [
      { pattern: /(?<![\p{L}\p{M}\d.,/-])(?:anderthalb|eineinhalb)(?:e[nmrs]?)?(?![\p{L}\p{M}\d])/iu, part: 1.5 },
      { pattern: /(?<![\p{L}\p{M}\d.,/-])(\d{1,2}|[\p{L}\p{M}-]{2,20}) ?(?:und ein ?)?einhalb(?![\p{L}\p{M}\d])/iu, part: 0.5 },
      { pattern: /(?<![\p{L}\p{M}\d.,/-])(\p{L}{3,8}?)einhalb(?![\p{L}\p{M}\d])/iu, part: 0.5 },
    ],
  ],
  ['it', [{ pattern: /(?<![\p{L}\p{M}\d.,/-])(\d{1,2}|[\p{L}\p{M}-]{2,20}) e mezz[oa](?![\p{L}\p{M}\d])/iu, part: 0.5 }]],
  ['id', [{ pattern: /(?<![\p{L}\p{M}\d.,/-])(\d{1,2}|[\p{L}\p{M}-]{2,20}) setengah(?![\p{L}\p{M}\d])/iu, part: 0.5 }]],
  [
    'hi',
    [
      { pattern: /(?<![\p{L}\p{M}\d.,/-])(?:ढाई|dhai)(?![\p{L}\p{M}\d])/iu, part: 2.5 },
      { pattern: /(?<![\p{L}\p{M}\d.,/-])(?:डेढ|dedh)(?![\p{L}\p{M}\d])/iu, part: 1.5 },
      { pattern: /(?<![\p{L}\p{M}\d.,/-])(?:साढे|saa?dhe) (\d{1,2}|[\p{L}\p{M}-]{2,20})(?![\p{L}\p{M}\d])/iu, part: 0.5 },
      { pattern: /(?<![\p{L}\p{M}\d.,/-])(?:सवा|sawa|sava) (\d{1,2}|[\p{L}\p{M}-]{2,20})(?![\p{L}\p{M}\d])/iu, part: 0.25 },
      { pattern: /(?<![\p{L}\p{M}\d.,/-])(?:पौने|paune) (\d{1,2}|[\p{L}\p{M}-]{2,20})(?![\p{L}\p{M}\d])/iu, part: -0.25 },
    ],
  ],
]);

/** People who come together. */
const together: ReadonlyMap<string, RegExp> = new Map([
  ['de', /(?<!\p{L})zu (zweit|dritt|viert|fünft|sechst|siebt|acht|neunt|zehnt)(?!\p{L})/iu],
  ['id', /(?<!\p{L})ber(dua|tiga|empat|lima|enam|tujuh|delapan)(?!\p{L})/iu],
]);
const ordinals: ReadonlyMap<string, string> = new Map(
  ['zweit', 'dritt', 'viert', 'fünft', 'sechst', 'siebt', 'acht', 'neunt', 'zehnt'].map((word, index) => [word, String(index + 2)]),
);

/**
 * A number and its half as digits: `deux et demi` as `2.5`, `anderthalb` as `1.5`; and who comes together: `zu viert` as `4`.
 *
 * @param given - cleaned
 */
export function writeHalves(given: string, locale: string | undefined): string {
  const language = locale?.slice(0, 2) ?? '';
  const text = language === 'hi' ? given.replaceAll('\u093c', '') : given;
  for (const { pattern, part } of halves.get(language) ?? []) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const { 0: written, 1: word, index } = found;
    const whole = word === undefined ? 0 : numberOf(word, locale);
    if (whole !== undefined) return `${text.slice(0, index)}${whole + part}${text.slice(index + written.length)}`;
  }
  return given.replace(together.get(language) ?? /(?!)/u, (_, word: string) => ordinals.get(word.toLowerCase()) ?? word);
}
