/**
 * Answers that take a part of themselves back: `el lunes no, el martes`, `3pm, perdón, 4pm`, `5, not 4`, `no el 5 sino el 6`, `rojo, digo azul`.
 * What is kept counts, where both parts are answers of the kind that is asked for. English, Spanish and Portuguese.
 */

/** Longer answers tell more than one value and its correction. */
const longestCorrection = 320;

/**
 * So many parts of an answer are looked at: people take themselves back once or twice, and a message that does it in every other word would
 * hold up everybody else's.
 */
const mostParts = 8;

/** A mark of a correction in an answer. */
interface Mark {
  readonly from: number;
  readonly to: number;
  /** The part that counts. */
  readonly keeps: 'before' | 'behind';
}

const takesBack =
  /(?<![\p{L}\d])(?:no (?:puedo|podr[ií]a|me (?:sirve|queda|va|conviene|viene)|trabajo)|n[aã]o (?:posso|consigo|d[aá]|vai dar)|(?:can't|cannot|won't|doesn't|does not)(?: do| make(?: it)?| work)?|(?:(?:estoy|estou|ando|i'm|i am) )?(?:ocupad[oa]|busy)|se me complica|no(?:pe?)?|n[aã]o|wait|esper[ae]|perd[oó]n(?! por)|disculp[ae](?! (?:por|la|el))|sorry(?! for)|desculp[ae]|digo(?! que)|(?<!\ba lo )(?:o |ou |or )?(?:mejor(?: dicho)?|melhor|rather)(?! (?:que|than|do que))|qu(?:ise decir|is dizer|er dizer|iero decir)|m[aá]s bien|corrijo|correcci[oó]n|corre[cç][aã]o|me equivoqu[eé]|errei|actually|i mean|i meant|make (?:it|that)|ali[aá]s|na verdade|en realidad|(?:pero|mas) (?:ahora|ya|agora)|but now|oops|ups)(?![\p{L}\d])/giu;
const leavesOut =
  /(?<![\p{L}\d])(?:(?:and |but )?not|(?:y|pero|que) no|e n[aã]o|(?:en|em) (?:vez|lugar) del?|ao inv[eé]s d[eoa]|instead of|rather than)(?![\p{L}\d])/giu;
