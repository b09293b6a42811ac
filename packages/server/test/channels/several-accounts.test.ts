// An app of Meta delivers those of all its numbers or pages to one address: each bot of the company gets what is for its own, once.
import type { JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { secret } from '../../../channels/test/providers.ts';
import { restStage } from '../rest/rest-stage.ts';
import { explainSharedApp } from '../../src/channels/shared-app.ts';
import { createChannels } from '../../src/channels/routes.ts';
import { openFrame } from '../http/calls.ts';
import { createHmac } from 'node:crypto';

const ofWhatsapp = (id: string, phoneNumberId: string, appSecret = secret) => ({
  id,
  name: id,
  channel: 'whatsapp',
  connectedAt: '2026-01-01T00:00:00Z',
  provider: {
    kind: 'whatsapp-cloud',
    phoneNumberId,
    accessToken: 'token',
    appSecret,
    verifyToken: 'verify',
    baseUrl: 'http://127.0.0.1:9',
  },
});
const ofPage = (id: string, pageId: string) => ({
  id,
  name: id,
  channel: 'facebook',
  connectedAt: '2026-01-01T00:00:00Z',
  provider: { kind: 'messenger', pageId, accessToken: 'token', appSecret: secret, verifyToken: 'verify', baseUrl: 'http://127.0.0.1:9' },
  settings: { userIdFormat: 'open' },
});
const ofInstagram = (id: string, accountId?: string) => ({
  ...ofPage(id, '301'),
  channel: 'instagram',
  provider: { ...ofPage(id, '301').provider, kind: 'instagram', ...(accountId !== undefined && { accountId }) },
});
const ofSlack = (id: string, accountId?: string) => ({
  ...ofPage(id, ''),
  channel: 'slack',
  provider: {
    kind: 'slack',
    botToken: `xoxb-${id}`,
    signingSecret: secret,
    baseUrl: 'http://127.0.0.1:9',
    ...(accountId !== undefined && { accountId }),
  },
});
const ofX = (id: string, accountId?: string) => ({
  ...ofPage(id, ''),
  channel: 'twitter',
  provider: {
    kind: 'x',
    consumerKey: 'key',
    consumerSecret: secret,
    accessToken: 'token',
    baseUrl: 'http://127.0.0.1:9',
    ...(accountId !== undefined && { accountId }),
  },
});
const bots = [
  ofInstagram('ig_1', '801'),
  ofInstagram('ig_2', '802'),
  ofSlack('slack_1', 'T1'),
  ofSlack('slack_2', 'T2'),
  ofX('x_1', '901'),
  ofX('x_2', '902'),
  ofWhatsapp('wa_1', '101'),
  ofWhatsapp('wa_2', '102'),
  ofWhatsapp('wa_3', '103', 'another secret'),
  ofPage('fb_1', '201'),
  ofPage('fb_2', '202'),
];

async function open() {
  const rest = await restStage({ moreBots: bots });
  const { send, close } = await openFrame('the framework', createChannels(rest.service), rest.service);
  const seconds = Math.floor(rest.clock.now() / 1_000);
  return {
    /** A text to a number of the app. */
    toNumber: (phoneNumberId: string, id: string, text = 'Hi'): JsonObject => ({
      id: 'waba',
      changes: [
        {
          field: 'messages',
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: '15550001111', phone_number_id: phoneNumberId },
            contacts: [{ profile: { name: 'Ana' }, wa_id: '5215512345678' }],
            messages: [{ from: '5215512345678', id, timestamp: String(seconds), type: 'text', text: { body: text } }],
          },
        },
      ],
    }),
    /** A text to a page of the app. */
    toPage: (pageId: string, mid: string): JsonObject => ({
      id: pageId,
      messaging: [{ sender: { id: '24' }, recipient: { id: pageId }, timestamp: rest.clock.now(), message: { mid, text: 'Hi' } }],
    }),
    async deliver(botId: string, object: string, entry: readonly JsonObject[]) {
      const body = JSON.stringify({ object, entry });
      const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
      const init = { method: 'POST', headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature }, body };
      const response = await send(`/channels/${botId}/webhook`, init);
      return { status: response.status, body: await response.json() };
    },
    /** Delivers as a provider that signs in its own way. */
    async post(botId: string, body: string, headers: Readonly<Record<string, string>>) {
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
      return (await send(`/channels/${botId}/webhook`, init)).status;
    },
    nowMs: () => rest.clock.now(),
    /** The ids of the messages that came in to a bot. */
    async heard(botId: string) {
      const { results } = await rest.service.messages.list('1', botId, { limit: 100 });
      return results.filter(({ direction }) => direction === 'inbound').map(({ message }) => message['id']);
    },
    async [Symbol.asyncDispose]() {
      await close();
      await rest[Symbol.asyncDispose]();
    },
  };
}

