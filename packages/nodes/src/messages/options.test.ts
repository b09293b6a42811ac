import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Message, StrictMessage } from './message.ts';
import { chosenOption, optionsOf } from './options.ts';

const menu = Message.parse({
  type: 'text',
  text: 'Choose',
  buttons: {
    options: [{ title: 'Sí', payload: 'yes' }, { title: 'Si' }, { title: 'Mañana', payload: 'later' }, { title: 'yes', payload: 'word' }],
  },
});
const question = Message.parse({ type: 'quick_reply', text: 'Sure?', quick_replies: [{ title: 'Yes' }, { title: 'No' }] });

describe('optionsOf', () => {
  it('names a port by the payload, or by the title without one (MSG-18)', () => {
    expect(optionsOf(menu).map(({ port }) => port)).toEqual(['yes', 'Si', 'later', 'word']);
    expect(optionsOf(question)).toEqual([
      { port: 'Yes', title: 'Yes', payload: 'Yes' },
      { port: 'No', title: 'No', payload: 'No' },
    ]);
  });

  it('finds none in a message that offers none', () => {
    expect(optionsOf(Message.parse({ type: 'text', text: 'Hi' }))).toEqual([]);
    expect(optionsOf(Message.parse({ type: 'location_request', text: 'Where?' }))).toEqual([]);
  });

  it('keeps the order of a canvas once its titles are rendered, so that ports are found by position', () => {
    const authored = StrictMessage.parse({
      type: 'quick_reply',
      text: '?',
      quick_replies: [{ title: '{{$context.first}}' }, { title: 'No' }],
    });
    expect(optionsOf(authored).map(({ port }) => port)).toEqual(['{{$context.first}}', 'No']);
  });
});

