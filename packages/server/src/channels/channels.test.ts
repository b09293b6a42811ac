import { type ChannelMessage, defineChannel, type SendResult } from '@hilo/channels';
import { createVirtualClock } from '@hilo/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Bot, MessageTemplate } from '../tenants/companies.ts';
import { createChannelRegistry, createDelivery } from './channels.ts';

const bot: Bot = {
  companyId: '1',
  id: 'bot',
  name: 'Bot',
  channel: 'web',
  connectedAtMs: 0,
  provider: { kind: 'pager', fields: { token: 't', url: 'https://pager.example' } },
  settings: { userIdFormat: 'open', enforceSessionWindow: false, templateReopensWindow: 'onSend' },
};

const silent = { info() {}, warn() {}, error() {} };

const template: MessageTemplate = {
  id: 'tpl',
  botId: 'bot',
  elementName: 'hello',
  language: 'en',
  category: 'UTILITY',
  status: 'APPROVED',
  body: 'Hi {{1}}',
  components: undefined,
};

/** An adapter whose sends end with the given result, and a record of what they were called with. */
function stage(result: () => SendResult | Promise<SendResult>, options: { readonly takesIdempotencyKey?: boolean } = {}) {
  const given: ChannelMessage[] = [];
  const calls: object[] = [];
  let begun = 0;
  const pager = defineChannel({
    kind: 'pager',
    channels: ['web'],
    config: z.strictObject({ token: z.string(), url: z.url() }),
    secrets: ['token'],
    ...options,
    state: () => ({ number: (begun += 1) }),
    async send(outbound, { dialer, config, state }) {
      given.push(outbound);
      await dialer.request({ method: 'POST', url: config.url, headers: { 'x-sender': String(state.number) } });
      return result();
    },
    signatureHeader: 'x-pager',
    authenticate: () => true,
    receive: () => ({ kind: 'events', events: [] }),
  });
  const dialer = {
    request(call: object) {
      calls.push(call);
      return Promise.resolve({ status: 200, headers: {}, body: new Uint8Array(), url: '', retryAfterMs: undefined });
    },
  };
  const channels = createChannelRegistry({ adapters: [pager], dialer, clock: createVirtualClock(), log: silent });
  const deliver = createDelivery({ channels, companies: { template: () => template }, noteStatus: async () => undefined });
  const signal = new AbortController().signal;
  const send = (whose = bot, message: { readonly type: string; readonly templateId?: string } = { type: 'text' }) =>
    deliver(
      whose,
      { companyId: '1', botId: 'bot', userId: 'ana', message, idempotencyKey: 'key', messageId: 'msg_1', recipient: { id: 'ana' } },
      signal,
    );
  return { send, given, calls };
}

const sent: SendResult = { kind: 'sent', providerMessageId: 'p1' };
const unknown: SendResult = { kind: 'unknown', cause: 'TIMEOUT', message: 'No answer in time' };

describe('the way of a message to its adapter', () => {
  it('gives it the message, and a way out in the name of the company', async () => {
    const { send, given, calls } = stage(() => sent);
    expect(await send()).toEqual({ kind: 'sent', messageId: 'msg_1', providerMessageId: 'p1' });
    expect(given).toEqual([
      { messageId: 'msg_1', idempotencyKey: 'key', recipient: { id: 'ana' }, message: { type: 'text' }, template: undefined },
    ]);
    expect(calls).toMatchObject([{ url: 'https://pager.example', scope: '1', maxRedirects: 0, timeoutMs: 20_000 }]);
  });

  it('gives it the template that the message names', async () => {
    const { send, given } = stage(() => sent);
    await send(bot, { type: 'template', templateId: 'tpl' });
    expect(given).toMatchObject([{ template: { elementName: 'hello', body: 'Hi {{1}}' } }]);
  });

  it('keeps what the adapter has of a bot as long as its configuration stays', async () => {
    const { send, calls } = stage(() => sent);
    await send();
    await send();
    await send({ ...bot });
    expect(calls).toMatchObject([1, 1, 2].map((number) => ({ headers: { 'x-sender': String(number) } })));
  });

  it('ends with an unknown outcome where the provider does not deduplicate (P5)', async () => {
    expect(await stage(() => unknown).send()).toMatchObject({ kind: 'refused', cause: 'OUTCOME_UNKNOWN' });
  });

  it('may be sent again where the provider takes an idempotency key (P5)', async () => {
    expect(await stage(() => unknown, { takesIdempotencyKey: true }).send()).toEqual(unknown);
  });

  it('ends with an unknown outcome where the adapter fails, which may have called its provider before (P5)', async () => {
    const failing = () => {
      throw new TypeError('no such field');
    };
    expect(await stage(failing).send()).toMatchObject({
      kind: 'refused',
      cause: 'OUTCOME_UNKNOWN',
      message: expect.stringContaining('no such field') as unknown,
    });
    expect(await stage(failing, { takesIdempotencyKey: true }).send()).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    ['PROVIDER_INCOMPLETE', '"token"', { kind: 'pager', fields: { url: 'https://pager.example' } }],
    ['PROVIDER_INCOMPLETE', '"url"', { kind: 'pager', fields: { token: 't', url: 'no address' } }],
    ['PROVIDER_INCOMPLETE', '"tokn"', { kind: 'pager', fields: { token: 't', url: 'https://pager.example', tokn: 'x' } }],
    ['PROVIDER_UNSUPPORTED', '"telegraph"', { kind: 'telegraph', fields: {} }],
  ])('ends with %s and names %s', async (cause, name, provider) => {
    const { send, given } = stage(() => sent);
    const refused = await send({ ...bot, provider });
    expect(refused).toMatchObject({ kind: 'refused', cause });
    expect(refused).toHaveProperty('message', expect.stringContaining(name));
    expect(given).toEqual([]);
  });
});
