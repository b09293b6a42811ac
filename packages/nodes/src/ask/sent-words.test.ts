/** Pins and cards that answer questions for what people would have to write otherwise. */
import { isJsonObject, type Json, type JsonObject, parseJsonText } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { showsNothing } from '../messages/folded-text.ts';
import { ask } from './index.ts';
import { Input, readAnswer, type Reply } from './input.ts';
import { textOf } from './sent-words.ts';

const answer = (kind: string, reply: Reply, more: JsonObject = {}): Json | undefined =>
  readAnswer(reply, Input.parse({ kind, ...more }), { get: () => undefined });

const at = { lat: -12.1211, long: -77.0297 };
const link = 'https://www.google.com/maps/search/?api=1&query=-12.1211,-77.0297';
const pin = (described: JsonObject, text?: string) => ({
  type: 'location',
  coordinates: { ...at, ...described },
  ...(text !== undefined && { text }),
});

describe('a pin', () => {
  it.each<readonly [string, Reply, Json | undefined]>([
    ['without words is its link, which is a place again', pin({}), link],
    ['with an address is its address', pin({ address: 'Av. Larco 345, Lima' }), 'Av. Larco 345, Lima'],
    ['with a name and an address is both', pin({ name: 'Casa', address: 'Av. Larco 345' }), 'Casa, Av. Larco 345'],
    ['whose address has its name says it once', pin({ name: 'Larcomar', address: 'Larcomar, Lima' }), 'Larcomar, Lima'],
    ['with a name alone is its name', pin({ name: 'Larcomar', address: ' ' }), 'Larcomar'],
    ['with words that are no texts is its link', pin({ name: 5, address: null }), link],
    ['with a text is what was written', pin({ address: 'Av. Larco 345' }, 'Piso 2'), 'Piso 2'],
    ['with a text that shows nothing is its address', pin({ address: 'Av. Larco 345' }, ' '), 'Av. Larco 345'],
  ])('%s, where a text is asked for', (_, reply, expected) => {
    expect(answer('text', reply)).toBe(expected);
  });

  it('is bounded as a written text is', () => {
    expect(answer('text', pin({ name: 'Casa' }), { minLength: 5 })).toBeUndefined();
    expect(answer('text', pin({ name: 'Casa' }), { like: '^[0-9]+$' })).toBeUndefined();
    expect(answer('location', { text: link })).toEqual(at);
  });

  it.each(['number', 'date', 'time', 'email', 'phone'])('is no answer of the kind %s', (kind) => {
    expect(answer(kind, pin({ address: 'Av. 28 de julio 5' }))).toBeUndefined();
  });
});

const ana = { name: { formatted_name: 'Ana Ruiz' }, phones: [{ phone: '+51 987 654 321' }], emails: [{ email: 'ana@x.pe' }] };
const cards = (...contacts: JsonObject[]) => ({ type: 'contacts', contacts });

describe('a card', () => {
  it.each<readonly [string, string, Reply, Json | undefined]>([
    ['a number', 'phone', cards(ana), '51987654321'],
    [
      'the number that has an account',
      'phone',
      cards({ phones: [{ phone: '+5114441234' }, { phone: '+51987654321', wa_id: '51987654321' }] }),
      '51987654321',
    ],
    ['the country of the account', 'phone', cards({ phones: [{ phone: '987 654 321', wa_id: '51987654321' }] }), '51987654321'],
    ['the first number that is one', 'phone', cards({ phones: [{ phone: '911' }, {}, { phone: '+51987654321' }] }), '51987654321'],
    ['a number beside a text that shows nothing', 'phone', { ...cards(ana), text: ' ' }, '51987654321'],
    ['what is written beside it', 'phone', { ...cards(ana), text: '+51 999 000 111' }, '51999000111'],
    ['no number where it has none', 'phone', cards({ name: { first_name: 'Ana' } }), undefined],
    ['no number of two people', 'phone', cards(ana, ana), undefined],
    ['an e-mail address', 'email', cards(ana), 'ana@x.pe'],
    ['the first e-mail address that is one', 'email', cards({ emails: [{ email: 'ana' }, { email: 'ana@x.pe' }] }), 'ana@x.pe'],
    ['no e-mail address where it has none', 'email', cards({ emails: 'ana@x.pe' }), undefined],
    ['the person in words', 'text', cards(ana), 'Ana Ruiz, +51 987 654 321, ana@x.pe'],
    [
      'people in lines',
      'text',
      cards({ name: { first_name: 'Ana', last_name: 'Ruiz' } }, {}, ana),
      'Ana Ruiz\nAna Ruiz, +51 987 654 321, ana@x.pe',
    ],
    ['nothing where it is empty', 'text', cards({}), undefined],
    ['no number for an age', 'number', cards(ana), undefined],
  ])('gives %s for a question of the kind %s', (_, kind, reply, expected) => {
    expect(answer(kind, reply)).toEqual(expected);
  });
});

