/**
 * The values of a conversation that no model may see, in the form in which `mask.ts` looks for them in texts: one pattern for all that are not
 * long, the long ones as they are, and a guard against texts that would take long to look through.
 */
import { seenText } from '@hilo/engine/contract';
import { createLongValues, type LongValues } from './long-values.ts';
import { growTree, patternOfTree, waysOf, wholeForms } from './value-pattern.ts';

/** A value with a mark: the first of a conversation has `[[v1]]`, and keeps it. */
export type Masked = {
  readonly value: string | number;
  /** What it is, for the model: the path of a variable, or a kind of value. */
  readonly of: string;
};

/** The values that are hidden: those that have a mark by their number, and the others. */
export interface Withheld {
  readonly known: readonly Masked[];
  readonly unmarked: readonly Masked[];
}

/** Values in the form in which they are looked for, and the texts in which they were hidden: a visit shows a model the same ones again. */
export interface Values {
  /** Those with a mark that {@link find} finds, the longest first. */
  readonly byLength: readonly { readonly value: Masked; isWhole(text: string): boolean }[];
  /** The values that {@link find} finds as they are, by their texts in small letters: most are written so. */
  readonly asTheyAre: ReadonlyMap<string, Masked>;
  /** One pattern for all values that are not long, as a tree; `undefined` for none. */
  readonly find: RegExp | undefined;
  /** What keeps a text from being looked through that begins like a value at very many places. */
  readonly guards: readonly Guard[];
  /** Those that are looked for as they are, and as one program writes the whole of them. */
  readonly long: LongValues<Masked>;
  readonly hidden: Map<string, string>;
  readonly hiddenAround: Map<string, string>;
  /** Marks by what {@link find} has found. */
  readonly whole: Map<string, string>;
}

/** Values of more signs are looked for as a whole, and all patterns together have so many characters: larger ones take V8 long to compile. */
const [mostSigns, mostPatternChars] = [1_000, 60_000];

export function compileValues({ known, unmarked }: Withheld): Values {
  const values = [...known, ...unmarked]
    // As it is, and as a model is given it, without what nobody sees.
    .flatMap((value) => [...new Set([String(value.value), seenText(String(value.value))])].map((text) => ({ value, text })))
    .filter(({ text }) => text !== '')
    .toSorted((one, other) => one.text.length - other.text.length);
  let patternChars = 0;
  const isLong = values.map(({ text }) => {
    if (text.length > mostSigns || patternChars > mostPatternChars) return true;
    for (const signs of waysOf(text)) for (const sign of signs) patternChars += sign.length;
    return patternChars > mostPatternChars;
  });
  const long = values.filter((_, index) => isLong[index] === true).reverse();
  const longestFirst = values.filter((_, index) => isLong[index] !== true).reverse();
  const marked = new Set(known);
  const texts = longestFirst.map(({ text }) => text);
  return {
    byLength: longestFirst
      .filter(({ value }) => marked.has(value))
      .map(({ value, text }) => {
        let whole: RegExp | undefined;
        return {
          value,
          isWhole: (found) =>
            (whole ??= new RegExp(
              `^(?:${waysOf(text)
                .map((signs) => signs.join(''))
                .join('|')})$`,
              'iu',
            )).test(found),
        };
      }),
    // Of two that differ in case alone the one with the lower mark counts, which comes last.
    asTheyAre: new Map(longestFirst.map(({ value, text }) => [text.toLowerCase(), value])),
    find: texts.length === 0 ? undefined : new RegExp(patternOfTree(growTree(texts)), 'giu'),
    guards: guardsOf(texts),
    long: createLongValues(long.map(({ value, text }) => ({ value, forms: wholeForms(text) }))),
    hidden: new Map(),
    hiddenAround: new Map(),
    whole: new Map(),
  };
}

/** The places at which a text begins like a value, of which it may have so many. */
interface Guard {
  readonly begins: RegExp;
  readonly most: number;
}

/** Signs that count as a beginning, signs of a value that is not short, and signs that are looked at for one text beyond its own. */
const [beginning, medium, mostWork] = [8, 64, 300_000];

/**
 * A text that repeats the beginning of a long value at each of its places would be looked through once for each of them: users write both.
 * Such a text is removed as a whole.
 */
function guardsOf(texts: readonly string[]): readonly Guard[] {
  const [middling, longer] = [
    texts.filter((text) => text.length > beginning && text.length <= medium),
    texts.filter((text) => text.length > medium),
  ];
  return [
    { of: middling, signs: medium },
    { of: longer, signs: longer[0]?.length ?? 0 },
  ]
    .filter(({ of }) => of.length > 0)
    .map(({ of, signs }) => ({
      begins: new RegExp(`(?=${patternOfTree(growTree(of, beginning))})`, 'giu'),
      most: Math.ceil(mostWork / signs),
    }));
}

export function isOver({ begins, most }: Guard, text: string): boolean {
  if (text.length <= most) return false;
  let count = 0;
  for (const _ of text.matchAll(begins)) if ((count += 1) > most) return true;
  return false;
}

export const isNothing = ({ find, long }: Values): boolean => find === undefined && long.isEmpty;