describe('chosenOption', () => {
  const port = (reply: { text?: string; payload?: string }) => chosenOption(menu, reply)?.port;

  it('chooses by payload before text', () => expect(port({ payload: 'later', text: 'Sí' })).toBe('later'));
  it('never matches a text with a payload', () => expect(port({ text: 'later' })).toBeUndefined());
  it('falls back to the text when the payload is of another message', () => expect(port({ payload: 'old', text: 'Mañana' })).toBe('later'));
  it('prefers the title that is the same letter by letter', () => {
    expect(port({ text: 'Si' })).toBe('Si');
    expect(port({ text: 'Sí' })).toBe('yes');
  });
  it.each(['MAÑANA', ' mañana ', 'manana', 'man\u0303ana', 'MANANA\n'])('matches %j with "Mañana"', (text) =>
    expect(port({ text })).toBe('later'),
  );
  it.each([
    ['दिन', 'दान'],
    ['はい', 'ばい'],
  ])('distinguishes %j from %j: their marks are no accents', (first, second) => {
    const asked = Message.parse({ type: 'quick_reply', text: '?', quick_replies: [{ title: first }, { title: second }] });
    expect(chosenOption(asked, { text: ` ${second} ` })?.title).toBe(second);
  });
  it.each(['', 'maña', 'tomorrow'])('matches nothing with %j', (text) => expect(port({ text })).toBeUndefined());
  describe('what people write around an option, and in its place', () => {
    const asked = (...titles: readonly string[]) =>
      Message.parse({ type: 'quick_reply', text: '?', quick_replies: titles.map((title) => ({ title })) });
    it.each<[text: string, title: string | undefined]>([
      ['sí, por favor', 'Sí'],
      ['Si porfa!', 'Sí'],
      ['claro', 'Sí'],
      ['claro que sí', 'Sí'],
      ['si acepto', 'Sí'],
      ['sisisi', 'Sí'],
      ['ta bien', 'Sí'],
      ['me interesa', 'Sí'],
      ['no me interesa', 'No'],
      ['creo que sí', undefined],
      ['espera, mejor no', 'No'],
      ['wait, yes', 'Sí'],
      ['espera', undefined],
      ['no, espera', undefined],
      ['yeah right', undefined],
      ['I think so', undefined],
      ['ya', 'Sí'],
      ['siiii', 'Sí'],
      ['yesss', 'Sí'],
      ['está bien', 'Sí'],
      ['sí, quiero', 'Sí'],
      ['👌', 'Sí'],
      ['ya no', 'No'],
      ['no acepto', 'No'],
      ['no está bien', 'No'],
      ['aún no', 'No'],
      ['por ahora no', 'No'],
      ["no, I don't", 'No'],
      ['nooo', 'No'],
      ['ok no', undefined],
      ['ahora', undefined],
      ['quiero pagar', undefined],
      ['no problem', undefined],
      ['yes please', 'Sí'],
      ['dale 👍', 'Sí'],
      ['👍🏽', 'Sí'],
      ['ok', 'Sí'],
      ['no gracias', 'No'],
      ['nop', 'No'],
      ['claro que no', 'No'],
      ['👎', 'No'],
      ['sí, pero mañana', undefined],
      ['no sé', undefined],
      ['sí o no?', undefined],
      ['gracias', undefined],
    ])('a yes and a no: %j is %s', (text, title) => expect(chosenOption(asked('Sí', 'No'), { text })?.title).toBe(title));

    it('a yes and a no as they are said beside other words', () => {
      const table: Readonly<Record<string, string>> = {
        Sí: "desde luego|como no|hola, si|Buenas tardes, sí por favor|sí señor|ajá|si, adelante|sale y vale|me gustaría|si tengo|todo bien|tá bom|blz|alright|that works|let's do it|no, mejor si|no, perdón, sí|no digo sí|why not",
        No: "🙅|no es correcto|está mal|that's wrong|no tengo|no puedo|no estoy interesado|por el momento no|not today|definitely not|de jeito nenhum|ni loco|si, mejor no|sí, perdón, no|sí, digo no",
        '': 'ok no|no estoy seguro|no está mal|de nada|si no|sí y no|y?|tudo bem?|si, que?|no hay problema|no quiero pagar|sí no',
      };
      for (const [title, texts] of Object.entries(table))
        for (const text of texts.split('|')) expect([text, chosenOption(asked('Sí', 'No'), { text })?.title ?? '']).toEqual([text, title]);
    });

    it('one of several options as people choose it', () => {
      const table: Readonly<Record<string, string>> = {
        Rojo: 'el rojo|la primera|el primero|first|primeira opção|rojo, mejor',
        Azul: "quiero el azul|no, el azul mejor|mejor azul|hola, azul|prefiero el azul porfa|me das el azul por favor|I'll take azul|azul xfa|no sé, azul|el segundo|la segunda|segundo|the second one|the 2nd|2do|opción 2|rojo no, azul|rojo, no, azul|rojo perdón azul|azul, no rojo|azul en vez de rojo|la primera no, la segunda|no el rojo, el azul",
        'Verde oscuro':
          'el último|la última|the last one|tercera opción|verde  oscuro|verde|el verde|el de abajo|la 3|dame la tres|opción número 3',
        '': 'rojo o azul|rojo y azul|no rojo|rojo no|ninguno|cualquiera|azulado|verde?|verdes|no verde|verde claro|el 4|el 2 o el 3|la cuarta|la segunda vez|un momento|por favor|2|quiero',
      };
      for (const [title, texts] of Object.entries(table))
        for (const text of texts.split('|'))
          expect([text, chosenOption(asked('Rojo', 'Azul', 'Verde oscuro'), { text })?.title ?? '']).toEqual([text, title]);
      const classes = asked('Primera clase', 'Clase turista', 'Segunda clase');
      expect(chosenOption(classes, { text: 'la segunda' })?.title).toBe('Segunda clase');
      expect(chosenOption(asked('Segunda', 'Terça'), { text: 'a segunda' })?.title).toBe('Segunda');
      expect(chosenOption(asked('1 persona', '2 personas'), { text: 'dos personas' })?.title).toBe('2 personas');
    });

    it.each<[text: string, title: string | undefined]>([
      ['azul por favor', 'Azul'],
      ['please, azul', 'Azul'],
      ['Azul, gracias.', 'Azul'],
      ['claro', 'Claro'],
      ['sí', undefined],
      ['azul claro', undefined],
    ])('colours: %j is %s', (text, title) => expect(chosenOption(asked('Azul', 'Claro', 'Gracias'), { text })?.title).toBe(title));

    it.each<[text: string, title: string | undefined]>([
      ['dos', 'Si'],
      ['la dos', 'Si'],
      ['opción dos', 'Si'],
      ['la 2 por favor', 'Si'],
      ['el 3', 'Mañana'],
      ['two please', 'Si'],
      ['uno', 'Sí'],
      ['dos cosas', undefined],
    ])('numbered lines: %j is %s', (text, title) => expect(chosenOption(menu, { text }, 'twitter')?.title).toBe(title));
  });

  it.each<[string, string | undefined]>([
    ['2', 'Si'],
    [' 3. ', 'later'],
    ['4)', 'word'],
    ['0', undefined],
    ['5', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['02', 'Si'],
    ['2 or 3', undefined],
  ])('matches %j with the option of that number when options are numbered, and otherwise with none', (text, expected) => {
    expect(chosenOption(menu, { text }, 'twitter')?.port).toBe(expected);
    expect(chosenOption(menu, { text }, 'whatsapp')).toBeUndefined();
  });
  it('prefers a title that is a number to the place', () => {
    const asked = Message.parse({ type: 'quick_reply', text: 'How many?', quick_replies: [{ title: '2' }, { title: '1' }] });
    expect(chosenOption(asked, { text: '1' }, 'twitter')?.title).toBe('1');
  });
  it('matches nothing with a reply without text', () => expect(port({})).toBeUndefined());
  it('matches nothing without options', () => {
    expect(chosenOption(Message.parse({ type: 'text', text: 'Hi' }), { text: 'Hi', payload: 'Hi' })).toBeUndefined();
  });

  it('finds every option by its own payload, and by its title however it is cased', () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[a-zñáé]{1,12}$/), { minLength: 1, maxLength: 3, selector: plain }),
        fc.nat(),
        (titles, at) => {
          const asked = Message.parse({ type: 'quick_reply', text: '?', quick_replies: titles.map((title) => ({ title })) });
          const title = titles[at % titles.length] ?? '';
          expect(chosenOption(asked, { payload: title })?.title).toBe(title);
          expect(chosenOption(asked, { text: ` ${title.toUpperCase()} ` })?.title).toBe(title);
        },
      ),
    ));
});

const plain = (title: string): string => title.replaceAll('ñ', 'n').replaceAll('á', 'a').replaceAll('é', 'e');
