/**
 * Numbers, days and times in words of French, German, Italian, Indonesian, Arabic and Hindi, read for users of these languages alone; what is
 * another word as well, halves a value or bounds it is none (`-`).
 */
import { getPath } from '@hilo/engine/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Input, readAnswer } from '../../ask/input.ts';
import { writeWordsOfLocale } from '../../messages/number-words-of-locale.ts';

/** A Saturday. */
const nowMs = Date.UTC(2026, 10, 28, 15);
const users = {
  fr: { locale: 'fr-FR', timeZone: 'Europe/Paris' },
  de: { locale: 'de-DE', timeZone: 'Europe/Berlin' },
  it: { locale: 'it-IT', timeZone: 'Europe/Rome' },
  id: { locale: 'id-ID', timeZone: 'Asia/Jakarta' },
  eg: { locale: 'ar-EG', timeZone: 'Africa/Cairo' },
  hi: { locale: 'hi-IN', timeZone: 'Asia/Kolkata' },
  us: { locale: 'en-US', timeZone: 'America/New_York' },
} as const;

it.each<[kind: string, user: keyof typeof users, table: string]>([
  [
    'number',
    'fr',
    `deux → 2 | vingt et un → 21 | vingt-cinq → 25 | soixante-dix → 70 | soixante et onze → 71 | quatre-vingts → 80
      quatre-vingt-douze → 92 | quatre vingt dix neuf → 99 | cent → 100 | deux cents → 200 | deux cent cinq → 205 | mille → 1000
      deux mille cinq cents → 2500 | mille neuf cent quatre-vingt-dix → 1990 | nous sommes quatre → 4 | une → 1 | un moment → -
      le neuf → - | cinq personnes → 5 | trois ou quatre → - | nonante-cinq → 95 | un million → 1000000 | plus de cinq → -
      deux et demi → 2.5 | cinq six → - | zéro → 0 | une personne → - | merci, cinq → 5
      vingt-trois mille quatre cent cinquante-six → 23456 | pas cinq → - | dix fois → 10 | dix-sept → 17 | quatre-vingt-dix-sept → 97
      dix sept → 17`,
  ],
  [
    'number',
    'de',
    `zwei → 2 | fünf → 5 | elf → 11 | einundzwanzig → 21 | fünfundzwanzig → 25 | hundert → 100 | zweihundertfünf → 205
      eintausendzweihundert → 1200 | zweitausend → 2000 | zwei tausend fünfhundert → 2500 | neunzehnhundert → - | eins → 1
      ein moment → - | wir sind vier → 4 | fünf personen → 5 | drei oder vier → - | anderthalb → 1.5 | zweieinhalb → 2.5 | nicht fünf → -
      mehr als fünf → - | dreißig → 30 | dreissig → 30 | siebenundneunzig → 97 | hunderteins → 101 | null → 0 | und → -
      dreihunderttausend → 300000 | fünf und zwanzig → 25 | fünf und sechs → -`,
  ],
  [
    'number',
    'it',
    `due → 2 | sei → 6 | sei gentile → - | ventuno → 21 | ventotto → 28 | venticinque → 25 | cento → 100 | duecento → 200
      centoventi → 120 | mille → 1000 | duemila → 2000 | duemilacinquecento → 2500 | siamo in quattro → 4 | un momento → -
      due o tre → - | uno → 1 | quarantadue → 42 | ottantotto → 88 | centotto → 108 | mille e cinque → - | zero → 0 | novantanove → 99
      tre persone → 3 | più di cinque → - | non cinque → -`,
  ],
  [
    'number',
    'id',
    `lima → 5 | satu → 1 | sepuluh → 10 | sebelas → 11 | dua belas → 12 | lima belas → 15 | dua puluh → 20 | dua puluh lima → 25
      seratus → 100 | seratus dua puluh → 120 | dua ratus lima puluh → 250 | seribu → 1000 | lima ribu → 5000
      dua ribu lima ratus → 2500 | dua juta → 2000000 | kami berempat → 4 | kami empat orang → 4 | dua atau tiga → - | bukan lima → -
      setengah → - | tiga orang → 3 | lima ribu rupiah → 5000 | dua tiga → - | nol → 0 | lebih dari lima → - | seribu lima ratus → 1500
      dua juta seribu → 2001000`,
  ],
  [
    'number',
    'eg',
    `خمسة → 5 | خمسه → 5 | واحد → 1 | عشرة → 10 | أحد عشر → 11 | اثنا عشر → 12 | خمسة عشر → 15 | عشرون → 20 | خمسة وعشرون → 25
      خمسة وعشرين → 25 | مئة → 100 | مائة → 100 | مئة وخمسة → 105 | مئتين → 200 | ثلاثمائة → 300 | ألف → 1000 | ألفين → 2000
      خمسة آلاف → 5000 | ألف وخمسمائة → 1500 | نحن أربعة → 4 | خمسة أشخاص → 5 | خمسة أو ستة → - | ليس خمسة → - | صفر → 0
      خمسة ونصف → - | أكثر من خمسة → - | ألفين وخمسمائة → 2500 | مئتين وخمسين → 250 | ألف وخمسمائة وثلاثين → 1530`,
  ],
  [
    'number',
    'hi',
    `पाँच → 5 | पांच → 5 | दो → 2 | एक → 1 | एक मिनट → - | दस → 10 | पच्चीस → 25 | बयालीस → 42 | सौ → 100 | दो सौ → 200
      दो सौ पचास → 250 | एक हज़ार → 1000 | पाँच हज़ार पाँच सौ → 5500 | दो लाख → 200000 | हम चार हैं → 4 | चार लोग → 4 | निन्यानवे → 99
      ek → 1 | do → 2 | paanch log → 5 | do you have → - | दो या तीन → - | पाँच नहीं → - | साढ़े पाँच → 5.5 | पाँच से कम → -
      अड़तीस → 38`,
  ],
  ['number', 'us', `six → 6 | sept → - | drei → - | lima → - | do → - | sei → -`],
  ['time', 'fr', `dix heures trente → 10:30 | dix-sept heures → 17:00 | vingt et une heures → 21:00 | cinq heures du soir → 17:00`],
  ['time', 'de', `siebzehn uhr → 17:00 | siebzehn uhr dreißig → 17:30 | halb sechs → - | um neun uhr → 09:00`],
  ['time', 'id', `jam lima sore → 17:00 | jam tujuh pagi → 07:00 | setengah lima sore → 16:30 | jam sebelas siang → 11:00`],
  ['time', 'eg', `الساعة خمسة مساء → 17:00 | خمسة ونصف مساء → -`],
  ['time', 'hi', `शाम पाँच बजे → 17:00 | सुबह नौ बजे → 09:00 | साढ़े पाँच बजे → -`],
  ['date', 'fr', `le quinze décembre → 2026-12-15 | vingt-cinq décembre → 2026-12-25 | quinze → -`],
  ['date', 'de', `15. dezember → 2026-12-15 | fünfzehn dezember → 2026-12-15 | in drei tagen → 2026-12-01`],
  ['date', 'it', `quindici dicembre → 2026-12-15 | il venticinque dicembre → 2026-12-25`],
  ['date', 'id', `lima belas desember → 2026-12-15`],
  ['date', 'hi', `पंद्रह दिसंबर → 2026-12-15`],
  ['date', 'eg', `خمسة عشر ديسمبر → 2026-12-15`],
])('a %s in words, in %s', (kind, user, table) => {
  const rows = table
    .split(/\n| \| /)
    .filter((row) => row.trim() !== '')
    .map((row) => row.split('→').map((part) => part.trim()));
  const read = (text: string): string =>
    (
      JSON.stringify(readAnswer({ text }, Input.parse({ kind }), { get: (path) => getPath({ $user: users[user] }, path) }, nowMs)) ?? '-'
    ).replaceAll('"', '');
  expect(rows.map(([text = '']) => [text, read(text)])).toEqual(rows);
});

