import { skipOn } from '../data/runtime.ts';
import { messageTypes, type MessageType } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { listen } from '../../src/platform/http/listen.ts';
import { createApp } from '../../src/service/app.ts';
import { acme, ana, eva, messageIdOf, type RestStage, restStage } from './rest-stage.ts';

const file = 'https://files.example/a.png';
const to = (message: object) => ({ userId: ana, ...message });
const hi = to({ type: 'text', text: 'Hi' });
const hourMs = 3_600_000;

/** A whole message of each type. */
const whole = {
  text: {
    type: 'text',
    text: 'Hi',
    previewUrl: false,
    buttons: { title: 'Choose', options: [{ title: 'A', description: 'First', payload: 'a' }] },
  },
  quick_reply: { type: 'quick_reply', text: 'Sure?', title: 'Q', quick_replies: [{ title: 'Yes' }, { title: 'No' }] },
  image: { type: 'image', mediaUrl: file },
  audio: { type: 'audio', mediaUrl: file },
  video: { type: 'video', mediaUrl: file },
  file: { type: 'file', mediaUrl: file },
  sticker: { type: 'sticker', mediaUrl: file },
  location: { type: 'location', coordinates: { lat: -12.04, long: -77.03 } },
  contacts: { type: 'contacts', contacts: [{ name: { first_name: 'Ana' }, phones: [{ phone: '5215512345678' }] }] },
  location_request: { type: 'location_request', text: 'Where?' },
  contact_info_request: { type: 'contact_info_request', text: 'Who?' },
  cta_url: { type: 'cta_url', title: 'T', text: 'x', caption: 'C', parameters: { url: 'https://a.example', display_text: 'Go' } },
  voice_call: { type: 'voice_call', header: 'H', text: 'x', parameters: { display_text: 'Call' } },
  flow: { type: 'flow', title: 'T', text: 'x', caption: 'C', parameters: { flow_id: '1', mode: 'draft', flow_action: 'navigate' } },
  carousel: {
    type: 'CAROUSEL',
    text: 'x',
    parameters: {
      cards: [0, 1].map((card_index) => ({
        card_index,
        type: 'cta_url',
        header: { image: { link: file } },
        body: { text: 'x' },
        action: { name: 'cta_url', parameters: { display_text: 'Go', url: 'https://a.example' } },
      })),
    },
  },
} satisfies { readonly [Type in MessageType]: object };

const logged = async ({ service }: RestStage, botId = 'bot_wa') => (await service.messages.list('1', botId, { limit: 200 })).results;

