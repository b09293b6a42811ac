import type { Json } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { Message, type MessageInput, StrictMessage } from './message.ts';
import { type MessageType, messageTypes } from './channel.ts';

const refusals = (message: unknown, schema: typeof Message | typeof StrictMessage = Message) =>
  schema.safeParse(message).error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? [];
const places = (message: unknown, schema: typeof Message | typeof StrictMessage = Message) => [
  ...new Set(schema.safeParse(message).error?.issues.map((issue) => issue.path.join('.'))),
];

const file = 'https://files.example/a.png';
const menu = (options: readonly object[], more: object = {}) => ({ type: 'text', text: 'Choose', buttons: { ...more, options } });
const carousel = (cards: number, type = 'carousel') => ({
  type,
  text: 'Look',
  parameters: {
    cards: Array.from({ length: cards }, (_, card_index) => ({
      card_index,
      type: 'cta_url',
      header: { image: { link: file } },
      body: { text: 'One' },
      action: { name: 'cta_url', parameters: { display_text: 'Open', url: 'https://shop.example' } },
    })),
  },
});

/** The smallest message of each type. */
const smallest = {
  text: { type: 'text', text: 'Hi' },
  quick_reply: { type: 'quick_reply', text: 'Sure?', quick_replies: [{ title: 'Yes' }] },
  image: { type: 'image', mediaUrl: file },
  audio: { type: 'audio', mediaUrl: file },
  video: { type: 'video', mediaUrl: file },
  file: { type: 'file', mediaUrl: file },
  sticker: { type: 'sticker', mediaUrl: file },
  location: { type: 'location', coordinates: { lat: 0, long: 0 } },
  contacts: { type: 'contacts', contacts: [{}] },
  location_request: { type: 'location_request', text: 'Where?' },
  contact_info_request: { type: 'contact_info_request', text: 'Who?' },
  cta_url: { type: 'cta_url', title: 'T', text: 'Go', caption: 'C', parameters: { url: 'https://a.example', display_text: 'Open' } },
  voice_call: { type: 'voice_call', text: 'Call us', parameters: { display_text: 'Call' } },
  flow: { type: 'flow', title: 'T', text: 'Book', caption: 'C', parameters: {} },
  carousel: carousel(2) as Extract<MessageInput, { type: 'carousel' | 'CAROUSEL' }>,
} satisfies { readonly [Type in MessageType]: MessageInput };

