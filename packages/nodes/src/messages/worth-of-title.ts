/**
 * Titles that are times and amounts, chosen by what they come to: `4pm` for "16:00", `lunes a las 3` for "Lunes 15:00", `100 soles` for "S/ 100",
 * `18-25` or `20` for "18 a 25", `5` for "3 o más". What else the reply says must be in the title, or what people say around a choice.
 */
import { readNumber } from '../fields/reading/number.ts';
import { readTime } from '../fields/reading/time.ts';
import { latinDigits } from './digits.ts';
import { foldLetters } from './folded-text.ts';
import { ofTitle } from './of-title.ts';

type Titled = { readonly title: string };

const place = { locale: undefined, nowMs: undefined, isStrict: false } as const;
const timeOf = ofTitle((title) => (title.length > longest ? undefined : readTime(title, place, () => true)));
const amountOf = ofTitle((title) => (title.length > longest ? undefined : readNumber(title, place)));
const spanOf = ofTitle((title) => (title.length > longest ? undefined : readSpan(title)));
const rangeOf = ofTitle((title) => (title.length > longest ? undefined : readRange(title)));
const wordsOf = ofTitle((title): ReadonlySet<string> => new Set(wordsIn(title)));
const numbersOf = ofTitle((title): ReadonlySet<number> => new Set((latinDigits(title).match(/\d{1,6}/g) ?? []).map(Number)));
const longest = 80;

/** The only option that has the time, amount or range of a text. */
export function findWorth<Option extends Titled>(options: readonly Option[], text: string): Option | undefined {
  if (text.length > longest || !/\p{Nd}|\p{L}{3}/u.test(text)) return undefined;
  const allowed = (option: Option): boolean => wordsIn(text).every((word) => wordsOf(option).has(word) || around.has(word));
  const only = (isMeant: (option: Option) => boolean): Option | undefined => {
    const [meant, another] = options.filter((option) => isMeant(option) && allowed(option));
    return another === undefined ? meant : undefined;
  };
  let times: readonly (string | undefined)[] | undefined;
  const time = readTime(text, place, (one) => (times ??= options.map(timeOf)).includes(one));
  if (time !== undefined) return only((option) => timeOf(option) === time);
  const range = readRange(text);
  if (range !== undefined) return only((option) => rangeOf(option) === range);
  const amount = readNumber(text, place);
  if (amount === undefined) return undefined;
  const inHour = amount < 1 || amount > 23 ? undefined : only((option) => isHour(option, amount));
  const isLine = amount <= options.length && options[amount - 1] !== inHour;
  if (inHour !== undefined && timeOf(inHour)?.endsWith(':00') === true && !isLine) return inHour;
  const same =
    options.filter((option) => amountOf(option) !== undefined).length < 2 ? undefined : only((option) => amountOf(option) === amount);
  // A number that may be that of a line names no span.
  if (
    same !== undefined ||
    amount <= options.length ||
    /^[+-]/.test(text.trim()) ||
    options.filter((option) => spanOf(option) !== undefined).length < 2
  )
    return same;
  return only((option) => spanOf(option)?.(amount) === true);
}

/** "9" is "9:00 am" and "4" "4:00 pm", where that is the only option of this hour, and no line of the list; it is not "21:00". */
function isHour(option: Titled, hour: number): boolean {
  const ofDay = Number(timeOf(option)?.slice(0, 2));
  return ofDay === hour || (ofDay === hour + 12 && !numbersOf(option).has(ofDay));
}

/** Whether a number is one of those that a title stands for: `18 a 25`, `Menos de 18`, `Hasta 18`, `Más de 40`, `40+`, `3 o más`, or one number alone. */
function readSpan(title: string): ((amount: number) => boolean) | undefined {
  const [from, to] = readRange(title)?.split('-').map(Number) ?? [];
  if (from !== undefined && to !== undefined) return (amount) => amount >= from && amount <= to;
  const { side = '', number = '', least } = openSpan.exec(latinDigits(foldLetters(title)))?.groups ?? {};
  const [bound, alone] = [Number(number), readNumber(title, place)];
  if (number !== '' && least !== undefined) return side === '' ? (amount) => amount >= bound : undefined;
  if (number !== '' && /^(?:hasta|ate|up)/.test(side)) return (amount) => amount <= bound;
  if (number !== '' && /^(?:menos|menor|less|under|below|fewer)/.test(side)) return (amount) => amount < bound;
  if (number !== '' && side !== '') return (amount) => amount > bound;
  return alone === undefined ? undefined : (amount) => amount === alone;
}

const openSpan =
  /^(?:(?<side>hasta|ate|up to|menos de|menor(?:es)? (?:de|a|que)|less than|fewer than|under|below|mas de|mais de|mayor(?:es)? (?:de|a|que)|maior(?:es)? (?:de|que)|more than|over|above|\+) ?)?(?<number>\d{1,6})(?<least> ?\+| (?:o|ou|or|y|and|e) (?:mas|mais|more|over|above|older|mayor(?:es)?))?(?: (?:anos|years|anhos|soles|pesos|personas|people|pessoas|reais|dolares|dollars|euros))?[.!]?$/;

/** `18 a 25`, `18-25`, `entre 18 y 25`, `from 18 to 25` as `18-25`. */
function readRange(text: string): string | undefined {
  const [, from, to] = range.exec(latinDigits(foldLetters(text))) ?? [];
  return from === undefined || to === undefined ? undefined : `${Number(from)}-${Number(to)}`;
}

const range =
  /^(?:(?:de|from|entre|between) )?(\d{1,6}) ?(?:-|a|to|al|y|e|and|hasta|ate) ?(\d{1,6})(?: (?:anos|years|anhos|soles|pesos|personas|people|pessoas))?[.!]?$/;

const wordsIn = (text: string): readonly string[] => foldLetters(text).match(/\p{L}{1,40}/gu) ?? [];

/** What is said around a time or an amount, numbers in words among it, that names nothing else. */
const around: ReadonlySet<string> = new Set(
  (
    'tengo tenho have anos ano years year old personas persona people person pessoas cumpli cumplo im age edad idade ' +
    'el la los las lo a al de del en por para con un una uno y e o as os da do das dos em the at on of for and to i quiero quisiera quero prefiero prefiro dame deme elijo escojo escolho ' +
    'me da seria somos son es va voy want take give mejor favor porfa please pls gracias thanks obrigado obrigada ok hola si yes sim ' +
    'am pm m h hr hrs hora horas hours clock tarde manana noche manha noite madrugada mediodia dia morning afternoon evening media meia cuarto quarter half past punto ' +
    'sol soles s r us peso pesos dolar dolares dollars usd euro euros real reais pen mxn brl entre between from hasta ate ' +
    'dois duas tres quatro cuatro cinco seis siete sete ocho oito nueve nove diez dez once onze doce doze trece catorce quince quinze veinte vinte treinta trinta ' +
    'cuarenta quarenta cincuenta cinquenta sesenta setenta ochenta oitenta noventa cien cem ciento cento doscientos duzentos trescientos cuatrocientos quinientos mil ' +
    'one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty hundred thousand'
  ).split(' '),
);
