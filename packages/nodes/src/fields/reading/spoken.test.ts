/**
 * Answers as voices and hurried thumbs write them, by kind of question: what they mean, or none (`-`), where a person would have to ask. Each table
 * began with a value that was wrong in silence: "1'500,000" was 1,500, "eight oh five am" 05:00, "5pm mejor 6" five o'clock, "15.12.26" a day
 * of the year 26.
 */
import { getPath } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Input, readAnswer } from '../../ask/input.ts';
import { chosenOption } from '../../messages/options.ts';
import { StrictMessage } from '../../messages/message.ts';

/** A Saturday. */
const nowMs = Date.UTC(2026, 10, 28, 15);
const users = {
  pe: { locale: 'es-PE', timeZone: 'America/Lima' },
  mx: { locale: 'es-MX', timeZone: 'America/Mexico_City' },
  co: { locale: 'es-CO', timeZone: 'America/Bogota' },
  br: { locale: 'pt-BR', timeZone: 'America/Sao_Paulo' },
  us: { locale: 'en-US', timeZone: 'America/New_York' },
  cl: { locale: 'es-CL', timeZone: 'America/Santiago' },
  ar: { locale: 'es-AR', timeZone: 'America/Argentina/Buenos_Aires' },
  es: { locale: 'es-ES', timeZone: 'Europe/Madrid' },
  gb: { locale: 'en-GB', timeZone: 'Europe/London' },
  in: { locale: 'en-IN', timeZone: 'Asia/Kolkata' },
  de: { locale: 'de-DE', timeZone: 'Europe/Berlin' },
  fr: { locale: 'fr-FR', timeZone: 'Europe/Paris' },
  it: { locale: 'it-IT', timeZone: 'Europe/Rome' },
  id: { locale: 'id-ID', timeZone: 'Asia/Jakarta' },
  hi: { locale: 'hi-IN', timeZone: 'Asia/Kolkata' },
  eg: { locale: 'ar-EG', timeZone: 'Africa/Cairo' },
} as const;
type User = keyof typeof users;

const rowsOf = (table: string): readonly (readonly [text: string, wanted: string])[] =>
  table
    .split(/\n| \| /)
    .filter((row) => row.trim() !== '')
    .map((row) => {
      const [text = '', wanted = ''] = row.split('→').map((part) => part.trim());
      return [text, wanted];
    });

const read = (kind: string, user: User, text: string): string =>
  (
    JSON.stringify(readAnswer({ text }, Input.parse({ kind }), { get: (path) => getPath({ $user: users[user] }, path) }, nowMs)) ?? '-'
  ).replaceAll('"', '');