describe('Message', () => {
  it.each(messageTypes)('accepts the smallest %s, and no less (MSG-07)', (type) => {
    const message = smallest[type];
    expect(Message.parse(message)).toMatchObject(message);
    for (const field of Object.keys(message)) expect(refusals({ ...message, [field]: undefined })).not.toEqual([]);
  });

  it.each(messageTypes)('is JSON in and out, here a %s', (type) => {
    const message: Json = Message.parse(smallest[type]);
    expect(JSON.parse(JSON.stringify(message))).toStrictEqual(message);
  });

  it('names the known types for an unknown one (MSG-04)', () => {
    expect(refusals({ type: 'telegram' })).toEqual([`type: "type" must be one of ${messageTypes.join(', ')}, and is the text "telegram"`]);
    expect(refusals({ text: 'Hi' })).toEqual([`type: "type" is missing: give one of ${messageTypes.join(', ')}`]);
  });

  it.each(['', ' ', '\n\t', '\u00a0'])('refuses the blank text %j (MSG-08)', (text) => {
    expect(refusals({ type: 'text', text })).toEqual(['text: "text" is blank: write at least one visible character']);
  });

  it('fills in what was left out (MSG-09, MSG-14, MSG-18, MSG-24, MSG-39)', () => {
    expect(Message.parse(menu([{ title: 'A' }, { title: 'B', payload: 'b' }, { title: 'C', payload: ' ' }]))).toStrictEqual({
      type: 'text',
      text: 'Choose',
      previewUrl: true,
      buttons: {
        buttonText: { type: 'text', text: 'Opciones' },
        options: [
          { title: 'A', payload: 'A' },
          { title: 'B', payload: 'b' },
          { title: 'C', payload: 'C' },
        ],
      },
    });
    expect(Message.parse(menu([{ title: 'A' }], { buttonText: { type: 'text' } }))).toMatchObject({
      buttons: { buttonText: { text: 'Opciones' } },
    });
    expect(Message.parse(smallest.file)).toMatchObject({ filename: 'a.png' });
    expect(Message.parse({ ...smallest.file, filename: 'b.png' })).toMatchObject({ filename: 'b.png' });
    for (const filename of ['', ' \t']) expect(Message.parse({ ...smallest.file, filename })).toMatchObject({ filename: 'a.png' });
    expect(Message.parse({ ...smallest.file, mediaUrl: 'https://files.example/', filename: '' })).not.toHaveProperty('filename');
    expect(Message.parse(smallest.flow)).toMatchObject({ parameters: { mode: 'published' } });
  });

  it.each([
    ['the number of options', 'buttons.options', 1, 10, (n: number) => menu(Array.from({ length: n }, (_, i) => ({ title: `${i}` })))],
    ['the title of an option', 'buttons.options.0.title', 1, 24, (n: number) => menu([{ title: '😀'.repeat(n) }])],
    ['its description', 'buttons.options.0.description', 0, 72, (n: number) => menu([{ title: 'A', description: '😀'.repeat(n) }])],
    ['the number of quick replies', 'quick_replies', 1, 3, (n: number) => quick(Array.from({ length: n }, (_, i) => ({ title: `${i}` })))],
    ['the title of a quick reply', 'quick_replies.0.title', 1, 20, (n: number) => quick([{ title: '😀'.repeat(n) }])],
    ['the title above them', 'title', 0, 20, (n: number) => quick([{ title: 'A' }], { title: '😀'.repeat(n) })],
    ['the number of cards', 'parameters.cards', 2, 10, (n: number) => carousel(n)],
  ])('holds %s, at %s, between %s and %s (LIM-02, LIM-03, MSG-15 to MSG-20, MSG-41)', (_, path, min, max, make) => {
    for (const n of [min, min + 1, max - 1, max]) expect(places(make(n))).toEqual([]);
    for (const n of [min - 1, max + 1].filter((n) => n >= 0)) expect(places(make(n))).toContain(path);
  });

  it('refuses payloads that repeat, a title standing in for one (MSG-18)', () => {
    const repeated = menu([{ title: 'A' }, { title: 'B' }, { title: 'C', payload: 'A' }]);
    expect(refusals(repeated)).toEqual([
      'buttons.options.2.payload: Items 1 and 3 have the same payload "A": give each option a payload of its own',
    ]);
    expect(
      refusals(
        menu([
          { title: 'A', payload: '1' },
          { title: 'A', payload: '2' },
        ]),
      ),
    ).toEqual([]);
    expect(places(quick([{ title: 'A' }, { title: 'A' }]))).toEqual(['quick_replies.1.title']);
  });

  it('accepts any number of contacts except none (MSG-27)', () => {
    expect(places({ type: 'contacts', contacts: [] })).toEqual(['contacts']);
    expect(places({ type: 'contacts', contacts: Array.from({ length: 500 }, () => ({})) })).toEqual([]);
  });

  it.each([
    [{ buttonText: { type: 'url', text: 'X' } }, 'buttons.buttonText.type'],
    [{ buttonText: { text: 'X' } }, 'buttons.buttonText.type'],
    [{ buttonText: { type: 'text', text: ' ' } }, 'buttons.buttonText.text'],
  ])('refuses the button %j at %s (MSG-14)', (more, path) => expect(places(menu([{ title: 'A' }], more))).toEqual([path]));

  it.each([
    [90, 180, []],
    [-90, -180, []],
    [90.000001, 0, ['coordinates.lat']],
    [-90.000001, 0, ['coordinates.lat']],
    [0, 180.000001, ['coordinates.long']],
    [0, -180.000001, ['coordinates.long']],
    [Number.NaN, Number.POSITIVE_INFINITY, ['coordinates.lat', 'coordinates.long']],
    ['1', '2', ['coordinates.lat', 'coordinates.long']],
  ])('judges the place %s, %s: %j (MSG-26)', (lat, long, expected) => {
    expect(places({ type: 'location', coordinates: { lat, long } })).toEqual(expected);
  });

  it('accepts longitude as "long" alone (MSG-26)', () => {
    expect(places({ type: 'location', coordinates: { lat: 1, lng: 2 } })).toEqual(['coordinates.long']);
  });

  it.each([
    ['+5215512345678', '+5215512345678'],
    ['5215512345678', '+5215512345678'],
    ['12', '+12'],
    ['123456789012345', '+123456789012345'],
    ['1234567890123456', undefined],
    ['+0123', undefined],
    ['++521', undefined],
    ['521 55', undefined],
    ['call me', undefined],
    ['', undefined],
  ])('makes of the phone %j in a contact %j (MSG-32)', (phone, expected) => {
    const parsed = Message.safeParse({ type: 'contacts', contacts: [{ phones: [{ phone, wa_id: phone }] }] });
    const outcome = parsed.data ?? parsed.error?.issues.map((issue) => issue.path.join('.'));
    const normalised = { type: 'contacts', contacts: [{ phones: [{ phone: expected, wa_id: phone }] }] };
    expect(outcome).toEqual(expected === undefined ? ['contacts.0.phones.0.phone'] : normalised);
  });

  it.each([
    ['ana@example.com', true],
    ['ana.b+c@mail.example.com', true],
    ['ana', false],
    ['ana@', false],
    ['a b@example.com', false],
    ['', false],
  ])('judges the e-mail address %j: %s (MSG-30)', (email, isTaken) => {
    expect(places({ type: 'contacts', contacts: [{ emails: [{ email }] }] })).toEqual(isTaken ? [] : ['contacts.0.emails.0.email']);
  });

  it('accepts every field of a contact (MSG-28 to MSG-31)', () => {
    const contact = {
      name: { formatted_name: 'Ana B', first_name: 'Ana', last_name: 'B', middle_name: '' },
      phones: [{ phone: '+521', type: 'HOME', wa_id: '521' }, {}],
      emails: [{ email: 'ana@example.com', type: 'WORK' }, {}],
      addresses: [{ street: 'S', city: 'C', state: 'S', zip: 'Z', country: 'MX', country_code: 'mx', type: 'HOME' }, {}],
    };
    expect(StrictMessage.parse({ type: 'contacts', contacts: [contact] })).toEqual({ type: 'contacts', contacts: [contact] });
  });

  it.each(['https://a.example/x', 'http://a.example'])('lets a button open %s (MSG-35)', (url) => {
    expect(refusals({ ...smallest.cta_url, parameters: { url, display_text: 'Open' } })).toEqual([]);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'a.example', ''])('lets no button open %j (MSG-35)', (url) => {
    expect(places({ ...smallest.cta_url, parameters: { url, display_text: 'Open' } })).toEqual(['parameters.url']);
  });

  it.each([
    ['draft', true],
    ['published', true],
    ['live', false],
  ])('judges the mode %j of a flow: %s (MSG-39)', (mode, isTaken) => {
    expect(places({ ...smallest.flow, parameters: { mode } })).toEqual(isTaken ? [] : ['parameters.mode']);
  });

  it('reads CAROUSEL as carousel, and numbers its cards once (MSG-41)', () => {
    expect(Message.parse(carousel(2, 'CAROUSEL'))).toEqual(Message.parse(carousel(2)));
    const { parameters, ...rest } = carousel(2);
    const twins = parameters.cards.map((card) => ({ ...card, card_index: 3 }));
    expect(places({ ...rest, parameters: { cards: twins } })).toEqual(['parameters.cards.1.card_index']);
  });

  it('leaves unknown fields aside, deep down too (GEN-07)', () => {
    expect(Message.parse({ ...menu([{ title: 'A', colour: 'red' }]), userId: '521', font: 1 })).toEqual(
      Message.parse(menu([{ title: 'A' }])),
    );
  });
});

