import { createHmac } from 'node:crypto';
import { issueSession } from '@hilo/channels';
import { getPath, type JsonObject } from '@hilo/engine/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createChannels } from '../../src/channels/routes.ts';
import { createOperations } from '../../src/operations/routes.ts';
import { frames } from '../http/calls.ts';
import { type ChannelsStage, channelsStage, type Line } from './stage.ts';

describe.each(frames)('over %s', (frame) => {
  let stage: ChannelsStage;
  beforeAll(async () => {
    stage = await channelsStage(frame);
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  const kinds = ['whatsapp-cloud', 'messenger', 'instagram', 'slack', 'teams', 'x', 'custom'];

  const containing = (text: string): unknown => expect.stringContaining(text);

  /** Waits until a provider has received this many messages. */
  const sentTo = (line: Line, count: number) => expect.poll(() => line.texts().length, { timeout: 60_000 }).toBe(count);

  /** A body with the headers that prove it. */
  interface Signed {
    readonly headers: { readonly [name: string]: string };
    readonly body: string;
  }

  describe('the example of an order', () => {
    it.each(kinds)('is talked through over %s', async (kind) => {
      const line = stage.line(kind);
      await line.say('Pedido');
      await sentTo(line, 1);
      await line.say('1234');
      await sentTo(line, 2);
      expect(line.texts()).toEqual([containing('What is your order number?'), containing('Order 1234 is on its way.')]);
      expect(line.double.problems()).toEqual([]);
    });

    const nowMs = (): number => stage.rest.clock.now();
    const recorded: readonly (readonly [kind: string, botId: string, delivery: (text: string, id: string) => Promise<Signed>])[] = [
      [
        'web',
        'bot_chat',
        async (text, id) => {
          const config = { appSecret: 'chat-secret-of-the-example-company' };
          const bot = { companyId: '1', id: 'bot_chat', channel: 'web', userIdFormat: 'open' } as const;
          const token = await issueSession({ id: 'web:ana', expiresAtMs: nowMs() + 60_000 }, { bot, config });
          return { headers: { authorization: `Bearer ${token}` }, body: JSON.stringify({ id: `message-${id}`, type: 'text', text }) };
        },
      ],
      [
        'log',
        'bot_slack',
        (text, id) => {
          const receivedAt = new Date(nowMs()).toISOString();
          const event = { eventId: id, botId: 'bot_slack', user: { id: '5215512340000' }, message: { id, type: 'text', text }, receivedAt };
          const body = JSON.stringify(event);
          const signature = createHmac('sha256', 'inbound-secret-slack').update(body).digest('hex');
          return Promise.resolve({ headers: { 'x-hub-signature-256': `sha256=${signature}` }, body });
        },
      ],
    ];

    it.each(recorded)('is talked through over %s, which keeps what it sends', async (_kind, botId, delivery) => {
      const app = createChannels(stage.rest.service);
      const sent = async (): Promise<readonly unknown[]> => {
        const { results } = await stage.rest.service.messages.list('1', botId, { limit: 100 });
        return results.filter(({ direction }) => direction === 'outbound').map(({ message }) => message['text']);
      };
      for (const [index, text] of ['Pedido', '1234'].entries()) {
        const init = await delivery(text, `in-${index}`);
        const headers = { 'content-type': 'application/json', ...init.headers };
        expect(await app.request(`/channels/${botId}/webhook`, { ...init, method: 'POST', headers })).toHaveProperty('status', 200);
        await expect.poll(async () => (await sent()).length).toBe(index + 1);
      }
      expect(await sent()).toEqual([containing('What is your order number?'), containing('Order 1234 is on its way.')]);
    });

    it('reaches a user of Teams where they wrote, at the service that their activity named', () => {
      const paths = stage
        .line('teams')
        .double.sent()
        .map(({ url }) => url);
      expect(paths).toEqual(Array.from({ length: 2 }, () => '/emea/v3/conversations/a%3A1/activities'));
    });
  });

  describe('status reports of WhatsApp', () => {
    const user = '5215512345678';
    const value = (fields: JsonObject): JsonObject => ({
      object: 'whatsapp_business_account',
      entry: [{ id: '1', changes: [{ field: 'messages', value: { metadata: { phone_number_id: '1065' }, ...fields } }] }],
    });
    const nowSeconds = (): number => Math.floor(stage.rest.clock.now() / 1_000);
    const told = (fields: JsonObject) => stage.line('whatsapp-cloud').deliver(value(fields));
    const status = (of: string, said: string, more: JsonObject = {}) =>
      told({ statuses: [{ id: of, status: said, timestamp: String(nowSeconds()), recipient_id: user, ...more }] });

    /** Sends a text, which the provider calls by this name. */
    async function send(wamid: string): Promise<string> {
      const line = stage.line('whatsapp-cloud');
      line.double.meet({ status: 200, body: { messages: [{ id: wamid }] }, kind: 'unknown', cause: '' });
      const { status: code, body } = await stage.rest.send({ type: 'text', userId: user, text: wamid }, line.botId);
      expect(code).toBe(200);
      await expect.poll(() => line.texts().some((text) => text.includes(wamid)), { timeout: 60_000 }).toBe(true);
      return (body as { readonly messageId: string }).messageId;
    }
    const standing = async (messageId: string): Promise<unknown> =>
      (await stage.rest.ask('GET', `/v1/bots/double_whatsapp-cloud/messages/${messageId}`)).body;
    const stands = (messageId: string, expected: object) =>
      expect.poll(() => standing(messageId), { timeout: 60_000 }).toMatchObject(expected);

    it('are stored, and only rise', async () => {
      await stage.line('whatsapp-cloud').say('Hello again');
      await sentTo(stage.line('whatsapp-cloud'), 3);
      const messageId = await send('wamid.a');
      await stands(messageId, { status: 'sent' });
      expect(await status('wamid.a', 'read')).toMatchObject({ status: 200, body: { outcome: 'noted' } });
      await stands(messageId, { status: 'read' });
      expect(await status('wamid.a', 'delivered')).toMatchObject({ status: 200, body: { outcome: 'duplicate' } });
      expect(await standing(messageId)).toMatchObject({ status: 'read' });
    });

    it('is not lost where it comes before the answer to the send', async () => {
      expect(await status('wamid.early', 'delivered')).toMatchObject({ status: 200 });
      await stands(await send('wamid.early'), { status: 'delivered' });
    });

    it('give the reason of a failure, and close the window when that is the reason (131047, WIN-02)', async () => {
      const messageId = await send('wamid.c');
      await stands(messageId, { status: 'sent' });
      stage.rest.clock.advanceBy(2_000);
      await status('wamid.c', 'failed', { errors: [{ code: 131_047, title: 'Re-engagement message' }] });
      await stands(messageId, { status: 'failed', error: { code: 'OUTSIDE_SESSION_WINDOW', message: containing('131047') } });
      const before = stage.line('whatsapp-cloud').texts().length;
      const again = await stage.rest.send({ type: 'text', userId: user, text: 'Still there?' }, 'double_whatsapp-cloud');
      await stands((again.body as { readonly messageId: string }).messageId, {
        status: 'failed',
        error: { code: 'OUTSIDE_SESSION_WINDOW' },
      });
      expect(stage.line('whatsapp-cloud').texts()).toHaveLength(before);
      stage.rest.clock.advanceBy(2_000);
      await stage.line('whatsapp-cloud').say('I am');
      await stands(await send('wamid.d'), { status: 'sent' });
    });

    describe('of a question that an execution waits at (WIN-02)', () => {
      const asker = '5215577770000';
      const say = (text: string, id: string) =>
        told({ messages: [{ from: asker, id, timestamp: String(nowSeconds()), type: 'text', text: { body: text } }] });
      const closed = { errors: [{ code: 131_047, title: 'Re-engagement message' }] };
      const line = () => stage.line('whatsapp-cloud');
      const calls = (wamid: string) => line().double.meet({ status: 200, body: { messages: [{ id: wamid }] }, kind: 'unknown', cause: '' });
      /** The state of the user's executions, the newest first: completed, or with the cause of their error. */
      const standings = async (): Promise<readonly unknown[]> => {
        const { results } = await stage.rest.service.store.executions.list('1', { limit: 50 });
        return results
          .filter(({ state }) => state.origin.userId === asker)
          .map(({ state: { status: now, variables } }) => getPath(variables, ['$error', 'cause']) ?? now);
      };
      const stand = (...expected: readonly string[]) => expect.poll(standings, { timeout: 60_000 }).toEqual(expected);

      it('leaves by the port of a closed window when the question fails late', async () => {
        calls('wamid.ask.1');
        await say('Pedido', 'in.1');
        await stand('waiting');
        expect(await status('wamid.ask.1', 'failed', closed)).toMatchObject({ status: 200 });
        await stand('WINDOW_CLOSED');
        expect(await status('wamid.ask.1', 'failed', closed)).toMatchObject({ status: 200, body: { duplicate: true } });
      });

      it('leaves by it when the failure is reported before the answer to the send', async () => {
        stage.rest.clock.advanceBy(2_000);
        expect(await status('wamid.ask.2', 'failed', closed)).toMatchObject({ status: 200 });
        calls('wamid.ask.2');
        stage.rest.clock.advanceBy(2_000);
        await say('Pedido', 'in.2');
        await stand('WINDOW_CLOSED', 'WINDOW_CLOSED');
      });

      it('is recorded alone once the user has answered', async () => {
        stage.rest.clock.advanceBy(2_000);
        calls('wamid.ask.3');
        await say('Pedido', 'in.3');
        await stand('waiting', 'WINDOW_CLOSED', 'WINDOW_CLOSED');
        calls('wamid.ask.4');
        await say('77', 'in.4');
        await stand('completed', 'WINDOW_CLOSED', 'WINDOW_CLOSED');
        expect(await status('wamid.ask.3', 'failed', closed)).toMatchObject({ status: 200 });
        await stand('completed', 'WINDOW_CLOSED', 'WINDOW_CLOSED');
      });
    });

    it('stores reactions among the messages of the user, once (P10)', async () => {
      const reaction = { id: 'wamid.r', from: user, timestamp: '1', type: 'reaction', reaction: { message_id: 'wamid.a', emoji: '👍' } };
      expect(await told({ messages: [reaction] })).toMatchObject({ body: { outcome: 'noted' } });
      expect(await told({ messages: [reaction] })).toMatchObject({ body: { duplicate: true } });
      const { results } = await stage.rest.service.messages.list('1', 'double_whatsapp-cloud', { userId: user, limit: 100 });
      expect(results.filter(({ message }) => message['type'] === 'reaction')).toMatchObject([
        { direction: 'inbound', idempotencyKey: null, message: { id: 'wamid.r', emoji: '👍', of: 'wamid.a' } },
      ]);
    });

    it('keeps the contact of a user whose id changes (UID-06)', async () => {
      const change = { wa_id: user, user_id: { previous: user, current: 'MX.d4E5f6' }, timestamp: '1' };
      expect(await told({ user_id_update: [change] })).toMatchObject({ body: { outcome: 'noted' } });
      expect(await told({ user_id_update: [change] })).toMatchObject({ body: { duplicate: true } });
      const contact = await stage.rest.service.store.executions.contact('1', 'double_whatsapp-cloud', ['MX.d4E5f6']);
      expect(contact).toMatchObject({ userId: user, bsuid: 'MX.d4E5f6' });
    });
  });

  describe('a user of WhatsApp who changes their number', () => {
    it('is written to at the new one, also under the one before (UID-06)', async () => {
      const line = stage.line('whatsapp-cloud');
      const told = (fields: JsonObject) =>
        line.deliver({ entry: [{ changes: [{ field: 'messages', value: { metadata: { phone_number_id: '1065' }, ...fields } }] }] });
      const [before, after] = ['5215577771111', '5215577772222'];
      const said = { timestamp: '1', type: 'text', text: { body: 'Hello' } };
      const system = { type: 'user_changed_number', wa_id: after, user_id: 'MX.second' };
      await told({ messages: [{ ...said, id: 'wamid.moves.1', from: before, from_user_id: 'MX.first' }] });
      await told({ messages: [{ id: 'wamid.moves.2', from: before, timestamp: '1', type: 'system', system }] });
      const addresses = { [before]: { to: after }, [after]: { to: after }, 'MX.second': { recipient: 'MX.second' } };
      for (const [userId, address] of Object.entries(addresses)) {
        const text = `To ${userId}`;
        expect(await stage.rest.send({ type: 'text', userId, text }, line.botId)).toMatchObject({ status: 200 });
        const sent = (): unknown => line.texts().map((body) => JSON.parse(body) as JsonObject);
        await expect
          .poll(sent, { timeout: 60_000 })
          .toContainEqual(expect.objectContaining({ ...address, text: { body: text, preview_url: true } }));
      }
      expect(await stage.rest.service.store.executions.contact('1', line.botId, [after])).toMatchObject({ userId: before });
    });
  });

  describe('a delivery of many events', () => {
    const user = '5215599990000';
    const messages = (count: number, from: string): JsonObject => ({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '1',
          changes: [
            {
              field: 'messages',
              value: {
                metadata: { phone_number_id: '1065' },
                messages: Array.from({ length: count }, (_, index) => ({
                  from: user,
                  id: `wamid.${from}.${index}`,
                  timestamp: '1',
                  type: 'reaction',
                  reaction: { message_id: 'wamid.a', emoji: '👍' },
                })),
              },
            },
          ],
        },
      ],
    });
    /** The user's stored messages; an answer may still be on its way. */
    const kept = async (): Promise<number> => {
      const { results } = await stage.rest.service.messages.list('1', 'double_whatsapp-cloud', { userId: user, limit: 1_000 });
      return results.filter(({ direction }) => direction === 'inbound').length;
    };

    it('is accepted whole, each event once, or refused: 10,000 in one body exceed the limit (P10, P33)', async () => {
      const line = stage.line('whatsapp-cloud');
      expect(await line.deliver(messages(10_000, 'flood'))).toMatchObject({ status: expect.toBeOneOf([400, 413]) as unknown });
      expect(await kept()).toBe(0);
      expect(await line.deliver(messages(500, 'many'))).toMatchObject({ status: 200 });
      expect(await kept()).toBe(500);
      expect(await line.deliver(messages(500, 'many'))).toMatchObject({ status: 200, body: { duplicate: true } });
      expect(await kept()).toBe(500);
    });

    it('is accepted with as many statuses as Meta puts into one: 1,000, each with its price (P10)', async () => {
      const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'marketing' };
      const statuses = Array.from({ length: 1_000 }, (_, index) => ({
        id: `wamid.campaign.${index}`,
        status: 'delivered',
        timestamp: '1750030073',
        recipient_id: user,
        recipient_user_id: 'US.13491208655302741918',
        biz_opaque_callback_data: `campaign:${index}`,
        conversation: { id: 'c1', expiration_timestamp: '1750116473', origin: { type: 'marketing' } },
        pricing,
      }));
      const value = { messaging_product: 'whatsapp', metadata: { phone_number_id: '1065' }, statuses };
      const body: JsonObject = { object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ field: 'messages', value }] }] };
      const line = stage.line('whatsapp-cloud');
      expect(await line.deliver(body)).toEqual({ status: 200, body: { success: true } });
      expect(await line.deliver(body)).toMatchObject({ status: 200, body: { duplicate: true } });
    });

    it('is answered within three seconds whatever it takes, and nothing of it is lost or taken twice (P1, P9, P10)', async () => {
      const line = stage.line('whatsapp-cloud');
      const { engine } = stage.rest.service;
      const from = '5215599991111';
      const texts = Array.from({ length: 17 }, (_, index) => ({
        from,
        id: `wamid.slow.${index}`,
        timestamp: '1',
        type: 'text',
        text: { body: `Text ${index}` },
      }));
      const value = { metadata: { phone_number_id: '1065' }, messages: texts };
      const delivery: JsonObject = { object: 'x', entry: [{ id: '1', changes: [{ field: 'messages', value }] }] };
      const gate = Promise.withResolvers<undefined>();
      const receiveMessage = engine.receiveMessage.bind(engine);
      const slow = vi.spyOn(engine, 'receiveMessage').mockImplementation(async (message) => {
        if (message.eventId === 'wamid.slow.3') await gate.promise;
        return receiveMessage(message);
      });
      const answers: unknown[] = [];
      const answering = line.deliver(delivery).then((answer) => answers.push(answer));
      await expect.poll(() => slow.mock.calls.length, { timeout: 60_000 }).toBe(4);
      stage.rest.clock.advanceBy(2_499);
      expect(answers).toEqual([]);
      stage.rest.clock.advanceBy(1);
      await answering;
      expect(answers).toMatchObject([{ status: 503, body: { error: 'UNAVAILABLE', message: containing('deliver it again') } }]);
      gate.resolve(undefined);
      const heard = async () => {
        const { results } = await stage.rest.service.messages.list('1', line.botId, { userId: from, limit: 100 });
        return results.filter(({ direction }) => direction === 'inbound').map(({ messageId }) => messageId);
      };
      await expect.poll(heard, { timeout: 60_000 }).toEqual(texts.map(({ id }) => id));
      slow.mockRestore();
      await expect.poll(() => line.deliver(delivery), { timeout: 60_000 }).toMatchObject({ status: 200, body: { duplicate: true } });
      expect(await heard()).toHaveLength(17);
    });

    it('keeps the order of the events of each user, though those of others are taken at once (P9)', async () => {
      const users = Array.from({ length: 40 }, (_, index) => String(5_215_500_000_000 + index));
      const reactions = [0, 1, 2, 3].flatMap((turn) =>
        users.map((from, index) => ({
          from,
          id: `wamid.turn.${index}.${turn}`,
          timestamp: '1',
          type: 'reaction',
          reaction: { message_id: 'wamid.a', emoji: String(turn) },
        })),
      );
      const value = { metadata: { phone_number_id: '1065' }, messages: reactions };
      const delivery: JsonObject = { object: 'x', entry: [{ id: '1', changes: [{ field: 'messages', value }] }] };
      const line = stage.line('whatsapp-cloud');
      expect(await line.deliver(delivery)).toMatchObject({ status: 200 });
      for (const userId of users) {
        const { results } = await stage.rest.service.messages.list('1', line.botId, { userId, limit: 100 });
        expect(results.map(({ message }) => message['emoji'])).toEqual(['0', '1', '2', '3']);
      }
      expect(await line.deliver(delivery)).toMatchObject({ status: 200, body: { duplicate: true } });
    });

    it('with events of unknown kinds is read for the known ones', async () => {
      const value = (type: string, id: string): JsonObject => ({ from: user, id, timestamp: '1', type, [type]: { anything: [1] } });
      const known = { from: user, id: 'wamid.known', timestamp: '1', type: 'reaction', reaction: { message_id: 'wamid.a', emoji: '👍' } };
      const changes = [
        { field: 'no_such_field', value: { metadata: { phone_number_id: '1065' }, whatever: true } },
        {
          field: 'messages',
          value: { metadata: { phone_number_id: '1065' }, messages: [known, value('no_such_type', 'wamid.unknown'), 7, null] },
        },
      ];
      const { status } = await stage.line('whatsapp-cloud').deliver({ object: 'x', entry: [{ id: '1', changes }, 'no entry'], more: {} });
      expect(status).toBe(200);
      expect(await kept()).toBe(502); // messages of unknown types are stored unchanged
    });
  });

  describe('a bot whose token was revoked', () => {
    it('fails alone, without a call of its provider each time, until the token is accepted again (P24)', async () => {
      const { rest } = stage;
      const [slack, teams] = [stage.line('slack'), stage.line('teams')];
      const send = async (line: Line, text: string): Promise<string> => {
        const { status, body } = await rest.send({ type: 'text', userId: line.provider.userId, text }, line.botId);
        expect(status).toBe(200);
        return (body as { readonly messageId: string }).messageId;
      };
      const stands = (line: Line, messageId: string, expected: object) =>
        expect
          .poll(async () => (await rest.ask('GET', `/v1/bots/${line.botId}/messages/${messageId}`)).body, { timeout: 60_000 })
          .toMatchObject(expected);
      const app = createOperations(rest.service);
      const refusedBots = async (): Promise<unknown> =>
        ((await (await app.request('/health/ready')).json()) as { readonly details: JsonObject }).details['refusedBots'];
      const before = slack.texts().length;
      slack.double.meet({ status: 200, body: { ok: false, error: 'token_revoked' }, kind: 'refused', cause: 'PROVIDER_UNAUTHORIZED' });
      const failed = { status: 'failed', error: { code: 'PROVIDER_UNAUTHORIZED', message: containing('token_revoked') } };
      await stands(slack, await send(slack, 'one'), failed);
      await stands(slack, await send(slack, 'two'), failed);
      expect(slack.texts()).toHaveLength(before + 1);
      expect(await refusedBots()).toBe(1);
      await stands(teams, await send(teams, 'three'), { status: 'sent' });

      slack.double.meet('accepts');
      rest.clock.advanceBy(60_000);
      await stands(slack, await send(slack, 'four'), { status: 'sent' });
      expect(await refusedBots()).toBe(0);

      slack.double.meet({ status: 200, body: { ok: false, error: 'token_revoked' }, kind: 'refused', cause: 'PROVIDER_UNAUTHORIZED' });
      await stands(slack, await send(slack, 'five'), failed);
      expect(await refusedBots()).toBe(1);
      const { exportWorkspace, importWorkspace } = rest.service;
      const workspace = JSON.parse(JSON.stringify(await exportWorkspace()).replace('"name":"slack"', '"name":"mended"')) as JsonObject;
      await importWorkspace({ workspace });
      expect(await refusedBots()).toBe(0);
      slack.double.meet('accepts');
    });
  });

  describe('the default of templateReopensWindow', () => {
    it('is that of the adapter of the kind (WIN-02)', () => {
      const settingsOf = (kind: string) => stage.rest.service.companies.bot(stage.line(kind).botId)?.settings.templateReopensWindow;
      expect([settingsOf('whatsapp-cloud'), settingsOf('custom')]).toEqual(['onReply', 'onSend']);
    });
  });
});
