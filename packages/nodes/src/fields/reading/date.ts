/**
 * Reads a day as people write it: `31/12/26`, `2026/12/31`, `31. 12. 2026`, `31 dic 2026`, `December 31st, 2026`, `25 de diciembre`, `dos de mayo`,
 * `mañana`, `el lunes`, and as a locale prints it.
 */
import { findText } from '@hilo/engine/contract';
import { DateTime } from 'luxon';
import { saysAnotherMoment, saysEachWeek, withoutHours } from './beside.ts';
import { cleanLetters, type ReadingContext } from './clean.ts';
import { findWeekdays, readDaysFromToday, readWeekday } from './days-from-today.ts';
import { calendarOf, inGregorianYear, readPrinted, monthNames, monthOrder, toGregorian } from './locale-dates.ts';
import { saysOtherwise } from './other-languages.ts';
import { slips } from '../../messages/near-title.ts';
import { writeNumberWords } from '../../messages/number-words.ts';
import { writeWordsOfLocale } from '../../messages/number-words-of-locale.ts';

interface DateContext extends ReadingContext {
  /** How 3/4/2031 is meant by the author; where left out, as the locale writes it, else the day first. */
  readonly order: 'dayFirst' | 'monthFirst' | undefined;
  readonly zone: string;
  /** Whether a day lies within the bounds of the question: it decides where a year is left out or short. */
  readonly fits: (date: string) => boolean;
}

