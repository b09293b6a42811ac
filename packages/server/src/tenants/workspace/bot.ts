import type { ChannelAdapter } from '@hilo/drivers';
import { Channel, JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';
import { Id, Instant, Name, optional } from './fields.ts';

/** How a bot reaches its users, as a workspace says it. */
interface GivenProvider {
  readonly kind: string;
  /** Without those that are secrets. */
  readonly fields: JsonObject;
  /** By field. One that is left out stays the one that is kept. */
  readonly secrets: { readonly [field: string]: string };
}

/** What is left out of a bot's settings is as UID-05, WIN-02 and WIN-03 have it. */
const Settings = z.strictObject({
  userIdFormat: z.enum(['strict', 'open']).exactOptional(),
  enforceSessionWindow: z.boolean().exactOptional(),
  templateReopensWindow: z.enum(['onSend', 'onReply']).exactOptional(),
});

/** A bot: one channel of a company. Its `provider` is of a kind that there is an adapter for. */
export function botSchema(adapters: readonly ChannelAdapter[]) {
  const byKind = new Map(adapters.map((adapter) => [adapter.kind, adapter]));
  const Provider = z.discriminatedUnion('kind', adapters.map(providerSchema) as [z.ZodObject, ...z.ZodObject[]]);
  return z
    .strictObject({ id: Id, name: Name, channel: Channel, connectedAt: Instant, provider: Provider, settings: Settings.default({}) })
    .transform(({ provider, ...bot }, context) => {
      const kind = String(provider['kind']);
      const { channels = [], secrets = [] } = byKind.get(kind) ?? {};
      if (!channels.includes(bot.channel))
        context.addIssue({
          code: 'custom',
          path: ['channel'],
          message: `A provider of kind "${kind}" serves the channel ${channels.join(' or ')}, not ${bot.channel}`,
        });
      const { kind: _kind, ...given } = provider;
      const isSecret = (field: string): boolean => secrets.includes(field);
      const fields = JsonObject.safeParse(
        Object.fromEntries(Object.entries(given).filter(([field, value]) => !isSecret(field) && value !== undefined)),
      );
      if (!fields.success)
        context.addIssue({ code: 'custom', path: ['provider'], message: `The adapter of "${kind}" makes of its fields what is no JSON` });
      return { ...bot, provider: { kind, fields: fields.data ?? {}, secrets: textsOf(given, isSecret) } satisfies GivenProvider };
    });
}

/** What an adapter wants of a workspace: a secret may be left out where it is kept already. */
function providerSchema({ kind, config, secrets }: ChannelAdapter): z.ZodObject {
  const shape: { readonly [field: string]: z.ZodType } = config.shape;
  const leftOut = Object.entries(shape).flatMap(([field, schema]) => (secrets.includes(field) ? [[field, optional(schema)]] : []));
  return config.extend({ ...Object.fromEntries(leftOut), kind: z.literal(kind) });
}

const textsOf = (given: { readonly [field: string]: unknown }, isOne: (field: string) => boolean): { readonly [field: string]: string } =>
  Object.fromEntries(
    Object.entries(given).flatMap(([field, value]) => (isOne(field) && typeof value === 'string' ? [[field, value]] : [])),
  );
