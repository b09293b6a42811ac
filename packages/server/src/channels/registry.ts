import { type ChannelAdapter, type ConnectedChannel, type Dialer } from '@hilo/drivers';
import type { AbortSignal, Clock } from '@hilo/engine/contract';
import type { Bot } from '../tenants/companies.ts';

/** How long a provider has for its answer, once it is called (EVT-01). */
const callMs = 20_000;

/** How long a message waits for its turn, before it stands behind the others that wait for the same provider (P13, P22). */
const queueingMs = 600_000;

type Host = Parameters<ConnectedChannel['send']>[1];

/** A bot with the adapter of its provider. */
export interface BotChannel {
  readonly adapter: ChannelAdapter;
  readonly connected: ReturnType<ChannelAdapter['connect']>;
  /**
   * What the adapter works with, in the name of the bot's company.
   *
   * @param signal - ends the wait of a call for its turn; a call that has begun has its time
   */
  host(signal?: AbortSignal): Host;
}

/** The kinds of provider that this service knows: those of Hilo, and those of its host. */
export interface ChannelRegistry {
  readonly adapters: readonly ChannelAdapter[];
  /** Whether any kind of provider signs with one of these headers. */
  isSigned(headers: Headers): boolean;
  /** Whether keeping a message is all there is to sending it. */
  isRecordOnly(bot: Bot): boolean;
  /** `undefined` where the kind of its provider is not known: another process, or an earlier start, had an adapter for it. */
  of(bot: Bot): BotChannel | undefined;
}

interface RegistryParts {
  readonly adapters: readonly ChannelAdapter[];
  readonly dialer: Pick<Dialer, 'request'>;
  readonly clock: Clock;
}

/** What adapters keep of a bot lasts as long as its configuration: another configuration is another {@link Bot}. */
export function createChannelRegistry({ adapters, dialer, clock }: RegistryParts): ChannelRegistry {
  const byKind = new Map(adapters.map((adapter) => [adapter.kind, adapter]));
  const known = new WeakMap<Bot, BotChannel>();

  const open = (bot: Bot, adapter: ChannelAdapter): BotChannel => {
    const { companyId: scope, id, channel, settings, provider } = bot;
    const host = (signal?: AbortSignal): Host => ({
      clock,
      dialer: {
        request: (call) =>
          dialer.request({ timeoutMs: callMs, maxRedirects: 0, ...call, scope, queueing: { timeoutMs: queueingMs, signal } }),
      },
    });
    const facts = { companyId: scope, id, channel, userIdFormat: settings.userIdFormat };
    return { adapter, connected: adapter.connect(facts, provider.fields), host };
  };

  return {
    adapters,
    isSigned: (headers) => adapters.some(({ signatureHeader }) => headers.has(signatureHeader)),
    isRecordOnly: ({ provider }) => byKind.get(provider.kind)?.isRecordOnly ?? false,
    of(bot) {
      const adapter = byKind.get(bot.provider.kind);
      if (adapter === undefined) return undefined;
      const channel = known.get(bot) ?? open(bot, adapter);
      known.set(bot, channel);
      return channel;
    },
  };
}
