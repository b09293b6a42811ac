/**
 * Words of titles as people mistype them: `vetnas` for "Ventas", `suppport`, `facturasion`. A word counts for one that is a letter away, or that sounds
 * the same, where nothing else in the options is nearly as near: in doubt it stays what was written.
 */

/** Shorter words are a letter away from too many others. */
const shortestWord = 5;
const longestWord = 24;

/**
 * @param titled - the words of all titles, folded
 * @param isKnown - whether a word means something by itself, so that it is no slip
 */
export function mendSlips(titled: ReadonlySet<string>, words: readonly string[], isKnown: (word: string) => boolean): readonly string[] {
  return words.map((word) => (titled.has(word) || isKnown(word) || others.has(word) ? word : (nearest(titled, word) ?? word)));
}

/** The only word that is one slip away, where no other is within two. */
function nearest(titled: ReadonlySet<string>, word: string): string | undefined {
  if (!mayBeSlip(word)) return undefined;
  const said = soundOf(word);
  let found: string | undefined;
  for (const one of titled) {
    if (!mayBeSlip(one) || Math.abs(one.length - word.length) > 2) continue;
    const distance = Math.min(slips(one, word), slips(soundOf(one), said));
    if (distance > 2) continue;
    if (distance === 2 || found !== undefined || !isSlip(one, word)) return undefined;
    found = one;
  }
  return found;
}

/** Whether a word is long enough to be told from others by a letter. */
export const mayBeSlip = (word: string): boolean => /^\p{L}+$/u.test(word) && word.length >= shortestWord - 1 && word.length <= longestWord;

/**
 * Whether a word may be a slip of another: of five letters and more, or the one of several; with the first letter or the two exchanged; and not
 * only in the vowel at its end, which tells Mario from María.
 */
function isSlip(meant: string, word: string): boolean {
  if (word === `${meant}s`) return false; // "dos cafés"
  if (Math.min(meant.length, word.length) < shortestWord) return `${word}s` === meant;
  const isSameBeginning = soundOf(meant)[0] === soundOf(word)[0] || (meant[0] === word[1] && meant[1] === word[0]);
  const isOtherEnd =
    meant.length === word.length && meant.slice(0, -1) === word.slice(0, -1) && /[aeiou]$/.test(meant) && /[aeiou]$/.test(word);
  return isSameBeginning && !isOtherEnd;
}

/** A word by its sound in Spanish and Portuguese: letters that are taken for each other as one. */
const soundOf = (word: string): string =>
  word
    .replace(/ll/g, 'y')
    .replace(/c(?=[eiéí])|z|ss|ç/g, 's')
    .replace(/qu(?=[ei])|c(?!h)|k/g, 'k')
    .replace(/g(?=[ei])/g, 'j')
    .replace(/v/g, 'b')
    .replace(/(?<!c)h/g, '');

/** The letters left out, put in, changed or exchanged with the next one, between two words; 3 for more than two. */
function slips(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    let least = row;
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isExchanged = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const here = Math.min(
        (last[column] ?? 3) + 1,
        (next[column - 1] ?? 3) + 1,
        (last[column - 1] ?? 3) + (isSame ? 0 : 1),
        isExchanged ? (before[column - 2] ?? 3) + 1 : 3,
      );
      next.push(here);
      if (here < least) least = here;
    }
    if (least > 2) return 3;
    [before, last] = [last, next];
  }
  return Math.min(last.at(-1) ?? 3, 3);
}

/** Words that are a letter away from another that menus have: months, days, numbers, and what goes wrong with orders. */
const others: ReadonlySet<string> = new Set(
  (
    'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre janeiro fevereiro maio junho julho setembro outubro ' +
    'january february march april june july august september october november december lunes martes jueves viernes sabado domingo segunda terca quarta ' +
    'quinta sexta monday tuesday sunday cuatro cuarto cinco seis siete ocho nueve sesenta setenta seventy seventeen sixty sixteen forty fourteen fifty fifteen ' +
    'thirty thirteen eighty eighteen ninety nineteen perdido pedido perdida pedida banco blanco cargo carro cambio camino cobro corto costo cuenta cuento ' +
    'casado cansado hombre nombre hambre pagado pegado tarde carta tarjeta marca marcha cuota cuotas bueno nuevo abajo trabajo legal ilegal vuelo vuelta ' +
    'where there their three price prize board broad order border state stake quite quiet paper taper later latter lower power'
  ).split(' '),
);
