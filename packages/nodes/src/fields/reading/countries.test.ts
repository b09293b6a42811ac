/**
 * Answers whose words mean something by the country or the language of their writer: amounts, days, and addresses as they are said. What has no
 * one meaning there is none (`-`).
 */
import { getPath, type JsonObject } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { Input, readAnswer } from '../../ask/input.ts';

/** A Saturday. */
const nowMs = Date.UTC(2026, 10, 28, 12);
const zones: { readonly [locale: string]: string } = {
  'es-AR': 'America/Argentina/Buenos_Aires',
  'es-CL': 'America/Santiago',
  'es-PE': 'America/Lima',
  'pt-BR': 'America/Sao_Paulo',
};

it.each<[kind: string, locale: string, table: string]>([
  [
    'number',
    'es-AR',
    `veinte lucas → 20000 | 20 lucas → 20000 | 20lucas → 20000 | una luca → 1000 | luca y media → 1500 | 3 lucas y media → 3500 | media luca → 500 | dos palos → 2000000
      1,5 palos → 1500000 | un palo → 1000000 | palo y medio → 1500000 | medio palo → 500000 | 3 palos y medio → 3500000 | una gamba → 100 | 2 gambas → 200
      son 20 lucas che → 20000 | un palo verde → - | dos palos verdes → - | un palo de golf → - | el palo → - | 2 o 3 lucas → - | más de 20 lucas → - | 20 y pico → -
      20 y cacho → - | 20 y tantas → - | un millón doscientos → - | un millón doscientos mil → 1200000 | dos millones quinientos cincuenta mil → 2550000`,
  ],
  ['number', 'es-CL', `10 luquitas → 10000 | quince lucas → 15000 | 5 palos → 5000000 | 2 gambas → 200`],
  ['number', 'es-CO', `20 lucas → 20000 | 2 palos → 2000000 | 2 gambas → -`],
  [
    'number',
    'es-PE',
    `20 lucas → 20 | veinte luquitas → 20 | 2 palos → 2000000 | 2 gambas → - | 1 dólar con 20 → 1.2 | un sol con veinte → 1.2`,
  ],
  [
    'number',
    'es-MX',
    `20 lucas → - | 2 palos → - | un peso con veinte → 1.2 | un peso con veinte centavos → 1.2 | 20 pesos con 5 centavos → 20.05`,
  ],
  ['number', 'es', `20 lucas → - | un palo → - | un euro con cincuenta → 1.5`],
  [
    'number',
    'pt-BR',
    `umas 20 e poucas → - | um milhão e duzentos → - | um milhão e duzentos mil → 1200000 | um real e cinquenta centavos → 1.5`,
  ],
  ['number', 'en-IN', `2 cr → 20000000 | 1.5 cr → 15000000 | 2 crs → 20000000 | 5 lacs → 500000`],
  ['number', 'en-US', `May 5 → - | December 5 → - | Dec 5 → - | we are 5 → 5 | in May we were 5 → 5`],
  ['number', 'es-MX', `mayo 5 → - | el 5 de mayo → - | marzo 20 → -`],
  ['number', 'fr-FR', `20 et quelques → - | 20 lucas → -`],
  ['number', 'ar-EG', `ألف ونص → - | ٢٠ → 20`],
  [
    'date',
    'es-MX',
    `último día del mes → 2026-11-30 | el último día de este mes → 2026-11-30 | fin de mes → - | hoy en 8 → - | mañana en 8 → -`,
  ],
  ['date', 'en-US', `last day of the month → 2026-11-30 | end of the month → - | 2moro → 2026-11-29 | in an hour → -`],
  ['date', 'pt-BR', `último dia do mês → 2026-11-30 | fim do mês → -`],
  [
    'date',
    'fr-FR',
    `après-demain → 2026-11-30 | avant-hier → 2026-11-26 | dans 3 jours → 2026-12-01 | dans une semaine → 2026-12-05 | il y a 2 jours → 2026-11-26
      dans deux mois → 2027-01-28 | dans un an → 2027-11-28 | un jour → - | après demain → 2026-11-30 | avant le 5 → -`,
  ],
  [
    'date',
    'de-DE',
    `3. Dez → 2026-12-03 | 3. Dez. → 2026-12-03 | in einer Woche → 2026-12-05 | in 3 Tagen → 2026-12-01 | in drei Wochen → 2026-12-19 | vor zwei Tagen → 2026-11-26 | in einem Monat → 2026-12-28
      vor dem 5. → - | Guten Tag → -`,
  ],
  [
    'date',
    'it-IT',
    `fra 3 giorni → 2026-12-01 | tra due settimane → 2026-12-12 | 2 giorni fa → 2026-11-26 | fra un mese → 2026-12-28 | l'altro ieri → 2026-11-26
      buon giorno → - | 12 settembre → 2027-09-12`,
  ],
  ['date', 'ar-EG', `بعد غد → 2026-11-30 | بعد الغد → 2026-11-30 | بكرة → 2026-11-29 | بعد 5 مايو → -`],
  ['time', 'fr-FR', `midi → 12:00 | minuit → 00:00 | midi et demi → 12:30 | avant midi → - | cet après-midi → - | vers 17h → 17:00`],
  ['time', 'de-DE', `um 17 → 17:00 | gegen 17 Uhr → 17:00 | Mitternacht → 00:00 | nach 17 Uhr → - | halb sechs → -`],
  [
    'time',
    'it-IT',
    `alle 17 → 17:00 | verso le 17 → 17:00 | ore 17 → 17:00 | alle 5 → - | mezzogiorno → 12:00 | mezzanotte → 00:00 | dopo le 17 → -`,
  ],
  ['time', 'pt-BR', `um minuto → - | às 17 → 17:00`],
  [
    'email',
    'es-MX',
    `anaperez 85 arroba example punto com → anaperez85@example.com | mi correo es ana 85 arroba example punto com → ana85@example.com
      ana, punto, perez arroba example punto com → ana.perez@example.com | ana perez 85 arroba example punto com → -
      a n a arroba example punto com → ana@example.com`,
  ],
  ['email', 'en-US', `a n a at example dot com → ana@example.com | ana smith at example dot com → -`],
  ['email', 'fr-FR', `ana arobase example point fr → ana@example.fr | ana point dupont arobase example point fr → ana.dupont@example.fr`],
  [
    'email',
    'de-DE',
    `ana punkt maier at example punkt de → ana.maier@example.de | ana unterstrich maier at example punkt de → ana_maier@example.de`,
  ],
  ['email', 'it-IT', `ana chiocciola example punto com → ana@example.com`],
])('a %s of %s', (kind, locale, table) => {
  const user: JsonObject = { locale, timeZone: zones[locale] ?? 'UTC' };
  const input = Input.parse({ kind });
  const differences = table.split(/\n| \| /).flatMap((row) => {
    const [text = '', wanted = ''] = row.split('→').map((part) => part.trim());
    const value = readAnswer({ text }, input, { get: (path) => getPath({ $user: user }, path) }, nowMs);
    const read = (JSON.stringify(value) ?? '-').replaceAll('"', '');
    return read === wanted ? [] : [`${text} → ${read}, not ${wanted}`];
  });
  expect(differences).toEqual([]);
});

it.each<[zone: string, written: string, number: string]>([
  ['Asia/Kolkata', '98765 43210', '919876543210'],
  ['Asia/Calcutta', '98765 43210', '919876543210'],
  ['Asia/Ho_Chi_Minh', '0912 345 678', '84912345678'],
  ['Europe/Kyiv', '050 123 4567', '380501234567'],
  ['Asia/Kathmandu', '984 1234567', '9779841234567'],
  ['America/Argentina/Cordoba', '351 555 1234', '543515551234'],
  ['America/Indiana/Indianapolis', '317 555 1234', '13175551234'],
  ['US/Eastern', '212 555 1234', '12125551234'],
  ['Mexico/General', '55 1234 5678', '525512345678'],
  ['Chile/Continental', '9 6123 4567', '56961234567'],
])('a number without its country is of the zone %s, by whichever of its names', (timeZone, written, number) => {
  const variables = { get: (path: readonly (string | number)[]) => getPath({ $user: { timeZone } }, path) };
  expect(readAnswer({ text: written }, Input.parse({ kind: 'phone' }), variables)).toBe(number);
});
