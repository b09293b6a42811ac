/** What people say to a yes or a no and to a few options, in Spanish, English and Portuguese: the choice, or none (`-`), where they may mean another. */
import { expect, it } from 'vitest';
import { findTitle } from './options.ts';
import { readYesOrNo } from './yes-or-no.ts';

/** Rows `answer → wanted` that are read otherwise. */
const differences = (table: string, read: (text: string) => string): readonly string[] =>
  table
    .split(/\n| \| /)
    .filter((row) => row.trim() !== '')
    .flatMap((row) => {
      const [text = '', wanted = ''] = row.split('→').map((part) => part.trim());
      const value = read(text);
      return value === wanted ? [] : [`${text} → ${value}, not ${wanted}`];
    });

it.each<[language: string, table: string]>([
  [
    'Spanish',
    `sí → y | si → y | Sii → y | SI! → y | si. → y | claro → y | claro q si → y | claro que si → y | por supuesto → y | obvio → y | dale → y | va → y
    sale → y | órale → y | simón → y | ok → y | okas → - | okey → y | oki → y | listo → y | ya → y | bueno → y | está bien → y | de acuerdo → y
    perfecto → y | 👍 → y | 👍🏽 → y | 👍👍 → y | ✅ → y | 🙌 → - | 🙏 → - | ❤️ → - | 👎 → n | ❌ → n | 🚫 → - | no → n | No! → n | nop → n | nel → n
    nop gracias → n | no gracias → n | no, gracias → n | no por ahora → n | ahorita no → n | todavía no → n | aún no → n | para nada → n | jamás → n
    nunca → n | no quiero → n | no me interesa → n | ya no → n | no sé → - | tal vez → - | quizás → - | puede ser → - | depende → - | a lo mejor → -
    mmm → - | sí pero no → - | sí y no → - | no sé si → - | si quiero → y | sí quiero → y | sí acepto → y | acepto → y | no acepto → n | si confirmo → y
    confirmado → y | no confirmo → n | sí, confirmo → y | confirmar → y | cancelar → - | cancela → - | es correcto → y | correcto → y | incorrecto → n
    no es correcto → n | está mal → n | todo bien → y | todo mal → n | así es → y | exacto → y | eso → - | eso es → y | efectivamente → y | afirmativo → y
    negativo → n | ni modo → - | ni de broma → n | ni loca → n | qué va → n | cómo no → y | cómo no! → y | por qué no → y | sip → y | sep → y | yes → y
    yep → y | ajá → y | aja → y | simon → y | seguro → y | segura → y | no estoy seguro → - | sin duda → y | con gusto → y | me parece bien → y
    me late → y | va que va → y | jalo → - | sí señor → y | sí, gracias → y | gracias → - | hola → - | si si si → y | sisi → y | no no → n | nonono → n
    s → y | n → n | x → - | 1 → - | 2 → - | sí 😊 → y | no 😢 → n | 😊 → - | si?? → y | ¿sí? → y | no? → n | no... → n | sí... → y | sí, mañana → -
    no, mañana → - | no puedo → n | sí puedo → y | si puedo → y | no podré → n | claro que no → n | desde luego que no → n | desde luego → y
    no, para nada → n | no hay problema → - | no hay problema, sí → - | no importa → - | sí por favor → y | sí porfa → y | siiii → y | noooo → n | Zi → -
    sí, es mi número → - | sí soy yo → y | soy yo → y | no soy yo → n | no soy → n | yo no → n | yo sí → y | también → - | tampoco → n | ninguno → -
    ambos → - | ya va → - | espera, ya va → - | ya va! → - | seguro que no → n | seguro que sí → y | no tengo interés → n | sin problema → y | con todo gusto → y
    así mero → y | chévere → y | bacán → y | chido → y | oki doki → y | eso mismo → y | ya te dije que sí → y | ya te dije que no → n | já falei que sim → y | já disse que não → n | ya dije si → y | que sí hombre → y
    te dije que sí → y | le dije no → n | espera → - | dame un minuto → - | no entendí → - | número equivocado → - | ya lo hice → - | que no → n | va que va → y`,
  ],
  [
    'English',
    `yes → y | yess → y | yas → - | ya → y | yup → y | yeah → y | yea → y | sure → y | sure thing → y | of course → y | absolutely → y | definitely → y
    certainly → y | indeed → y | ok → y | okay → y | k → - | kk → - | fine → y | alright → y | go for it → y | for sure → y | no doubt → y | totally → y | yh → y | hold on → - | wrong number → - | all good → y | sounds good → y | go ahead → y
    let's go → y | let's do it → y | please do → y | yes please → y | yes pls → y | please → - | thanks → - | no → n | nope → n | nah → n | no thanks → n
    no thank you → n | not now → n | not yet → n | not really → n | no way → n | never → n | i don't → n | i do → y | i don't want to → n | i guess so → -
    i guess → - | maybe → - | perhaps → - | not sure → - | i'm not sure → - | idk → - | i don't know → - | that's right → y | that's correct → y
    that is not right → n | that's wrong → n | correct → y | not correct → n | right → y | wrong → n | true → y | false → n | yes but → - | yes and no → -
    hell yes → y | hell no → n | you bet → y | why not → y | whatever → - | don't → n | stop → - | cancel → - | confirm → y | confirmed → y
    i confirm → y | i agree → y | agreed → y | i disagree → n | disagree → n | accept → y | decline → n | reject → n | yes I can → y | I can't → n
    can't → n | cannot → n | no I can't → n | yes, tomorrow → - | it's me → y | that's me → y | not me → n | 💯 → - | 🆗 → y`,
  ],
  [
    'Portuguese',
    `sim → y | s → y | simm → y | claro → y | claro que sim → y | com certeza → y | isso → y | isso mesmo → y | isso aí → y | pode → y | pode sim → y
    quero → y | quero sim → y | não quero → n | beleza → y | blz → y | tá bom → y | ta bom → y | tá → y | ok → y | fechado → y | bora → y | certo → y
    correto → y | errado → n | não → n | nao → n | n → n | não, obrigado → n | nao obrigada → n | agora não → n | ainda não → n | nunca → n | jamais → n
    de jeito nenhum → n | claro que não → n | não sei → - | talvez → - | aceito → y | não aceito → n | confirmo → y | uhum → y | aham → y | positivo → y
    negativo → n | sim por favor → y | sim, pode → y | não pode → n | não posso → n | posso → y | tudo bem → y | tudo certo → y | tudo errado → n | é → -
    é isso → y | sou eu → y | não sou → n | eu não → n | eu sim → y | vamos → y | vamos lá → y | com prazer → y | sem dúvida → y | perfeito → y
    ótimo → y | show → - | joia → - | 👌 → y | não precisa → n | não, valeu → n | valeu → - | sim 😀 → y`,
  ],
  [
    'other languages, as the whole answer',
    `हाँ → y | हां! → y | जी हाँ → y | haan ji → y | ठीक है → y | नहीं → n | नही। → n | जी नहीं → n | nahi → n | हाँ, लेकिन कल → - | नहीं पता → - | نعم → y | نَعَم → y | أجل → y
    ايوه 👍 → y | لا → n | لأ → n | لا، شكرا → n | لا أعرف → - | نعم ولا → - | iya → y | ya, boleh → y | betul → y | tidak → n | tidak, terima kasih → n | nggak → n
    tidak tahu → - | mungkin → - | oui → y | d’accord → y | non merci → n | ja → - | jaja → - | nein → n | да → y | не знаю → - | はい。 → y | いいえ → n | 是的 → y | 不是 → n
    네 → y | 아니요 → n | evet → y | hayır → n`,
  ],
])('a yes, a no, or neither, in %s', (_, table) => {
  expect(differences(table, (text) => said(readYesOrNo(text)))).toEqual([]);
});

