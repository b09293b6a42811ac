/**
 * Answers that say something about their value: that it is not the one, a part of it, when it will be told. And values that are said, as voice
 * becomes text. A wrong value is worst, so that what may be either is none (`-`).
 */
import { getPath, type JsonObject } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import { Input, readAnswer } from '../../ask/input.ts';

/** A Saturday. */
const nowMs = Date.UTC(2026, 10, 28, 18);
const users = {
  pe: { locale: 'es-PE', timeZone: 'America/Lima' },
  mx: { locale: 'es-MX', timeZone: 'America/Mexico_City' },
  br: { locale: 'pt-BR', timeZone: 'America/Sao_Paulo' },
  us: { locale: 'en-US', timeZone: 'America/New_York' },
  eg: { locale: 'ar-EG', timeZone: 'Africa/Cairo' },
  in: { locale: 'en-IN', timeZone: 'Asia/Kolkata' },
} as const satisfies Readonly<Record<string, JsonObject>>;

it.each<[kind: string, user: keyof typeof users, table: string]>([
  [
    'phone',
    'mx',
    `cinco cinco uno dos tres cuatro cinco seis siete ocho → 525512345678 | cincuenta y cinco doce treinta y cuatro cincuenta y seis setenta y ocho → 525512345678
    mi numero es cinco cinco, uno dos tres cuatro, cinco seis siete ocho → 525512345678 | doble cinco uno dos tres cuatro cinco seis siete ocho → -
    más cincuenta y dos cinco cinco uno dos tres cuatro cinco seis siete ocho → 525512345678 | cincuenta y cinco mil → - | uno dos tres → - | cinco → -
    el mismo → - | a este número → - | 5512345678 de 9 a 5 → 525512345678 | no es 5512345678 → - | No. 5512345678 → 525512345678
    no es 5512345678, es 5512345679 → 525512345679 | ya no uso el 5512345678 → - | 5512345678 ya no → - | 5512345678 no → - | 5512345678 ya no funciona → -
    no llamen al 5512345678 → - | no tengo fijo, mi cel es 5512345678 → 525512345678 | no hay problema 5512345678 → 525512345678 | sí, 5512345678 → 525512345678
    ５５１２３４５６７８ → 525512345678 | ٥٥١٢٣٤٥٦٧٨ → 525512345678 | 5️⃣5️⃣1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣7️⃣8️⃣ → 525512345678`,
  ],
  [
    'phone',
    'pe',
    `novecientos noventa y nueve ochocientos ochenta y ocho setecientos setenta y siete → 51999888777 | nueve noventa y nueve ocho ochenta y ocho siete setenta y siete → 51999888777
    mi cel es novecientos noventa y nueve, ochocientos ochenta y ocho, setecientos setenta y siete → 51999888777
    noventa y nueve nueve ocho ochenta y ocho siete siete siete → 51999888777 | novecientos noventa y nueve soles → -`,
  ],
  [
    'phone',
    'br',
    `um um nove um dois três quatro cinco meia sete oito → 5511912345678 | onze nove um dois três quatro cinco meia sete oito → 5511912345678
    um um nove nove nove nove nove meia meia meia meia → 5511999996666 | meia → - | meia dúzia → -`,
  ],
  [
    'phone',
    'us',
    `four one five five five five two six seven one → 14155552671 | four fifteen five fifty five twenty six seventy one → 14155552671
    don't call 415 555 2671 → - | not 415 555 2671 → -`,
  ],
  [
    'email',
    'mx',
    `no es ana@gmail.com → - | ya no uso ana@gmail.com → - | ana@gmail.com no → - | ana@gmail.com ya no existe → - | ana@gmail.com/ → ana@gmail.com
    no es ana@gmail.com, es beto@x.pe → beto@x.pe | no tengo otro, ana@gmail.com → ana@gmail.com | ana guion lopez arroba gmail punto com → ana-lopez@gmail.com`,
  ],
  ['email', 'us', `ana at gmail.com → - | meet me at gmail → - | not ana@gmail.com → - | it's ana@gmail.com thanks → ana@gmail.com`],
  [
    'email',
    'br',
    `não é ana@x.pe → - | é ana@x.pe → ana@x.pe | ana underline silva arroba gmail ponto com ponto br → ana_silva@gmail.com.br`,
  ],
  [
    'number',
    'mx',
    `entre 5 y 10 → - | unos 20 → 20 | 2 o 3 → - | 5 a 6 personas → - | a lo mucho 5 → - | aprox. 30 → 30 | somos mi esposo y yo → - | nosotros dos → 2
    mis 2 hijos y yo → - | yo y 2 más → - | 2 más yo → - | 2 y mi esposa → - | 4 contando conmigo → 4 | 4 sin contarme → - | 4 sin contar a los niños → -
    1/2 kilo → 0.5 | medio kilo → 0.5 | tres cuartos de kilo → 0.75 | un cuarto de kilo → 0.25 | 2 kilos y medio → 2.5 | media pizza → - | media hora → -
    2 y medio kilos → 2.5 | millón y medio → 1500000 | un millón → 1000000 | 2 millones y medio → 2500000 | mil y medio → - | 5/10 → - | 9 de 10 → -
    ٢٠ → 20 | २० → 20 | 2️⃣5️⃣ → 25 | ② → 2 | II → - | jajaja 5 → 5 | perdón 7 → 7 | ay no sé, 4? → 4 | cuántos puedo? → - | los que sean → -
    un metro ochenta → - | metro setenta y cinco → - | 1 metro con 5 cm → - | mido 1 metro 80 → - | metro y medio → 1.5 | 2 metros → 2 | 5 metros por 3 → -
    2 personas más → - | 20 años más o menos → 20 | 8pm → - | 8 a.m. → - | 20 de mayo → - | 5 am → - | 5 amigos → 5 | 8 mayores → 8 | 3 marcos → 3
    three → 3 | ps como 3 → 3 | desde 500 hasta 1000 → - | tres o cuatro veces → - | 29 para 30 → - | ya te dije que 3 → 3 | vivo en calle 5 número 20 → -`,
  ],
  [
    'number',
    'br',
    `mais 2 → - | 2 a mais → - | mais ou menos 20 → 20 | 2 ou mais → - | meio quilo → 0.5 | um quarto de quilo → 0.25 | meia → - | eu e mais 2 → - | 2 e eu → - | somos só nós dois → 2 | 4 sem contar as crianças → -`,
  ],
  [
    'number',
    'us',
    `once → - | twice → - | me + 2 → - | plus 2 → - | half a pound → 0.5 | 2 and me → - | 4 not counting me → - | me plus 2 → - | 2 plus me → - | half → - | 3/4 cup → 0.75 | lol 4 → 4`,
  ],
  ['number', 'eg', `٢٠ → 20 | ١٬٢٠٠٫٥ → 1200.5 | ۲۰ → 20`],
  ['number', 'in', `1,00,000 → 100000 | 2 lakh → 200000 | १२ → 12 | Rs 500/- → 500 | ₹ 1,50,000.50 → 150000.5`],
  [
    'date',
    'mx',
    `el finde → - | a fin de mes → - | la próxima quincena → - | en 3 días hábiles → - | 3 días laborables → - | en tres días → 2026-12-01
    primer lunes de diciembre → - | el tercer viernes → - | el último sábado de enero → - | el primero de diciembre → 2026-12-01 | 1 de enero → 2027-01-01
    te aviso mañana → - | mañana te digo → - | te confirmo el lunes → - | lo consulto y mañana te digo → - | el lunes digo martes → 2026-12-01
    ¿abren mañana? → - | hola, atienden el lunes? → - | ¿puede ser mañana? → 2026-11-29 | a mediados de diciembre → - | cuando quieras → - | mañana mismo → 2026-11-29
    lo antes posible → - | después de navidad → - | para navidad → 2026-12-25 | por la mañana → - | mañana por la mañana → 2026-11-29`,
  ],
  [
    'date',
    'br',
    `primeira segunda de janeiro → - | terceira quinta do mês → - | amanhã eu confirmo → - | amanhã confirmo → - | terça não pode → -
    terça pode ser → 2026-12-01 | não pode ser terça → - | em 3 dias úteis → - | te aviso amanhã → - | amanhã te falo → - | vou ver amanhã → - | abrem amanhã? → - | amanhã cedo → 2026-11-29`,
  ],
  [
    'date',
    'us',
    `the monday after next → - | in 3 business days → - | 3 working days → - | first monday of december → - | last friday of december → - | last monday → 2026-11-23
    I'll tell you tomorrow → - | let me check tomorrow → - | are you open tomorrow? → - | is tomorrow ok? → 2026-11-29 | asap → -`,
  ],
  [
    'time',
    'mx',
    `al mediodía → 12:00 | tipo 4 → - | tipo 4 de la tarde → 16:00 | después de las 6 → - | cierran a las 4pm? → - | ¿a las 4 pm? → 16:00 | te llamo a las 4pm → -
    a eso de las 4 pm → 16:00 | entre 4 y 5 pm → - | cuando salga del trabajo → - | en la tardecita → -`,
  ],
  [
    'number',
    'mx',
    `dame 5 minutos → - | dame 5 → 5 | dame 5 min porfa → - | deme 10 minutitos → - | espera 1 minuto → - | 1 segundo → - | 1 minuto por favor → -
    1 minuto → - | 2 minutos → 2 | hace 5 minutos → 5 | 5 minutos → 5 | en 5 min te digo → - | te respondo en 10 → - | te confirmo 5 → 5
    le confirmo que somos 5 → 5 | te digo que son 5 → 5 | vuelvo en 1 hora → - | te llamo a las 3 → - | espera, son 3 → 3 | espera, 3 → 3 | dame 3 días → -
    dame 3 pizzas → 3 | dame unos 3 → 3 | cumplo 35 en mayo → - | voy a cumplir 35 → - | cumplí 35 → 35 | tengo 34, voy a cumplir 35 → - | tengo 34 → 34
    me da 2 → 2 | me da 2 horas → - | ok dame 2 min → - | sí 2 → 2`,
  ],
  [
    'number',
    'us',
    `gimme 5 min → - | give me 5 → 5 | give me 5 minutes → - | wait 2 minutes → - | wait, 2 → 2 | just 2 → 2 | just 2 minutes → -
    hold on 1 sec → - | 1 sec → - | 1 minute please → - | be back in 5 → - | back in 5 min → - | i'll call you at 5 → - | i'll let you know in 10 → -
    in 10 minutes i'll be home → - | turning 35 → - | i'll be 35 in may → - | i am 35 → 35 | we will be 5 → 5 | there will be 5 of us → 5 | call me at 5 → -`,
  ],
  [
    'number',
    'br',
    `me dá 5 minutos → - | me dá 5 → 5 | espera 5 minutinhos → - | só 1 minutinho → - | só 1 → 1 | já volto em 5 → - | volto em 10 minutos → -
    te respondo em 10 → - | vou fazer 35 → - | faço 35 em maio → - | tenho 35 → 35`,
  ],
  ['time', 'mx', `dame 5 minutos → - | te llamo a las 5 pm → - | en 5 min te digo → -`],
  ['date', 'mx', `dame 3 días → - | dame 5 minutos → - | en 5 min te digo → - | te respondo el lunes → -`],
  ['phone', 'pe', `dame 5 minutos → - | llámame al 987654321 → 51987654321 | llámame a las 5 al 987654321 → 51987654321`],
  ['number', 'mx', `quinse → 15 | dose → 12 | trez → 3 | venticinco → 25 | beintidos → 22 | catorse → 14 | onse → 11`],
  [
    'number',
    'mx',
    `a las 4 → - | para 4 → 4 | hoy 4 → - | mañana 4 → - | hoy somos 4 → 4 | +51 999 888 777 → - | +52 (55) 1234 5678 → - | +20 → 20 | 999888777 → 999888777
    4 a las 8 → - | 10 de 10 → - | 3x2 → - | 120/80 → - | mesa para 4 → 4 | le pondría un 8 → 8 | 5 o algo así → - | 7 u 8 → -`,
  ],
  ['number', 'br', `às 4 → - | hoje 4 → - | faço 36 mês que vem → - | quase 36 → 36`],
  ['date', 'br', `no domingo → 2026-11-29 | no próximo domingo → 2026-11-29 | no domingo às 3 → 2026-11-29 | não no sábado → -`],
  ['date', 'mx', `no domingo → - | no el sábado → -`],
  ['number', 'us', `at 4 → - | today 4 → - | +1 (415) 555-2671 → - | table for 4 → 4`],
  [
    'date',
    'mx',
    `cinco del cinco del noventa → 1990-05-05 | 5 del 5 del 90 → 1990-05-05 | 5 del 12 del 2026 → 2026-12-05 | 5 de mallo de 1990 → 1990-05-05
    el sábado pasado → 2026-11-21 | nací el 5/5/90 → 1990-05-05 | mañana no, pasado mañana → 2026-11-30 | 12 de → - | hoy o mañana → -`,
  ],
  [
    'time',
    'mx',
    `estoy ocupado a las 3pm → - | a las 3pm estoy ocupada → - | a las 3pm trabajo → - | a las 3pm tengo reunión → - | 3pm no llego → - | 3pm se me complica → -
    3pm imposible → - | 3pm es muy tarde → - | 3pm es muy temprano → - | 3pm me queda bien → 15:00 | 3pm está perfecto → 15:00`,
  ],
  [
    'date',
    'mx',
    `el martes trabajo → - | el martes estoy ocupado → - | el martes tengo médico → - | el martes se me complica → - | el martes viajo → - | el martes ya tengo planes → -
    el martes imposible → - | el martes estoy libre → 2026-12-01 | el martes puedo → 2026-12-01 | el martes me va bien → 2026-12-01 | el martes me queda mal → - | el martes está difícil → -
    menos el martes → - | cualquiera menos martes → -`,
  ],
  [
    'date',
    'us',
    `i'm busy tuesday → - | busy on tuesday → - | tuesday is bad → - | tuesday is tough → - | tuesday i have a meeting → - | i'm out tuesday → -
    tuesday i'm free → 2026-12-01 | free tuesday → 2026-12-01 | tuesday is good → 2026-12-01 | any day but tuesday → -`,
  ],
  ['time', 'us', `i'm busy at 3pm → - | i have a meeting at 3pm → - | 3pm is too late → - | 3pm is too early → - | 3pm is perfect → 15:00`],
  [
    'date',
    'br',
    `terça trabalho → - | terça estou ocupada → - | terça tô livre → 2026-12-01 | terça é ruim → - | terça fica difícil → - | terça tenho médico → -`,
  ],
  [
    'date',
    'mx',
    `el martes trabajo, mejor el jueves → - | el martes estoy ocupado, el jueves sí → 2026-12-03 | mañana muy temprano → 2026-11-29 | mañana temprano → 2026-11-29 | no estoy ocupado el martes → - | el martes después del trabajo → 2026-12-01
    es mi día libre, el martes → 2026-12-01`,
  ],
  ['date', 'us', `busy tuesday, thursday works → - | i'm busy tuesday but thursday is ok → -`],
  ['time', 'mx', `muy temprano, a las 6am → 06:00`],
  ['time', 'us', `do you close at 4pm? → - | I'll call at 4 pm → - | is 4pm ok? → 16:00 | eod → -`],
])('a %s, in %s', (kind, user, table) => {
  const input = Input.parse({ kind });
  const read = (text: string) => {
    const value = readAnswer({ text }, input, { get: (path) => getPath({ $user: users[user] }, path) }, nowMs);
    return JSON.stringify(value ?? '-').replaceAll('"', '');
  };
  const rows = table.split(/\n| \| /).map((row) => row.split('→').map((part) => part.trim()));
  expect(rows.map(([text = '']) => [text, read(text)])).toEqual(rows);
});

it('the last weekday of a name is one of the seven days before today, on each day of the week', () => {
  const spanish = ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo'];
  const english = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  for (let day = 0; day < 7; day += 1) {
    const atMs = Date.UTC(2026, 10, 23 + day, 12);
    for (const [index, name] of spanish.entries()) {
      const past = (text: string) => readAnswer({ text }, Input.parse({ kind: 'date' }), { get: () => undefined }, atMs);
      const back = ((day - index + 6) % 7) + 1;
      const wanted = new Date(atMs - back * 86_400_000).toISOString().slice(0, 10);
      expect([name, past(`el ${name} pasado`), past(`last ${english[index]}`)]).toEqual([name, wanted, wanted]);
    }
  }
});
