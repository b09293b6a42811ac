import { OpenAPIHono } from '@hono/zod-openapi';
import { basicDoor } from './platform/http/auth/basic-auth.ts';
import type { HttpEnv } from './platform/http/context.ts';
import { envelope, inShape } from './platform/http/envelope.ts';
import { limitRate } from './platform/http/rate-limit.ts';
import { createTraffic, type Traffic } from './platform/http/traffic.ts';
import type { Service } from './service.ts';
import { createCampaigns } from './campaigns/routes.ts';
import { createConversations } from './conversations/routes.ts';
import { createMessages } from './messages/routes.ts';
import { createRooms } from './contacts/routes.ts';
import { createStatistics } from './statistics/routes.ts';
import { createTags } from './tags/routes.ts';
import { createTemplates } from './templates/routes.ts';

/**
 * The REST API of the specification, `/v1/…`, behind Basic authentication (GEN-04, AUT-01). Each resource is an app of its
 * own; what they share is the door, the shapes of errors (ERR-01 to ERR-08) and the limits of a request (P33).
 *
 * @example
 * const rest = createRest(service);
 * const answer = await rest.request('/v1/campaigns', { headers: { authorization: `Basic ${btoa('id:secret')}` } });
 */
export function createRest(service: Service, traffic: Traffic = createTraffic(service)): OpenAPIHono<HttpEnv> {
  const app = inShape(new OpenAPIHono<HttpEnv>(), service);
  app.openAPIRegistry.registerComponent('securitySchemes', 'basic', { type: 'http', scheme: 'basic' });
  app.use('/v1/*', envelope(service, traffic, 'rest'), basicDoor(service, traffic.failedLogins), limitRate(traffic.rateLimit));
  app.route('/', createMessages(service, traffic));
  app.route('/', createTemplates(service, traffic));
  app.route('/', createCampaigns(service, traffic));
  app.route('/', createTags(service));
  app.route('/', createRooms(service, traffic));
  app.route('/', createStatistics(service));
  app.route('/', createConversations(service));
  return app;
}
