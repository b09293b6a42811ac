/**
 * How texts of users are compared (keywords, titles of options, payloads that are written): without what people do not see or do not
 * mean. Two texts are equal for a reader when their folded texts are. Everything here is linear in the text.
 */

/** A text beyond this many UTF-16 units is looked at no further: nobody writes a keyword or an option there. */
export const lookedAt = 4_096;

/** The part of a user's text that is looked at; "…" stands for the rest of a longer one, whose beginning is not taken for the whole. */
export const readBeginning = (text: string): string => (text.length > lookedAt ? `${text.slice(0, lookedAt)}…` : text);

/**
 * Folds a text to what a person means by it: {@link foldLetters}, and without punctuation, quotes, brackets, emoji and `*bold*` marks
 * at both ends. A text of signs alone, such as 👍 or `?`, keeps them.
 */
export const foldText = (text: string): string => trimSigns(foldLetters(text));

/**
 * Removes the differences that users do not see or ignore: case, accents, width, kinds of quotes, dashes and blanks, characters that
 * are not displayed, tones of emoji.
 *
 * Only marks that combine with letters of any script are accents. Vowel signs, as in Hindi, and the marks that turn は into ば and ぱ
 * distinguish words. Upper case turns ß into SS and ᾳ into ΑΙ, lower case before it ẞ into ß.
 */
export const foldLetters = (text: string): string => {
  const plain = foldSigns(text).normalize('NFKD').toLowerCase().toUpperCase().normalize('NFKD').replace(accents, '').toLowerCase();
  return foldSigns(plain).replaceAll('ς', 'σ').normalize('NFC').trim();
};

/** Removes what is not displayed, and writes signs that look alike in one way: one blank, `'`, `"`, `-`. */
export const foldSigns = (text: string): string =>
  text.replace(blanks, ' ').replace(invisible, '').replace(blanks, ' ').replace(apostrophes, "'").replace(quotes, '"').replace(dashes, '-');

/** Whether a text shows nothing: it is empty, blank, or of characters that are not displayed. */
export const showsNothing = (text: string): boolean => !visible.test(text);

const visible = /[^\p{White_Space}\u2800\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\ufff9-\ufffb]/u;

/** Also the blank of Braille, which messages that show nothing are made of. */
const blanks = /[\p{White_Space}\u2800]{1,4096}/gu;
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Emoji_Modifier}\ufff9-\ufffb[\p{Cc}--\p{White_Space}]]/gv;
const apostrophes = /['`´ʹʻʼʽˈˊˋ՚׳‘’‚‛‹›′‵ꞌ＇｀]/gu;
const quotes = /["“”„‟«»″‶〝〞〟״＂「」『』]/gu;
const dashes = /\p{Dash}/gu;
const accents = /[[\p{M}&&\p{Script=Inherited}]--[\u3099\u309a]]/gv;

/** What is not meant at the ends of a text. */
const punctuation = /^[\p{Terminal_Punctuation}\p{Quotation_Mark}\p{Ps}\p{Pe}\p{Pi}\p{Pf}'¡¿\s]$/u;
const picture = /^[\p{Extended_Pictographic}\p{Emoji_Presentation}\p{Regional_Indicator}\p{So}]$/u;
/** Marks of bold, italic and struck text, which many channels draw; they come in pairs. */
const markup: ReadonlySet<string> = new Set(['*', '_', '~']);

function trimSigns(text: string): string {
  const characters = Array.from(text);
  const isPunctuation = (character: string): boolean => punctuation.test(character);
  const isSign = (character: string): boolean => isPunctuation(character) || picture.test(character);
  return trimBy(characters, isSign) ?? trimBy(characters, isPunctuation) ?? text;
}

/** The characters between those at both ends that are not meant; `undefined` when nothing is left. */
function trimBy(characters: readonly string[], isUnmeant: (character: string) => boolean): string | undefined {
  let [from, to] = [0, characters.length];
  for (let before = -1; before !== to - from; ) {
    before = to - from;
    while (from < to && isUnmeant(characters[from] ?? '')) from += 1;
    while (from < to && isUnmeant(characters[to - 1] ?? '')) to -= 1;
    const first = characters[from] ?? '';
    if (to - from > 2 && markup.has(first) && characters[to - 1] === first) [from, to] = [from + 1, to - 1];
  }
  return from === to ? undefined : characters.slice(from, to).join('');
}
