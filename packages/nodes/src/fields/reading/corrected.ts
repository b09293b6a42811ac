/** Reads the value of an answer, or the one that it keeps where it takes another one back: `el lunes no, el martes`. */
import { readCorrected } from '../../messages/corrections.ts';
import { hasPartOfDay, hasScale } from './other-languages.ts';

type Kind = 'number' | 'date' | 'time' | 'email' | 'phone';

/**
 * The value that an answer means.
 *
 * @param isStrict - whether the value must be the whole answer: then there is nothing to correct
 */
export const readMeant = <Value>(
  kind: Kind,
  text: string,
  isStrict: boolean,
  read: (part: string) => Value | undefined,
): Value | undefined => (isStrict ? read(text) : readCorrected(text, read, replacesWholly[kind]));

/** Whether a part of an answer that replaces another one says all that it said: not "el 6" for "el 5 de mayo", "6:30" for "5:30 pm", "30" for "20 mil". */
const replacesWholly: Readonly<Partial<Record<Kind, (kept: string, dropped: string) => boolean>>> = {
  number: (kept, dropped) => !isScaled(dropped) || isScaled(kept),
  date: (kept, dropped) => !dayAlone.test(kept) || dayAlone.test(dropped),
  time: (kept, dropped) => !namesHalf(dropped) || namesHalf(kept),
};
const scale = /\d ?k(?!\p{L})|(?<!\p{L})(?:mil|thousand|mill[oó]n(?:es)?|millions?|milh[oõaã]{1,2}(?:es)?)(?!\p{L})/iu;
const isScaled = (text: string): boolean => scale.test(text) || hasScale(text);
const dayAlone = /^[\s,.]{0,3}(?:(?:el|the|o|d[ií]a|on|para) ){0,3}\d{1,2}(?:st|nd|rd|th)?[\s,.!]{0,3}$/iu;
const halfOfDay = /[ap]\.? ?m(?!\p{L})|tarde|noche|noite|ma[nñ]an?[aã]|manhã|madrugada|morning|afternoon|evening|night/iu;
const namesHalf = (text: string): boolean => halfOfDay.test(text) || hasPartOfDay(text);
