// After STOP and until START no marketing template leaves, whenever it comes: before a campaign is made, while it is under way, or between.
import { setImmediate } from 'node:timers/promises';
import type { JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createManagement } from '../../src/service/app.ts';
import { takeEvent } from '../../src/channels/channels.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { type Place, withPlace } from '../data/open-for-test.ts';
import { isOver, passTime, until } from './campaigns-progress.ts';

const template = (id: string, category: string) => ({
  id,
  botId: 'bot_wa',
  elementName: id,
  language: 'en',
  category,
  status: 'APPROVED',
  body: 'Hello',
});
const company = {
  id: 1,
  name: 'Acme',
  plan: 'growth',
  consent: { stop: ['STOP'], start: ['START'], categories: ['MARKETING'] },
  clients: [{ clientId: 'acme-client', clientSecret: 's3c:ret-of-acme' }],
  bots: [{ id: 'bot_wa', name: 'WA', channel: 'whatsapp', connectedAt: '2026-01-10T00:00:00Z', provider: { kind: 'log' } }],
  templates: [template('promo', 'MARKETING'), template('receipt', 'UTILITY')],
};

const users = ['51999000111', '51999000222', '51999000333'] as const;
let events = 0;

/** What a user writes, through the door of their provider. @returns when it was kept */
async function write(service: RunningService, clock: Place['clock'], id: string, text: 'STOP' | 'START'): Promise<number> {
  const eventId = `event-${(events += 1)}`;
  const bot = service.companies.bot('bot_wa');
  if (bot === undefined) throw new Error('The company has lost its bot');
  const message = { id: eventId, type: 'text', text } as const;
  await takeEvent(service, bot, { kind: 'message', eventId, atMs: clock.now(), user: { id }, message });
  return clock.now();
}

/** One of the things that happen, in any order. */
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('write' as const),
      user: fc.constantFrom(...users),
      text: fc.constantFrom('STOP' as const, 'START' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('campaign' as const),
      templateId: fc.constantFrom('promo', 'receipt'),
      perSecond: fc.constantFrom(1, 3),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('pass' as const), ms: fc.constantFrom(100, 900, 2_500) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('pause' as const, 'resume' as const) }) },
);

it(
  'no marketing template leaves between STOP and START, whatever campaigns are under way',
  withPlace(async (place) => {
    const service = await place.open();
    await service.importWorkspace({ workspace: { companies: [company] } });
    const management = createManagement(service);
    const post = async (path: string, body?: object): Promise<JsonObject> => {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      return (await (await management.request(`/companies/1/campaigns${path}`, init)).json()) as JsonObject;
    };
    /** The messages of each user that are kept already: each run looks at its own. */
    const sentTo = async (userId: string) =>
      (await service.messages.list('1', 'bot_wa', { userId, limit: 200, order: 'desc' })).results.filter(
        ({ message }) => message['type'] === 'template',
      );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14, size: 'max' }), async (steps) => {
        const before = new Map<string, ReadonlySet<string>>();
        const stopped = new Map<string, { fromMs: number; untilMs: number }[]>();
        for (const user of users) {
          before.set(user, new Set((await sentTo(user)).map(({ messageId }) => messageId)));
          await write(service, place.clock, user, 'START');
          stopped.set(user, []);
        }
        const made: string[] = [];
        for (const one of steps) {
          if (one.does === 'write') {
            const spans = stopped.get(one.user) ?? [];
            const open = spans.at(-1)?.untilMs === Number.POSITIVE_INFINITY;
            const startsAtMs = place.clock.now();
            const keptAtMs = await write(service, place.clock, one.user, one.text);
            // What was handed over while STOP was being kept had left before.
            if (one.text === 'STOP' && !open) spans.push({ fromMs: keptAtMs + 1, untilMs: Number.POSITIVE_INFINITY });
            const last = spans.at(-1);
            if (one.text === 'START' && open && last !== undefined) last.untilMs = startsAtMs;
          } else if (one.does === 'campaign') {
            const { templateId, perSecond } = one;
            const { id } = await post('', { name: 'c', botId: 'bot_wa', templateId, audience: { users }, perSecond });
            made.push(typeof id === 'string' ? id : '');
          } else if (one.does === 'pass') {
            for (let ms = 0; ms < one.ms; ms += 100) await passTime(place.clock, 100);
          } else if (made.length > 0) await post(`/${made.at(-1) ?? ''}/${one.does}`);
          await setImmediate();
        }
        for (const id of made) {
          await post(`/${id}/resume`);
          await until(service, place.clock, id, isOver);
        }
        for (const user of users) {
          const fresh = (await sentTo(user)).filter(
            ({ messageId, message }) => before.get(user)?.has(messageId) !== true && message['templateId'] === 'promo',
          );
          for (const { createdAtMs, status } of fresh.filter((sent) => sent.status !== 'failed'))
            for (const { fromMs, untilMs } of stopped.get(user) ?? [])
              expect([status, createdAtMs > fromMs && createdAtMs < untilMs]).toEqual([status, false]);
        }
      }),
      { numRuns: 12, endOnFailure: true },
    );
  }),
);
