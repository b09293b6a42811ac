import { runtimeOfTests } from '../data/runtime.ts';
import { createVirtualClock, seededRandom } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { createCampaignRunner } from '../../src/campaigns/campaigns.ts';
import { createPaces } from '../../src/messages/pace.ts';
import { changed, inlineExample } from '../data/inline-example.ts';
import { withPlace } from '../data/open-for-test.ts';
import { isOver, openWith, passTime, progressOf, templatesTo, until } from './campaigns-progress.ts';
import { campaignTo, phones } from './campaigns-stage.ts';
import { describeOverEachStore } from './each-store.ts';

describe('a campaign that is due', () => {
  it(
    'waits for its time: not a millisecond before (CAM-11)',
    withPlace(async (place) => {
      const service = await openWith(place, [
        campaignTo('due', phones(1), { status: 'SCHEDULED', scheduledAt: '2031-03-03T09:00:10.200Z' }),
      ]);
      const seen = await until(service, place.clock, 'due', ({ status }) => status !== 'SCHEDULED');
      expect(place.clock.now()).toBeGreaterThanOrEqual(Date.parse('2031-03-03T09:00:10.200Z'));
      expect(seen.length).toBeGreaterThan(40);
    }),
  );

  it(
    'counts unreachable recipients as failed, and continues (CAM-15, TPL-03, TPL-05, UID-03)',
    withPlace(async (place) => {
      const [first = '', second = ''] = phones(2);
      const recipients = [
        { userId: first, parameters: { name: 'Ana' } },
        { userId: '+52 155', parameters: { name: 'Ana', code: '1' } },
        { userId: second, parameters: { name: 'Eva', code: '2' } },
      ];
      const service = await openWith(place, [
        campaignTo('some', [], { recipients }),
        campaignTo('none', phones(2), { templateId: 'tpl2', elementName: 'not_yet' }),
      ]);
      await until(service, place.clock, 'some', isOver);
      await until(service, place.clock, 'none', isOver);
      expect(await progressOf(service, 'some')).toMatchObject({ totalMessages: 3, deliveredMessages: 1, failedMessages: 2 });
      expect(await progressOf(service, 'none')).toMatchObject({ totalMessages: 2, deliveredMessages: 0, failedMessages: 2 });
      expect(await templatesTo(service)).toEqual([second]);
    }),
  );

  it(
    'completes at once without recipients, and never counts more than there are (CAM-15)',
    withPlace(async (place) => {
      const service = await openWith(place, [
        campaignTo('empty', []),
        campaignTo('counted', phones(3), { status: 'IN_PROGRESS', totalMessages: 4, deliveredMessages: 2, failedMessages: 1 }),
      ]);
      await until(service, place.clock, 'empty', isOver);
      await until(service, place.clock, 'counted', isOver);
      expect(await progressOf(service, 'empty')).toMatchObject({ totalMessages: 0, deliveredMessages: 0 });
      expect(await progressOf(service, 'counted')).toMatchObject({ totalMessages: 4, deliveredMessages: 3, failedMessages: 1 });
    }),
  );

  it(
    'opens the window of its recipients, under onSend (WIN-02, TPL-10)',
    withPlace(async (place) => {
      const [user = ''] = phones(1);
      const service = await openWith(place, [campaignTo('one', [user])]);
      await until(service, place.clock, 'one', isOver);
      const contact = await service.store.executions.contact('1', 'bot_wa', [user]);
      expect(contact?.windowUntilMs ?? 0).toBeGreaterThan(place.clock.now());
    }),
  );

  it(
    'keeps one order for a recipient whom the bot knows by another id (P9, UID-04)',
    withPlace(async (place) => {
      const ana = '5215512345678';
      const service = await openWith(place, [campaignTo('one', ['MX.a1B2c3'])]);
      await until(service, place.clock, 'one', isOver);
      const { results } = await service.messages.list('1', 'bot_wa', { userId: ana, limit: 9 });
      expect(results).toMatchObject([{ userId: ana, message: { type: 'template' }, status: 'sent' }]);
    }),
  );

  it(
    'begins no more than 50 messages a second of one bot',
    withPlace(async (place) => {
      const service = await openWith(place, [campaignTo('a', phones(120)), campaignTo('b', phones(120))]);
      await until(service, place.clock, 'a', isOver);
      await until(service, place.clock, 'b', isOver);
      const { results } = await service.messages.list('1', 'bot_wa', { limit: 500 });
      const times = results.map(({ createdAtMs }) => createdAtMs).toSorted((a, b) => a - b);
      expect(times).toHaveLength(240);
      const inASecond = times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length);
      expect(Math.max(...inASecond)).toBeLessThanOrEqual(50);
    }),
  );

  it.skipIf(runtimeOfTests === 'postgres')(
    // On PostgreSQL the virtual clock advances while the database still works.
    'begins no more messages than the provider of its bot takes',
    withPlace(async (place) => {
      const service = await place.open({}, { runs: false });
      await service.importWorkspace({
        workspace: changed(await inlineExample(), { '/companies/0/campaigns': [campaignTo('a', phones(4))] }),
      });
      const clock = createVirtualClock();
      const beginMs = clock.now();
      const times: number[] = [];
      const campaigns = createCampaignRunner({
        ...service,
        companies: { ...service.companies, refresh: async () => undefined },
        deliver: async (_bot, { idempotencyKey: messageId }) => {
          times.push(clock.now());
          return { kind: 'sent', messageId };
        },
        paces: createPaces({
          runner: service.store.runner,
          clock,
          rateOf: ({ id }) => (id === 'bot_wa' ? { messagesPerSecond: 0.25 } : undefined),
        }),
        clock,
        random: seededRandom(1),
      });
      await campaigns.start();
      do {
        await passTime(clock, 500);
        await new Promise((resolve) => setTimeout(resolve, 10)); // the store keeps the pace, and time passes by itself here
      } while (!isOver(await progressOf(service, 'a')));
      await campaigns.stop();
      expect(times).toHaveLength(4);
      // A message may leave late, where the machine is busy; none leaves before its turn.
      expect(times.map((at, index) => at >= beginMs + index * 4_000)).toEqual([true, true, true, true]);
    }),
  );
});

