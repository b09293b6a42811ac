import { unseenInName } from '@hilo/engine/contract';
import type { MessageInput, MessageType } from '@hilo/nodes';
import fc from 'fast-check';
import { codePoint } from './code-point.ts';

/** The input of a type of message; a carousel's type may be in capitals. */
type Of<Type extends MessageType> = Extract<MessageInput, { type: Type | Uppercase<Type> }>;
type Carousel = Of<'carousel'>;

const isVisible = (text: string): boolean => text.trim() !== '' && !text.includes('{{');

/** A text without expressions, of any script, including surrogate pairs and NUL. Lengths are in code points. */
export const messageText = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength, size: 'max' }),
      fc.string({ unit: codePoint, minLength: 1, maxLength, size: 'max' }),
    )
    .filter(isVisible);

/** A text that a canvas has as a name, such as the title of a choice: it holds nothing that nobody sees. */
const nameText = (maxLength: number): fc.Arbitrary<string> => messageText(maxLength).filter((name) => unseenInName(name) === undefined);

const words = messageText(60);
const optionalWords = fc.oneof(words, fc.constantFrom('', ' '));
const nameWords = nameText(60);
const optionalName = fc.oneof(nameWords, fc.constantFrom('', ' '));

/** A part of an address, as it is and percent-encoded: `fc.webUrl` makes a table of all Unicode for it, a second for each process. */
const urlPart = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9._~!$&'()*+,;=:@-]{1,20}$/),
  fc.string({ unit: codePoint, minLength: 1, maxLength: 8 }).map(encodeURIComponent),
);

/** An address a file may have (MED-01). */
const fileUrl: fc.Arbitrary<string> = fc
  .record({
    host: fc.oneof(fc.domain(), fc.constantFrom('files.example', 'a.b-c.example:8443')),
    path: fc.array(urlPart, { maxLength: 5 }),
    query: fc.option(urlPart),
    fragment: fc.option(urlPart),
  })
  .map(({ host, path, query, fragment }) => {
    const tail = `${query === null ? '' : `?${query}`}${fragment === null ? '' : `#${fragment}`}`;
    return `https://${host}/${path.join('/')}${tail}`;
  })
  .filter((url) => url.length <= 2048 && !url.includes('{{'));

const option = fc.record(
  { title: nameText(24), description: fc.oneof(messageText(72), fc.constant('')), payload: optionalWords },
  { requiredKeys: ['title'] },
);
const payloadOf = ({ title, payload = '' }: { readonly title: string; readonly payload?: string }) =>
  payload.trim() === '' ? title : payload;

const buttons = fc.record(
  {
    title: optionalWords,
    buttonText: fc.record({ type: fc.constant('text' as const), text: nameWords }, { requiredKeys: ['type'] }),
    options: fc.uniqueArray(option, { minLength: 1, maxLength: 10, selector: payloadOf }),
  },
  { requiredKeys: ['options'] },
);

const phone = fc.stringMatching(/^\+?[1-9][0-9]{1,14}$/);
const email = fc.stringMatching(/^[a-z0-9]{1,10}@[a-z0-9]{1,10}\.(com|mx)$/);
const line = optionalWords;

const contact = fc.record(
  {
    name: fc.record({ formatted_name: line, first_name: line, last_name: line, middle_name: line }, { requiredKeys: [] }),
    phones: fc.array(fc.record({ phone, type: line, wa_id: line }, { requiredKeys: [] }), { maxLength: 2 }),
    emails: fc.array(fc.record({ email, type: line }, { requiredKeys: [] }), { maxLength: 2 }),
    addresses: fc.array(
      fc.record({ street: line, city: line, state: line, zip: line, country: line, country_code: line, type: line }, { requiredKeys: [] }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
);

const card = fc.record({
  type: fc.constant('cta_url' as const),
  header: fc.record({ image: fc.record({ link: fileUrl }) }),
  body: fc.record({ text: words }),
  action: fc.record({ name: fc.constant('cta_url' as const), parameters: fc.record({ display_text: nameWords, url: fileUrl }) }),
});
const cards: fc.Arbitrary<Carousel['parameters']['cards']> = fc
  .array(card, { minLength: 2, maxLength: 10 })
  .map((cards) => cards.map((card, card_index) => ({ ...card, card_index })));

const type = <Type extends MessageType>(type: Type): fc.Arbitrary<Type> => fc.constant(type);
const degrees = (max: number): fc.Arbitrary<number> => fc.double({ min: -max, max, noNaN: true }).map((angle) => angle + 0); // no -0: JSON has none

/** Valid messages of each type, without expressions: {@link Message} and {@link StrictMessage} both take them. */
export const messageOf: { readonly [Type in MessageType]: fc.Arbitrary<Of<Type>> } = {
  text: fc.record({ type: type('text'), text: messageText(300), previewUrl: fc.boolean(), buttons }, { requiredKeys: ['type', 'text'] }),
  quick_reply: fc.record(
    {
      type: type('quick_reply'),
      text: words,
      title: fc.oneof(messageText(20), fc.constant('')),
      quick_replies: fc.uniqueArray(nameText(20), { minLength: 1, maxLength: 3 }).map((titles) => titles.map((title) => ({ title }))),
    },
    { requiredKeys: ['type', 'text', 'quick_replies'] },
  ),
  image: fc.record({ type: type('image'), mediaUrl: fileUrl, text: optionalWords }, { requiredKeys: ['type', 'mediaUrl'] }),
  audio: fc.record({ type: type('audio'), mediaUrl: fileUrl }),
  video: fc.record({ type: type('video'), mediaUrl: fileUrl, text: optionalWords }, { requiredKeys: ['type', 'mediaUrl'] }),
  file: fc.record(
    { type: type('file'), mediaUrl: fileUrl, text: optionalWords, filename: optionalName },
    { requiredKeys: ['type', 'mediaUrl'] },
  ),
  sticker: fc.record({ type: type('sticker'), mediaUrl: fileUrl }),
  location: fc.record({ type: type('location'), coordinates: fc.record({ lat: degrees(90), long: degrees(180) }) }),
  contacts: fc.record({ type: type('contacts'), contacts: fc.array(contact, { minLength: 1, maxLength: 3 }) }),
  location_request: fc.record({ type: type('location_request'), text: words }),
  contact_info_request: fc.record({ type: type('contact_info_request'), text: words }),
  cta_url: fc.record({
    type: type('cta_url'),
    title: words,
    text: words,
    caption: words,
    parameters: fc.record({ url: fileUrl, display_text: nameWords }),
  }),
  voice_call: fc.record(
    { type: type('voice_call'), header: optionalWords, text: words, parameters: fc.record({ display_text: nameWords }) },
    { requiredKeys: ['type', 'text', 'parameters'] },
  ),
  flow: fc.record({
    type: type('flow'),
    title: words,
    text: words,
    caption: words,
    parameters: fc.record(
      {
        flow_id: line,
        flow_name: line,
        flow_cta: optionalName,
        flow_action: fc.constantFrom('navigate', 'data_exchange'),
        flow_action_payload: fc.record({ screen: line }, { requiredKeys: [] }),
        flow_message_version: fc.constant('3'),
        mode: fc.constantFrom('draft' as const, 'published' as const),
      },
      { requiredKeys: [] },
    ),
  }),
  carousel: fc.record({
    type: fc.constantFrom('carousel' as const, 'CAROUSEL' as const),
    text: words,
    parameters: fc.record({ cards }),
  }),
};

/** A valid message of any type. */
export const message: fc.Arbitrary<MessageInput> = fc.oneof(...Object.values(messageOf));
