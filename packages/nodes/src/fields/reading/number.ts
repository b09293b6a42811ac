/** Reads a number as people write it: `$120`, `1,200.50`, `1 200,50`, `1,00,000`, `20 años`, `about 20`, `5%`, `20 mil`, `veinte`, `dos y medio`, `2½`, `٢٠`. */
import { splitText } from '@hilo/engine/contract';
import { foldLetters, lookedAt } from '../../messages/folded-text.ts';
import { withoutCourtesies } from '../../messages/yes-or-no.ts';
import { saysAnotherNumber } from './beside.ts';
import { clean, type ReadingContext } from './clean.ts';
import { writeDozens } from './dozens.ts';
import { moneyWordsOf, writeOneOf } from './money-words.ts';
import { readScale, saysOtherwise } from './other-languages.ts';
import { writeHalves } from './parts-of-locale.ts';
import { writeNumberWords } from '../../messages/number-words.ts';
import { writeWordsOfLocale } from '../../messages/number-words-of-locale.ts';

/**
 * The only number in an answer. `1.000` is read by the locale; without one, or where the locale has no such number, only if it is
 * unambiguous.
 *
 * @returns `undefined` when there is none or more than one, when it is ambiguous, or has more than 15 digits (VAR-08)
 */
export function readNumber(
  answer: string,
  { locale, isStrict, countsSingly = false }: Pick<ReadingContext, 'locale' | 'isStrict' | 'countsSingly'>,
): number | undefined {
  const written = locale === undefined ? answer : writePlainly(writeApostropheMillions(answer, locale), locale);
  const cleanedSigns = clean(writeSquares(writeFractionSigns(written)));
  const signs = cleanedSigns !== undefined && countsSingly ? writeDozens(cleanedSigns, locale) : cleanedSigns;
  const cleaned = signs === undefined ? undefined : writeWordsOfLocale(writeHalves(signs, locale), locale);
  // Eleven in Spanish, and one time in English.
  if (locale !== undefined && /^en\b/.test(locale) && cleaned !== undefined && /\bonce\b/i.test(cleaned)) return undefined;
  if (cleaned !== undefined && !isStrict && nobody.test(withoutCourtesies(cleaned))) return 0;
  if (
    cleaned !== undefined &&
    (saysOtherwise(cleaned) || (/^en\b/.test(locale ?? '') && /(?<!\p{L})(?:an?|one) mil(?!\p{L})/iu.test(cleaned)))
  )
    return undefined;
  const [, rated] = (isStrict ? null : stars.exec(cleaned ?? '')) ?? [];
  if (rated !== undefined) return Array.from(rated).length;
  if (cleaned !== undefined && millionAndHundreds.test(cleaned)) return undefined;
  const money = moneyWordsOf(locale);
  const counted = money.size === 0 || cleaned === undefined ? cleaned : writeOneOf(cleaned);
  const text = counted === undefined ? undefined : writeFractions(writeSaidCents(writeNumbers(writeParts(counted.replace(noCents, '')))));
  if (text !== undefined && (saysAnotherNumber(foldLetters(text)) || height.test(text))) return undefined;
  const [first, second] = text === undefined ? [] : [...text.matchAll(numeral)];
  if (text === undefined || first === undefined || second !== undefined) return undefined;
  const [digits = ''] = first;
  const before = text.slice(0, first.index);
  const behind = text.slice(first.index + digits.length);
  if (tensBefore.test(before) || monthBefore.test(before) || (millionsShort.test(behind) && !isPortuguese(locale))) return undefined;
  const magnitude = readMagnitude(digits, locale);
  const sign = readSign(before.toLowerCase(), isStrict);
  const factor =
    isMilOfEnglish.test(behind) && locale !== undefined && /^en\b/.test(locale)
      ? undefined
      : readFactor(behind, { isStrict, hasFraction: /[.,]\d{1,2}$/.test(digits), money });
  if (magnitude === undefined || sign === undefined || factor === undefined) return undefined;
  const value = sign * magnitude * factor + 0; // minus zero is zero
  return factor === 1 || Number.isSafeInteger(value) ? value : Number(value.toPrecision(15));
}

