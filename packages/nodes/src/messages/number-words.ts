/**
 * Writes number words as digits, so that an answer is read as if it had them: `veinticinco` becomes `25`, `two hundred and five` `205`,
 * `mil e quinhentos` `1500`. English, Spanish and Portuguese, from zero to millions.
 *
 * Words that mean something else as well (`una`, `one`, `mil`, `once`, which is eleven in Spanish and "one time" in English) count only
 * where they are the whole answer: "un momento" and "mil gracias" are no numbers.
 */
import { foldLetters } from './folded-text.ts';

interface Word {
  /** Folded. */
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

/** A number in words, and the words that it takes. */
interface Run {
  readonly value: number;
  readonly count: number;
}

interface Words {
  /** Words of several meanings that are numbers here wherever they stand, such as `once` in a date. */
  readonly anywhere?: ReadonlySet<string>;
  /** Whether "y", "e" and "and" join words: not in a time of day, where "diez y cinco" is 10:05, and "una hora" is none. */
  readonly joins?: boolean;
}

/** @param answer - after `clean` */
export function writeNumberWords(answer: string, { anywhere = none, joins = true }: Words = {}): string {
  const text = answer.replace(inTwoWords, '$1').replace(inOneWord, '$1a $2').replace(inOneWordOfEnglish, '$1 $2');
  const words = [...text.matchAll(/\p{L}{1,40}/gu)].map(({ 0: written, index }): Word => {
    return { word: foldLetters(written), from: index, to: index + written.length };
  });
  const isAlone = !/\d/.test(text) && isOneWord(text.replace(courtesies, ' '), joins);
  let [written, from] = ['', 0];
  for (let at = 0; at < words.length; ) {
    const run = readRun(text, words, at, joins);
    const [first, last] = [words[at], words[at + run.count - 1]];
    const isNumber =
      run.count > 1 || (run.count === 1 && (isAlone || !severalMeanings.has(first?.word ?? '') || anywhere.has(first?.word ?? '')));
    if (isNumber && first !== undefined && last !== undefined) {
      written += `${text.slice(from, first.from)}${run.value}`;
      from = last.to;
    }
    at += Math.max(run.count, 1);
  }
  return written + text.slice(from);
}

/** Whether a text has one word beside those that introduce a number and, where it counts something, what it counts. */
const isOneWord = (text: string, joins: boolean): boolean =>
  (text.match(/\p{L}{1,40}/gu) ?? []).map(foldLetters).filter((word) => !introductions.has(word) && !(joins && counted.has(word)))
    .length === 1;

const courtesies =
  /(?<!\p{L})(?:(?:por ?favor|porfa|porfis|please|pls|plz)(?!\p{L})|(?<=^ ?)(?:hola|hi|hello|oi|s[ií]|yes|ok|okay|sim)(?!\p{L}))|,? (?:nada m[aá]s|no m[aá]s)(?!\p{L})|, ?(?:muchas )?(?:gracias|thanks|thank you|obrigad[oa])(?!\p{L})/giu;

const none: ReadonlySet<string> = new Set();
/** "Veinti cinco" and "dieci ocho", which are one word each. */
const inTwoWords = /\b(veinti|dieci) (?=(?:un|d[oó]s|tr[eé]s|cuatro|cinco|s[eé]is|siete|ocho|nueve))/gi;

/** "Treintaicinco" and "treinticinco", which are two. */
const inOneWord =
  /(?<!\p{L})(tre?int|trent|cuarent|cincuent|sesent|setent|ochent|novent)(?:a ?i|ay|i) ?(un[oa]?|d[oó]s|tr[eé]s|cuatro|cinco|s[eé]is|siete|ocho|nueve)(?!\p{L})/giu;

const inOneWordOfEnglish =
  /(?<!\p{L})(twenty|thirty|fou?rty|fifty|sixty|seventy|eighty|nine?ty)(one|two|three|four|five|six|seven|eight|nine)(?!\p{L})/giu;

/** The longest number that begins with a word; none has `count` 0. */
function readRun(text: string, words: readonly Word[], begin: number, joins: boolean): Run {
  const touches = (at: number): boolean => /\d$/.test(text.slice(0, words[at]?.from)) || /^\d/.test(text.slice(words[at]?.to));
  let sum: Sum = { thousands: 0, part: 0, scale: Number.POSITIVE_INFINITY };
  let end = begin;
  for (let at = begin; at < words.length && !touches(at); at += 1) {
    const isJoiner = joins && at > begin && joiners.has(words[at]?.word ?? '');
    const next = isJoiner ? at + 1 : at;
    const isNear = at === begin || isJoined(text, words[at - 1], words[at]);
    if (!isNear || (isJoiner && !isJoined(text, words[at], words[next]))) break;
    const added = addWord(sum, words[next]?.word ?? '', at === begin ? 'first' : isJoiner ? 'joined' : 'next');
    if (added === undefined) break;
    sum = added;
    at = next;
    end = next + 1;
  }
  return { value: sum.thousands + sum.part, count: end - begin };
}

const isJoined = (text: string, left: Word | undefined, right: Word | undefined): boolean =>
  left !== undefined && right !== undefined && /^[ -]$/.test(text.slice(left.to, right.from));

/** A number as far as it is read. */
interface Sum {
  /** What "thousand" and "million" have closed. */
  readonly thousands: number;
  /** Below a thousand, still open. */
  readonly part: number;
  /** The least of "thousand" and "million" so far: the next one is less. */
  readonly scale: number;
}

/** A number with one more word; `undefined` where the word does not continue it, as "three" does not continue "four". */
function addWord({ thousands, part, scale }: Sum, word: string, place: 'first' | 'next' | 'joined'): Sum | undefined {
  const multiple = multiples.get(word);
  if (multiple !== undefined) {
    const factor = part === 0 && place === 'first' && startsAlone.has(word) ? 1 : part;
    if (multiple === 100) return factor >= 1 && factor < 100 ? { thousands, part: factor * 100, scale } : undefined;
    if (multiple === 1_000_000 && scale === 1_000 && thousands + part > 0)
      return { thousands: (thousands + part) * multiple, part: 0, scale: multiple };
    return factor >= 1 && multiple < scale ? { thousands: thousands + factor * multiple, part: 0, scale: multiple } : undefined;
  }
  const value = values.get(word);
  if (value === undefined) return undefined;
  if (part === 0) return (value > 0 || place === 'first') && value < scale ? { thousands, part: value, scale } : undefined;
  const isOpen = part % 100 === 0 ? value < 100 : part % 10 === 0 && value < 10 && (part > 10 || place === 'joined');
  return isOpen && value > 0 ? { thousands, part: part + value, scale } : undefined;
}

const joiners: ReadonlySet<string> = new Set(['y', 'e', 'and']);

const multiples: ReadonlyMap<string, number> = new Map([
  ['hundred', 100],
  ['thousand', 1_000],
  ['mil', 1_000],
  ...['million', 'millon', 'millones', 'milhao', 'milhoes'].map((word) => [word, 1_000_000] as const),
]);

/** A multiple that is a number by itself: "mil quinientos", "(a) hundred". */
const startsAlone: ReadonlySet<string> = new Set(['hundred', 'thousand', 'mil', 'million', 'millon', 'milhao']);

/** Words that a number alone may be introduced by. */
const introductions: ReadonlySet<string> = new Set(
  'a el numero number about around like just only solo sola solamente nomas unos unas como apenas so cerca de aproximadamente casi'.split(
    ' ',
  ),
);

/** Words behind a number alone that say what is counted: "mil soles", "un año", "one person". */
const counted: ReadonlySet<string> = new Set(
  (
    'soles pesos dolares euros reais reales dollars pounds rupees quetzales bolivianos colones lempiras guaranies bolivares lucas anos ano years year ' +
    'meses mes months month semanas semana weeks week dias dia days day horas hora hours hour personas persona pessoas pessoa people person kilo kilos litro litros percent bucks'
  ).split(' '),
);

const severalMeanings: ReadonlySet<string> = new Set(
  'un una uno um uma one mil hundred thousand million millon milhao cien ciento cem cento once ten'.split(' '),
);

/** The words of each value, in English, Spanish and Portuguese, folded. */
const values: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: 'zero cero',
    1: 'one un una uno um uma',
    2: 'two dos dois duas',
    3: 'three tres trez',
    4: 'four cuatro quatro',
    5: 'five cinco sinco',
    6: 'six seis seiz',
    7: 'seven siete sete',
    8: 'eight eigth ocho oito osho',
    9: 'nine nueve nuebe nove',
    10: 'ten diez dez dies',
    11: 'eleven once onze onse',
    12: 'twelve twelv doce doze dose',
    13: 'thirteen trece trese treze therteen',
    14: 'fourteen forteen catorce quatorze catorze catorse katorce quatorse',
    15: 'fifteen quince quinze quinse fiveteen kinse',
    16: 'sixteen dieciseis dieziseis diesiseis diecisies dezesseis dezasseis dezeseis',
    17: 'seventeen diecisiete diesisiete diezisiete dezessete dezassete dezesete',
    18: 'eighteen eightteen dieciocho diesiocho dieziocho dezoito',
    19: 'nineteen ninteen diecinueve diesinueve diezinueve dezenove dezanove',
    20: 'twenty veinte beinte viente vinte bente vinti twenti',
    21: 'veintiuno veintiun veintiuna ventiuno ventiun',
    22: 'veintidos ventidos beintidos',
    23: 'veintitres ventitres beintitres',
    24: 'veinticuatro venticuatro beinticuatro',
    25: 'veinticinco venticinco veintisinco beinticinco beintisinco ventisinco',
    26: 'veintiseis ventiseis beintiseis',
    27: 'veintisiete ventisiete beintisiete',
    28: 'veintiocho ventiocho beintiocho',
    29: 'veintinueve ventinueve beintinueve',
    30: 'thirty treinta trinta trenta treynta trienta',
    40: 'forty fourty cuarenta quarenta',
    50: 'fifty cincuenta sincuenta cinquenta cincoenta fivety sinquenta',
    60: 'sixty sesenta sessenta',
    70: 'seventy setenta',
    80: 'eighty ochenta oitenta',
    90: 'ninety ninty noventa nobenta',
    100: 'cien ciento cem cento',
    200: 'doscientos doscientas docientos docientas dosientos dosientas duzentos duzentas',
    300: 'trescientos trescientas trecientos trecientas tresientos tresientas trezentos trezentas',
    400: 'cuatrocientos cuatrocientas cuatrosientos quatrocentos quatrocentas',
    500: 'quinientos quinientas quinentos kinientos quinhentos quinhentas',
    600: 'seiscientos seiscientas seicientos seicientas seisientos seiscentos seiscentas',
    700: 'setecientos setecientas setesientos sietecientos setecentos setecentas',
    800: 'ochocientos ochocientas ochosientos oitocentos oitocentas',
    900: 'novecientos novecientas novesientos nuevecientos novecentos novecentas',
  }).flatMap(([value, words]) => words.split(' ').map((word) => [word, Number(value)] as const)),
);
