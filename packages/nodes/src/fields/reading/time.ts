/**
 * Reads a time of day as people write it: `15:30`, `15.30`, `15h30`, `3:30 pm`, `a las tres y media de la tarde`, `quarter to four`, `noon`, and as a locale
 * prints it.
 */
import { DateTime } from 'luxon';
import { foldLetters } from '../../messages/folded-text.ts';
import { saysAnotherMoment } from './beside.ts';
import { cleanLetters, type ReadingContext } from './clean.ts';
import { saysOtherwise, writePartOfDay } from './other-languages.ts';
import { writeClockWords } from './parts-of-locale.ts';
import { writeNumberWords } from '../../messages/number-words.ts';
import { writeWordsOfLocale } from '../../messages/number-words-of-locale.ts';

/**
 * The only time in an answer, on a clock of 24 hours, `15:30`. A number alone is none; behind "at" it is an hour.
 *
 * @param fits - whether a time lies within the bounds of the question: it decides between the two halves of the day where an hour alone is named
 */
export function readTime(
  answer: string,
  { locale, isStrict, nowMs, zone }: ReadingContext & { readonly zone?: string },
  fits: (time: string) => boolean,
): string | undefined {
  const letters = cleanLetters(answer);
  if (letters === undefined) return undefined;
  const { text: inDigits, isOfEitherHalf } = writeClockWords(letters, locale);
  const cleaned = writeWordsOfLocale(inDigits, locale);
  const ofDay = writePartOfDay(cleaned);
  if (ofDay === undefined || saysOtherwise(ofDay)) return undefined;
  const text = writeSpoken(writeNumberWords(ofDay.replace(theOne, '1'), { anywhere: hours, joins: false }));
  if ([isDuration, isMoney, isTakenBack].some((pattern) => pattern.test(text)) || saysAnotherMoment(text)) return undefined;
  if (isOfAnotherZone(text, zone, nowMs)) return undefined;
  const middle = readMiddle(text, isStrict);
  if (middle !== undefined) return fits(middle) ? middle : undefined;
  // Where these words are not behind an hour, they say another time than the hour beside them: "quarter to 4", "4 menos cuarto".
  if (
    /\b(?:half|quarter|media|cuarto|meia|viertel|dreiviertel|quart|quarto|quarti|mezz[ao]|demie?|seperempat|setengah|menos|15 para|\d para (?:las?|as))\b/.test(
      text.replace(/\d (?:y|e) (?:media|meia|cuarto)\b/g, ''),
    )
  )
    return undefined;
  const halves = halvesOf(locale);
  const times = [...text.matchAll(clock)].flatMap(({ 0: written, index, groups = {} }): readonly Clock[] => {
    const to = index + written.length;
    const behind = findHalf(text.slice(to), halves, 'behind');
    const before = behind === undefined ? findHalf(text.slice(0, index), halves, 'before') : undefined;
    const start = index - (before?.length ?? 0);
    const { hour = '', signed, minute = signed?.padStart(2, '0'), spoken, part, unit } = groups;
    const half = (behind ?? before)?.half;
    const isNamed = (minute !== undefined && !isOfEitherHalf) || unit !== undefined || half !== undefined;
    const isIntroduced = introduction.test(`${text.slice(0, start)}${hour}`) || /^ o'?clock\b/.test(text.slice(to));
    if (
      !isNamed &&
      !isOfEitherHalf &&
      part === undefined &&
      (isStrict || !isIntroduced || (spoken === undefined && /^ \d/.test(text.slice(to))))
    )
      return [];
    const rest = `${text.slice(0, start)} ${text.slice(to + (behind?.length ?? 0))}`;
    return [
      { hour: Number(hour), minute: minute ?? spoken?.padStart(2, '0') ?? (part === 'cuarto' ? '15' : part && '30'), half, isNamed, rest },
    ];
  });
  const [time, ...others] = times;
  if (time === undefined || others.length > 0 || isRange.test(text) || (isStrict && /[\p{L}\d]/u.test(time.rest))) return undefined;
  const onClocks = readClock(time).filter(fits);
  return onClocks.length === 1 ? onClocks[0] : undefined;
}