const anyJson = fc.json({ maxDepth: 3 }).map(parseJsonText);

it('is the text wherever one shows, and never throws', () =>
  fc.assert(
    fc.property(
      fc.record(
        {
          text: fc.string(),
          coordinates: fc.record({ lat: fc.double(), long: fc.double(), name: anyJson, address: fc.string() }),
          contacts: fc.array(fc.dictionary(fc.constantFrom('name', 'phones', 'emails'), anyJson)),
        },
        { requiredKeys: [] },
      ),
      (reply) => {
        const told = textOf(reply);
        expect(showsNothing(reply.text ?? '') ? reply.text : told).toBe(reply.text);
      },
    ),
  ));

describe('fields of a form that are asked in turn', () => {
  const asked = (field: JsonObject, message: JsonObject): Json | undefined => {
    const config = {
      message: { type: 'text', text: 'Details, please.' },
      input: { kind: 'form', fields: { a: field, b: { type: 'text' } } },
      saveAs: '$context.form',
      attempts: 1,
    };
    const results = [message, { type: 'text', text: 'z' }].flatMap((one, index) => [
      { kind: 'sent', messageId: `m${index}` },
      { kind: 'message', message: { id: `r${index}`, ...one }, atMs: 0 },
    ]);
    const { writes } = visit(ask, { config, channel: 'slack', results: [{ kind: 'sent', messageId: 'm' }, ...results] });
    const form = writes['$context.form'];
    return isJsonObject(form) ? (form['a'] ?? null) : undefined;
  };

  it.each<readonly [JsonObject, JsonObject, Json | undefined]>([
    [{ type: 'text' }, { ...pin({ address: 'Av. Larco 345' }) }, 'Av. Larco 345'],
    [{ type: 'phone' }, { ...cards(ana) }, '51987654321'],
    [{ type: 'email' }, { ...cards(ana) }, 'ana@x.pe'],
    [{ type: 'number' }, { ...cards(ana) }, undefined],
  ])('%j is answered by %j', (field, message, expected) => {
    expect(asked(field, message)).toBe(expected);
  });

  it.each(['-', '–', ' — ', '--', 'Skip', 'omitir.', 'N/A', 'pular'])('%j leaves out a field of any type', (text) => {
    for (const type of ['text', 'number', 'email'])
      expect([type, asked({ type, required: false }, { type: 'text', text })]).toEqual([type, null]);
    expect(asked({ type: 'email' }, { type: 'text', text })).toBeUndefined();
  });

  it.each(['no', 'No tengo', 'ninguno', 'nenhum', "I don't have one", 'não tenho'])('%j leaves out what it can be no value of', (text) => {
    expect(asked({ type: 'email', required: false }, { type: 'text', text })).toBeNull();
    expect(asked({ type: 'text', required: false }, { type: 'text', text })).toBe(text);
    expect(asked({ type: 'boolean', required: false }, { type: 'text', text })).not.toBeNull();
  });
});
