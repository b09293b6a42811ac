// How what a person types into a search is looked for: as a part of a text, whatever the case and the accents of its letters, and a phone number
// as its digits, however much of it is typed and however it is written. Two spellings of one number, as those of Mexico and Brazil, have the
// country and the last eight digits in common.
import { encodeText, findsPartsName, foldText, formsOf, type GivenOf, partSeparator, plain } from '@hilo/stores';
import { type Expression, type Kysely, PostgresAdapter, sql } from 'kysely';

/** What a statement that searches is given: each is written as each database finds it. */
export const sought = { textParts: plain(), textRegex: plain(), numberParts: plain(), numberRegex: plain() };

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
    textParts: texts?.parts ?? '',
    textRegex: texts?.regex ?? '',
    numberParts: numbers?.parts ?? '',
    numberRegex: numbers?.regex ?? '',
  };
}

/** What finds in a statement what {@link patternsOf} wrote. */
export function searchIn<Schema>(db: Kysely<Schema>, given: Sought) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const finds = (column: Expression<string | null>, parts: string, regex: string) =>
    isPostgres ? sql<boolean>`${column} ~ ${regex}` : sql<boolean>`${sql.raw(findsPartsName)}(${column}, ${parts})`;
  return {
    inText: (column: Expression<string | null>) => finds(column, given.textParts, given.textRegex),
    inNumber: (column: Expression<string | null>) => finds(column, given.numberParts, given.numberRegex),
  };
}

/** With a plus, blanks or brackets; days and codes, which have hyphens and points alone, are texts. Digits alone are a number where it is whole. */
const asPhone = /^(?=[^ ()]{0,30}[ ()+]|\d{11,15}$|\d{3}-\d{3}-\d{3,4}$)\+?(?:[ ().-]{0,3}\d){7,20}[ ().-]{0,3}$/;

/** What may be a part of one. Elsewhere than in numbers it is a text. */
const asPartOfPhone = /^\+?(?:[ ().-]{0,3}\d){2,20}[ ().-]{0,3}$/;

/** What finds parts one behind the other, with anything between; `undefined` for nothing. */
const writePattern = (parts: readonly string[]): { readonly parts: string; readonly regex: string } | undefined =>
  parts.length === 0
    ? undefined
    : {
        parts: parts.map(foldText).join(partSeparator),
        regex: parts.map((part) => Array.from(part, oneOfRegex).join('')).join('.*'),
      };

/** Latin letters without what is above and below them; of other scripts these are letters of their own. */
const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/(?<=[a-z]\p{M}{0,4})\p{M}/giu, '')
    .normalize('NFC');

const oneOfRegex = (sign: string): string => {
  const letters = formsOf(sign);
  if (letters.length > 1) return `[${letters.join('')}]`;
  return /[\p{L}\p{N}\s]/u.test(sign) || sign.charCodeAt(0) > 127 ? sign : `\\${sign}`;
};