/** "Un millón doscientos" is said of 1,200,000 as well as of 1,000,200. */
const millionAndHundreds =
  /(?<!\p{L})(?:mill[oó]n(?:es)?|milh[aãoõ]{1,2}(?:es)?) (?:[ye] )?(?:cien|ciento|cem|cento|\p{L}{2,6}(?:cient|zent|cent|nient|nhent)[oa]s)(?!\p{L})(?!(?: \p{L}{1,14}){0,5} mil(?!\p{L}))/iu;

/** "Ten bucks fifty": another number before it, in a word that is one only where it is alone. */
const tensBefore =
  /(?<!\p{L}|por )(?:ten|hundred|thousand|million|cien|ciento|cem|cento)(?!\p{L})(?! por c| percent| per cent)|(?<!\p{L})one $/iu;

/** "Dec 5", "mayo 5": a day, as behind its number. */
const monthBefore =
  /(?<!\p{L})(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre|janeiro|fevereiro|mar[cç]o|maio|junho|julho|setembro|outubro|novembro|dezembro|(?:jan|febr)(?:uary)?|feb|march|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?) $/iu;

/** "1,5 mi" is a million and a half in Brazil; elsewhere it is not known what it is. */
const millionsShort = /^ ?(?:mi|bi)[.!]{0,3}$/iu;
const isPortuguese = (locale: string | undefined): boolean => locale !== undefined && /^pt\b/.test(locale);

