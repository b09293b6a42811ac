/** The data endpoint of forms from outside: keys, every refusal and its order, and that only an open question is answered. */
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Json, JsonObject } from '@hilo/engine/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { seal, signed, unseal } from '../../../channels/test/flow-double.ts';
import { type HttpServer, startHttp } from '../../../drivers/test/local-servers.ts';
import { createApp } from '../../src/service/app.ts';
import { restStage, type RestStage } from '../rest/rest-stage.ts';

const appSecret = 'app-secret-of-the-forms';
const user = '5215599990000';
let stage: RestStage;
let graph: HttpServer;
let registered: string | undefined;
let sentCount = 0;
/** Whether the provider takes its time for messages, and what it has not answered yet. */
let isSlow = false;
let unanswered: { readonly token: string; readonly answer: () => void } | undefined;
let publicKey = '';
let messages = 0;

const example = async (id: string): Promise<JsonObject> =>
  JSON.parse(await readFile(new URL(`../../../../examples/canvases/${id}.json`, import.meta.url), 'utf8')) as JsonObject;

/** A tool that takes longer than a provider waits. */
const slow: JsonObject = {
  schemaVersion: 1,
  id: 'slow',
  name: 'Slow',
  kind: 'tool',
  nodes: [
    { id: 'asked', type: 'start', data: {} },
    { id: 'wait', type: 'delay', data: { duration: 'PT9S' } },
    { id: 'end', type: 'end', data: { outputs: { screen: 'LATE' } } },
  ],
  edges: [
    { source: 'asked', sourceHandle: 'next', target: 'wait' },
    { source: 'wait', sourceHandle: 'elapsed', target: 'end' },
  ],
};
/** The question of `book-visit`, begun by another word, with the workflow that answers its screens; without one, for the tool of any address. */
function asking(bookVisit: JsonObject, keyword: string, workflowId?: string): JsonObject {
  const nodes = (bookVisit['nodes'] as readonly (JsonObject & { readonly data: JsonObject })[]).map((node) => {
    if (node['type'] === 'start') return { ...node, data: { keywords: [keyword] } };
    const { exchange: _, ...input } = (node.data['input'] ?? {}) as JsonObject;
    if (node['type'] !== 'ask') return node;
    return { ...node, data: { ...node.data, input: { ...input, ...(workflowId !== undefined && { exchange: { workflowId } }) } } };
  });
  return { ...bookVisit, id: `ask-${keyword}`, nodes };
}
const closing: JsonObject = {
  ...slow,
  id: 'closing',
  nodes: [
    { id: 'asked', type: 'start', data: {} },
    { id: 'end', type: 'end', data: { outputs: { close: { day: '2031-01-01', time: '09:30' } } } },
  ],
  edges: [{ source: 'asked', sourceHandle: 'next', target: 'end' }],
};

beforeAll(async () => {
  graph = await startHttp(({ method, url, body }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (url.includes('/whatsapp_business_encryption')) {
      if (method === 'POST') registered = new URLSearchParams(body).get('business_public_key') ?? undefined;
      const state = { business_public_key: registered, business_public_key_signature_status: 'VALID' };
      return response.end(JSON.stringify(method === 'POST' ? { success: true } : { data: [state] }));
    }
    if (method === 'GET') return response.end('{"id":"100","display_phone_number":"+51 1","verified_name":"Acme"}');
    sentCount += 1;
    const answer = (): unknown => response.end(JSON.stringify({ messages: [{ id: `wamid.${sentCount}` }] }));
    const [, token] = /"flow_token":"([^"]+)"/.exec(body) ?? [];
    if (!isSlow || token === undefined) return answer();
    return (unanswered = { token, answer });
  });
  stage = await restStage({ settings: { egressAllow: [graph.host] } });
  const provider = {
    kind: 'whatsapp-cloud',
    phoneNumberId: '100',
    accessToken: 'token',
    appSecret,
    verifyToken: 'verify',
    baseUrl: `http://${graph.host}`,
  };
  const bots = ['forms', 'others'].map((id) => ({ id, name: id, channel: 'whatsapp', connectedAt: '2026-01-01T00:00:00Z', provider }));
  const workflows = await Promise.all(['book-visit', 'visit-slots', 'apply'].map(example));
  const [bookVisit = {}] = workflows;
  workflows.push(asking(bookVisit, 'slowly', 'slow'), asking(bookVisit, 'closing', 'closing'), asking(bookVisit, 'plainly'));
  const company = { id: 77, name: 'Forms', plan: 'enterprise', kind: 'enterprise', bots };
  const published = [slow, closing, ...workflows].map((canvas) => ({ canvas, publish: true }));
  await stage.service.importWorkspace({ workspace: { companies: [{ ...company, workflows: published }] } });
  publicKey = (await makeKey()).body['publicKey'] as string;
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await graph.close();
});

