/**
 * Writes the number words of French, German, Italian, Indonesian, Arabic and Hindi as digits, for a user whose locale is of that language:
 * `quatre-vingt-douze` becomes `92`, `zweihundertfünf` `205`, `dua puluh lima` `25`, `خمسة وعشرون` `25`, `पच्चीस` `25`. The same letters are other
 * words elsewhere ("six", "sei", "do"), so no other locale reads them. Words that are articles as well count only where they are all that is said.
 */
import { foldLetters } from './folded-text.ts';

/**
 * What a piece of a number does to what was said before it: it is added, multiplies the hundreds, closes thousands, joins, makes a ten of a
 * unit (`belas`, `عشر`) or multiplies it with ten (`puluh`).
 */
type Piece = { readonly does: 'add' | 'closes'; readonly value: number } | { readonly does: 'joins' | 'teen' | 'tens' | 'hundred' };

interface Language {
  readonly pieces: ReadonlyMap<string, Piece>;
  /** Whether pieces are written in one word, as in German. */
  readonly isGlued: boolean;
  /** Whether units may come before their ten: `fünfundzwanzig`. */
  readonly unitsFirst: boolean;
  /** Whether it counts by twenties, as French does from sixty on. */
  readonly byTwenties: boolean;
  /** What is an article or another word as well. */
  readonly several: ReadonlySet<string>;
}

interface Words {
  readonly add: { readonly [value: number]: string };
  readonly hundred?: string;
  readonly closes: { readonly [value: number]: string };
  readonly joins?: string;
  readonly teen?: string;
  readonly tens?: string;
  readonly several: string;
  readonly isGlued?: boolean;
  readonly unitsFirst?: boolean;
  readonly byTwenties?: boolean;
}

const listed = (words = ''): readonly string[] =>
  words
    .split(' ')
    .filter((word) => word !== '')
    .map(foldWord);

function language({
  add,
  hundred,
  closes,
  joins,
  teen,
  tens,
  several,
  isGlued = false,
  unitsFirst = false,
  byTwenties = false,
}: Words): Language {
  const valued = (does: 'add' | 'closes', table: { readonly [value: number]: string }): readonly (readonly [string, Piece])[] =>
    Object.entries(table).flatMap(([value, words]) => listed(words).map((word) => [word, { does, value: Number(value) }] as const));
  const plain = (does: 'joins' | 'teen' | 'tens' | 'hundred', words?: string): readonly (readonly [string, Piece])[] =>
    listed(words).map((word) => [word, { does }] as const);
  return {
    pieces: new Map([
      ...valued('add', add),
      ...valued('closes', closes),
      ...plain('hundred', hundred),
      ...plain('joins', joins),
      ...plain('teen', teen),
      ...plain('tens', tens),
    ]),
    isGlued,
    unitsFirst,
    byTwenties,
    several: new Set(listed(several)),
  };
}

/** Folded, and with one form of the letters that Arabic and Hindi write in two ways. */
function foldWord(word: string): string {
  return foldLetters(word)
    .replaceAll('\u093c', '')
    .replaceAll('ँ', 'ं')
    .replaceAll('ß', 'ss')
    .replaceAll('ة', 'ه')
    .replaceAll('ى', 'ي')
    .replace(/[أإآ]/g, 'ا');
}

const hindi =
  'शून्य एक दो तीन चार पांच छह,छः,छ,छे सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह,पन्द्रह सोलह सत्रह अठारह उन्नीस बीस इक्कीस बाईस,बाइस तेईस,तेइस चौबीस पच्चीस ' +
  'छब्बीस सत्ताईस,सत्ताइस अट्ठाईस,अठाईस,अट्ठाइस उनतीस,उन्तीस तीस इकतीस,इकत्तीस बत्तीस तैंतीस,तेतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस,उन्तालीस चालीस इकतालीस ' +
  'बयालीस,बयालिस तैंतालीस चौवालीस,चवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास पचास इक्यावन बावन तिरपन,तिरेपन चौवन पचपन छप्पन सत्तावन अट्ठावन,अठावन उनसठ ' +
  'साठ इकसठ बासठ तिरसठ,तिरेसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर उन्यासी,उनासी अस्सी ' +
  'इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी अट्ठासी,अठासी नवासी नब्बे इक्यानवे बानवे तिरानवे चौरानवे पंचानवे,पचानवे छियानवे सत्तानवे अट्ठानवे,अठानवे निन्यानवे';