describe('a delivery for several accounts of one app', () => {
  it('reaches the bot of each, whichever the address is of, and each message once', async () => {
    await using stage = await open();
    const numbers = [stage.toNumber('101', 'w1'), stage.toNumber('102', 'w2'), stage.toNumber('101', 'w3')];
    expect(await stage.deliver('wa_1', 'whatsapp_business_account', numbers)).toMatchObject({ status: 200, body: { success: true } });
    // The same from the address of the other number, as where both are subscribed.
    expect(await stage.deliver('wa_2', 'whatsapp_business_account', numbers)).toMatchObject({ status: 200, body: { duplicate: true } });
    expect([await stage.heard('wa_1'), await stage.heard('wa_2')]).toEqual([expect.arrayContaining(['w1', 'w3']), ['w2']]);
    expect(await stage.deliver('fb_1', 'page', [stage.toPage('202', 'm1'), stage.toPage('201', 'm2')])).toMatchObject({ status: 200 });
    expect([await stage.heard('fb_1'), await stage.heard('fb_2')]).toEqual([['m2'], ['m1']]);
  });

  it('reaches no bot whose app is another, and says what is left out', async () => {
    await using stage = await open();
    const numbers = [stage.toNumber('103', 'w1'), stage.toNumber('999', 'w2'), stage.toNumber('__proto__', 'w3')];
    expect(await stage.deliver('wa_1', 'whatsapp_business_account', numbers)).toMatchObject({ status: 200 });
    expect([await stage.heard('wa_1'), await stage.heard('wa_3')]).toEqual([[], []]);
  });

  it('reaches the account of Instagram that it names', async () => {
    await using stage = await open();
    const entry = ['801', '802', '803'].map((id) => stage.toPage(id, `m${id}`));
    expect(await stage.deliver('ig_2', 'instagram', entry)).toMatchObject({ status: 200 });
    expect([await stage.heard('ig_1'), await stage.heard('ig_2')]).toEqual([['m801'], ['m802']]);
  });

  it('reaches the workspace of Slack that it names, messages and commands', async () => {
    await using stage = await open();
    const seconds = String(Math.floor(stage.nowMs() / 1_000));
    const signed = (body: string) => ({
      'x-slack-request-timestamp': seconds,
      'x-slack-signature': `v0=${createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex')}`,
    });
    const event = (team: string, more: JsonObject = {}) =>
      JSON.stringify({
        type: 'event_callback',
        team_id: team,
        event_id: `Ev${team}`,
        event: { type: 'message', channel_type: 'im', channel: `D${team}`, user: `U${team}`, text: 'Hi', ts: '1503435956.000247' },
        ...more,
      });
    const shared = event('T3', { authorizations: [{ team_id: 'T3' }, { team_id: 'T1', user_id: 'UBOT' }] });
    for (const body of [event('T1'), event('T2'), event('T9'), shared]) expect(await stage.post('slack_1', body, signed(body))).toBe(200);
    const command = new URLSearchParams({
      team_id: 'T2',
      command: '/orders',
      user_id: 'UT2',
      trigger_id: 'trigger-2',
      text: '',
    }).toString();
    const form = { ...signed(command), 'content-type': 'application/x-www-form-urlencoded' };
    expect(await stage.post('slack_1', command, form)).toBe(200);
    expect(await stage.heard('slack_1')).toEqual(['DT1:1503435956.000247', 'DT3:1503435956.000247']);
    expect(await stage.heard('slack_2')).toEqual(['DT2:1503435956.000247', 'trigger-2']);
  });

  it('reaches the account of X that it names', async () => {
    await using stage = await open();
    const event = (account: string) =>
      JSON.stringify({
        for_user_id: account,
        direct_message_events: [
          {
            type: 'message_create',
            id: `dm${account}`,
            created_timestamp: String(stage.nowMs()),
            message_create: { target: { recipient_id: account }, sender_id: '24', message_data: { text: 'Hi' } },
          },
        ],
      });
    for (const body of ['901', '902', '903'].map(event)) {
      const signature = `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`;
      expect(await stage.post('x_1', body, { 'x-twitter-webhooks-signature': signature })).toBe(200);
    }
    expect([await stage.heard('x_1'), await stage.heard('x_2')]).toEqual([['dm901'], ['dm902']]);
  });
});

describe('bots of one app that cannot be told apart', () => {
  const warned = async (moreBots: readonly object[]) => {
    const { service } = await restStage();
    const company = { id: 7, name: 'Acme', plan: 'growth', bots: moreBots };
    const { warnings = [] } = await service.importWorkspace({ workspace: { companies: [company] } });
    return warnings.map(({ code, pointer, message }) => [code, pointer, message.includes('give each its accountId')]);
  };
  const said = (place: number) => ['ACCOUNT_NOT_NAMED', `/companies/0/bots/${place}/provider`, true];
  const other = { ...ofSlack('s_2', 'T2'), provider: { ...ofSlack('s_2', 'T2').provider, signingSecret: 'another secret' } };

  it.each([
    ['neither names its account', [ofSlack('s_1'), ofSlack('s_2')], [0, 1]],
    ['one of the two does not', [ofSlack('s_1', 'T1'), ofSlack('s_2')], [0, 1]],
    ['both do', [ofSlack('s_1', 'T1'), ofSlack('s_2', 'T2')], []],
    ['each has an app of its own', [ofSlack('s_1'), other], []],
    ['a bot is alone', [ofSlack('s_1')], []],
    ['Instagram names it, X does not', [ofInstagram('i_1', '801'), ofInstagram('i_2', '802'), ofX('x_8', '1'), ofX('x_9')], [2, 3]],
    ['pages are named by their id', [ofPage('p_1', '201'), ofPage('p_2', '202')], []],
    ['another provider has the same secret', [ofSlack('s_1'), ofX('x_9')], []],
  ])('are told where they are connected: %s', async (_case, given, places) => {
    expect(await warned(given)).toEqual(places.map(said));
  });

  it('are told by the check of a connection, with both names', async () => {
    const { service } = await restStage({ moreBots: [ofSlack('s_1', 'T1'), ofSlack('s_2')] });
    const bot = service.companies.bot('s_1');
    const told = bot === undefined ? '' : explainSharedApp(service, bot);
    expect(told).toContain('Bots "s_1" and "s_2" share an app, and "s_2" names no account');
  });
});
