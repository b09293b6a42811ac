import type { Json } from '@hilo/engine/contract';
import { expect, it } from 'vitest';
import type { Place } from '../data/open-for-test.ts';
import { invalid } from '../refusals.ts';
import { activeOf, ana, type Desk, deskOf, helpDesk } from './conversations-stage.ts';
import { describeOverEachStore } from './each-store.ts';

const hourMs = 3_600_000;

/** A conversation of a workspace that is active with Ana, and began that long before now. */
const brought = (id: string, nowMs: number, agoMs: number, more: { readonly [field: string]: Json } = {}): Json => ({
  _id: id,
  botId: 'bot_wa',
  userId: ana,
  operatorId: 11,
  state: 'active',
  startAt: new Date(nowMs - agoMs).toISOString(),
  ...more,
});

async function desk({ open }: Place, conversations: (nowMs: number) => readonly Json[]) {
  const service = await open();
  const nowMs = service.clock.now();
  await service.importWorkspace({ workspace: await helpDesk({}, { '/companies/0/conversations': conversations(nowMs) }) });
  return deskOf(service);
}

describeOverEachStore('an active conversation that a workspace brings', (on) => {
  it(
    'continues: the user stays with the operator, and gets no second conversation (CON-17)',
    on(async (place) => {
      const d = await desk(place, (nowMs) => [brought('mine', nowMs, 2 * hourMs)]);
      expect(await d.admin('POST /conversations', { botId: 'bot_wa', userId: ana, operatorId: 10 })).toEqual(
        invalid({ userId: 'the user has the active conversation "mine": send messages there, or end it first' }),
      );
      await d.writes('help');
      expect(await activeOf(d)).toBe('mine');
      expect(await d.sent()).toEqual([]);
      await d.does('POST /conversations/mine/messages', { type: 'text', text: 'I am here' });
      await d.does('POST /conversations/mine/close');
      await d.writes('help');
      expect(await activeOf(d)).not.toBe('mine');
    }),
    120_000,
  );

  it(
    'is one for each user: a second one is a record (CON-17)',
    on(async (place) => {
      const d = await desk(place, (nowMs) => [brought('first', nowMs, 2 * hourMs), brought('second', nowMs, hourMs)]);
      await d.writes('help');
      await d.does('POST /conversations/first/close');
      await d.writes('help');
      expect(await d.record('second')).toMatchObject({ state: 'active' });
      expect(await d.admin('POST /conversations', { botId: 'bot_wa', userId: ana })).toMatchObject({ status: 422 });
    }),
    120_000,
  );

  it(
    'is a record when it was idle for a day: messages go to the workflows (P13)',
    on(async (place) => {
      const d = await desk(place, (nowMs) => [brought('old', nowMs, 24 * hourMs), brought('coming', nowMs, -hourMs)]);
      const opened = await d.does('POST /conversations', { botId: 'bot_wa', userId: ana });
      expect(opened).toMatchObject({ state: 'active' });
      expect(await d.record('old')).toMatchObject({ state: 'active' });
    }),
    120_000,
  );

  it(
    'stays as imported while it is a record, and continues when its operator writes (CON-17, STA-07)',
    on(async (place) => {
      const figures = async (d: Desk) =>
        (await d.call('GET /v1/metrics/conversations/external/stats?startAt=2000-01-01&endAt=2060-01-01')).body;
      const d = await desk(place, (nowMs) => [brought('old', nowMs, 24 * hourMs, { lastMessageBy: 'operator' })]);
      const before = await figures(d);
      expect(before).toMatchObject({ actual: 1, lastMessageOperator: 1, lastMessageUser: 0, lastMessageBot: 0 });
      const say = { userId: ana, type: 'text', text: 'A reminder' };
      expect(await d.call('POST /v1/bots/bot_wa/messages', { body: say })).toMatchObject({ status: 200 });
      expect(await figures(d)).toEqual(before);
      await d.does('POST /conversations/old/messages', { type: 'text', text: 'I am back' });
      await d.writes('help');
      expect(await activeOf(d)).toBe('old');
      expect(await figures(d)).toMatchObject({ actual: 1, lastMessageOperator: 0, lastMessageUser: 1, lastMessageBot: 0 });
    }),
    120_000,
  );

  it(
    'counts from the operator’s first answer',
    on(async (place) => {
      const d = await desk(place, (nowMs) => [
        brought('answered', nowMs, 30 * hourMs, { wasReplied: true, firstRepliedAtOperator: new Date(nowMs - 20 * hourMs).toISOString() }),
      ]);
      await d.writes('help');
      expect(await activeOf(d)).toBe('answered');
      expect(await d.sent()).toEqual([]);
    }),
    120_000,
  );
});
