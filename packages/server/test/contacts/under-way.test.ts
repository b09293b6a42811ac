// What happens to a contact while their executions are under way: another number, an erasure in the middle of a call, STOP while a person answers.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { takeEvent } from '../../src/channels/channels.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { withPlace } from '../data/open-for-test.ts';
import { asking, endOf, findTexts, textOf } from './erasure-stage.ts';

const canvas = (id: string, nodes: readonly object[], edges: readonly object[]) => ({
  canvas: { schemaVersion: 1, id, name: id, nodes, edges },
  publish: true,
});
const text = (id: string, words: string) => ({ id, type: 'message', data: { message: { type: 'text', text: words } } });
const begin = (keyword: string) => ({ id: 'begin', type: 'start', data: { keywords: [keyword] } });
const done = { id: 'done', type: 'end' };
const way = (source: string, target: string, sourceHandle = 'next') => ({ source, target, sourceHandle });

const company = {
  id: 1,
  name: 'Acme',
  plan: 'growth',
  consent: { stop: ['STOP'], start: ['START'], categories: ['MARKETING'] },
  bots: [{ id: 'bot_wa', name: 'WA', channel: 'whatsapp', connectedAt: '2026-01-10T00:00:00Z', provider: { kind: 'log' } }],
  operators: [{ id: 7, names: 'Olga', email: 'olga@example.com', teamIds: [] }],
  templates: [
    { id: 'promo', botId: 'bot_wa', elementName: 'promo', language: 'en', category: 'MARKETING', status: 'APPROVED', body: 'Buy!' },
  ],
};

let events = 0;
const botOf = (service: RunningService) => {
  const bot = service.companies.botOf('1', 'bot_wa');
  if (bot === undefined) throw new Error('The bot is missing');
  return bot;
};
const write = (service: RunningService, id: string, words: string, eventId = `in-${(events += 1)}`) =>
  takeEvent(service, botOf(service), {
    kind: 'message',
    eventId,
    user: { id },
    message: { type: 'text', text: words, id: eventId },
    atMs: service.clock.now(),
  });
const sentTo = async (service: RunningService, userId: string): Promise<readonly unknown[]> => {
  await service.engine.whenIdle();
  const { results } = await service.messages.list('1', 'bot_wa', { userId, limit: 100 });
  return results.flatMap(({ direction, message }) => (direction === 'outbound' ? [message['text']] : []));
};

describe('a contact whose number changes', () => {
  it(
    'while two executions are under way stays one, whatever comes first, and each goes on once',
    withPlace(async ({ open }) => {
      const service = await open();
      const asks = canvas(
        'asks',
        [
          begin('hello'),
          { id: 'name', type: 'ask', data: { message: { type: 'text', text: 'Name?' }, input: { kind: 'text' }, saveAs: '$context.name' } },
          text('thank', 'Thanks, {{$context.name}}'),
          done,
        ],
        [way('begin', 'name'), way('name', 'thank', 'answered'), way('thank', 'done', 'sent')],
      );
      const waits = canvas(
        'waits',
        [
          { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'customer' } },
          { id: 'paid', type: 'wait-event', data: { name: 'paid', correlation: '{{$user.id}}', timeout: 'P1D' } },
          text('tell', 'Paid.'),
          done,
        ],
        [way('hook', 'paid', 'new'), way('paid', 'tell', 'received'), way('tell', 'done', 'sent')],
      );
      await service.importWorkspace({ workspace: { companies: [{ ...company, workflows: [asks, waits] }] } });
      const ask = asking(service);
      let people = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.shuffledSubarray(['change', 'signal', 'again'] as const, { minLength: 3 }),
          fc.boolean(),
          async (acts, areTogether) => {
            people += 1;
            const [before, after] = [String(51_999_000_000 + people), String(51_988_000_000 + people)];
            await write(service, before, 'hello');
            await service.engine.receiveWebhook({
              companyId: '1',
              botId: 'bot_wa',
              workflowId: 'waits',
              nodeId: 'hook',
              route: 'production',
              channel: 'whatsapp',
              request: { method: 'POST', body: { customer: before }, query: {}, headers: {} },
            });
            await service.engine.whenIdle();
            const { body: contact } = await ask('GET', `/companies/1/contacts/phone:${before}`);
            const change = () =>
              takeEvent(service, botOf(service), {
                kind: 'userIdChanged',
                previousId: before,
                user: { id: after, phone: after },
                eventId: `changed-${people}`,
                atMs: service.clock.now(),
              });
            const deeds = {
              change,
              again: change, // providers repeat their deliveries
              signal: () => service.engine.signal({ companyId: '1', name: 'paid', correlation: before, payload: {} }),
            };
            if (areTogether) await Promise.all(acts.map((act) => deeds[act]()));
            else for (const act of acts) await deeds[act]();
            await write(service, after, 'Iris');
            const sent = await sentTo(service, before);
            expect([sent.length, new Set(sent)]).toEqual([3, new Set(['Name?', 'Paid.', 'Thanks, Iris'])]);
            for (const name of [`phone:${before}`, `phone:${after}`])
              expect((await ask('GET', `/companies/1/contacts/${name}`)).body['id']).toBe(contact['id']);
            const { body } = await ask('GET', '/audit?companyId=1&action=mergeContact&limit=200');
            const merges = z.array(z.object({ object: z.object({ id: z.string() }) })).parse(body['results']);
            expect(merges.filter(({ object }) => object.id === contact['id'])).toHaveLength(1);
          },
        ),
        { numRuns: 3, endOnFailure: true },
      );
    }),
  );
});