describe('sending over HTTP', () => {
  it('accepts every type, stores it and returns its status (MSG-01, MSG-02, MSG-07, MSG-42)', async () => {
    await using stage = await restStage();
    // The files are looked at through the stage: the app of a listening server is that of every process.
    const { files: _files, service } = stage;
    const server = await listen(createApp({ ...service, media: async () => ({ kind: 'fits' }) }).fetch, { port: 0, host: '127.0.0.1' });
    const headers = { authorization: `Basic ${btoa(`acme-client:${acme}`)}`, 'content-type': 'application/json' };
    const base = `http://127.0.0.1:${server.port}/v1/bots/bot_web/messages`;
    const names = new Set<string>();
    for (const type of messageTypes) {
      const response = await fetch(base, { method: 'POST', headers, body: JSON.stringify(to(whole[type])) });
      const body: unknown = await response.json();
      const messageId = messageIdOf({ status: response.status, body });
      expect(body).toEqual({ success: true, messageId });
      names.add(messageId);
      const status = await fetch(`${base}/${messageId}`, { headers });
      expect(await status.json()).toEqual({ messageId, status: 'sent', updatedAt: new Date(stage.clock.now()).toISOString() });
    }
    expect(names.size).toBe(messageTypes.length);
    const kept = await logged(stage, 'bot_web');
    expect(kept.map(({ message }) => message['type'])).toEqual(messageTypes);
    expect(kept.map(({ messageId }) => messageId)).toEqual([...names]);
    expect(kept[0]).toMatchObject({
      userId: ana,
      status: 'sent',
      message: { text: 'Hi', previewUrl: false, buttons: { buttonText: { type: 'text', text: 'Opciones' } } },
    });
    expect(kept[0]?.message).not.toHaveProperty('userId');
    await server.close(1_000);
  });

  it('looks at every file before it is sent, as its type and channel', async () => {
    await using stage = await restStage();
    for (const type of ['image', 'audio', 'video', 'file', 'sticker'] as const) messageIdOf(await stage.send(to(whole[type])));
    messageIdOf(await stage.send(to(whole.carousel), 'bot_web'));
    expect(stage.looked.map(({ type, channel }) => [type, channel])).toEqual([
      ['image', 'whatsapp'],
      ['audio', 'whatsapp'],
      ['video', 'whatsapp'],
      ['file', 'whatsapp'],
      ['sticker', 'whatsapp'],
      ['image', 'web'],
      ['image', 'web'],
    ]);
    expect(new Set(stage.looked.map(({ url, companyId }) => `${companyId} ${url}`))).toEqual(new Set([`1 ${file}`]));
  });

  it('ignores unknown fields, including __proto__ (GEN-07, T8)', async () => {
    await using stage = await restStage();
    const odd = `{"type":"text","userId":"${ana}","text":"Hi","colour":1,"__proto__":{"text":"no"},"constructor":{"a":1}}`;
    messageIdOf(await stage.send(odd));
    expect((await logged(stage))[0]?.message).toEqual({ type: 'text', text: 'Hi', previewUrl: true });
  });

  it('accepts the user ids of its bot, unchanged (UID-01 to UID-05)', async () => {
    await using stage = await restStage();
    for (const userId of ['52', ana, 'US.13491208655302741918', '123456789012345'])
      messageIdOf(await stage.send({ ...hi, userId }, 'bot_web'));
    for (const userId of ['U02ABC', 'a.b:c@d-e_f', 'x'.repeat(128), '+52']) {
      const { status } = await stage.send({ ...hi, userId }, 'bot_open');
      expect([userId, status]).toEqual([userId, userId === '+52' ? 400 : 200]);
    }
    expect((await logged(stage, 'bot_web')).map(({ userId }) => userId)).toContain('US.13491208655302741918');
  });

  it('treats a phone number and a business-scoped id of a user as one (UID-04, P9)', async () => {
    await using stage = await restStage();
    messageIdOf(await stage.send({ ...hi, text: '1' }));
    messageIdOf(await stage.send({ ...hi, text: '2', userId: 'MX.a1B2c3' }));
    const { results } = await stage.service.messages.list('1', 'bot_wa', { userId: ana, limit: 9 });
    expect(results.map(({ userId, message }) => [userId, message['text']])).toEqual([
      [ana, '1'],
      ['MX.a1B2c3', '2'],
    ]);
  });

  it('names the bot in the body too, if it is the same (MSG-06)', async () => {
    await using stage = await restStage();
    expect(await stage.send({ ...hi, botId: 'bot_wa' })).toMatchObject({ status: 200 });
  });

  it('shows a message to its company and bot alone (P28)', async () => {
    await using stage = await restStage();
    const messageId = messageIdOf(await stage.send(hi));
    const unknown = { status: 404, body: { error: 'MESSAGE_NOT_FOUND', message: expect.any(String) as string } };
    expect(await stage.ask('GET', `/v1/bots/bot_web/messages/${messageId}`)).toEqual(unknown);
    expect(await stage.ask('GET', '/v1/bots/bot_wa/messages/msg_none')).toEqual(unknown);
    expect(await stage.ask('GET', `/v1/bots/bot_wa/messages/${messageId}`, { as: 'other-client:other-secret' })).toMatchObject({
      status: 404,
      body: { error: 'BOT_NOT_FOUND' },
    });
    expect(await stage.ask('GET', `/v1/bots/bot_wa/messages/${messageId}`)).toMatchObject({ status: 200 });
  });
});

