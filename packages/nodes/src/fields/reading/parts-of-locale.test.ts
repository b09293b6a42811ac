/**
 * Times, numbers and days with a part of one as people of France, Germany, Italy, Indonesia and India say them, and what is beside them: the
 * value, or none (`-`) where it is in doubt. "9h et quart" is not 9:00, "alle 5 meno un quarto" not 5:00, "2 minggu lagi" no Sunday.
 */
import { getPath } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { Input, readAnswer } from '../../ask/input.ts';

/** A Saturday. */
const nowMs = Date.UTC(2026, 10, 28, 15);
const zones = {
  'de-DE': 'Europe/Berlin',
  'fr-FR': 'Europe/Paris',
  'it-IT': 'Europe/Rome',
  'id-ID': 'Asia/Jakarta',
  'hi-IN': 'Asia/Kolkata',
  'en-IN': 'Asia/Kolkata',
  'en-US': 'America/New_York',
  'es-PE': 'America/Lima',
  'es-ES': 'Europe/Madrid',
} as const;

it.each<[kind: string, locale: keyof typeof zones, table: string]>([
  [
    'time',
    'de-DE',
    `halb sechs abends → 17:30 | halb 6 abends → 17:30 | um halb sechs abends bitte → 17:30 | so gegen halb sechs abends → 17:30 | halb sechs → -
      halb eins mittags → 12:30 | halb eins nachts → 00:30 | fünf vor halb acht abends → 19:25 | fünf nach halb acht abends → 19:35
      viertel nach 5 nachmittags → 17:15 | viertel vor 5 nachmittags → 16:45 | dreiviertel acht abends → 19:45 | zehn vor acht abends → 19:50
      acht Uhr → 08:00 | acht Uhr abends → 20:00 | viertel vor 20 Uhr → 19:45 | halb sechs oder halb sieben → - | nach halb sechs abends → -
      vor halb sechs → - | kurz vor halb acht → - | nicht halb sechs abends → - | viertel fünf nachmittags → - | ab halb sechs → -`,
  ],
  [
    'time',
    'fr-FR',
    `9h et quart → 09:15 | 9h moins le quart → 08:45 | 17h et demie → 17:30 | cinq heures et demie → - | cinq heures et demie du soir → 17:30
      cinq heures moins dix du soir → 16:50 | dix-sept heures et quart → 17:15 | midi et demi → 12:30 | midi moins le quart → 11:45
      minuit et demi → 00:30 | après 9h et quart → - | pas 9h et quart → - | 9h et quart ou 10h → - | cet après-midi → -`,
  ],
  [
    'time',
    'it-IT',
    `alle cinque e mezza di sera → 17:30 | alle 9 e un quarto del mattino → 09:15 | alle 9 e tre quarti del mattino → 09:45
      alle 5 meno un quarto del pomeriggio → 16:45 | alle 5 e venti del pomeriggio → 17:20 | le 17 e 30 → 17:30 | mezzogiorno e mezza → 12:30
      alle 5 e mezza → - | alle 2 e 3 → - | dopo le 5 e mezza → -`,
  ],
  [
    'time',
    'id-ID',
    `jam setengah 4 sore → 15:30 | setengah lima sore → 16:30 | jam 3 lewat 15 sore → 15:15 | jam 5 kurang seperempat sore → 16:45
      tengah malam → 00:00 | jam setengah lima → - | setelah setengah lima sore → -`,
  ],
  [
    'time',
    'hi-IN',
    `शाम साढ़े 5 बजे → 17:30 | सुबह साढ़े नौ बजे → 09:30 | सवा नौ बजे सुबह → 09:15 | पौने नौ बजे सुबह → 08:45 | साढ़े पाँच बजे → - | साढ़े पाँच बजे के बाद → -`,
  ],
  ['time', 'en-IN', `evening 5 → 17:00 | morning 10 → 10:00 | 5 o clock evening → 17:00 | good morning, 5 → - | evening 5 or 6 → -`],
  [
    'time',
    'en-US',
    `7pm eastern → 19:00 | 7pm pacific → - | 7pm central time → - | 9 tomorrow morning → 09:00 | noon-ish → - | aftr 3pm → - | b4 3pm → -`,
  ],
  [
    'time',
    'es-PE',
    `3pm de españa → - | 3pm hora peruana → 15:00 | 3pm hora colombiana → 15:00 | 3pm hora mexicana → - | 3pm de la tarde → 15:00 | dsp de las 3pm → -`,
  ],
  [
    'number',
    'de-DE',
    `dreieinhalb → 3.5 | eineinhalb Stunden → 1.5 | wir kommen zu fünft → 5 | halb → - | zu wenig → - | zu viert oder fünft → -`,
  ],
  ['number', 'fr-FR', `2 et demi → 2.5 | pas deux et demi → - | rue 10 → -`],
  ['number', 'it-IT', `due e mezzo → 2.5 | due e tre → - | non due e mezzo → -`],
  ['number', 'id-ID', `dua setengah → 2.5 | kami bertiga → 3 | setengah → -`],
  ['number', 'hi-IN', `ढाई → 2.5 | साढ़े तीन लाख → 350000 | ढाई हज़ार → 2500 | पौने दो → 1.75 | आधा → -`],
  ['number', 'en-IN', `two lakh fifty thousand → 250000 | 2 lakhs 50000 → 250000 | 2 lakh 50 → - | 1 cr 20 lakh → -`],
  ['number', 'es-ES', `12'50 → 12.5 | 12'50 € → 12.5 | 5'30'' → -`],
  [
    'number',
    'es-PE',
    `iphone 15 → - | el samsung s24 → - | calle 10 → - | windows 11 → - | 15 iphones → 15 | talla 38 → 38 | mesa 5 → 5 | pedido 4521 → 4521`,
  ],
  [
    'date',
    'fr-FR',
    `le 5 → 2026-12-05 | ce soir → 2026-11-28 | apres demain → 2026-11-30 | noël → 2026-12-25 | pas ce soir → - | après le 5 → -`,
  ],
  ['date', 'de-DE', `am 5. → 2026-12-05 | am 5.12. → 2026-12-05 | uebermorgen → 2026-11-30 | Heiligabend → 2026-12-24 | bis zum 5. → -`],
  ['date', 'it-IT', `il 5 → 2026-12-05 | il primo dicembre → 2026-12-01 | stasera → 2026-11-28 | capodanno → 2027-01-01 | entro il 5 → -`],
  [
    'date',
    'id-ID',
    `tanggal 5 → 2026-12-05 | 3 hari lagi → 2026-12-01 | 2 minggu lagi → 2026-12-12 | minggu → 2026-11-29 | nanti malam → 2026-11-28 | sebelum tanggal 5 → -`,
  ],
  [
    'date',
    'en-US',
    `may 5th nineteen ninety → 1990-05-05 | may fifth, nineteen ninety-five → 1995-05-05 | dec 5 twenty people → 2026-12-05 | b4 friday → -
      aftr friday → - | last night → 2026-11-27 | 2day → 2026-11-28`,
  ],
  [
    'date',
    'es-PE',
    `1°/01/27 → 2027-01-01 | ante ayer → 2026-11-26 | dsp del lunes → - | desp de mañana → - | anoche → 2026-11-27 | el 5-12 → 2026-12-05
      5 de dicimbre → 2026-12-05 | 5 de nobiembre → 2027-11-05 | 5 de agoto → 2027-08-05 | 3 noviembres → - | 5 mayores → -`,
  ],
  [
    'time',
    'de-DE',
    `zwischen 3 und 4 Uhr → - | zwischen 15 und 16 Uhr → - | spätestens 17 Uhr → - | frühestens um 17 Uhr → - | bis spätestens 17 Uhr → -
      15 bis 16 Uhr → - | nicht später als 15 Uhr → - | 15 Uhr oder später → - | um 17 Uhr → 17:00`,
  ],
  ['time', 'fr-FR', `15h-16h → - | de 15h à 16h → - | 17h ou plus tard → - | au plus tôt 17h → - | 17h → 17:00`],
  ['time', 'it-IT', `dalle 15 alle 16 → - | al più tardi alle 17 → - | le 17 o più tardi → - | non oltre le 17 → - | alle 17 → 17:00`],
  ['time', 'id-ID', `jam 5 sore ke atas → - | dari jam 3 sore → - | jam 3 sampai 4 sore → - | jam 5 sore → 17:00`],
  ['date', 'de-DE', `jeden Montag → - | spätestens Montag → - | zwischen Montag und Mittwoch → - | diesen Montag → 2026-11-30`],
  ['date', 'fr-FR', `chaque lundi → - | tous les lundis → - | lundi prochain → 2026-11-30`],
  [
    'date',
    'it-IT',
    `ogni lunedì → - | tutti i lunedì → - | il lunedì → - | fino a lunedì → - | al più tardi lunedì → - | lunedì → 2026-11-30 | il lunedì prossimo → 2026-11-30`,
  ],
  ['date', 'id-ID', `setiap senin → - | tiap senin → - | senin → 2026-11-30`],
  ['number', 'de-DE', `über 3 → - | unter drei → - | fast 3 → 3`],
  ['number', 'it-IT', `massimo 3 → - | da 3 in su → - | oltre 3 → - | 3 → 3`],
  ['number', 'id-ID', `3 ke atas → - | 3 → 3`],
  ['phone', 'en-IN', `my no is 9876543210 → 919876543210 | mobile no. 9876543210 → 919876543210`],
])('a %s, in %s', (kind, locale, table) => {
  const input = Input.parse({ kind });
  const rows = table.split(/\n| \| /).map((row) => row.split('→').map((part) => part.trim()));
  const user = { locale, timeZone: zones[locale] };
  const read = (text: string): string =>
    (JSON.stringify(readAnswer({ text }, input, { get: (path) => getPath({ $user: user }, path) }, nowMs)) ?? '-').replaceAll('"', '');
  expect(rows.map(([text = '']) => [text, read(text)])).toEqual(rows);
});
