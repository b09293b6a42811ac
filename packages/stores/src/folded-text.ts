// Texts as people look for them, whatever the case and the accents of their letters, and a search in them that takes time in step with the
// text, whatever both are: a pattern of SQLite tries each place of the text anew, and held the thread for minutes by one search in some
// thousand names of one letter.
import { findText } from '@hilo/engine/contract';

/** Letters that no accent is taken off from, and what people write for them. */
const apart: readonly (readonly [string, string])[] = [
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ı', 'i'],
];

/** The accented letters of Latin scripts, by the letter without accents. */
const accented: ReadonlyMap<string, readonly string[]> = (() => {
  const found = new Map<string, string[]>();
  const add = (base: string, letter: string): void => void found.set(base, [...(found.get(base) ?? []), letter]);
  for (const [from, to] of [
    [0xc0, 0x24f],
    [0x1e00, 0x1eff],
  ] as const)
    for (let code = from; code <= to; code += 1) {
      const letter = String.fromCodePoint(code);
      const base = letter.normalize('NFD').charAt(0).toLowerCase();
      if (/[a-z]/.test(base)) add(base, letter);
    }
  for (const [letter, base] of apart) {
    add(base, letter);
    add(base, letter.toUpperCase());
  }
  return found;
})();

const baseOf: ReadonlyMap<string, string> = new Map(
  [...accented].flatMap(([base, letters]) => letters.map((letter): [string, string] => [letter, base])),
);

/** A letter in any case and with any accent, each of one character. */
export function formsOf(letter: string): readonly string[] {
  const small = letter.toLowerCase();
  const forms = new Set([small, small.toUpperCase(), letter, ...(accented.get(small) ?? [])]);
  return [...forms].filter((form) => Array.from(form).length === 1);
}

/** What was folded, of so many letters: scripts have fewer, and a letter takes ten times as long without. */
const folds = new Map(baseOf);
const mostFolds = 20_000;

/** The one form of a letter: that of all that differ from it in case or accent alone. */
function foldLetter(letter: string): string {
  const known = folds.get(letter);
  if (known !== undefined) return known;
  const folded = foldAnew(letter);
  if (folds.size < mostFolds) folds.set(letter, folded);
  return folded;
}

function foldAnew(letter: string): string {
  const small = letter.toUpperCase().toLowerCase(); // both forms of a sigma are one
  return Array.from(small).length === 1 ? small : letter;
}

const plainLetters = /^[\0-\x7f]*$/;

/** A text with each letter in its one form. */
export function foldText(text: string): string {
  if (plainLetters.test(text)) return text.toLowerCase();
  let folded = '';
  for (const letter of text) folded += foldLetter(letter);
  return folded;
}

/** Stands between the parts of what is sought. */
export const partSeparator = '\u0001';

/** The name of {@link findsParts} in SQLite. */
export const findsPartsName = 'hilo_finds';

/**
 * Whether a text has the parts of what is sought, one behind the other.
 *
 * @param sought - folded, with a separator between its parts
 * @returns what SQLite takes for true and false; false for what is no text
 */
export function findsParts(text: unknown, sought: unknown): 0 | 1 {
  if (typeof text !== 'string' || typeof sought !== 'string') return 0;
  const folded = foldText(text);
  let from = 0;
  for (const part of sought.split(partSeparator)) {
    const at = findText(folded, part, from);
    if (at < 0) return 0;
    from = at + part.length;
  }
  return 1;
}
