/**
 * Yes and no as people write them, and the courtesies around an answer: `Sí, por favor`, `no gracias`, `claro que sí`, `yep`, 👍. English,
 * Spanish and Portuguese. An answer with any other word is neither: "sí, pero mañana" is for a person to read.
 */
import { foldLetters, foldText } from './folded-text.ts';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const yes = wordsOf(
  'yes y yeah yea yep yup sure ok okay okey oki okis okie correct true absolutely definitely si s sip sipi claro dale vale correcto exacto ' +
    'afirmativo obvio simon sim isso certo',
);
const no = wordsOf('no n nope nop nah not negativo false nao never nunca jamas tampoco nel');
/** They agree where nothing else says no: `acepto`, `está bien`, `ya`; "no acepto" and "ya no" refuse. */
const agreeing = wordsOf(
  'acepto confirmo confirmado quiero deseo ya va venga listo interesa parece perfecto bueno bien beleza aceito quero do want accept confirm agree right fine good perfect great',
);
/** They change nothing: `claro que sí`, `yes of course`, `ahora no`. */
const fillers = wordsOf(
  'please pls plz thanks thank you por favor porfavor porfa gracias muchas obrigado obrigada of course que it is s es eso asi supuesto esta este ta ' +
    'i we me lo la le pues pe nomas mejor ahora hoy todavia aun agora ainda mesmo now yet that sounds just to',
);
/** Phrases whose words say something else one by one. */
const phrases: ReadonlyMap<string, boolean> = new Map([
  ...['of course', 'por supuesto', 'de acuerdo', 'asi es', 'com certeza', 'e isso'].map((phrase) => [phrase, true] as const),
  ...['of course not', 'not really', 'claro que no', 'claro que nao', 'para nada', 'de ninguna manera'].map(
    (phrase) => [phrase, false] as const,
  ),
]);

const longestAnswer = 200;

/** @returns `undefined` for what is neither, or both */
export function readYesOrNo(text: string): boolean | undefined {
  if (text.length > longestAnswer) return undefined;
  const folded = foldText(text);
  if (/^(?:👍|👌){1,3}$/u.test(folded) || /^[✅✔]\ufe0f?$/u.test(folded)) return true;
  if (/^👎{1,3}$/u.test(folded) || folded === '❌') return false;
  const words = folded.replaceAll("n't", ' not').match(/[\p{L}\p{N}]{1,40}/gu) ?? [];
  if (words.length > 6) return undefined;
  const [alone = ''] = words.length === 1 ? words : [];
  if (/^(?:si){2,6}$/.test(alone)) return true; // sisisi
  if (/^(?:no){2,6}$/.test(alone)) return false;
  const known = phrases.get(words.join(' '));
  if (known !== undefined) return known;
  const isOf = (set: ReadonlySet<string>) => (word: string) => set.has(word) || set.has(shorten(word));
  if (!words.every((word) => [yes, no, agreeing, fillers].some((set) => isOf(set)(word)))) return undefined;
  const says = { yes: words.some(isOf(yes)), no: words.some(isOf(no)), agrees: words.some(isOf(agreeing)) };
  if (says.no) return says.yes ? undefined : false;
  return says.yes || says.agrees ? true : undefined;
}

/** A word as it is said when it is drawn out: `siiii`, `nooo`, `yesss`. */
const shorten = (word: string): string => word.replace(/(\p{L})\1{1,39}/gu, '$1');

/** A text without the courtesies at its ends: `el azul por favor` is `el azul`, `hola, el azul` stays. Folded; blank when there is nothing else. */
export const withoutCourtesies = (text: string): string => foldText(foldLetters(text).replace(courtesy, ''));

const courtesy =
  /(?:^(?:por ?favor|porfa|please)\b[ ,]{0,3})|(?:[ ,.]{1,3}(?:por ?favor|porfa|porfis|please|pls|plz|(?:muchas )?gracias|thanks|thank you|obrigad[oa]|por gentileza)[ .!]{0,3})$/gu;
