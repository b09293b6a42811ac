import { OpenAPIHono } from '@hono/zod-openapi';
import type { HttpEnv } from '../platform/http/context.ts';
import type { Traffic } from '../platform/http/traffic.ts';
import type { Service } from '../service.ts';
import { templateRoute } from './template-route.ts';

/** Sending a template inside a campaign (TPL-01 to TPL-11). */
export function createTemplates(service: Service, traffic: Pick<Traffic, 'admission'>): OpenAPIHono<HttpEnv> {
  const app = new OpenAPIHono<HttpEnv>();
  templateRoute(app, service, traffic);
  return app;
}
