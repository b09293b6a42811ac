/**
 * What people really write in place of a value: typing and listening errors, courtesies, corrections, and values beside words that say another
 * one. A wrong value is worst, so that what may be either is none (`undefined`, written `-`).
 */
import { getPath, type Json, type JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { Input, readAnswer } from '../../ask/input.ts';

/** A Saturday. */
const nowMs = Date.UTC(2026, 10, 28, 12);
const mexico = { locale: 'es-MX', timeZone: 'America/Mexico_City' };
const brazil = { locale: 'pt-BR', timeZone: 'America/Sao_Paulo' };
const america = { locale: 'en-US', timeZone: 'America/New_York' };

const read = (input: JsonObject, text: string, user: JsonObject): Json | undefined => readAs(Input.parse(input), text, user);

const readAs = (input: Input, text: string, user: JsonObject): Json | undefined =>
  readAnswer({ text }, input, { get: (path) => getPath({ $user: user }, path) }, nowMs);

/** Lines `answer → value`, of which those with `-` are no answer; what differs from them. */
function differences(kind: string, user: JsonObject, table: string): readonly string[] {
  const lines = table
    .split('\n')
    .flatMap((line) => line.split(' | '))
    .filter((line) => line.trim() !== '');
  const input = Input.parse({ kind });
  return lines.flatMap((line) => {
    const [text = '', wanted = ''] = line.split('→').map((part) => part.trim());
    const value = (JSON.stringify(readAs(input, text, user)) ?? '-').replaceAll('"', '');
    return value === wanted ? [] : [`${text} → ${value}, not ${wanted}`];
  });
}

describe('numbers that people write', () => {
  it('in Spanish', () => {
    expect(
      differences(
        'number',
        mexico,
        `⭐⭐⭐⭐ → 4 | ⭐️⭐️⭐️ → 3 | ★★★☆☆ → 3 | 🌟🌟🌟🌟🌟 → 5 | ⭐ → 1 | 4 ⭐⭐⭐⭐ → 4 | ⭐⭐⭐ bien → - | ☆☆☆ → - | 😀😀😀 → - | treinta y → - | 30 y... → - | 5 a → - | 20 pesos con → - | 20 y gracias → 20 | tengo 34 añitos → 34 | 34 😊 → 34 | 👉 34 → 34 | son 3 personas, gracias → 3 | somos cuatro → 4 | no, mejor 5 → 5 | perdón, son 5 → 5
        4 personas y un bebé → - | 2 adultos y 2 niños → - | tengo 34 y mi esposa 30 → - | 34 años y 6 meses → - | quiero 5 tacos y 2 refrescos → -
        5, no 4 → 5 | no 4, 5 → 5 | no 4 sino 5 → 5 | 4... digo 5 → 5 | 4 perdón 5 → 5 | 5 no, 6 → 6 | son 4, corrijo: 5 → 5 | ya no 5, ahora 3 → 3
        eran 4 pero ahora son 5 → 5 | 20 mil, no, 30 → - | 20 mil, no, 30 mil → 30000 | 2 mejor que 3 → - | 5, no hay problema → 5 | 5 no 6 → -
        ni 5 → - | no son 5 → - | no quiero 5 → - | 5 no → - | 5 tampoco → - | No 5 → 5 | no más 5 → 5 | sí, 5 → 5 | 5 ni uno más → 5
        20 más o menos → 20 | casi 20 → 20 | 20 y tantos → - | treinta y pico → - | máximo 20 → - | over 5 → - | 10 a 20 → -
        20 lucas → - | 50 palos → - | 1.5k → 1500 | $1,500.00 → 1500 | 15 con 50 → -
        trecientos cincuenta → 350 | dosientos → 200 | beinte → 20 | dieziseis → 16 | treintaicinco → 35 | sincuenta y cinco → 55 | fulcientos 5 → -
        2x → 2 | x2 → 2 | 3B → - | 500g → 500 | 50 m² → 50 | 100 mts2 → 100 | 2² → - | x² → - | 1️⃣0️⃣ → 10 | 🔟 → 10
        1 kilo y medio → 1.5 | 2 años y medio → 2.5 | año y medio → 1.5 | 4 cervezas y media pizza → - | una sola → 1 | una, por favor → 1 | mil gracias → -
        mil 200 → 1200 | son dos mil 500 → 2500 | 2 mil 500 → 2500 | uno o dos → - | 5 más → - | otros 5 → - | 5 nada más → 5 | 7 (siete) → 7 | 7, siete → 7 | 1.70m → 1.7 | el uno → 1
        un favor → - | 5 y 6 → - | 12/05 → - | 1..5 → - | 007 → 7 | 123456789012345 → 123456789012345 | 1234567890123456 → - | 5e3 → - | 1_000 → -`,
      ),
    ).toEqual([]);
  });

  it('in Portuguese and English', () => {
    expect(
      differences(
        'number',
        brazil,
        `tenho 34 anos → 34 | mil e duzentos → 1200 | R$ 1.500,00 → 1500 | uns 20 → 20 | somos em 4 → 4 | 5 e não 4 → 5 | aliás 5 → 5 | 4, aliás 5 → 5
        4 pessoas e uma criança → - | não quero 5 → - | mais de 10 → - | mais ou menos 20 → 20 | cincoenta → 50 | meia dúzia → - | 2 e 50 → -`,
      ),
    ).toEqual([]);
    expect(
      differences(
        'number',
        america,
        `I'm 34 → 34 | 34yrs → 34 | 20 grand → 20000 | 20 bucks → 20 | not 4, 5 → 5 | 5 not 4 → 5 | 4, no wait, 5 → 5 | 4 actually 5 → 5 | make it 6 → 6
        one please → 1 | no one → - | one more → - | 2 and another → - | under 5 → - | up to 5 → - | 5 instead of 4 → 5 | ninty → 90 | 20ish → 20
        I don't want 5 → - | 5G → - | A1 → - | 24/7 → - | twelfth → -`,
      ),
    ).toEqual([]);
  });
});

describe('days that people write', () => {
  it('in Spanish', () => {
    expect(
      differences(
        'date',
        mexico,
        `mñana → 2026-11-29 | el biernes → 2026-12-04 | juevez → 2026-12-03 | 1 de disiembre → 2026-12-01 | 1ero de diciembre → 2026-12-01 | el 1ro → 2026-12-01
        no, el martes mejor → 2026-12-01 | no, mejor el martes → 2026-12-01 | no el martes mejor → 2026-12-01 | el lunes no, el martes → 2026-12-01
        el lunes no puedo, mejor el martes → 2026-12-01 | el lunes, digo el martes → 2026-12-01 | lunes perdón martes → 2026-12-01 | lunes... no, martes → 2026-12-01
        no el lunes sino el martes → 2026-12-01 | el martes, no el lunes → 2026-12-01 | el martes en vez del lunes → 2026-12-01 | hoy no, mañana → 2026-11-29
        no puedo el lunes, el martes sí → 2026-12-01 | no puedo lunes, martes → - | lunes no martes → - | el 5, no el 6 → 2026-12-05 | no el 5, el 6 → 2026-12-06
        el 5 de mayo no, el 6 → - | el 5 de mayo no, el 6 de mayo → 2027-05-06 | el 5, perdón, el 6 → 2026-12-06 | el martes, no hay problema → 2026-12-01
        que no sea el martes → - | el martes ya no → - | nunca los martes → - | los martes → - | cada martes → - | un martes → - | ni el martes → - | el martes tampoco → -
        no se puede hoy? → - | podría ser el martes? → 2026-12-01 | por qué no el martes → 2026-12-01 | hasta mañana → - | mañana o pasado → -
        mañana lunes → - | mañana domingo → 2026-11-29 | martes mañana → - | martes 30 de noviembre → - | hoy sábado → 2026-11-28 | este sábado → 2026-11-28
        1 de diciembre del próximo año → 2027-12-01 | 25/12 del año que viene → 2027-12-25 | 5 de mayo de este año → 2026-05-05 | 5 de mayo del año pasado → 2025-05-05
        en unos 3 días → 2026-12-01 | en 1 mes y 3 días → - | en una semana y media → - | hace 2 años → 2024-11-28 | esta noche → 2026-11-28
        el 24 en la noche → 2026-12-24 | el 5 a las 4 → 2026-12-05 | el 5 para 4 personas → 2026-12-05 | a más tardar el 5 → - | el 5 6 → - | el 5 del mes entrante → 2026-12-05
        mañana 30 → - | mañana 29 → 2026-11-29 | hoy 28 de nov → 2026-11-28 | martes de la otra semana → - | de mañana en ocho → -
        viernes santo → - | domingo de pascua → - | día de reyes → 2027-01-06 | hola buenas noches para el 5 de mayo gracias → 2027-05-05 | antes de mayo 5 → -`,
      ),
    ).toEqual([]);
    expect(read({ kind: 'date', strict: true }, 'el lunes no, el martes', mexico)).toBeUndefined();
    expect(read({ kind: 'date', strict: true }, 'el 5 a las 4', mexico)).toBeUndefined();
  });

  it('in Portuguese and English', () => {
    expect(
      differences(
        'date',
        brazil,
        `3ª feira → 2026-12-01 | 5 dez → 2026-12-05 | daqui 3 dias → 2026-12-01 | segunda não, terça → 2026-12-01 | segunda, aliás terça → 2026-12-01
        segunda não posso, terça sim → 2026-12-01 | terça em vez de segunda → 2026-12-01 | segunda não dá → - | exceto segunda → - | todas as segundas → -
        quinta vez → - | a segunda opção → - | minha segunda filha → - | na segunda de manhã → 2026-11-30 | hoje à noite → 2026-11-28 | até amanhã → -`,
      ),
    ).toEqual([]);
    expect(
      differences(
        'date',
        america,
        `weds → 2026-12-02 | december fifth → 2026-12-05 | the fifth of december → 2026-12-05 | this saturday → 2026-11-28 | may 5 next year → 2027-05-05
        not today, tomorrow → 2026-11-29 | monday, no wait, tuesday → 2026-12-01 | monday... actually tuesday → 2026-12-01 | tuesday instead of monday → 2026-12-01
        tuesday, not monday → 2026-12-01 | I can't monday but tuesday is ok → 2026-12-01 | monday doesn't work → - | every monday → - | good friday → -
        dec 5 - dec 6 → - | before dec 5 → - | after may 5 → - | tomorrow monday → - | monday or later → -`,
      ),
    ).toEqual([]);
  });
});

it('times that people write', () => {
  expect(
    differences(
      'time',
      mexico,
      `12 m → 12:00 | 12m → 12:00 | quince treinta → 15:30 | 15 30 → 15:30 | 10 11 → - | una de la tarde → 13:00 | 3pm perdón 4pm → 16:00 | 4pm en vez de 3pm → 16:00
      a las 3pm no, a las 4pm → 16:00 | 4pm, no 3pm → 16:00 | 3pm no puedo, 4pm sí → 16:00 | no a las 3 pm sino a las 4 pm → 16:00 | 5:30 pm perdón 6:30 → -
      en 2 horas → - | hace 1 hora → - | 2 horas → - | 15 horas → 15:00 | las 9 horas → 09:00 | pasadas las 3pm → - | 3pm o más tarde → - | desde las 3pm → -
      11 am o pm? → - | $10.30 → - | S/ 10.30 → - | 10.30 soles → - | buenos días 4pm → 16:00 | buenas tardes a las 3 → -`,
    ),
  ).toEqual([]);
  expect(
    differences(
      'time',
      brazil,
      `10 pras 4 da tarde → 15:50 | meio dia e meia → 12:30 | uma da tarde → 13:00 | 15h não, 16h → 16:00 | 15h, aliás 16h → 16:00 | 9 horas da manhã → 09:00 | daqui a 2 horas → -`,
    ),
  ).toEqual([]);
  expect(
    differences(
      'time',
      america,
      `three-thirty pm → 15:30 | 10-11 pm → - | 3ish pm → 15:00 | 12 noon → 12:00 | 12 midnight → 00:00 | 3 hours → - | in 2 hours → - | 2 hours ago → -
      not 3pm, 4pm → 16:00 | 3 pm wait no 4 pm → 16:00 | 4pm not 3pm → 16:00 | 3pm doesn't work → - | 3pm or later → -`,
    ),
  ).toEqual([]);
});

it('phone numbers and e-mail addresses that people write', () => {
  expect(
    differences(
      'phone',
      mexico,
      `Mi número es el 5512345678 gracias → 525512345678 | tel.5512345678 → 525512345678 | 5512345678 ext. 123 → 525512345678 | 55 1234 5678 a las 15:30 → 525512345678
      5512345678 (casa) → 525512345678 | 5512345678 no, 5512345679 → 525512345679 | 5512345678 o 5512345679 → - | abc5512345678 → - | pedido 5512345678 → -`,
    ),
  ).toEqual([]);
  expect(differences('phone', brazil, 'zap 11912345678 → 5511912345678 | 91234-5678 → - | CPF 123.456.789-09 → -')).toEqual([]);
  // An extension, or the end of another number, behind a number that is whole.
  const ends = '5512345678 / 79 → - | 5512345678/79 → - | 55 1234 5678-79 → - | 55 1234 5678 (79) → - | 5512345678 y 79 → 525512345678';
  expect(differences('phone', mexico, ends)).toEqual([]);
  const others =
    '987 654 321 / 322 → - | 987654321 322 → - | 987654321 - 322 → - | 57 300 123 4567 → 573001234567 | 44 7911 123456 → 447911123456';
  expect(differences('phone', { locale: 'es-PE' }, others)).toEqual([]);
  expect(differences('phone', { locale: 'es-PE' }, 'DNI 12345678 → - | ruc: 20123456789 → - | cel 987654321 → 51987654321')).toEqual([]);
  expect(
    differences(
      'email',
      mexico,
      `_ana@gmail.com → _ana@gmail.com | _ana@gmail.com_ → ana@gmail.com | 😀ana@x.pe → ana@x.pe | ¿ana@x.pe? → ana@x.pe | ana (arroba) gmail (punto) com → ana@gmail.com
      ana guion bajo lopez arroba gmail punto com → ana_lopez@gmail.com | ana punto lopez arroba gmail punto com → ana.lopez@gmail.com
      ana@gmail.com, perdón Ana@hotmail.com → Ana@hotmail.com | ana@gmail.com no, ana@x.pe → ana@x.pe | ana@gmail.com y bob@gmail.com → -`,
    ),
  ).toEqual([]);
});
