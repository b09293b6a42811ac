import { createHmac } from 'node:crypto';
import { type ChannelEvent, defineChannel } from '@hilo/channels';
import type { JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import { beforeEach, describe, expect, it } from 'vitest';
import { createChannels } from '../../src/channels/routes.ts';
import { createChannelRegistry } from '../../src/channels/channels.ts';
import { ana, type CallOptions, event, frames, openFrame, setStage, signed, type Stage } from './calls.ts';
import { greeting } from './canvases.ts';
import { keys } from './fake-service.ts';

/** Headers that differ from answer to answer, or with how much of a body had come. */
const ofConnection = new Set(['x-request-id', 'date', 'connection', 'keep-alive']);

describe.each(frames)('over %s', (frame) => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await setStage({}, undefined, frame);
    await stage.service.keep(greeting);
    return () => stage.service.close();
  });

  const executions = async () => (await stage.service.store.executions.list('1', { limit: 50 })).results;
  const settled = () => stage.service.engine.whenIdle();
  const ok = { status: 200, body: { success: true } };

  describe('inbound messages (EVT-02)', () => {
    it('start the workflow whose start matches, and resume the user’s wait', async () => {
      expect(await stage.deliver('bot_wa', event())).toMatchObject(ok);
      await settled();
      expect(await executions()).toMatchObject([{ workflowId: 'greeting', state: { status: 'waiting', wait: { kind: 'reply' } } }]);
      expect(await stage.deliver('bot_wa', event({ eventId: 'e2', message: { id: 'm2', type: 'text', text: 'Ana' } }))).toMatchObject(ok);
      await settled();
      expect(await executions()).toMatchObject([{ state: { status: 'completed', variables: { $context: { name: 'Ana' } } } }]);
    });

    it.each([
      ['event', event({ message: { id: 'm2', type: 'text', text: 'again' } })],
      ['message', event({ eventId: 'e2' })],
    ])('are accepted once: the same %s again is answered without consequence (P10)', async (_what, again) => {
      await stage.deliver('bot_wa', event());
      expect(await stage.deliver('bot_wa', again)).toMatchObject({ status: 200, body: { success: true, duplicate: true } });
      await settled();
      expect(await executions()).toHaveLength(1);
    });

    it('are answered with their outcome', async () => {
      const answers = [];
      for (const more of [{}, {}, { eventId: 'e2', message: { id: 'm2', type: 'text', text: 'Ana' } }]) {
        const sent = event(more);
        answers.push((await stage.deliver(sent.botId, sent)).body);
        await settled();
      }
      expect(answers).toEqual([
        { success: true, outcome: 'started' },
        { success: true, duplicate: true, outcome: 'duplicate' },
        { success: true, outcome: 'resumed' },
      ]);
    });

    it('carry the user’s time zone and locale; a malformed one does not cost the message', async () => {
      const from = (place: object, more: object = {}) => ({ ...event(more), user: { id: ana, ...place } });
      const odd = { timeZone: 'America/Lima', locale: 'es_PE', names: 7, phone: {}, bsuid: 'none' };
      expect(await stage.deliver('bot_wa', from(odd))).toMatchObject(ok);
      await settled();
      expect(await executions()).toMatchObject([{ state: { variables: { $user: { timeZone: 'America/Lima', locale: 'es-PE' } } } }]);
      // Fields that a later message leaves out stay.
      await stage.deliver('bot_wa', from({}, { eventId: 'e2', message: { id: 'm2', type: 'text', text: 'Ana' } }));
      await settled();
      expect(await executions()).toMatchObject([{ state: { status: 'completed', variables: { $user: { timeZone: 'America/Lima' } } } }]);
    });

    it('are counted by why no workflow took them, and executions by why they failed', async () => {
      await stage.service.keep({
        ...greeting,
        nodes: [
          { id: 'begin', type: 'start', data: { keywords: ['fail'] } },
          { id: 'done', type: 'end', data: { outcome: 'failed' } },
        ],
        edges: [{ source: 'begin', target: 'done' }],
      });
      expect((await stage.deliver('bot_wa', event())).body).toEqual({ success: true, outcome: 'unmatched' });
      expect(
        (await stage.deliver('bot_wa', event({ eventId: 'e2', message: { id: 'm2', type: 'text', text: 'fail' } }))).body,
      ).toMatchObject({
        outcome: 'started',
      });
      await settled();
      const metrics = String((await stage.call('/metrics', { headers: { authorization: `Bearer ${keys.admin}` } })).body);
      expect(metrics).toContain('hilo_messages_unmatched_total{company="1",bot="bot_wa",cause="NO_START_MATCHED"} 1');
      expect(metrics).toContain('hilo_executions_failed_total{company="1",workflow="greeting",cause="ENDED_AS_FAILED"} 1');
    });

    it('are accepted once when they are concurrent (P10)', async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => stage.deliver('bot_wa', event())));
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
      expect(answers.filter(({ body }) => (body as { duplicate?: true }).duplicate === undefined)).toHaveLength(1);
    });

    it('link phone and BSUID, and open the 24-hour window (UID-04, UID-06, WIN-01)', async () => {
      await stage.deliver('bot_wa', event({ user: { id: ana, phone: `+52 1 55-1234-5678`, bsuid: 'MX.a1B2c3', names: 'Ana' } }));
      await stage.deliver('bot_wa', event({ eventId: 'e2', user: { id: 'MX.a1B2c3' }, message: { id: 'm2', type: 'text', text: 'Ana' } }));
      const contact = await stage.service.store.executions.contact('1', 'bot_wa', ['MX.a1B2c3']);
      expect(contact).toMatchObject({
        userId: ana,
        phone: ana,
        bsuid: 'MX.a1B2c3',
        names: 'Ana',
        windowUntilMs: stage.service.clock.now() + 86_400_000,
      });
      await settled();
      expect(await executions()).toHaveLength(1);
    });

    it('work through custom bots too, and ignore unknown fields (GEN-07)', async () => {
      stage.service.connect({
        id: 'bot_custom',
        channel: 'custom',
        provider: { kind: 'custom', fields: { appSecret: keys.appSecret, url: 'https://x.example' } },
      });
      expect(await stage.deliver('bot_custom', event({ botId: 'bot_custom', more: { a: 1 } }))).toMatchObject(ok);
    });

    it('take the ids of an open bot (UID-05)', async () => {
      const settings = { userIdFormat: 'open', enforceSessionWindow: true, templateReopensWindow: 'onSend' } as const;
      stage.service.connect({ id: 'bot_open', channel: 'slack', settings });
      expect(await stage.deliver('bot_open', event({ botId: 'bot_open', user: { id: 'U02:x@y' } }))).toMatchObject(ok);
    });

    it('take a signature in capitals, and a body with any spelling of JSON', async () => {
      const body = JSON.stringify(event(), null, 3);
      const hex = createHmac('sha256', keys.appSecret).update(body).digest('hex').toUpperCase();
      expect(await stage.deliver('bot_wa', body, { headers: { 'x-hub-signature-256': `sha256=${hex}` } })).toMatchObject(ok);
    });

    it('are refused with 503 when the store does not take them, and are nowhere (P26)', async () => {
      await stage.service.store.close();
      const answer = await stage.deliver('bot_wa', event());
      expect(answer).toMatchObject({ status: 503, body: { error: 'STORE_UNAVAILABLE' } });
      expect(answer.headers.get('retry-after')).toBe('1');
    });
  });

  describe('the address of a bot, without its secret', () => {
    it.each([
      ['right for another secret', JSON.stringify(event()), { 'x-hub-signature-256': signed(JSON.stringify(event()), 'guessed') }],
      ['none', JSON.stringify(event()), {}],
      ['of a body too large', 'x'.repeat(1_048_577), { 'x-hub-signature-256': signed('') }],
    ])('does not reveal which bots exist: a signature %s (P27, P28)', async (_what, body, headers) => {
      const ask = async (bot: string) => {
        const answer = await stage.call(`/channels/${bot}/webhook`, { method: 'POST', body, headers });
        return {
          status: answer.status,
          body: answer.body,
          headers: [...answer.headers].filter(([name]) => !ofConnection.has(name)),
        };
      };
      const known = await ask('bot_wa');
      expect(known.status).toBeOneOf([401, 413]);
      for (const bot of ['bot_c2', 'bot_nope', 'a%20b']) expect(await ask(bot)).toEqual(known);
    });

    it('does not reveal which bots are of X: each id answers a challenge, always in the same way, and none a delivery', async () => {
      const ask = async (bot: string, token: string) => {
        const { status, body } = await stage.call(`/channels/${bot}/webhook?crc_token=${encodeURIComponent(token)}`);
        return { status, body };
      };
      const answered = { status: 200, body: { response_token: expect.stringMatching(/^sha256=[A-Za-z0-9+/]{43}=$/) as string } };
      const first = await Promise.all(['bot_wa', 'bot_nope', 'a%20b'].map((bot) => ask(bot, 'challenge')));
      expect(first).toEqual([answered, answered, answered]);
      expect(new Set(first.map(({ body }) => JSON.stringify(body))).size).toBe(3);
      expect(await ask('bot_nope', 'challenge')).toEqual(first[1]);
      expect(await ask('bot_nope', 'another')).not.toEqual(first[1]);
      for (const bot of ['bot_wa', 'bot_nope']) expect(await ask(bot, '{"a":1}')).toMatchObject({ status: 403 });
    });
  });

  describe('an adapter of a provider', () => {
    const wrote = (eventId: string, id: string, text: string): ChannelEvent => ({
      kind: 'message',
      eventId,
      atMs: 0,
      user: { id: ana },
      message: { id, type: 'text', text },
    });
    const shop = defineChannel({
      kind: 'shop',
      channels: ['web'],
      config: z.strictObject({ token: z.string() }),
      secrets: ['token'],
      send: () => ({ kind: 'sent' }),
      signatureHeader: 'x-shop-signature',
      authenticate: ({ headers }, { config: { token } }) => {
        if (headers.get('x-shop-signature') === 'broken') throw new Error('The key set of the shop is away');
        return headers.get('x-shop-signature') === token;
      },
      receive: (delivery) => {
        if (delivery.headers.has('x-shop-errors')) {
          const count = Number(delivery.headers.get('X-Shop-Errors'));
          const accountErrors = Array.from({ length: count }, (_, index) => ({ code: `E${index}`, message: `Trouble ${index}` }));
          return { kind: 'events', events: [], accountErrors };
        }
        if (delivery.headers.has('x-shop-left-out'))
          return {
            kind: 'events',
            events: [wrote('e9', 'm9', 'kept')],
            leftOut: { 'message without an id': 9_999, 'edit without its user': 1 },
          };
        if (delivery.body.byteLength > 0) return { kind: 'events', events: [], answer: { json: { said: delivery.json() } } };
        return { kind: 'events', events: [wrote('e1', 'm1', 'one'), wrote('e2', 'm2', 'two')] };
      },
      verify: (query, { config: { token } }) => (query.get('token') === token ? { text: query.get('challenge') ?? '' } : undefined),
    });
    const call = async (search: string, init: CallOptions & { readonly body?: string } = {}, fields: JsonObject = { token: 'right' }) => {
      stage.service.connect({ id: 'bot_shop', channel: 'web', provider: { kind: 'shop', fields } });
      const { clock, log } = stage.service;
      const dialer = { request: () => Promise.reject(new Error('Nothing is sent here')) };
      const service = { ...stage.service, channels: createChannelRegistry({ adapters: [shop], dialer, clock, log }) };
      const { send, close } = await openFrame(frame, createChannels(service), service);
      const answer = await send(`/channels/${search}`, init);
      await close();
      return answer;
    };
    const post = (signature: string, body = '', fields?: JsonObject) =>
      call('bot_shop/webhook', { method: 'POST', headers: { 'x-shop-signature': signature }, body }, fields);

    it('answers what its provider wants to read, and refuses JSON beyond the limits of every request (P33)', async () => {
      const answer = await post('right', '{"challenge":"42"}');
      expect([answer.status, await answer.json()]).toEqual([200, { said: { challenge: '42' } }]);
      expect((await post('right', `${'['.repeat(65)}${']'.repeat(65)}`)).status).toBe(400);
    });

    it.each([
      ['with another signature', 'wrong', undefined],
      ['that it cannot judge', 'broken', undefined],
      ['for a bot whose secret is missing', 'right', {}],
    ])('accepts no delivery %s (T5)', async (_what, signature, fields) => {
      expect((await post(signature, '', fields)).status).toBe(401);
      expect(await executions()).toEqual([]);
    });

    it.each([0, 1, 10, 11])('may report %i errors of the account: ten at most are logged, each with its code', async (count) => {
      const headers = { 'x-shop-signature': 'right', 'x-shop-errors': String(count) };
      const answer = await call('bot_shop/webhook', { method: 'POST', headers, body: '' });
      expect([answer.status, await answer.json()]).toEqual([200, { success: true }]);
      const warned = stage.service.logged.filter(({ level }) => level === 'warn');
      expect(warned).toEqual(
        Array.from({ length: Math.min(count, 10) }, (_, index) => ({
          level: 'warn',
          fields: { companyId: '1', botId: 'bot_shop', provider: 'shop', code: `E${index}` },
          message: `The provider of bot "bot_shop" reports: Trouble ${index}`,
        })),
      );
    });

    it('leaves one warning with counts for all that cannot be processed, and the rest is taken', async () => {
      const headers = { 'x-shop-signature': 'right', 'x-shop-left-out': 'yes' };
      const answer = await call('bot_shop/webhook', { method: 'POST', headers });
      expect([answer.status, await answer.json()]).toMatchObject([200, { success: true, outcome: expect.any(String) as unknown }]);
      const leftOut = { 'message without an id': 9_999, 'edit without its user': 1 };
      expect(stage.service.logged.filter(({ level }) => level === 'warn')).toEqual([
        {
          level: 'warn',
          fields: { companyId: '1', botId: 'bot_shop', provider: 'shop', leftOut },
          message:
            'Parts of a delivery to bot "bot_shop" were left out, which cannot be processed: message without an id: 9999, edit without its user: 1',
        },
      ]);
    });

    it('may bring several messages, which keep their order (P9)', async () => {
      const response = await post('right');
      expect([response.status, await response.json()]).toEqual([200, { success: true }]);
      await settled();
      expect(await executions()).toMatchObject([{ state: { status: 'completed', variables: { $context: { name: 'two' } } } }]);
    });

    it('answers its verification, and only there with 403', async () => {
      const right = await call('bot_shop/webhook?token=right&challenge=42');
      expect([right.status, await right.text()]).toEqual([200, '42']);
      const wrong = await call('bot_shop/webhook?token=wrong');
      const refused = await wrong.json();
      expect([wrong.status, refused]).toMatchObject([403, { error: 'UNAUTHORIZED' }]);
      const unknown = await call('bot_nope/webhook?token=wrong');
      expect([unknown.status, await unknown.json()]).toEqual([403, refused]);
    });
  });
});