describe('an erasure', () => {
  it(
    'in the middle of a call leaves nothing of what the call brings, whenever it comes back',
    withPlace(async ({ open, directory, clock }) => {
      const held: ServerResponse[] = [];
      const server = createServer((_request, response) => void held.push(response)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      try {
        const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
        const service = await open({ egressAllow: [host] });
        const calls = canvas(
          'calls',
          [
            begin('hello'),
            { id: 'look', type: 'api', data: { url: `http://${host}/orders`, method: 'GET', saveAs: '$context.order' } },
            text('tell', 'Your order: {{$context.order.body}}'),
            done,
          ],
          [way('begin', 'look'), way('look', 'tell', 'success'), way('tell', 'done', 'sent')],
        );
        await service.importWorkspace({ workspace: { companies: [{ ...company, workflows: [calls] }] } });
        const ask = asking(service);
        const ana = '51999000111';
        await write(service, ana, 'hello');
        await expect.poll(() => held.length).toBe(1);
        const { body } = await ask('DELETE', `/companies/1/contacts/phone:${ana}`);
        const jobId = textOf(body, 'jobId');
        expect(await endOf(service, { clock }, jobId)).toMatchObject({ status: 'done', failure: null });
        held[0]?.end('"CanaryOfTheCallQ7"');
        for (let round = 0; round < 50; round += 1) await setImmediate();
        await service.engine.whenIdle();
        expect(await sentTo(service, ana)).toEqual([]);
        expect((await ask('GET', `/companies/1/contacts/phone:${ana}`)).status).toBe(404);
        await service.close();
        expect(findTexts(directory, [ana, 'CanaryOfTheCallQ7'])).toEqual([]);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    }),
  );
});

describe('STOP', () => {
  it(
    'while a person answers is kept, wakes no bot, and stops what the person would send',
    withPlace(async ({ open }) => {
      const service = await open();
      const hands = canvas(
        'hands',
        [begin('help'), { id: 'person', type: 'handoff', data: { mode: 'park', timeout: 'PT2H' } }, text('back', 'Back.'), done],
        [way('begin', 'person'), way('person', 'back', 'closed'), way('back', 'done', 'sent')],
      );
      await service.importWorkspace({ workspace: { companies: [{ ...company, workflows: [hands] }] } });
      const ask = asking(service);
      const ana = '51999000111';
      await write(service, ana, 'help');
      await service.engine.whenIdle();
      const { body } = await ask('GET', '/conversations?companyId=1');
      const [conversation] = z.array(z.object({ _id: z.string() })).parse(body['results']);
      const id = conversation?._id ?? '';
      expect((await ask('POST', `/conversations/${id}/assign?companyId=1`, { operatorId: 7 })).status).toBe(200);
      const send = (key: string) =>
        ask('POST', `/inbox/${id}/templates?companyId=1`, { templateId: 'promo', parameters: {} }, { 'idempotency-key': key });
      const accepted = await send('k1');
      expect(accepted.status).toBe(200);
      expect(await write(service, ana, 'stop')).toBe('noted');
      expect((await ask('GET', `/companies/1/contacts/phone:${ana}`)).body).toMatchObject({
        consent: { marketing: 'revoked', source: 'keyword' },
      });
      // Said at the door; what was accepted before is answered as before.
      expect(await send('k2')).toMatchObject({ status: 400, body: { error: 'NO_CONSENT' } });
      expect(await send('k1')).toEqual(accepted);
      const offers = async () => {
        const { results } = await service.messages.list('1', 'bot_wa', { userId: ana, limit: 100 });
        return results.flatMap(({ direction, status, cause }) => (direction === 'outbound' ? [{ status, cause }] : []));
      };
      await expect.poll(async () => (await offers()).length).toBe(1);
    }),
  );
});