const hindiInLatin: { readonly [value: number]: string } = {
  1: 'ek',
  2: 'do',
  3: 'teen',
  4: 'char chaar',
  5: 'paanch panch',
  6: 'chhe chhah chhai',
  7: 'saat',
  8: 'aath',
  9: 'nau',
  10: 'das dus',
  11: 'gyarah',
  12: 'barah',
  15: 'pandrah',
  20: 'bees',
  25: 'pachees pachis',
  30: 'tees',
  40: 'chalis chalees',
  50: 'pachas pachaas',
  60: 'saath',
  70: 'sattar',
  80: 'assi',
  90: 'nabbe',
};
const hindiWords = Object.fromEntries(
  hindi.split(' ').map((words, value) => [value, `${words.replaceAll(',', ' ')} ${hindiInLatin[value] ?? ''}`]),
);

const languages: ReadonlyMap<string, Language> = new Map([
  [
    'fr',
    language({
      add: {
        0: 'zero',
        1: 'un une',
        2: 'deux',
        3: 'trois',
        4: 'quatre',
        5: 'cinq',
        6: 'six',
        7: 'sept',
        8: 'huit',
        9: 'neuf',
        10: 'dix',
        11: 'onze',
        12: 'douze',
        13: 'treize',
        14: 'quatorze',
        15: 'quinze',
        16: 'seize',
        17: 'dixsept',
        18: 'dixhuit',
        19: 'dixneuf',
        20: 'vingt vingts',
        30: 'trente',
        40: 'quarante',
        50: 'cinquante',
        60: 'soixante',
        70: 'septante',
        80: 'huitante octante',
        90: 'nonante',
      },
      hundred: 'cent cents',
      closes: { 1_000: 'mille', 1_000_000: 'million millions' },
      joins: 'et',
      several: 'un une neuf',
      byTwenties: true,
    }),
  ],
  [
    'de',
    language({
      add: {
        0: 'null',
        1: 'ein eins eine einen',
        2: 'zwei zwo',
        3: 'drei',
        4: 'vier',
        5: 'fünf fuenf',
        6: 'sechs',
        7: 'sieben',
        8: 'acht',
        9: 'neun',
        10: 'zehn',
        11: 'elf',
        12: 'zwölf zwoelf',
        13: 'dreizehn',
        14: 'vierzehn',
        15: 'fünfzehn fuenfzehn',
        16: 'sechzehn',
        17: 'siebzehn',
        18: 'achtzehn',
        19: 'neunzehn',
        20: 'zwanzig',
        30: 'dreißig dreissig',
        40: 'vierzig',
        50: 'fünfzig fuenfzig',
        60: 'sechzig',
        70: 'siebzig',
        80: 'achtzig',
        90: 'neunzig',
      },
      hundred: 'hundert',
      closes: { 1_000: 'tausend', 1_000_000: 'million millionen' },
      joins: 'und',
      several: 'ein eine einen und acht',
      isGlued: true,
      unitsFirst: true,
    }),
  ],
  [
    'it',
    language({
      add: {
        0: 'zero',
        1: 'un uno una',
        2: 'due',
        3: 'tre',
        4: 'quattro',
        5: 'cinque',
        6: 'sei',
        7: 'sette',
        8: 'otto',
        9: 'nove',
        10: 'dieci',
        11: 'undici',
        12: 'dodici',
        13: 'tredici',
        14: 'quattordici',
        15: 'quindici',
        16: 'sedici',
        17: 'diciassette',
        18: 'diciotto',
        19: 'diciannove',
        20: 'venti vent',
        30: 'trenta trent',
        40: 'quaranta quarant',
        50: 'cinquanta cinquant',
        60: 'sessanta sessant',
        70: 'settanta settant',
        80: 'ottanta ottant',
        90: 'novanta novant',
      },
      hundred: 'cento cent',
      closes: { 1_000: 'mille mila', 1_000_000: 'milione milioni' },
      several: 'un uno una sei nove cent vent',
      isGlued: true,
    }),
  ],
  [
    'id',
    language({
      add: {
        0: 'nol',
        1: 'satu',
        2: 'dua',
        3: 'tiga',
        4: 'empat',
        5: 'lima',
        6: 'enam',
        7: 'tujuh',
        8: 'delapan',
        9: 'sembilan',
        10: 'sepuluh',
        11: 'sebelas',
        100: 'seratus',
        1_000: 'seribu',
      },
      hundred: 'ratus',
      closes: { 1_000: 'ribu rb', 1_000_000: 'juta jt' },
      teen: 'belas',
      tens: 'puluh',
      several: '',
    }),
  ],
  [
    'ar',
    language({
      add: {
        0: 'صفر',
        1: 'واحد واحدة احد احدى',
        2: 'اثنان اثنين اثنتان اثنتين اتنين اثنا اثنتا',
        3: 'ثلاثة ثلاث تلاتة',
        4: 'اربعة اربع',
        5: 'خمسة خمس',
        6: 'ستة ست',
        7: 'سبعة سبع',
        8: 'ثمانية ثماني ثمان تمانية',
        9: 'تسعة تسع',
        11: 'احداشر حداشر',
        12: 'اتناشر',
        20: 'عشرون عشرين',
        30: 'ثلاثون ثلاثين تلاتين',
        40: 'اربعون اربعين',
        50: 'خمسون خمسين',
        60: 'ستون ستين',
        70: 'سبعون سبعين',
        80: 'ثمانون ثمانين تمانين',
        90: 'تسعون تسعين',
        200: 'مئتان مئتين مائتان مائتين ميتين',
        2_000: 'الفان الفين',
      },
      hundred: 'مئة مائة مية',
      closes: { 1_000: 'الف الاف', 1_000_000: 'مليون ملايين' },
      teen: 'عشر عشرة',
      several: 'واحد واحدة احد احدى',
      unitsFirst: true,
    }),
  ],
  [
    'hi',
    language({
      add: hindiWords,
      hundred: 'सौ sau',
      closes: { 1_000: 'हजार hazar hazaar', 100_000: 'लाख lakh', 10_000_000: 'करोड crore' },
      several: 'एक ek do das dus',
    }),
  ],
]);