describe('the 24-hour window', () => {
  it('is judged at the time of sending, to the millisecond (WIN-01, WIN-04)', async () => {
    await using stage = await restStage();
    stage.clock.advanceBy(24 * hourMs - 1);
    messageIdOf(await stage.send(hi));
    stage.clock.advanceBy(1);
    const closed = { status: 400, body: { error: 'OUTSIDE_SESSION_WINDOW', message: expect.any(String) as string } };
    expect(await stage.send(hi)).toEqual(closed);
    await stage.service.engine.receiveMessage({
      companyId: '1',
      botId: 'bot_wa',
      eventId: 'e1',
      user: { id: ana },
      message: { id: 'm1', type: 'text', text: 'hello' },
    });
    await stage.service.engine.whenIdle();
    messageIdOf(await stage.send(hi));
  });

  it('closes while a file is looked at (WIN-04)', async () => {
    await using stage = await restStage({ looksAtFiles: true });
    stage.clock.advanceBy(24 * hourMs - 1);
    const { service } = stage;
    const slow = { ...service, media: async () => (stage.clock.advanceBy(1), { kind: 'fits' as const }) };
    const response = await createApp(slow).request('/v1/bots/bot_wa/messages', {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`acme-client:${acme}`)}` },
      body: new Blob([JSON.stringify(to(whole.image))], { type: 'application/json' }),
    });
    expect(await response.json()).toMatchObject({ error: 'OUTSIDE_SESSION_WINDOW' });
  });

  it('is not required when the bot’s setting is off, nor on other channels (WIN-01, WIN-03)', async () => {
    await using stage = await restStage();
    for (const botId of ['bot_free', 'bot_slack']) expect(await stage.send({ ...hi, userId: eva }, botId)).toMatchObject({ status: 200 });
  });
});

describe('Idempotency-Key (MSG-43, P34)', () => {
  const key = { 'idempotency-key': 'order-7' };

  it('sends once and answers the same, one after the other, at once, and after a restart', async () => {
    await using stage = await restStage();
    const first = messageIdOf(await stage.send(hi, 'bot_wa', key));
    expect(messageIdOf(await stage.send(hi, 'bot_wa', key))).toBe(first);
    expect(messageIdOf(await stage.send('{ "text": "Hi",\n "type": "text", "userId": "5215512345678" }', 'bot_wa', key))).toBe(first);
    const parallel = await Promise.all(Array.from({ length: 30 }, () => stage.send(hi, 'bot_wa', { 'idempotency-key': 'order-8' })));
    expect(new Set(parallel.map(messageIdOf)).size).toBe(1);
    await stage.reopen();
    expect(messageIdOf(await stage.send(hi, 'bot_wa', key))).toBe(first);
    expect(await logged(stage)).toHaveLength(2);
  });

  it('answers the same even when the window has closed and the file is missing', async () => {
    await using stage = await restStage();
    const image = to(whole.image);
    const first = await stage.send(image, 'bot_wa', key);
    stage.clock.advanceBy(23 * hourMs);
    stage.files.set(file, { kind: 'refused', code: 'INVALID_MEDIA_URL', message: 'gone' });
    expect(await stage.send(image, 'bot_wa', key)).toEqual(first);
    expect(await stage.send(image)).toMatchObject({ status: 400 });
  });

  it('refuses the key for another body, at once too', async () => {
    await using stage = await restStage();
    messageIdOf(await stage.send(hi, 'bot_wa', key));
    const taken = { status: 400, body: { error: 'INVALID_REQUEST', message: expect.stringContaining('Idempotency-Key') as string } };
    expect(await stage.send({ ...hi, text: 'Ho' }, 'bot_wa', key)).toEqual(taken);
    const two = ['1', '2'].map((text) => stage.send({ ...hi, text }, 'bot_wa', { 'idempotency-key': 'k2' }));
    expect((await Promise.all(two)).map(({ status }) => String(status)).toSorted()).toEqual(['200', '400']);
    expect(await logged(stage)).toHaveLength(2);
  });

  it('is each bot’s own, and free again after 24 hours', async () => {
    await using stage = await restStage();
    const first = messageIdOf(await stage.send(hi, 'bot_web', key));
    expect(messageIdOf(await stage.send(hi, 'bot_slack', key))).not.toBe(first);
    stage.clock.advanceBy(24 * hourMs - 1);
    expect(messageIdOf(await stage.send(hi, 'bot_web', key))).toBe(first);
    stage.clock.advanceBy(1);
    expect(messageIdOf(await stage.send({ ...hi, text: 'Ho' }, 'bot_web', key))).not.toBe(first);
  });

  it('is not used up by a request that is refused', async () => {
    await using stage = await restStage();
    expect(await stage.send({ ...hi, userId: eva }, 'bot_wa', key)).toMatchObject({ status: 400 });
    messageIdOf(await stage.send(hi, 'bot_wa', key));
  });
});

describe('the store', () => {
  it('that is unavailable is 503 with Retry-After, and nothing is sent (P1, P2, P26)', async (context) => {
    skipOn(context, { postgres: 'a pool that was closed is no outage; a server that is away is in the tests of the stores' });
    await using stage = await restStage();
    await stage.service.store.close();
    expect(await stage.send(hi)).toMatchObject({ status: 503 });
  });
});

describe('the description of the interface', () => {
  it('has the routes, with the schema that judges bodies', async () => {
    await using stage = await restStage();
    const { paths = {} } = createApp(stage.service).getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'Hilo', version: '1.0.0' } });
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining([
        '/v1/bots/{botId}/messages',
        '/v1/bots/{botId}/messages/{messageId}',
        '/v1/bots/{botId}/campaigns/{campaignId}/template-messages',
      ]),
    );
    const schema = JSON.stringify(paths['/v1/bots/{botId}/messages']?.post?.requestBody);
    for (const type of messageTypes) expect(schema).toContain(`"${type}"`);
    expect(schema).toContain('"userId"');
  });
});