/** "5pm PST", of somebody in New York: a time of another zone than that in which it is read. Of a zone that is not known nothing is. */
function isOfAnotherZone(text: string, zone = 'UTC', nowMs = 0): boolean {
  const [, name = ''] = zoneBehind.exec(text) ?? [];
  const [, place = ''] = placeOfZone.exec(text) ?? [];
  const placed = zonesOfPlaces.find(([names]) => names.split(' ').includes(place))?.[1];
  const hours = placed === undefined ? zoneHours.get(name) : [DateTime.fromMillis(nowMs, { zone: placed }).offset / 60];
  if (hours === undefined || zone === 'UTC') return false;
  return !hours.some((offset) => offset * 60 === DateTime.fromMillis(nowMs, { zone }).offset);
}

/** "3pm de España", "hora peruana", "7pm Pacific": where the time is one. */
const zonesOfPlaces: readonly (readonly [names: string, zone: string])[] = [
  ['eastern york miami', 'America/New_York'],
  ['central', 'America/Chicago'],
  ['mountain', 'America/Denver'],
  ['pacific california', 'America/Los_Angeles'],
  ['espana madrid espanola', 'Europe/Madrid'],
  ['mexico cdmx mexicana', 'America/Mexico_City'],
  ['peru lima peruana', 'America/Lima'],
  ['colombia bogota colombiana', 'America/Bogota'],
  ['chile chilena', 'America/Santiago'],
  ['argentina', 'America/Argentina/Buenos_Aires'],
  ['brasil brasilia', 'America/Sao_Paulo'],
  ['india', 'Asia/Kolkata'],
  ['uk london', 'Europe/London'],
];
const placeOfZone =
  /(?:\bhora(?:rio)?(?: de| del)?|(?:\d|[ap]\.? ?m\.?)(?: (?:de|do|da|in|en))?) (?:new )?(eastern|york|miami|central|mountain|pacific|california|espana|madrid|espanola|mexico|cdmx|mexicana|peru|lima|peruana|colombia|bogota|colombiana|chile|chilena|argentina|brasil|brasilia|india|uk|london)(?!\p{L})/u;

