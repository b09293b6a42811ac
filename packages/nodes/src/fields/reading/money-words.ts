/**
 * What amounts are called in a country, where the word has one meaning: a "luca" is a thousand pesos in Argentina, and a sol in Peru. Elsewhere,
 * and for a language without a country, such a word makes a number none.
 */

/** By the code of the country: words, and what they multiply a number with. */
const countries: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map(
  Object.entries({
    AR: { lucas: 1_000, palos: 1_000_000, gambas: 100 },
    UY: { lucas: 1_000, palos: 1_000_000, gambas: 100 },
    CL: { lucas: 1_000, palos: 1_000_000, gambas: 100 },
    CO: { lucas: 1_000, palos: 1_000_000 },
    PE: { lucas: 1, palos: 1_000_000 },
    IN: { cr: 10_000_000, crs: 10_000_000 },
  }).map(([code, words]) => [
    code,
    new Map(Object.entries(words).flatMap(([word, factor]) => formsOf(word).map((form) => [form, factor] as const))),
  ]),
);

/** "Lucas" is also one of them, or a few in passing. */
function formsOf(word: string): readonly string[] {
  if (!word.endsWith('as') && !word.endsWith('os')) return [word];
  const one = word.slice(0, -1);
  return [one, word, ...(one === 'luca' ? ['luquita', 'luquitas'] : [])];
}

const none: ReadonlyMap<string, number> = new Map();

/** The words for amounts in the country of a locale. */
export const moneyWordsOf = (locale: string | undefined): ReadonlyMap<string, number> =>
  countries.get(/-([A-Z]{2})(?![A-Za-z])/.exec(locale ?? '')?.[1] ?? '') ?? none;

/** "Un palo" as `1 palo`, "media luca" as `0.5 luca`, "palo y medio" and "3 palos y medio" as `1.5 palo` and `3.5 palo`. */
export const writeOneOf = (text: string): string =>
  text
    .replace(
      /(?<![\p{L}\d.,])(?:(\d{1,6}|una?) )?(luca|luquita|palo|gamba)s? y medi[oa](?!\p{L})/iu,
      (_, count: string | undefined, word: string) => `${count === undefined || /\D/.test(count) ? 1 : count}.5 ${word}`,
    )
    .replace(/(?<![\p{L}\d.,])(una?|medi[oa]) (luca|luquita|palo|gamba)(?!\p{L})/iu, (_, part: string, word: string) =>
      /^u/i.test(part) ? `1 ${word}` : `0.5 ${word}`,
    );
