// Sends messages to a double of WhatsApp, in a process of its own: by the client alone, by the adapter, and by the outbox.
import { webcrypto } from 'node:crypto';
import { boundDestinations, createDialer } from '../../packages/drivers/src/index.ts';
import { channelAdapters, type ChannelHost } from '../../packages/channels/src/index.ts';
import { openSqliteStore } from '../../packages/stores/src/index.ts';
import { serviceTables } from '../../packages/server/src/platform/database/tables.ts';
import { createOutbox } from '../../packages/server/src/messages/outbox.ts';
import { inDirectory } from '../in-directory.ts';
import { HttpClient } from '../clients.ts';
import { answerParent } from '../processes.ts';
import { whatsapp } from './credentials.ts';

export interface Sends {
  readonly origin: string;
  readonly rounds: number;
  /** In each round, for each contestant. */
  readonly messages: number;
}

/** Microseconds of the processors for one message, by round. */
export interface SendRounds {
  readonly bare: readonly number[];
  readonly sent: readonly number[];
  readonly kept: readonly number[];
}

const bot = {
  companyId: '1',
  id: 'bot',
  name: 'Bot',
  channel: 'whatsapp',
  connectedAtMs: 0,
  provider: { kind: 'whatsapp-cloud', fields: {} },
  settings: { userIdFormat: 'strict', enforceSessionWindow: false, templateReopensWindow: 'onReply' },
} as const;
const userId = '5215512345678';
const silent = { info() {}, warn() {}, error() {} };

const sendAll = ({ origin, rounds, messages }: Sends): Promise<SendRounds> =>
  inDirectory(async (directory) => {
    const clock = { now: Date.now, setTimeout, clearTimeout };
    const dialer = boundDestinations(createDialer({ allow: [new URL(origin).host] }));
    const host: ChannelHost = { clock, dialer: { request: (call) => dialer.request({ timeoutMs: 20_000, maxRedirects: 0, ...call }) } };
    const { kind: _kind, ...fields } = whatsapp;
    const adapter = channelAdapters.find(({ kind }) => kind === whatsapp.kind);
    const connected = adapter?.connect({ ...bot, userIdFormat: 'strict' }, { ...fields, baseUrl: origin });
    if (connected === undefined || 'unfitFields' in connected) throw new Error('The adapter of WhatsApp takes these fields');

    const path = `/v23.0/${whatsapp.phoneNumberId}/messages`;
    const client = new HttpClient(origin);
    const bare = async (number: number): Promise<void> => {
      const text = { body: `Order A-${number} is on its way`, preview_url: true };
      const message = { messaging_product: 'whatsapp', recipient_type: 'individual', to: userId, biz_opaque_callback_data: `k${number}` };
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${whatsapp.accessToken}` };
      const body = JSON.stringify({ ...message, type: 'text', text });
      const answer = await client.request({ method: 'POST', path, headers, body });
      JSON.parse(await answer.body.text());
    };

    const messageOf = (number: number) => ({ type: 'text', text: `Order A-${number} is on its way` });
    const sent = async (number: number): Promise<void> => {
      const outbound = { messageId: `m${number}`, idempotencyKey: `k${number}`, recipient: { id: userId }, message: messageOf(number) };
      const { kind } = await connected.send(outbound, host);
      if (kind !== 'sent') throw new Error(`Message ${number} was ${kind}`);
    };

    const store = await openSqliteStore({ path: `${directory}/hilo.db`, extensions: [serviceTables] });
    const outbox = createOutbox({
      store,
      companies: { botOf: () => bot },
      clock,
      random: { bytes: (length) => webcrypto.getRandomValues(new Uint8Array(length)) },
      log: silent,
      isRecordOnly: () => false,
      async deliver(_bot, { messageId, idempotencyKey, recipient, message }) {
        const result = await connected.send({ messageId, idempotencyKey, recipient, message }, host);
        if (result.kind !== 'sent') throw new Error(`Message ${messageId} was ${result.kind}`);
        return { ...result, messageId };
      },
    });
    const signal = new AbortController().signal;
    const kept = async (number: number): Promise<void> => {
      const outbound = { companyId: '1', botId: 'bot', userId, message: messageOf(number), idempotencyKey: `k${number}` };
      const { kind } = await outbox.send(bot, outbound, signal);
      if (kind !== 'sent') throw new Error(`Message ${number} was ${kind}`);
    };

    let number = 0;
    const usOf = async (send: (number: number) => Promise<void>): Promise<number> => {
      const before = process.cpuUsage();
      for (let left = messages; left > 0; left -= 1) await send((number += 1));
      const { user, system } = process.cpuUsage(before);
      return (user + system) / messages;
    };
    try {
      for (const send of [bare, sent, kept]) await usOf(send); // V8 takes its time to see what is hot
      const result = { bare: [], sent: [], kept: [] } as { readonly [name in keyof SendRounds]: number[] };
      for (let round = 0; round < rounds; round += 1) {
        result.bare.push(await usOf(bare));
        result.sent.push(await usOf(sent));
        result.kept.push(await usOf(kept));
      }
      return result;
    } finally {
      await outbox.stop();
      await Promise.all([client.close(), dialer.close(), store.close()]);
    }
  });

answerParent(sendAll);
