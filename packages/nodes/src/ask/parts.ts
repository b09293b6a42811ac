// An answer that comes in two messages, as people send what they write: `12` and `de mayo`, `no puedo` and `el lunes`.
import type { Variables } from '@hilo/engine/contract';
import type { Reply } from './awaiting.ts';
import { type Expected, isStrict, readAnswer } from './input.ts';

/** A reply that was refused, and when it came. */
export interface Refused {
  readonly reply: Reply;
  readonly atMs: number;
}

/** Nobody reads that they are asked again, and answers, within this time: what comes is the rest of what they were writing. */
export const togetherMs = 5_000;

/**
 * The text of a reply behind the refused one just before it, for the kinds of answers that are read in sentences. None where the first was an answer
 * by itself, such as one that is out of bounds, or where both have digits or an @: then the second is written in place of the first.
 */
export function joinParts(refused: Refused, given: Refused, input: Expected, variables: Variables): string | undefined {
  if (!(given.atMs - refused.atMs <= togetherMs)) return undefined;
  const [first, second] = [writtenIn(refused.reply), writtenIn(given.reply)];
  if (first === '' || second === '' || [anyDigit, anyAt].some((sign) => sign.test(first) && sign.test(second))) return undefined;
  const unbounded = withoutBounds(input);
  return unbounded === undefined || readAnswer({ text: first }, unbounded, variables, refused.atMs) !== undefined
    ? undefined
    : `${first}${input.kind === 'email' && (/[@.]$/.test(first) || /^[@.]/.test(second)) ? '' : ' '}${second}`;
}

/** The text that somebody wrote: not that of a button or below a picture. */
const writtenIn = ({ type, text = '', payload }: Reply): string => (type === 'text' && payload === undefined ? text.trim() : '');

const anyDigit = /\p{N}/u;
const anyAt = /@/;

/** A kind of answers that are read in sentences, without what bounds them. */
function withoutBounds(input: Expected): Expected | undefined {
  switch (input.kind) {
    case 'number':
      return isStrict(input) ? undefined : { ...input, min: undefined, max: undefined, integer: false };
    case 'date':
    case 'time':
      return isStrict(input) ? undefined : { ...input, min: undefined, max: undefined };
    case 'email':
    case 'phone':
      return isStrict(input) ? undefined : input;
    default:
      return undefined;
  }
}
