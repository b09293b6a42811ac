/**
 * How people choose from menus with their thumbs: mistyped, by sound, by number in words, by place, by picture, by the time or amount that a title is. In
 * doubt nothing is chosen (`-`): what is near two titles, or is a word of its own.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNumber, findTitle } from './options.ts';

const choose = (titles: readonly string[], text: string, isNumbered: boolean): string => {
  const options = titles.map((title) => ({ title }));
  return (findTitle(options, text) ?? findNumber(options, text, isNumbered))?.title ?? '-';
};

/** Titles, `#` where they are shown as numbered lines, and answers with what they choose. */
it.each<[titles: string, table: string]>([
  [
    'Ventas, Soporte, Facturación#',
    `vetnas → Ventas | ventaz → Ventas | bentas → Ventas | soprte → Soporte | suporte → Soporte | facturasion → Facturación
    facturacio → Facturación | factura → - | venta → Ventas | fact → - | dos → Soporte | el dos → Soporte | numero tres → Facturación
    2️⃣ → Soporte | la segunda opción → Soporte | el tercero → Facturación | la 3ra → Facturación | 3era → Facturación | opc 2 → Soporte
    op. 2 → Soporte | opcion dos → Soporte | "2" → Soporte | dos por favor → Soporte | la de soporte → Soporte | con soporte → Soporte
    4 → - | 0 → - | 2 y 3 → - | 1 o 2 → - | todas → - | ninguna → - | 22 → - | 1. → Ventas | uno → Ventas | la primera → Ventas
    la última → Facturación | penúltima → - | la del medio → Soporte | la de en medio → Soporte | a) → - | ii → - | segundo → Soporte
    2 - soporte → Soporte | 2. Soporte → Soporte | 2 soporte → Soporte | 1 soporte → -`,
  ],
  [
    'Sales, Support, Billing#',
    `suport → Support | suppport → Support | salse → Sales | biling → Billing | two → Support | number two → Support | the second → Support
    second one → Support | #2 → Support | no. 2 → Support | option b → - | 3rd → Billing | third → Billing | last → Billing
    the last one → Billing | neither → - | none → - | any → - | 2nd option please → Support | i pick 2 → - | I'd go with 2 → -
    number 2 pls → Support | 2!! → Support | sale → Sales | bill → - | support team → - | sup → -`,
  ],
  [
    'Vendas, Suporte, Financeiro#',
    `suprte → Suporte | soporte → Suporte | vendaz → Vendas | financero → Financeiro | dois → Suporte | o segundo → Suporte
    a segunda → Suporte | segunda opção → Suporte | opção 2 → Suporte | número 2 → Suporte | a última → Financeiro | terceiro → Financeiro
    2ª → Suporte | 2º → Suporte | 3a → Financeiro | o 3 → Financeiro | nenhum → - | qualquer → - | tanto faz → -`,
  ],
  [
    'Sí, No',
    `sii → Sí | síp → Sí | no gracias → No | nop → No | 👍 → Sí | 👎 → No | ✅ → Sí | ❌ → No | claro → Sí | s → Sí | n → No | sí sí → Sí
    ye → - | yes → Sí | nel → No | Si quiero → Sí | obvio que no → No | sí pero después → - | a veces → - | 👍🏾 → Sí | 🆗 → Sí | 💯 → -
    🙏 → - | si. gracias → Sí | Sí, claro. → Sí | Sí señorita → Sí | eh sí → Sí | este... sí → Sí | pues sí → Sí | yo creo que sí → -
    creo que no → - | supongo que sí → - | me temo que no → - | aja sí → Sí | no no → No | sí no → - | uh huh → Sí | ok sí → Sí | ✔️ → Sí
    ándale → Sí | ándale pues → Sí | joya → Sí | re sí → Sí | sisas → Sí | ni en pedo → No | ni ahí → No
    ☑️ → Sí | 🚫 → - | ✖️ → No | 👌 → Sí | 👍❤️ → - | 🤙 → - | 🙅‍♀️ → No | 🙆 → - | 😀 → - | Sí. → Sí`,
  ],
  [
    'Yes, No',
    `yas → - | yse → - | eys → - | noo → No | yep! → Yes | I think so → - | I guess → - | i don't think so → - | sure why not → Yes
    uh-huh → Yes | mhm → Yes | mm-hmm → Yes | nuh uh → No | nah I'm good → No | no thank you → No | yes ma'am → Yes | yes sir → Yes
    no sir → No | absolutely → Yes | not at all → No | that'd be great → Yes | that would be great → Yes | sounds great → Yes
    please do → Yes | not today → No | maybe later → - | Yes. → Yes | Yes, please. → Yes | Um, yes. → Yes | Well, no. → No
    Yeah, sure. → Yes | works for me → Yes | I'd rather not → No | rather not → No | no I'm not → No | hell no → No | uh-uh → No`,
  ],
  [
    'Plan Básico, Plan Básico Plus, Plan Premium, Plan Premium Plus',
    `basico → Plan Básico | el básico → Plan Básico | basico plus → Plan Básico Plus | premium → Plan Premium | plus → - | plan → -
    premiun → Plan Premium | premium + → Plan Premium Plus | el premium plus → Plan Premium Plus | plan basico → Plan Básico
    básico normal → -`,
  ],
  [
    'Lima Norte, Lima Sur, Lima Centro, Callao',
    `lima → - | norte → Lima Norte | nrote → Lima Norte | sur → Lima Sur | callo → Callao | cayao → Callao | lima sur por favor → Lima Sur
    centro de lima → Lima Centro | limasur → Lima Sur | norte o sur → - | en el sur → Lima Sur`,
  ],
  [
    'Talla S, Talla M, Talla L',
    `m → Talla M | la m → Talla M | M por favor → Talla M | mediana → - | L → Talla L | talla l → Talla L | tallam → Talla M | t. m → -
    n → -`,
  ],
  [
    '10:00, 10:30, 11:00, 16:00',
    `10 → - | las 10 → 10:00 | a las 10 → 10:00 | 10:30 → 10:30 | 10.30 → 10:30 | 1030 → 10:30 | 10 y media → 10:30 | las 10 y media → 10:30
    diez y media → 10:30 | 4pm → 16:00 | a las 4 → 16:00 | 4 de la tarde → 16:00 | 11am → 11:00 | a las once → 11:00 | 10h30 → 10:30
    10:30 am → 10:30 | 1 → - | la primera → 10:00`,
  ],
  [
    'Lunes 10:00, Lunes 15:00, Martes 10:00',
    `lunes → - | martes → Martes 10:00 | lunes 15 → Lunes 15:00 | lunes 3pm → Lunes 15:00 | lunes a las 3 → Lunes 15:00
    el lunes a las 10 → Lunes 10:00 | lunes 10am → Lunes 10:00 | lunes en la tarde → - | martes a las 11 → - | 15:00 → Lunes 15:00
    miércoles → -`,
  ],
  [
    'S/ 50, S/ 100, S/ 200',
    `50 → S/ 50 | 100 soles → S/ 100 | cien → S/ 100 | s/100 → S/ 100 | doscientos → S/ 200 | 150 → - | 1 → - | 50.00 → S/ 50 | S/50 → S/ 50
    cincuenta → S/ 50`,
  ],
  [
    '1 persona, 2 personas, 3 o más',
    `1 → 1 persona | 2 → 2 personas | dos → 2 personas | somos dos → 2 personas | 3 → 3 o más | 4 → 3 o más | somos 7 → 3 o más | 0 → - | 2.5 → - | 4 o 5 → - | tres → 3 o más | 3 o mas → 3 o más
    más de 3 → - | solo yo → - | una → 1 persona`,
  ],
  [
    'Menos de 18, 18 a 25, 26 a 40, Más de 40',
    `18 a 25 → 18 a 25 | 20 → 18 a 25 | tengo 20 años → 18 a 25 | veinte → 18 a 25 | 25 → 18 a 25 | 26 → 26 a 40 | 41 → Más de 40 | 17 → Menos de 18 | 25.5 → - | 2 → - | 20 y 30 → - | 18-25 → 18 a 25 | mas de 40 → Más de 40 | menos de 18 → Menos de 18 | 26-40 → 26 a 40 | 40 → 26 a 40 | +40 → -
    -18 → - | no tengo 20 → - | más de 30 → - | entre 18 y 25 → 18 a 25 | de 18 a 25 → 18 a 25`,
  ],
  [
    'Hasta 100, 100 a 200, 200 a 300, 300+',
    `50 → Hasta 100 | 100 → - | 150 → 100 a 200 | 200 → - | 300 → - | 301 → 300+ | 1000 soles → 300+`,
  ],
  [
    'Under 18, 18 to 30, Over 30',
    `I'm 25 → 18 to 30 | 25 years old → 18 to 30 | 31 → Over 30 | 30 → 18 to 30 | 17 → Under 18 | 25 or 26 → -`,
  ],
  [
    'Ventas, Soporte, Cobranza',
    `área de ventas → Ventas | soporte técnico → Soporte | pasar a cobranza → Cobranza | necesito soporte → Soporte | departamento de ventas → Ventas
    área → - | técnico → - | no necesito soporte → - | ventas y soporte → - | tengo un problema con ventas → - | un técnico de ventas y soporte → -`,
  ],
  [
    'Efectivo, Tarjeta, Transferencia',
    `con tarjeta de crédito → Tarjeta | tarjeta de débito → Tarjeta | transferencia bancaria → Transferencia | crédito → - | efectivo o tarjeta → - | sin tarjeta → -`,
  ],
  ['Cash, Card', `credit card → Card | I'll pay cash → Cash | debit card → Card | no credit card → -`],
  ['Crédito, Tarjeta', `crédito → Crédito | tarjeta de crédito → -`],
  ['Tarjeta de crédito, Tarjeta de débito', `tarjeta → - | crédito → Tarjeta de crédito | tarjeta de débito → Tarjeta de débito`],
  ['Tarjeta de crédito, Efectivo', `tarjeta de débito → - | tarjeta → Tarjeta de crédito`],
  ['Dinheiro, Cartão, Pix', `cartão de crédito → Cartão | dinheiro vivo → Dinheiro | não tenho cartão → -`],
  [
    'Yes, Another time, A person',
    `yes please → Yes | si, gracias → Yes | yep → Yes | ok → Yes | 👍 → Yes | sure → Yes | no → - | nope → - | another time → Another time | yes but later → -
    yes, another time → Another time | not now → -`,
  ],
  ['Sí, Hablar con alguien, Cancelar', `claro que sí → Sí | sip → Sí | no → - | sí, cancelar → Cancelar`],
  ['No, Agregar más', `nop → No | no gracias → No | sí → - | agregar → Agregar más`],
  ['Agregar más, Listo', `sí → - | ok → - | no → - | listo → Listo`],
  ['Sí, Sí pero mañana, Otro día', `claro → - | sí → Sí`],
  ['Ja, Nein', `ja → Ja | ja bitte → Ja | klar → Ja | natürlich → Ja | nein danke → Nein | nee danke → Nein | ja, aber später → -`],
  ['Oui, Non', `nan → Non | pas vraiment → Non | carrément → Oui | volontiers → Oui | oui mais demain → -`],
  ['Plan 10, Plan 20, Plan 30', `15 → - | 20 → Plan 20 | 40 → -`],
  [
    '🍕 Pizza, 🍔 Hamburguesa, 🌮 Tacos',
    `🍕 → 🍕 Pizza | 🌮 → 🌮 Tacos | 🍔🍔 → 🍔 Hamburguesa | 🍕🌮 → - | pizza → 🍕 Pizza | piza → - | pitza → 🍕 Pizza | tacos! → 🌮 Tacos
    taco → 🌮 Tacos | amburguesa → 🍔 Hamburguesa | hamburgesa → 🍔 Hamburguesa | burger → - | 🍣 → -`,
  ],
  [
    '😀 Bien, 😐 Regular, 😡 Mal',
    `😀 → 😀 Bien | 😡 → 😡 Mal | bien → 😀 Bien | mal → 😡 Mal | muy bien → - | muy mal → - | regular → 😐 Regular | más o menos → - | 😃 → -
    😐 → 😐 Regular`,
  ],
  [
    'Aceptar, Rechazar',
    `acpetar → Aceptar | acepto → Aceptar | asepto → - | rechaso → - | rechazo → Rechazar | no acepto → - | si → - | no → -
    recahzar → Rechazar | aseptar → Aceptar | 👍 → - | rechazarr → Rechazar`,
  ],
  ['Pagar, Apagar', `pagar → Pagar | apagar → Apagar | pagr → - | apagr → - | pago → Pagar`],
  [
    'Activar, Desactivar',
    `activar → Activar | desactivar → Desactivar | desactibar → Desactivar | activat → Activar | activo → Activar | dsactivar → -`,
  ],
  [
    'Confirmar cita, Cancelar cita',
    `confrmar → Confirmar cita | cancelr → Cancelar cita | confirmar → Confirmar cita | cancelar → Cancelar cita | cita → -
    confirmar sita → - | canselar → Cancelar cita`,
  ],
  ['Junio, Agosto', `julio → - | junio → Junio | agoto → Agosto | agosto → Agosto | Junho → -`],
  ['María, José', `mario → - | maria → María | jose → José`],
  ['Sesenta, Noventa', `setenta → - | sesenta → Sesenta`],
  ['Pedido, Factura', `perdido → - | pedodo → Pedido | mi pedido → Pedido | fatura → Factura | facturas → - | facturar → Factura`],
  ['Rojo, Roja, Azul', `roj → - | azl → - | asul → - | rojo → Rojo | azul oscuro → -`],
  ['Blanco, Negro, Gris', `banco → - | blnco → Blanco | branco → Blanco | negor → Negro | negra → -`],
  ['No enviar, Ver pedido', `enviar → - | envair → - | no envair → No enviar | enviar no → No enviar`],
  [
    'Casa central, Casa norte, Casa sur',
    `casa → - | central → Casa central | cetral → Casa central | la casa norte → Casa norte | la norte → Casa norte | casa sru → -`,
  ],
  [
    'Consulta general, Consulta genital, Consulta dental',
    `dental → Consulta dental | detal → Consulta dental | genral → - | general → Consulta general | consulta → -`,
  ],
  ['Colombia, Columbia', `columvia → - | colonbia → - | colombia → Colombia`],
  ['Plan 10, Plan 20, Plan 30', `plan 20 → Plan 20 | 20 → Plan 20 | el de 20 → Plan 20 | plan 2 → - | plan veinte → Plan 20 | 40 → -`],
  [
    'Azul marino, Azul cielo, Azul',
    `azul → Azul | azul marino → Azul marino | marino → Azul marino | el azul → Azul | azul claro → - | celeste → -
    azul sielo → Azul cielo`,
  ],
  [
    '9:00 am, 12:00 pm, 3:00 pm',
    `3pm → 3:00 pm | 15:00 → 3:00 pm | a las 3 → 3:00 pm | a las 9 → 9:00 am | mediodía → 12:00 pm | al mediodía → 12:00 pm | 9 → 9:00 am
    nueve am → 9:00 am | 9pm → - | después de las 3 → - | antes de las 12 → - | 3:30 → - | a las tres de la tarde → 3:00 pm
    a las 9 o a las 3 → - | nueve → 9:00 am | 3 → 3:00 pm | 10 → - | el 9 → 9:00 am`,
  ],
  ['8:00 am, 8:00 pm', `8 → - | 8 de la noche → 8:00 pm`],
  ['2:00 pm, 3:00 pm, 4:00 pm', `2 → - | 4 → 4:00 pm | 3 → -`],
  ['21:00', `nine → - | 9 → - | 21 → 21:00 | a las 9 → 21:00 | 9pm → 21:00`],
  ['Lunes 15:00, Martes 16:00', `3 → - | 15 → Lunes 15:00 | 4 → -`],
  [
    'S (chica), M (mediana), L (grande)',
    `m → M (mediana) | la m → M (mediana) | talla m → M (mediana) | L → L (grande) | xl → - | una l y una m → - | la grande → L (grande)`,
  ],
  ['A) Lima, B) Cusco, C) Piura', `b → B) Cusco | la b → B) Cusco | opción c → C) Piura | a → A) Lima | d → - | cusco → B) Cusco`],
  [
    'Confirmar cita, Cambiar cita, Cancelar cita',
    `sí confirmo → Confirmar cita | sí, cancelo → Cancelar cita | sí → - | claro, confirmo → Confirmar cita | deseo confirmar mi cita → Confirmar cita | sí no cancelar → -
    no confirmo → - | mañana confirmo → - | sí pero cambiar → -`,
  ],
  ['Sí confirmo, No puedo', `sí → Sí confirmo | sí puedo → Sí confirmo | no → No puedo`],
  [
    'Track order, Return item, Talk to agent',
    `speak to an agent → Talk to agent | live agent → Talk to agent | the agent never answered → -`,
  ],
  [
    'Ventas, Soporte, Hablar con un asesor',
    `comunícame con un asesor → Hablar con un asesor | tengo un problema → - | ya hablé con ventas → - | ventas no me contesta → -`,
  ],
  ['Something else, Nothing', `something → Something else`],
  ['Algo más, Otra cosa', `algo → Algo más`],
  [
    'Tengo una consulta, Tengo un reclamo, Otro',
    `consulta → Tengo una consulta | tengo → - | tengo otro → Otro | tengo un reclamo → Tengo un reclamo`,
  ],
  ['Live chat, Phone call', `live → Live chat | chat → Live chat | chat with someone → -`],
  ['Boleto, Pix, Cartão de crédito', `pode ser pix → Pix | só tenho boleto → - | não tenho pix → - | pix não, boleto → Boleto`],
  ['Martes 10:00, Lunes 15:00', `martes a las 3 → - | miércoles 3pm → - | a las 3 → Lunes 15:00 | lunes 10am → - | el lunes tipo 3 → -`],
  [
    '10 GB, 20 GB, 50 GB',
    `20 gigas → - | 20gb → 20 GB | 20 → 20 GB | el de 50 → 50 GB | veinte gb → 20 GB | 30 → - | más de 20 → - | al menos 20 gb → - | 5 → -
    de 10 → 10 GB`,
  ],
])('of %s', (named, table) => {
  const titles = named.replace('#', '').split(', ');
  const rows = table.split(/\n| \| /).map((row) => row.split('→').map((part) => part.trim()));
  expect(rows.map(([text = '']) => [text, choose(titles, text, named.endsWith('#'))])).toEqual(rows);
});

describe('a slip', () => {
  const title = fc.stringMatching(/^[a-z]{7,12}$/);
  const letter = fc.stringMatching(/^[a-z]$/);

  it('chooses the title that it is a slip of, or none', () => {
    fc.assert(
      fc.property(fc.uniqueArray(title, { minLength: 2, maxLength: 6 }), fc.nat(), fc.nat(), letter, (titles, nth, at, other) => {
        const meant = titles[nth % titles.length] ?? '';
        const place = 1 + (at % (meant.length - 1));
        const typed = meant.slice(0, place) + other + meant.slice(place + 1);
        const chosen = choose(titles, typed, false);
        // What is a word by itself may be another title by another rule, such as its beginning.
        expect(['-', meant, ...titles.filter((one) => one === typed)]).toContain(chosen);
      }),
    );
  });
});
