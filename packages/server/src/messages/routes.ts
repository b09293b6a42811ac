import { OpenAPIHono } from '@hono/zod-openapi';
import type { HttpEnv } from '../platform/http/context.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import type { Service } from '../service.ts';
import { sendRoute } from './send-route.ts';
import { statusRoute } from './status-route.ts';

/** Sending a message, and what became of it (MSG-01 to MSG-43). */
export function createMessages(service: Service, traffic: Pick<Traffic, 'admission'>): OpenAPIHono<HttpEnv> {
  const app = new OpenAPIHono<HttpEnv>();
  sendRoute(app, service, traffic);
  statusRoute(app, service);
  return app;
}