describe('StrictMessage', () => {
  it.each([
    [{ ...smallest.text, txet: 1 }, ': The message has no field "txet"; did you mean "text"?'],
    [{ ...smallest.text, userId: '521' }, ': The message has no field "userId": remove it, or use one of type, text, previewUrl, buttons'],
    [
      menu([{ title: 'A', colour: 'red' }]),
      'buttons.options.0: "buttons.options[0]" has no field "colour": remove it, or use one of title, description, payload',
    ],
    [
      JSON.parse('{"type":"audio","mediaUrl":"https://a.example/x","__proto__":{}}'),
      ': The message has no field "__proto__": remove it, or use one of type, mediaUrl',
    ],
  ])('refuses %j (GEN-07)', (message, saying) => expect(refusals(message, StrictMessage)).toEqual([saying]));

  it('accepts an expression in place of any value (MSG-16, MED-01, MSG-26)', () => {
    const long = `{{$context.order.items.map(item, item.name).join(", ")}} and more`;
    const messages = [
      { type: 'text', text: '{{$context.greeting}}', previewUrl: '{{$context.preview}}' },
      menu([
        { title: long, payload: 'a' },
        { title: 'B', description: `${long}${long}` },
      ]),
      quick([{ title: long }], { title: long }),
      { type: 'image', mediaUrl: '{{$webhook.order.body.photo}}', text: long },
      { type: 'file', mediaUrl: 'https://files.example/{{$context.id}}.pdf' },
      { type: 'location', coordinates: { lat: '{{$context.lat}}', long: ' {{$context.long}} ' } },
      { type: 'contacts', contacts: [{ phones: [{ phone: '{{$user.phone}}' }], emails: [{ email: '{{$context.email}}' }] }] },
      { ...smallest.cta_url, parameters: { url: 'https://shop.example/{{$context.id}}', display_text: 'Open' } },
    ];
    for (const message of messages) {
      expect(refusals(message, StrictMessage)).toEqual([]);
      const authored: Json = StrictMessage.parse(message);
      expect(StrictMessage.parse(authored)).toEqual(authored);
    }
  });

  it('derives no file name from a computed URL (MSG-24)', () => {
    expect(StrictMessage.parse({ type: 'file', mediaUrl: 'https://files.example/{{$context.id}}.pdf' })).not.toHaveProperty('filename');
  });

  it.each(['5', '{{a}} b', 'b {{a}}', ''])('accepts no %j as a number', (lat) => {
    expect(refusals({ type: 'location', coordinates: { lat, long: 0 } }, StrictMessage)).toEqual([
      `coordinates.lat: "coordinates.lat" must be a number from -90 to 90, or one {{ expression }}, and is the text ${JSON.stringify(lat)}`,
    ]);
  });

  it('is the only dialect with expressions', () => {
    expect(places({ type: 'image', mediaUrl: '{{$context.photo}}' })).toEqual(['mediaUrl']);
    expect(places({ type: 'location', coordinates: { lat: '{{a}}', long: '{{b}}' } })).toEqual(['coordinates.lat', 'coordinates.long']);
  });
});

function quick(quick_replies: readonly object[], more: object = {}) {
  return { type: 'quick_reply', text: 'Sure?', ...more, quick_replies };
}
