import { Channel } from '@hilo/engine/contract';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import { apiKeyDoor } from '../platform/http/auth/api-key-auth.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { envelope, inShape } from '../platform/http/envelope.ts';
import { limitRate } from '../platform/http/rate-limit.ts';
import { readBody } from '../platform/http/read-body.ts';
import { notFound } from '../platform/http/refusal.ts';
import { hostOf } from '../platform/http/socket-address.ts';
import { createTraffic, type Traffic } from '../platform/http/traffic.ts';
import type { Bot } from '../tenants/companies.ts';
import type { Service } from '../service.ts';
import type { GatewayAnswer, GatewayCall } from './call.ts';
import { type Target, targetOf } from './find-webhook.ts';
import { handleWebhook } from './handle-webhook.ts';
import { createLegacyIndex } from './legacy-index.ts';
import { describeRoutes } from './describe-routes.ts';
import { signalPath, takeSignal } from './signals.ts';

const base = '/workflows/v2/webhooks/skill/:workflowId/:channel';

/**
 * The gateway as a handler of the framework, for the service's own app and to be mounted in a host's. The gateway for customers' systems: production and test routes of every webhook (WEB-01, WEB-02), the earlier host's (WEB-05), and
 * signals.
 *
 * @example
 * const gateway = createGateway(service);
 * const answer = await gateway.fetch(request);
 */
export function createGateway(service: Service, traffic: Traffic = createTraffic(service)): OpenAPIHono<HttpEnv> {
  const app = inShape(new OpenAPIHono<HttpEnv>(), service);
  describeRoutes(app.openAPIRegistry);
  const guards = [apiKeyDoor(service), limitRate(traffic.rateLimit)];
  const take = (route: Target['route']) => async (c: Context<HttpEnv>) => {
    const { workflowId = '', channel = '', nodeId = '' } = c.req.param();
    const target = targetOf(service, c.get('companyId'), { route, channel, workflowId, nodeId });
    return responseOf(await handleWebhook(service, traffic, callOf(c), target));
  };
  app.use('/workflows/*', envelope(service, traffic, 'gateway'), ...guards);
  app.all(`${base}/:nodeId`, take('production'));
  app.all(`${base}/test/:nodeId`, take('test'));
  app.post(signalPath, async (c) => {
    const about = { companyId: c.get('companyId'), name: c.req.param('name') ?? '' };
    return responseOf(await takeSignal(service, traffic, callOf(c), about));
  });

  const legacy = createLegacyIndex(service);
  const onLegacyHost = onHosts(service.settings.legacyHosts);
  const takeLegacy = async (c: Context<HttpEnv>) => {
    const target = await legacyTarget(c, service, legacy);
    return responseOf(await handleWebhook(service, traffic, callOf(c), target));
  };
  for (const handler of [envelope(service, traffic, 'legacy'), ...guards, takeLegacy])
    app.all('/v1/webhook/:webhookId', onLegacyHost(handler));
  return app;
}

/** A call as the framework has it. */
function callOf(c: Context<HttpEnv>): GatewayCall {
  const { raw } = c.req;
  const headers: { [name: string]: string } = {};
  raw.headers.forEach((value, name) => {
    headers[name] = value;
  });
  const query = new URLSearchParams(/\?[^#]*/.exec(raw.url)?.[0] ?? '');
  return { method: c.req.method, headers, query, readBody: (entry) => readBody(c, entry) };
}

const responseOf = ({ status, headers, text }: GatewayAnswer): Response => new Response(text, { status, headers });

async function legacyTarget(c: Context<HttpEnv>, service: Service, legacy: ReturnType<typeof createLegacyIndex>): Promise<Target> {
  const companyId = c.get('companyId');
  const webhookId = c.req.param('webhookId') ?? '';
  const webhook = await legacy.find(companyId, webhookId);
  if (webhook === undefined) throw notFound('NODE_NOT_FOUND', `There is no webhook "${webhookId}"`);
  const bot = legacyBot(service, companyId, c.req.query('channel'));
  if (bot === undefined) throw notFound('BOT_NOT_FOUND', 'No bot is connected that this webhook could talk through');
  return { companyId, bot, route: 'production', ...webhook };
}

/** The earlier address names no channel: the query may; else it is WhatsApp's bot where there is one, else the one connected last. */
function legacyBot({ companies }: Service, companyId: string, asked: string | undefined): Bot | undefined {
  const { data: channel } = Channel.safeParse(asked ?? 'whatsapp');
  const bot = channel === undefined ? undefined : companies.botOfChannel(companyId, channel);
  if (bot !== undefined || asked !== undefined) return bot;
  return [...companies.bots(companyId)].sort((a, b) => b.connectedAtMs - a.connectedAtMs || (a.id < b.id ? 1 : -1))[0];
}

/** Serves only these hosts, with or without their port; every one, when none are listed. Others are as if there were no such route. */
const onHosts =
  (hosts: readonly string[] | undefined) =>
  (handler: MiddlewareHandler<HttpEnv>): MiddlewareHandler<HttpEnv> =>
  (c, next) => {
    const header = c.req.header('host')?.toLowerCase();
    const isServed = hosts === undefined || hosts.some((host) => host.toLowerCase() === header || host.toLowerCase() === hostOf(header));
    return isServed ? handler(c, next) : next();
  };
