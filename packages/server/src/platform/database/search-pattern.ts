// How what a person types into a search is looked for: as a part of a text, whatever the case and the accents of its letters, and a phone number
// as its digits, however much of it is typed and however it is written. Two spellings of one number, as those of Mexico and Brazil, have the
// country and the last eight digits in common.
import { encodeText, type GivenOf, plain } from '@hilo/stores';
import { type Expression, type Kysely, PostgresAdapter, sql } from 'kysely';

/** What a statement that searches is given: each is written as each database finds it. */
export const sought = { textGlob: plain(), textRegex: plain(), numberGlob: plain(), numberRegex: plain() };

type Sought = GivenOf<typeof sought>;

/** The patterns of a search, for texts and for the ids and numbers of people. */
export function patternsOf(text: string): Sought {
  const part = writePattern([encodeText(withoutAccents(text))]);
  const digits = text.replace(/\D/g, '').replace(/^00/, '');
  const typed = text.trim();
  const number = digits.length > 10 ? [digits.slice(0, 2), digits.slice(-8)] : [digits];
  const [whole, half] = [writePattern(asPhone.test(typed) ? number : []), writePattern(asPartOfPhone.test(typed) ? [digits] : [])];
  const texts = whole ?? part;
  const numbers = whole ?? half ?? part;
  return {
    textGlob: texts?.glob ?? '*',
    textRegex: texts?.regex ?? '',
    numberGlob: numbers?.glob ?? '*',
    numberRegex: numbers?.regex ?? '',
  };
}

/** What finds in a statement what {@link patternsOf} wrote. */
export function searchIn<Schema>(db: Kysely<Schema>, given: Sought) {
  const isShared = db.getExecutor().adapter instanceof PostgresAdapter;
  const finds = (column: Expression<string | null>, glob: string, regex: string) =>
    isShared ? sql<boolean>`${column} ~ ${regex}` : sql<boolean>`${column} glob ${glob}`;
  return {
    inText: (column: Expression<string | null>) => finds(column, given.textGlob, given.textRegex),
    inNumber: (column: Expression<string | null>) => finds(column, given.numberGlob, given.numberRegex),
  };
}

/** With a plus, blanks or brackets; days and codes, which have hyphens and points alone, are texts. Digits alone are a number where it is whole. */
const asPhone = /^(?=[^ ()]{0,30}[ ()+]|\d{11,15}$|\d{3}-\d{3}-\d{3,4}$)\+?(?:[ ().-]{0,3}\d){7,20}[ ().-]{0,3}$/;

/** What may be a part of one. Elsewhere than in numbers it is a text. */
const asPartOfPhone = /^\+?(?:[ ().-]{0,3}\d){2,20}[ ().-]{0,3}$/;

/** A pattern of what follows one another with anything between; `undefined` for nothing. */
function writePattern(parts: readonly string[]): { readonly glob: string; readonly regex: string } | undefined {
  if (parts.length === 0) return undefined;
  const [globs, regexes] = [oneOfGlob, oneOfRegex].map((write) => parts.map((part) => Array.from(part, write).join('')));
  return { glob: `*${globs?.join('*') ?? ''}*`, regex: regexes?.join('.*') ?? '' };
}

/** Latin letters without what is above and below them; of other scripts these are letters of their own. */
const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/(?<=[a-z]\p{M}{0,4})\p{M}/giu, '')
    .normalize('NFC');

/** A letter in any case and with any accent. */
const lettersOf = (sign: string): readonly string[] => {
  const small = sign.toLowerCase();
  return [...new Set([small, small.toUpperCase(), sign, ...(accented.get(small) ?? [])])].filter(
    (letter) => Array.from(letter).length === 1,
  );
};

const oneOfGlob = (sign: string): string => {
  const letters = lettersOf(sign);
  return letters.length > 1 || '*?['.includes(sign) ? `[${letters.join('')}]` : sign;
};

const oneOfRegex = (sign: string): string => {
  const letters = lettersOf(sign);
  if (letters.length > 1) return `[${letters.join('')}]`;
  return /[\p{L}\p{N}\s]/u.test(sign) || sign.charCodeAt(0) > 127 ? sign : `\\${sign}`;
};

/** Letters that no accent is taken off from, and what people write for them. */
const apart: readonly (readonly [string, string])[] = [
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ı', 'i'],
];

/** The accented letters of Latin scripts, by the letter without accents. */
const accented: ReadonlyMap<string, readonly string[]> = (() => {
  const found = new Map<string, string[]>();
  const add = (base: string, letter: string): void => void found.set(base, [...(found.get(base) ?? []), letter]);
  for (const [from, to] of [
    [0xc0, 0x24f],
    [0x1e00, 0x1eff],
  ] as const)
    for (let code = from; code <= to; code += 1) {
      const letter = String.fromCodePoint(code);
      const base = letter.normalize('NFD').charAt(0).toLowerCase();
      if (/[a-z]/.test(base)) add(base, letter);
    }
  for (const [letter, base] of apart) {
    add(base, letter);
    add(base, letter.toUpperCase());
  }
  return found;
})();
