/**
 * Yes and no as people write them, and the courtesies around an answer: `Sí, por favor`, `no gracias`, `claro que sí`, `yep`, 👍. English,
 * Spanish and Portuguese. An answer with any other word is neither: "sí, pero mañana" is for a person to read.
 */
import { foldLetters, foldText } from './folded-text.ts';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const yes = wordsOf(
  'yes y yeah yep yup sure ok okay okey correct true absolutely si sii siii s sip claro dale vale correcto exacto afirmativo sim isso certo',
);
const no = wordsOf('no n nope nah not nop negativo false nao never nunca jamas');
/** They change nothing: `claro que sí`, `yes of course`. */
const fillers = wordsOf(
  'please pls plz thanks thank you por favor porfavor porfa gracias muchas obrigado obrigada of course que it is es eso asi supuesto',
);
/** Phrases whose words say something else one by one. */
const phrases: ReadonlyMap<string, boolean> = new Map([
  ...['of course', 'por supuesto', 'de acuerdo', 'asi es', 'com certeza', 'e isso'].map((phrase) => [phrase, true] as const),
  ...['of course not', 'not really', 'claro que no', 'claro que nao', 'para nada', 'de ninguna manera', 'todavia no'].map(
    (phrase) => [phrase, false] as const,
  ),
]);

const longestAnswer = 200;

/** @returns `undefined` for what is neither, or both */
export function readYesOrNo(text: string): boolean | undefined {
  if (text.length > longestAnswer) return undefined;
  const folded = foldText(text);
  if (/^👍{1,3}$/u.test(folded) || /^[✅✔]\ufe0f?$/u.test(folded)) return true;
  if (/^👎{1,3}$/u.test(folded) || folded === '❌') return false;
  const words = folded.match(/[\p{L}\p{N}]{1,40}/gu) ?? [];
  if (words.length > 6) return undefined;
  const known = phrases.get(words.join(' '));
  if (known !== undefined) return known;
  const says = { yes: words.some((word) => yes.has(word)), no: words.some((word) => no.has(word)) };
  const isPlain = words.every((word) => yes.has(word) || no.has(word) || fillers.has(word));
  return isPlain && says.yes !== says.no ? says.yes : undefined;
}

/** A text without the courtesies at its ends: `el azul por favor` is `el azul`, `hola, el azul` stays. Folded; blank when there is nothing else. */
export const withoutCourtesies = (text: string): string => foldText(foldLetters(text).replace(courtesy, ''));

const courtesy =
  /(?:^(?:por ?favor|porfa|please)\b[ ,]{0,3})|(?:[ ,.]{1,3}(?:por ?favor|porfa|porfis|please|pls|plz|(?:muchas )?gracias|thanks|thank you|obrigad[oa]|por gentileza)[ .!]{0,3})$/gu;
