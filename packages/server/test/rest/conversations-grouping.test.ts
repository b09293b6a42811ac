import type { JsonObject } from '@hilo/engine/contract';
import { textLength } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitText } from '../../src/conversations/grouping.ts';
import { type Place, withPlace } from '../data/open-for-test.ts';
import { ana, type Desk, deskOf, helpDesk, idIn } from './conversations-stage.ts';
import { describeOverEachStore } from './each-store.ts';

const grouping = (window: string): JsonObject => ({ enabled: true, window });

/** A desk of a company that groups, and a conversation with Ana. */
async function desk({ open }: Pick<Place, 'open'>, settings: JsonObject = grouping('PT5S')) {
  const service = await open();
  await service.importWorkspace({ workspace: await helpDesk({}, { '/companies/0/settings/operatorGrouping': settings }) });
  const desk = deskOf(service);
  const opened = await desk.does('POST /conversations', { botId: 'bot_wa', userId: ana });
  return { service, desk, id: idIn(opened) };
}

const says = (desk: Desk, id: string, text: string) => desk.does(`POST /conversations/${id}/messages`, { type: 'text', text });

/** Advances time by seconds until these messages were sent. */
const seen = ({ clock }: Pick<Place, 'clock'>, desk: Desk, texts: readonly string[]) =>
  expect
    .poll(() => {
      clock.advanceBy(1_000);
      return desk.sent();
    })
    .toEqual(texts);

describeOverEachStore('messages of an operator', (on) => {
  it(
    'are sent before a message that is no bare text, and before the end of the conversation (GRP-02)',
    on(async (place) => {
      const { desk: d, id } = await desk(place);
      await says(d, id, 'one');
      await says(d, id, 'two');
      await d.does(`POST /conversations/${id}/messages`, { type: 'location', coordinates: { lat: 1, long: 2 } });
      expect(await d.sent()).toEqual(['one\ntwo', 'location']);
      await says(d, id, 'three');
      await d.does(`POST /conversations/${id}/messages`, { type: 'text', text: 'https://a.test', previewUrl: false });
      await says(d, id, 'four');
      await d.does(`POST /conversations/${id}/close`);
      expect(await d.sent()).toEqual(['one\ntwo', 'location', 'three', 'https://a.test', 'four']);
    }),
    120_000,
  );

  it(
    'are sent before another operator takes over (GRP-01)',
    on(async (place) => {
      const { desk: d, id } = await desk(place);
      await says(d, id, 'one');
      await says(d, id, 'two');
      await d.does(`POST /conversations/${id}/assign`, { operatorId: 11 });
      expect(await d.sent()).toEqual(['one\ntwo']);
      await says(d, id, 'three');
      await seen(place, d, ['one\ntwo', 'three']);
    }),
    120_000,
  );

  it(
    'leave one by one where the company does not group them',
    on(async (place) => {
      const { desk: d, id } = await desk(place, { enabled: false, window: 'PT5S' });
      expect(await says(d, id, 'one')).toMatchObject({ success: true, messageId: expect.stringMatching(/^msg_/) as unknown });
      await says(d, id, 'two');
      expect(await d.sent()).toEqual(['one', 'two']);
    }),
    120_000,
  );

  it(
    'are each in one group, in order, with concurrent writers and senders (P9)',
    on(async (place) => {
      const { service, desk: d, id } = await desk(place, grouping('PT1S'));
      const texts = Array.from({ length: 60 }, (_, index) => String(index));
      const others: Promise<unknown>[] = [];
      for (const text of texts) {
        await says(d, id, text);
        // Flushes while the next text comes, and while the window ends.
        if (Number(text) % 7 === 0) others.push(service.conversations.send('1', id, { type: 'text', text: 'plain', previewUrl: false }));
        if (Number(text) % 5 === 0) place.clock.advanceBy(600);
      }
      await Promise.all(others);
      const sent = (): Promise<readonly unknown[]> => {
        place.clock.advanceBy(1_000);
        return d.sent();
      };
      await expect.poll(async () => numbersIn(await sent()), { timeout: 60_000 }).toEqual(texts);
    }),
    120_000,
  );
});

const numbersIn = (sent: readonly unknown[]): readonly string[] =>
  sent.flatMap((text) => String(text).split('\n')).filter((text) => text !== 'plain');