/** A number as far as it is said. */
interface Sum {
  readonly closed: number;
  /** Below a thousand, still open. */
  readonly part: number;
  /** The least that has closed a part: the next one is less. */
  readonly scale: number;
  /** Whether a word has joined, and nothing has come behind it. */
  readonly isJoined: boolean;
}

const nothing: Sum = { closed: 0, part: 0, scale: Number.POSITIVE_INFINITY, isJoined: false };

/** A number with one more piece; `undefined` where the piece does not continue it. */
function addPiece(sum: Sum, piece: Piece, isFirst: boolean, { unitsFirst, byTwenties }: Language): Sum | undefined {
  const { closed, part, scale } = sum;
  const [tens, units] = [part % 100, part % 10];
  const grown = (value: number): Sum => ({ ...sum, part: value, isJoined: false });
  switch (piece.does) {
    case 'joins':
      return isFirst || sum.isJoined ? undefined : { ...sum, isJoined: true };
    case 'teen':
      if (isFirst) return grown(10);
      return part > 0 && tens < 10 ? grown(part + 10) : undefined;
    case 'tens':
      return tens > 1 && tens < 10 ? grown(part + 9 * tens) : undefined;
    case 'hundred':
      return part < 10 ? grown((part || 1) * 100) : undefined;
    case 'closes':
      if (piece.value >= scale || (part === 0 && !isFirst && closed === 0)) return undefined;
      return { closed: closed + (part || 1) * piece.value, part: 0, scale: piece.value, isJoined: false };
    default: {
      const { value } = piece;
      if (value === 0) return isFirst ? grown(0) : undefined;
      if (byTwenties && value === 20 && tens === 4) return grown(part + 76); // quatre-vingt
      if (value >= 1_000)
        return part === 0 && value < scale ? { closed: closed + value, part: 0, scale: 1_000, isJoined: false } : undefined;
      if (value >= 100) return part === 0 ? grown(value) : undefined;
      if (tens === 0) return grown(part + value);
      if (unitsFirst && sum.isJoined && tens < 10 && value >= 20 && value % 10 === 0) return grown(part + value);
      if (value < 10 && units === 0 && tens >= 20) return unitsFirst && !sum.isJoined ? undefined : grown(part + value);
      return byTwenties && (tens === 60 || tens === 80) && value >= 10 && value < 20 ? grown(part + value) : undefined;
    }
  }
}