it.each<[titles: string, table: string]>([
  [
    'Rojo, Azul, Verde',
    `rojo → Rojo | ROJO! → Rojo | el rojo → Rojo | quiero el rojo → Rojo | rojo por favor → Rojo | rojito → - | rojo o azul → - | rojo no → - | no rojo → -
    el rojo no → - | ni rojo ni azul → - | azul, no rojo → Azul | rojo, mejor azul → Azul | el de color rojo → Rojo | la roja → - | color azul → Azul
    azul 💙 → Azul | 💙 azul → Azul | *azul* → Azul | "azul" → Azul | azul. → Azul | asul → - | azull → - | azuuul → - | el azul está bien → Azul
    me quedo con el azul → Azul | prefiero azul → Azul | el primero → Rojo | la primera → Rojo | el 1 → Rojo | opción 1 → Rojo | la opción 2 → Azul
    2da → Azul | el segundo → Azul | el último → Verde | el de enmedio → Azul | ninguno → - | todos → - | cualquiera → - | los dos → - | si azul → -
    sí, azul → Azul | azul? → Azul | tienen azul? → - | no me gusta el azul → - | odio el azul → - | menos el azul → - | todo menos azul → -
    azul gracias → Azul | gracias, azul → Azul | hola azul → Azul | buenos días, azul → Azul | uno azul → - | dame el azul → Azul | deme el azul porfa → Azul
    pues azul → Azul | creo que azul → Azul | yo creo que el azul → Azul | que sea azul → - | vamos con azul → - | va el azul → Azul | el azul pues → Azul
    A → - | r → -`,
  ],
  ['Sí, No', `1 → - | claro → Sí | no gracias → No | sí → Sí | si quiero → Sí | nel → No | 👍 → Sí | quizá → -`],
  [
    'Comprar, Vender, Hablar con un asesor',
    `comprar → Comprar | quiero comprar → Comprar | comprar uno → - | asesor → Hablar con un asesor | hablar con asesor → Hablar con un asesor
    quiero hablar con un asesor → Hablar con un asesor | hablar con un asesor por favor → Hablar con un asesor | vender no, comprar → Comprar
    no quiero comprar → - | quiero vender → Vender | necesito comprar → Comprar | me gustaría comprar → Comprar`,
  ],
  [
    'Mañana, Tarde, Noche',
    `mañana → Mañana | en la mañana → Mañana | por la mañana → Mañana | la tarde → Tarde | por la tarde → Tarde | en la noche → Noche`,
  ],
  ['Hoy, Mañana', `en la mañana → - | por la mañana → - | mañana → Mañana | hoy en la tarde → -`],
  ['Yes, No, Maybe later', `later → Maybe later | maybe → Maybe later | maybe later → Maybe later | nah → No | yep → Yes | not now → No`],
  [
    'Talk to a person, Track my order',
    `track → Track my order | track order → Track my order | I want to track my order → Track my order | talk to a human → - | track my order please → Track my order
    the first one → Talk to a person | second → Track my order | 2nd option → Track my order | the 2nd → Track my order | last one → Track my order
    number 2 → Track my order | option two → Track my order | order → Track my order | person → Talk to a person | my person → Talk to a person`,
  ],
])('one of %s', (titles, table) => {
  const options = titles.split(', ').map((title) => ({ title }));
  expect(differences(table, (text) => findTitle(options, text)?.title ?? '-')).toEqual([]);
});

