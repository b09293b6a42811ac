// The providers of a service, and the bots that are connected to them.
import type { Dialer } from '@hilo/drivers';
import type { ChannelAdapter, ConnectedChannel, DeliveryHeaders, ExchangeAnswer, SendResult } from '@hilo/channels';
import type { AbortSignal, Clock, JsonObject } from '@hilo/engine/contract';
import {
  atOnceFor,
  type Deliver,
  type DueMessage,
  isOfCampaign,
  type Outbox,
  type ProviderRate,
  templateStopped,
  type Tried,
} from '../messages/messages.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { Bot, Companies, MessageTemplate, Tenancy } from '../tenants/companies.ts';
import { heldReason, isHeld } from '../tenants/template-status.ts';
import type { Logger } from '../platform/logging/logger.ts';
import type { FileNames } from '../platform/name-files.ts';
import type { Platform } from '../platform/platform.ts';
import { createNotices, createTold, type Notices, type Told } from './notices.ts';
import { createCredentialBreaker, type CredentialBreaker } from './credential-breaker.ts';

export { takeEvent } from './provider-events.ts';

/** What the surface of providers works with. */
export type ChannelParts = Pick<Platform, 'settings' | 'engine' | 'store' | 'clock' | 'isAccepting' | 'log'> &
  Tenancy & {
    readonly channels: ChannelRegistry;
    readonly outbox: Pick<Outbox, 'accept'>;
    readonly conversations: Pick<Conversations, 'takeOver'>;
    /** Gives files of users their handles; they have none, where it is not there. */
    readonly files?: FileNames;
  };

/** How long a provider has for its answer, once it is called (EVT-01). */
const callMs = 20_000;

/** How long a message waits for its turn before it goes behind the others that wait for the same provider (P13, P22). */
const queueingMs = 600_000;

type Host = Parameters<ConnectedChannel['send']>[1];

/** A form that asked for its next screen, as it is counted. */
export type ExchangeTold = Pick<ExchangeAnswer, 'action' | 'outcome'> & { readonly bot: string };

/** A bot with the adapter of its provider. */
export interface BotChannel {
  readonly adapter: ChannelAdapter;
  readonly connected: ReturnType<ChannelAdapter['connect']>;
  /**
   * What the adapter works with, in the name of the bot's company.
   *
   * @param signal - ends the wait of a call for its turn; a call that has begun has its time
   * @param yields - whether its calls let others of the same company and provider go first
   */
  host(signal?: AbortSignal, yields?: boolean): Host;
}

/** The kinds of provider that this service knows: Hilo's and the host's. */
export interface ChannelRegistry {
  readonly adapters: readonly ChannelAdapter[];
  /** Whether any kind of provider signs with one of these headers. */
  isSigned(headers: Pick<DeliveryHeaders, 'has'>): boolean;
  /** Whether keeping a message is all there is to sending it. */
  isRecordOnly(bot: Bot): boolean;
  /** Why the bot's provider would refuse the message; `undefined` when it may accept it. */
  refusal(bot: Bot, message: JsonObject): string | undefined;
  /** The published rate limit of its provider; `undefined` when it publishes none. */
  rateOf(bot: Bot): ProviderRate | undefined;
  /** Bots whose providers refuse their credentials. */
  readonly credentials: CredentialBreaker;
  /** What was delivered that is no message. */
  readonly notices: Notices;
  /** Forms that asked for their next screen. */
  readonly exchanges: Told<ExchangeTold>;
  /** `undefined` for an unknown kind of provider: another process, or an earlier start, had the adapter. */
  of(bot: Bot): BotChannel | undefined;
}