/** At the beginning, before what is not the answer: `no el lunes, el martes`. Behind the last ones it may be the first of several: `no puedo lunes, martes`. */
const begins =
  /^(?:(?:hola|hi|oi|ok),? )?(?:(?<verb>no puedo|n[aã]o posso|i can't(?: do| make)?|i cannot(?: do| make)?)|ya no|j[aá] n[aã]o|not|no(?! puedo)|n[aã]o(?! posso)|instead of|en (?:vez|lugar) del?|em (?:vez|lugar) de)(?! ?[,.;:]) (?:es |son |sea |is )?/iu;
const separators = /[,;.]{1,3} ?(?:(?:sino|pero|mejor|mas|but) )?| (?:sino|pero|mejor|mas sim|mas|but) /giu;
const agreesBehind =
  /(?<![\p{L}\d])(?:s[ií]|yes|sim|mejor|melhor|ok|works?|is (?:ok|fine|good)|(?:est[aá] )?bien|puedo|posso|can)(?![\p{L}\d])/iu;
/** `No mejor el martes`, `no el martes mejor`: the first "no" is said about the question. */
const refusesQuestion =
  /^(?:no(?:pe?)?|n[aã]o|nah)[ ,.;:]{1,3}(?=(?:mejor|melhor|perd[oó]n|digo|sorry|desculp[ae]|make it)(?!\p{L})|[^,;]{1,60} (?:mejor|melhor|instead|better)[.!]{0,3}$)/iu;

/**
 * The value of an answer, or of the part that it keeps where it takes another one back.
 *
 * @param read - reads a part of the answer, and the whole of it where nothing is taken back
 * @param suffices - whether a part says all that the part it replaces does: "5 de mayo, no, el 6" does not say the month of the 6th
 */
export function readCorrected<Value>(
  answer: string,
  read: (text: string) => Value | undefined,
  suffices: (kept: string, dropped: string) => boolean = () => true,
): Value | undefined {
  if (answer.length > longestCorrection) return read(answer);
  let partsLeft = mostParts;
  const readKept = (said: string): Value | undefined => {
    const text = said.replaceAll('…', '...').replaceAll('’', "'").replace(refusesQuestion, '');
    for (const parts of partsOf(text)) {
      const [kept, dropped] = [trimEnds(parts[0]), trimEnds(parts[1])];
      if (!/[\p{L}\p{N}]/u.test(kept) || !/[\p{L}\p{N}]/u.test(dropped)) continue;
      if (partsLeft === 0) break;
      partsLeft -= 1;
      const value = read(kept);
      if (value !== undefined && readKept(dropped) !== undefined) return suffices(kept, dropped) ? value : undefined;
    }
    return read(text);
  };
  return readKept(answer);
}

const trimEnds = (part: string): string => part.replace(/^(?:[,;:!] ?|\.{1,3} | ){1,4}/, '').replace(/[ ,;:.!]{1,5}$/, '');

/** The ways in which an answer may be one part that is kept and one that is dropped, the likeliest first. */
function partsOf(text: string): readonly (readonly [kept: string, dropped: string])[] {
  const begun = begins.exec(text);
  const contrasts = begun === null ? [] : contrastsIn(text.slice(begun[0].length), begun.groups?.['verb'] !== undefined);
  const marked = marksIn(text)
    .toReversed()
    .map(({ from, to, keeps }): readonly [string, string] => {
      const [before, behind] = [text.slice(0, from), text.slice(to)];
      return keeps === 'behind' ? [behind, before] : [before, behind];
    });
  return [...marked, ...contrasts];
}

/** What is said behind each separator, in place of what is before it. */
const contrastsIn = (rest: string, mayBeSeveral: boolean): readonly (readonly [string, string])[] =>
  [...rest.matchAll(separators)].slice(0, 4).flatMap(({ 0: sign, index }): readonly (readonly [string, string])[] => {
    const behind = rest.slice(index + sign.length);
    return mayBeSeveral && !/\p{L}/u.test(sign) && !agreesBehind.test(behind) ? [] : [[behind, rest.slice(0, index)]];
  });

/** The marks of an answer, alone and, where they follow each other as in "no, perdón, mejor", together. A "no" counts only beside a sign. */
function marksIn(text: string): readonly Mark[] {
  const leaving = [...text.matchAll(leavesOut)].map(
    ({ 0: word, index }): Mark => ({ from: index, to: index + word.length, keeps: 'before' }),
  );
  const words = [...text.matchAll(takesBack)]
    .map(({ 0: word, index }) => ({ from: index, to: index + word.length, isNo: /^n(?:o|[aã]o)$/iu.test(word) }))
    .filter(({ from, to }) => !leaving.some((one) => one.from < to && from < one.to))
    .slice(-6);
  const taking = words.flatMap((first, at) => {
    const marks: Mark[] = [];
    for (let last = at; last < words.length; last += 1) {
      const [word, before] = [words[last], words[last - 1]];
      if (word === undefined || (last > at && (before === undefined || /[^ ,.;:!-]/.test(text.slice(before.to, word.from))))) break;
      const keeps = last > at || !first.isNo ? 'behind' : keptBeside(text, first);
      if (keeps !== undefined) marks.unshift({ from: first.from, to: word.to, keeps });
    }
    return marks;
  });
  return [...taking, ...leaving];
}

/** "5 no, 6" keeps the 6, "5, no 6" the 5, and "5 no 6" may be either. */
const keptBeside = (text: string, { from, to }: Pick<Mark, 'from' | 'to'>): Mark['keeps'] | undefined =>
  /^ ?[,.;:!]/.test(text.slice(to)) ? 'behind' : /[,.;:!] ?$/.test(text.slice(0, from)) ? 'before' : undefined;
