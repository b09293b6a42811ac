// Management of bots at their providers: the check of a connection, and the key of forms.
import { z } from '@hono/zod-openapi';
import { noteAct } from '../platform/http/acts.ts';
import { bodyErrorResponses, CompanyQuery, errorResponses, parseBody } from '../platform/http/admin.ts';
import { defineRoute } from '../platform/http/define-route.ts';
import { HttpError } from '../platform/http/errors.ts';
import { closedBody, ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { requireBotById } from '../tenants/companies.ts';
import type { CompanyRecords } from '../tenants/workspace/records.ts';
import type { ChannelParts } from './channels.ts';
import { explainSharedApp } from './shared-app.ts';

const Check = z
  .object({
    botId: z.string(),
    kind: z.string().openapi({ description: 'Of its provider' }),
    isWorking: z.boolean().nullable().openapi({ description: 'Null where the provider has nothing to read' }),
    message: z.string().openapi({ description: 'The name of the bot at the provider, or what is wrong and where to look' }),
  })
  .openapi('ChannelCheck');

const OfBot = z.object({
  companyId: CompanyQuery.shape.companyId.openapi({ description: 'Optional: the id of a bot is unique among all companies' }),
});

const FlowKey = z
  .object({
    fingerprint: z.string().openapi({ description: 'Of the public key: SHA-256, in hex' }),
    publicKey: z.string().openapi({ description: 'In PEM' }),
    isRegistered: z.boolean().openapi({ description: 'Whether the provider has this key' }),
    status: z.string().openapi({ description: "The provider's word: VALID, MISMATCH; or why it has none" }),
  })
  .openapi('FlowKey');

const FlowKeyRequest = z.strictObject({ rotate: z.boolean().default(false) });

/** Makes the key of a bot's forms, and registers it. */
export const makeFlowKey = defineRoute({
  post: '/admin/v1/bots/{botId}/flow-key',
  operationId: 'makeFlowKey',
  auth: 'operator',
  permission: 'operate',
  tags: ['Channels'],
  summary: "Makes the key that a bot's forms are sealed for, and registers it at the provider",
  description: 'The private key is kept encrypted and never shown. After a rotation the key before is tried for 7 days.',
  params: z.object({ botId: z.string() }),
  query: OfBot,
  body: closedBody('May be left out', { type: 'object', properties: { rotate: { type: 'boolean', description: 'Makes another key' } } }),
  answer: jsonResponse('The public key, and what the provider says of it', FlowKey),
  refusals: { ...bodyErrorResponses, 409: jsonResponse('The provider of the bot has no forms with a key, or lacks fields', ErrorBody) },
  example: { path: { botId: 'bot_wa' }, query: { companyId: '1' }, body: {} },
  async handle({ c, params: { botId }, query: { companyId } }, service: KeyParts) {
    const { companies, channels, records } = service;
    const { rotate } = parseBody(FlowKeyRequest, await c.req.text());
    // Another process may have made a key a moment ago: a second one would take its place at the provider.
    await companies.refresh();
    const bot = requireBotById({ companies }, botId, companyId);
    const { connected, host } = channels.of(bot) ?? {};
    if (host === undefined || connected === undefined || 'unfitFields' in connected || connected.exchange === undefined)
      throw new HttpError(
        409,
        'PROVIDER_UNSUPPORTED',
        `The provider of bot "${botId}" has no forms with a key, or lacks fields: see hilo channels check`,
      );
    const { exchange } = connected;
    const { secret, fingerprint, publicKey } = await exchange.makeKey({ rotate }, host());
    noteAct(c, { companyId: bot.companyId, after: { fingerprint } });
    // Kept before the provider knows it: what is sealed with it from then on can be opened.
    await records.keepSecret(bot, 'flowKey', secret);
    const state = await exchange.register(publicKey, host()).catch((error: unknown) => ({
      isRegistered: false,
      status: `NOT REACHED ${error instanceof Error ? error.message : ''}`.trim(),
    }));
    return { fingerprint, publicKey, ...state };
  },
});

type KeyParts = Pick<ChannelParts, 'companies' | 'channels'> & { readonly records: CompanyRecords };

/** Checks whether a bot's provider accepts its credentials. */
export const checkBot = defineRoute({
  post: '/admin/v1/bots/{botId}/check',
  operationId: 'checkBot',
  auth: 'operator',
  permission: 'operate',
  tags: ['Channels'],
  summary: "Makes the cheapest read of a bot's provider with its credentials; sends no message",
  description: 'Tells an expired token or a wrong id before a user notices it.',
  params: z.object({ botId: z.string() }),
  query: OfBot,
  answer: jsonResponse('The result of the check', Check),
  refusals: errorResponses,
  example: { path: { botId: 'bot_wa' }, query: { companyId: '1' } },
  async handle({ params: { botId }, query: { companyId } }, { companies, channels }: Pick<ChannelParts, 'companies' | 'channels'>) {
    const bot = requireBotById({ companies }, botId, companyId);
    const { kind } = bot.provider;
    const answer = (isWorking: boolean | null, message: string) => ({ botId, kind, isWorking, message });
    const channel = channels.of(bot);
    if (channel === undefined) return answer(false, `There is no adapter for providers of kind "${kind}" here`);
    const { connected, host } = channel;
    if ('unfitFields' in connected)
      return answer(false, `The workspace lacks fields of this provider, or has them wrong: ${connected.unfitFields.join(', ')}`);
    if (connected.check === undefined) return answer(null, `A provider of kind "${kind}" has nothing to read: send a message to see`);
    const { isWorking, message } = await connected.check(host());
    const shared = explainSharedApp({ companies, channels }, bot);
    return answer(isWorking, shared === undefined ? message : `${message}. ${shared}`);
  },
});
