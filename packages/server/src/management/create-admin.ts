import { OpenAPIHono } from '@hono/zod-openapi';
import { adminDoor } from '../http/admin-door.ts';
import type { HttpEnv } from '../http/context.ts';
import { envelope, inShape } from '../http/envelope.ts';
import { createLogin } from '../http/login.ts';
import { limitRate } from '../http/rate-limit.ts';
import { boundedText } from '../http/read-body.ts';
import { createTraffic, type Traffic } from '../http/traffic.ts';
import type { Service } from '../service/service.ts';
import { createManagement } from './create-management.ts';

/** Management at `/admin/v1` behind its door, and the login: the admin token, from everybody (P27). */
export function createAdmin(service: Service, traffic: Traffic = createTraffic(service)): OpenAPIHono<HttpEnv> {
  const app = inShape(new OpenAPIHono<HttpEnv>(), service);
  app.route('/', createLogin(service, traffic));
  app.use(
    '/admin/*',
    envelope(service, traffic, 'management'),
    adminDoor(service, traffic.failedLogins),
    limitRate(traffic.rateLimit),
    boundedText(traffic.admission),
  );
  app.route('/admin/v1', createManagement(service));
  return app;
}
