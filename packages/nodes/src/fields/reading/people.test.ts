/**
 * Messages of people on phones, in Mexico, Brazil and the United States, as answers to each kind of question: what they mean, or none (`-`), where
 * a person would have to ask. Values that are wrong are worst: "depois de amanhã" is not tomorrow, "3 mil millones" is not 3,000.
 */
import { getPath, type JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { Input, readAnswer, type Reply } from '../../ask/input.ts';

/** A Saturday. */
const nowMs = Date.UTC(2026, 10, 28, 12);
const users = {
  mexico: { locale: 'es-MX', timeZone: 'America/Mexico_City' },
  brazil: { locale: 'pt-BR', timeZone: 'America/Sao_Paulo' },
  america: { locale: 'en-US', timeZone: 'America/New_York' },
} as const;

const read = (input: Input, reply: Reply, user: JsonObject): string =>
  (JSON.stringify(readAnswer(reply, input, { get: (path) => getPath({ $user: user }, path) }, nowMs)) ?? '-').replaceAll('"', '');

/** Lines of answers with their values; those that are read otherwise. */
function differences(kind: string, user: keyof typeof users, table: string): readonly string[] {
  const input = Input.parse({ kind });
  return table
    .split(/\n| \| /)
    .filter((row) => row.trim() !== '')
    .flatMap((row) => {
      const [text = '', wanted = ''] = row.split('→').map((part) => part.trim());
      const value = read(input, { text }, users[user]);
      return value === wanted ? [] : [`${text} → ${value}, not ${wanted}`];
    });
}

describe('answers of people', () => {
  it.each<[kind: string, user: keyof typeof users, table: string]>([
    [
      'number',
      'mexico',
      `seríamos 6 → 6 | como 15 más o menos → 15 | vamos a ser 8 en total → 8 | 8 en total → 8 | 2 y 2 → - | 2+2 → - | son dos nomás → 2
      puros adultos, 4 → 4 | yo y mi esposa → - | somos pareja → - | un par → - | media docena → - | una docena → - | docena y media → - | ninguno → 0
      cero → 0 | nadie → 0 | ninguna por ahora → 0 | todavía ninguno → 0 | quinientos pesitos → 500 | 500 varos → 500 | $ 500.00 MXN → 500 | 500.- → 500
      500,- → 500 | $1'200.50 → 1200.5 | 1 200 → 1200 | 3/4 → - | 0.75 → 0.75 | ,75 → 0.75 | 50 % → 50 | 50 por ciento → 50 | cincuenta por ciento → 50
      1a → - | 1º → - | el 3 → 3 | la 3 → 3 | opción 3 → 3 | la número 3 → 3 | #3 → 3 | no. 3 → 3 | nº 3 → 3 | num 3 → 3 | la tercera → - | tres (3) → 3
      3 (tres) → 3 | 33 jaja → 33 | 33 xd → 33 | 33!!! → 33 | 33??? → 33 | 33? → 33 | ¿33? → 33 | *33* → 33 | _33_ → 33 | ~33~ → 33 | "33" → 33 | '33' → 33
      (33) → 33 | [33] → 33 | 33; → 33 | 33: → 33 | mi edad es 33 → 33 | 33 recién cumplidos → 33 | cumplí 33 → 33 | casi 34 → 34 | 33 y medio → 33.5
      treinta y tres y medio → 33.5 | 1.75 mts → 1.75 | 1 metro 75 → - | 175cm → 175 | 70kg → 70 | 70 kilos → 70 | 1,80 → 1.8 | 1’80 → - | - → - | . → -
      👍 → - | dos mil veintiséis → 2026 | mil novecientos noventa → 1990 | un millón → 1000000 | 1 millón → 1000000 | 1mdp → - | 10 mil → 10000
      diez mil → 10000 | 10mil → 10000 | 10,000.00 → 10000 | 2.5 millones → 2500000 | no sé → - | no tengo → - | todos → - | muchos → - | 100 aprox → 100
      aprox. 100 → 100 | unos cien → 100 | entre 5 y 10 → - | de 5 a 10 → - | 5-10 → - | 5 ó 6 → - | 5/6 → - | mínimo 5 → - | 5 como mínimo → -
      5 hasta 10 → - | 5 personas de 30 años → - | 12 3 → - | 1, 2 y 3 → - | 5 5 → - | 55 → 55 | 5️⃣5️⃣ → 55 | ５５ → 55 | V → - | IV → - | 0x10 → - | 1e3 → -
      +5 → 5 | -5 → -5 | −5 → -5 | –5 → -5 | 5- → 5 | NaN → - | Infinity → - | null → - | 24hrs → 24 | 5 p → 5 | 5pax → 5 | 5 pax → 5 | p/5 → - | x5 → 5
      *5 → 5 | 5* → 5 | quinto → - | 5MM → - | 3 billones → - | 3 mil millones → 3000000000 | 500 millones → 500000000 | 5 cientos → - | 1.5 mdp → -`,
    ],
    [
      'number',
      'brazil',
      `somos em quatro pessoas → 4 | eu e minha esposa → - | umas 15 → 15 | um par → - | dúzia → - | uma dúzia → - | nenhum → 0 | nenhuma → 0 | ninguém → 0
      dois mil e vinte e seis → 2026 | mil e quinhentos reais → 1500 | 1.500 reais → 1500 | R$1.500 → 1500 | R$ 1500,00 → 1500 | 1,5 milhão → 1500000
      2 mil → 2000 | 2k → 2000 | 10 conto → 10 | 10 pila → 10 | uns vinte e poucos → - | vinte e três → 23 | tenho 20 aninhos → 20 | tô com 35 → 35
      35 anos completos → 35 | uma só → 1 | só um → 1 | um só → 1 | três 3️⃣ → - | meia → - | 7 e meia → 7.5 | três e meio → 3.5 | cem → 100
      cento e vinte → 120 | 50% de desconto → 50 | 5 à 10 → -`,
    ],
    [
      'number',
      'america',
      `me and my wife → - | only two → 2 | a couple → - | couple of → - | a dozen → - | half a dozen → - | two dozen → - | none → 0 | nobody → 0 | zero → 0
      twenty-one → 21 | twenty one → 21 | one hundred and five → 105 | a hundred → 100 | a thousand → 1000 | fifteen hundred → 1500 | two and a half → 2.5
      2 1/2 → 2.5 | $5 → 5 | $5.00 → 5 | 5 dollars → 5 | five bucks → 5 | 5k → 5000 | 6ft → 6 | 6'2" → - | 6'2 → - | 6 ft 2 → - | 5lbs → 5 | 3 of us → 3
      there are 3 of us → 3 | party of 4 → 4 | table for 4 → 4 | for 4 → 4 | 4 ppl → 4 | 4ppl → 4 | 4 people + 1 kid → - | 4 plus a baby → - | 4 adults → 4
      4 adults, 2 kids → - | I'm 35 y/o → 35 | 35yo → 35 | 35 y.o. → 35 | number 4 → 4 | #4 → 4 | no 4 → 4 | option 4 → 4 | maybe 4 → 4 | probably 4 → 4
      4ish → 4 | roughly 40 → 40 | 4 or so → 4 | 4, thx → 4 | 4 thx! → 4 | lol 4 → 4 | 1,000 → 1000 | 1,000.5 → 1000.5 | 1 000 → 1000 | 1.000 → 1
      at least 4 → - | 4 max → - | 4 tops → - | I have 2 → 2 | it's 4 → 4 | its 4 → 4 | 4 please 🙏 → 4 | seven ✌️ → 7 | 3bn → - | 5 hundred → - | 2 lakh → 200000
      20 thousand → 20000 | 1.5 million → 1500000 | half → - | a half → - | quarter → - | 4 and a quarter → 4.25`,
    ],
    [
      'date',
      'mexico',
      `mañana a las 3 → 2026-11-29 | mañana temprano → 2026-11-29 | mañana en la tarde → 2026-11-29 | pasado → - | pasado mañana a las 10am → 2026-11-30
      hoy mismo → 2026-11-28 | hoy en la noche → 2026-11-28 | ahorita → - | ahora → - | ayer → 2026-11-27 | antier → 2026-11-26 | anteayer → 2026-11-26
      el lunes próximo → 2026-11-30 | lunes → 2026-11-30 | Lunes! → 2026-11-30 | este lunes → 2026-11-30 | el lunes que viene → 2026-11-30
      el proximo lunes → 2026-11-30 | lun → 2026-11-30 | lun. → 2026-11-30 | mié → 2026-12-02 | el miercoles a las 4pm → 2026-12-02 | el finde → -
      fin de semana → - | el fin de semana → - | la próxima semana → - | en una semana → 2026-12-05 | en 8 días → 2026-12-06 | en 15 días → 2026-12-13
      en quince días → 2026-12-13 | dentro de 2 semanas → 2026-12-12 | en un mes → 2026-12-28 | de hoy en ocho → - | fin de mes → - | a fin de mes → -
      el último día del mes → 2026-11-30 | el 31 → 2026-12-31 | el 30 → 2026-11-30 | 30 → - | el día 15 → 2026-12-15 | 15 de dic → 2026-12-15 | 15 dic → 2026-12-15
      15/dic → 2026-12-15 | 15/dic/26 → 2026-12-15 | 15-12 → 2026-12-15 | 15.12.26 → 2026-12-15 | 15/12/2026 → 2026-12-15 | 15/12/2026 a las 5 → 2026-12-15
      15 / 12 / 2026 → 2026-12-15 | 2026-12-15 → 2026-12-15 | 20261215 → 2026-12-15 | 15122026 → 2026-12-15 | 151226 → - | 15 12 26 → 2026-12-15
      12/15/2026 → 2026-12-15 | diciembre 15 → 2026-12-15 | dic 15 → 2026-12-15 | 15 de diciembre del 2026 → 2026-12-15
      15 de Diciembre de 2.026 → 2026-12-15 | quince de diciembre → 2026-12-15 | primero de enero → 2027-01-01 | 1° de enero → 2027-01-01
      1º enero → 2027-01-01 | 1 enero → 2027-01-01 | 31 de febrero → - | 29 de febrero → 2028-02-29 | 29/02/2028 → 2028-02-29 | navidad → 2026-12-25
      nochebuena → 2026-12-24 | año nuevo → 2027-01-01 | nochevieja → 2026-12-31 | el día de la madre → - | mi cumpleaños → - | 3/4/1990 → 1990-04-03
      03-04-90 → 1990-04-03 | nací el 3 de abril de 1990 → 1990-04-03 | 3 de abril del 90 → 1990-04-03 | 3 de abril de 1990 (jueves) → -
      abril 3, 1990 → 1990-04-03 | abril → - | 1990 → - | 04/1990 → - | 15 de diciembre 🎄 → 2026-12-15 | 📅 15/12 → 2026-12-15 | cuando sea → -
      cualquier día → - | no sé → - | lo antes posible → - | para mañana porfa → 2026-11-29 | mañana mañana → 2026-11-29 | mañana, por favor → 2026-11-29
      si mañana → 2026-11-29 | sí, mañana → 2026-11-29 | mañana sí → 2026-11-29 | mañana no → - | no, mañana no → - | mañana? → 2026-11-29
      ¿se puede mañana? → 2026-11-29 | el 15 o el 16 → - | del 15 al 20 → - | del 15 al 20 de diciembre → - | 15-20 dic → - | 15 y 16 de diciembre → -
      desde el 15 → - | a partir del 15 → - | después del 15 → - | antes del viernes → - | viernes 4 → 2026-12-04 | viernes 4 de diciembre → 2026-12-04
      viernes 5 de diciembre → - | vie 4/12 → 2026-12-04 | el viernes 4 a las 5 → 2026-12-04 | sabado → - | el sábado → - | el otro sábado → -
      el sábado próximo → 2026-12-05 | domingo → 2026-11-29 | mñn → 2026-11-29 | mañna → 2026-11-29 | manana → 2026-11-29 | MAÑANA → 2026-11-29 | mana → -
      15 del 12 → 2026-12-15 | el 15 del 12 del 26 → 2026-12-15`,
    ],
    [
      'date',
      'brazil',
      `amanhã às 3 → 2026-11-29 | amanha cedo → 2026-11-29 | depois de amanhã → 2026-11-30 | hoje mesmo → 2026-11-28 | ontem → 2026-11-27
      anteontem → 2026-11-26 | segunda → 2026-11-30 | segunda-feira → 2026-11-30 | segunda feira → 2026-11-30 | seg → 2026-11-30 | 2a feira → 2026-11-30
      próxima segunda → 2026-11-30 | segunda que vem → 2026-11-30 | na terça → 2026-12-01 | terça às 15h → 2026-12-01 | sexta à tarde → 2026-12-04
      sábado que vem → 2026-12-05 | daqui a uma semana → 2026-12-05 | daqui a 15 dias → 2026-12-13 | semana que vem → - | fim de semana → -
      final do mês → - | dia 15 → 2026-12-15 | dia 15 de dezembro → 2026-12-15 | 15/12 → 2026-12-15 | 15 de dez → 2026-12-15 | 15/12/26 → 2026-12-15
      primeiro de janeiro → 2027-01-01 | 1º de janeiro → 2027-01-01 | natal → 2026-12-25 | véspera de natal → 2026-12-24 | ano novo → 2027-01-01
      réveillon → - | nasci em 3 de abril de 1990 → 1990-04-03 | 03/04/1990 → 1990-04-03 | vinte de dezembro → 2026-12-20 | pode ser amanhã? → 2026-11-29
      amanhã não → - | amanhã não posso → - | quinta → 2026-12-03 | quinta-feira dia 3 → 2026-12-03 | quinta dia 4 → - | hj → 2026-11-28 | amnh → 2026-11-29
      dps de amanhã → 2026-11-30`,
    ],
    [
      'date',
      'america',
      `tomorrow at 3 → 2026-11-29 | tomorrow morning → 2026-11-29 | tmrw → 2026-11-29 | tmr → 2026-11-29 | tomorow → 2026-11-29 | today → 2026-11-28
      tonight → 2026-11-28 | now → - | asap → - | yesterday → 2026-11-27 | monday → 2026-11-30 | mon → 2026-11-30 | next monday → 2026-11-30
      this monday → 2026-11-30 | monday at 5 → 2026-11-30 | monday week → - | a week from monday → - | in a week → 2026-12-05 | in two weeks → 2026-12-12
      two weeks from now → 2026-12-12 | in a fortnight → - | next week → - | this weekend → - | end of month → - | the 15th → 2026-12-15 | 15th → 2026-12-15
      dec 15 → 2026-12-15 | Dec. 15 → 2026-12-15 | December 15th → 2026-12-15 | 15 December → 2026-12-15 | 12/15 → 2026-12-15 | 12/15/26 → 2026-12-15
      12-15-2026 → 2026-12-15 | 12.15.2026 → 2026-12-15 | 15/12/2026 → 2026-12-15 | Tue Dec 15 → 2026-12-15 | Tuesday, December 15, 2026 → 2026-12-15
      Wed Dec 15 → - | xmas → 2026-12-25 | christmas → 2026-12-25 | christmas eve → 2026-12-24 | new year's day → 2027-01-01 | new years eve → 2026-12-31
      4th of july → 2027-07-04 | july 4th → 2027-07-04 | july the 4th → 2027-07-04 | thanksgiving → - | born April 3 1990 → 1990-04-03 | 4/3/90 → 1990-04-03
      April 1990 → - | 12/15 at 5pm → 2026-12-15 | 12/15 or 12/16 → - | 12/15-12/20 → - | any day → - | whenever → - | not tomorrow → - | before friday → -
      friday works → 2026-12-04 | fri the 4th → 2026-12-04 | friday the 5th → - | how about friday? → 2026-12-04 | can we do friday → 2026-12-04
      friday or saturday → - | friday afternoon → 2026-12-04 | saturday → - | 3 days from now → 2026-12-01 | day after tmrw → 2026-11-30`,
    ],
    [
      'time',
      'mexico',
      `3pm → 15:00 | 3 pm → 15:00 | 3 p.m. → 15:00 | 3PM → 15:00 | 3:00pm → 15:00 | 3:15 p. m. → 15:15 | 3 y cuarto → - | 3 y cuarto de la tarde → 15:15
      las 3 y media de la tarde → 15:30 | cuarto para las 4 de la tarde → 15:45 | 10 para las 4 pm → 15:50 | un cuarto para las 8 de la noche → 19:45
      4 menos cuarto de la tarde → 15:45 | 4 menos diez pm → 15:50 | mañana a las 3 → - | mañana a las 3pm → 15:00 | a las 3 de la mañana → 03:00
      9 de la mañana → 09:00 | 9 am → 09:00 | 9 → - | a las 9 → - | 9:00 → 09:00 | 9.00 → 09:00 | 9h → 09:00 | 9 hrs → 09:00 | 09 → - | 0900 → 09:00
      900 → - | 1530 → 15:30 | 15h30 → 15:30 | 15:30 hrs → 15:30 | 15:30h → 15:30 | 15.30 → 15:30 | 15,30 → - | 15-30 → - | 15;30 → 15:30 | 15 con 30 → -
      15 → - | a las 15 → 15:00 | quince horas → 15:00 | a las quince → 15:00 | tres de la tarde → 15:00 | tres y media de la tarde → 15:30 | las tres → -
      mediodía → 12:00 | medio día → 12:00 | al mediodía → 12:00 | medianoche → 00:00 | a medianoche → 00:00 | 12 del día → 12:00 | 12 pm → 12:00
      12 am → 00:00 | 12:30 → 12:30 | 12 y media → - | 12:30 am → 00:30 | 00:30 → 00:30 | 24:00 → - | 25:00 → - | 12:60 → - | 13pm → - | 15pm → -
      15:30 pm → 15:30 | 3:30 → 03:30 | 3:5 pm → - | 8 pm o 9 pm → - | entre 3 y 4 → - | de 3 a 4 pm → - | 3-4pm → - | después de las 3pm → -
      antes de las 3 pm → - | a partir de las 3pm → - | como a las 3pm → 15:00 | tipo 3pm → 15:00 | 3pm aprox → 15:00 | 3pm en punto → 15:00
      a las 3 en punto de la tarde → 15:00 | por la tarde → - | en la mañana → - | temprano → - | ahora → - | ahorita → - | en una hora → -
      3pm porfa → 15:00 | 3pm 🙏 → 15:00 | ⏰ 3pm → 15:00 | 🕒 → - | 3 PM hora de México → 15:00 | 3pm (hora local) → 15:00 | 3pm o cuando puedan → 15:00
      a las 3pm no → - | no a las 3pm → - | 3pm sí → 15:00 | el lunes a las 3pm → 15:00 | el 5 a las 3pm → 15:00 | el 15 a las 16 → 16:00
      15/12 16:00 → 16:00 | siete treinta de la noche → 19:30 | 7 30 pm → 19:30 | 730pm → 19:30 | 19:30:00 → 19:30 | 7:30 de la tarde → 19:30
      7:30 noche → 19:30 | 7 noche → 19:00 | 7 de la tarde → 19:00 | 7 tarde → 19:00 | 6 de la madrugada → 06:00 | 1 de la madrugada → 01:00
      12 de la madrugada → 00:00 | la una → - | a la 1pm → 13:00 | a la 1 de la tarde → 13:00 | a la 1 → - | una y media pm → 13:30`,
    ],
    [
      'time',
      'brazil',
      `15h → 15:00 | 15h30 → 15:30 | 15:30h → 15:30 | 15hs → 15:00 | às 15 → 15:00 | às 15h → 15:00 | 3 da tarde → 15:00 | três da tarde → 15:00
      três e meia da tarde → 15:30 | às 3 e meia da tarde → 15:30 | 3 e quinze da tarde → 15:15 | quinze pras 4 da tarde → 15:45
      10 para as 8 da noite → 19:50 | 9 da manhã → 09:00 | nove da manhã → 09:00 | meio-dia → 12:00 | meio dia → 12:00 | meia-noite → 00:00
      meia noite → 00:00 | 8 da noite → 20:00 | oito e meia da noite → 20:30 | 20:30 → 20:30 | 20.30 → 20:30 | 20h e 30 → 20:30 | amanhã às 15h → 15:00
      amanhã às 3 → - | depois das 15h → - | antes das 15h → - | até 15h → - | lá pelas 15h → 15:00 | umas 15h → 15:00 | por volta das 15h → 15:00
      entre 15h e 16h → - | das 15h às 16h → - | 15h ou 16h → - | de manhã → - | à tarde → - | 15h não → - | não às 15h → - | 15h não dá → -
      uma da tarde → 13:00 | 1h da tarde → 13:00 | 13h00 → 13:00 | 13 horas → 13:00 | treze horas → 13:00 | 13h em ponto → 13:00`,
    ],
    [
      'time',
      'america',
      `3pm → 15:00 | 3p → 15:00 | 3 p.m → 15:00 | 3:30pm → 15:30 | 330pm → 15:30 | 3.30pm → 15:30 | half past 3 pm → 15:30
      half past three in the afternoon → 15:30 | half 3 → - | quarter past 3 pm → 15:15 | quarter to 4 pm → 15:45 | ten past 4 pm → 16:10
      3 in the afternoon → 15:00 | 8 tonight → 20:00 | 8 at night → 20:00 | 9 in the morning → 09:00 | nine am → 09:00 | nine thirty am → 09:30
      nine o'clock → - | 9 o'clock am → 09:00 | noon → 12:00 | at noon → 12:00 | midday → 12:00 | midnight → 00:00 | 12pm → 12:00 | 12am → 00:00
      12:30am → 00:30 | 15:00 → 15:00 | 1500 → 15:00 | 1500 hrs → 15:00 | 0900 → 09:00 | 3 → - | at 3 → - | tomorrow at 3pm → 15:00 | 3pm tomorrow → 15:00
      3pm or 4pm → - | between 3pm and 4pm → - | 3-4 pm → - | 3pm-4pm → - | 3pm to 4pm → - | from 3pm → - | after 3pm → - | before 3pm → -
      by 3pm → - | around 3pm → 15:00 | 3pm-ish → 15:00 | 3pm sharp → 15:00 | 3pm EST → 15:00 | 3pm PT → - | 3pm works → 15:00 | 3pm won't work → -
      not 3pm → - | anytime → - | anytime after 3pm → - | morning → - | 3 pm please → 15:00 | 3PM!!! → 15:00 | 3pm? → 15:00 | 5 minutes → - | in 5 min → -
      now → - | 7:30 in the evening → 19:30 | seven thirty pm → 19:30 | 7ish pm → 19:00 | 24:00 → - | 6:30 p → 18:30`,
    ],
    [
      'phone',
      'mexico',
      `55 1234 5678 → 525512345678 | 55-1234-5678 → 525512345678 | (55) 1234 5678 → 525512345678 | 55.1234.5678 → 525512345678 | 5512345678 → 525512345678
      +525512345678 → 525512345678 | 52 55 1234 5678 → 525512345678 | 0052 55 1234 5678 → 525512345678 | 045 55 1234 5678 → 525512345678
      es 5512345678 → 525512345678 | 5512345678 es mi cel → 525512345678 | este mismo → - | el mismo → - | 📱5512345678 → 525512345678
      55 12 34 56 78 → 525512345678 | 5️⃣5️⃣1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣7️⃣8️⃣ → 525512345678 | cinco cinco uno dos → - | 1234 → - | 12345678 → -
      +1 480 555 1234 → 14805551234 | +1 415 555 2671 → 14155552671 | 5512345678 / 5587654321 → - | 5512345678 y 5587654321 → -
      +52 (55) 1234-5678 → 525512345678 | +52 55 1234 5678 (WhatsApp) → 525512345678 | whatsapp 5512345678 → 525512345678
      wa.me/525512345678 → 525512345678 | no tengo → - | 55 1234 567 → - | 55 1234 56789 → - | (52) 5512345678 → 525512345678`,
    ],
    [
      'phone',
      'brazil',
      `11 91234-5678 → 5511912345678 | (11) 91234-5678 → 5511912345678 | (011) 91234-5678 → 5511912345678 | 011 91234 5678 → 5511912345678
      0 11 91234 5678 → 5511912345678 | +55 11 91234-5678 → 5511912345678 | 55 11 912345678 → 5511912345678 | 11 9 1234 5678 → 5511912345678
      11-91234-5678 → 5511912345678 | meu zap é 11912345678 → 5511912345678 | (11)3123-4567 → 551131234567`,
    ],
    [
      'phone',
      'america',
      `(415) 555-2671 → 14155552671 | 415-555-2671 → 14155552671 | 415.555.2671 → 14155552671 | 4155552671 → 14155552671 | 1 415 555 2671 → 14155552671
      1-415-555-2671 → 14155552671 | 1 (415) 555-2671 → 14155552671 | +1.415.555.2671 → 14155552671 | call me at 415 555 2671 → 14155552671
      415 555 2671 x12 → 14155552671 | 415 555 2671 ext 12 → 14155552671 | 555-2671 → - | 911 → - | 1-800-FLOWERS → -`,
    ],
    [
      'email',
      'mexico',
      `ana@gmail.com → ana@gmail.com | Ana@Gmail.com → Ana@Gmail.com | ANA@GMAIL.COM → ANA@GMAIL.COM | ana@gmail → - | ana@gmail,com → ana@gmail.com
      ana@gmail. com → ana@gmail.com | ana @gmail.com → - | ana@ gmail.com → ana@gmail.com | anagmail.com → - | @ana → - | ana@@gmail.com → -
      ana@gmail..com → - | .ana@gmail.com → - | ana.@gmail.com → - | mi correo es ana@gmail.com → ana@gmail.com | correo: ana@gmail.com → ana@gmail.com
      correo:ana@gmail.com → ana@gmail.com | <ana@gmail.com> → ana@gmail.com | ana@gmail.com gracias → ana@gmail.com | ana@gmail.com. → ana@gmail.com
      ana@gmail.com! → ana@gmail.com | ana@gmail.com 😊 → ana@gmail.com | 📧 ana@gmail.com → ana@gmail.com | mailto:ana@gmail.com → ana@gmail.com
      ana arroba gmail punto com → ana@gmail.com | ana arroba gmail.com → ana@gmail.com | ana(at)gmail.com → ana@gmail.com
      ana [at] gmail [dot] com → ana@gmail.com | ana@gmail punto com → ana@gmail.com | ana @ gmail . com → ana@gmail.com | no tengo → - | no tengo correo → -
      ana+hilo@gmail.com → ana+hilo@gmail.com | ana_l@sub.dominio.com.mx → ana_l@sub.dominio.com.mx | ana@gmail.com / ana@x.pe → -
      ana@gmail.com ana@gmail.com → ana@gmail.com | ana＠gmail.com → ana@gmail.com | Ana López <ana@x.pe> → ana@x.pe | ana@gmail.con → ana@gmail.con
      ana@gamil.com → ana@gamil.com | "ana@gmail.com" → ana@gmail.com | (ana@gmail.com) → ana@gmail.com | ana@gmail.com, → ana@gmail.com
      ana@gmail.com; → ana@gmail.com | ana-maria@x-y.pe → ana-maria@x-y.pe | peña@x.pe → peña@x.pe | ana@xn--bcher-kva.example → ana@xn--bcher-kva.example
      https://ana@gmail.com → -`,
    ],
  ])('to a question for a %s, in %s', (kind, user, table) => {
    expect(differences(kind, user, table)).toEqual([]);
  });
});

/** What people send instead of a text. */
const others: { readonly [name: string]: Reply } = {
  'a voice note': { type: 'audio', mediaUrl: 'https://files.example/1.ogg', mimeType: 'audio/ogg' },
  'a picture': { type: 'image', mediaUrl: 'https://files.example/1.jpg' },
  'a sticker': { type: 'sticker', mediaUrl: 'https://files.example/1.webp' },
  'a file': { type: 'file', mediaUrl: 'https://files.example/15-12-2026.pdf', filename: '15-12-2026 5512345678 ana@example.com 3pm 5.pdf' },
  'a place': { type: 'location', coordinates: { lat: 19.4, long: -99.1 } },
  'a card': { type: 'contacts', contacts: [{ name: { formatted_name: 'Ana 5' }, phones: [{ phone: '+51 999 888 777' }] }] },
  'a button of an older message': { type: 'button', text: 'See more', payload: 'MORE_5' },
  'a text that shows nothing': { type: 'text', text: '\u2800\u200b' },
  'nothing that is known': { type: 'unknown' },
};

describe('what is sent instead of a text', () => {
  const taken: { readonly [kind: string]: readonly string[] } = {
    text: ['a place', 'a card', 'a button of an older message'],
    phone: ['a card'],
    location: ['a place'],
    contact: ['a card'],
    media: ['a voice note', 'a picture', 'a sticker', 'a file'],
  };
  it.each(['text', 'number', 'email', 'phone', 'date', 'time', 'location', 'contact', 'media', 'order'])(
    'answers a question for a %s only where it is one',
    (kind) => {
      const input = Input.parse({ kind });
      const answers = Object.keys(others).filter((name) => read(input, others[name] ?? {}, users.mexico) !== '-');
      expect(answers).toEqual(taken[kind] ?? []);
    },
  );

  it('counts the words under a picture', () => {
    expect(
      read(Input.parse({ kind: 'number' }), { type: 'image', text: 'son 3', mediaUrl: 'https://files.example/1.jpg' }, users.mexico),
    ).toBe('3');
  });
});