const request = (path: string, init: RequestInit): Promise<Response> => Promise.resolve(createApp(stage.service).request(path, init));

async function makeKey(body: JsonObject = {}): Promise<{ readonly status: number; readonly body: JsonObject }> {
  const response = await request('/admin/v1/bots/forms/flow-key', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${stage.service.settings.adminToken}` },
  });
  return { status: response.status, body: (await response.json()) as JsonObject };
}

interface Exchanged {
  readonly status: number;
  readonly text: string;
}
async function post(sealed: Json, workflowId = 'visit-slots', { botId = 'forms', secret = appSecret } = {}): Promise<Exchanged> {
  const body = JSON.stringify(sealed);
  const response = await request(`/channels/${botId}/flows/${workflowId}`, { method: 'POST', body, headers: signed(body, secret) });
  return { status: response.status, text: await response.text() };
}
const ask = (question: JsonObject, workflowId?: string): Promise<Exchanged> =>
  post(seal({ version: '3.0', action: 'INIT', ...question }, publicKey), workflowId);

/** The user writes; the id of the message that offers the form. */
async function openForm(keyword = 'visit'): Promise<string> {
  const before = await offers();
  await write({ type: 'text', text: { body: keyword } });
  return vi.waitFor(async () => {
    stage.clock.advanceBy(500); // messages to one user have a pace
    const last = (await offers()).find(({ messageId }) => before.every((known) => known.messageId !== messageId));
    if (last === undefined) throw new Error('The form is not offered yet');
    const record = await stage.service.store.executions.load('77', last.executionId ?? '');
    if (record?.state.status !== 'waiting') throw new Error('The question is not open yet');
    return last.messageId;
  }, 60_000);
}
const offers = async () =>
  (await stage.service.messages.list('77', 'forms', { userId: user, limit: 100 })).results.filter(
    ({ message }) => message['type'] === 'flow',
  );
async function write(message: JsonObject): Promise<void> {
  messages += 1;
  const timestamp = String(Math.floor(stage.clock.now() / 1_000));
  const value = {
    messaging_product: 'whatsapp',
    metadata: { phone_number_id: '100', display_phone_number: '5111' },
    contacts: [{ wa_id: user, profile: { name: 'Ana' } }],
    messages: [{ from: user, id: `wamid.in${messages}`, timestamp, ...message }],
  };
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ field: 'messages', value }] }] });
  const response = await request('/channels/forms/webhook', { method: 'POST', body, headers: signed(body, appSecret) });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
}
const submit = (token: string): Promise<void> =>
  write({
    type: 'interactive',
    interactive: {
      type: 'nfm_reply',
      nfm_reply: { name: 'flow', body: 'Sent', response_json: JSON.stringify({ day: '2031-01-01', time: '09:30', flow_token: token }) },
    },
  });

describe('the key of a bot', () => {
  it('is made once, registered, kept from every export, and reported by the check', async () => {
    const { status, body } = await makeKey();
    expect({ status, body }).toMatchObject({ status: 200, body: { isRegistered: true, status: 'VALID', publicKey } });
    expect(registered).toBe(publicKey);
    expect(JSON.stringify(await stage.service.exportWorkspace())).not.toContain('PRIVATE KEY');
    expect(Object.keys(body).toSorted()).toEqual(['fingerprint', 'isRegistered', 'publicKey', 'status']);
  });

  it('is another one after a rotation, while the one before still opens', async () => {
    const before = publicKey;
    const { body } = await makeKey({ rotate: true });
    expect(body['publicKey']).not.toBe(before);
    const ping = { version: '3.0', action: 'ping' };
    expect(await post(seal(ping, before))).toMatchObject({ status: 200 });
    publicKey = body['publicKey'] as string;
    expect(await post(seal(ping, publicKey))).toMatchObject({ status: 200 });
  });
});

describe('a form that asks', () => {
  let token = '';
  beforeEach(async () => {
    token = await openForm();
  });

  it('gets the screen that the workflow gives, for the context of its question', async () => {
    const { status, text } = await ask({ flow_token: token, data: {} });
    expect({ status, answer: unseal(text) }).toEqual({
      status: 200,
      answer: { version: '3.0', screen: 'TIMES', data: { city: 'Lima', times: ['09:30', '15:00'] } },
    });
    await submit(token);
    const ending = await openForm('closing');
    const closed = await ask(
      { action: 'data_exchange', version: '4.0', flow_token: ending, screen: 'TIMES', data: { time: '09:30' } },
      'closing',
    );
    expect(unseal(closed.text)).toEqual({
      version: '4.0',
      screen: 'SUCCESS',
      data: { extension_message_response: { params: { day: '2031-01-01', time: '09:30', flow_token: ending } } },
    });
    await submit(ending);
  });

  it('is answered by the workflow that its question names alone; by that of the address where it names none', async () => {
    expect(await ask({ flow_token: token }, 'closing')).toEqual({ status: 404, text: '' });
    await submit(token);
    const plain = await openForm('plainly');
    expect((await ask({ flow_token: plain }, 'closing')).status).toBe(200);
    await submit(plain);
  });

  it('is open by its whole token alone, also under a key that was rotated meanwhile', async () => {
    const before = publicKey;
    publicKey = (await makeKey({ rotate: true })).body['publicKey'] as string;
    const status = async (given: Json, key: string): Promise<number> =>
      (await post(seal({ version: '3.0', action: 'INIT', flow_token: given }, key))).status;
    const [offer] = await offers();
    const executionId = offer?.executionId ?? '';
    const guessed = [
      token.slice(0, -1),
      token.slice(1),
      `${token} `,
      `${token}%`,
      token.toUpperCase(),
      executionId,
      '',
      '%',
      'constructor',
    ];
    for (const key of [before, publicKey]) {
      expect(await status(token, key)).toBe(200);
      for (const one of guessed) expect([one, await status(one, key)]).toEqual([one, one === token ? 200 : 427]);
      for (const one of [7, null, [token], { token }]) expect(await status(one, key)).toBe(400);
    }
    for (const one of guessed.slice(0, 3)) await submit(one); // no answer, and no attempt
    expect(await status(token, before)).toBe(200);
    await submit(token);
    const next = await openForm();
    // What was answered stays closed while the next question is open, whichever key it is sealed with.
    for (const key of [before, publicKey]) expect([await status(token, key), await status(next, key)]).toEqual([427, 200]);
    await submit(token);
    expect(await status(next, publicKey)).toBe(200);
    await submit(next);
    expect(await status(next, publicKey)).toBe(427);
  });

  it('is told 427 once its question is answered, and for tokens of nobody and of another bot', async () => {
    const texts = async (given: string) => {
      const { status, text } = await ask({ flow_token: given, data: {} });
      return [status, Object.keys(unseal(text) as object)];
    };
    expect(await texts('nobody')).toEqual([427, ['error_msg']]);
    const other = seal({ version: '3.0', action: 'INIT', flow_token: token }, publicKey);
    expect((await post(other, 'visit-slots', { botId: 'others' })).status).toBe(421); // it has no key
    await submit(token);
    expect(await texts(token)).toEqual([427, ['error_msg']]);
  });

  it('is told that it is over in the language of the company', async () => {
    const company = { id: 77, name: 'Forms', plan: 'enterprise', kind: 'enterprise' };
    for (const [locale, sentence] of [
      ['es-PE', 'Este formulario ya se cerró. Escríbanos de nuevo, por favor.'],
      ['pt-BR', 'Este formulário já foi encerrado. Escreva de novo, por favor.'],
      ['fr-FR', 'This form is closed. Please write again.'],
      ['en-US', 'This form is closed. Please write again.'],
    ]) {
      await stage.service.importWorkspace({ workspace: { companies: [{ ...company, locale }] } });
      const { status, text } = await ask({ flow_token: 'nobody' });
      expect([locale, status, unseal(text)]).toEqual([locale, 427, { error_msg: sentence }]);
    }
    await submit(token);
  });

  it('is told to ask again, and not that it is over, while its question is about to be open', async () => {
    await submit(token);
    isSlow = true;
    await write({ type: 'text', text: { body: 'visit' } });
    const slow = await vi.waitFor(() => {
      stage.clock.advanceBy(500); // messages to one user have a pace
      if (unanswered === undefined) throw new Error('The form is not on its way yet');
      return unanswered;
    }, 60_000);
    isSlow = false;
    // The user has it, and the provider has not said so.
    expect(await ask({ flow_token: slow.token })).toEqual({ status: 503, text: '' });
    slow.answer();
    await vi.waitFor(async () => expect((await ask({ flow_token: slow.token })).status).toBe(200), 60_000);
    await submit(slow.token);
    await vi.waitFor(async () => expect((await ask({ flow_token: slow.token })).status).toBe(427), 60_000);
  });

  it('is told in a sentence, and keeps what is filled in, while its conversation is set aside', async () => {
    const { executions } = stage.service.store;
    const executionId = (await offers()).find(({ messageId }) => messageId === token)?.executionId ?? '';
    const stands = async (status: 'waiting' | 'quarantined'): Promise<void> => {
      const record = await executions.load('77', executionId);
      if (record === undefined) throw new Error('The execution is gone');
      const saves = [{ ...record, revision: record.revision + 1, state: { ...record.state, status } }];
      await executions.commit({ saves, history: [], contacts: [], enqueue: [], dequeue: [] });
    };
    const sentence = 'This form cannot be filled in right now. Please write again later.';
    await stands('quarantined');
    const told = async (question: JsonObject): Promise<readonly unknown[]> => {
      const { status, text } = await ask({ flow_token: token, ...question });
      return [status, unseal(text)];
    };
    expect(await told({})).toEqual([427, { error_msg: sentence }]);
    for (const action of ['data_exchange', 'BACK'])
      expect(await told({ action, screen: 'TIMES', data: { city: 'Lima' } })).toEqual([
        200,
        { version: '3.0', screen: 'TIMES', data: { error_message: sentence } },
      ]);
    await stands('waiting');
    expect((await ask({ flow_token: token })).status).toBe(200);
    await submit(token);
  });

  it('is answered for the execution that continues the one which asked, also under another name of its node', async () => {
    const { engine } = stage.service;
    const forms = engine.company('77');
    const executionId = (await offers()).find(({ messageId }) => messageId === token)?.executionId ?? '';
    const answers = async (): Promise<number> => (await ask({ flow_token: token })).status;
    await forms.cancel(executionId);
    expect(await answers()).toBe(427);
    const made = await forms.retry(executionId);
    expect(await answers()).toBe(200);
    const [latest] = await forms.versions('book-visit');
    const { nodes = [], edges = [] } = latest?.canvas ?? {};
    const renamed = (id: string): string => (id === form ? `${form}-again` : id);
    const form = (await forms.execution(made.executionId))?.state.wait?.nodeId ?? '';
    const to = await forms.publish({
      ...latest?.canvas,
      nodes: nodes.map((node) => ({ ...node, id: renamed(node.id) })),
      edges: edges.map((one) => ({ ...one, source: renamed(one.source), target: renamed(one.target) })),
    });
    const migration = { workflowId: 'book-visit', from: latest?.version ?? 0, to: to.version, nodes: { [form]: `${form}-again` } };
    expect(await forms.migrate(made.executionId, migration, { accept: ['same', 'changed'] })).toMatchObject({ kind: 'same' });
    expect(await answers()).toBe(200);
    await submit(token);
    expect(await answers()).toBe(427);
    await forms.publish({ ...latest?.canvas });
  });

  it('is told 404 where there is no such tool, and 503 where one takes more than eight seconds', async () => {
    expect(await ask({ flow_token: token }, 'nothing')).toEqual({ status: 404, text: '' });
    expect(await ask({ flow_token: token }, 'apply')).toEqual({ status: 404, text: '' });
    await submit(token);
    const slowly = await openForm('slowly');
    const waiting = ask({ flow_token: slowly }, 'slow');
    const turning = setInterval(() => stage.clock.advanceBy(500), 5);
    expect(await waiting.finally(() => clearInterval(turning))).toEqual({ status: 503, text: '' });
    await submit(slowly);
  });

  it('with a signature of its token is refused unless the app secret made it, for this token, and in time', async () => {
    const encode = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const make = (claims: JsonObject, secret = appSecret, alg = 'HS256'): string => {
      const content = `${encode({ alg, typ: 'JWT' })}.${encode(claims)}`;
      const hash = createHmac(alg === 'HS384' ? 'sha384' : 'sha256', secret).update(content);
      return `${content}.${alg === 'none' ? '' : hash.digest('base64url')}`;
    };
    const nowS = Math.floor(stage.clock.now() / 1_000);
    const status = async (signature: Json): Promise<number> =>
      (await ask({ version: '4.0', flow_token: token, flow_token_signature: signature })).status;
    expect(await status(make({ flow_token: token, exp: nowS + 600 }))).toBe(200);
    expect(await status(make({}))).toBe(200);
    const forged = [
      'a.b.c',
      7,
      make({ flow_token: token }, 'another-secret-0123456789abcdef0123'),
      make({ flow_token: 'token-of-another-question' }),
      make({ flow_token: token, exp: nowS - 600 }),
      make({ flow_token: token }, appSecret, 'HS384'),
      make({ flow_token: token }, appSecret, 'none'),
    ];
    for (const one of forged) expect(await status(one)).toBe(427);
  });
});

describe('what asks nothing', () => {
  it('is answered: a ping before any workflow exists, and the notice of a fault', async () => {
    const ping = await ask({ action: 'ping' }, 'nothing-yet');
    expect({ ...ping, text: unseal(ping.text) }).toEqual({ status: 200, text: { data: { status: 'active' } } });
    const notice = await ask({ flow_token: 'x', data: { error: 'timeout', error_message: 'slow' } });
    expect({ ...notice, text: unseal(notice.text) }).toEqual({ status: 200, text: { data: { acknowledged: true } } });
  });

  it.each<[string, () => Promise<Exchanged>, number]>([
    ['another secret', () => post({}, 'visit-slots', { secret: 'other' }), 432],
    ['no such bot', () => post({}, 'visit-slots', { botId: 'nobody' }), 432],
    ['a bot without forms', () => post({}, 'visit-slots', { botId: 'bot_custom' }), 432],
    ['no sealed fields', () => post({}), 400],
    ['no JSON inside', () => post(seal(Buffer.from('x'), publicKey)), 400],
    ['an action of another kind', () => ask({ action: 'delete', flow_token: 'x' }), 400],
    ['no token', () => ask({}), 400],
    ['a key of another', () => post({ ...seal({}, publicKey), encrypted_aes_key: Buffer.alloc(256, 7).toString('base64') }), 421],
  ])('is refused without a body: %s', async (_what, send, status) => {
    expect(await send()).toEqual({ status, text: '' });
  });
});