/** A number in an answer, and where it stands. */
interface Digits {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A day as written. A year of two digits or none is completed; one of another calendar converted. */
interface Written {
  readonly year: string | undefined;
  readonly month: number;
  readonly day: number;
  /** Whether the month is one of the locale's calendar, by its name. */
  readonly hasOwnMonth?: boolean;
  /** Where the day stands in the answer. */
  readonly from: number;
  readonly to: number;
}

/**
 * The only day in an answer, as `2031-04-03`. A year of two digits is the one from 80 years ago to 20 years ahead; a day without a year is
 * the next one of that name.
 */
export function readDate(answer: string, place: DateContext): string | undefined {
  const letters = cleanLetters(answer);
  const cleaned = letters === undefined ? undefined : writeWordsOfLocale(writeOn(letters, place.locale), place.locale);
  if (cleaned === undefined) return undefined;
  const compact = readCompact(cleaned);
  if (compact !== undefined) return compact;
  if (saysOtherwise(cleaned)) return undefined;
  const today = place.nowMs === undefined ? undefined : DateTime.fromMillis(place.nowMs, { zone: place.zone });
  const text = withoutHours(writeWords(cleaned, today));
  if (noOneDay.some((pattern) => pattern.test(text)) || saysAnotherMoment(text)) return undefined;
  const printed = isIso(text) ? undefined : readOwn(text, place);
  if (printed !== undefined) return printed;
  const numbers = [...text.matchAll(/\d{1,20}/g)].map(({ 0: digits, index }) => ({ text: digits, from: index, to: index + digits.length }));
  const isNamed = /\p{L}/u.test(text);
  const written = [
    ...readNumbers(text, numbers, place),
    ...(isNamed && numbers.length > 0 ? readNames(text.replace(weeks, '~~~~~~~~~'), numbers, place.locale) : []),
  ];
  if (written.length === 0 && saysEachWeek(text)) return undefined;
  const isAlone = ({ from, to }: Written): boolean => !hasWords(`${text.slice(0, from)} ${text.slice(to)}`);
  const days = written.filter((one) => !place.isStrict || isAlone(one)).map((one) => complete(one, place, today));
  const isSaid = today !== undefined && isNamed;
  const said = isSaid ? readDaysFromToday(text, today, place).map(toDate) : [];
  const [date, ...others] = new Set([...days, ...said]);
  if (date === undefined && isSaid && days.length === 0) return toDate(readWeekday(text, today, place));
  return others.length > 0 || date === undefined || isOnAnotherDay(date, text, place) ? undefined : date;
}

/** "No sábado" is "on Saturday" in Portuguese, and "not Saturday" in Spanish. */
const writeOn = (text: string, locale: string | undefined): string =>
  /^pt\b/.test(locale ?? '') ? text.replace(/(?<!\p{L})no (?=(?:proximo )?(?:sabado|domingo)(?!\p{L}))/gu, 'em ') : text;

/** Weeks of Italian begin as its September does. */
const weeks = /\bsettiman[ae]\b/g;

/** Whether an answer names one weekday or number, and its day has another: "mañana lunes" and "mañana 30" on Saturday the 28th. A person made a mistake that nobody can mend for them. */
function isOnAnotherDay(date: string, text: string, { locale }: DateContext): boolean {
  const weekdays = new Set(findWeekdays(text, locale).map(({ weekday }) => weekday));
  const day = DateTime.fromISO(date, { zone: 'utc' });
  const [, number] = numberBehind.exec(text) ?? [];
  return (weekdays.size === 1 && !weekdays.has(day.weekday)) || (number !== undefined && Number(number) !== day.day);
}

const numberBehind = /\b(?:hoy|manana|hoje|amanha|today|tomorrow)(?:,? (?:el dia|el|dia|the))? (\d{1,2})(?:st|nd|rd|th)?[.!]{0,3}$/;

/** An answer with digits for what it says of days in words. */
const writeWords = (cleaned: string, today: DateTime | undefined): string =>
  writeNumberWords(writeShortWeekday(writeHoliday(writeOrdinals(writeYears(writeTypos(cleaned), today)))), { anywhere: eleven }).replace(
    ofMonth,
    (_, day: string, month: string, year: string | undefined) => [day, month, ...(year === undefined ? [] : [year])].join('/'),
  );

/** Names of days and months as keyboards and ears write them, and those that are numbers as well. */
const writeTypos = (text: string): string =>
  text
    .replace(/\p{L}{2,10}/gu, (word) => typos.get(word) ?? word)
    .replace(/\bdepois (?:d )?amanha\b/g, 'depois de amanha')
    .replace(/\bantes? (?:d )?ayer\b/g, 'anteayer')
    .replace(/\bante ontem\b/g, 'anteontem')
    .replace(/\bjum'at\b/g, 'jumat')
    .replace(/\b2(?=day\b)/g, 'to')
    .replace(/\bpasado ?(?=manana\b)/g, 'pasado ')
    .replace(
      /\b(?:uno|um|primeiro)(?= de (?:ene|jan|feb|fev|mar|abr|ma[iy]|ju[nl]|ago|se[pt]|o[cu]t|nov|di[cez]|dez))|(?<=\bdia )prim(?:er|eir)o\b/g,
      '1',
    )
    .replace(/\b([2-6])a[ -]?feira\b/g, (_, nth: string) => `${['segunda', 'terca', 'quarta', 'quinta', 'sexta'][Number(nth) - 2]}-feira`)
    .replace(/(\d(?:[ /-]|\. ?)(?:de )?)dez\b/g, '$1dezembro')
    .replace(/(?<=\d[ /-]?(?:de |d |of )?)\p{L}{5,11}(?!\p{L})/gu, (word) => nearMonth(word) ?? word);

/** The month that a word behind a number is a letter away from: "5 de dicimbre". The short ones are a letter away from each other. */
const nearMonth = (word: string): string | undefined =>
  longMonths.includes(word) || word.endsWith('s')
    ? undefined
    : longMonths.find((month) => month[0] === word[0] && slips(month, word) === 1);

const longMonths: readonly string[] =
  'febrero agosto septiembre setiembre octubre noviembre diciembre february september october november december fevereiro setembro outubro novembro dezembro'.split(
    ' ',
  );

const typos: ReadonlyMap<string, string> = new Map(
  Object.entries({
    lunes: 'lune lunez',
    martes: 'marte martez',
    miercoles: 'miercole miercolez mierc miecoles',
    jueves: 'jueve juevez juebes',
    viernes: 'vierne viernez biernes',
    sabado: 'savado',
    domingo: 'domigno',
    tuesday: 'tuseday teusday tuesay',
    wednesday: 'weds wensday wednsday wendsday wenesday',
    thursday: 'thrusday thursady thusday',
    friday: 'firday',
    saturday: 'saterday',
    manana: 'mnana manna mananaa',
    pasado: 'pazado pasao pasdo psado pasad',
    pasadomanana: 'pazadomanana pasaomanana',
    tomorrow: 'tmr tmw tmrw tmrrw tomorrw tommorow tomorow',
    amanha: 'amanhaa amnha amnh',
    hoje: 'hj',
    depois: 'dps dpois',
    enero: 'henero',
    marzo: 'marso',
    mayo: 'mallo',
    septiembre: 'septienbre setienbre',
    february: 'feburary febuary',
    febrero: 'febreo',
    september: 'setember',
    octubre: 'octuvre otubre',
    noviembre: 'novienbre',
    diciembre: 'disiembre dicienbre',
  }).flatMap(([name, written]) => written.split(' ').map((one) => [one, name] as const)),
);

/** "Del próximo año" and "next year" as its number. */
const writeYears = (text: string, today: DateTime | undefined): string =>
  today === undefined
    ? text
    : text.replace(
        namedYear,
        (_, next: string | undefined, last: string | undefined) =>
          ` ${today.year + (next === undefined ? (last === undefined ? 0 : -1) : 1)}`,
      );

const namedYear =
  /(?:,? (?:del?|do|of|en|in))?(?: el| este| the)? (?:(proximo ano|ano (?:proximo|que viene|que vem|que entra|entrante)|next year)|(ano pasado|ano passado|last year)|(?:presente ano|este ano|deste ano|this year))\b/g;

/** `primero de enero`, `december fifteenth`, `the twenty-first of may` with digits. */
const writeOrdinals = (text: string): string =>
  text
    .replace(/\b(?:primero|primeiro|1e?ro|1er|1o) de\b/g, '1 de')
    .replace(/\b(\d{1,2})°(?=[/. -])/g, '$1')
    .replace(/\bprimo (?=(?:genn|febbr)aio|marzo|aprile|maggio|giugno|luglio|agosto|(?:sett|nov|dic)embre|ottobre)/g, '1 ')
    .replace(centuryWords, (_, century: string, year: string) => {
      const rest = Number(writeNumberWords(year));
      return rest >= 10 && rest < 100 ? ` ${century === 'nineteen' ? 19 : 20}${rest}` : _;
    })
    .replace(/\b(twenty|thirty)[ -](first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)\b/g, (_, ten: string, one: string) =>
      String((ten === 'twenty' ? 20 : 30) + ordinals.indexOf(one) + 1),
    )
    .replace(/\b\p{L}{3,11}th\b|\b(?:first|second|third)\b/gu, (word) =>
      ordinals.includes(word) ? String(ordinals.indexOf(word) + 1) : word,
    );

/** "May 5th nineteen ninety", "twenty twenty-six". */
const centuryWords =
  /,? \b(nineteen|twenty) ((?:ten|eleven|twelve|\p{L}{3,5}teen|\p{L}{3,4}t?ty)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?)\b/gu;

const ordinals: readonly string[] = (
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth ' +
  'eighteenth nineteenth twentieth'
).split(' ');

/** `navidad`, `el día de año nuevo`, `christmas eve 2031` with their day: those that are on the same one in every country, where they are all that is said. */
const writeHoliday = (text: string): string => {
  const [, name = '', year = ''] = holiday.exec(text) ?? [];
  const day = holidays.get(name);
  return day === undefined ? text : `${day} ${year}`.trim();
};

const holiday =
  /^(?:(?:el|la|para|por|en|on|at|for|this|esta|o|no|na) ){0,2}(?:dia (?:de |del )?)?([a-z']{3,12}(?: [a-z']{2,10}){0,3}?)(?:,? (?:de |del |of )?(\d{4}))?[.!]{0,3}$/;
const holidays: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '1 january':
      "ano nuevo,ano novo,new year,new years,nouvel an,jour de l'an,neujahr,capodanno,tahun baru,new year's,new years day,new year's day",
    '6 january': 'reyes,los reyes,reyes magos',
    '14 february': "san valentin,valentines,valentine's,valentines day,valentine's day",
    '31 october': 'halloween',
    '24 december': 'nochebuena,noche buena,christmas eve,vispera de navidad,vespera de natal,heiligabend,heilig abend,vigilia di natale',
    '25 december': 'navidad,natal,christmas,christmas day,xmas,noel,natale,hari natal',
    '31 december':
      "nochevieja,noche vieja,fin de ano,new years eve,new year's eve,vispera de ano nuevo,vespera de ano novo,silvester,san silvestro",
  }).flatMap(([day, names]) => names.split(',').map((name) => [name, day] as const)),
);

