// What callers do with good and with bad secrets, so that their traces can be looked for.
import { setTimeout as pause } from 'node:timers/promises';
import type { Json, JsonObject } from '@hilo/engine/contract';
import { seal, signed } from '../../../../channels/test/flow-double.ts';
import { accepted, askAgainMs, basic, type Caller } from '../caller.ts';
import { flowKey, secrets } from './secrets.ts';
import { otherSides } from './workspace.ts';

const user = '5215512345678';
const admin = { authorization: `Bearer ${secrets.adminToken}` };
const signedIn = (client: string): { readonly authorization: string } => ({ authorization: basic(client) });

/** Starts an execution for each address, that calls it in every way. @returns when all have ended */
export async function callOut(caller: Caller, urls: readonly string[]): Promise<void> {
  const callOne = async (url: string): Promise<void> => {
    const options = { headers: { 'x-api-key': secrets.apiKey }, body: { user, url } };
    const { executionId } = accepted(await caller.call('POST /workflows/v2/webhooks/skill/calling/slack/hook', options));
    const look = () => caller.call(`GET /admin/v1/executions/${executionId}`, { headers: admin });
    while (((await look()).body as { readonly status: string }).status !== 'completed') await pause(askAgainMs);
  };
  await Promise.all(urls.map(callOne));
}

/** Everything that is done with good credentials. */
export async function goodTraffic(caller: Caller): Promise<void> {
  const event = {
    eventId: 'e1',
    botId: 'bot_log',
    user: { id: user },
    message: { id: 'm1', type: 'text', text: 'hi' },
    receivedAt: '2031-01-01T00:00:00Z',
  };
  await caller.deliver('bot_log', event, secrets.log);
  for (const bot of ['bot_custom', 'bot_fb', 'bot_slack', 'bot_teams', 'bot_x'])
    await caller.call(`POST /v1/bots/${bot}/messages`, {
      headers: signedIn(`client:${secrets.client}`),
      body: { type: 'text', text: 'Hello', userId: user },
    });
  await caller.call('POST /functions/fn_fails', { headers: { authorization: `Bearer ${secrets.apiKey}` }, body: { a: 1 } });
  await caller.call('POST /functions/fn_fails', { headers: { 'x-service-token': secrets.runtimeToken }, body: { a: 1 } });
  await caller.call('GET /admin/v1/functions/fn_fails/tokens', { headers: admin });
}

/** Agents whose models and servers answer in every way, and forms that ask: each is signed in, and each is told what it must not repeat. */
export async function think(caller: Caller, base: string): Promise<void> {
  for (const [index, side] of otherSides.entries()) {
    const id = `think-${index}`;
    const message = { id, type: 'text', text: `think ${side}` };
    const event = { eventId: id, botId: 'bot_log', user: { id: `${user}${index}` }, message, receivedAt: '2031-01-01T00:00:00Z' };
    await caller.deliver('bot_log', event, secrets.log);
    await caller.call('POST /admin/v1/mcp/tools', { headers: admin, body: { url: `${base}/${side}/mcp`, credentialId: 'header' } });
  }
  await caller.atRest('1');
  for (const body of [
    seal({ version: '3.0', action: 'INIT', flow_token: 'none', data: {} }, flowKey.publicKey),
    {},
    { encrypted_aes_key: 'x' },
  ]) {
    const text = JSON.stringify(body);
    await caller.call('POST /channels/bot_wa/flows/calling', { headers: signed(text, secrets.appSecret), body: text });
  }
  for (const body of [{}, { rotate: true }]) await caller.call('POST /admin/v1/bots/bot_wa/flow-key', { headers: admin, body });
  await caller.call('POST /admin/v1/bots/bot_wa/check', { headers: admin });
}

