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
  let candidates: readonly Written[] | undefined;
  return words.map((word) => {
    if (titled.has(word) || isKnown(word) || others.has(word) || !mayBeSlip(word)) return word;
    candidates ??= [...titled].filter(mayBeSlip).map(writtenOf);
    return nearest(candidates, writtenOf(word)) ?? word;
  });
}

/** A word and its sound, with what tells most others from them at once. */
interface Written {
  readonly word: string;
  readonly letters: number;
  readonly sound: string;
  readonly soundLetters: number;
}

function writtenOf(word: string): Written {
  const sound = soundOf(word);
  return { word, letters: lettersOf(word), sound, soundLetters: lettersOf(sound) };
}

/** The only word that is one slip away, where no other is within two. */
function nearest(candidates: readonly Written[], { word, letters, sound, soundLetters }: Written): string | undefined {
  let found: string | undefined;
  for (const one of candidates) {
    if (Math.abs(one.word.length - word.length) > 2) continue;
    const byLetters = maySlip(one.letters, letters) ? slips(one.word, word) : 3;
    const distance = Math.min(byLetters, byLetters > 0 && maySlip(one.soundLetters, soundLetters) ? slips(one.sound, sound) : 3);
    if (distance > 2) continue;
    if (distance === 2 || found !== undefined || !isSlip(one.word, word)) return undefined;
    found = one.word;
  }
  return found;
}

/** The letters that a word has, a bit for each; several letters may share one. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

/** Whether words may be within two slips: each changes two letters of those that they have, at most. */
function maySlip(one: number, other: number): boolean {
  let apart = one ^ other;
  for (let left = 4; apart !== 0 && left > 0; left -= 1) apart &= apart - 1;
  return apart === 0;
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

/**
 * The letters left out, put in, changed or exchanged with the next one, between two words; 3 for more than two. Within two slips no letter is
 * more than two places from where it was: a row has these five places alone.
 */
export function slips(one: string, other: string): number {
  const end = other.length - one.length + 2;
  if (end < 0 || end > 4) return 3;
  let before = [3, 3, 3, 3, 3];
  let last = [3, 3, 0, 1, 2];
  for (let row = 1; row <= one.length; row += 1) {
    const next = [3, 3, 3, 3, 3];
    let least = 3;
    for (let place = 0; place < 5; place += 1) {
      const column = row + place - 2;
      if (column < 0 || column > other.length) continue;
      const isSame = one[row - 1] === other[column - 1];
      const isExchanged = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const here =
        column === 0
          ? row
          : Math.min(
              (last[place + 1] ?? 3) + 1,
              (next[place - 1] ?? 3) + 1,
              (last[place] ?? 3) + (isSame ? 0 : 1),
              isExchanged ? (before[place] ?? 3) + 1 : 3,
            );
      next[place] = here;
      if (here < least) least = here;
    }
    if (least > 2) return 3;
    [before, last] = [last, next];
  }
  return Math.min(last[end] ?? 3, 3);
}

/** Words that are a letter away from another that menus have: months, days, numbers, and what goes wrong with orders. */
const others: ReadonlySet<string> = new Set(
  (
    'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre janeiro fevereiro maio junho julho setembro outubro ' +
    'january february march april june july august september october november december lunes martes jueves viernes sabado domingo segunda terca quarta ' +
    'quinta sexta monday tuesday sunday cuatro cuarto cinco seis siete ocho nueve sesenta setenta seventy seventeen sixty sixteen forty fourteen fifty fifteen ' +
    'thirty thirteen eighty eighteen ninety nineteen perdido pedido perdida pedida banco blanco cargo carro cambio camino cobro corto costo cuenta cuento ' +
    'casado cansado hombre nombre hambre pagado pegado tarde carta tarjeta marca marcha cuota cuotas bueno nuevo abajo trabajo legal ilegal vuelo vuelta ' +
    'where there their three price prize board broad order border state stake quite quiet paper taper later latter lower power ' +
    'amanha plaza playa plata placa hotel hostel hostal dessert desert house horse lunch launch carne carnet pagos pasos medio miedo fecha flecha vista visita visto'
  ).split(' '),
);
