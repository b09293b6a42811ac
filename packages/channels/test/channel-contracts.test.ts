import type { Json, JsonObject } from '@hilo/engine/contract';
import { type ChannelStage, describeChannel } from '@hilo/testing/contracts';
import { createDialer } from '../../drivers/src/index.ts';
import type { ChannelHost, Delivery } from '../src/channel-adapter.ts';
import { startProvider } from './double.ts';
import { type Provider, providers, secret } from './providers.ts';

/** How long a call of a provider that keeps us waiting lasts here: within it the request must have arrived, on a busy machine too. */
const timeoutMs = 1_000;

/** An adapter over the real dialer, and its provider on this machine. */
async function open(provider: Provider): Promise<ChannelStage> {
  const double = await startProvider(provider.plan);
  const dialer = createDialer({ allow: [double.host] });
  const bot = { companyId: '7', id: 'bot', channel: provider.channel, userIdFormat: 'open' } as const;
  const fields = provider.fields(double.url);
  const connected = provider.adapter.connect(bot, fields);
  if ('unfitFields' in connected) throw new Error(connected.unfitFields.join());
  let isPatient = true;
  const host: ChannelHost = {
    clock: { now: Date.now },
    dialer: {
      request(call) {
        // Files of random messages are nowhere: a picture stands for each.
        if (!call.url.startsWith(double.url)) {
          const headers = { 'content-type': call.url.includes('video') ? 'video/mp4' : 'image/png' };
          return Promise.resolve({ status: 200, headers, body: new Uint8Array(10), url: call.url, retryAfterMs: undefined });
        }
        return dialer.request({ maxRedirects: 0, timeoutMs: isPatient ? 20_000 : timeoutMs, ...call });
      },
    },
  };
  return {
    send: (message: JsonObject, idempotencyKey) =>
      connected.send({ messageId: `msg-${idempotencyKey}`, idempotencyKey, recipient: { id: provider.userId }, message }, host),
    meet(mood) {
      isPatient = mood !== 'hangs' && mood !== 'drips';
      double.meet(mood);
    },
    sent: () => double.sent().map(({ body }) => body),
    problems: double.problems,
    async receive(genuineness) {
      const signed = JSON.stringify(provider.textOf('Hello', 'in-1', double.url));
      const headers = await provider.sign(signed, Date.now(), genuineness === 'of another sender' ? 'other-secret' : secret);
      // A changed body of Teams names another service: its token is about that, not about every byte.
      const body = genuineness === 'changed' ? JSON.stringify(provider.textOf('Hullo', 'in-1', 'https://elsewhere.example')) : signed;
      const delivery: Delivery = {
        headers: new Headers(genuineness === 'unsigned' ? {} : headers),
        body: new TextEncoder().encode(body),
        json: (text = body) => JSON.parse(text) as Json,
      };
      const isAuthentic = await connected.authenticate(delivery, host);
      const received = isAuthentic ? await connected.receive(delivery, host) : undefined;
      return { isAuthentic, events: received?.kind === 'events' ? received.events : [] };
    },
    secrets: [
      secret,
      ...provider.adapter.secrets.flatMap((name) => (typeof fields[name] === 'string' && fields[name].length > 1 ? [fields[name]] : [])),
    ],
    async close() {
      await dialer.close();
      await double.close();
    },
  };
}

for (const provider of await providers()) {
  const { adapter, failures } = provider;
  const numRuns = Number(process.env['HILO_CHANNEL_RUNS'] ?? 100);
  const options = {
    numRuns,
    failures,
    confirmsSends: adapter.kind !== 'custom',
    callsOut: !adapter.isRecordOnly,
    provesBody: adapter.kind !== 'web',
  };
  describeChannel(adapter.kind, () => open(provider), options);
}