/** Every secret where it does not belong: nothing of it may come back, or be written down. */
export async function badTraffic(caller: Caller): Promise<void> {
  const doors = [
    'POST /workflows/v2/webhooks/skill/calling/slack/hook',
    'GET /v1/campaigns',
    'POST /v1/bots/bot_log/messages',
    'GET /admin/v1/executions',
    'POST /functions/fn_fails',
    'POST /channels/bot_log/webhook',
    'GET /channels/bot_wa/webhook',
  ];
  let guesses = 0;
  for (const [number, secret] of Object.values(secrets).entries()) {
    const ways: readonly { readonly [name: string]: string }[] = [
      { 'x-api-key': secret },
      { authorization: `Bearer ${secret}` },
      signedIn(`nobody:${secret}`),
      signedIn(`client:${secret}x`),
      { authorization: secret },
      { 'x-service-token': secret },
      { 'x-hub-signature-256': secret },
      { cookie: `hilo_admin=${encodeURIComponent(secret)}` },
    ];
    const encoded = encodeURIComponent(secret);
    const requests = doors.map((door, index) => {
      const headers = ways[(index + number) % ways.length] ?? {};
      if (door.includes('/admin/') && 'authorization' in headers) guesses += 1;
      const isLeftOut = isRight(headers) || (door.includes('/admin/') && guesses > freeGuesses);
      const options = { headers: isLeftOut ? {} : headers, ...(door.startsWith('GET') ? {} : { body: { token: secret } }) };
      return caller.call(`${door}?token=${encoded}&hub.verify_token=${encoded}&api_key=${encoded}`, options);
    });
    await Promise.all(requests);
  }
  // Accepted requests are stored without the headers that carry credentials.
  for (const secret of Object.values(secrets)) {
    const headers = {
      'x-api-key': secrets.apiKey,
      authorization: `Bearer ${secret}`,
      cookie: `hilo_admin=${encodeURIComponent(secret)}`,
      'proxy-authorization': Buffer.from(secret).toString('base64'),
      'x-service-token': secret,
    };
    const hook = 'POST /workflows/v2/webhooks/skill/calling/slack/hook';
    accepted(await caller.call(hook, { headers, body: { user, url: 'no address' } }));
  }
  await caller.call('POST /admin/v1/login', { body: { token: `${secrets.adminToken}x` } });
  await caller.call('POST /admin/v1/workspace', { headers: admin, body: refusedWorkspace });
}

/** Further guesses of the admin token are delayed (T2). */
const freeGuesses = 8;

/** A credential at its own door is no bad one. */
const isRight = (headers: { readonly [name: string]: string }): boolean =>
  headers['x-api-key'] === secrets.apiKey ||
  headers['authorization'] === admin.authorization ||
  headers['authorization'] === `Bearer ${secrets.apiKey}` ||
  headers['x-service-token'] === secrets.runtimeToken;

/** A workspace with something wrong wherever a secret is. */
const refusedWorkspace: JsonObject = {
  companies: [
    {
      id: 1,
      name: 'Canaries',
      plan: 'enterprise',
      clients: [{ clientId: 'a:b', clientSecret: secrets.client }],
      apiKeys: [{ id: 'key', key: `${secrets.apiKey} with a blank` }],
      bots: [
        {
          id: 'bot_log',
          name: 'x',
          channel: 'slack',
          connectedAt: 'now',
          provider: { kind: 'log', secret: secrets.log, appSecret: [secrets.log] },
        },
        {
          id: 'b',
          name: 'x',
          channel: 'web',
          connectedAt: '2026-01-01T00:00:00Z',
          provider: { kind: 'slack', botToken: secrets.botToken },
        },
      ],
      functions: [{ id: 'f', name: 'f', source: '', runtimeTokens: [{ id: 'r', name: 'r', token: secrets.bearer }] }],
      credentials: [{ id: 'c', kind: 'bearer', token: { value: secrets.bearer } }] satisfies Json,
    },
  ],
};

/** Everything that management, metrics and the interface have to show. */
export async function lookAtEverything(caller: Caller): Promise<void> {
  const look = async (path: string): Promise<unknown> => (await caller.call(`GET ${path}`, { headers: admin })).body;
  const { results } = (await look('/admin/v1/executions?limit=200')) as { readonly results: readonly { readonly executionId: string }[] };
  for (const { executionId } of results) {
    await look(`/admin/v1/executions/${executionId}`);
    await look(`/admin/v1/executions/${executionId}/history`);
  }
  for (const bot of ['bot_log', 'bot_custom', 'bot_fb', 'bot_slack', 'bot_teams', 'bot_x']) await look(`/admin/v1/bots/${bot}/messages`);
  for (const path of ['workflows/calling', 'workspace', 'nodes']) await look(`/admin/v1/${path}`);
  for (const path of ['/metrics', '/openapi.json', '/docs', '/health/ready']) await look(path);
}
