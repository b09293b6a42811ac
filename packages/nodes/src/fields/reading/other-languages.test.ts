/**
 * Answers in Hindi, Arabic, Indonesian and other languages whose sentences are not read otherwise: scales and parts of the day count, and a value beside
 * words that make it another is none (`-`).
 */
import { getPath, type JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Input, readAnswer } from '../../ask/input.ts';

/** A Saturday. */
const nowMs = Date.UTC(2026, 10, 28, 9);
const users = {
  in: { locale: 'hi-IN', timeZone: 'Asia/Kolkata' },
  eg: { locale: 'ar-EG', timeZone: 'Africa/Cairo' },
  id: { locale: 'id-ID', timeZone: 'Asia/Jakarta' },
  fr: { locale: 'fr-FR', timeZone: 'Europe/Paris' },
  de: { locale: 'de-DE', timeZone: 'Europe/Berlin' },
  it: { locale: 'it-IT', timeZone: 'Europe/Rome' },
  us: { locale: 'en-US', timeZone: 'America/New_York' },
} as const satisfies Readonly<Record<string, JsonObject>>;

const read = (input: JsonObject, user: keyof typeof users, text: string): string =>
  JSON.stringify(
    readAnswer({ text }, Input.parse(input), { get: (path) => getPath({ $user: users[user] }, path) }, nowMs) ?? '-',
  ).replaceAll('"', '');