/** `lun 30`, `vie`, `fri 4 dec` with the whole name: a short one counts only where the answer begins with it, and a day or nothing follows. */
const writeShortWeekday = (text: string): string =>
  text.replace(shortWeekday, (_, short: string) => shortWeekdays.find((name) => name.startsWith(short)) ?? short);

const shortWeekday =
  /^(?:(?:el|on|this|este|na|no|esta) )?(lun|mie|jue|vie|sab|seg|ter|qua|qui|sex|dom|mon|tues?|wed|thu|thurs?|fri|sat|sun)\.?(?=,? (?:(?:el|the|dia|el dia) )?\d|,? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}{0,6}\.? \d|$)/u;
const shortWeekdays: readonly string[] =
  'lunes miercoles jueves viernes sabado domingo segunda terca quarta quinta sexta monday tuesday wednesday thursday friday saturday sunday'.split(
    ' ',
  );

/** `05051990` and `19900505`, as birthdays are typed: eight digits that are a day of these centuries in one order alone. */
function readCompact(text: string): string | undefined {
  if (!/^\d{8}$/.test(text)) return undefined;
  const part = (from: number, to: number): number => Number(text.slice(from, to));
  const days = [
    { year: part(0, 4), month: part(4, 6), day: part(6, 8) },
    { year: part(4, 8), month: part(2, 4), day: part(0, 2) },
  ].flatMap(({ year, month, day }) => (year >= 1900 && year < 2100 ? (isoDate(year, month, day) ?? []) : []));
  return days.length === 1 ? days[0] : undefined;
}

