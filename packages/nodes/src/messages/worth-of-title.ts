/**
 * Titles that are times and amounts, chosen by what they come to: `4pm` for "16:00", `lunes a las 3` for "Lunes 15:00", `100 soles` for "S/ 100",
 * `18-25` for "18 a 25". What else the reply says must be in the title, or what people say around a choice.
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
const rangeOf = ofTitle((title) => (title.length > longest ? undefined : readRange(title)));
const wordsOf = ofTitle((title): ReadonlySet<string> => new Set(wordsIn(title)));
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
  if (amount === undefined || options.filter((option) => amountOf(option) !== undefined).length < 2) return undefined;
  return only((option) => amountOf(option) === amount);
}

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
    'el la los las lo a al de del en por para con un una uno y e o as os da do das dos em the at on of for and to i quiero quisiera quero prefiero prefiro dame deme elijo escojo escolho ' +
    'me da seria somos son es va voy want take give mejor favor porfa please pls gracias thanks obrigado obrigada ok hola si yes sim ' +
    'am pm m h hr hrs hora horas hours clock tarde manana noche manha noite madrugada mediodia dia morning afternoon evening media meia cuarto quarter half past punto ' +
    'sol soles s r us peso pesos dolar dolares dollars usd euro euros real reais pen mxn brl entre between from hasta ate ' +
    'dois duas tres quatro cuatro cinco seis siete sete ocho oito nueve nove diez dez once onze doce doze trece catorce quince quinze veinte vinte treinta trinta ' +
    'cuarenta quarenta cincuenta cinquenta sesenta setenta ochenta oitenta noventa cien cem ciento cento doscientos duzentos trescientos cuatrocientos quinientos mil ' +
    'one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty hundred thousand'
  ).split(' '),
);
