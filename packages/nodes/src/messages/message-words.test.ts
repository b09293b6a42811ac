// What is told of a message: nothing that it holds is left out, and no message ends in an error.
import { Json } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InboundMessage } from './inbound-message.ts';
import { wordsOf } from './message-words.ts';

describe('the words of a message', () => {
  it.each([
    [{ type: 'text', text: 'Hi' }, 'Hi'],
    [{ type: 'text', text: '' }, '[text]'],
    [{ type: 'button', text: 'Yes', payload: 'y' }, 'Yes'],
    [{ type: 'button', payload: 'y' }, 'y'],
    [{ type: 'image', text: 'My ticket' }, '[image] My ticket'],
    [{ type: 'image' }, '[image]'],
    [{}, '[empty]'],
    [
      { type: 'flow', response: { flow_token: 'm1', age: '33', plan: 'Full', more: ['a', 'b'] } },
      '[flow] age: 33, plan: Full, more: ["a","b"]',
    ],
    [{ type: 'flow', text: 'Sent', response: { age: 33 } }, '[flow] Sent (age: 33)'],
    [{ type: 'flow', text: 'Sent', response: { flow_token: 'm1' } }, '[flow] Sent'],
    [{ type: 'flow', response: 'broken' }, '[flow]'],
    [{ type: 'location', coordinates: { lat: 19.4, long: -99.1, name: 'Shop' } }, '[location] 19.4, -99.1, Shop'],
    [
      { type: 'contacts', contacts: [{ name: { formatted_name: 'Ana' }, phones: [{ phone: '+5215512345678' }] }, {}] },
      '[contacts] Ana, +5215512345678; ',
    ],
    [
      {
        type: 'order',
        text: 'Soon',
        order: { product_items: [{ product_retailer_id: 'A-17', quantity: 2, item_price: 12.5, currency: 'MXN' }] },
      },
      '[order] Soon (2 × A-17, 12.5 MXN)',
    ],
    [{ type: 'order', order: { product_items: [] } }, '[order]'],
  ])('of %j are %s', (message, words) => expect(wordsOf(message)).toBe(words));

  it('of whatever channels send are a text with its type, or its own', () => {
    const json = fc.jsonValue({ maxDepth: 3 }).map((value) => Json.parse(value));
    fc.assert(
      fc.property(
        fc.constantFrom('flow', 'location', 'contacts', 'order', 'text'),
        fc.dictionary(fc.constantFrom('response', 'order', 'text', 'payload', 'contacts', 'coordinates'), json),
        (type, fields) => {
          const read = InboundMessage.safeParse({ id: 'm', ...fields, type });
          if (!read.success) return;
          const words = wordsOf(read.data);
          expect(words === read.data.text || words === read.data.payload || words.startsWith(`[${type}]`)).toBe(true);
        },
      ),
    );
  });

  it('tell every answer of a form that is short', () => {
    const response = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[a-z0-9]{1,8}$/), { minKeys: 1, maxKeys: 20 });
    fc.assert(
      fc.property(response, (given) => {
        const words = wordsOf({ type: 'flow', response: { ...given, flow_token: 'TOKEN' } });
        expect(words).not.toContain('TOKEN');
        for (const [name, value] of Object.entries(given)) expect(words).toContain(`${name}: ${value}`);
      }),
    );
  });
});
