// STOP and START: after STOP and until START no marketing template leaves, in whichever way it is sent.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createApp, createManagement } from '../../src/service/app.ts';
import { hearConsent } from '../../src/channels/hear-consent.ts';
import { createConsentGate } from '../../src/messages/consent-gate.ts';
import { createOutbox } from '../../src/messages/outbox.ts';
import { takeEvent } from '../../src/channels/channels.ts';
import { grantingSince } from '../../src/contacts/contacts.ts';
import type { RunningService } from '../../src/service/open-service.ts';
import { seededRandom } from '@hilo/testing';
import { type Place, withPlace } from '../data/open-for-test.ts';

const rules = {
  stop: ['STOP', 'BAJA'],
  start: ['START', 'ALTA'],
  confirmStop: 'Stopped.',
  confirmStart: 'Welcome back.',
  categories: ['MARKETING'],
};
const template = (id: string, category: string) => ({
  id,
  botId: 'bot_wa',
  elementName: id,
  language: 'en',
  category,
  status: 'APPROVED',
  body: 'Buy!',
});
const canvas = (id: string, templateId: string, keyword: string) => ({
  schemaVersion: 1,
  id,
  name: id,
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: [keyword] } },
    { id: 'sell', type: 'template', data: { templateId } },
    { id: 'out', type: 'message', data: { message: { type: 'text', text: 'As you wish: {{$error.cause}}' } } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'sell' },
    { source: 'sell', sourceHandle: 'sent', target: 'done' },
    { source: 'sell', sourceHandle: 'optedOut', target: 'out' },
    { source: 'out', sourceHandle: 'sent', target: 'done' },
  ],
});
const ana = '51999000111';
const company = {
  id: 1,
  name: 'Acme',
  plan: 'growth',
  consent: rules,
  clients: [{ clientId: 'acme', clientSecret: 'secret-of-acme' }],
  bots: [{ id: 'bot_wa', name: 'WA', channel: 'whatsapp', connectedAt: '2026-01-10T00:00:00Z', provider: { kind: 'log' } }],
  templates: [template('promo', 'MARKETING'), template('receipt', 'UTILITY')],
  users: [{ id: ana, lastMessageAt: { bot_wa: 'now' } }],
  campaigns: [
    {
      id: 'camp',
      name: 'Camp',
      elementName: 'promo',
      templateId: 'promo',
      botId: 'bot_wa',
      status: 'SCHEDULED',
      scheduledAt: '2040-01-01T00:00:00Z',
      createdAt: '2026-01-01T00:00:00Z',
      recipients: [{ userId: ana }],
    },
  ],
  workflows: [{ canvas: canvas('sell', 'promo', 'offers'), publish: true }],
};