const german = 'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn'.split(
  ' ',
);
const germanTens = 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' ');
const italian =
  'zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette'.split(' ');
const italianTens = 'venti trenta quaranta cinquanta sessanta settanta ottanta novanta'.split(' ');
const indonesian = 'nol satu dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas'.split(' ');

/** How a number below 100 is said; none that is a piece of another word. */
const spoken = {
  'de-DE': (value: number): string => {
    const [unit, tens] = [value % 10, germanTens[Math.floor(value / 10) - 2]];
    if (tens === undefined) return german[value] ?? `${german[value - 10] ?? ''}zehn`;
    return unit === 0 ? tens : `${unit === 1 ? 'ein' : (german[unit] ?? '')}und${tens}`;
  },
  'it-IT': (value: number): string => {
    const [unit, tens] = [value % 10, italianTens[Math.floor(value / 10) - 2]];
    if (tens === undefined) return italian[value] ?? (value === 18 ? 'diciotto' : 'diciannove');
    return unit === 0 ? tens : `${unit === 1 || unit === 8 ? tens.slice(0, -1) : tens}${unit === 3 ? 'tré' : (italian[unit] ?? '')}`;
  },
  'id-ID': (value: number): string => {
    const [unit, tens] = [indonesian[value % 10] ?? '', indonesian[Math.floor(value / 10)] ?? ''];
    if (value < 12) return indonesian[value] ?? '';
    if (value < 20) return `${unit} belas`;
    return value % 10 === 0 ? `${tens} puluh` : `${tens} puluh ${unit}`;
  },
} as const;
const thousand = { 'de-DE': 'tausend', 'it-IT': 'mila', 'id-ID': ' ribu' } as const;

it.each(['de-DE', 'it-IT', 'id-ID'] as const)(
  'every number below 100 that is said by the rules of %s is that number, and so is a thousand times it',
  (locale) => {
    const values = Array.from({ length: 98 }, (_, index) => index + 2);
    const written = values.map((value) => {
      const words = spoken[locale](value);
      return [writeWordsOfLocale(words, locale), writeWordsOfLocale(`${words.replace('tré', 'tre')}${thousand[locale]}`, locale)];
    });
    expect(written).toEqual(values.map((value) => [String(value), String(value * 1_000)]));
  },
);

it('a text of no number is left as it is, whatever the language', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('fr', 'de', 'it', 'id', 'ar', 'hi', 'en', 'es'),
      fc.stringMatching(/^[bcdfghklmpqstvwxyz ]{0,60}$/),
      (locale, text) => {
        expect(writeWordsOfLocale(text, locale)).toBe(text);
      },
    ),
  );
});
