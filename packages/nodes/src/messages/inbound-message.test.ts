import type { JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InboundMessage } from './inbound-message.ts';

const json = fc.jsonValue({ stringUnit: 'binary' });

describe('InboundMessage', () => {
  it('keeps unknown fields (EVT-02)', () =>
    fc.assert(
      fc.property(json, (extra) => {
        const plain = JSON.parse(JSON.stringify({ x: extra, id: 'wamid.1', type: 'interactive', text: 'Yes' })) as JsonObject;
        fc.pre(!JSON.stringify(plain).includes('__proto__'));
        const parsed: JsonObject = InboundMessage.parse(plain);
        expect(parsed).toEqual(plain);
      }),
    ));

  const fields = Object.keys(InboundMessage.shape);
  const others = fields.filter(
    (field) => !['id', 'type', 'text', 'payload', 'mediaUrl', 'filename', 'coordinates', 'contacts'].includes(field),
  );

  it('keeps known fields that may hold anything, lets none of them reach the prototype (P29), and refuses what is no JSON', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...others),
        json,
        fc.constantFrom(undefined, Number.NaN, () => 1, new Map()),
        (field, value, noJson) => {
          fc.pre(!JSON.stringify(value).includes('__proto__'));
          const message = { id: '1', type: 'text', [field]: value };
          expect(InboundMessage.parse(message)).toEqual(message);
          const hostile: unknown = JSON.parse(`{"id":"1","type":"text","${field}":{"__proto__":{"b":1}}}`);
          expect(InboundMessage.parse(hostile)).toStrictEqual({ id: '1', type: 'text', [field]: {} });
          expect(InboundMessage.safeParse({ ...message, [field]: noJson }).success).toBe(false);
        },
      ),
    ));

  it('accepts any user input: long, blank, with odd phone numbers', () => {
    const message = { id: '1', type: 'contacts', text: ' '.repeat(50_000), contacts: [{ phones: [{ phone: 'call me' }] }] };
    expect(InboundMessage.parse(message)).toEqual(message);
  });

  it('lets no field reach the prototype (P29)', () => {
    const parsed = InboundMessage.parse(JSON.parse('{"id":"1","type":"text","__proto__":{"text":"x"},"a":{"__proto__":{"b":1}}}'));
    expect(parsed).toStrictEqual({ id: '1', type: 'text', a: {} });
    expect(parsed.text).toBeUndefined();
  });

  it.each([
    [{ type: 'text' }, '"id" is missing: give a text that is not empty'],
    [{ id: '', type: 'text' }, '"id" must be a text that is not empty, and is the text ""'],
    [{ id: '1' }, '"type" is missing: give a text that is not empty'],
    [{ id: '1', type: 'text', text: 5 }, '"text" must be a text, and is 5'],
  ])('refuses %j, saying %s', (message, saying) => {
    expect(InboundMessage.safeParse(message).error?.issues.map((issue) => issue.message)).toEqual([saying]);
  });
});
