/** Parts of titles as people write them, and what a part must not choose. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findHalfTitle } from './half-title.ts';
import { findTitle } from './options.ts';

const choose = (titles: string, text: string): string =>
  findTitle(
    titles.split(' / ').map((title) => ({ title })),
    text,
  )?.title ?? '-';

describe('a part of a title', () => {
  it.each<[titles: string, table: string]>([
    [
      'Café con leche / Té verde / Jugo de maracuyá',
      `cafe → Café con leche | un café → Café con leche | con leche → Café con leche | te → Té verde | el del medio → Té verde | jugo porfa → Jugo de maracuyá
      no, mejor el jugo → Jugo de maracuyá | café no, té → Té verde | la opción número 3 → Jugo de maracuyá | la uno → Café con leche | dame la tres → Jugo de maracuyá
      el de arriba → Café con leche | the bottom one → Jugo de maracuyá | café y té → - | café o té → - | no quiero café → - | café sin leche → - | dos cafés → -
      café? → - | de → - | quiero → - | mejor → - | 2 → - | cafecito → - | te berde → Té verde`,
    ],
    [
      'Lunes 10:00 / Lunes 11:30 / Martes 10:00',
      `martes → Martes 10:00 | el martes a las 10 → Martes 10:00 | lunes 10 → Lunes 10:00 | 11:30 → Lunes 11:30 | la de las 11:30 → Lunes 11:30
      lunes → - | 10:00 → - | 10 → - | el 10 → - | el lunes a las 12 → - | lunes o martes → -`,
    ],
    [
      'Yape / Tarjeta de crédito / Efectivo / Hablar con un asesor',
      `pago con yape → Yape | voy a pagar con yape → Yape | con efectivo no, con tarjeta → Tarjeta de crédito | en efectivo → Efectivo | asesor → Hablar con un asesor
      quiero hablar con un asesor por favor → Hablar con un asesor | tarjeta de debito → - | yape o efectivo → - | ni yape ni efectivo → -`,
    ],
    [
      'Cancelar pedido / Ver mi saldo / No enviar',
      'cancelar → Cancelar pedido | pedido → - | mi pedido → - | saldo → Ver mi saldo | enviar → - | quiero enviar → - | ver → Ver mi saldo',
    ],
    ['Acepto los términos / Ver términos', 'ver → Ver términos | terminos → - | acepto → Acepto los términos'],
    ['Café con leche / Café sin leche', 'con leche → Café con leche | sin leche → Café sin leche | leche → - | café → -'],
    [
      'Plan Básico / Plan Pro / Plan Empresa',
      'pro → Plan Pro | ya, el pro nomás → Plan Pro | plan → - | el plan más barato → - | plan pro o básico → -',
    ],
    ['1 persona / 2 personas / 3 o más', 'la 2 → - | el 3 → - | dos personas → 2 personas'],
    ['Ya pagué / Pagar ahora', 'ya → - | ok → - | pagar → Pagar ahora | ya pague → Ya pagué'],
    [
      'Sí, confirmar / No, cancelar',
      'confirmar → Sí, confirmar | cancelar → No, cancelar | sí → Sí, confirmar | no → No, cancelar | no cancelar → No, cancelar',
    ],
    ['Sí, enviar / No, volver', 'sí → Sí, enviar | claro → Sí, enviar | no gracias → No, volver | sí, pero mañana → -'],
    [
      'Sí tengo cuenta / No tengo cuenta',
      'si → Sí tengo cuenta | no → No tengo cuenta | no tengo → No tengo cuenta | tengo → Sí tengo cuenta',
    ],
    ['Sí, hoy / Sí, mañana / No', 'sí → - | no → No | hoy → Sí, hoy'],
    ['No, gracias / Ver menú', 'no → No, gracias | sí → - | menu → Ver menú'],
    ['Azul / Claro', 'sí → - | no → -'],
    [
      'Opción A / Opción B / Opción C',
      'b → Opción B | la b → Opción B | a → Opción A | B) → Opción B | d → - | a o b → - | no b → - | opcion b → Opción B',
    ],
    ['Talla S / Talla M / Talla XL', 'xl → Talla XL | la m porfa → Talla M | talla → - | s → Talla S | l → -'],
    ['Кофе / Чёрный чай', 'чай → Чёрный чай'],
  ])('%s', (titles, table) => {
    const rows = table.split(/\n| \| /).map((row) => row.split('→').map((part) => part.trim()));
    expect(rows.map(([text = '']) => `${text} → ${choose(titles, text)}`)).toEqual(rows.map((row) => row.join(' → ')));
  });

  it('chooses an option that has every word which is no filler, alone, and never one that refuses what was said', () => {
    const word = fc.constantFrom('no', 'cancelar', 'enviar', 'pedido', 'azul', 'rojo', 'de', 'quiero', 'sin', 'leche', '10:00', '7');
    const title = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.uniqueArray(title, { minLength: 1, maxLength: 5 }), title, (titles, text) => {
        const found = findHalfTitle(
          titles.map((one) => ({ title: one })),
          text,
        )?.title;
        const has = (one: string): boolean =>
          text
            .split(' ')
            .every(
              (said) => one.replaceAll('10:00', '10').split(' ').includes(said.replace('10:00', '10')) || ['de', 'quiero'].includes(said),
            );
        if (found === undefined) return;
        expect(has(found)).toBe(true);
        for (const weighty of ['no', 'cancelar', 'sin']) expect(found.split(' ').includes(weighty)).toBe(text.split(' ').includes(weighty));
        // One that says nothing more than the text, but for what all titles say, is meant alone.
        const more = (one: string): boolean =>
          one
            .split(' ')
            .some((word) => word !== 'de' && !text.split(' ').includes(word) && !titles.every((other) => other.split(' ').includes(word)));
        const others = more(found) ? titles.filter((one) => one !== found && has(one)) : [];
        for (const other of others)
          expect(
            other
              .split(' ')
              .filter((one) => ['no', 'cancelar', 'sin'].includes(one))
              .some((one) => !text.split(' ').includes(one)) || text.split(' ').some((said) => !other.split(' ').includes(said)),
          ).toBe(true);
      }),
    );
  });
});