describeOverEachStore('a campaign', (on) => {
  it(
    'goes by PENDING and IN_PROGRESS to COMPLETED, and reaches each recipient once (CAM-15)',
    on(async (place) => {
      const users = phones(230);
      const service = await openWith(place, [
        campaignTo('due', users, { status: 'SCHEDULED', scheduledAt: '2031-03-03T09:00:03Z' }),
        campaignTo('later', users, { status: 'SCHEDULED', scheduledAt: '2031-04-01T00:00:00Z' }),
      ]);
      const seen = await until(service, place.clock, 'due', isOver);
      const steps = seen.map(({ status }) => ['SCHEDULED', 'PENDING', 'IN_PROGRESS', 'COMPLETED'].indexOf(status));
      expect(steps).toEqual(steps.toSorted((a, b) => a - b));
      expect(steps).toContain(2);
      for (const { totalMessages, deliveredMessages, failedMessages } of seen)
        expect(deliveredMessages + failedMessages).toBeLessThanOrEqual(totalMessages);
      expect(seen.at(-1)).toMatchObject({ totalMessages: 230, deliveredMessages: 230, failedMessages: 0 });
      expect((await templatesTo(service)).toSorted()).toEqual(users);
      expect(await progressOf(service, 'later')).toMatchObject({ status: 'SCHEDULED', deliveredMessages: 0 });
      const { completedAt } = await progressOf(service, 'due');
      await passTime(place.clock, 60_000);
      expect((await progressOf(service, 'due')).completedAt).toBe(completedAt); // set once
    }),
    120_000,
  );

  it(
    'continues where it stopped when the process ended in the middle (P1, P25, CAM-15)',
    on(async (place) => {
      const users = phones(300);
      const first = await openWith(place, [campaignTo('long', users)]);
      await until(first, place.clock, 'long', ({ deliveredMessages }) => deliveredMessages >= 40);
      await first.close();
      const second = await place.open();
      expect((await progressOf(second, 'long')).deliveredMessages).toBeLessThan(300);
      await until(second, place.clock, 'long', isOver);
      expect(await progressOf(second, 'long')).toMatchObject({ deliveredMessages: 300, failedMessages: 0 });
      expect((await templatesTo(second)).toSorted()).toEqual(users);
    }),
    120_000,
  );
});