describe('answers as they are said', () => {
  it.each<[kind: string, user: User, table: string]>([
    [
      'number',
      'pe',
      `S/ 50 → 50 | S/50.00 → 50 | medio millón → 500000 | 1,5k → 1500 | 1k → 1000 | entre 5 y 6 → - | creo que 4 → 4 | 10% → 10
      el 10% → 10 | 2 ½ → 2.5 | unas 3 o 4 → - | tres o cuatro → - | máximo cuatro → - | como unos 20 → 20 | veinti uno → 21
      treinta i cinco → 35 | cuarenta y tantos → - | mil doscientos cincuenta → 1250 | mil dosientos → 1200
      1250 soles con 50 céntimos → 1250.5 | cincuenta soles → 50 | 50 soles con cincuenta → 50.5 | 100 y pico → - | 5, no, 6 → 6
      5 digo 6 → 6 | perdón 6 → 6 | 6 perdón → 6 | cuatro personas y un bebé → - | 4 adultos y 2 niños → -
      3 personas (2 adultos y 1 niño) → - | los 4 → 4 | somos los 4 → 4 | yo solo → - | 1 sola → 1 | una nomas → 1 | vamos 5 → 5
      iríamos 5 → 5 | 5 kilos y medio → 5.5 | un kilo → 1 | 15 mil → 15000 | quince mil → 15000 | 15mil soles → 15000 | 2.500,00 → 2500
      1'500,000 → 1500000 | 3 docenas → - | 12 unidades → 12 | unos 12 o por ahí → 12 | 12 o más → - | menos de 12 → -
      no más de 12 → - | al menos 12 → - | 12 máx → - | ninguna de las dos → - | tengo 2 hijos y 1 hija → -
      S/ 1'500,000.50 → 1500000.5 | 1'500,50 → 1500.5 | 1´500,000 → 1500000 | 2'000.000 → 2000000 | 12'345,678 → 12345678
      1'234'567 → 1234567 | cien por ciento seguro, 5 → 5 | 2 gambas → - | ciento 50 → - | 50 soles con 5 centimos → 50.05
      50 soles y 20 → - | dos punto cinco → 2.5 | uno punto cinco → 1.5 | cero coma siete → 0.7 | 3 coma 5 → 3.5 | punto 5 → 5
      50 soles con 3 amigos → - | 3 puntos 5 → -`,
    ],
    [
      'number',
      'mx',
      `$1,234.50 → 1234.5 | 1.234,50 → 1234.5 | 2 mil quinientos → 2500 | dos mil quinientos pesos → 2500 | $2500 mxn → 2500
      500 baros → 500 | 500 bolas → 500 | cinco mil 300 → 5300 | 35 añitos → 35 | treinta y cinco años cumplidos → 35
      cero punto cinco → 0.5 | dos punto cinco → 2.5 | 3 coma 5 → 3.5 | 1 y 1/2 → 1.5 | 250 gramos → 250 | 7/10 → - | 7 de 10 → -
      un 8 → 8 | le doy un 9 → 9 | 10/10 → - | diez de diez → - | 10 sin duda → 10 | un diez!! → 10 | 5 estrellas → 5
      cinco estrellas ⭐⭐⭐⭐⭐ → 5 | ２５ → 25 | ²5 → - | veinte veinte → - | 20 20 → - | 1 millon y medio → 1500000 | 3.5 mdp → -
      5 mejor 6 → 6 | 5 digo 6 → 6 | 1.5 mi → - | cuesta 5 mi vida → 5`,
    ],
    [
      'number',
      'es',
      `1.234,50 € → 1234.5 | 50€ → 50 | 50 euros con 20 → 50.2 | dos mil euros → 2000 | vamos a ser 6 o 7 → - | seis o así → 6
      2 y medio → 2.5 | 12,50€ → 12.5`,
    ],
    [
      'number',
      'co',
      `50 mil pesos → 50000 | 50.000 → 50000 | $50.000 → 50000 | 2 palos → 2000000 | 1 palo y medio → 1500000 | 1'500.000 → 1500000
      $1’500.000 → 1500000 | 1'500.000,50 → 1500000.5`,
    ],
    ['number', 'cl', `10 luquitas → 10000 | $10.000 → 10000 | 10 mil pesitos → 10000 | medio palo → 500000`],
    ['number', 'ar', `2 gambas → 200 | $1.500,50 → 1500.5 | 3 palos → 3000000 | dos lucas → 2000`],
    [
      'number',
      'br',
      `R$ 1.200,00 → 1200 | R$1.200 → 1200 | 1200 reais → 1200 | mil e duzentos reais e cinquenta centavos → 1200.5 | 2,5 mil → 2500
      20 paus → 20 | 50 conto → 50 | 2 ou 3 → - | uns 5 ou 6 → - | umas duas → 2 | acho que 4 → 4 | acho q 4 → 4 | sei lá, uns 10 → 10
      nem 10 → - | quase 10 → 10 | dez por cento → 10 | 10 por cento → 10 | três e meia → 3.5 | vinte e cinco anos → 25
      25 anos de idade → 25 | 1 real → 1 | um real e cinquenta → - | oitenta → 80 | setenta e dois quilos e meio → 72.5 | 1,75m → 1.75
      1 metro e 75 → - | não tenho → - | só eu mesmo → - | eu + 3 → - | eu e mais 3 → - | somos 4 com as crianças → 4
      4 pessoas, 2 delas crianças → - | dezoito → 18 | duzentas gramas → 200 | 12x → 12 | em 12 vezes → 12 | 3 parcelas → 3
      2mi → 2000000 | 3 bi → 3000000000 | 5 mi amor → 5 | dois vírgula cinco → 2.5 | 10 reais com 50 → 10.5`,
    ],
    [
      'number',
      'us',
      `5ish → 5 | 2 or 3 → - | maybe 2 or 3 → - | two or three → - | a few → - | several → - | around fifty → 50 | fifty-ish → 50
      like 20 → 20 | umm 7 → 7 | i think it's 7 → 7 | idk maybe 7 → 7 | one hundred twenty → 120 | a hundred and twenty dollars → 120
      $1.2k → 1200 | 1.2k → 1200 | half a million → 500000 | quarter million → - | 10% → 10 | ten percent → 10 | 10 percent → 10
      two point five → 2.5 | 98.6 → 98.6 | 5'11 → - | 5ft 11in → - | 180 lbs → 180 | i'm 34 → 34 | im 34 years old → 34
      34 going on 35 → - | not 5, 6 → 6 | oops 6 → 6 | sorry, 6 → 6 | i meant 6 → 6 | 5... wait 6 → 6 | 5 sorry 6 → 6 | *6 → 6
      less than 5 → - | more than 5 → - | 5+ → - | 5 plus → - | 5-6 → - | 5 to 6 → - | 5 / 6 → - | 5 people total → 5
      5 in total (3 adults, 2 kids) → - | 3 adults and 2 kids → - | just the two of us → 2 | two of us → 2 | the 2 of us → 2 | both → -
      me plus 3 → - | 20 five → - | twentyfive → 25 | twenny → - | fourty two → 42 | first → - | 3 times → 3 | 1 dozen → - | 1o → -
      1O0 → - | 1,234,567.89 → 1234567.89 | USD 50 → 50 | 50 USD → 50 | £50 → 50 | 50 pence → 50 | fifty quid → 50
      ten bucks fifty → - | 1,5 mi → - | 5 plus 2 → - | a hundred percent, 5 → 5 | 5 mi → - | a thousand 5 → -
      five dollars and fifty cents → 5.5 | 5 dollars 50 cents → 5.5 | one percent → 1 | ten bucks → 10 | thirty two point five → 32.5
      three point one four → - | point five → 5`,
    ],
    [
      'date',
      'mx',
      `el viernes de la próxima semana → 2026-12-04 | en dos semanas → 2026-12-12 | en quince dias → 2026-12-13 | a finales de mes → -
      a principios de mes → - | el 1 de dic → 2026-12-01 | 24 de diciembre en la noche → 2026-12-24 | en navidad → 2026-12-25
      el quince → 2026-12-15 | 15-12-2026 → 2026-12-15 | 15 dic 2026 → 2026-12-15 | 15dic → 2026-12-15
      quince de diciembre del dos mil veintiseis → 2026-12-15 | quince del doce → 2026-12-15 | martes 15 de diciembre → 2026-12-15
      lunes 15 de diciembre → - | hoy o mañana → - | el lunes o el martes → - | entre lunes y miércoles → - | la semana que entra → -
      el lunes de la semana que entra → 2026-11-30 | cuando puedas → - | dentro de un año → 2027-11-28 | hace 3 dias → 2026-11-25
      el viernes pasado → 2026-11-27 | mañana no, el lunes → 2026-11-30 | el lunes no puedo → - | hasta el 15 → - | 31/11/2026 → -
      30 de febrero → - | 29/02/2027 → - | 29 feb 2028 → 2028-02-29 | 13/13/2026 → - | 1/1/2027 → 2027-01-01 | hoi → - | maniana → -
      pasado manana → 2026-11-30 | el domingo → 2026-11-29 | este domingo → 2026-11-29 | nací el 3 de mayo de 1990 → 1990-05-03
      03/05/90 → 1990-05-03 | 3 de mayo del 90 → 1990-05-03 | 03-may-1990 → 1990-05-03 | el día de las madres → -
      jueves 3 → 2026-12-03 | viernes 3 → - | el jueves 3 de dic → 2026-12-03 | el lunes en quince → - | el viernes en 8 días → -
      el lunes a las 8 → 2026-11-30 | el lunes a 15 personas → -`,
    ],
    [
      'date',
      'br',
      `sexta que vem → 2026-12-04 | na segunda → 2026-11-30 | daqui a duas semanas → 2026-12-12 | em 3 dias → 2026-12-01
      dia quinze → 2026-12-15 | 15 de dezembro de 2026 → 2026-12-15 | no natal → 2026-12-25 | amanhã ou depois → -
      segunda ou terça → - | não posso segunda → - | até dia 15 → - | a partir do dia 15 → - | quarta dia 2 → 2026-12-02
      quinta 03/12 → 2026-12-03 | quarta 03/12 → - | sabado agora → - | amanhã não, depois de amanhã → 2026-11-30`,
    ],
    [
      'date',
      'us',
      `tmw → 2026-11-29 | tommorow → 2026-11-29 | the day after tmrw → 2026-11-30 | on fri → 2026-12-04
      this coming friday → 2026-12-04 | friday week → - | eom → - | the end of next month → - | beginning of december → -
      the 1st → 2026-12-01 | the first → 2026-12-01 | dec 1st → 2026-12-01 | december first → 2026-12-01
      December the 1st → 2026-12-01 | the 1st of dec → 2026-12-01 | 12/1 → 2026-12-01 | 12/1/26 → 2026-12-01 | 12-1-26 → 2026-12-01
      12.1.2026 → 2026-12-01 | 1/12 → 2027-01-12 | mon or tue → - | monday/tuesday → - | monday doesn't work, tuesday → 2026-12-01
      anytime after the 5th → - | till friday → - | the 31st of november → - | feb 30 → - | feb 29 2028 → 2028-02-29
      15 dec → 2026-12-15 | dec. 15th, 2026 → 2026-12-15 | december fifteenth → 2026-12-15 | december fifteen → 2026-12-15
      the fifteenth of december → 2026-12-15 | tuesday the 15th → 2026-12-15 | monday the 15th → - | tues dec 15 → 2026-12-15
      last friday → 2026-11-27 | 3 days ago → 2026-11-25 | may 3 1990 → 1990-05-03 | May 3rd, 1990 → 1990-05-03 | 5/3/90 → 1990-05-03
      05/03/1990 → 1990-05-03 | 3 May 90 → 1990-05-03 | sun → 2026-11-29 | mondya → - | wensday → 2026-12-02 | wendesday → -
      friday fortnight → - | monday in two weeks → - | friday in 2 weeks → -`,
    ],
    ['date', 'gb', `12/1 → 2027-01-12 | 1/12 → 2026-12-01 | friday week → - | friday fortnight → - | 3/5/90 → 1990-05-03`],
    ['date', 'in', `kal → - | parso → - | 15 dec → 2026-12-15 | 15-12-26 → 2026-12-15`],
    [
      'date',
      'fr',
      `demain → 2026-11-29 | après-demain → 2026-11-30 | lundi → 2026-11-30 | le 15 décembre → 2026-12-15 | le 1er décembre → 2026-12-01
      aujourd'hui → 2026-11-28 | 03/05/90 → 1990-05-03`,
    ],
    [
      'date',
      'de',
      `morgen → 2026-11-29 | übermorgen → 2026-11-30 | montag → 2026-11-30 | am 15. dezember → 2026-12-15 | 15.12. → 2026-12-15
      heute → 2026-11-28 | 01.02.90 → 1990-02-01 | 1.2.27 → 2027-02-01`,
    ],
    [
      'date',
      'it',
      `domani → 2026-11-29 | dopodomani → 2026-11-30 | lunedì → 2026-11-30 | il 15 dicembre → 2026-12-15 | oggi → 2026-11-28
      1 dicembre → 2026-12-01 | 3/5/90 → 1990-05-03`,
    ],
    ['date', 'hi', `15 दिसंबर → 2026-12-15`],
    ['date', 'id', `lusa → 2026-11-30 | senin → 2026-11-30 | 15 desember → 2026-12-15 | hari ini → 2026-11-28`],
    ['date', 'eg', `اليوم → 2026-11-28 | ١٥ ديسمبر → 2026-12-15 | ١٥/١٢/٢٦ → 2026-12-15`],
    [
      'time',
      'mx',
      `a las cinco y media de la tarde → 17:30 | mañana a las cinco y media de la tarde → 17:30 | a las 17 hs → 17:00 | 5:30pm → 17:30
      5.30 pm → 17:30 | 530pm → 17:30 | 5 y media → - | 3 de la tarde → 15:00 | tres y cuarto de la tarde → 15:15
      cuarto para las cuatro → - | un cuarto para las 4 pm → 15:45 | cinco para las tres de la tarde → 14:55
      diez para las 3 pm → 14:50 | las 3 menos cuarto de la tarde → 14:45 | tres menos diez de la tarde → 14:50
      7 de la mañana → 07:00 | 7 am → 07:00 | siete y quince am → 07:15 | 7 de la noche → 19:00 | 8 y media de la noche → 20:30
      a las veinte horas → 20:00 | veinte treinta → 20:30 | diecisiete treinta → 17:30 | a la una de la tarde → 13:00
      a la una y media pm → 13:30 | entre 5 y 6 → - | entre las 5 y las 6 de la tarde → - | de 5 a 6 pm → - | después de las 5 pm → -
      antes de las 5 pm → - | a partir de las 5 pm → - | como a las 5 pm → 17:00 | tipo 5pm → 17:00 | 5 pm en punto → 17:00
      5pm o 6pm → - | no puedo a las 5pm → - | a las 5pm no, mejor 6pm → 18:00 | 5pm mejor 6 → - | 00:00 → 00:00 | 9:5 → -
      en media hora → - | 11 de la mañana → 11:00 | 11:00 hrs. → 11:00 | 11:00a.m. → 11:00 | 11 a. m. → 11:00
      once y media de la mañana → 11:30 | cinco pasadas → - | pasadas las cinco de la tarde → - | 6 de la mañana o 7 → -
      18:00 hs → 18:00 | 18hs → 18:00 | 18.00hs → 18:00 | 18 y 30 → 18:30 | 18 30 → 18:30 | dieciocho horas → 18:00
      las dieciocho → 18:00 | seis en punto de la tarde → 18:00 | 7:30 a 8:00 pm → - | 07:30 → 07:30 | 19:30hrs → 19:30
      a las 18 y 30 → 18:30 | 5 y 30 → - | 6 de la tarde a 8 → - | 5pm mejor a las 6 → - | 5pm mejor 6pm → 18:00
      10am mejor que 5pm → - | 5 pm somos 6 → 17:00`,
    ],
    [
      'time',
      'br',
      `às 17h → 17:00 | 17h30 → 17:30 | 17:30h → 17:30 | 17 e 30 → 17:30 | cinco e meia da tarde → 17:30 | às 5 da tarde → 17:00
      meia-noite e meia → 00:30 | 8h da manhã → 08:00 | 8 e meia da noite → 20:30 | quinze para as três da tarde → 14:45
      dez para as 5 da tarde → 16:50 | 9 e 15 da manhã → 09:15 | às nove → - | as 9h → 09:00 | depois das 5 da tarde → -
      umas 5 da tarde → 17:00 | lá pelas 5 da tarde → 17:00 | até 18h → - | das 8h às 10h → - | 18 horas → 18:00
      dezoito horas → 18:00 | às dezoito e trinta → 18:30 | 13h → 13:00 | 1 da tarde → 13:00 | uma e meia da tarde → 13:30
      duas da madrugada → 02:00 | 20hrs → 20:00 | às 19 e 15 → 19:15`,
    ],
    [
      'time',
      'us',
      `half past five → - | half past five pm → 17:30 | half past 5 in the afternoon → 17:30 | quarter to six pm → 17:45
      a quarter to 6 in the evening → 17:45 | ten past five pm → 17:10 | twenty to 3pm → 14:40 | five thirty pm → 17:30
      five thirty in the evening → 17:30 | 5ish pm → 17:00 | 5pm ish → 17:00 | at midnight → 00:00 | 5 in the morning → 05:00
      5 o'clock → - | 5 oclock pm → 17:00 | five o'clock in the afternoon → 17:00 | 5pm sharp → 17:00 | 1700 → 17:00
      1700 hours → 17:00 | 5:30p → 17:30 | 5:30 p.m. → 17:30 | 530 pm → 17:30 | 5-6pm → - | 5 to 6 pm → - | 5 or 6pm → -
      between 5 and 6 pm → - | not 5pm → - | 5pm est → 17:00 | 5pm pst → - | in an hour → - | twelve thirty pm → 12:30
      9am tomorrow → 09:00 | tomorrow at 9am → 09:00 | 9 am or so → 09:00 | eight fifteen am → 08:15 | eight oh five am → 08:05
      8:05am → 08:05 | 8.05am → 08:05 | 8;30 am → 08:30 | make it 3pm → 15:00 | 3pm instead of 4pm → 15:00 | 25pm → - | 13:61 → -
      9 oh 5 in the morning → 09:05 | 5pm sorry 6 → - | 5pm make it 6pm → 18:00 | 5 pm sorry 6 pm → 18:00 | 5pm, sorry i'm late → 17:00
      6 in the morning or 7 → - | 5pm rather 530 → -`,
    ],
    [
      'time',
      'de',
      `17 uhr → 17:00 | um 17:30 → 17:30 | halb sechs → - | 17.30 uhr → 17:30 | 17 uhr 30 → 17:30 | mittags → - | um 17 uhr → 17:00`,
    ],
    [
      'time',
      'fr',
      `17h30 → 17:30 | à 17h30 → 17:30 | midi → 12:00 | 5h de l'après-midi → 17:00 | 18 heures → 18:00 | 18h et demie → 18:30
      18 heures 30 → 18:30 | à 18 heures → 18:00`,
    ],
    ['time', 'it', `alle 17:30 → 17:30 | le cinque → - | 5 di pomeriggio → 17:00 | mezzogiorno → 12:00 | ore 17 e 30 → 17:30`],
    [
      'phone',
      'pe',
      `987 654 321 → 51987654321 | +51 987654321 → 51987654321 | 0051987654321 → 51987654321 | mi cel es 987-654-321 → 51987654321
      01 4445555 → 5114445555 | nueve ocho siete seis cinco cuatro tres dos uno → 51987654321 | 98765432 → - | 9876543210 → -
      987654321 o 912345678 → - | 987.654.321 → 51987654321 | cel: 987654321 (Ana) → 51987654321 | wsp 987654321 → 51987654321
      ９８７６５４３２１ → 51987654321 | 9️⃣8️⃣7️⃣6️⃣5️⃣4️⃣3️⃣2️⃣1️⃣ → 51987654321 | 987654321 desde las 9 → 51987654321
      llámame al 987654321 → 51987654321 | 987654321. Saludos, Ana Pérez, Acme SAC → 51987654321
      https://wa.me/51987654321 → 51987654321 | tel:+51987654321 → 51987654321`,
    ],
    ['phone', 'br', `meu zap é 11 98765-4321 → 5511987654321`],
    ['phone', 'us', `call 4155552671 → 14155552671`],
    ['phone', 'ar', `011 15 2345 6789 → 5491123456789 | +54 9 11 2345 6789 → 5491123456789`],
    ['phone', 'in', `98765 43210 → 919876543210 | 09876543210 → 919876543210 | +91-98765-43210 → 919876543210`],
    ['phone', 'de', `0151 23456789 → 4915123456789 | +49 (0)151 23456789 → 4915123456789 | 0151/23456789 → 4915123456789`],
    ['phone', 'fr', `06 12 34 56 78 → 33612345678 | 06.12.34.56.78 → 33612345678 | +33 (0)6 12 34 56 78 → 33612345678`],
    [
      'email',
      'us',
      `ana@example.com → ana@example.com | my email is ana.perez@example.co.uk. → ana.perez@example.co.uk
      ana @ example . com → ana@example.com | ana at example dot com → ana@example.com | ana(at)example.com → ana@example.com
      ana[at]example[dot]com → ana@example.com | ana@example → - | ana@gmial.com → ana@gmial.com | <ana@example.com> → ana@example.com
      mailto:ana@example.com → ana@example.com | ana@example.com, ana2@example.com → - | Ana Perez <ana@example.com> → ana@example.com
      ana+tag@example.com → ana+tag@example.com | ana@@example.com → - | ana..b@example.com → - | no email → -
      ana@example.com (work) → ana@example.com | ana@example.com / 555 → ana@example.com | ana_p@example.com 👍 → ana_p@example.com
      ana.example.com → - | "ana@example.com" → ana@example.com | ana@exa mple.com → - | ana@example.con → ana@example.con
      www.ana@example.com → www.ana@example.com`,
    ],
    [
      'email',
      'mx',
      `ana guion bajo perez arroba gmail punto com → ana_perez@gmail.com | ana.perez arroba hotmail.com → ana.perez@hotmail.com
      mi correo es ana@example.mx gracias → ana@example.mx | ana@example.com.mx → ana@example.com.mx
      ana(arroba)example.com → ana@example.com | ana@gmail .com → ana@gmail.com | josé@example.com → josé@example.com
      ana arroba gmail → -`,
    ],
    ['email', 'br', `ana ponto silva arroba uol ponto com ponto br → ana.silva@uol.com.br`],
    [
      'number',
      'mx',
      `3 o menos → - | 3, o si se puede 4 → - | somos 3, a lo mejor 4 → - | somos 3 pero llega uno más → - | 3 y luego llega otro → -
      de 3 en 3 → - | 3 al día → 3 | 3 veces al día → 3 | hace 3 años → 3 | desde 2019 → - | en 2019 → 2019 | 2019-2021 → -
      tengo 30 y mi hijo 5 → - | yo 30, mi esposo 32 → - | 30 yo → 30 | pago 500 de 1500 → - | 500 de enganche → 500 | 500 y 500 → -
      500+500 → - | 500 x 2 → - | 1000-200 → - | 1000 menos 200 → - | el doble de 5 → - | la mitad de 10 → - | 5 y 1/2 → 5.5
      casi 6 → 6 | 5.99 → 5.99 | 5,99 → 5.99 | 5'99 → - | 5/10/26 → - | cp 06700 → 6700 | código 06700 → 6700 | 06700 → 6700
      calle 5 numero 3 → - | piso 3 → 3 | 3er piso → 3 | depto 3B → - | mesa 5 → 5 | talla 28 → 28 | talla 28 o 30 → - | del 28 → 28
      soy 28 → 28 | 28 de cintura → 28 | 90-60-90 → - | peso 80 mido 1.80 → - | 80kg 1.80m → - | presión 120/80 → - | 120 sobre 80 → -
      temperatura 38 → 38 | 38 grados → 38 | 38°C → 38 | -3° → -3 | menos tres → -3 | tres bajo cero → - | i3 → - | H2O → -
      covid19 → - | 4x4 → - | 2da vez → 2 | tengo 2 pero quiero 3 → - | ya no 3, ahora 2 → 2 | no 3 sino 2 → 2 | ni 3 ni 4 → -
      todo menos 3 → - | 3 si hay → 3 | 3 si no hay 4 → - | depende, 3? → 3 | unos 3 más → - | otros 3 → - | agrega 3 → 3 | 3 menos → -
      3 litros y medio → 3.5 | tres cuartos de litro → 0.75 | 1 kg 200 → - | 1kg 200g → - | 2 horas 30 → - | 2h30 → -
      dos horas y media → 2.5 | hora y media → 1.5 | 90 minutos → 90 | 3 mejor 4 → 4 | 5 y otro más → - | 5¢ → - | somos 3 → 3`,
    ],
    [
      'number',
      'us',
      `5 or less → - | five or so → 5 | about a dozen → - | a couple, 2 → 2 | 2, maybe 3 → - | 2 possibly 3 → -
      2 unless it rains then 3 → - | 2 a day → 2 | twice, 2 → 2 | half of 10 → - | double 5 → - | 5 times 2 → - | 5x2 → -
      10 minus 2 → - | 10-2 → - | 10 - 2 → - | 5 and 5 → - | 5+5 → - | i have 2 but want 3 → - | used to be 3, now 2 → -
      it was 3 but now it's 2 → 2 | changed my mind, 4 → 4 | not 3 but 2 → 2 | neither 2 nor 3 → - | anything but 3 → - | all but 3 → -
      3 more → - | another 3 → - | add 3 → 3 | 3 less → - | size 9 → 9 | 9 and a half → 9.5 | nine point five → 9.5 | 9.5 → 9.5
      room 204 → 204 | apt 3B → - | flat 12 → 12 | 5th floor → 5 | zip 90210 → 90210 | order #4521 → 4521 | order 4521 from 2024 → -
      4521/2 → - | 38C → - | 98.6 degrees → 98.6 | 120/80 → - | 120 over 80 → - | 6 foot 2 → - | 5 lbs 3 oz → - | 1 hr 30 → -
      an hour and a half → 1.5 | half an hour → - | 90 mins → 90 | $5.5k → 5500 | 5.5K → 5500 | 5 grand → 5000 | one mil → -
      a mil → - | 50c → - | 50¢ → - | $0.50 → 0.5 | 5 dollars 50 → - | five fifty → - | one twenty → - | twelve hundred → 1200
      nineteen → 19 | ninety nine → 99 | ninety-nine point nine → 99.9 | oh → - | nil → - | nada → - | nothing → - | fiv → - | fife → -
      tree → - | sevn → - | twice 5 → - | two twenty → - | table for 3 and another → - | 3 and one more → - | the one with 20 → 20
      double room for 2 → 2`,
    ],
    [
      'number',
      'br',
      `3 ou menos → - | 3, talvez 4 → - | somos 3 mas vem mais um → - | há 3 anos → 3 | 500 de entrada → 500 | o dobro de 5 → -
      metade de 10 → - | nem 3 nem 4 → - | não 3, 4 → 4 | não são 3, são 4 → 4 | era 3 mas agora 2 → 2 | outros 3 → - | tamanho 38 → 38
      nº 38 → 38 | 38 ou 39 → - | apto 32 → 32 | 38 graus → 38 | um quilo e meio → 1.5 | duas horas e meia → 2.5
      uma hora e meia → 1.5 | meia hora → - | mil e um → 1001 | duzentos e cinquenta → 250 | cento e um → 101 | 2 mil e 500 → 2500
      R$ 2.500 → 2500 | 2.500,50 → 2500.5 | 5 contos → 5 | 50 pila → 50 | 10 paus → 10 | nada → - | 3 e mais um → - | 3 e outro → -`,
    ],
    [
      'date',
      'mx',
      `el 3 o 4 de mayo → - | 3 y 4 de mayo → - | del 3 al 5 de mayo → - | a partir del 3 de mayo → - | 3 de mayo o después → -
      3 de mayo a más tardar → - | antes del 3 de mayo → - | el 3 de mayo no, el 4 → - | no el 3 de mayo, el 4 de mayo → 2027-05-04
      el 3 de mayo de 2025 → 2025-05-03 | 3 de mayo pasado → - | mayo 3 → 2027-05-03 | el tres de mayo → 2027-05-03 | 3/V/2027 → -
      III/V/27 → - | 3-mayo-27 → 2027-05-03 | 3 may 27 → 2027-05-03 | 03052027 → 2027-05-03 | 030527 → - | 2027/5/3 → 2027-05-03
      3.5.27 → 2027-05-03 | 3,5,27 → - | 3 5 27 → 2027-05-03 | 3/5 → 2027-05-03 | 31/12 → 2026-12-31 | 32/12 → - | 0/5 → -
      en 3 meses → 2027-02-28 | en un mes y medio → - | en 3 semanas → 2026-12-19 | en semana y media → - | en 10 días hábiles → -
      pasado mañana en la tarde → 2026-11-30 | mañana o el lunes → - | mañana, o si no el lunes → - | mañana si puedes → 2026-11-29
      mañana sin falta → 2026-11-29 | ayer no, hoy → 2026-11-28 | hoy ya no, mañana → 2026-11-29 | hoy no puedo → -
      hoy no puedo, mañana sí → 2026-11-29 | todos los días → - | cada lunes → - | el lunes 30 → 2026-11-30 | lunes 7 → 2026-12-07
      lunes 8 → - | el 15 próximo → - | el 15 de este → - | el 15 del mes que viene → 2026-12-15 | el 30 de cada mes → -
      fin de año → 2026-12-31 | en enero → - | enero 2027 → - | semana santa → - | cuando gustes → - | el pasado 3 de mayo → -
      el 3 de mayo → 2027-05-03`,
    ],
    [
      'time',
      'mx',
      `tipo 5 → - | como a las 5 de la tarde → 17:00 | 5 y cachito de la tarde → - | 5 y pico pm → - | 5:15 o 5:30 pm → -
      5:15 a 5:30 pm → - | 5 am no, 6 am → 06:00 | a las 5 pm o antes → - | a las 5 pm o después → - | 5 pm máximo → -
      17:00 horas → 17:00 | 17:30:00 → 17:30 | 5 p.m. → 17:00 | 5 P M → 17:00 | 5pm. → 17:00 | a las cinco pm → 17:00
      cinco pm → 17:00 | cinco treinta pm → 17:30 | cinco y treinta de la tarde → 17:30 | veinte para las seis de la tarde → 17:40
      seis menos veinte de la tarde → 17:40 | quince para las seis pm → 17:45 | seis y diez pm → 18:10 | doce y media del día → 12:30
      doce y media de la noche → 00:30 | una de la mañana → 01:00 | 1am → 01:00 | 13 hrs → 13:00 | 13:00pm → 13:00 | 24 hrs → -
      7 de la mañana o 7 de la noche → - | dentro de media hora → - | hace una hora → - | a primera hora → - | a última hora → -
      al rato → - | 17.30h → 17:30 | 17'30 → - | 17-30 → - | 17 30 → 17:30 | 5pm mañana → 17:00 | mañana 5pm → 17:00
      lunes 5pm → 17:00 | lunes 5 → - | el 5 a las 5pm → 17:00 | 5 de mayo 5pm → 17:00 | para 5 a las 5pm → 17:00
      5 pm con 2 personas → 17:00`,
    ],
    ['date', 'us', `last may 3 → - | may 3 → 2027-05-03 | may 3 last year → 2025-05-03`],
    ['date', 'br', `3 de maio passado → - | 3 de maio do ano passado → 2025-05-03`],
    [
      'date',
      'us',
      `the 3rd or 4th → - | may 3 or later → - | may 3 at the latest → - | no later than may 3 → - | before may 3 → - | may 3-5 → -
      may 3rd thru 5th → - | not may 3, may 4 → 2027-05-04 | may 3 no may 4 → - | may 3, 2025 → 2025-05-03 | may third → 2027-05-03
      may twenty third → 2027-05-23 | the twenty third of may → 2027-05-23 | 5/23 → 2027-05-23 | 23/5 → 2027-05-23
      5-23-27 → 2027-05-23 | 2027/05/23 → 2027-05-23 | 052327 → - | in 3 months → 2027-02-28 | in a month → 2026-12-28
      in 3 or 4 days → - | in a couple of days → - | in a few days → - | in 10 business days → - | 10 days → -
      ten days from now → 2026-12-08 | a week from tomorrow → - | a week tomorrow → - | tomorrow or monday → -
      tomorrow if possible → 2026-11-29 | tomorrow for sure → 2026-11-29 | today won't work, tomorrow does → 2026-11-29
      mon, wed and fri → - | weekdays → - | mondays → - | monday the 30th → 2026-11-30 | monday the 7th → 2026-12-07
      monday the 8th → - | the coming monday → 2026-11-30 | the monday after → - | last day of the month → 2026-11-30 | mid december → -
      early december → - | late december → - | dec 2026 → - | easter → - | my birthday → - | right now → -
      ill let you know tomorrow → - | i'll call tomorrow → - | what about tomorrow? → 2026-11-29 | how about monday → 2026-11-30
      monday? → 2026-11-30 | tomorrow at 5 → 2026-11-29 | tomorrow 5pm for 3 → 2026-11-29 | 3 people tomorrow → 2026-11-29
      tuesday december 1 → 2026-12-01 | tuesday december 2 → - | dec 1st 2026 tuesday → 2026-12-01 | 1 dec → 2026-12-01
      1st dec 26 → 2026-12-01 | 12.1.26 → 2026-12-01 | 12,1,26 → - | dec/1/2026 → 2026-12-01 | 1-dec-2026 → 2026-12-01
      tomorrow's fine → 2026-11-29 | tomorrow is not good → - | ill call you on monday → - | monday isnt good → -
      monday is no good → - | monday is good → 2026-11-30 | any day but monday → - | the friday after → -
      monday after 5pm → 2026-11-30`,
    ],
    [
      'date',
      'br',
      `dia 3 ou 4 → - | 3 de maio ou depois → - | até 3 de maio → - | antes de 3 de maio → - | de 3 a 5 de maio → -
      não dia 3, dia 4 → 2026-12-04 | três de maio → 2027-05-03 | 3 do 5 → 2027-05-03 | 3/5/27 → 2027-05-03
      daqui a 3 meses → 2027-02-28 | daqui uma semana → 2026-12-05 | em uns dias → - | em 10 dias úteis → - | amanhã ou segunda → -
      amanhã se der → 2026-11-29 | hoje não, amanhã → 2026-11-29 | segunda, quarta e sexta → - | toda segunda → -
      segunda dia 30 → 2026-11-30 | segunda dia 7 → 2026-12-07 | segunda dia 8 → - | último dia do mês → 2026-11-30 | fim do ano → -
      em dezembro → - | carnaval → - | páscoa → - | meu aniversário → - | quando puder → - | agora → - | vocês abrem amanhã? → -
      amanhã às 5 → 2026-11-29 | primeiro de maio → 2027-05-01 | 1o de maio → 2027-05-01 | terça 1/12 → 2026-12-01 | terça 2/12 → -
      amanhã não é bom → - | vcs abrem segunda? → - | amanhã é bom → 2026-11-29`,
    ],
    [
      'time',
      'us',
      `5 something pm → - | anytime after 5pm → - | 5pm unless 6pm works → - | 5:15 or 5:30 pm → - | 5:15 to 5:30pm → -
      5 am no 6 am → - | 5 am, no, 6 am → 06:00 | i said 5pm → 17:00 | 5 pm. → 17:00 | 5 P.M → 17:00 | 5PM!! → 17:00
      at five pm → 17:00 | five fifteen pm → 17:15 | five forty five pm → 17:45 | twenty past five pm → 17:20
      five past five pm → 17:05 | quarter of six pm → - | a quarter till six pm → 17:45 | half five pm → - | noon thirty → -
      twelve noon → 12:00 | half past noon → - | one in the morning → 01:00 | 1300 → 13:00 | 13:00 hrs → 13:00
      7 in the morning or 7 at night → - | in half an hour → - | an hour ago → - | first thing → - | end of day → - | early → -
      17-30 → - | 17 30 → 17:30 | tomorrow 5pm → 17:00 | monday 5pm → 17:00 | monday 5 → - | the 5th at 5pm → 17:00 | may 5 5pm → 17:00
      for 5 at 5pm → 17:00 | 5pm for 5 → 17:00 | between 5pm and 6pm → - | 5pm-ish → 17:00 | 5pm? → 17:00 | does 5pm work? → 17:00
      5pm doesn't work → - | can't do 5pm → - | anything but 5pm → - | 5 or 6 in the evening → - | 5pm is no good → -
      5pm isn't great → - | 5pm is good → 17:00 | any time but 5pm → -`,
    ],
    [
      'date',
      'mx',
      `mañana no es posible → - | mañana no es buena opción → - | ¿ustedes abren el lunes? → - | mañana está bien → 2026-11-29
      mañana no está bien → - | hoy no es buen día → - | mañana no hay problema → 2026-11-29`,
    ],
  ])('to a question for a %s, in %s', (kind, user, table) => {
    const rows = rowsOf(table);
    expect(rows.map(([text]) => [text, read(kind, user, text)])).toEqual(rows);
  });

  it.each<[options: string, table: string]>([
    [
      'Yes;No',
      `of course not → No | 🙅 → No | yes no → - | no yes → - | absolutely not → No | definitely not → No | please don't → No
      i don't want it → No | can't say no → - | hell yeah → Yes | yes!!! → Yes | YES → Yes | yea sure why not → Yes | yeah no → -
      no yeah → - | incorrect → No | that's not right → No | affirmative → Yes | negative → No | what? → - | do i have to say yes? → -
      can i say no? → - | both → - | 😂 → - | i said yes → Yes | i said no → No`,
    ],
    [
      'Sí;No',
      `siii → Sí | vale → Sí | claro que sí → Sí | por supuesto que no → No | obvio no → No | ni loco → No | no sí → - | no, sí → -
      okis → Sí | 👎🏾 → No | esta bien → Sí | no estoy de acuerdo → No | me parece → Sí | no me parece → No | no puedo decir que no → -
      no es que no quiera → - | hágale → Sí | de una → Sí | no, no hay problema → - | si dios quiere → - | si no → - | sino → -
      sii, pero no hoy → -`,
    ],
    [
      'Sim;Não',
      `siim → Sim | bele → Sim | com certeza não → Não | nn → Não | nops → Não | nem pensar → Não | sei lá → - | quero não → Não
      num quero → Não | fechou → Sim | 👍🏿 → Sim | sim e não → - | não, sim → - | por que não → Sim`,
    ],
    [
      'Ventas;Soporte técnico;Facturación',
      `ventas → Ventas | vnetas → Ventas | la segunda → Soporte técnico | el de abajo → Facturación | la de abajo → Facturación
      la primera opción → Ventas | ambas → - | ninguna de las anteriores → - | las dos primeras → - | la que sea → -
      tecnico → Soporte técnico | facturacion!! → Facturación | no ventas → - | ventas no → - | todo menos ventas → -
      ventas y soporte → - | ventas o soporte → - | mejor soporte → Soporte técnico | ventas, digo soporte → Soporte técnico
      perdón, facturación → Facturación | quiero hablar con ventas → Ventas | con soporte tecnico porfa → Soporte técnico
      opción dos → Soporte técnico | opcion 4 → - | la cuarta → - | no se → - | no me funciona el internet → - | ninguna, gracias → -
      la penúltima → - | la 1 o la 2 → - | la primera no → - | no la primera, la segunda → Soporte técnico`,
    ],
    [
      'Small;Medium;Large;Extra large',
      `small → Small | large → Large | extra large → Extra large | extra → Extra large | the large one → Large | a large please → Large
      the biggest → - | medium or large → - | not small → - | lrage → Large | the second one → Medium | the third option → Large
      the top one → Small | two larges → - | 2 large → - | large x2 → - | no large, medium → Medium | large actually medium → Medium
      large? → Large | do you have large? → - | how much is the large? → - | what's the difference between medium and large → -
      none of them → - | all of them → - | both → - | LARGE!!!! → Large | medium size → Medium | size medium → Medium
      i'll go with medium → Medium | go large → Large | i don't want large → - | anything but small → - | either small or medium → -
      the one before last → - | the 2nd to last → -`,
    ],
    [
      'Efectivo;Tarjeta de crédito;Tarjeta de débito;Yape',
      `cash → - | débito → Tarjeta de débito | credito → Tarjeta de crédito | tarjeta credito → Tarjeta de crédito | por yape → Yape
      yapeo → - | te yapeo → - | plin → - | con yape no → - | mitad yape mitad efectivo → - | visa → -
      tarjeta de crédto → Tarjeta de crédito | la tarjeta de debito pues → Tarjeta de débito`,
    ],
    [
      'Manhã;Tarde;Noite',
      `de noite → Noite | mais tarde → - | muito tarde → - | boa tarde → - | boa noite → - | bom dia → -
      boa noite, quero de manhã → Manhã | qualquer horário → - | tarde ou noite → - | tarde não posso → - | menos de noite → -`,
    ],
    [
      'Mañana;Tarde;Noche',
      `buenas tardes → - | buenas noches → - | buenas tardes, en la noche → Noche | en la noche porfa → Noche | en la nochecita → -
      no en la mañana → -`,
    ],
    [
      'Cancel order;Keep order',
      `keep → Keep order | keep it → Keep order | cancel it → Cancel order | don't cancel → - | don't cancel it → -
      do not cancel my order → - | never mind → - | please cancel → Cancel order | i want to cancel → Cancel order
      i don't want to keep it → -`,
    ],
    [
      'Credit card;Cash;PayPal',
      `card → Credit card | credit → Credit card | visa → - | cash → Cash | cash only → Cash | cash or card → - | paypal please → PayPal
      cashapp → - | i have no cash → - | not cash → - | cc → -`,
    ],
    ['10:00;11:30;16:00', `las diez → 10:00 | 11 y media → 11:30 | once y media → 11:30 | 10 o 16 → - | antes de las 11 → -`],
    [
      'Today;Tomorrow;Next week',
      `today → Today | tomorrow → Tomorrow | next week → Next week | not today → - | not tomorrow → - | anything but today → -
      this week → - | later → - | day after tomorrow → - | today or tomorrow → - | tonight → - | the week after next → -
      today!! → Today | 2day → - | todya → Today`,
    ],
    [
      'Hoy;Mañana;Pasado mañana',
      `hoy → Hoy | mañana → Mañana | pasado mañana → Pasado mañana | pasado → Pasado mañana | hoy no → - | mañana no → -
      hoy o mañana → - | pasadomañana → Pasado mañana | mañana mejor → Mañana | hoy no, mañana → Mañana | ni hoy ni mañana → -
      ayer → - | ahorita → - | mñn → - | manana → Mañana`,
    ],
    [
      '1 persona;2 personas;3 o más',
      `1 → 1 persona | uno → 1 persona | 2 → 2 personas | dos → 2 personas | somos dos → 2 personas | 3 → 3 o más | 4 → 3 o más | 5 → 3 o más
      más de 3 → - | solo yo → - | una persona → 1 persona | dos personas → 2 personas | 2 o 3 → - | 3 o más → 3 o más
      tres o mas → 3 o más`,
    ],
    [
      '18-24;25-34;35-44;45+',
      `18-24 → 18-24 | 25-34 → 25-34 | 25 to 34 → 25-34 | 30 → 25-34 | 45+ → 45+ | 45 plus → - | the first → 18-24 | 1 → - | 50 → 45+`,
    ],
    [
      '$100;$200;$500',
      `100 → $100 | $100 → $100 | 100 pesos → $100 | cien → $100 | doscientos → $200 | 150 → - | el de 500 → $500 | 100 o 200 → -`,
    ],
    [
      "Yes, I agree;No, I don't agree",
      `yes → Yes, I agree | i agree → Yes, I agree | no → No, I don't agree | i don't agree → No, I don't agree
      disagree → No, I don't agree | i do not agree → No, I don't agree | agreed → Yes, I agree | ok → Yes, I agree`,
    ],
    [
      'Sí, acepto;No acepto',
      `acepto → Sí, acepto | no acepto → No acepto | si → Sí, acepto | no → No acepto | aceptar → - | rechazo → - | claro → Sí, acepto`,
    ],
    [
      'Confirmar;Cambiar;Cancelar',
      `confirmo → Confirmar | confirmado → Confirmar | sí → - | cambio → Cambiar | quiero cambiar → Cambiar | cancelo → Cancelar
      cancela → Cancelar | no cancelar → - | no quiero cancelar → - | cambiar no, cancelar → Cancelar | cancelar no, cambiar → Cambiar
      ya no quiero → - | olvídalo → - | confirmar cancelación → - | cámbialo → Cambiar | cancélalo por favor → Cancelar`,
    ],
    [
      'Confirmar;Alterar;Cancelar',
      `confirmo → Confirmar | confirma → Confirmar | altera → Alterar | cancela → Cancelar | pode cancelar → Cancelar | não cancela → -
      não cancele → - | quero alterar → Alterar | alterar não, cancelar → Cancelar | desisto → - | pode confirmar → Confirmar`,
    ],
    [
      'Pizza 🍕;Burger 🍔;Salad 🥗',
      `🍕 → Pizza 🍕 | 🍔🍔 → Burger 🍔 | pizza → Pizza 🍕 | a burger → Burger 🍔 | 🍕🍔 → - | hamburger → - | salat → Salad 🥗 | no pizza → -
      pizza no, salad → Salad 🥗 | pizza and salad → - | extra cheese pizza → -`,
    ],
    [
      'Male;Female;Other',
      `male → Male | female → Female | m → - | f → - | man → - | woman → - | other → Other | not male → - | femal → Female`,
    ],
    [
      'Hombre;Mujer;Otro',
      `hombre → Hombre | mujer → Mujer | otro → Otro | otra → - | soy mujer → Mujer | soy hombre → Hombre | no soy hombre → -
      mujer, no hombre → Mujer | h → - | masculino → - | muger → Mujer | ombre → Hombre`,
    ],
    [
      'Spanish;English;Portuguese',
      `español → - | spanish → Spanish | in spanish → Spanish | english please → English | spanglish → - | not english → -
      i don't speak english → - | i speak spanish → - | portugese → Portuguese | port → - | eng → - | ES → -`,
    ],
    [
      'Esta semana;Próxima semana;Otro mes',
      `esta semana → Esta semana | la próxima semana → Próxima semana | próxima → Próxima semana | este mes → -
      para esta semana → Esta semana | quiero esta semana porfa → Esta semana | la otra semana → - | este lunes → -`,
    ],
    [
      'Próxima semana;Próximo mês',
      `esta semana → - | este mês → - | neste mês → - | próximo mês → Próximo mês | pode ser próxima semana → Próxima semana`,
    ],
    ['Next month;Next year', `this month → - | this year → - | next year → Next year | month → Next month | this one → -`],
    ['Lunes;Martes', `este lunes → Lunes | lunes → Lunes | soy lunes → Lunes`],
  ])('to the options %s', (options, table) => {
    const message = StrictMessage.parse({
      type: 'text',
      text: 'Which?',
      buttons: { options: options.split(';').map((title) => ({ title })) },
    });
    const rows = rowsOf(table);
    expect(rows.map(([text]) => [text, chosenOption(message, { text })?.title ?? '-'])).toEqual(rows);
  });

  it('a day with a year of two digits is of these two centuries, in every locale', () => {
    const yearsOf = (user: (typeof users)[User], day: number, year: number): readonly number[] =>
      ['.', '/', '-'].flatMap((sign) => {
        const text = [13 + (day % 15), 12, String(year).padStart(2, '0')].join(sign);
        const date = readAnswer({ text }, Input.parse({ kind: 'date' }), { get: (path) => getPath({ $user: user }, path) }, nowMs);
        return typeof date === 'string' ? [Number(date.slice(0, 4))] : [];
      });
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(users)), fc.nat(14), fc.nat(99), (user, day, year) => {
        expect(yearsOf(user, day, year).filter((one) => one < 1946 || one > 2046)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});