it.each<[kind: string, user: keyof typeof users, table: string]>([
  [
    'number',
    'in',
    `४५ → 45 | 5 लाख → 500000 | 2.5 करोड़ → 25000000 | 5 हज़ार → 5000 | 5 हजार रुपये → 5000 | 3 सौ → 300 | 2 lakh → 200000 | 1.5 crore → 15000000
    5 hazaar → 5000 | 5 लाख 20 हज़ार → - | 5 हजार करोड़ → - | साढ़े 5 → 5.5 | sadhe 5 → 5.5 | सवा 5 → 5.25 | 5 दर्जन → - | 5 से ज़्यादा → - | 5 se kam → -
    कम से कम 5 → - | 5 नहीं → - | nahi 5 → - | 5 या 6 → - | 5 लोग → 5 | ५० रुपये → 50`,
  ],
  [
    'number',
    'eg',
    `٥ آلاف → 5000 | 5 الاف → 5000 | ٥ ألف جنيه → 5000 | ٣ مليون → 3000000 | ٢ ونصف → - | نصف ٥ → - | أكثر من ٥ → - | أقل من 5 → - | ٥ على الأقل → -
    ليس 5 → - | مش 5 → - | ٥ دزينة → - | ٥ أو ٦ → - | حوالي ٥ → 5 | ١٠٠ ريال → 100 | ٥ أشخاص → 5`,
  ],
  [
    'number',
    'id',
    `50rb → 50000 | 50 ribu → 50000 | 5 ribu rupiah → 5000 | 1,5 juta → 1500000 | 2jt → 2000000 | 3 miliar → 3000000000 | 5 ratus → 500 | 5 puluh → 50
    5 ribu 500 → - | 20 ribu, eh maaf 30 → - | 5 belas → - | 2 setengah → 2.5 | 5 lusin → - | lebih dari 5 → - | kurang dari 5 → - | kurang lebih 5 → 5
    bukan 5 → - | minimal 5 → - | paling banyak 5 → - | di atas 5 → - | 5 atau lebih → - | sekitar 5 → 5 | 3 orang → 3 | Rp1.200.000,- → 1200000`,
  ],
  [
    'number',
    'us',
    `5 тыс. руб → 5000 | 5万円 → 50000 | 百万 → - | 2億円 → 200000000 | 5만원 → 50000 | 5万5千 → - | 5以上 → - | 5個半 → - | 5 tausend → 5000 | 5 mille → 5000
    2 et demi → - | plus de 5 → - | mehr als 5 → - | meno di 5 → - | больше 5 → - | $45.- → 45 | 2 mío → - | table for 5, non smoking → 5 | 5 mila → - | mi prima del norte, somos 5 → 5
    5 belas flores → 5 | fino a 5 → -`,
  ],
  [
    'time',
    'in',
    `5:30 शाम → 17:30 | शाम 5 बजे → 17:00 | शाम को 5:30 बजे → 17:30 | रात 10:30 → 22:30 | सुबह 9 बजे → 09:00 | 5:30 baje shaam → 17:30 | दोपहर 2 बजे → 14:00
    दोपहर 11 बजे → 11:00 | रात 12 बजे → 00:00 | रात 2 बजे → - | साढ़े 5:00 → - | 5:30 के बाद → - | 5:30 से पहले → - | 5 बजे → - | १५:३० → 15:30`,
  ],
  [
    'time',
    'eg',
    `٥:٣٠ م → 17:30 | ٥:٣٠ مساءً → 17:30 | الساعة ٥ مساء → 17:00 | ٩:٣٠ صباحا → 09:30 | ٩ ليلا → 21:00 | 5:30 العصر → 17:30 | ٣ ظهرا → 15:00
    ٣ بعد الظهر → 15:00 | بعد ٥:٣٠ → - | قبل 5:30 → - | ليس 5:30 → -`,
  ],
  [
    'time',
    'id',
    `jam 5 sore → 17:00 | jam 5:30 sore → 17:30 | 7.30 malam → 19:30 | 9 pagi → 09:00 | 2:30 siang → 14:30 | 11 siang → 11:00 | 12 malam → 00:00 | 9 siang → -
    13:00 pagi → - | setelah 17:00 → - | sebelum 17.00 → - | jam 5 sore atau jam 6 → - | setengah 5 sore → 16:30 | 17.30 WIB → 17:30 | bukan 17.30 → -`,
  ],
  [
    'time',
    'us',
    `下午5:30 → 17:30 | 午後3時半 → 15:30 | 오후 5시 30분 → 17:30 | 晚上9:30 → 21:30 | 5:30 Uhr abends → 17:30 | 6 вечера → 18:00 | 5:30 du soir → 17:30
    halb 5 Uhr → - | 17 Uhr → 17:00 | my throat is sore, 5:30 → 05:30`,
  ],
  [
    'date',
    'in',
    `आज → 2026-11-28 | कल → - | परसों → - | सोमवार → 2026-11-30 | शुक्रवार को → 2026-12-04 | पिछले सोमवार → - | सोमवार नहीं → - | 25 दिसंबर → 2026-12-25
    25 दिसंबर से पहले → - | 25/12 के बाद → -`,
  ],
  [
    'date',
    'eg',
    `غدا → 2026-11-29 | بعد غدا → - | ليس غدا → - | يوم الاثنين → 2026-11-30 | ليس الاثنين → - | الاثنين الماضي → - | ٢٥ ديسمبر → 2026-12-25 | قبل ٢٥ ديسمبر → -`,
  ],
  [
    'date',
    'id',
    `besok → 2026-11-29 | bukan besok → - | tidak bisa besok → - | Senin → 2026-11-30 | bukan Senin → - | Senin lalu → - | minggu depan → -
    setelah 25 Desember → - | 25 Desember → 2026-12-25`,
  ],
  [
    'date',
    'fr',
    `pas demain → - | pas mardi → - | mardi non → - | non, mardi → 2026-12-01 | mardi impossible → - | mardi je ne peux pas → - | mardi ça ne va pas → -
    pas de souci, mardi → 2026-12-01 | mardi ou mercredi → - | entre mardi et jeudi → - | avant mardi → - | à partir de mardi → - | mardi si possible → 2026-12-01 | vous êtes ouverts mardi ? → -
    je vous dis demain → - | mercredi, pas mardi → - | pas mardi, mercredi → -`,
  ],
  [
    'date',
    'de',
    `nicht am Dienstag → - | Dienstag geht nicht → - | Dienstag kann ich nicht → - | kein Dienstag → - | Dienstag oder Mittwoch → - | vor Dienstag → - | ab Dienstag → -
    bis Dienstag → - | ich sage morgen Bescheid → - | Dienstag bitte → 2026-12-01 | nein, Dienstag → 2026-12-01 | zwischen Dienstag und Freitag → - | haben Sie am Dienstag offen? → -`,
  ],
  [
    'date',
    'it',
    `non martedì → - | martedì no → - | martedì non posso → - | no, martedì → 2026-12-01 | martedì o mercoledì → - | prima di martedì → - | da martedì → -
    entro martedì → - | martedì per favore → 2026-12-01 | siete aperti martedì? → - | ti dico domani → -`,
  ],
  [
    'date',
    'id',
    `besok tidak bisa → - | jangan besok → - | besok atau lusa → - | besok ya → 2026-11-29 | sebelum Selasa → - | mulai Selasa → - | besok saya kabari → -
    apakah buka besok? → -`,
  ],
  ['date', 'in', `कल नहीं → - | मंगलवार को नहीं → - | मंगलवार या बुधवार → - | मंगलवार को → 2026-12-01`],
  ['date', 'eg', `ليس غدا → - | مش بكرة → - | غدا لا → - | غدا او بعد غد → - | قبل الثلاثاء → - | غدا ان شاء الله → 2026-11-29`],
  [
    'time',
    'fr',
    `9h moins le quart → 08:45 | 9 heures moins dix → - | 17h non → - | pas 17h → - | 17h ou 18h → - | avant 17h → - | dès 17h → -
    jusqu'à 17h → - | 17h pile → 17:00 | 17h ça marche → 17:00 | 17h je ne peux pas → -`,
  ],
  [
    'time',
    'de',
    `17 Uhr geht nicht → - | nicht 17 Uhr → - | 17 oder 18 Uhr → - | ab 17 Uhr → - | vor 17 Uhr → - | bis 17 Uhr → - | 17 Uhr passt → 17:00`,
  ],
  [
    'time',
    'it',
    `alle 17 no → - | non alle 17 → - | 17 o 18 → - | dalle 17 → - | prima delle 17 → - | entro le 17 → - | alle 17 va bene → 17:00`,
  ],
  [
    'number',
    'fr',
    `pas plus de 5 → - | 5 ou 6 → - | 5 personnes et un bébé → - | nous sommes 5 → 5 | on est 5 → 5 | nous serons 5 → 5 | aucun → 0
    moins 5 → - | 5 non → - | pas 5 mais 6 → -`,
  ],
  [
    'number',
    'de',
    `nicht 5 → - | 5 oder 6 → - | wir sind 5 → 5 | zu fünft → 5 | keine → 0 | 5 Personen und ein Baby → - | höchstens 5 → -`,
  ],
  ['number', 'it', `non 5 → - | 5 o 6 → - | siamo in 5 → 5 | siamo 5 → 5 | nessuno → 0 | al massimo 5 → - | 5 persone e un bambino → -`],
  ['number', 'id', `5 atau 6 → - | kami berlima → 5 | 5 orang → 5 | kami 5 orang → 5 | tidak ada → 0 | 5 orang dan 1 bayi → -`],
  ['number', 'in', `5 या 6 → - | हम 5 लोग हैं → 5 | 5 नहीं → - | 5 नहीं 6 → -`],
  ['number', 'eg', `نحن 5 → 5 | 5 اشخاص → 5 | 5 او 6 → - | ليس 5 → -`],
])('a %s that somebody writes with the locale of %s', (kind, user, table) => {
  const rows = table.split(/\n| \| /).map((row) => row.split('→').map((part) => part.trim()));
  expect(rows.map(([text = '']) => [text, read({ kind }, user, text)])).toEqual(rows);
});

it('a day whose name is that of another one as well is the one that the question can mean', () => {
  expect(read({ kind: 'date', min: '2026-11-28' }, 'in', 'कल')).toBe('2026-11-29');
  expect(read({ kind: 'date', max: '2026-11-28' }, 'in', 'कल')).toBe('2026-11-27');
  expect(read({ kind: 'date', min: '2026-11-28' }, 'in', 'परसों')).toBe('2026-11-30');
});

it('a number with a scale is so many of it, and with one of two none', () => {
  const scales = fc.constantFrom(
    ['लाख', 1e5],
    ['ribu', 1e3],
    ['juta', 1e6],
    ['ألف', 1e3],
    ['مليون', 1e6],
    ['млн', 1e6],
    ['万', 1e4],
    ['만', 1e4],
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999 }), scales, fc.constantFrom('', ' '), scales, (count, [name, factor], blank, [other]) => {
      expect(read({ kind: 'number' }, 'us', `${count}${blank}${name}`)).toBe(String(count * Number(factor)));
      expect(read({ kind: 'number' }, 'us', `${count}${blank}${name} ${other}`)).toBe('-');
    }),
  );
});