/** The pieces of a word; none where a part of it is no piece. */
function piecesOf(word: string, { pieces, isGlued }: Language): readonly Piece[] | undefined {
  const whole = pieces.get(word);
  if (whole !== undefined) return [whole];
  if (isArabic.test(word)) return piecesOfArabic(word, pieces);
  if (!isGlued || word.length > longestWord) return undefined;
  // From the end on: what can be read of each rest of the word.
  const read: (readonly Piece[] | undefined)[] = Array.from({ length: word.length + 1 });
  read[word.length] = [];
  for (let from = word.length - 1; from >= 0; from -= 1) {
    for (let to = Math.min(word.length, from + longestPiece); to > from && read[from] === undefined; to -= 1) {
      const [piece, rest] = [pieces.get(word.slice(from, to)), read[to]];
      if (piece !== undefined && rest !== undefined) read[from] = [piece, ...rest];
    }
  }
  return read[0];
}

const isArabic = /^\p{Script=Arabic}/u;

/** In Arabic "and" is a letter before the word, and three to nine hundred are one. */
function piecesOfArabic(word: string, pieces: Language['pieces']): readonly Piece[] | undefined {
  const [, and, unit = '', hundreds] = /^(و?)(.{1,12}?)(ما?يه)?$/u.exec(word) ?? [];
  const [whole, part] = [pieces.get(`${unit}${hundreds ?? ''}`), pieces.get(unit)];
  const found: readonly Piece[] | undefined =
    whole !== undefined ? [whole] : hundreds !== undefined && part !== undefined ? [part, { does: 'hundred' }] : undefined;
  return found === undefined || and === '' ? found : [{ does: 'joins' }, ...found];
}

const longestWord = 60;
const longestPiece = 12;

/**
 * A text with digits for the number words of its user's language.
 *
 * @param given - cleaned
 */
export function writeWordsOfLocale(given: string, locale: string | undefined): string {
  const known = locale === undefined ? undefined : languages.get(/^[a-z]{2}/.exec(locale)?.[0] ?? '');
  if (known === undefined) return given;
  const text = given.replace(/(?<!\p{L})dix[ -](?=(?:sept|huit|neuf)(?!\p{L}))/giu, 'dix');
  const words = [...text.matchAll(/[\p{L}\p{M}]{1,60}/gu)].map(({ 0: written, index }) => {
    const folded = foldWord(written);
    return { folded, from: index, to: index + written.length, pieces: piecesOf(folded, known) };
  });
  let [written, from] = ['', 0];
  for (let at = 0; at < words.length; ) {
    const run = readRun(text, words, at, known);
    const [first, last] = [words[at], words[at + run.count - 1]];
    const isAlone = run.count === words.length && !/\d/.test(text);
    if (first !== undefined && last !== undefined && run.count > 0 && (run.count > 1 || isAlone || !known.several.has(first.folded))) {
      written += `${text.slice(from, first.from)}${run.value}`;
      from = last.to;
    }
    at += Math.max(run.count, 1);
  }
  return written + text.slice(from);
}

interface Word {
  readonly from: number;
  readonly to: number;
  readonly pieces: readonly Piece[] | undefined;
}

/** The longest number that begins with a word; none has `count` 0. */
function readRun(text: string, words: readonly Word[], begin: number, known: Language): { readonly value: number; readonly count: number } {
  let sum = nothing;
  let done = { value: 0, count: 0 };
  for (let at = begin; at < words.length; at += 1) {
    const [word, before] = [words[at], words[at - 1]];
    if (word?.pieces === undefined || /\d ?$/.test(text.slice(0, word.from)) || /^ ?\d/.test(text.slice(word.to))) break;
    if (at > begin && before !== undefined && !/^[ -]$/.test(text.slice(before.to, word.from))) break;
    let next: Sum | undefined = sum;
    for (const [index, piece] of word.pieces.entries())
      next = next === undefined ? undefined : addPiece(next, piece, at === begin && index === 0, known);
    if (next === undefined) break;
    sum = next;
    if (!sum.isJoined) done = { value: sum.closed + sum.part, count: at - begin + 1 };
  }
  return done;
}