describe('splitText', () => {
  const unit = fc.constantFrom('characters' as const, 'bytes' as const);
  const text = fc.string({ unit: fc.constantFrom('a', 'ñ', '€', '👋', '\n', ' ', 'bc'), maxLength: 200 });

  it('loses nothing but blanks and line breaks, and every part fits (GRP-02)', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 40 }), unit, (text, max, unit) => {
        const parts = splitText(text, { max, unit });
        expect(parts.filter((part) => textLength(part, unit) > max || part.trim() === '')).toEqual([]);
        expect(parts.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
      }),
    );
  });

  it.each([
    ['short', 10, ['short']],
    ['one\ntwo\nthree', 8, ['one\ntwo', 'three']],
    ['abcdefgh', 3, ['abc', 'def', 'gh']],
    ['abc\ndef', 3, ['abc', 'def']],
    ['a👋b', 2, ['a👋', 'b']],
    ['   ', 2, []],
  ])('cuts %j at %d', (text, max, parts) => {
    expect(splitText(text, { max, unit: 'characters' })).toEqual(parts);
  });
});

/** PostgreSQL uses its own clock, which a test cannot move. */
describe('the window of an operator', () => {
  it(
    'leave together when the window from the first is over, joined by line breaks (GRP-01, GRP-02)',
    withPlace(async (place) => {
      const { service, desk: d, id } = await desk(place);
      const first = await says(d, id, 'Good morning');
      expect(first).toEqual({ success: true, messageId: null, leavesAt: '2031-03-03T09:00:05.000Z' });
      place.clock.advanceBy(4_000);
      expect(await says(d, id, 'How are you?')).toEqual(first); // the window is fixed: it does not slide
      place.clock.advanceBy(999);
      expect(await d.sent()).toEqual([]);
      await seen(place, d, ['Good morning\nHow are you?']);
      const { results } = await service.messages.list('1', 'bot_wa', { limit: 9 });
      expect(results[0]?.createdAtMs).toBeGreaterThanOrEqual(Date.parse('2031-03-03T09:00:05.000Z'));
      await says(d, id, 'Another');
      await seen(place, d, ['Good morning\nHow are you?', 'Another']);
      expect(await d.record(id)).toMatchObject({ wasReplied: true });
    }),
    120_000,
  );

  it(
    'are split over the text limit of the channel (GRP-02, LIM-05)',
    withPlace(async (place) => {
      const { desk: d, id } = await desk(place);
      const [long, longer] = ['a'.repeat(3_000), 'b'.repeat(4_000)];
      await says(d, id, long);
      await says(d, id, longer);
      await seen(place, d, [long, longer]);
      expect(await d.sent()).toEqual([long, longer]);
    }),
    120_000,
  );

  it(
    'leave before the 24-hour window of the user is over, and one by one where too little is left of it (WIN-01, WIN-04)',
    withPlace(async (place) => {
      const service = await place.open();
      const settings = { '/companies/0/settings/operatorGrouping': grouping('PT20S') };
      await service.importWorkspace({ workspace: await helpDesk({}, settings) });
      const d = deskOf(service);
      place.clock.advanceBy(86_400_000 - 10_000);
      const id = idIn(await d.does('POST /conversations', { botId: 'bot_wa', userId: ana }));
      expect(await says(d, id, 'one')).toMatchObject({ messageId: null, leavesAt: '2031-03-04T08:59:59.000Z' });
      place.clock.advanceBy(8_500);
      await says(d, id, 'two');
      place.clock.advanceBy(499);
      expect(await d.sent()).toEqual([]);
      place.clock.advanceBy(1);
      await expect.poll(() => d.sent()).toEqual(['one\ntwo']);
      expect(await says(d, id, 'three')).toMatchObject({ success: true, messageId: expect.stringMatching(/^msg_/) as unknown });
      expect(await d.sent()).toEqual(['one\ntwo', 'three']);
      const outbound = async () => (await service.messages.list('1', 'bot_wa', { limit: 9 })).results.map(({ status }) => status);
      await expect.poll(outbound).toEqual(['sent', 'sent']);
    }),
    120_000,
  );

  it(
    'survive the process that gathered them (P1, P25)',
    withPlace(async (place) => {
      const { service, desk: d, id } = await desk(place, grouping('PT20S'));
      await says(d, id, 'one');
      await says(d, id, 'two');
      await service.close();
      place.clock.advanceBy(30_000);
      const next = deskOf(await place.open());
      expect(await next.sent()).toEqual([]);
      await seen(place, next, ['one\ntwo']);
    }),
    120_000,
  );
});