it.each<[language: string, table: string]>([
  [
    'Spanish',
    `sí pero no hoy → - | no, porque estoy ocupado → n | sí porque lo necesito → y | no porque no puedo → n | no porque no quiera, sino porque no puedo → -
    sí porque mañana no puedo → y | sí, porque si no me cobran → - | ¿por qué? → - | y si digo que no? → - | ¿y si digo que no? → - | si digo que no → -
    jaja sí → y | jajaja no → n | sí jajaja → y | jsjs no → n | jaja → - | jajaja → - | ajá → y | aja → y | ay sí → y | ay no → n | obvio que no → n
    creo que sí → - | sí creo → - | nel pastel → n | noup → n | a huevo → y | no quiero cancelar → -
    no entiendo → - | no mames → - | qué? → - | quiero hablar con alguien → - | si se puede → - | si es posible → - | ninguna → - | me da igual → -`,
  ],
  [
    'Portuguese',
    `kkkk sim → y | kkk não → n | rsrs sim → y | kkkk → - | sim mas não hoje → - | não, porque estou ocupado → n | desculpa, sim → y`,
  ],
  [
    'English',
    `lol yes → y | haha no → n | hahaha → - | i think so → - | no because i'm busy → n | yes because i need it → y
    yes but not today → - | okay then → y | no idea → - | is it free? → - | i don't want to cancel → -`,
  ],
])('reasons, laughter and questions, in %s', (_, table) => {
  expect(differences(table, (text) => said(readYesOrNo(text)))).toEqual([]);
});

it.each<[titles: string, table: string]>([
  [
    'Confirmar, Cancelar',
    `confirmo → Confirmar | confirmado → Confirmar | confírmalo por favor → Confirmar | cancela → Cancelar | cancélalo → Cancelar | mejor cancelo → Cancelar
    ya cancelé → - | ya cancelado → - | no cancelo → - | no quiero cancelar → - | confirmo o cancelo → - | confirmo, no cancelo → Confirmar | cancele → -
    ¿cómo cancelo? → - | si cancelo me cobran → - | no cancelen → - | quiero que cancelen → - | nada → -`,
  ],
  [
    'Pagar ahora, Ver saldo, Cancelar pedido, Reservar',
    `pago ahora → Pagar ahora | cancela mi pedido → Cancelar pedido | reservo → Reservar | resérvame → Reservar | reservado → Reservar | pedido → -
    cómo reservo → - | reserva para 2 → -`,
  ],
  [
    'Agendar cita, Vender, Agenda del día',
    `agendo → Agendar cita | agéndame una cita → Agendar cita | agenda → Agenda del día | vendo → Vender`,
  ],
  [
    'Mañana, Tarde, Noche',
    `ya es tarde → - | más tarde → - | muy tarde → - | hasta mañana → - | te aviso mañana → - | mejor tarde → Tarde`,
  ],
  [
    'Friday, Monday, Lunes',
    `by friday → - | friday → Friday | on friday → Friday | until friday → - | from monday → - | hasta el lunes → - | antes del lunes → - | a partir del lunes → -
    el lunes → Lunes`,
  ],
  ['Más tarde, Ahora', `más tarde → Más tarde | mas tarde porfa → Más tarde`],
])('another form of a verb, and what is late, of %s', (titles, table) => {
  const options = titles.split(', ').map((title) => ({ title }));
  expect(differences(table, (text) => findTitle(options, text)?.title ?? '-')).toEqual([]);
});

const said = (answer: boolean | undefined): string => (answer === undefined ? '-' : answer ? 'y' : 'n');
