/**
 * Bounds that people write where a value is asked for, in English, Spanish and Portuguese: "by friday", "a partir de las 3pm", "no mínimo 3". A bound
 * is no value (`-`), the question is asked again. And answers that look like one and name their value: "friday after 5pm" is Friday.
 */
import { getPath, type JsonObject } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { Input, readAnswer } from '../../ask/input.ts';

/** A Saturday. */
const nowMs = Date.UTC(2026, 10, 28, 18);
const users = {
  es: { locale: 'es-PE', timeZone: 'America/Lima' },
  mx: { locale: 'es-MX', timeZone: 'America/Mexico_City' },
  pt: { locale: 'pt-BR', timeZone: 'America/Sao_Paulo' },
  en: { locale: 'en-US', timeZone: 'America/New_York' },
} as const satisfies Readonly<Record<string, JsonObject>>;

const read = (kind: string, text: string, user: keyof typeof users): string => {
  const value = readAnswer({ text }, Input.parse({ kind }), { get: (path) => getPath({ $user: users[user] }, path) }, nowMs);
  return (JSON.stringify(value) ?? '-').replaceAll('"', '');
};

it.each<[kind: string, user: keyof typeof users, table: string]>([
  [
    'date',
    'en',
    `by friday → - | by Friday please → - | until friday → - | till monday → - | no later than friday → - | not later than the 5th → -
    friday at the latest → - | on friday at the earliest → - | before friday → - | after the 5th → - | from monday → - | from monday on → -
    from monday onwards → - | starting monday → - | starting on the 5th of december → - | beginning december 5 → - | as of december 5 → -
    as early as monday → - | friday or before → - | friday or earlier → - | friday or sooner → - | any day before friday → -
    any time after monday → - | not before friday → - | no sooner than friday → - | up to december 5 → - | through friday → -
    monday through friday → - | from monday to friday → - | from the 5th to the 10th → - | between the 5th and the 10th → -
    between dec 5 and dec 10 → - | by tomorrow → - | by the 5th → - | by december 5 → - | by 12/24 → - | since monday → -
    within friday → - | prior to friday → - | latest friday → - | earliest monday → -`,
  ],
  [
    'date',
    'en',
    `by the way, friday → 2026-12-04 | friday is best → 2026-12-04 | on friday → 2026-12-04 | for friday → 2026-12-04
    friday after 5pm → 2026-12-04 | friday before noon → 2026-12-04 | friday until 5pm → 2026-12-04 | friday by 3pm → 2026-12-04
    december 5 from 10am → 2026-12-05 | I'm off from work, friday → 2026-12-04 | this friday from 10 to 12 → 2026-12-04
    the day after tomorrow → 2026-11-30 | a week from today → 2026-12-05 | 3 days from now → 2026-12-01 | come by tomorrow → 2026-11-29
    I'll stop by on friday → 2026-12-04`,
  ],
  [
    'date',
    'es',
    `antes del viernes → - | antes de este viernes → - | hasta el viernes → - | hasta el 5 de diciembre → - | a partir del lunes → -
    a partir de mañana → - | desde el lunes → - | desde mañana → - | del lunes en adelante → - | de mañana en adelante → -
    el lunes en adelante → - | el viernes a más tardar → - | a más tardar el viernes → - | a más tardar el 5 → -
    como muy tarde el viernes → - | el viernes como máximo → - | máximo el viernes → - | máximo el 5 → - | no más tarde del viernes → -
    no después del viernes → - | no antes del viernes → - | pasado el viernes → - | luego del viernes → - | después del 5 → -
    de lunes a viernes → - | entre lunes y viernes → - | entre el 5 y el 10 → - | del 5 al 10 → - | del 5 al 10 de diciembre → -
    cualquier día antes del viernes → - | el viernes o antes → - | el viernes o después → - | tope el viernes → - | previo al viernes → -
    a contar del lunes → - | recién desde el lunes → - | con fecha límite el viernes → - | antes del 24/12 → - | hasta mañana → -`,
  ],
  [
    'date',
    'es',
    `para el viernes → 2026-12-04 | el viernes está bien → 2026-12-04 | el viernes después de las 5 → 2026-12-04
    el viernes antes de las 3pm → 2026-12-04 | el viernes a partir de las 10 → 2026-12-04 | el viernes hasta las 5 → 2026-12-04
    mañana desde las 9 am → 2026-11-29 | desde ya, el viernes → 2026-12-04 | hasta luego, el viernes → 2026-12-04
    antes que nada buenas tardes, el viernes → 2026-12-04 | pasado mañana → 2026-11-30 | el viernes de 10 a 12 → 2026-12-04`,
  ],
  [
    'date',
    'pt',
    `até sexta → - | até sexta-feira → - | até amanhã → - | até o dia 5 → - | até 5 de dezembro → - | antes de sexta → -
    depois de sexta → - | a partir de segunda → - | a partir de amanhã → - | desde segunda → - | de segunda em diante → -
    de segunda a sexta → - | o mais tardar na sexta → - | no máximo sexta → - | sexta no máximo → - | entre segunda e sexta → -
    de 5 a 10 de dezembro → - | após sexta → - | sexta ou antes → - | não antes de sexta → - | sexta depois das 5 → 2026-12-04
    amanhã até as 10h → 2026-11-29 | na sexta a partir das 14h → 2026-12-04 | até logo, sexta → 2026-12-04 | depois de amanhã → 2026-11-30`,
  ],
  [
    'time',
    'en',
    `by 5pm → - | until 5pm → - | till 5 pm → - | before 5pm → - | after 5pm → - | from 5pm → - | from 5 pm on → - | 5pm onwards → -
    5pm or later → - | 5pm at the latest → - | 5pm latest → - | no later than 5pm → - | not before 5pm → - | from 10 to 12 → -
    10 until 12 → - | 10am until 12pm → - | between 3 and 4pm → - | since 5pm → - | starting at 5pm → - | up to 5pm → - | past 5pm → -
    any time after 5pm → - | anytime before noon → - | after noon → - | by noon → - | until midnight → - | 5pm and later → -
    5pm at the earliest → - | as late as 5pm → - | 5pm tops → - | 5pm max → -`,
  ],
  [
    'time',
    'en',
    `around 5pm → 17:00 | at 5pm → 17:00 | about 5pm → 17:00 | 5pm works, I'm free from work → 17:00 | half past 3 pm → 15:30
    quarter after 5 pm → 17:15 | by the way 5pm → 17:00 | 5pm on friday → 17:00`,
  ],
  [
    'time',
    'es',
    `antes de las 5pm → - | después de las 6 → - | después de las 6pm → - | a partir de las 3pm → - | a partir de las 15:30 → -
    hasta las 5 de la tarde → - | desde las 3pm → - | de las 3pm en adelante → - | 3pm en adelante → - | 3pm a más tardar → -
    a más tardar a las 3pm → - | máximo a las 3pm → - | máximo 3pm → - | 3pm máximo → - | como muy tarde a las 3pm → -
    pasadas las 3pm → - | no antes de las 3pm → - | no más tarde de las 3pm → - | tipo 3pm en adelante → - | antes del mediodía → -
    después del mediodía → - | hasta el mediodía → - | luego de las 3pm → - | entre las 3 y las 4pm → - | de 3 a 4pm → - | tope 5pm → -
    3pm o antes → -`,
  ],
  [
    'time',
    'es',
    `a las 3pm → 15:00 | como a las 3pm → 15:00 | desde luego, a las 3pm → 15:00 | hasta luego, a las 3pm → 15:00
    antes que nada, 3pm → 15:00 | 3pm está bien → 15:00 | para las 3pm → 15:00`,
  ],
  [
    'time',
    'pt',
    `até as 17h → - | até 17h → - | antes das 17h → - | depois das 18h → - | a partir das 15h → - | das 15h em diante → - | desde as 15h → -
    no máximo às 15h → - | 15h no máximo → - | o mais tardar às 15h → - | após as 15h → - | das 10 às 12 → - | entre 10h e 12h → -
    até meio-dia → - | às 15h → 15:00 | lá pelas 15h → 15:00 | até logo, 15h → 15:00`,
  ],
  [
    'number',
    'en',
    `at least 4 → - | at least we are 4 → - | at most 4 → - | 4 max → - | 4 tops → - | max 4 → - | maximum 4 → - | maximum of 4 → -
    minimum 3 → - | 3 minimum → - | a minimum of 3 → - | up to 4 → - | as many as 4 → - | not more than 4 → - | no more than 4 → -
    no less than 4 → - | no fewer than 4 → - | fewer than 4 → - | more than 4 → - | over 4 → - | under $50 → - | below 50 → -
    less than $50 → - | upwards of 50 → - | 50 and up → - | 50 or above → - | 50 or under → - | from $50 → - | starting at $50 → -
    from 10 to 12 → - | between 5 and 10 → - | within $50 → - | not exceeding 50 → - | 4 at least → - | 4 at most → -
    50 dollars or less → - | nothing over 50 → - | until 50 → - | 50 upwards → - | >50 → - | <= 50 → -`,
  ],
  [
    'number',
    'en',
    `4 → 4 | about 20 → 20 | roughly 40 → 40 | 5 min → 5 | 4 from Lima → 4 | so far 4 → 4 | until now 4 → 4 | more or less 20 → 20
    4 at last → 4 | I work from home, 4 → 4 | 20 or so → 20 | almost 20 → 20 | exactly 4 → 4 | just 4 → 4 | not more, 4 → 4`,
  ],
  [
    'number',
    'es',
    `mínimo 3 → - | 3 mínimo → - | mínimo de 3 → - | como mínimo 3 → - | como mínimo seremos 6 → - | 5 como mínimo → - | máximo 20 → -
    20 como máximo → - | 20 máx → - | máx. 20 → - | mín. 3 → - | al menos 10 → - | al menos somos 4 → - | por lo menos 4 → -
    cuando menos 4 → - | a lo mucho 20 → - | a lo más 20 → - | a lo sumo 20 → - | cuando mucho 20 → - | como mucho 20 → - | hasta 500 → -
    hasta S/ 500 → - | hasta unos 500 soles → - | desde 500 → - | desde S/500 → - | a partir de 500 → - | de 500 para arriba → -
    de 500 en adelante → - | 500 para abajo → - | 500 a más → - | más de 20 → - | menos de 20 → - | no más de 20 → - | no menos de 20 → -
    mayor a 20 → - | mayor que 20 → - | menor que 20 → - | superior a 20 → - | por encima de 20 → - | por debajo de 20 → -
    arriba de 20 → - | debajo de 20 → - | entre 5 y 10 → - | tope 500 → - | no pase de 500 → - | que no pase de 500 → -
    que no exceda 500 → - | no mayor a 500 → -`,
  ],
  [
    'number',
    'es',
    `más o menos 20 → 20 | 20 más o menos → 20 | como 20 → 20 | unos 20 → 20 | casi 20 → 20 | menos 5 → -5 | hasta ahora 4 → 4
    hasta ahora somos 4 → 4 | por el momento 4 → 4 | nada más 4 → 4 | a lo mejor 4 → 4 | desde ayer somos 4 → 4
    trabajo desde casa, somos 4 → 4 | 4 nomás → 4 | el máximo son 4 → - | 5 min → 5 | máximo Pérez, 34 años → 34`,
  ],
  [
    'number',
    'pt',
    `no mínimo 3 → - | 3 no mínimo → - | no máximo 20 → - | 20 no máximo → - | pelo menos 4 → - | ao menos 4 → - | até 500 → -
    até R$ 500 → - | uns 500 → 500 | a partir de 500 → - | a partir de R$ 500 → - | mais de 20 → - | menos de 20 → - | acima de 20 → -
    abaixo de 20 → - | de 500 pra cima → - | 500 em diante → - | entre 5 e 10 → - | maior que 20 → - | até agora 4 → 4
    mais ou menos 20 → 20 | no mínimo somos 4 → - | não passa de 500 → - | não mais que 4 → -`,
  ],
  [
    'phone',
    'mx',
    `después de las 6 al 5512345678 → 525512345678 | a partir de las 9 al 5512345678 → 525512345678
    hasta las 5 en el 5512345678 → 525512345678 | desde el 5512345678 → 525512345678`,
  ],
])('%s of %s', (kind, user, table) => {
  const rows = table.split(/\n| \| /).map((row) => row.split('→').map((part) => part.trim()));
  expect(rows.map(([text = '']) => [text, read(kind, text, user)])).toEqual(rows);
});

const values = { number: ['4', '20', '500'], date: ['friday', 'el viernes', 'sexta'], time: ['5pm', 'las 3pm', '15h'] } as const;
const bounds = ['hasta', 'desde', 'a partir de', 'until', 'up to', 'no later than', 'starting', 'até', 'máximo'];

it.each(Object.entries(values))('a bound of a %s is none, whatever is said around it', (kind, named) => {
  const answers = bounds.flatMap((bound) =>
    named.flatMap((value) =>
      ['', 'hola ', 'ok ', 'sería ', 'oi '].flatMap((before) =>
        ['', ' por favor', ' please', ' gracias', '!'].map((behind) => `${before}${bound} ${value}${behind}`),
      ),
    ),
  );
  expect(answers.filter((answer) => read(kind, answer, 'es') !== '-')).toEqual([]);
});
