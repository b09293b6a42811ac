import type { ChannelTemplate } from '@hilo/drivers';
import type { Deliver, DueMessage, Tried } from '../messages/delivery.ts';
import type { Bot, Companies } from '../tenants/companies.ts';
import type { ChannelRegistry } from './registry.ts';

interface DeliveryParts {
  readonly channels: Pick<ChannelRegistry, 'of'>;
  readonly companies: Pick<Companies, 'template'>;
}

/**
 * Hands a message to the adapter of the bot's provider, once. An outcome that nobody knows is final where the provider cannot
 * tell a second attempt from a second message (P5).
 */
export const createDelivery =
  ({ channels, companies }: DeliveryParts): Deliver<DueMessage, Tried> =>
  async (bot, { messageId, idempotencyKey, recipient, message }, signal): Promise<Tried> => {
    const { kind } = bot.provider;
    const channel = channels.of(bot);
    if (channel === undefined)
      return refused('PROVIDER_UNSUPPORTED', `There is no adapter for providers of kind "${kind}" here: bot "${bot.id}" cannot send`);
    const { adapter, connected, host } = channel;
    if ('unfitFields' in connected) return refused('PROVIDER_INCOMPLETE', incomplete(bot, connected.unfitFields));

    const outbound = { messageId, idempotencyKey, recipient, message, template: templateOf(bot, message, companies) };
    const result = await connected.send(outbound, host(signal));
    switch (result.kind) {
      case 'sent':
        return { kind: 'sent', messageId };
      case 'refused':
        return result;
      case 'later':
        return { ...result, retryAfterMs: result.retryAfterMs };
      case 'unknown':
        if (adapter.takesIdempotencyKey) throw new Error(`${result.cause}: ${result.message}`);
        return refused('OUTCOME_UNKNOWN', `Nobody knows whether the message arrived: ${result.message}`);
    }
  };

const refused = (cause: string, message: string): Tried => ({ kind: 'refused', cause, message });

const incomplete = ({ id }: Bot, fields: readonly string[]): string =>
  `Bot "${id}" cannot send: its provider needs ${fields.map((field) => `"${field}"`).join(', ')} as the workspace describes them`;

function templateOf(
  { companyId }: Bot,
  { type, templateId }: DueMessage['message'],
  companies: Pick<Companies, 'template'>,
): ChannelTemplate | undefined {
  return type === 'template' && typeof templateId === 'string' ? companies.template(companyId, templateId) : undefined;
}
