/**
 * Answers as people of Peru, Mexico, Spain, Argentina, Brazil and the United States type and say them: the value, or none (`-`) where it is in doubt.
 * The worst is a value that nobody meant: "las quince treinta" is not 15:00, "traspasado mañana" not tomorrow, a birthday no number to call.
 */
import { getPath, type JsonObject } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { Input, readAnswer } from '../../ask/input.ts';

/** A Saturday. */
const nowMs = Date.UTC(2026, 10, 28, 15);
const users = {
  pe: { locale: 'es-PE', timeZone: 'America/Lima' },
  mx: { locale: 'es-MX', timeZone: 'America/Mexico_City' },
  es: { locale: 'es-ES', timeZone: 'Europe/Madrid' },
  ar: { locale: 'es-AR', timeZone: 'America/Argentina/Buenos_Aires' },
  br: { locale: 'pt-BR', timeZone: 'America/Sao_Paulo' },
  us: { locale: 'en-US', timeZone: 'America/New_York' },
} as const satisfies Readonly<Record<string, JsonObject>>;

it.each<[kind: string, user: keyof typeof users, table: string]>([
  [
    'number',
    'pe',
    `S/ 1.200,50 → 1200.5 | s/1200 → 1200 | S/.1,200.50 → 1200.5 | s/. 350 soles → 350 | 350 lucas → 350 | dos docenas → - | 2 docenas → -
      hola, somos 4 → 4 | buenas tardes señorita, para 3 personas por favor → 3 | somos 5 pero uno es bebe → 5 | 12 soles con 50 → 12.5
      12 soles con 50 céntimos → 12.5 | veintidós y medio → 22.5 | 2 o 3 → - | no, mejor 4 → 4 | 4... perdón 5 → 5 | 4 no, 5 → 5 | serían 4, no 5 → 4
      cuatro → 4 | cuatroo → - | 4 4 → - | el 4 → 4 | como 40 y tantos → - | mil doscientos → 1200 | mil 200 → 1200 | 1 mil → 1000
      un millon doscientos mil → 1200000 | 1.5 mil → 1500 | ni idea → - | 20 nomas → 20 | entre 20 y 30 → - | uno y medio → 1.5 | medio → -
      kilo y medio → 1.5 | 1/2 kilo → 0.5 | 3 y 1/2 → 3.5 | 3 ½ → 3.5 | ½ → 0.5 | tengo 3 hijos → 3 | 2 adultos y 1 niño → - | 20% → 20 | más de 20 → -
      menos de 20 → - | hasta 20 → - | a lo mucho 20 → - | 20 mínimo → - | 5ta → 5 | pagué 100 y me deben 20 → - | dni 45678912 → 45678912
      mi dni es 45678912 → 45678912 | 45.678.912 → 45678912 | 45 678 912 → 45678912 | 20-30 → - | 0 → 0 | cero hijos → 0 | no tengo hijos → -
      ninguno gracias → 0 | solo yo → - | uno → 1 | una nada más → 1 | 1ero → 1 | son como veinte mas o menos creo → 20 | puuu como 15 → 15
      xfa 3 → 3 | 3 xfavor → 3 | 3 porfis → 3 | 3 pz → 3 | 3 unid. → 3 | 3 unidades del rojo → 3 | quiero 3 del modelo 205 → - | 2 de 500 ml → -
      3 cajas de 12 → - | treinta i uno → 31 | ninguno, gracias → 0 | nadie por ahora → 0 | una no más → 1 | dos nada más → 2 | 50 centavos → -
      50 céntimos → - | 80 ctvs → - | veinte y uno → 21 | sesenta i 5 → - | mil y uno → 1001 | ciento uno → 101 | cien y uno → 101 | diez y seis → 16
      dies → 10 | tresientos → 300 | vente → - | trentai cinco → 35 | treintaycinco → 35 | 2 pares → 2 | 3 pares → 3 | tres docenas → -
      tres parejas → - | una decena → - | una centena → - | 2 decenas → - | un millar → - | 3 millares → - | la mitad → - | el doble → -
      2 veces 5 → - | 2x5 → - | 5 al cuadrado → 5`,
  ],
  [
    'number',
    'us',
    `1.5 mil → - | 1.5m → 1.5 | 1.5k → 1500 | 1.5mm → - | a dozen and a half → - | two hundred fifty → 250 | 2,5 → 2.5 | it's just me → -
      hi! 3 people → 3 | hey there, 4 adults → 4 | 3, sorry 4 → 4 | 3 no wait 4 → 4 | not 3, 4 → 4 | actually make it 5 → 5 | make that 5 → 5
      umm 7 i think → 7 | a couple hundred → - | 10-ish → 10 | under 10 → - | over 10 → - | more than 10 → - | less than 10 → - | up to 10 → -
      $1,234.56 USD → 1234.56 | 1.234,56 → 1234.56 | 1 → 1 | one → 1 | won → - | to → - | too → - | for → - | twenty twenty six → -
      nineteen ninety → - | 50 cents → - | 5 bucks and 50 cents → 5.5 | three quarters → - | 3rd → 3 | double digits → - | 12 (twelve) → 12
      12 (thirteen) → - | 6 feet 2 inches → - | 1 mil → - | 2 mill → - | 2 grand → 2000 | 100 percent → 100 | 007 → 7 | minus 5 → -5
      negative 5 → -5 | five-hundred → 500 | two thirds → - | 3 quarters → - | 2 mil → - | dos mil → 2000 | 1.5 mill → - | 3 halves → -
      2 mil 500 → 2500 | 2,500 → 2500 | $3 mil → -`,
  ],
  [
    'number',
    'br',
    `1,5 mil → 1500 | dois mil e quinhentos → 2500 | uns 30 → 30 | 30 e poucos → - | vinte reais e cinquenta → - | 20 reais e 50 centavos → 20.5
      R$ 20,50 → 20.5 | duas dúzias → - | oi, boa tarde, 3 pessoas → 3 | 3, aliás 4 → 4 | 3 não, 4 → 4 | quatro crianças → 4 | meia dúzia → -
      nenhum por enquanto → 0 | só eu → - | somos 2 adultos e 2 crianças → - | 3 ou 4 → - | de 3 a 4 → - | mais de 5 → - | acho que 5 → 5 | 5 viu → 5
      5 tá → 5 | cpf 12345678909 → 12345678909 | 1º → - | um → 1 | uma → 1 | dezesseis → 16 | dezasseis → 16 | quatorze → 14 | catorze → 14
      1.200,50 → 1200.5 | 1200.50 → 1200.5 | mil → 1000 | 2,5 → 2.5 | 2.5 → 2.5 | menos 5 → -5`,
  ],
  [
    'number',
    'es',
    `1.200,50 € → 1200.5 | 1.200 € → 1200 | 1200€ → 1200 | mil euros → 1000 | 20 pavos → 20 | vale, 3 → 3 | pues 3 → 3 | venga 3 → 3 | 3, tío → 3
      1.5 mil → 1500 | 1,5 → 1.5 | 12,5% → 12.5 | veintiún → 21 | veintiuna → 21 | treinta y uno → 31 | treintaiuno → 31 | treinta i uno → 31
      ciento y pico → - | sietecientos → 700 | novecientos → 900 | nuevecientos → 900`,
  ],
  [
    'number',
    'ar',
    `2 lucas → 2000 | 5 lucas → 5000 | 10 palos → 10000000 | 1 palo → 1000000 | $ 1.200 → 1200 | $1.200,5 → 1200.5 | che somos 4 → 4 | 4 boludo → 4 | dale, 4 → 4
      1.200.000 → 1200000 | quinientos mangos → 500`,
  ],
  [
    'number',
    'mx',
    `$1,200.50 → 1200.5 | 1,200 → 1200 | mil 500 pesos → 1500 | 2 mil 500 → 2500 | 5 mil pesos → 5000 | un ciento → - | 4 bolas → 4 | no pues 4 → 4
      simón, 4 → 4 | ahorita 3 → 3 | tons 5 → 5 | 5 plis → 5 | $500 c/u → 500 | 500 cada uno → 500 | 2 de a 500 → -`,
  ],
  [
    'date',
    'pe',
    `ayer → 2026-11-27 | pasado mañana a las 3 y media de la tarde → 2026-11-30 | no, mejor el jueves → 2026-12-03
      el viernes no, mejor el jueves → 2026-12-03 | hola, el lunes por favor → 2026-11-30 | lunes 30 → 2026-11-30 | lunes 31 → - | el 3 → 2026-12-03
      el 3 de este mes → 2026-11-03 | el 3 del próximo mes → 2026-12-03 | el 30 → 2026-11-30 | 30/11 → 2026-11-30 | 30-11-26 → 2026-11-30
      30 nov → 2026-11-30 | 30 de nov. del 2026 → 2026-11-30 | 1ro de diciembre → 2026-12-01 | primero de diciembre → 2026-12-01
      el uno de diciembre → 2026-12-01 | veinticinco de diciembre → 2026-12-25 | navidad → 2026-12-25 | año nuevo → 2027-01-01
      dentro de 3 días → 2026-12-01 | en una semana → 2026-12-05 | en 8 días → 2026-12-06 | en quince días → 2026-12-13
      de aquí a 2 semanas → 2026-12-12 | la próxima semana → - | este sabado → 2026-11-28 | sábado que viene → 2026-12-05 | el sabado → -
      mañana no puedo, el martes sí → 2026-12-01 | cualquier día → - | lunes o martes → - | el lunes o si no el martes → -
      lunes, miércoles y viernes → - | nací el 5 de mayo de 1990 → 1990-05-05 | 5/5/90 → 1990-05-05 | 05051990 → 1990-05-05 | 5 mayo 90 → 1990-05-05
      mayo 5 → 2027-05-05 | el mes que viene → - | fin de mes → - | a fin de mes → - | quincena → - | mañana → 2026-11-29 | mañanaa → 2026-11-29
      manana → 2026-11-29 | mñn → 2026-11-29 | hoy → 2026-11-28 | hoy dia → 2026-11-28 | hoy día por la tarde → 2026-11-28 | ahora mismo → -
      pasado → - | traspasado mañana → - | antes de ayer → 2026-11-26 | hace 2 días → 2026-11-26 | la semana pasada → -
      el lunes pasado → 2026-11-23 | 29 de febrero → 2028-02-29 | 31/02/2027 → - | 2026 → - | martes 13 → - | domingo 29 → 2026-11-29
      el día de mañana → 2026-11-29 | mañana domingo → 2026-11-29 | mañana lunes → - | pasado mañana lunes 30 → 2026-11-30 | para el 15 → 2026-12-15
      el 15 a las 10 → 2026-12-15 | 15 de diciembre a las 10:30 am → 2026-12-15 | entre el 10 y el 15 → - | del 10 al 15 → - | 10-15 de diciembre → -
      antes del 10 → - | después del 10 → - | a partir del lunes → - | el lunes en la mañana o el martes → - | no sé → -
      el lunes creo → 2026-11-30 | cuando quieras → - | lo antes posible → - | ya → - | en 1 mes → 2026-12-28 | dentro de un mes → 2026-12-28
      en 1 año → 2027-11-28 | pazado mañana → 2026-11-30 | pasao mañana → 2026-11-30 | pasadomañana → 2026-11-30 | tras pasado mañana → -
      pasado  mañana → 2026-11-30 | pasado mañna → 2026-11-30 | despues de mañana → - | uno de estos días → - | para el uno de enero → 2027-01-01
      antes de mañana → - | mañana no, pasado → - | mañana o pasado → - | la mañana del lunes → - | mañana en la mañana → 2026-11-29
      en la mañana → - | 15/13/2026 → - | 00/12/2026 → - | 5-12 → 2026-12-05 | 5.12.26 → 2026-12-05 | 5 12 26 → 2026-12-05
      5/12/2026 10:30 → 2026-12-05 | 2026/12/05 → 2026-12-05 | 20261205 → 2026-12-05 | hace un año → 2025-11-28 | lunes a viernes → -
      todos los lunes → - | nunca → - | este fin de semana → - | el otro lunes → - | el lunes subsiguiente → - | el lunes siguiente → 2026-11-30
      el lunes de la otra semana → - | el lunes de la próxima semana → 2026-11-30 | 3 dias antes de navidad → - | un dia despues de navidad → -
      el dia despues de navidad → - | la noche de navidad → - | víspera de navidad → 2026-12-24 | fiestas patrias → - | mi cumpleaños → -`,
  ],
  [
    'date',
    'br',
    `ontem → 2026-11-27 | amanhã cedo → 2026-11-29 | depois de amanhã às 15h30 → 2026-11-30 | não, melhor quinta → 2026-12-03
      quinta-feira que vem → 2026-12-03 | segunda → 2026-11-30 | segunda feira → 2026-11-30 | 2ª feira → 2026-11-30 | seg → 2026-11-30
      sexta à tarde → 2026-12-04 | dia 5 → 2026-12-05 | dia 5 do mês que vem → 2026-12-05 | 5/12 → 2026-12-05 | 05/12/26 → 2026-12-05
      primeiro de dezembro → 2026-12-01 | 1º de dezembro → 2026-12-01 | natal → 2026-12-25 | véspera de natal → 2026-12-24
      daqui a 2 dias → 2026-11-30 | daqui 15 dias → 2026-12-13 | semana que vem → - | hj → 2026-11-28 | amanha → 2026-11-29 | amnh → 2026-11-29
      oi, amanhã pode ser? → 2026-11-29 | sábado → - | sábado que vem → 2026-12-05 | terça ou quarta → - | qualquer dia → - | fim de semana → -
      nasci em 3 de março de 1985 → 1985-03-03 | 03031985 → 1985-03-03 | dps de amanhã → 2026-11-30 | depois d amanhã → 2026-11-30
      depois amanhã → 2026-11-30 | dia seguinte → - | outro dia → - | um de dezembro → 2026-12-01 | dia primeiro → 2026-12-01 | dia 1 → 2026-12-01
      antes de amanhã → - | amanhã não, segunda → 2026-11-30 | na outra segunda → -`,
  ],
  [
    'date',
    'us',
    `tomorrow → 2026-11-29 | tmrw → 2026-11-29 | tomorow → 2026-11-29 | day after tomorrow → 2026-11-30 | next friday → 2026-12-04
      this friday → 2026-12-04 | friday → 2026-12-04 | fri → 2026-12-04 | friday the 4th → 2026-12-04 | friday the 5th → - | dec 5th → 2026-12-05
      12/5 → 2026-12-05 | 12/5/26 → 2026-12-05 | 13/5/2026 → 2026-05-13 | the 5th → 2026-12-05 | 5th of december → 2026-12-05
      december fifth → 2026-12-05 | in a week → 2026-12-05 | in two weeks → 2026-12-12 | a week from today → 2026-12-05 | a week from monday → -
      next week → - | last monday → 2026-11-23 | yesterday → 2026-11-27 | christmas → 2026-12-25 | christmas eve → 2026-12-24
      new year's day → 2027-01-01 | asap → - | monday or tuesday → - | not monday, tuesday → 2026-12-01 | monday... no wait, tuesday → 2026-12-01
      hi, can we do monday please → 2026-11-30 | hello! thursday at 3pm works → 2026-12-03 | anytime monday → 2026-11-30 | before friday → -
      by friday → - | after the 5th → - | sometime next month → - | 1990-05-05 → 1990-05-05 | may 5, 1990 → 1990-05-05
      May the 4th → 2027-05-04 | 05051990 → 1990-05-05 | day aftr tomorrow → - | the day before tomorrow → - | day before yesterday → 2026-11-26
      tomorrow or the day after → - | 2 days after tomorrow → - | not tomorrow → - | tomorrow week → - | monday week → - | a fortnight today → -
      the first of december → 2026-12-01 | december one → - | first of the month → - | the day after christmas → - | two days before christmas → -
      fri 4 → 2026-12-04 | every friday → - | fridays → - | wed or thu → - | weds → 2026-12-02 | thursday, not friday → 2026-12-03
      thursday not friday → 2026-12-03`,
  ],
  [
    'time',
    'pe',
    `3 y media de la tarde → 15:30 | a las 3 y media → - | 3pm → 15:00 | 3 pm en punto → 15:00 | 15:30 → 15:30 | 15.30 → 15:30 | 15h30 → 15:30
      1530 → 15:30 | 3 y cuarto pm → 15:15 | cuarto para las 4 de la tarde → 15:45 | un cuarto para las 4 → - | 10 para las 4 pm → 15:50
      las 4 menos cuarto de la tarde → 15:45 | 4 menos diez pm → 15:50 | mediodía → 12:00 | al medio día → 12:00 | medianoche → 00:00
      12 de la noche → 00:00 | 12 del día → 12:00 | 12 → - | 12 pm → 12:00 | 12 am → 00:00 | 10 de la mañana → 10:00 | 10 a.m. → 10:00
      10 am por favor → 10:00 | hola a las 10 am → 10:00 | en la mañana → - | tarde → - | 5 → - | a las 5 → - | las 17 → 17:00 | 17 hrs → 17:00
      17 horas → 17:00 | 5:30 → 05:30 | 05:30 → 05:30 | 5:30 de la tarde → 17:30 | cinco y media de la tarde → 17:30 | cinco de la tarde → 17:00
      a las siete de la noche → 19:00 | 7 de la noche mejor → 19:00 | no, mejor a las 8 pm → 20:00 | 8 pm no, 9 pm → 21:00 | entre 3 y 4 pm → -
      de 3 a 4 → - | 3 o 4 pm → - | después de las 3 pm → - | antes de las 3pm → - | a partir de las 3 pm → - | como a las 3 pm → 15:00
      tipo 3 pm → 15:00 | 3 y pico de la tarde → - | en una hora → - | en 30 minutos → - | ahora → - | ya → - | 25:00 → - | 24:00 → - | 10:75 → -
      1:00 de la madrugada → 01:00 | 3 de la madrugada → 03:00 | 13:00 pm → 13:00 | 0:30 → 00:30 | 00:30 → 00:30 | mañana a las 3 pm → 15:00
      pasado mañana a las 3 y media de la tarde → 15:30 | 3 y 20 pm → 15:20 | 3 con 20 de la tarde → - | faltando 10 para las 4 pm → 15:50
      cuando salga del trabajo → - | 6 y 45 am → 06:45 | seis cuarenta y cinco am → 06:45 | 3pm o 4pm → - | 3 pm, 4 pm → -
      a las seis cuarenta y cinco de la mañana → 06:45 | tres veinte pm → 15:20 | las quince treinta → 15:30 | mediodía y media → 12:30
      mediodia y cuarto → 12:15 | diez y cuarto de la mañana → 10:15 | 10 y 5 am → 10:05 | diez y cinco de la mañana → 10:05
      dieciséis y treinta → 16:30 | dos y media pm → 14:30 | 2 1/2 pm → - | cinco para la una pm → 12:55 | una y media de la tarde → 13:30
      a la 1 pm → 13:00 | a la una → - | las doce → - | doce y media → - | 12 y media del día → 12:30 | 3 pm o antes → - | 3pm a más tardar → -
      hasta las 3 pm → - | desde las 3pm → - | 3:3 pm → - | 3:60 → - | 03:30:15 → 03:30 | 3;30 pm → 15:30 | 3,30 pm → - | 3'30 → - | 3pmm → -
      3 pn → - | 15 hs → 15:00 | 15 00 → 15:00 | 3.30pm → 15:30`,
  ],
  [
    'time',
    'br',
    `15h → 15:00 | 15hs → 15:00 | às 15 → 15:00 | 3 da tarde → 15:00 | três e meia da tarde → 15:30 | meio dia → 12:00 | meio-dia e meia → 12:30
      meia noite → 00:00 | 15 pras 4 da tarde → 15:45 | quinze para as quatro da tarde → 15:45 | 7 da noite → 19:00 | 8 da manhã → 08:00
      9h30 → 09:30 | 9h → 09:00 | 14h às 15h → - | de tarde → - | lá pelas 15h → 15:00 | depois das 15h → - | 15:30h → 15:30
      meio dia e quinze → 12:15`,
  ],
  [
    'time',
    'us',
    `3:30 PM → 15:30 | half past three → - | half past 3 pm → 15:30 | quarter to 4 pm → 15:45 | noon → 12:00 | noonish → - | midnight → 00:00
      3ish pm → 15:00 | 3 in the afternoon → 15:00 | three thirty pm → 15:30 | 8 tonight → 20:00 | 8 at night → 20:00 | 1500 → 15:00
      1500 hours → 15:00 | between 3 and 4pm → - | 3-4pm → - | after 3pm → - | 3p → 15:00 | 3 p.m → 15:00 | 10 o'clock → -
      10 o'clock in the morning → 10:00 | 12 noon → 12:00 | 12:30 am → 00:30 | actually 4pm → 16:00 | 3pm no wait 4pm → 16:00
      hey, 5 pm works → 17:00 | lunchtime → -`,
  ],
  [
    'email',
    'pe',
    `mi correo es ana arroba gmail punto com → ana@gmail.com | ana arroba gmail.com → ana@gmail.com | ana@gmail punto com → ana@gmail.com
      ana @ gmail . com → ana@gmail.com | ana@gmail,com → ana@gmail.com | ana@gmail → - | ana.gmail.com → - | ANA@GMAIL.COM → ANA@GMAIL.COM
      Ana@Gmail.com → Ana@Gmail.com | hola, es ana@x.pe. gracias → ana@x.pe | ana@x.pe o ana@y.pe → - | ana@x.pe no, ana@y.pe → ana@y.pe
      <ana@x.pe> → ana@x.pe | mailto:ana@x.pe → ana@x.pe | ana guion bajo perez arroba hotmail punto com → ana_perez@hotmail.com
      ana punto perez arroba hotmail punto com → ana.perez@hotmail.com | ana.perez arroba hotmail punto com punto pe → ana.perez@hotmail.com.pe
      no tengo correo → - | ana@@x.pe → - | ana@x..pe → - | ana@gmail.com 😊 → ana@gmail.com | ana@gmail.con → ana@gmail.con | ana(at)x.pe → ana@x.pe
      ana[arroba]x.pe → ana@x.pe | aná@x.pe → aná@x.pe | *ana@x.pe* → ana@x.pe | ana perez@x.pe → perez@x.pe | ana@x.pe, cel 999000111 → ana@x.pe
      123@x.pe → 123@x.pe | ana arroba x punto pe todo en minúsculas → ana@x.pe | ana arroba gmail com → -
      Mi correo es Ana Arroba Gmail Punto Com → Ana@Gmail.Com | ana perez @x.pe → - | ana . perez@x.pe → - | ana_ perez@x.pe → -
      ana. perez@gmail.com → - | ana@gmail.com.pe punto → ana@gmail.com.pe | ana arroba gmail.com punto pe → ana@gmail.com.pe
      ana@gmail. com → ana@gmail.com | mi correo es ana@gmail. com → - | ana@gmail.com y ana@hotmail.com → -
      todo junto ana perez arroba gmail punto com → - | ana99 arroba gmail punto com → ana99@gmail.com
      ana noventa y nueve arroba gmail punto com → - | ana guion perez arroba x punto pe → ana-perez@x.pe | arroba gmail punto com → - | @ana → -
      ana@ → - | no uso → - | 'ana@x.pe' → ana@x.pe`,
  ],
  [
    'email',
    'br',
    `meu email é ana arroba gmail ponto com → ana@gmail.com | ana underline silva arroba uol ponto com ponto br → ana_silva@uol.com.br
      ana traço silva arroba uol.com.br → ana-silva@uol.com.br`,
  ],
  [
    'email',
    'us',
    `it's ana at gmail dot com → ana@gmail.com | ana dot smith at gmail dot com → ana.smith@gmail.com
      ana underscore smith at gmail dot com → ana_smith@gmail.com | look at google dot com → look@google.com
      ana@gmail.com or text me → ana@gmail.com | you can reach me at ana@x.com → ana@x.com`,
  ],
  [
    'phone',
    'pe',
    `+51 999 000 111 → 51999000111 | 999-000-111 → 51999000111 | 999000111 → 51999000111 | 999 000 111 → 51999000111
      mi cel es 999000111 → 51999000111 | 51999000111 → 51999000111 | 0051999000111 → 51999000111 | (01) 444-5555 → 5114445555
      014445555 → 5114445555 | 444-5555 → - | 99900011 → - | 9990001111 → - | 999000111 o 999000222 → - | 999000111 / 014445555 → -
      nueve nueve nueve cero cero cero uno uno uno → 51999000111 | el mismo → - | este → - | este mismo número → - | 999.000.111 → 51999000111
      999000111 (whatsapp) → 51999000111 | +52 55 1234 5678 → 525512345678 | +1 212 555 0123 → 12125550123 | wa.me/51999000111 → 51999000111
      https://wa.me/51999000111 → 51999000111 | 999000111 ext 5 → 51999000111 | tel. 999000111 anexo 12 → 51999000111
      999000111 no, 999000222 → 51999000222 | cel: 999 000 111 📱 → 51999000111 | +51999000111, Ana → 51999000111 | dni 45678912 cel 999000111 → 51999000111
      mi dni es 45678912 → - | 20/12/1990 → - | + 51 9 9 9 0 0 0 1 1 1 → 51999000111 | noventa y nueve noventa cero cero ciento once → -
      12-05-1990 → - | 1990-12-05 → - | 10:30 → - | S/ 120000 → - | 120,000 soles → - | 200000 soles → - | calle 123456 → - | codigo 123456 → -
      123456 → - | 044 234567 → 5144234567 | 054-234567 → 5154234567 | 234567 → -`,
  ],
  [
    'phone',
    'mx',
    `55 1234 5678 → 525512345678 | 044 55 1234 5678 → 525512345678 | 1 55 1234 5678 → 15512345678 | 5512345678 → 525512345678
      +52 1 55 1234 5678 → 5215512345678 | 55-12-34-56-78 → 525512345678 | (55) 1234-5678 → 525512345678`,
  ],
  [
    'phone',
    'br',
    `(11) 98765-4321 → 5511987654321 | 11 98765 4321 → 5511987654321 | 011 98765-4321 → 5511987654321 | 98765-4321 → -
      +55 (11) 98765-4321 → 5511987654321 | 11987654321 → 5511987654321`,
  ],
  [
    'phone',
    'ar',
    `11 1234-5678 → 541112345678 | 15 1234-5678 → - | +54 9 11 1234-5678 → 5491112345678 | 011 15 1234-5678 → 5491112345678
      0351 456-7890 → 543514567890 | 11 15 1234 5678 → 5491112345678`,
  ],
  ['phone', 'es', `612 34 56 78 → 34612345678 | 612345678 → 34612345678 | +34 612 345 678 → 34612345678`],
  [
    'phone',
    'us',
    `(212) 555-0123 → 12125550123 | 212.555.0123 → 12125550123 | 1-212-555-0123 → 12125550123 | call me at 212 555 0123 → 12125550123 | 555-0123 → -
      212-555-0123 x42 → 12125550123`,
  ],
])('a %s, in %s', (kind, user, table) => {
  const input = Input.parse({ kind });
  const rows = table.split(/\n| \| /).map((row) => row.split('→').map((part) => part.trim()));
  const read = (text: string): string =>
    (JSON.stringify(readAnswer({ text }, input, { get: (path) => getPath({ $user: users[user] }, path) }, nowMs)) ?? '-').replaceAll(
      '"',
      '',
    );
  expect(rows.map(([text = '']) => [text, read(text)])).toEqual(rows);
});