/** "15 del 12", "15 del 12 del 2026" and "5 del 5 del 90". */
const ofMonth = /\b(\d{1,2}) d(?:el?|o) (?:mes )?(\d{1,2})(?![\d:])(?: d(?:el?|o) (?:ano )?(\d{4}|\d{2})(?![\d:]))?/;

/** "Del 5 al 10 de mayo", "5 y 6 de mayo", "may 5-10": no day is the answer. */
const severalDays =
  /(?<![\d:./-])\d{1,2} ?(?:-|\b(?:y|e|o|u|ou|and|or|al?|to|ao|hasta|ate|through|till?|until)\b) ?(?:el |the |dia ){0,2}\d{1,2}(?:st|nd|rd|th)? (?:de |of )?\p{L}{3}|\b\p{L}{3,12} \d{1,2}(?:st|nd|rd|th)? ?(?:-|\b(?:y|and|or|to|through|till?|until)\b) ?\d{1,2}(?![\d:]| ?[ap]\.?m)|\b(?:o|or|ou) (?:el|the|o dia|dia) \d{1,2}(?![\d:])/u;

/** "3 days after tomorrow", "una semana antes del 5 de mayo". */
const besideAnother =
  /\b(?:\d{1,3}|an?|una?|uma?|one) (?:day|week|month|year|dia|semana|mes|ano)(?:es|s)? (?:from (?!now|today)|after|before|despues|antes|depois|(?:y|e|and) (?:\d{1,3}|an?|una?|uma?|medi[oa]|mei[oa]|half))\b/;

