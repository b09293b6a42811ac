/** Carts: what is read of them, and what is no order. */
import type { Json } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask } from './index.ts';

const config = { message: { type: 'text', text: 'Your cart?' }, input: { kind: 'order' }, saveAs: '$context.order', attempts: 1 };
const comes = (message: { readonly [field: string]: Json }) =>
  visit(ask, {
    config,
    results: [
      { kind: 'sent', messageId: 'm' },
      { kind: 'message', message: { id: 'r', ...message }, atMs: 0 },
    ],
  });
const item = (more: { readonly [field: string]: Json } = {}) => ({
  product_retailer_id: 'A',
  quantity: 1,
  item_price: 0.1,
  currency: 'USD',
  ...more,
});
const order = (items: readonly Json[], more: { readonly [field: string]: Json } = {}) =>
  comes({ type: 'order', order: { catalog_id: '1', text: '', product_items: items, ...more } });

describe('an order', () => {
  it('is kept with its articles, their sum and what the user wrote', () => {
    const { by, writes } = order([item(), item({ product_retailer_id: 'B', quantity: '2', item_price: '0.1' })], { text: 'A gift' });
    expect({ by, saved: writes['$context.order'] }).toEqual({
      by: 'answered',
      saved: {
        items: [
          { sku: 'A', quantity: 1, price: 0.1 },
          { sku: 'B', quantity: 2, price: 0.1 },
        ],
        currency: 'USD',
        total: 0.3,
        note: 'A gift',
      },
    });
  });

  it.each<[string, Json]>([
    ['no articles', []],
    ['two currencies', [item(), item({ currency: 'PEN' })]],
    ['a quantity of none', [item({ quantity: 0 })]],
    ['a price below zero', [item({ item_price: -1 })]],
    ['a price in words', [item({ item_price: 'ten' })]],
    ['an article without a name', [item({ product_retailer_id: '' })]],
    ['no list', { 0: item() }],
  ])('with %s is none', (_what, items) => {
    expect(comes({ type: 'order', order: { product_items: items } })).toMatchObject({
      by: 'invalid',
      failure: { cause: 'INVALID_ANSWER' },
    });
  });

  it('is nothing that a user writes', () => {
    expect(comes({ type: 'text', text: 'two', order: { product_items: [item()] } }).by).toBe('invalid');
  });

  it('of whatever a channel sends is valid or asked for again', () =>
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.boolean(), (value, isWhole) => {
        const sent = JSON.parse(JSON.stringify(value)) as Json;
        const { by, writes } = comes({ type: 'order', order: isWhole ? sent : { product_items: sent } });
        expect(by).toBe('$context.order' in writes ? 'answered' : 'invalid');
      }),
    ));
});
