import { OpenAPIHono } from '@hono/zod-openapi';
import { createChannels } from './channels/routes.ts';
import { createGateway } from './webhooks/routes.ts';
import { createFunctionSurface } from './functions/routes.ts';
import type { HttpEnv } from './platform/http/context.ts';
import { envelope, inShape } from './platform/http/envelope.ts';
import { createTraffic, type Traffic } from './platform/http/traffic.ts';
import { createAdmin } from './create-admin.ts';
import { createPaymentSurface } from './payments/routes.ts';
import { createOperations } from './operations/routes.ts';
import { describeInterface } from './operations/openapi.ts';
import { createRest } from './create-rest.ts';
import type { Service } from './service.ts';

/**
 * Every surface in one app. `app.routes` is the list of all there is; whatever has a credential asks for it before anything
 * else (P27), and what is not there answers in shape: a method that no route has is not there either, but for webhooks (GEN-06).
 *
 * @example
 * const service = await openService(settings);
 * const response = await createApp(service).fetch(request);
 */
export function createApp(service: Service, traffic: Traffic = createTraffic(service)): OpenAPIHono<HttpEnv> {
  const app = inShape(new OpenAPIHono<HttpEnv>(), service);
  app.use(envelope(service, traffic, 'unknown'));

  app.route('/', createGateway(service, traffic));
  app.route('/', createChannels(service, traffic));
  const { functions, payments } = service;
  if (functions !== undefined) app.route('/', createFunctionSurface({ ...service, functions }, traffic));
  if (payments !== undefined) app.route('/', createPaymentSurface({ ...service, payments }, traffic));
  app.route('/', createAdmin(service, traffic));
  app.route(
    '/',
    createOperations(service, traffic, () => describeInterface(app)),
  );
  // The REST API: the earlier host's webhooks above are the only paths below /v1 with another credential.
  app.route('/', createRest(service, traffic));
  return app;
}
