import type { Json } from '@hilo/engine/contract';
import { visit } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { ask } from './index.ts';

const config = {
  message: { type: 'text', text: 'When?' },
  input: { kind: 'option', options: '{{$context.slots}}' },
  saveAs: '$context.slot',
  attempts: 1,
};
const asked = (slots: Json, ...replies: readonly object[]) =>
  visit(ask, {
    config,
    variables: { $context: { slots } },
    channel: 'whatsapp',
    results:
      replies.length === 0
        ? []
        : [
            { kind: 'sent', messageId: 'm' },
            { kind: 'message', message: { type: 'text', ...replies[0] }, atMs: 0 },
          ],
  });
const drawn = (slots: Json) => (asked(slots).effects[0]?.request as { message: { type: string; text: string } } | undefined)?.message;
const many = (count: number) => Array.from({ length: count }, (_, index) => `Slot ${index + 1}`);

describe('an ask whose options are computed', () => {
  it('shows a few short ones as buttons, more as a list, and too many for a list as numbered lines', () => {
    expect(drawn(many(3))).toMatchObject({ type: 'quick_reply', text: 'When?', quick_replies: [{ title: 'Slot 1' }, {}, {}] });
    expect(drawn(many(4))).toMatchObject({ type: 'text', buttons: { options: [{ title: 'Slot 1', payload: 'Slot 1' }, {}, {}, {}] } });
    expect(drawn(many(10))).toMatchObject({ type: 'text', buttons: {} });
    expect(drawn(many(11))).toMatchObject({ type: 'text', text: expect.stringContaining('When?\n1. Slot 1\n2. Slot 2') as string });
    expect(drawn([{ title: 'Nine', payload: '09:00', description: 'Dr. Ruiz' }])).toMatchObject({
      buttons: { options: [{ title: 'Nine', payload: '09:00', description: 'Dr. Ruiz' }] },
    });
    expect(drawn(['A title that is far too long for any button or list'])).toMatchObject({
      text: 'When?\n1. A title that is far too long for any button or list',
    });
  });

  it('is drawn in a form that the provider takes with so long a text: WhatsApp puts 1,024 characters beside buttons, and 4,096 above a list', () => {
    const drawnUnder = (text: string) =>
      visit(ask, {
        config: { ...config, message: { type: 'text', text } },
        variables: { $context: { slots: many(2) } },
        channel: 'whatsapp',
      }).effects[0]?.request;
    expect(drawnUnder('x'.repeat(1_024))).toMatchObject({ message: { type: 'quick_reply' } });
    expect(drawnUnder('x'.repeat(1_025))).toMatchObject({ message: { type: 'text', buttons: { options: [{}, {}] } } });
  });

  it.each<[what: string, reply: object, kept: string]>([
    ['the payload of a press', { payload: '16:30', text: 'Half past four' }, '16:30'],
    ['the title', { text: 'half PAST four' }, '16:30'],
    ['the payload as text', { text: '16:30' }, '16:30'],
    ['its number', { text: '2' }, '16:30'],
  ])('accepts %s, and stores the payload', (_, reply, kept) => {
    const slots = ['Nine', { title: 'Half past four', payload: '16:30' }];
    const { by, writes } = asked(slots, reply);
    expect([by, writes['$context.slot']]).toEqual(['answered', kept]);
  });

  it.each(['1', '1.', '1)', '(1)', '#1', '1️⃣', '１', '١', 'No. 1', 'opción 1', ' 1 \u200e'])(
    'takes %j as the number of the first line, though another has it as its payload',
    (text) => {
      const cities = Array.from({ length: 12 }, (_, index) => ({
        title: `City ${String.fromCharCode(65 + index)}`,
        payload: String(12 - index),
      }));
      expect(asked(cities, { text }).writes['$context.slot']).toBe('12');
      expect(asked(cities, { text: 'city l' }).writes['$context.slot']).toBe('1');
      expect(asked(cities, { text: 'x', payload: '1' }).writes['$context.slot']).toBe('1');
    },
  );

  it('takes a number that titles show before the place, where lines were shown without numbers', () => {
    expect(asked(['9 am', '10 am', '11 am'], { text: '10' }).writes['$context.slot']).toBe('10 am');
    expect(asked(['2', '1'], { text: '1' }).writes['$context.slot']).toBe('1');
  });

  it('asks again where signs alone tell titles apart, and the reply has none', () => {
    expect(asked(['🔴 Wine', '⚪ Wine'], { text: 'wine' }).by).toBe('invalid');
    expect(asked(['🔴 Wine', '⚪ Wine'], { text: '⚪ WINE' }).writes['$context.slot']).toBe('⚪ Wine');
    expect(asked(['🔴 Red', '⚪ White'], { text: '“white”.' }).writes['$context.slot']).toBe('⚪ White');
  });

  it('accepts no other reply', () => {
    expect(asked(['Nine', 'Ten'], { text: 'Eleven' }).by).toBe('invalid');
    expect(asked(['Nine', 'Ten'], { text: '3' }).by).toBe('invalid');
    expect(asked(['Nine', 'Ten'], { text: '0' }).by).toBe('invalid');
  });

  it.each<[Json, string]>([
    [[], 'the list is empty'],
    ['Nine', 'must be a list'],
    [[{ payload: 'x' }], 'must be a list of texts or of { title, payload }'],
    [['Nine', 'nine'], 'the same title'],
    [many(51), 'at most 50'],
  ])('reports the problem of %j', (slots, reason) => {
    expect(() => asked(slots)).toThrow(reason);
  });

  it('asks with a plain text', () => {
    const message = { type: 'quick_reply', text: 'x', quick_replies: [{ title: 'a' }] };
    expect(ask.config.safeParse({ ...config, message }).error?.issues).toMatchObject([{ path: ['message', 'type'] }]);
    expect(ask.ports(ask.config.parse(config))).toEqual(['answered']);
  });
});
