/** The patterns of format(): which tokens there are, what they cost, and how one is written. */
import { type DateTime, Settings } from 'luxon';
import { createCacheByText } from '../cache-by-text.ts';
import { type Evaluation, spend, spendOnce } from '../evaluation.ts';

/** The most characters of a pattern. */
export const maxPatternChars = 100;

/** The tokens of Luxon, by what writing one costs: digits, names out of a formatter that is kept, whole dates and times, names of zones. */
const tokenGroups = {
  digits: 'S SSS u uu uuu s ss m mm h hh H HH Z ZZ ZZZ z d dd c E L LL M MM y yy yyyy yyyyyy kk kkkk W WW n nn ii iiii o ooo q qq X x',
  names: 'a ccc cccc ccccc EEE EEEE EEEEE LLL LLLL LLLLL MMM MMMM MMMMM G GG GGGGG',
  dates: 'DDD DDDD t tt ttt tttt T TT TTT TTTT f ff fff ffff F FF FFF FFFF',
  zoneNames: 'ZZZZ ZZZZZ',
} as const;

type Group = keyof typeof tokenGroups;

const groups = Object.keys(tokenGroups) as readonly Group[];

/** Every token, with its group. */
export const patternTokens: ReadonlyMap<string, Group> = new Map(
  groups.flatMap((group) => tokenGroups[group].split(' ').map((token) => [token, group] as const)),
);

/** The work of writing one token. */
const tokenWork: { readonly [group in Group]: number } = { digits: 1_500, names: 4_000, dates: 8_000, zoneNames: 4_000 };
/** The work of a formatter that a token needs first: one for each locale and zone. A name of a zone takes some more. */
const formatterWork: { readonly [group in Group]: number } = { digits: 20_000, names: 30_000, dates: 30_000, zoneNames: 200_000 };
/** The work of one character that is no token. */
const characterWork = 100;

/** Tokens of other libraries, with Luxon's for the same. */
const foreignTokens: { readonly [token: string]: string | undefined } = {
  YYYY: 'yyyy',
  YY: 'yy',
  Y: 'y',
  yyy: 'yyyy',
  uuuu: 'yyyy',
  DD: 'dd',
  D: 'd',
  ddd: 'ccc',
  dddd: 'cccc',
  EE: 'ccc',
  cc: 'ccc',
  eeee: 'cccc',
  eee: 'ccc',
  A: 'a',
  AA: 'a',
  aa: 'a',
  P: 'a',
  w: 'W',
  ww: 'WW',
  Q: 'q',
  gggg: 'kkkk',
  GGGG: 'kkkk',
  SS: 'SSS',
  I: 'H',
  K: 'h',
  k: 'H',
  zz: 'ZZZZ',
  zzz: 'ZZZZ',
  zzzz: 'ZZZZZ',
  VV: 'z',
  XXX: 'ZZ',
  xxx: 'ZZ',
  XX: 'ZZZ',
  xx: 'ZZZ',
};

/** A piece of a pattern: a token, or characters that stand for themselves. */
interface Piece {
  readonly text: string;
  readonly isLiteral: boolean;
}

/** The pieces of a pattern: runs of one letter, and between single quotes whatever stands there. */
const listPieces = (pattern: string): readonly Piece[] =>
  Array.from(pattern.matchAll(/'([^']*)(?:'|$)|([A-Za-z])\2*|[^A-Za-z']+/g), ([text, quoted, letter]) => ({
    text: quoted ?? text,
    isLiteral: letter === undefined,
  }));

/** Why a pattern is refused: it is too long, or has letters that Luxon would write as they stand. `undefined` for a right one. */
export function refusePattern(pattern: string): string | undefined {
  if (pattern.length > maxPatternChars) return `a pattern of format() has at most ${maxPatternChars} characters`;
  const percent = /%[A-Za-z]/.exec(pattern)?.[0];
  if (percent !== undefined) return `"${percent}" is no token of a pattern; write Luxon’s, such as "yyyy-MM-dd HH:mm"`;
  if (/d(?:T|"T")[Hh]/.test(pattern)) return 'the T between a date and a time stands in quotes: "yyyy-MM-dd\'T\'HH:mm"';
  const unknown = listPieces(pattern).find(({ text, isLiteral }) => !isLiteral && !patternTokens.has(text))?.text;
  if (unknown === undefined) return undefined;
  const token = foreignTokens[unknown];
  return token === undefined
    ? `"${unknown}" is no token of a pattern; letters that stand for themselves are in single quotes, as in "d 'de' MMMM"`
    : `"${unknown}" is not a token of Luxon; write "${token}"${unknown.startsWith('D') ? ', or "DDD" for the whole date in words' : ''}`;
}

/** Writes a date by a pattern that {@link refusePattern} has not refused. */
export function writePattern(evaluation: Evaluation, date: DateTime, pattern: string): string {
  const pieces = listPieces(pattern);
  for (const { text, isLiteral } of pieces) {
    const group = patternTokens.get(text);
    if (isLiteral || group === undefined) spend(evaluation, characterWork * (text.length + 1));
    else {
      // Counted also where the process has the formatter: in another process the expression would be refused (P19).
      const key = `${date.locale ?? ''} ${date.zoneName ?? ''} ${text}`;
      spendOnce(evaluation, key, formatterWork[group]);
      spend(evaluation, tokenWork[group]);
      keepFormatter(key);
    }
  }
  return pieces.map(({ text, isLiteral }) => (isLiteral ? text : writeToken(date, text))).join('');
}

const writeToken = (date: DateTime, token: string): string =>
  patternTokens.get(token) === 'zoneNames' ? nameZone(date, token === 'ZZZZ' ? 'short' : 'long') : date.toFormat(token);

const maxFormatters = 500;

/** What Luxon keeps a formatter for, for ever: locale and zone may come from a request, so that its caches are emptied by count. */
const kept = new Set<string>();

function keepFormatter(key: string): void {
  if (kept.size >= maxFormatters && !kept.has(key)) {
    kept.clear();
    Settings.resetCaches();
  }
  kept.add(key);
}

/** Formatters of names of zones: Luxon makes one for each name that it writes, which takes a millisecond. */
const getZoneFormat = {
  short: createCacheByText((key) => createZoneFormat(key, 'short')),
  long: createCacheByText((key) => createZoneFormat(key, 'long')),
};

function createZoneFormat(key: string, timeZoneName: 'short' | 'long'): Intl.DateTimeFormat {
  const [locale, timeZone] = key.split(' ');
  return new Intl.DateTimeFormat(locale, { ...(timeZone !== undefined && { timeZone }), timeZoneName });
}

/** The name of the zone of a date, as its locale has it: `GMT-5`, or `Peru Standard Time`. */
function nameZone(date: DateTime, length: 'short' | 'long'): string {
  const { locale, zoneName, isOffsetFixed } = date;
  // A zone of a fixed offset has no name in a locale.
  if (locale === null || zoneName === null || isOffsetFixed) return date.toFormat(length === 'short' ? 'ZZZZ' : 'ZZZZZ');
  return (
    getZoneFormat[length](`${locale} ${zoneName}`)
      .formatToParts(date.toMillis())
      .find(({ type }) => type === 'timeZoneName')?.value ?? ''
  );
}
