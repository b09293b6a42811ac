import { Channel } from '@hilo/engine/contract';
import { z } from 'zod';
import { Id, Instant, Name, optional, Secret, Text } from './fields.ts';

const Url = optional(z.url({ protocol: /^https?$/, error: 'It must be an http or https address' }));
const field = Text.min(1).max(2_048);
const apiVersion = z
  .string()
  .regex(/^v\d+\.\d+$/, 'A version looks like v23.0')
  .default('v23.0');
const meta = { pageId: field, accessToken: Secret, appSecret: Secret, verifyToken: Secret, apiVersion, baseUrl: Url };

/** How a bot reaches its users; the fields of each kind are those of DESIGN.md, "Provider fields of a bot". */
const Provider = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('log'), appSecret: Secret }),
  z.strictObject({
    kind: z.literal('custom'),
    url: z.url({ protocol: /^https?$/, error: 'It must be an http or https address' }),
    appSecret: Secret,
  }),
  z.strictObject({
    kind: z.literal('whatsapp-cloud'),
    phoneNumberId: field,
    accessToken: Secret,
    appSecret: Secret,
    verifyToken: Secret,
    apiVersion,
    baseUrl: Url,
  }),
  z.strictObject({ kind: z.literal('messenger'), ...meta }),
  z.strictObject({ kind: z.literal('instagram'), ...meta }),
  z.strictObject({ kind: z.literal('slack'), botToken: Secret, signingSecret: Secret, baseUrl: Url }),
  z.strictObject({
    kind: z.literal('teams'),
    appId: field,
    appPassword: Secret,
    tenantId: optional(field),
    tokenUrl: Url,
    keysUrl: Url,
    baseUrl: Url,
  }),
  z.strictObject({
    kind: z.literal('x'),
    consumerKey: Secret,
    consumerSecret: Secret,
    accessToken: Secret,
    baseUrl: Url,
  }),
]);
type Provider = z.output<typeof Provider>;

/** Fields of providers that are secrets, whatever the kind. */
export const providerSecrets: ReadonlySet<string> = new Set([
  'accessToken',
  'appSecret',
  'verifyToken',
  'botToken',
  'signingSecret',
  'appPassword',
  'consumerKey',
  'consumerSecret',
]);

/** The channels of each kind; a kind without a line serves any. */
const channelsOf: { readonly [Kind in Provider['kind']]?: readonly Channel[] } = {
  custom: ['custom', 'web'],
  'whatsapp-cloud': ['whatsapp'],
  messenger: ['facebook'],
  instagram: ['instagram'],
  slack: ['slack'],
  teams: ['teams'],
  x: ['twitter'],
};

/** What is left out of a bot's settings is as UID-05, WIN-02 and WIN-03 have it. */
const Settings = z.strictObject({
  userIdFormat: z.enum(['strict', 'open']).exactOptional(),
  enforceSessionWindow: z.boolean().exactOptional(),
  templateReopensWindow: z.enum(['onSend', 'onReply']).exactOptional(),
});

/** A bot: one channel of a company. */
export const Bot = z
  .strictObject({ id: Id, name: Name, channel: Channel, connectedAt: Instant, provider: Provider, settings: Settings.default({}) })
  .superRefine(({ channel, provider: { kind } }, context) => {
    const served = channelsOf[kind];
    if (served !== undefined && !served.includes(channel))
      context.addIssue({
        code: 'custom',
        path: ['channel'],
        message: `A provider of kind "${kind}" serves the channel ${served.join(' or ')}, not ${channel}`,
      });
  });