let events = 0;
const write = (service: RunningService, text: string, eventId = `in-${(events += 1)}`) => {
  const bot = service.companies.botOf('1', 'bot_wa');
  if (bot === undefined) throw new Error('The bot is missing');
  return takeEvent(service, bot, {
    kind: 'message',
    eventId,
    user: { id: ana },
    message: { type: 'text', text, id: eventId },
    atMs: service.clock.now(),
  });
};
const sentTo = async (service: RunningService): Promise<readonly unknown[]> => {
  await service.engine.whenIdle();
  const texts: unknown[] = [];
  let cursor: string | undefined;
  // A property writes more than a page: what is behind the first one counts as well.
  do {
    const { results, nextCursor } = await service.messages.list('1', 'bot_wa', { userId: ana, limit: 100, cursor });
    texts.push(...results.flatMap(({ direction, message }) => (direction === 'outbound' ? [message['text']] : [])));
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return texts;
};
const contactOf = async (service: RunningService): Promise<unknown> =>
  (await createManagement(service).request(`/companies/1/contacts/phone:${ana}`)).json();

const withCompany = (test: (service: RunningService, place: Place) => Promise<void>) =>
  withPlace(async (place) => {
    const service = await place.open();
    await service.importWorkspace({ workspace: { companies: [company] } });
    await test(service, place);
  });

describe('words of consent', () => {
  it.each([
    ['stop', 'revoked'],
    [' ¡Baja! ', 'revoked'],
    ['ＳＴＯＰ', 'revoked'],
    ['S\u200bT\u00adOP.', 'revoked'],
    ['Stop 🙏', 'revoked'],
    ['álta', 'granted'],
    ['please stop', undefined],
    ['stopover', undefined],
    ['!', undefined],
    ['', undefined],
  ] as const)('are the whole message as people write it: %j', (text, heard) => {
    expect(hearConsent(rules, { type: 'text', text })).toBe(heard);
    expect(hearConsent(undefined, { type: 'text', text })).toBeUndefined();
  });

  const worldwide = {
    ...rules,
    stop: 'STOP,BAJA,PARAR,SALIR,No quiero más mensajes,Cancelar suscripción,Descadastrar,NÃO QUERO,रोको,बंद करो,توقف,إلغاء,BERHENTI,やめ,İPTAL,DUR'.split(
      ',',
    ),
    start: 'ALTA,START,चालू,ابدأ'.split(','),
  };
  it('are those of the company and no others, in any script: what only holds one, or differs by a letter, is a message', () => {
    const heard = (text: string): string => hearConsent(worldwide, { type: 'text', text }) ?? '-';
    const stops = [
      'STOP!!!|stop|Stop.|*STOP*|_stop_|~stop~|"Stop"|«stop»|STOP\n|  stop\u00a0|🛑 STOP 🛑|stop ✋🏽|¡¡BAJA!!|baja 😡|bája|ＢＡＪＡ|𝐒𝐓𝐎𝐏|(baja)|parar...|PÁRAR|sálir',
      'no quiero mas mensajes|NO QUIERO MÁS MENSAJES!!|No quiero, más mensajes.|no  quiero\u200b más\nmensajes|cancelar suscripcion|CANCELAR SUSCRIPCIÓN 🙏|cancelar-suscripción',
      'não quero|nao quero|NAO QUERO!|descadastrar.|रोको|रोको!|रोको।|बंद करो 🙏|توقف|تَوَقَّف|الغاء|إلغاء.|Berhenti|berhenti!|やめ|iptal|İptal|IPTAL|dur',
    ].flatMap((row) => row.split('|'));
    const others = [
      "please stop|stop by the shop|bus stop|stop it|non-stop|stopped|stops|don't stop|st op|s.t.o.p|baja el precio|la planta baja|bajar|bajas|¿baja?, no|no para de llover",
      'para|parar aquí|no parar|salir a comer|quiero más mensajes|no quiero|no quiero más|quero|não|रुको|रोका|रोक|बंद|बंदी करो|توقفت|لا توقف|berhenti dong|やめて|やめ゛|iptal etme|durum|🛑|✋|.|',
      'stop start|alta baja|STOP ALTA|unsubscribe|cancelar|stop\n\nEnviado desde mi iPhone',
    ].flatMap((row) => row.split('|'));
    expect(stops.filter((text) => heard(text) !== 'revoked')).toEqual([]);
    expect(others.filter((text) => heard(text) !== '-')).toEqual([]);
    expect(['start', '¡Alta!', 'चालू', 'ابدا', 'ابدأ!', 'ALTA 🎉'].map(heard)).toEqual(Array.from({ length: 6 }, () => 'granted'));
  });
});

describe('consent', () => {
  it(
    'is recorded with the message, confirmed once, and answers no question',
    withCompany(async (service) => {
      const app = createApp(service);
      expect(await write(service, 'Stop!', 'm1')).toBe('noted');
      expect(await contactOf(service)).toMatchObject({ consent: { marketing: 'revoked', source: 'keyword', evidence: 'm1' } });
      expect(await write(service, 'Stop!', 'm1')).toBe('duplicate');
      expect(await write(service, 'baja')).toBe('noted');
      expect(await sentTo(service)).toEqual(['Stopped.']);
      const { results } = await service.messages.list('1', 'bot_wa', { userId: ana, limit: 10 });
      expect(results.map(({ direction, message }) => [direction, message['text']])).toEqual([
        ['inbound', 'Stop!'],
        ['outbound', 'Stopped.'],
        ['inbound', 'baja'],
      ]);
      const acts = (await (await createManagement(service).request('/audit?companyId=1')).json()) as {
        readonly results: readonly object[];
      };
      expect(acts.results.filter((act) => 'action' in act && act.action === 'changeConsent')).toMatchObject([
        { actor: 'the user', after: { marketing: 'revoked', source: 'keyword' }, outcome: '200' },
      ]);
      expect(await contactOf(service)).toMatchObject({ consent: { evidence: 'm1' } });

      await write(service, 'offers');
      expect(await sentTo(service)).toEqual(['Stopped.', 'As you wish: NO_CONSENT']);
      const post = async (templateId: string) => {
        const answer = await app.request('/v1/bots/bot_wa/campaigns/camp/template-messages', {
          method: 'POST',
          body: JSON.stringify({ type: 'template', templateId, userId: ana }),
          headers: { 'content-type': 'application/json', authorization: `Basic ${btoa('acme:secret-of-acme')}` },
        });
        return { status: answer.status, body: (await answer.json()) as object };
      };
      expect(await post('promo')).toMatchObject({ status: 400, body: { error: 'NO_CONSENT' } });
      expect(await post('receipt')).toMatchObject({ status: 200 });

      await write(service, 'ALTA', 'm2');
      expect(await contactOf(service)).toMatchObject({ consent: { marketing: 'granted', source: 'keyword', evidence: 'm2' } });
      await write(service, 'offers');
      expect(await sentTo(service)).toEqual(['Stopped.', 'As you wish: NO_CONSENT', 'Buy!', 'Welcome back.', 'Buy!']);
      expect(await post('promo')).toMatchObject({ status: 200 });
    }),
  );

  it(
    'is what a person sets in the app of the provider: kept with its evidence, before any message of theirs, unless they said something later',
    withCompany(async (service) => {
      const bot = service.companies.botOf('1', 'bot_wa');
      if (bot === undefined) throw new Error('The bot is missing');
      const at = service.clock.now();
      const set = (marketing: 'granted' | 'revoked', eventId: string, atMs: number, id = ana) =>
        takeEvent(service, bot, {
          kind: 'consent',
          eventId,
          atMs,
          user: { id, phone: id },
          marketing,
          message: { id: eventId, type: 'user_preferences', text: 'User requested it' },
        });
      expect(await set('revoked', 'p1', at - 60_000)).toBe('noted');
      expect(await set('revoked', 'p1', at - 60_000)).toBe('duplicate');
      expect(await contactOf(service)).toMatchObject({ consent: { marketing: 'revoked', source: 'keyword', evidence: 'p1' } });
      await write(service, 'offers');
      expect(await sentTo(service)).toEqual(['As you wish: NO_CONSENT']);

      // An older wish that comes late, and one of the time in which it was said.
      expect(await set('granted', 'p0', at - 120_000)).toBe('noted');
      expect(await contactOf(service)).toMatchObject({ consent: { marketing: 'revoked', evidence: 'p1' } });
      expect(await set('granted', 'p2', at - 30_000)).toBe('noted');
      expect(await contactOf(service)).toMatchObject({ consent: { marketing: 'granted', evidence: 'p2' } });
      await write(service, 'STOP', 'm9');
      expect(await set('granted', 'p3', at - 10_000)).toBe('noted');
      expect(await contactOf(service)).toMatchObject({ consent: { marketing: 'revoked', evidence: 'm9' } });

      // A STOP that is written while an earlier wish of the app is on its way stands, whichever is first.
      await Promise.all([set('granted', 'p5', at - 5_000), write(service, 'BAJA', 'm10'), set('granted', 'p6', at - 4_000)]);
      expect(await contactOf(service)).toMatchObject({ consent: { marketing: 'revoked' } });

      const grants = async (atMs: number): Promise<boolean> => {
        const consent = { marketing: 'granted', atMs, source: 'keyword' } as const;
        const { failed } = await service.store.runner.write([grantingSince({ companyId: '1', userId: ana, consent })]);
        return failed === undefined;
      };
      expect([await grants(service.clock.now() - 1), await grants(service.clock.now())]).toEqual([false, true]);

      // Somebody who never wrote, and a time that is none.
      expect(await set('revoked', 'p4', 0, '51999000222')).toBe('noted');
      const other = await createManagement(service).request('/companies/1/contacts/phone:51999000222');
      expect(await other.json()).toMatchObject({ consent: { marketing: 'revoked', evidence: 'p4' } });
      expect(await service.store.executions.contact('1', 'bot_wa', ['51999000222'])).toMatchObject({ windowUntilMs: null });
    }),
  );

  it(
    'is an event that canvases wait for: once for each change, of their own user alone, by whichever way it comes',
    withCompany(async (service) => {
      const watch = {
        schemaVersion: 1,
        id: 'watch',
        name: 'Watch',
        nodes: [
          { id: 'begin', type: 'start', data: { keywords: ['watch'] } },
          {
            id: 'wait',
            type: 'wait-event',
            data: { name: 'contact.consentChanged', correlation: '{{$user.id}}', timeout: 'P1D', saveAs: '$context.changed' },
          },
          {
            id: 'tell',
            type: 'message',
            data: {
              message: {
                type: 'text',
                text: 'heard {{$context.changed.marketing}} {{$context.changed.source}} {{$context.changed.evidence ?? "-"}}',
              },
            },
          },
          { id: 'done', type: 'end' },
        ],
        edges: [
          { source: 'begin', target: 'wait' },
          { source: 'wait', sourceHandle: 'received', target: 'tell' },
          { source: 'tell', sourceHandle: 'sent', target: 'wait' },
          { source: 'wait', sourceHandle: 'timeout', target: 'done' },
        ],
      };
      await service.importWorkspace({ workspace: { companies: [{ ...company, workflows: [{ canvas: watch, publish: true }] }] } });
      const heard = async () => (await sentTo(service)).filter((text) => String(text).startsWith('heard'));
      const set = async (who: string, marketing: string) => {
        const method = 'PATCH';
        const answer = await createManagement(service).request(`/companies/1/contacts/${who}`, {
          method,
          body: JSON.stringify({ consent: { marketing } }),
          headers: { 'content-type': 'application/json' },
        });
        expect([answer.status, who]).toEqual([200, who]);
      };
      await write(service, 'watch');
      expect(await heard()).toEqual([]);
      await write(service, 'stop', 'm1');
      await write(service, 'stop', 'm1');
      await write(service, 'stop', 'm2');
      const byKeyword = 'heard revoked keyword m1';
      expect(await heard()).toEqual([byKeyword]);
      await set(`phone:${ana}`, 'granted');
      await set(`phone:${ana}`, 'granted');
      expect(await heard()).toEqual([byKeyword, 'heard granted api -']);
    }),
  );

  it(
    'is kept by a node as well, which never lifts a STOP, whatever was said before and at the same time',
    withCompany(async (service) => {
      const say = (id: string, keyword: string, data: object) => ({
        schemaVersion: 1,
        id,
        name: id,
        nodes: [
          { id: 'begin', type: 'start', data: { keywords: [keyword] } },
          { id: 'keep', type: 'consent', data },
          { id: 'kept', type: 'message', data: { message: { type: 'text', text: `kept ${keyword}` } } },
          { id: 'not', type: 'message', data: { message: { type: 'text', text: 'not kept: {{$error.cause}}' } } },
          { id: 'done', type: 'end' },
        ],
        edges: [
          { source: 'begin', target: 'keep' },
          { source: 'keep', sourceHandle: 'next', target: 'kept' },
          { source: 'keep', sourceHandle: 'error', target: 'not' },
          ...['kept', 'not'].map((source) => ({ source, sourceHandle: 'sent', target: 'done' })),
        ],
      });
      const canvases = [
        canvas('sell', 'promo', 'offers'),
        say('allow', 'yes', { marketing: 'granted' }),
        say('refuse', 'no', { marketing: 'revoked', evidence: 'by {{$message.text}}' }),
      ];
      const workflows = canvases.map((each) => ({ canvas: each, publish: true }));
      await service.importWorkspace({ workspace: { companies: [{ ...company, workflows }] } });

      await write(service, 'yes', 'y1');
      await service.engine.whenIdle();
      expect(await contactOf(service)).toMatchObject({ consent: { marketing: 'granted', source: 'node', evidence: 'y1' } });
      await write(service, 'no');
      await service.engine.whenIdle();
      expect(await contactOf(service)).toMatchObject({ consent: { marketing: 'revoked', source: 'node', evidence: 'by no' } });
      const acts = (await (await createManagement(service).request('/audit?companyId=1&action=changeConsent')).json()) as object;
      expect(acts).toMatchObject({
        results: [
          {
            actor: 'a workflow',
            object: { kind: 'contact', id: expect.stringMatching(/^con_/) as string },
            after: { marketing: 'revoked', source: 'node' },
          },
          { actor: 'a workflow', after: { marketing: 'granted', source: 'node' } },
        ],
      });

      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom('stop', 'start', 'yes', 'no', 'offers'), { maxLength: 8 }),
          fc.boolean(),
          async (acts, areTogether) => {
            const before = (await sentTo(service)).length;
            let isRevoked = true;
            const expected: string[] = [];
            for (const act of acts) {
              await write(service, act);
              await service.engine.whenIdle();
              if (act === 'offers') expected.push(isRevoked ? 'As you wish: NO_CONSENT' : 'Buy!');
              if (act === 'no') expected.push('kept no');
              if (act === 'yes') expected.push(isRevoked ? 'not kept: NO_CONSENT' : 'kept yes');
              isRevoked = act === 'stop' || act === 'no' || (isRevoked && act !== 'start');
            }
            const sent = (await sentTo(service)).slice(before);
            expect(sent.filter((text) => text !== 'Stopped.' && text !== 'Welcome back.')).toEqual(expected);
            if (areTogether) await Promise.all(['yes', 'stop', 'yes'].map((act) => write(service, act)));
            else await write(service, 'stop');
            await service.engine.whenIdle();
            expect(await contactOf(service)).toMatchObject({ consent: { marketing: 'revoked' } });
          },
        ),
        { numRuns: fc.readConfigureGlobal().numRuns ?? 10, endOnFailure: true },
      );
    }),
  );

  it(
    'is looked at before each try: a template that its provider did not take at first stays once STOP was written meanwhile',
    withCompany(async (service, { clock }) => {
      const { store, companies } = service;
      const tries: unknown[] = [];
      const outbox = createOutbox({
        store,
        clock,
        companies,
        consent: createConsentGate(companies),
        random: seededRandom(1),
        log: { info: () => {}, warn: () => {}, error: () => {} },
        isRecordOnly: () => false,
        async deliver(_bot, { message }) {
          tries.push(message['templateId']);
          return { kind: 'later', cause: 'RATE_LIMITED', message: 'Not now', retryAfterMs: 1_000 };
        },
      });
      await outbox.start();
      const message = { type: 'template', templateId: 'promo', text: 'Buy!' };
      await outbox.accept({ companyId: '1', botId: 'bot_wa', userId: ana, knownAs: ana, message });
      await expect.poll(() => tries).toEqual(['promo']);
      await write(service, 'stop');
      const statusOf = async () => {
        clock.advanceBy(1_000);
        const { results } = await service.messages.list('1', 'bot_wa', { userId: ana, limit: 50 });
        return results.flatMap(({ message: sent, status, cause }) => (sent['type'] === 'template' ? [{ status, cause }] : []));
      };
      await expect.poll(statusOf).toEqual([{ status: 'failed', cause: 'NO_CONSENT' }]);
      expect(tries).toEqual(['promo']);
      await outbox.stop();
    }),
  );

  it(
    'is looked at again when a template leaves: none leaves between STOP and START, whatever waits',
    withCompany(async (service) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom('stop', 'start', 'promo', 'receipt'), { maxLength: 8 }),
          fc.nat(9),
          async (acts, lateBy) => {
            const left: { readonly templateId: unknown; readonly isStopped: boolean }[] = [];
            let isStopped = false;
            const waiting: Promise<unknown>[] = [];
            const { store, clock, companies } = service;
            const outbox = createOutbox({
              store,
              clock,
              companies,
              consent: createConsentGate(companies),
              random: seededRandom(lateBy),
              log: { info: () => {}, warn: () => {}, error: () => {} },
              isRecordOnly: () => false,
              async deliver(_bot, { message, messageId }) {
                left.push({ templateId: message['templateId'], isStopped });
                return { kind: 'sent', messageId };
              },
            });
            for (const [index, act] of acts.entries()) {
              if (act === 'start') isStopped = false;
              if (act === 'stop' || act === 'start') await write(service, act);
              if (act === 'stop') isStopped = true;
              if (act === 'promo' || act === 'receipt')
                await outbox.accept({
                  companyId: '1',
                  botId: 'bot_wa',
                  userId: ana,
                  knownAs: ana,
                  message: { type: 'template', templateId: act, text: String(index) },
                });
              if (index < lateBy) continue;
              if (waiting.length === 0) waiting.push(outbox.start());
            }
            await outbox.start();
            await outbox.stop();
            expect(left.filter(({ templateId, isStopped: wasStopped }) => templateId === 'promo' && wasStopped)).toEqual([]);
            isStopped = false;
            await write(service, 'start');
          },
        ),
        { numRuns: 15, endOnFailure: true },
      );
    }),
  );
});