/** "Mañana o pasado", "la otra semana", "de mañana en ocho", and a farewell. */
const tomorrowOrLater =
  /\b(?:otra|outra|other) (?:semana|week)\b|\b(?:hoy|manana) en \d|\b(?:manana|amanha|hoy|hoje) (?:o|ou|u|y|e) (?:pasado(?! manana)|depois)\b|^(?:hasta|ate|nos vemos|see you) (?:manana|amanha|tomorrow)[.!]{0,3}$/;
/** "3 de mayo pasado", "el pasado 3 de mayo", "last may 3": the day before this one of that name. */
const monthPast =
  /\b(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre|janeiro|fevereiro|marco|maio|junho|julho|setembro|outubro|novembro|dezembro) (?:pasado|passado)\b(?! manana)|\b(?:pasado|passado) (?:dia )?\d{1,2} de\b|\blast (?:january|february|march|april|may|june|july|august|september|october|november|december)\b/;
/** "El viernes en ocho", "friday fortnight": a week or two behind the one that is named. */
const weekdayLater =
  /\b(?:(?:lun|mart|miercol|juev|viern)es|sabado|domingo|segunda|terca|quarta|quinta|sexta)(?:[- ]feira)? (?:en|em|a) (?:ocho|oito|quince|quinze|8|15)(?!\d|[:./]|-\d| ?(?:dias|horas?|h\b|hrs?|[ap]\.?m))\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:fortnight|in (?:a|1|2|two) (?:weeks?|fortnight))\b/;