/** `1'500,000` and `1'500.000`, as Latin America writes a million and a half: an apostrophe for the millions, one of the two signs for thousands. */
const writeApostropheMillions = (answer: string, locale: string): string =>
  /^(?:es|pt)\b/.test(locale)
    ? writeApostropheDecimals(answer.slice(0, lookedAt + 1), locale).replace(
        /(?<![\d.,'’´])(\d{1,3})['’´](\d{3})[.,](\d{3})(?![\d'’´])(?=[.,]?\d{0,2}(?!\d))/g,
        '$1$2$3',
      )
    : answer;

/** `12'50`, as Spain writes twelve and a half; elsewhere it may be a height. */
const writeApostropheDecimals = (answer: string, locale: string): string =>
  locale.endsWith('-ES') ? answer.replace(/(?<![\d.,'’´])(\d{1,4})['’´](\d{2})(?![\d'’´"”])/g, '$1,$2') : answer;

/** `⭐⭐⭐⭐` and `★★★☆☆`: so many as are full. */
const stars = /^([⭐🌟★]{1,10})☆{0,9}$/u;

/** `1.200.000,-` and `45.-`: no cents. */
const noCents = /(?<=\d)[.,](?:-{1,2}|=)(?!\d)/;

/** "How many children?" */
const nobody =
  /^(?:(?:todavia|aun|ainda|por ahora|por enquanto) )?(?:ningun[oa]|none|nenhuma?|nadie|nobody|ninguem|aucune?|keine[rs]?|niemand|nessun[oa]|tidak ada)(?:,? (?:todavia|aun|ainda|yet|por ahora|por enquanto))?[.!]{0,3}$/;

/** "Un metro ochenta" is 1.80 or, where centimetres are asked for, 180; and not 80. */
const height = /(?<!\p{L})(?:metros?|mts?|meters?|metres?) (?:(?:y|e|con|com|and) )?\d/iu;

/** Digits with single separators between them. A sign of the fraction may come first, but not behind a letter or a slash: `Rs.500`, `S/.20`. */
const numeral = /(?:(?<=^|[\s\p{Sc}(+-])[.,٫])?\d{1,40}(?:[.,'٫٬ ]\d{1,40}){0,20}/gu;

/**
 * Number words as digits, and what is said in parts as one number: `35 mil 200` as `35200`, `20 mil quinientos` as `20500`, `2 millones 300
 * mil` as `2300000`, `un millón y medio` as `1500000`. A scale is glued to the digits before it, so that it begins no number of its own.
 */
function writeNumbers(answer: string): string {
  const glued = answer
    .replace(halfMillion, 'quinientos mil')
    .replace(millionAndHalf, '$1 quinientos mil')
    .replace(/(\d) (?=(?:mil|thousand|mill[oó]n(?:es)?|millions?|milh[aãoõ]{1,2}(?:es)?)(?!\p{L}))/giu, '$1');
  return writeNumberWords(writeThousands(glued), /\dmil/i.test(glued) ? { anywhere: hundreds } : {})
    .replace(/(?<![\d.,])(\d{1,12})(?: ?\(\1\)|, \1)(?![\d.,])/, '$1') // "7 (siete)"
    .replace(thousandsAndRest, (_, ofThousands: string, rest: string) => String(Number(ofThousands) * 1_000 + Number(rest)))
    .replace(millionsAndRest, (_, ofMillions: string, ofThousands: string | undefined, rest: string | undefined) =>
      String(Number(ofMillions) * 1_000_000 + Number(ofThousands ?? 0) * 1_000 + Number(rest ?? 0)),
    )
    .replace(lakhsAndThousands, (_, ofLakhs: string, ofThousands: string) =>
      String(Number(ofLakhs) * 100_000 + Number(ofThousands) * (ofThousands.length > 2 ? 1 : 1_000)),
    );
}

/** "Dos punto cinco" as `2.5`, as a voice is written down, and "50 soles con 20", "5 dollars and 50 cents" as `50.20 soles`. */
const writeSaidCents = (text: string): string =>
  text
    .replace(
      /(?<![\d.,/])(?:(\d{1,9})|un[oa]?|uma?|one) (?:punto|coma|point|ponto|v[ií]rgula) (\d{1,3})(?![\d.,/]| \d)/iu,
      (_, whole: string | undefined, part: string) => `${whole ?? 1}.${part}`,
    )
    .replace(
      saidCents,
      (_, whole: string, unit: string, part: string) => `${/\d/.test(whole) ? whole : 1}.${part.padStart(2, '0')} ${unit}`,
    );
const saidCents =
  /(?<![\p{L}\d.,/])(\d{1,9}|una?|uma?|one) (sol(?:es)?|pesos?|d[oó]lar(?:es)?|dollars?|bucks|euros?|reais|real|quetzales|bolivianos) (?:(?:con|com) (?=\d{2}(?!\d))|(?:(?:con|com|y|e|and) )?(?=\d{1,2} (?:c[eé]ntimos?|centavos?|cents?)(?!\p{L})))(\d{1,2})(?: (?:c[eé]ntimos?|centavos?|cents?)(?!\p{L}))?(?!\d)/iu;

/** "Mil 200" and "dos mil 500", where the thousands are words and the rest digits. */
function writeThousands(text: string): string {
  const found = /(?<![\p{L}\d.,] ?)((?:\p{L}{2,14} (?:[ye] )?){0,3})mil (?:[ye] )?(\d{1,3})(?![\d.,/:%])/iu.exec(text);
  if (found === null) return text;
  const [written, words = '', rest = ''] = found;
  for (let from = 0; ; from = words.indexOf(' ', from) + 1) {
    const thousands = writeNumberWords(`${words.slice(from)}mil`);
    if (/^\d{4,6}$/.test(thousands))
      return `${text.slice(0, found.index)}${words.slice(0, from)}${Number(thousands) + Number(rest)}${text.slice(found.index + written.length)}`;
    if (from === words.length || words.indexOf(' ', from) < 0) return text;
  }
}

const halfMillion = /\b(?:medio mill[oó]n|half a million|meio milh[aã]o)\b/gi;
const millionAndHalf = /(mill[oó]n(?:es)?|millions?|milh[aãoõ]{1,2}(?:es)?) (?:y medio|e meio|and a half)\b/gi;
const thousandsAndRest = /(?<![\d.,/])(\d{1,3})(?:mil|thousand) (?:[ye] |and )?(\d{1,3})(?![\d.,/:]|mil|thousand)/gi;
const millionsAndRest =
  /(?<![\d.,/])(\d{1,3})(?:000000|mill[oó]n(?:es)?|millions?|milh[aãoõ]{1,2}(?:es)?) (?:[ye] |and )?(?:(\d{1,3})(?:mil|thousand)(?!\p{L}| \d)|(\d{4,6})(?![\d.,/:]))/giu;
/** "Two lakh fifty thousand", `2 lakh 50000`. */
const lakhsAndThousands =
  /(?<![\d.,/])(\d{1,3}) ?(?:lakhs?|lacs?) (?:and )?(\d{1,2}(?= ?(?:thousand|k)(?!\p{L}))|\d{4,5})(?: ?(?:thousand|k))?(?!\p{L}| ?\d)/giu;
/** Behind "20 mil" these are a part of it, and alone in a sentence no number. */
const hundreds: ReadonlySet<string> = new Set(['cien', 'ciento', 'cem', 'cento', 'hundred']);

/** `50 m²` and `50 mts2` as `50 m`. Other raised and lowered digits are no answer: a letter stands for them, so that what they touch is none. */
const writeSquares = (answer: string): string =>
  answer
    .slice(0, lookedAt + 1)
    .replace(/(\p{L})[²³]/gu, '$1')
    .replace(/[²³¹⁰⁴-⁹₀-₉]/gu, 'z')
    .replace(/(\d ?(?:[kc]?m|mts?|metros))[23](?![\p{L}\d])/giu, '$1');

/** `2½` as `2.5`: a quarter, a half and three quarters have a sign each, which as letters would be `21/2`. */
const writeFractionSigns = (answer: string): string =>
  answer
    .slice(0, lookedAt + 1)
    .replace(/(?<![\d.,])(\d{0,9}) ?([¼½¾])/g, (_, whole: string, sign: string) => `${whole || 0}.${decimals.get(sign)}`);

/** `1/2 kilo`, `medio litro`, `tres cuartos de kilo`, `half a pound` as `0.5 kilo`: a part of one, which its unit tells from a day. */
const writeParts = (text: string): string =>
  text.replace(partOfUnit, (_, part: string, unit: string) => {
    const [name = ''] =
      foldLetters(part).match(/^(?:[13]\/[24]|tres|tr[eê]s|three|medi[oa]|mei[oa]|half|(?:un |um |a )?(?:cuarto|quarto|quarter))/) ?? [];
    return `0.${name.startsWith('tres') || name === 'three' ? '75' : (decimals.get(name.replace(/^(?:un|um|a) /, '').replace('quarto', 'cuarto')) ?? '')} ${unit}`;
  });
const partOfUnit =
  /(?<![\p{L}\d.,/]|\d |\b(?:y|e|and|con|com) )(1\/2|1\/4|3\/4|tres cuartos|tr[eê]s quartos|three quarters|medi[oa]|mei[oa]|half|un cuarto|um quarto|a quarter|cuarto|quarter)(?: de| of)?(?: an?| un| una| um| uma)? (kilos?|quilos?|kg|litros?|lit(?:er|re)s?|lts?|metros?|libras?|pounds?|lbs?|tazas?|cups?)(?!\p{L})/giu;

/** `2 y medio`, `one and a half`, `2 1/2` with the fraction behind a point. Thirds have no end there, and stay; so does `3/4` alone, which may be a day. */
function writeFractions(text: string): string {
  const written = text
    .replace(
      /(?<![\d.,/])(\d{1,9}|\b(?:one|una?|uno|uma?)) (?:y|e|and|con|com) (?:an? |una? |uma? |one )?(1\/2|1\/4|3\/4|medi[oa]|mei[oa]|half|cuarto|quarter)\b(?![/\d])/gi,
      (_, whole: string, part: string) => `${/\d/.test(whole) ? whole : 1}.${decimals.get(part.toLowerCase())}`,
    )
    .replace(
      halfBehindUnit,
      (_, whole: string, unit: string, part: string) => `${/\d/.test(whole) ? whole : 1}.${decimals.get(part.toLowerCase())} ${unit}`,
    );
  return written.replace(/^(\d{1,9}) (1\/2|1\/4|3\/4)(?![/\d])/, (_, whole: string, part: string) => `${whole}.${decimals.get(part)}`);
}

/** "2 años y medio", "un kilo y medio", "hora y media": with a unit between, at the end of what is said. */
const halfBehindUnit =
  /(?<![\p{L}\d.,/])(?:(\d{1,9}|una?|uma?|an?|one) )?(a[nñ]os?|mes(?:es)?|semanas?|d[ií]as?|horas?|kilos?|quilos?|litros?|metros?|tazas?|years?|months?|weeks?|days?|hours?|pounds?) (?:y|e|and) (?:an? )?(medi[oa]|mei[oa]|half|cuarto|quarter)(?=[.,!?]{0,3}$)/giu;

const decimals: ReadonlyMap<string, string> = new Map(
  Object.entries({ '25': '¼ 1/4 cuarto quarter', '5': '½ 1/2 medio media meio meia half', '75': '¾ 3/4' }).flatMap(([decimal, names]) =>
    names.split(' ').map((name) => [name, decimal] as const),
  ),
);

const hanDigits = '〇一二三四五六七八九';
const hanDigit = /[〇一二三四五六七八九]/gu;

/** Writes the signs of a locale that no other has in the way of others: its separators, and its digits where they are characters. */
function writePlainly(answer: string, locale: string): string {
  const { group, decimal, numberingSystem } = readFormat(locale);
  let plain = numberingSystem === 'hanidec' ? answer.replace(hanDigit, (digit) => String(hanDigits.indexOf(digit))) : answer;
  if (group !== undefined && !/[\d.,\s]/.test(group)) plain = splitText(plain, group).join("'");
  if (decimal !== undefined && !/[\d.,\s]/.test(decimal)) plain = splitText(plain, decimal).join('٫');
  return plain;
}

function readFormat(locale: string) {
  const format = new Intl.NumberFormat(locale, { useGrouping: 'always' });
  const parts = new Map(format.formatToParts(-1_234_567.5).map(({ type, value }) => [type, value]));
  return { group: parts.get('group'), decimal: parts.get('decimal'), numberingSystem: format.resolvedOptions().numberingSystem };
}

/** Codes such as `USD`, and the abbreviations that people write. */
const currencies: ReadonlySet<string> = new Set(
  Intl.supportedValuesOf('currency')
    .map((code) => code.toLowerCase())
    .concat('rs rp rm bs kr s r us ca mx hk nt nz ft kc zl lei q l fr gs'.split(' '))
    .concat('dollars dollar euros euro pesos peso soles sol reais real dolares rupees rupias'.split(' ')),
);

/**
 * The sign that the text before a number gives it.
 *
 * @returns `undefined` when the number is part of a word or a code, as in `B12` and `A-5`, or is not alone where it must be
 */
function readSign(before: string, isStrict: boolean): 1 | -1 | undefined {
  const inner = cutSign(before);
  if (inner.sign !== undefined && /[\p{L}\p{N}+-]$/u.test(inner.rest)) return undefined; // "A-5"
  const money = cutCurrency(inner.rest);
  const outer = cutSign(money.rest);
  const rest = outer.rest.replace(/(?<!\p{L})x ?$/u, ''); // "x2"
  if (inner.sign !== undefined && outer.sign !== undefined) return undefined;
  if (/[\p{L}\p{N}][/:-]?$/u.test(rest) || /[+\-{}<>=]$/.test(rest)) return undefined; // glued to a word, or a piece of code
  const words = rest.trim();
  // "Sincuentaa y 5", "mi esposa y 2 niños", "trezzientos 50": it is a part of what is said.
  if (/\b(?:y|e|and)$|(?:[cszx]i?ent|[nñ]i?h?ent)[oa]s?$/u.test(words)) return undefined;
  const sign = inner.sign === '-' || outer.sign === '-' ? -1 : 1;
  if (words === '') return sign;
  if (isStrict) return undefined;
  const [last = '', introduction = ''] = (words.match(/\p{L}{1,40}/gu) ?? []).slice(-2).toReversed();
  if (!words.endsWith(last) || !negations.has(last)) return sign;
  if (last !== 'menos') return -1;
  return introduction === '' ? -1 : approximations.has(introduction) ? 1 : undefined;
}

const negations: ReadonlySet<string> = new Set(['minus', 'menos', 'negative', 'negativo', 'negativa']);
/** With "menos" behind, these say no sign: "más o menos 20", "al menos 20", "pelo menos 20". */
const approximations: ReadonlySet<string> = new Set(['o', 'ou', 'al', 'lo', 'pelo', 'ao', 'por']);

/** A sign at the end of a text, and the text before it. */
function cutSign(text: string): { readonly sign?: string; readonly rest: string } {
  const written = text.trimEnd();
  const sign = written.at(-1);
  return sign === '-' || sign === '+' ? { sign, rest: written.slice(0, -1) } : { rest: text };
}

/** A currency at the end of a text: `US$`, `S/.`, `Rs.`, `PEN`. What is before it does not touch the number. */
function cutCurrency(text: string): { readonly rest: string } {
  const written = text.trimEnd();
  if (/\p{Sc}$/u.test(written)) return { rest: written.replace(/\p{L}{0,3}\p{Sc}$/u, '') };
  const at = Math.max(written.lastIndexOf(' '), written.lastIndexOf('-'), written.lastIndexOf('+'), written.lastIndexOf('(')) + 1;
  const word = written.slice(at).replace(/[./]{1,2}$/, '');
  return { rest: currencies.has(word) ? written.slice(0, at) : text };
}

/**
 * What the text behind a number multiplies it with.
 *
 * @returns `undefined` when it changes the number in a way that is not understood, as "20 dozen" does, or is more than a currency where the
 *   number must be alone
 */
function readFactor(
  written: string,
  {
    isStrict,
    hasFraction,
    money,
  }: { readonly isStrict: boolean; readonly hasFraction: boolean; readonly money: ReadonlyMap<string, number> },
): number | undefined {
  const behind = foldLetters(written);
  const words = behind.match(/\p{L}{1,40}/gu) ?? [];
  const [first = ''] = words;
  const isGlued = /^\p{L}/u.test(written);
  const amount = money.get(first);
  if (amount !== undefined && !isStrict) {
    const [, second = '', third = ''] = words;
    return changing.has(second) || (second === 'de' && !currencies.has(third)) ? undefined : amount; // "un palo verde", "un palo de golf"
  }
  const isThousand = thousands.has(first);
  // "3 mil millones": a thousand of them.
  const isThousandMillions = isThousand && millions.has(words[1] ?? '');
  const scale = readScale(written);
  if (scale === undefined) return undefined;
  const isMillion = millions.has(first) || /^ ?mi[.!]{0,3}$/.test(behind);
  const isBillion = isThousandMillions || /^ ?bi[.!]{0,3}$/.test(behind);
  const factor = isBillion ? 1_000_000_000 : isThousand ? 1_000 : isMillion ? 1_000_000 : scale;
  if (isStrict)
    return /^ ?(?:\p{L}{0,3}\p{Sc}|\p{L}{1,8})?[.!]{0,3}$/u.test(behind) && (first === '' || currencies.has(first)) ? factor : undefined;
  if (isGlued && first.length === 1 && factor === 1 && !/^[xglh]/.test(written) && !(hasFraction && written.startsWith('m')))
    return undefined; // "3B", but "2x", "500g" and "1.70m"
  if (momentBehind.test(behind) || addressBehind.test(behind)) return undefined;
  const further = /^por c(?:i?ento)\b/.test(behind) ? words.slice(2) : words; // "20 por ciento" is 20%
  return further.slice(0, 3).some((word) => changing.has(word)) ? undefined : factor;
}

/** "8pm", "20 de mayo": of a moment, which counts nothing. */
const momentBehind =
  /^ ?(?:[ap]\.? ?m\b|(?:de |of )?(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre|janeiro|fevereiro|marco|maio|junho|julho|setembro|outubro|novembro|dezembro|january|february|april|june|july|august|september|october|november|december)\b)/;

/** "www.4567.com", "4567@": of an address. */
const addressBehind = /^(?:@|\.(?:com|net|org|io|pe|mx|br|cl|co|es|ar|pt)\b)/i;

/** "1.5 mil" is a thousand and a half in Spanish and Portuguese, and in English most often millions. */
const isMilOfEnglish = /^ ?mil\b(?! millones)/i;

const thousands: ReadonlySet<string> = new Set(['k', 'mil', 'thousand', 'grand']);
/** "Mi" is read in Portuguese alone: see `millionsShort`. */
const millions: ReadonlySet<string> = new Set(['million', 'millions', 'millon', 'millones', 'milhao', 'milhoes']);
/** Words behind a number that change it. */
const changing: ReadonlySet<string> = new Set(
  (
    'hundred hundreds ciento cientos cien cento centos billion billions billon billones bilhao bilhoes trillion bn mn mm ' +
    'dozen dozens docena docenas duzia duzias mdp mdd mmdp mmdd mill half medio media meio meia quarter cuarto quarto tercio terco third luca lucas luquita luquitas gamba gambas palo palos quarters halves thirds fifths tercios tercos decena decenas dezena dezenas centena centenas millar millares milhar milhares ' +
    'verde verdes parejas couples casais cent cents centavo centavos centimo centimos ctv ctvs'
  ).split(' '),
);
/** The two notations `1,200.50` and `1.200,50`: the separators of thousands and of the fraction. In India groups have two digits, `1,00,000`. */
const notations = {
  point: {
    whole: /^(?:\d{1,40}|[1-9]\d{0,2}(?:,\d{3}){1,13}|[1-9]\d?(?:,\d{2}){1,13},\d{3})?(?:\.\d{1,40})?$/,
    thousands: ',',
    decimal: '.',
  },
  comma: { whole: /^(?:\d{1,40}|[1-9]\d{0,2}(?:\.\d{3}){1,13})?(?:,\d{1,40})?$/, thousands: '.', decimal: ',' },
} as const;

function readMagnitude(written: string, locale: string | undefined): number | undefined {
  const digits = removeBlankGroups(written) ?? (locale === undefined ? undefined : removeOwnGroups(written, locale));
  if (digits === undefined || digits.replace(/\D/g, '').length > 15) return undefined;
  if (/['\s٫]/.test(written)) return parseAs(digits, 'point'); // its separators are known, and a point is that of the fraction now
  const usual = locale === undefined ? undefined : parseAs(digits, readFormat(locale).decimal === ',' ? 'comma' : 'point');
  if (usual !== undefined) return usual;
  const [point, comma] = [parseAs(digits, 'point'), parseAs(digits, 'comma')];
  if (point !== undefined && comma !== undefined && point !== comma) return undefined;
  return point ?? comma;
}

/** Removes blanks and apostrophes, which separate thousands in any locale, and the signs of Arabic; then no other separator may. */
function removeBlankGroups(written: string): string | undefined {
  const arabic = written.replace(/٬/g, "'").replace(/٫/g, '.');
  if (!/['\s]/.test(arabic)) return /٫/.test(written) && /[.,]/.test(written) ? undefined : arabic;
  return /^[1-9]\d{0,2}(?:['\s]\d{2,3}){0,13}['\s]\d{3}(?:[.,]\d{1,40})?$/.test(arabic) && isGrouped(arabic)
    ? arabic.replace(/['\s]/g, '').replace(',', '.')
    : undefined;
}

/** Removes the blanks and apostrophes of a number that a locale groups in a way of its own. */
function removeOwnGroups(written: string, locale: string): string | undefined {
  const [, whole = '', fraction = ''] = /^([\d'\s]{1,60})((?:[.,]\d{1,40})?)$/.exec(written.replace(/٫/g, '.')) ?? [];
  const digits = whole.replace(/['\s]/g, '');
  const printed = digits === '' ? undefined : clean(new Intl.NumberFormat(locale, { useGrouping: 'always' }).format(Number(digits)));
  return printed?.replace(/\D/g, ' ') === whole.replace(/'/g, ' ') ? `${digits}${fraction.replace(',', '.')}` : undefined;
}

/** Groups of three, or of two before the last as in India. */
function isGrouped(digits: string): boolean {
  const [whole = ''] = digits.split(/[.,]/);
  const [, ...groups] = whole.split(/['\s]/);
  return groups.every(({ length }) => length === 3) || groups.slice(0, -1).every(({ length }) => length === 2);
}

function parseAs(digits: string, name: keyof typeof notations): number | undefined {
  const { whole, thousands: group, decimal } = notations[name];
  return whole.test(digits) ? Number(digits.replaceAll(group, '').replace(decimal, '.')) : undefined;
}