const zoneBehind = /(?:\d|[ap]\.?m\.?|noon) ?\(?(utc|gmt|[ecmp][sd]?t|cest|cet|bst|ist|brt|art)(?!\p{L})/u;
/** Hours from UTC; those without an S or a D are of either half of the year. */
const zoneHours: ReadonlyMap<string, readonly number[]> = new Map(
  Object.entries({
    utc: [0],
    gmt: [0],
    est: [-5, -4],
    edt: [-4],
    et: [-5, -4],
    cst: [-6, -5],
    cdt: [-5],
    ct: [-6, -5],
    mst: [-7, -6],
    mdt: [-6],
    mt: [-7, -6],
    pst: [-8, -7],
    pdt: [-7],
    pt: [-8, -7],
    cet: [1, 2],
    cest: [2],
    bst: [1],
    ist: [5.5],
    brt: [-3],
    art: [-3],
  }),
);

/** Times that are said from the hour on either side, as the hour and its minutes: `half past 3` and `4 menos 25` as `at 3 y 30` and `a las 3 y 35`. */
function writeSpoken(text: string): string {
  const minutesOf = (part: string): number => (/^\d/.test(part) ? Number(part) : /^(?:half|media|meia)$/.test(part) ? 30 : 15);
  const write = (hour: string, minutes: number): string =>
    minutes > 0 ? `at ${hour} y ${minutes}` : `at ${Number(hour) === 1 ? 12 : (Number(hour) + 23) % 24} y ${60 + minutes}`;
  return text
    .replace(/\b(?:meio[ -]?dia|medio ?dia) (?:e|y) (?:(meia|media)|cuarto|([0-5]?\d))\b/g, (_, half?: string, minute?: string) =>
      half === undefined ? `12:${(minute ?? '15').padStart(2, '0')}` : '12:30',
    )
    .replace(/(?<![\d:./-])(\d{1,2}) ([2-5])0 (?:y|e) ([1-9])(?![\d:])/g, '$1 $2$3') // seis cuarenta y cinco
    .replace(/(?<![\d:./-])(\d{1,2}) oh ([1-9])(?= ?(?:[ap]\.? ?m\b|in the|at night|tonight|[.!]?$))/g, '$1:0$2') // eight oh five am
    .replace(
      /(?<![\d:./-])(\d{1,2}) ?(?:uhr|heures?|ore) (?:e )?([0-5]?\d)(?![\d:./-])/g,
      (_, hour: string, minute: string) => `${hour}:${minute.padStart(2, '0')}`,
    ) // 17 uhr 30
    .replace(/(?<=^|[^\d:.,;/-])(\d{1,2});([0-5]\d)(?![\d:;])/g, '$1:$2') // 8;30
    .replace(/^(?:(?:at|a las|las|as) )?(1[3-9]|2[0-3]) (?:y|e) ([0-5]\d)[.!]?$/, '$1:$2') // 18 y 30
    .replace(/\b(?:meia[ -]?noite|media ?noche) (?:e|y) (?:meia|media)\b/g, '0:30')
    .replace(/(?<![\d:./-])12 ?(?:md?\b|(?=noon\b|midnight\b|midday\b))/g, (written) => (written.includes('m') ? '12:00' : '')) // noon in Latin America
    .replace(/(\d)(?: o'? ?clock)?(?: tomorrow| this)? (morning|afternoon|evening)\b/g, '$1 in the $2') // 5 o'clock evening
    .replace(/(?<!\bgood )\b(morning|afternoon|evening) (?:at )?(\d{1,2}(?:[:.][0-5]\d)?)(?!\d|[:./-]\d| ?[ap]\.? ?m\b)/g, '$2 in the $1') // evening 5
    .replace(/\bpr(?:a|o)(s?) (?=\d)/g, 'para a$1 ')
    .replace(/(?<=\d ?(?:[ap]\.?m\.?)?)[ -]?ish\b/g, '') // 3ish
    .replace(/(?<![\d:./-])(\d{1,2}) ?([0-5]\d) ?(?=[ap]\.? ?m\b)/g, '$1:$2 ') // 930am
    .replace(/(?<![\d:./-])(\d{1,2})-([134][05]) ?(?=[ap]\.? ?m\b)/g, '$1:$2 ') // three-thirty pm
    .replace(
      /(?<![\d:./-])(\d{1,2}) ([0-5]\d) ?(?=(?:(?:de|por) la (?:manana|tarde|noche)|da (?:manha|tarde|noite)|in the|at night|tonight)\b)/g,
      '$1:$2 ',
    ) // siete treinta de la noche
    .replace(
      /(?<![\d:./-])(\d{1,2}) ?(?:h|hrs?|horas?) (?:y|e|con|com) (?:([0-5]\d)|(?:media|meia))\b/g,
      (_, hour: string, minute = '30') => `${hour}:${minute}`,
    ) // 20h e 30
    .replace(/(?<![\d:./-])(\d{1,2}p|\d{1,2}:[0-5]\d ?[ap])(?=[.!]?$| (?:please|pls|thanks|works|tomorrow|today|tonight)\b)/g, '$1m') // 6:30p
    .replace(/^(?:(?:at|a las|las|as) )?(?:(1[3-9]|2[0-3]) ([0-5]\d)|(\d) (30|45))[.!]?$/, '$1$3:$2$4') // veinte treinta
    .replace(/^(?:(?:at|a las) )?([01]\d|2[0-3])([0-5]\d)(?= ?(?:h|hr?s?|horas?|hours?)?\.?$)/, '$1:$2') // 1730
    .replace(english, (written: string, part: string, unit: string | undefined, side: string, hour: string) => {
      if (/past|after/.test(side)) return write(hour, minutesOf(part));
      return unit === undefined && Number(part) <= 12 ? written : write(hour, -minutesOf(part)); // "10 to 11" are two hours
    })
    .replace(before, (_, part: string, hour: string) => write(hour, -minutesOf(part)))
    .replace(less, (_, hour: string, part: string) => write(hour, -minutesOf(part)))
    .replace(/\b(?<=(?:at|las?|as) |^)(\d{1,2})(?: hours?| horas?)? (?:en punto|em ponto|o'? ?clock|sharp)(?= |[.!]?$)/g, 'at $1');
}

const english = /\b(?:at )?(?:a )?(half|quarter|[0-5]?\d)( minutes?)? (past|after|to|before|till) (\d{1,2})(?![\d:.])/g;
/** "Un cuarto para las cuatro", "quinze para as quatro". */
const before = /\b(?:a )?(?:un )?(cuarto|[0-5]?\d)(?: minutos?)? para (?:las?|as?) (\d{1,2})(?![\d:.])/g;
const less = /\b(?:a )?(?:las? |as )?(\d{1,2}) menos (cuarto|[0-5]?\d)(?![\d:.])/g;

/** Two hours, of which one may be without what makes it a time: "a las 10 o 11", "between 3 and 4pm". */
const isRange =
  /(?<![\d:./-])\d{1,2}(?:[:.]\d\d)? ?(?:[ap]\.? ?m\.? |h(?:rs?|oras?)? |(?:(?:de|por) la (?:manana|tarde|noche)|da (?:manha|tarde|noite)|in the (?:morning|afternoon|evening)|at night) )?(?:-|\b(?:(?:o|u|ou|or|to|al|hasta|ate|until|till?)\b ?(?:a |at |las? |as ){0,2}|a(?= \d))) ?\d{1,2}(?![\d/-])|\b(?:entre|between)\b[^\d]{1,12}\d{1,2}[^\d]{0,12} (?:y|e|and) [^\d]{0,8}\d/;

/** "5pm mejor 6": what is said in its place is no time by itself, and the first one is taken back. */
const isTakenBack =
  /\d[^\d]{0,24}\b(?:mejor|melhor|digo|rather|actually|sorry|perdon|disculp[ae]|desculp[ae]|make (?:it|that)|i mean|i meant),? (?:a |at |las? |as ){0,2}\d{1,4}(?:[:.]\d\d)?[.!]{0,3}$/;

/** What makes an hour of a number alone. */
const introduction = /\b(?:(?:at|a la|(?:a )?las|as|ao?|alle|ore|verso le|vers|um|gegen) \d\d?|la 1)$/;

/** The hour one, which elsewhere is an article. */
const theOne =
  /(?<=\b(?:la|at|a) )(?:una|one|uma)\b|\b(?:una|one|uma)(?= (?:(?:y|e) (?:media|meia|cuarto) )?(?:(?:de la|da|de|in the) (?:tarde|manana|manha|madrugada|afternoon|morning)|[ap]\.? ?m\b))/g;

/** "En 2 horas", "hace 1 hora", "3 hours": how long, and no time of day. In Spanish and Portuguese "15 horas" is one. */
const isDuration =
  /\b(?:en|in|dentro de|em|daqui a?|hace|ha|faz|within|cada|every|durante|for|por) (?:unas? |about |umas? )?\d{1,2} ?(?:h|hr?s?|horas?|hours?)\b(?! (?:de|da) )|(?<!(?:at|las?|as|\d) ?)\b[0-9] (?:hours?|horas?)\b(?! (?:en punto|em ponto|de|da|del|sharp)\b)|\b\d{1,2} ?(?:h|hrs?|horas?|hours?) (?:ago|atras|later|despues|depois|from now|mas)\b|\b[ap]\.?m\.? (?:o|or|ou) [ap]\.?m\b/;
/** An amount in the place of a time: "$10.30", "10.30 soles". */
const isMoney = /(?:\p{Sc}|\bs\/\.?) ?\d|\d ?(?:\p{Sc}|(?:soles|pesos|dolares|reais|euros|dollars|bucks|usd|pen|mxn|brl)\b)/u;
/** Eleven in Spanish and ten in English, which are other words as well. */
const hours: ReadonlySet<string> = new Set(['once', 'ten']);

/** Noon and midnight by their names, where the answer has no other time. */
function readMiddle(text: string, isStrict: boolean): string | undefined {
  const found = middle.exec(text);
  if (found === null) return undefined;
  const { 0: name, 1: night, index } = found;
  const rest = text.slice(0, index) + text.slice(index + name.length);
  const isOther = /\d|-ish\b|\b(?:media|meia|half|cuarto|quarter|menos|after|before|despues|antes|depois|por|pelo|around)\b/.test(rest);
  return isOther || (isStrict && /\p{L}/u.test(rest)) ? undefined : night === undefined ? '12:00' : '00:00';
}

const middle =
  /\b(?:noon|midday|medio ?dia|meio[ -]?dia|(?<!apres[ -])midi|mezzogiorno|(midnight|media ?noche|meia[ -]?noite|minuit|mezzanotte|mitternacht))\b/;

interface Clock {
  readonly hour: number;
  readonly minute: string | undefined;
  readonly half: Half | undefined;
  /** Whether it is a time by itself, and not an hour that only "at" makes one. */
  readonly isNamed: boolean;
  /** The answer without it. */
  readonly rest: string;
}

/** A half of the day. Twelve at night is midnight. */
type Half = 'am' | 'pm' | 'night';

/** The times on a clock of 24 hours that a time may be. */
function readClock({ hour, minute, half, isNamed }: Clock): readonly string[] {
  const at = (hours: number): string => `${String(hours).padStart(2, '0')}:${minute ?? '00'}`;
  if (hour > 23) return [];
  if (half === undefined) return isNamed || hour > 12 ? [at(hour)] : [at(hour), at((hour + 12) % 24)];
  if (hour > 12 && half !== 'am' && minute !== undefined) return [at(hour)]; // "15:30 pm"
  if (hour > 12 || (hour === 0 && minute === undefined)) return []; // "13 pm", "0 am"; where noon is written 0:00 pm, minutes are too
  if (half === 'night') return hour === 12 ? [at(0)] : hour >= 6 ? [at(hour + 12)] : [];
  return [at((hour % 12) + (half === 'pm' ? 12 : 0))];
}

const clock =
  /(?<![\p{Script=Latin}\d]|\d[.:/-])(?<hour>\d{1,2})(?: ?[:.h] ?(?<minute>[0-5]\d)(?:[:.][0-5]\d)?|[시時时点點] ?(?<signed>[0-5]?\d) ?[분分]| [ye] (?:(?<spoken>[0-5]?\d)(?= ?(?:$|de|da|por|in|at|[ap]\.? ?m)\b)|(?<part>media|meia|cuarto)\b))?(?: ?(?<unit>h|hr?s?|horas?|hours?|uhr|heures?|ч|[시時时点點])(?!\p{Script=Latin}))?(?!\d| ?[:./-]\d)/gu;

interface HalfName {
  /** Folded, without blanks and points. */
  readonly name: string;
  readonly half: Half;
}

const known: readonly HalfName[] = Object.entries({
  am: 'am delamanana porlamanana damanha demanha inthemorning damadrugada delamadrugada demadrugada',
  pm: 'pm delatarde porlatarde datarde detarde intheafternoon intheevening delmediodia deldia dodia tarde',
  night: 'delanoche porlanoche danoite denoite atnight tonight noche estanoche',
}).flatMap(([half, names]) => names.split(' ').map((name) => ({ name, half: half as Half })));

/** The names of the halves of the day, the longest first. */
function halvesOf(locale: string | undefined): readonly HalfName[] {
  const names = new Map<string, Half | undefined>();
  if (locale !== undefined) {
    // Some locales write the half of the day elsewhere, or with another word beside it, where there are minutes.
    for (const minute of [undefined, 'numeric'] as const) {
      const format = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute, hour12: true, timeZone: 'UTC' });
      for (let hour = 0; hour < 24; hour += 1) {
        const parts = format.formatToParts(hour * 3_600_000);
        const at = parts.findIndex(({ type }) => type === 'dayPeriod');
        // What a locale writes between the half of the day and the hour is a part of its name.
        const between = parts[at + 2]?.type === 'hour' ? parts[at + 1]?.value : '';
        const written = `${parts[at]?.value ?? ''}${between ?? ''}`;
        const name = foldLetters(written).replace(/[\s.]/g, '');
        const half = hour < 12 ? 'am' : 'pm';
        if (name !== '') names.set(name, names.has(name) && names.get(name) !== half ? undefined : half);
      }
    }
  }
  const ofLocale = [...names].flatMap(([name, half]): readonly HalfName[] => (half === undefined ? [] : [{ name, half }]));
  return [...ofLocale, ...known].toSorted((one, other) => other.name.length - one.name.length);
}

/** A half of the day that a text begins or ends with, and the length of its name there. */
function findHalf(
  text: string,
  halves: readonly HalfName[],
  where: 'behind' | 'before',
): { readonly half: Half; readonly length: number } | undefined {
  const characters = Array.from(text);
  const near = where === 'behind' ? characters.slice(0, 40) : characters.slice(-40).toReversed();
  for (const { name, half } of halves) {
    const wanted = where === 'behind' ? Array.from(name) : Array.from(name).toReversed();
    let [read, matched] = [0, 0];
    while (read < near.length && matched < wanted.length) {
      const character = near[read] ?? '';
      if (character === wanted[matched]) matched += 1;
      else if (character !== ' ' && character !== '.') break;
      read += 1;
    }
    if (matched === wanted.length && !/^\p{L}$/u.test(near[read] ?? '')) return { half, length: near.slice(0, read).join('').length };
  }
  return undefined;
}
