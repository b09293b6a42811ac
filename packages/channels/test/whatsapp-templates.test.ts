import type { Json, JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChannelTemplate } from '../src/channel-adapter.ts';
import { whatsappChannel } from '../src/whatsapp/index.ts';
import { templateParameters } from '@hilo/nodes/effects';
import { channelAdapters } from '../src/index.ts';
import { schemaOf } from './schemas.ts';
import { outbound, provider } from './stage.ts';

const fields = { phoneNumberId: '1', accessToken: 'EAAB', appSecret: 'shh', verifyToken: 'right' };
const channel = whatsappChannel.connect({ companyId: '1', id: 'bot', channel: 'whatsapp', userIdFormat: 'strict' }, fields);
const problemsOf = schemaOf('whatsapp.messages.request');

/** Sends a template with these values. */
async function send(template: ChannelTemplate, parameters: JsonObject) {
  if ('unfitFields' in channel) throw new Error(channel.unfitFields.join());
  const { host, calls } = provider(200, { messages: [{ id: 'wamid.1' }] });
  const result = await channel.send(outbound({ type: 'template', parameters }, { template }), host);
  const [call] = calls;
  return { result, body: call === undefined ? undefined : (JSON.parse(String(call.body)) as JsonObject) };
}

const templateWith = (components: Json): ChannelTemplate => ({
  elementName: 'order_ready',
  language: 'es_MX',
  category: 'UTILITY',
  body: undefined,
  components: components as ChannelTemplate['components'],
});

