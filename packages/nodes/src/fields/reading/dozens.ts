/**
 * Writes dozens as how many they are, where a question counts single things: `una docena` as `12`, `dos docenas y media` as `30`, `half a dozen` as
 * `6`. A question that speaks of dozens itself may mean either by `2 docenas`, and nothing is written.
 */
import { foldLetters } from '../../messages/folded-text.ts';
import { writeNumberWords } from '../../messages/number-words.ts';
import { writeWordsOfLocale } from '../../messages/number-words-of-locale.ts';

/** Whether a question counts in dozens. */
export const asksForDozens = (question: string): boolean =>
  /docen|dozen|duzia|douzain|dutzend|dozzin|lusin|दर्जन/u.test(foldLetters(question));

const half =
  /(?<![\p{L}\p{M}\d])(?:media docena|meia d[uú]zia|half (?:a )?dozen|(?:une )?demi-douzaine|(?:ein )?halbes dutzend|mezza dozzina|setengah lusin|आधा दर्जन)(?![\p{L}\p{M}])/iu;
const dozens =
  /(?<![\p{L}\p{M}\d.,/-])(?:(\d{1,3}|[\p{L}\p{M}-]{1,14}) )?(docenas?|d[uú]zias?|dozens?|douzaines?|dutzend|dozzin[ae]|(?:se)?lusin|दर्जन|darjan)( (?:y media|e meia|and a half|et demie|e mezza))?(?![\p{L}\p{M}])/iu;

/** @param text - cleaned */
export function writeDozens(text: string, locale: string | undefined): string {
  const written = text.replace(half, '6');
  if (written !== text) return written;
  const found = dozens.exec(text);
  if (found === null) return text;
  const { 0: said, 1: word, 2: name = '', 3: more, index } = found;
  const count = word === undefined ? (index === 0 && !/(?<!dutzend)s$/iu.test(name) ? 1 : undefined) : numberOf(word, locale);
  return count === undefined
    ? text
    : `${text.slice(0, index)}${count * 12 + (more === undefined ? 0 : 6)}${text.slice(index + said.length)}`;
}

function numberOf(word: string, locale: string | undefined): number | undefined {
  if (/^(?:an?|one|un[ae]?|uma|ein|एक)$/iu.test(word)) return 1;
  const digits = writeNumberWords(writeWordsOfLocale(word, locale));
  return /^\d{1,3}$/.test(digits) ? Number(digits) : undefined;
}
