import { OpenAPIHono } from '@hono/zod-openapi';
import { basicDoor } from '../http/basic-door.ts';
import type { HttpEnv } from '../http/context.ts';
import { envelope, inShape } from '../http/envelope.ts';
import { limitRate } from '../http/rate-limit.ts';
import { createTraffic, type Traffic } from '../http/traffic.ts';
import type { Service } from '../service/service.ts';
import { createCampaigns } from './campaigns/create-campaigns.ts';
import { createConversations } from './conversations/create-conversations.ts';
import { createMessages } from './messages/create-messages.ts';
import { createRooms } from './rooms/create-rooms.ts';
import { createStatistics } from './statistics/create-statistics.ts';
import { createTags } from './tags/create-tags.ts';
import { createTemplates } from './templates/create-templates.ts';

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