/** "Traspasado mañana", "the day aftr tomorrow", "tomorrow or the day after", "a fortnight today", "el otro lunes": a day beside the one that is named. */
const besideTomorrow =
  /\btras ?pasado\b|\b(?!(?:pasado|sabado) )\p{L}{1,12}(?:ado|ao) (?:manana|amanha)\b|\bday (?!after\b|before\b|of\b)\p{L}{2,7} (?:tomorrow|yesterday)\b|\b(?:o|or|ou) (?:the |el |o )?(?:(?:next|following) day|day after|dia (?:siguiente|seguinte|despues|depois))\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:after|following)[.!]{0,3}$|\b(?:today|tomorrow) (?:week|fortnight)\b|\b(?:week|fortnight) (?:today|tomorrow)\b|\b(?:otro|outro|outra|other) (?:(?:lun|mart|miercol|juev|viern)es|sabado|domingo|segunda|terca|quarta|quinta|sexta|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|\bsubsiguiente\b|\bafter next\b/u;
/** Days with a name that are on another date each year. */
const movable =
  /\b(?:(?:good|black|cyber|easter) (?:fri|mon|sun)day|(?:viernes|jueves|sabado|sexta(?:[- ]feira)?|quinta(?:[- ]feira)?) (?:santo?|santa|de gloria)|(?:domingo|lunes|segunda|terca) de (?:ramos|pascua|pascoa|carnaval|resurreccion))\b/;
/** Weekdays of Portuguese that are the second to the sixth of something. */
const ordinalNoun =
  /\b(?:minha|sua|nossa|uma) (?:segunda|terca|quarta|quinta|sexta)\b(?!-)|\b(?:segunda|terca|quarta|quinta|sexta) (?:vez(?:es)?|opcao|opcion|via|parte|alternativa|escolha|chamada|pessoa|aula|turma|loja|casa|linha|filha|esposa|mae|tentativa|pergunta|semana|classe|rua|posicao)\b/;
/** "Monday week", "la semana del lunes": the week beside a weekday is another, or the whole of it. */
const weekOfDay =
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day week\b|\b(?:semana d(?:el?|[ao])|week of) (?:el |the )?(?:\d|(?:lun|mart|miercol|juev|viern)es|sabado|domingo|segunda|terca|quarta|quinta|sexta|(?:mon|tues|wednes|thurs|fri|satur|sun)day)/;
/** "En 3 días hábiles": which days are worked is not known here. */
const workingDays = /\b(?:dias? (?:habil|habiles|laborables?|laborales|util|uteis)|(?:business|working|work) days?|workdays?)\b/;
/** "El primer lunes de enero", "o último sábado": one of a month, counted. */
const countedWeekday =
  /\b(?:primer|primera|primeir[oa]|segundo|tercer|tercera|terceir[oa]|cuarto|quarto|ultimo|ultima|penultimo|1er|2do|3er|4to|first|second|third|fourth|[1-4](?:st|nd|rd|th)) (?:(?:lun|mart|miercol|juev|viern)es|sabado|domingo|segunda|terca|quarta|quinta|sexta|(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?!\p{L})(?! (?:pasado|passad[ao]))|\b(?:[1-5]|last) (?:mon|tues|wednes|thurs|fri|satur|sun)day (?:of|in)\b/u;
const noOneDay: readonly RegExp[] = [
  monthPast,
  weekdayLater,
  severalDays,
  besideAnother,
  tomorrowOrLater,
  besideTomorrow,
  movable,
  ordinalNoun,
  weekOfDay,
  workingDays,
  countedWeekday,
];

const toDate = (day: DateTime | undefined): string | undefined => day?.toISODate() ?? undefined;
/** In Spanish: "once de mayo"; in English: "ten days from now". */
const eleven: ReadonlySet<string> = new Set(['once', 'ten']);

/** Whether a text is a day as `2031-04-03`, which is the same in every locale: so are days that were read before. */
const isIso = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && DateTime.fromISO(text).isValid;

/** The day as the locale prints it; English, Spanish and Portuguese are known here, and an order that the author sets counts before. */
const readOwn = (text: string, { locale, order }: DateContext): string | undefined =>
  locale === undefined || order !== undefined || isKnownHere(locale) ? undefined : readPrinted(text, locale, cleanLetters);

const isKnownHere = (locale: string): boolean => /^(?:en|es|pt)\b/.test(locale);

const hasWords = (text: string): boolean => /[\p{L}\d]/u.test(text);

/** Days of numbers alone: two or three with the same separator. Blanks separate only where there are no further numbers. */
function readNumbers(text: string, numbers: readonly Digits[], place: DateContext): readonly Written[] {
  const found: Written[] = [];
  for (let first = 0; first < numbers.length; ) {
    let last = first;
    const kind = separatorBehind(text, numbers, first);
    while (kind !== undefined && separatorBehind(text, numbers, last) === kind) last += 1;
    const chain = numbers.slice(first, last + 1);
    const isBlank = kind === ' ';
    const further = numbers[last + 1];
    // "03/04 2031"
    if (kind === '/' && chain.length === 2 && further?.text.length === 4 && /^,? $/.test(text.slice(numbers[last]?.to, further.from))) {
      chain.push(further);
      last += 1;
    }
    const day =
      (isBlank && (chain.length !== 3 || numbers.length !== 3)) || chain.length === 1 ? undefined : readChain(text, chain, kind, place);
    if (day !== undefined) found.push(day);
    first = isBlank || last === first ? first + 1 : last + 1;
  }
  return found;
}

/** What separates a number from the next one: `/`, `.`, `-`, a blank, or the signs of year and month in Chinese, Japanese and Korean. */
function separatorBehind(text: string, numbers: readonly Digits[], index: number): string | undefined {
  const [here, next] = [numbers[index], numbers[index + 1]];
  if (here === undefined || next === undefined) return undefined;
  const gap = text.slice(here.to, next.from).normalize('NFC');
  if (gap === ' ') return ' ';
  const sign = gap.trim();
  if (gap.length > 3) return undefined;
  return sign === '/' || sign === '.' || sign === '-' ? sign : /^[年月년월]$/u.test(sign) ? '年' : undefined;
}

function readChain(text: string, chain: readonly Digits[], kind: string | undefined, place: DateContext): Written | undefined {
  const [a, b, c] = chain;
  if (a === undefined || b === undefined || chain.length > 3) return undefined;
  const [from, to] = [a.from, (c ?? b).to];
  if (kind !== '年' && isGlued(text, from, to)) return undefined;
  const end = to + (/^[日일]/u.test(text.slice(to).normalize('NFC')) ? 1 : 0) + (/^ ?(?:г\.?|\.)/u.exec(text.slice(to))?.[0].length ?? 0);
  if (c === undefined) {
    // "1.5" is a number; "25.12." and "25-12" are days where they are the whole answer.
    const isAlone =
      !hasWords(text.slice(0, from).replace(/^(?:el|am|den|dem|on) $/, '') + text.slice(to)) && (kind === '-' || text.startsWith('.', to));
    return kind === '年' || (kind !== '/' && !isAlone) ? undefined : ordered(undefined, a, b, { from, to: end }, place);
  }
  if (a.text.length === 4) return ordered(a, c, b, { from, to: end }, { ...place, order: 'dayFirst' });
  return c.text.length === 4 || c.text.length === 2 ? ordered(c, a, b, { from, to: end }, place, kind === ' ') : undefined;
}

/** Whether letters or further digits touch a day: `2031-04-03T10`, `1.2.3.4`, `x3/4`. */
const isGlued = (text: string, from: number, to: number): boolean =>
  /[\p{L}\d][./:-]?$/u.test(text.slice(0, from)) || (/^(?:[./:-] ?\d|\p{L})/u.test(text.slice(to)) && !/^г\b/u.test(text.slice(to)));

function ordered(
  year: Digits | undefined,
  first: Digits,
  second: Digits,
  at: Pick<Written, 'from' | 'to'>,
  { order, locale }: Pick<DateContext, 'order' | 'locale'>,
  isBlank = false,
): Written | undefined {
  if (first.text.length > 2 || second.text.length > 2) return undefined;
  const usual = order ?? (locale === undefined ? 'dayFirst' : monthOrder(locale));
  const [one, two] = [Number(first.text), Number(second.text)];
  // Between blanks nobody is sure to write the month first.
  if (isBlank && order === undefined && usual === 'monthFirst' && one <= 12 && two <= 12) return undefined;
  const [day, month] = usual === 'dayFirst' ? [one, two] : [two, one];
  // Where the author sets no order, 31/12 is understood whatever the locale.
  const isOther = order === undefined && month > 12 && day <= 12;
  return { year: year?.text, ...(isOther ? { day: month, month: day } : { day, month }), ...at };
}

/** Days with the name of a month: the number beside it is the day, a longer one or one behind both the year. */
function readNames(text: string, numbers: readonly Digits[], locale: string | undefined): readonly Written[] {
  const months = findMonths(text, locale).toSorted((one, other) => one.from - other.from);
  const isForeign = locale !== undefined && !isKnownHere(locale);
  const taken = new Set<Digits>(); // the 5 of "dec 5 - dec 6" is the day of the first month alone
  return months.flatMap(({ month, hasOwnMonth, from, to }): readonly Written[] => {
    const joined = (left: number, right: number): boolean => isConnecting(text.slice(left, right), isForeign);
    const before = numbers.filter((one) => one.to <= from && !taken.has(one)).toReversed();
    const after = numbers.filter((one) => one.from >= to);
    const near = { left: before[0], right: after[0] };
    const left = near.left !== undefined && joined(near.left.to, from) ? near.left : undefined;
    const right = near.right !== undefined && joined(to, near.right.from) ? near.right : undefined;
    if (left !== undefined && left.text.length <= 2) {
      const earlier = before[1]?.text.length === 4 && joined(before[1].to, left.from) ? before[1] : undefined;
      const year = right !== undefined && isYear(right, text) ? right : earlier;
      return [
        {
          year: year?.text,
          month,
          hasOwnMonth,
          day: Number(left.text),
          from: earlier === year ? (earlier ?? left).from : left.from,
          to: Math.max(to, year?.to ?? to),
        },
      ];
    }
    if (right === undefined || right.text.length > 2) return [];
    taken.add(right);
    const further = after[1] !== undefined && isYear(after[1], text) && joined(right.to, after[1].from) ? after[1] : undefined;
    const earlier = left?.text.length === 4 ? left : undefined;
    const year = earlier ?? further;
    return [
      { year: year?.text, month, hasOwnMonth, day: Number(right.text), from: earlier?.from ?? from, to: Math.max(right.to, year?.to ?? 0) },
    ];
  });
}

/** Four digits, or two that are not the hour of a time: "may 5 10am". */
const isYear = ({ text: digits, to }: Digits, text: string): boolean =>
  digits.length === 4 ||
  (digits.length === 2 &&
    !/^(?:[:h]| ?(?:[ap]\.? ?m|hrs?|horas?|people|persons?|guests|pax|personas?|pessoas?|adult[os]?s?|kids|ninos|nights?|noches?|noites?|dias?|days?)\b)/.test(
      text.slice(to),
    ));

/** Whether a text between a month and a number joins them: `de`, `of`, `st`, signs. In other languages than those known here, any short one. */
function isConnecting(gap: string, isForeign: boolean): boolean {
  if (isForeign) return gap.length <= 12;
  return gap.length <= 16 && (gap.match(/[\p{L}]{1,16}/gu) ?? []).every((word) => connectors.has(word));
}

const connectors: ReadonlySet<string> = new Set([
  'de',
  'del',
  'of',
  'the',
  'st',
  'nd',
  'rd',
  'th',
  'ro',
  'er',
  'ero',
  'o',
  'd',
  'do',
  'ano',
  'a',
]);

interface NamedMonth {
  readonly month: number;
  readonly hasOwnMonth: boolean;
  readonly from: number;
  readonly to: number;
}

/** The months that a text names; the longest name counts where several stand in one place. */
function findMonths(text: string, locale: string | undefined): readonly NamedMonth[] {
  const found: NamedMonth[] = [];
  let rest = text;
  for (const { name, month, isWord, hasOwnMonth } of monthNames(locale)) {
    for (let from = findText(rest, name); from >= 0; from = findText(rest, name, from + 1)) {
      const to = from + name.length;
      if (isWord && (/\p{L}$/u.test(rest.slice(0, from)) || /^\p{L}/u.test(rest.slice(to)))) continue;
      found.push({ month, hasOwnMonth, from, to });
      rest = `${rest.slice(0, from)}${'\0'.repeat(name.length)}${rest.slice(to)}`;
    }
  }
  if (found.length < 2) return found;
  // "mar" is the third month, and the short name of a weekday in Spanish; other names may be a part of a longer word.
  const surer = found.filter(({ from, to }) => text.slice(from, to) !== 'mar' && !/\p{L}$/u.test(text.slice(0, from)));
  return surer.length > 0 ? surer : found;
}

/** The date of a day as written; `undefined` where there is none, such as the 29th of February in most years. */
function complete({ year, month, day, hasOwnMonth = false }: Written, place: DateContext, today: DateTime | undefined): string | undefined {
  if (year === undefined) {
    if (today === undefined) return undefined;
    const nextYears = Array.from({ length: 9 }, (_, index) => isoDate(today.year + index, month, day)).filter((date) => date !== undefined);
    const next = nextYears.find((date) => date >= (today.toISODate() ?? ''));
    const past = [isoDate(today.year, month, day), isoDate(today.year - 1, month, day)];
    return next === undefined || place.fits(next) ? next : (past.find((date) => date !== undefined && place.fits(date)) ?? next);
  }
  const number = Number(year);
  if (year.length === 2) {
    const centuries = [1900, 2000].flatMap((century) => isoDate(century + number, month, day) ?? []);
    const fitting = centuries.filter(place.fits);
    const first = (today?.year ?? 2048) - 79;
    return fitting.length === 1 ? fitting[0] : centuries.find((date) => Number(date.slice(0, 4)) >= first);
  }
  const calendar = place.locale === undefined ? 'gregory' : calendarOf(place.locale);
  if (calendar === 'gregory') return isoDate(number, month, day);
  const isOurYear = number >= 1800 && number < 2300;
  if (isOurYear && !hasOwnMonth) return isoDate(number, month, day);
  return isOurYear ? inGregorianYear(calendar, { year: number, month, day }) : toGregorian(calendar, { year: number, month, day });
}

const isoDate = (year: number, month: number, day: number): string | undefined => DateTime.utc(year, month, day).toISODate() ?? undefined;
