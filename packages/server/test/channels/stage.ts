import { startHttp } from '../../../drivers/test/local-servers.ts';
import { startProvider, type ProviderDouble } from '../../../channels/test/double.ts';
import { type Provider, providers, secret } from '../../../channels/test/providers.ts';
import type { JsonObject } from '@hilo/engine/contract';
import { createChannels } from '../../src/channels/routes.ts';
import { type Frame, openFrame } from '../http/calls.ts';
import { type RestStage, restStage } from '../rest/rest-stage.ts';

/** A bot of the service, and the double of its provider. */
export interface Line {
  readonly provider: Provider;
  readonly botId: string;
  readonly double: ProviderDouble;
  /** Delivers a body with these headers alone. */
  post(body: string, headers: Readonly<Record<string, string>>): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Asks at the address of deliveries, as a provider does to verify it. @param query - with its question mark */
  verify(query: string): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Delivers a body, signed as the provider does. */
  deliver(body: JsonObject): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Delivers a user's text. */
  say(text: string): Promise<void>;
  /** The texts of the messages that reached the provider. */
  texts(): readonly string[];
}

export interface ChannelsStage extends AsyncDisposable {
  readonly rest: RestStage;
  readonly lines: readonly Line[];
  line(kind: string): Line;
}

/** A service with a bot of every kind of provider that calls out, each over a double of its provider, and an order service. */
export async function channelsStage(frame: Frame = 'the framework'): Promise<ChannelsStage> {
  const known = (await providers()).filter(({ adapter }) => !adapter.isRecordOnly);
  const doubles = await Promise.all(known.map(({ plan }) => startProvider(plan)));
  const orders = await startHttp((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"state":"shipped"}');
  });
  // The contract of `custom` names its bot: there it is "bot".
  const bots = known.map(({ adapter, channel, fields }, index) => ({
    id: adapter.kind === 'custom' ? 'bot' : `double_${adapter.kind}`,
    name: adapter.kind,
    channel,
    connectedAt: '2026-01-01T00:00:00Z',
    provider: { kind: adapter.kind, ...fields(doubles[index]?.url ?? '') },
    settings: { userIdFormat: 'open' },
  }));
  const rest = await restStage({
    settings: { egressAllow: [...doubles.map(({ host }) => host), orders.host] },
    moreBots: bots,
    changes: { '/companies/0/settings/ordersUrl': `http://${orders.host}` },
  });
  const { send, close } = await openFrame(frame, createChannels(rest.service), rest.service);

  const lines = known.map((provider, index): Line => {
    const [double, botId] = [doubles[index], bots[index]?.id ?? ''];
    if (double === undefined) throw new Error('Every provider has a double');
    let count = 0;
    const post: Line['post'] = async (body, headers) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
      const response = await send(`/channels/${botId}/webhook`, init);
      return { status: response.status, body: await response.json() };
    };
    const verify: Line['verify'] = async (query) => {
      const response = await send(`/channels/${botId}/webhook${query}`, {});
      const text = await response.text();
      return { status: response.status, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text };
    };
    const deliver: Line['deliver'] = async (sent) => {
      const body = JSON.stringify(sent);
      return post(body, await provider.sign(body, rest.clock.now(), secret));
    };
    return {
      provider,
      botId,
      double,
      post,
      verify,
      deliver,
      async say(text) {
        count += 1;
        const { status, body } = await deliver(provider.textOf(text, `in-${count}`, double.url, rest.clock.now()));
        if (status !== 200) throw new Error(`The service answered ${status}: ${JSON.stringify(body)}`);
      },
      texts: () => double.sent().map(({ body }) => body),
    };
  });
  return {
    rest,
    lines,
    line(kind) {
      const found = lines.find(({ provider }) => provider.adapter.kind === kind);
      if (found === undefined) throw new Error(`There is no provider "${kind}"`);
      return found;
    },
    async [Symbol.asyncDispose]() {
      await close();
      await rest[Symbol.asyncDispose]();
      await Promise.all([...doubles, orders].map((server) => server.close()));
    },
  };
}
