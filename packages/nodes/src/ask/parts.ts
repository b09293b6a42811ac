// An answer that comes in two messages, as people send what they write: `12` and `de mayo`, `no puedo` and `el lunes`.
import { foldLetters, isJsonObject, type Json, type Variables } from '@hilo/engine/contract';
import type { Reply } from './awaiting.ts';
import { slips } from '../messages/near-title.ts';
import { writeNumberWords } from '../messages/number-words.ts';
import { type Expected, isStrict, readAnswer } from './input.ts';

/** A reply that was refused, and when it came. */
export interface Refused {
  readonly reply: Reply;
  readonly atMs: number;
}

/** Nobody reads that they are asked again, and answers, within this time: what comes is the rest of what they were writing. */
export const togetherMs = 5_000;

/**
 * Whether the first reply to a question takes back what the user wrote just before it: "perdón, 4567" behind "4576", while the next question was on its
 * way. Nobody reads a question and answers it with an apology within this time, so it is no answer to this one, which is asked again. A reply
 * that resembles nothing that was said before is an answer.
 *
 * @param before - the message that led to this question, at `nowMs`
 */
export function takesBackBefore({ reply, atMs }: Refused, before: Json | undefined, nowMs: number): boolean {
  const [said, given] = [isJsonObject(before) && typeof before['text'] === 'string' ? before['text'] : '', writtenIn(reply)];
  if (!(atMs - nowMs <= togetherMs) || said.length > 320 || given.length > 320 || reply.replyTo !== undefined) return false;
  const [folded, last] = [foldLetters(given.replaceAll('’', "'")), foldLetters(said)];
  const [counted, countedBefore] = [writeNumberWords(folded.replace(otherNumber, '')), writeNumberWords(last)];
  if (otherNumber.test(folded) && /^[\p{N}.,: ]{1,20}[.!]{0,3}$/u.test(counted) && numberAlone.test(countedBefore)) return true;
  const rest = folded.replace(takingBack, '');
  if (rest === folded || rest === '') return false;
  if (/\p{N}/u.test(rest) && /\p{N}/u.test(last)) return true;
  const words = new Set(last.match(/\p{L}{2,40}/gu) ?? []);
  return (rest.match(/\p{L}{2,40}/gu) ?? []).some(
    (word) => words.has(word) || [...words].some((one) => word.length > 3 && slips(one, word) <= 2),
  );
}

/** "No, tres", "mejor 3", "make it 3": another number than the one before, and nothing else. */
const otherNumber =
  /^(?:(?:no{1,9}|nop|nope|nao|ay|uy),? ){0,2}(?:(?:no{1,9}|nop|nope|nao|mejor|melhor|actually|wait|espera|make (?:it|that)|que sean?|son|sao|seran?|better)(?!\p{L})[,.:;!… ]{1,4}){1,2}/u;
const numberAlone = /^[^\p{L}\p{N}]{0,3}\p{N}[\p{N}.,: ]{0,20}(?: \p{L}{1,12})?[.!]{0,3}$/u;

/** How people begin when they take something back. */
const takingBack =
  /^(?:(?:ay|uy|oh|ah|ups|oops|upa|no),? ){0,2}(?:\* ?|(?:perdon(?:a|e|ame)?|disculp[ae]n?|desculp[ae]|sorry|digo|quise decir|quis dizer|me equivoque|errei|corrijo|correccion|correcao|correction|i meant?|my bad|oops|ups|mejor dicho|quiero decir|quer dizer|era|es decir)(?!\p{L})[,.:;!… ]{0,4}){1,3}(?:(?:i meant?|quise decir|quis dizer|digo|era|es|it's|it is|e)(?!\p{L}) ){0,2}/u;

/**
 * The text of a reply behind the refused one just before it, for the kinds of answers that are read in sentences. None where the first was an answer
 * by itself, such as one that is out of bounds, or where both have digits or an @: then the second is written in place of the first. So it is where
 * the second is an answer by itself, unless the first is one that goes on: "never" and "42" are two messages, "más de" and "42" are one.
 */
export function joinParts(refused: Refused, given: Refused, input: Expected, variables: Variables): string | undefined {
  if (!(given.atMs - refused.atMs <= togetherMs)) return undefined;
  const [first, second] = [writtenIn(refused.reply), writtenIn(given.reply)];
  if (first === '' || second === '' || [anyDigit, anyAt].some((sign) => sign.test(first) && sign.test(second))) return undefined;
  const unbounded = withoutBounds(input);
  if (unbounded === undefined || readAnswer({ text: first }, unbounded, variables, refused.atMs) !== undefined) return undefined;
  return !goesOn.test(foldLetters(first)) && readAnswer({ text: second }, unbounded, variables, given.atMs) !== undefined
    ? undefined
    : `${first}${input.kind === 'email' && (/[@.]$/.test(first) || /^[@.]/.test(second)) ? '' : ' '}${second}`;
}

/** The text that somebody wrote: not that of a button or below a picture. */
const writtenIn = ({ type, text = '', payload }: Reply): string => (type === 'text' && payload === undefined ? text.trim() : '');

/**
 * A message whose sentence goes on in the next one, without the accents: by its end a preposition, an article, or what is said not to be; or as
 * in `de mayo` and `el 12` by its beginning.
 */
const goesOn =
  /^(?:del?|d[oa]|of) |(?<!\p{L})(?:y|e|and|o|u|ou|or|the|el|las?|los|del?|d[oa]s?|a|al|an?|um?a?|en|em|on|at|by|to|than|from|until|till|between|over|under|above|below|after|before|since|past|hasta|ate|desde|entre|sobre|con|com|sin|sem|para|por|for|con el|mas|mais|menos|more|less|least|most|maximo|minimo|pasado|antes|despues|depois|partir|next|proximo|not(?: on)?|(?:no|nao|ya no|ja nao) (?:es|e|era|sea|uso|tengo|tenho|puedo|posso|quiero)|(?:can't|cannot|can not|don't)(?: (?:do|use|have))?)[ .…]{0,4}$/u;

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