interface RegistryParts {
  readonly adapters: readonly ChannelAdapter[];
  readonly dialer: Pick<Dialer, 'request'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What adapters keep of a bot lasts as long as its configuration: another configuration is another {@link Bot}. */
export function createChannelRegistry({ adapters, dialer, clock, log }: RegistryParts): ChannelRegistry {
  const byKind = new Map(adapters.map((adapter) => [adapter.kind, adapter]));
  const known = new WeakMap<Bot, BotChannel>();

  const rateOf = ({ provider }: Bot): ProviderRate | undefined => {
    const { messagesPerSecond, burst } = byKind.get(provider.kind)?.limits ?? {};
    return messagesPerSecond === undefined ? undefined : { messagesPerSecond, ...(burst !== undefined && { burst }) };
  };

  const open = (bot: Bot, adapter: ChannelAdapter): BotChannel => {
    const { companyId: scope, id, channel, settings, provider } = bot;
    const rate = rateOf(bot);
    const atOnce = rate === undefined ? undefined : atOnceFor(rate);
    const host = (signal?: AbortSignal, yields = false): Host => ({
      clock,
      dialer: {
        request: (call) =>
          dialer.request({
            timeoutMs: callMs,
            maxRedirects: 0,
            ...call,
            scope,
            queueing: { timeoutMs: call.timeoutMs ?? queueingMs, signal, yields, atOnce },
          }),
      },
    });
    const facts = { companyId: scope, id, channel, userIdFormat: settings.userIdFormat };
    return { adapter, connected: adapter.connect(facts, provider.fields), host };
  };

  return {
    adapters,
    credentials: createCredentialBreaker({ clock, log }),
    notices: createNotices(),
    exchanges: createTold(),
    isSigned: (headers) => adapters.some(({ signatureHeader }) => headers.has(signatureHeader)),
    isRecordOnly: ({ provider }) => byKind.get(provider.kind)?.isRecordOnly ?? false,
    refusal: ({ provider }, message) => byKind.get(provider.kind)?.refusal(message),
    rateOf,
    of(bot) {
      const adapter = byKind.get(bot.provider.kind);
      if (adapter === undefined) return undefined;
      const channel = known.get(bot) ?? open(bot, adapter);
      known.set(bot, channel);
      return channel;
    },
  };
}

interface DeliveryParts {
  readonly channels: Pick<ChannelRegistry, 'of' | 'credentials'>;
  readonly companies: Pick<Companies, 'template'>;
  /** Keeps what the provider said of a template instead of sending it. */
  readonly noteStatus: (bot: Bot, template: MessageTemplate, status: string) => Promise<unknown>;
}

/**
 * Hands a message to the adapter of the bot's provider, once. An unknown outcome is final where the provider does not
 * deduplicate (P5).
 */
export const createDelivery =
  ({ channels, companies, noteStatus }: DeliveryParts): Deliver<DueMessage, Tried> =>
  async (bot, { messageId, idempotencyKey, recipient, message, executionId }, signal): Promise<Tried> => {
    const { kind } = bot.provider;
    const channel = channels.of(bot);
    if (channel === undefined)
      return asRefused('PROVIDER_UNSUPPORTED', `There is no adapter for providers of kind "${kind}" here: bot "${bot.id}" cannot send`);
    const { adapter, connected, host } = channel;
    if ('unfitFields' in connected) return asRefused('PROVIDER_INCOMPLETE', incomplete(bot, connected.unfitFields));

    const template = templateOf(bot, message, companies);
    // At the last moment: the provider may have stopped it while the message waited.
    if (template !== undefined && isHeld(template)) return asRefused(templateStopped, `Nothing was sent: ${heldReason(template)}`);
    const sender = executionId === undefined ? {} : { isOfWorkflow: true };
    const outbound = { messageId, idempotencyKey, recipient, message, template, ...sender };
    const refusal = channels.credentials.refusal(bot);
    if (refusal !== undefined) return refusal;
    const result = await connected.send(outbound, host(signal, isOfCampaign({ idempotencyKey }))).catch(asUnknown);
    channels.credentials.note(bot, result);
    switch (result.kind) {
      case 'sent':
        return {
          kind: 'sent',
          messageId,
          ...(result.providerMessageId !== undefined && { providerMessageId: result.providerMessageId }),
          ...(result.phone !== undefined && { phone: result.phone }),
        };
      case 'refused':
        if (template === undefined || result.templateStatus === undefined) return result;
        return noteStatus(bot, template, result.templateStatus).then(() => asRefused(templateStopped, result.message), asNotKept);
      case 'later':
        return { ...result, retryAfterMs: result.retryAfterMs };
      case 'unknown':
        if (adapter.takesIdempotencyKey) return result;
        return asRefused('OUTCOME_UNKNOWN', `It is unknown whether the message arrived: ${result.message}`);
    }
  };

const asRefused = (cause: string, message: string): Tried => ({ kind: 'refused', cause, message });

/** The message is tried again, and with it what the provider says of its template. */
const asNotKept = (error: unknown): Tried => ({
  kind: 'later',
  cause: 'PROVIDER_UNAVAILABLE',
  message: `What the provider said of the template could not be kept: ${String(error)}`,
  retryAfterMs: undefined,
});

/** An adapter may have called its provider before it threw. */
const asUnknown = (error: unknown): SendResult => ({
  kind: 'unknown',
  cause: 'ADAPTER_FAILED',
  message: `The adapter failed: ${String(error)}`,
});

const incomplete = ({ id }: Bot, fields: readonly string[]): string =>
  `Bot "${id}" cannot send: its provider needs ${fields.map((field) => `"${field}"`).join(', ')} as the workspace describes them`;

function templateOf(
  { companyId }: Bot,
  { type, templateId }: DueMessage['message'],
  companies: Pick<Companies, 'template'>,
): MessageTemplate | undefined {
  return type === 'template' && typeof templateId === 'string' ? companies.template(companyId, templateId) : undefined;
}
