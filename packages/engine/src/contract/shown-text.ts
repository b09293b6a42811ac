// What one person types or a provider tells, and another person reads: names and short texts. A name that holds what nobody sees looks like
// another one, and a mark of direction shows its letters in another order ("exe.png" for "gnp.exe"): one rule for every door.

/**
 * Unseen signs that people do write: joiners inside of an emoji, the letters of the flag of a region, and joiners between letters of scripts
 * that are spelt with them, such as Persian and Sinhala.
 */
const emoji = String.raw`\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?\u200d(?=\p{Extended_Pictographic})`;
const flag = String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}`;
const unjoined = [
  'Latin',
  'Greek',
  'Cyrillic',
  'Armenian',
  'Georgian',
  'Hebrew',
  'Thai',
  'Hangul',
  'Han',
  'Hiragana',
  'Katakana',
  'Common',
];
const joinedLetter = String.raw`[[\p{L}\p{M}]--[${[...unjoined, 'Inherited'].map((script) => `\\p{sc=${script}}`).join('')}]]`;
const joined = String.raw`${joinedLetter}[\u200c\u200d](?=${joinedLetter})`;

/** Signs that are not drawn, or that change how others are. Variation selectors choose a form of one sign; some signs of Arabic are drawn. */
const unseen = String.raw`[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]--[\ufe00-\ufe0f\u0600-\u0605\u06dd\u070f\u08e2]]`;

const unseenInNames = new RegExp(`(?:${emoji}|${flag}|${joined})|(${unseen})`, 'gv');

/** Signs that a text of several lines must not hold: those that terminals obey, and those that turn the direction of what follows. */
const unseenInTexts = /([[\p{Cc}--[\t\n\r]]\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\u{e0001}])/gv;

function findProblem(text: string, pattern: RegExp): string | undefined {
  for (const [, found] of text.matchAll(pattern))
    if (found !== undefined)
      return `holds U+${found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}, which nobody sees: leave it out`;
  return undefined;
}

/** What a name holds that nobody sees, in words; `undefined` for a name that is as it looks. */
export const unseenInName = (name: string): string | undefined => findProblem(name, unseenInNames);

/** The same of a text of several lines, which may have marks of direction, but nothing that turns it. */
export const unseenInText = (text: string): string | undefined => findProblem(text, unseenInTexts);

/** A name without what is not seen, a blank for a line break. */
export const dropUnseenInName = (name: string): string =>
  name.replaceAll(unseenInNames, (found, alone?: string) => (alone === undefined ? found : isBreak.test(alone) ? ' ' : ''));

/** A text of several lines without what {@link unseenInText} finds. */
export const dropUnseenInText = (text: string): string => text.replaceAll(unseenInTexts, (found) => (isBreak.test(found) ? '\n' : ''));

/** A name as it is shown, where nobody is there to be refused: without what is not seen. It may become empty. */
export const tidyName = (name: string): string => dropUnseenInName(name).trim();

const isBreak = /[\t-\r\u0085\u2028\u2029]/;

/** Characters without a shape: tags, variation selectors, marks of width, joining and direction. */
const withoutShape = /\p{Default_Ignorable_Code_Point}+/gu;

/** What emoji and scripts need between two characters: one joiner, or the choice of a picture or a sign, alone or before a joiner. */
const meant: ReadonlySet<string> = new Set(['\u200c', '\u200d', '\ufe0e', '\ufe0f', '\ufe0f\u200d']);

/**
 * A text as people see it, for a model: what else stands between two characters may be instructions that nobody sees.
 *
 * @param instead - what stands in place of each run of them
 */
export const seenText = (text: string, instead = ''): string =>
  text.replace(withoutShape, (run: string, at: number) => (meant.has(run) && isChoosing(text, at, run) ? run : instead));

/** A letter, a digit or a bracket has nothing to join and no other picture, but for the digits of keys (1, U+FE0F, U+20E3). */
const isChoosing = (text: string, at: number, run: string): boolean => text.charCodeAt(at - 1) > 0x7f || text[at + run.length] === '\u20e3';

/** What nobody sees, what terminals obey, what turns the direction of its neighbours; variation selectors too, of which many in a row are a text. */
const unseenAtAll = new RegExp(String.raw`[[${unseen}\ufe00-\ufe0f\p{Cs}]--[\t\n\r]]`, 'gv');

/** A sign as JSON has it. */
const inJson = (sign: string): string =>
  Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/**
 * JSON that means the same, or a text, with every sign that nobody sees as a \u escape: whoever reads it on a screen or as a model sees what
 * is there, and JSON is read as before. Emoji of several parts are escaped too: a joiner that is meant and one that carries a bit look alike.
 *
 * @param write - how a sign is written where it is not JSON
 */
export function escapeUnseen(json: string, write = inJson): string {
  const written = new Map<string, string>(); // a text of 300,000 such signs has few of them: to write each anew took 0.12 s
  return json.replace(unseenAtAll, (sign) => {
    const known = written.get(sign);
    if (known !== undefined) return known;
    const escaped = write(sign);
    written.set(sign, escaped);
    return escaped;
  });
}