it('of a kind that can never be sent is known without its values', () => {
  const refusal = (components: Json) => whatsappChannel.templateRefusal(templateWith(components));
  const body = { type: 'BODY', text: 'Hi {{1}}, {{total}}' };
  expect(refusal([{ type: 'HEADER', format: 'PRODUCT' }, body])).toContain('the format "product"');
  expect(refusal([{ type: 'HEADER', format: 'TEXT', text: '{{1}} {{2}}' }, body])).toContain('2 places, and WhatsApp takes one');
  for (const format of ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'])
    expect(refusal([{ type: 'HEADER', format, text: 'For {{name}}' }, body])).toBeUndefined();
  const buttons = ['https://a.io/{{1}}', 'https://a.io'].map((url) => ({ type: 'URL', text: 'Track', url }));
  const others = [{ type: 'COPY_CODE' }, { type: 'QUICK_REPLY', payload: 'ORDER-{{id}}' }, { type: 'QUICK_REPLY', payload: 'STOP' }];
  expect(refusal([body, { type: 'BUTTONS', buttons: [...buttons, ...others] }])).toBeUndefined();
});

it('can be sent by WhatsApp, and by what passes messages on', () => {
  const takers = channelAdapters.filter((adapter) => adapter.templateRefusal(templateWith({ body: 'Hi {{1}}' })) === undefined);
  expect(takers.map(({ kind }) => kind).toSorted((a, b) => a.localeCompare(b))).toEqual(['custom', 'log', 'web', 'whatsapp-cloud']);
});

/** A family, a letter with two accents, Arabic and Hebrew: each is more code units than code points, or is read from the right. */
const odd = fc.constantFrom('👨‍👩‍👧', 'e\u0301\u0323', 'مرحبا', 'שלום', '\u202Ex', 'a', '{{1}}', '"', '\\', '<b>');
const value = fc.oneof(
  odd,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.array(odd, { minLength: 1, maxLength: 8 }).map((parts) => parts.join('')),
);
const place = fc.constantFrom('{{1}}', '{{2}}', '{{10}}', '{{ 3 }}', '{{total}}', '{{order_id}}', '{{Name}}', '{{}}');
const text = fc.array(fc.oneof(place, odd), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' '));
const button = fc.oneof(
  fc.record({
    type: fc.constant('URL'),
    text: fc.constant('Track'),
    url: fc.constantFrom('https://a.io/{{1}}', 'https://a.io/{{id}}', 'https://a.io'),
  }),
  fc.record({
    type: fc.constant('QUICK_REPLY'),
    text: fc.constant('Stop'),
    payload: fc.constantFrom('STOP', '{{1}}', 'ORDER-{{id}}-{{total}}', '{{'),
  }),
  fc.constant({ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+521' }),
  fc.constant({ type: 'COPY_CODE', example: 'X' }),
);
const components = fc.record(
  {
    header: fc.oneof(
      text.map((written) => ({ format: 'TEXT', text: written })),
      fc.constantFrom('IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION').map((format) => ({ format })),
    ),
    body: text.map((written) => ({ text: written })),
    footer: fc.constant({ text: 'Thanks' }),
    buttons: fc.array(button, { maxLength: 10 }),
  },
  { requiredKeys: ['body'] },
);

/** Parameters that have a form of their own. */
const formed: { readonly [name: string]: string } = {
  'header.link': 'https://example.com/a.pdf',
  'header.latitude': '19.4326',
  'header.longitude': '-99.1332',
};

describe('a template to WhatsApp, whatever its places', () => {
  it('is a valid request with every value in it, numbers as text', () =>
    fc.assert(
      fc.asyncProperty(components, fc.infiniteStream(value), async (parts, values) => {
        const template = templateWith(parts);
        const { required, optional } = templateParameters(template);
        const names = [...required, ...optional];
        const given = [...values.take(names.length)].map((one, index) =>
          Object.hasOwn(formed, names[index] ?? '') ? formed[names[index] ?? ''] : one,
        );
        const parameters = Object.fromEntries(names.map((name, index) => [name, given[index] ?? null]));
        const { result, body } = await send(template, parameters);
        // A header with two places, or a value over its limit: the refusal says so.
        const isOver =
          result.kind === 'refused' &&
          /^(?:.* has \d+ characters|The header of the template has \d+ places|.* has blanks alone)/.test(result.message);
        fc.pre(!isOver);
        expect([result.kind, problemsOf(body)]).toEqual(['sent', '']);
        const sent = JSON.stringify(body?.['template']);
        // In the address of a button a value is encoded: what is not ASCII, and what no address may hold.
        const inAddress = /^(?:button\.|id$)/;
        const isEncoded = (one: string | number | boolean | undefined, index: number): boolean =>
          inAddress.test(names[index] ?? '') && /[^\w.~!$&'()*+,;=:@/?#-]/.test(String(one));
        for (const one of given.filter((each, index) => !isEncoded(each, index)))
          expect(sent).toContain(JSON.stringify(String(one)).slice(1, -1));
      }),
    ));

  it('is refused with the name of each value that is left out', () =>
    fc.assert(
      fc.asyncProperty(components, fc.nat(), async (parts, seed) => {
        const template = templateWith(parts);
        const required = [...templateParameters(template).required];
        fc.pre(required.length > 0);
        const left = required[seed % required.length] ?? '';
        const { result } = await send(
          template,
          Object.fromEntries(required.filter((name) => name !== left).map((name) => [name, formed[name] ?? 'https://a.io'])),
        );
        const reason = expect.stringMatching(new RegExp(`"${left}"|has \\d+ characters|has \\d+ places`)) as unknown;
        expect(result).toMatchObject({ kind: 'refused', message: reason });
      }),
    ));

  const whereabouts = {
    'header.latitude': '19.4326',
    'header.longitude': -99.1332,
    'header.name': 'Café',
    'header.address': '5 de Mayo 1',
  };

  it('has the location of its header as numbers', async () => {
    const { result, body } = await send(templateWith({ header: { format: 'LOCATION' }, body: 'Hi' }), whereabouts);
    expect([result.kind, problemsOf(body)]).toEqual(['sent', '']);
    const location = { latitude: 19.4326, longitude: -99.1332, name: 'Café', address: '5 de Mayo 1' };
    expect(body).toMatchObject({ template: { components: [{ type: 'header', parameters: [{ type: 'location', location }] }] } });
  });

  it.each([
    ['header.latitude', ['90', '-90', '0', '+1.5'], ['90.01', '-91', '', 'north', '1e1', '0x10', '19,4']],
    ['header.longitude', ['180', '-180'], ['180.01', '1000', 'NaN']],
    ['header.name', ['x'], ['']],
    ['header.address', ['x'], ['']],
  ])('takes a location by its %s, or says what is wrong with it', async (name, right, wrong) => {
    const template = templateWith({ header: { format: 'LOCATION' }, body: 'Hi' });
    for (const one of right) {
      const { body } = await send(template, { ...whereabouts, [name]: one });
      expect([one, problemsOf(body)]).toEqual([one, '']);
    }
    for (const one of wrong)
      expect((await send(template, { ...whereabouts, [name]: one })).result).toMatchObject({
        kind: 'refused',
        cause: 'INVALID_PARAMETERS',
        message: expect.stringContaining(`"${name}"`) as unknown,
      });
  });

  it('is refused with a header of a format that the provider has not, instead of being sent without it', async () => {
    const { result } = await send(templateWith({ header: { format: 'PRODUCT' }, body: 'Hi' }), {});
    expect(result).toMatchObject({ kind: 'refused', cause: 'INVALID_TEMPLATE', message: expect.stringContaining('"product"') as unknown });
  });

  it.each([
    ['ORDER-{{id}}-{{total}}', { id: 7, total: 'x' }, 'ORDER-7-x'],
    ['{{1}}', { 'button.0.1': 7 }, '7'],
    ['A{{1}}', { 'button.0.1': '{{1}}' }, 'A{{1}}'],
    ['STOP', { 'button.0.1': 'GO' }, 'GO'],
  ])('has the payload %s with its values %j in place', async (payload, parameters, filled) => {
    const buttons = [{ type: 'QUICK_REPLY', text: 'Stop', payload }];
    const { body } = await send(templateWith({ body: 'Hi', buttons }), parameters);
    expect(body).toMatchObject({
      template: { components: [{ sub_type: 'quick_reply', parameters: [{ type: 'payload', payload: filled }] }] },
    });
  });

  it.each([
    ['👍'.repeat(249), 'sent'],
    ['👍'.repeat(250), 'refused'],
  ])('has a payload of up to 256 characters in all', async (id, kind) => {
    const buttons = [{ type: 'QUICK_REPLY', text: 'Stop', payload: 'ORDER--{{id}}' }];
    expect((await send(templateWith({ body: 'Hi', buttons }), { id })).result.kind).toBe(kind);
  });
});

describe('a value in the address of a button', () => {
  const send1 = async (url: string, value: Json) => {
    const { body } = await send(templateWith({ body: 'Hi', buttons: [{ type: 'URL', text: 'Track', url }] }), { 'button.0.1': value });
    expect(problemsOf(body)).toBe('');
    return JSON.stringify(body?.['template']).match(/"parameters":\[\{"type":"text","text":"(.*)"\}\]/)?.[1];
  };
  const path = 'https://a.io/t/{{1}}';
  const query = 'https://a.io/t?q={{1}}';

  it.each([
    ['a word', path, 'A-17', 'A-17'],
    ['a number', path, 7, '7'],
    ['a blank', path, 'Ana Ruiz', 'Ana%20Ruiz'],
    ['letters with accents', query, 'José', 'Jos%C3%A9'],
    ['a character of two code units', query, '👍', '%F0%9F%91%8D'],
    ['half a character', query, 'a\ud83d', 'a%EF%BF%BD'],
    ['letters that only a comparison without case takes for ASCII', path, '\u017f\u212a', '%C5%BF%E2%84%AA'],
    ['a line break', query, 'a\nb', 'a%0Ab'],
    ['what no address may hold', path, '"<>\\^`{|}[]', '%22%3C%3E%5C%5E%60%7B%7C%7D%5B%5D'],
    ['a percent sign', query, '100% of 5%2', '100%25%20of%205%252'],
    ['what is encoded already', query, 'Ana%20Ruiz%c3%B1', 'Ana%20Ruiz%c3%B1'],
    ['both', path, '50%25 off%', '50%25%20off%25'],
    [
      'several segments and a query',
      path,
      "orders/7?lang=es&x=a+b#top;v=1,2:3@!$'()*~_.-",
      "orders/7?lang=es&x=a+b#top;v=1,2:3@!$'()*~_.-",
    ],
    ['a place in the fragment', 'https://a.io#{{1}}', 'a b', 'a%20b'],
    ['a place in the host, where nothing is encoded', 'https://{{1}}', 'münchen.de/x', 'münchen.de/x'],
    ['a place behind the scheme and a port', 'http://a.io:80/{{1}}', 'ñ', '%C3%B1'],
  ])('is encoded by its place: %s', async (_what, url, given, expected) => expect(await send1(url, given)).toBe(expected));

  it('makes an address that means the same, is encoded once, and has nothing left to encode', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), fc.constantFrom(path, query), async (given, url) => {
        const sent = (await send1(url, given)) ?? '';
        expect(sent).toMatch(/^(?:[\w.~!$&'()*+,;=:@/?#-]|%[\dA-Fa-f]{2})+$/);
        expect(await send1(url, sent)).toBe(sent);
        const encoded = encodeURIComponent(given);
        expect(await send1(url, encoded)).toBe(encoded);
        fc.pre(!/%[\dA-Fa-f]{2}/.test(given));
        expect(decodeURIComponent(sent)).toBe(given.toWellFormed());
      }),
    ));

  it('is refused over its length as it was given, not as it is encoded', async () => {
    const template = templateWith({ body: 'Hi', buttons: [{ type: 'URL', text: 'Track', url: path }] });
    const kinds = [2_000, 2_001].map(async (length) => (await send(template, { 'button.0.1': 'é'.repeat(length) })).result.kind);
    expect(await Promise.all(kinds)).toEqual(['sent', 'refused']);
  });
});

describe('a value in the text of a template', () => {
  const template = templateWith({ header: { format: 'TEXT', text: '{{1}}' }, body: 'Hi {{1}}' });
  const sendBody = (value: Json) => send(template, { 'header.1': 'A', '1': value });

  it.each([
    ['a line break', 'Ana\nRuiz', 'Ana Ruiz'],
    ['line breaks of Windows, with blanks', 'Ana \r\n\r\n Ruiz', 'Ana Ruiz'],
    ['a separator of lines', 'Ana\u2028Ruiz', 'Ana Ruiz'],
    ['a tab', 'a\tb', 'a b'],
    ['four blanks', 'a    b', 'a    b'],
    ['five blanks', 'a     b', 'a b'],
    ['1,024 characters', 'x'.repeat(1_024), 'x'.repeat(1_024)],
    ['1,025 characters that are fewer when clean', `${'x'.repeat(1_019)}      y`, `${'x'.repeat(1_019)} y`],
  ])('of %s is sent as the provider takes it', async (_what, value, text) => {
    const { body } = await sendBody(value);
    expect(body).toMatchObject({ template: { components: [{}, { type: 'body', parameters: [{ type: 'text', text }] }] } });
  });

  it.each(['   ', '\n', '\t\u00a0', 'x'.repeat(1_025)])('is refused before the call, by its name (%#)', async (value) => {
    const { result, body } = await sendBody(value);
    expect(body).toBeUndefined();
    expect(result).toMatchObject({ kind: 'refused', cause: 'INVALID_PARAMETERS', message: expect.stringContaining('"1"') as string });
  });
});
