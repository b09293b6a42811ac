import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { except } from 'hono/combine';
import { adminDoor } from './platform/http/auth/admin-auth.ts';
import type { HttpEnv } from './platform/http/context.ts';
import { envelope, inShape } from './platform/http/envelope.ts';
import { createLogin } from './platform/http/auth/login.ts';
import { limitRate } from './platform/http/rate-limit.ts';
import { boundedText, streamedBody } from './platform/http/read-body.ts';
import { createTraffic, type Traffic } from './platform/http/traffic.ts';
import type { Service } from './service.ts';
import { createManagement } from './create-management.ts';

/** Some millions of users. */
const mostWorkspaceBytes = 1_000_000_000;

const isWorkspace = (c: Context): boolean => c.req.path.endsWith('/admin/v1/workspace');

/** Management at `/admin/v1` behind its door, and the login: the admin token, from everybody (P27). */
export function createAdmin(service: Service, traffic: Traffic = createTraffic(service)): OpenAPIHono<HttpEnv> {
  const app = inShape(new OpenAPIHono<HttpEnv>(), service);
  app.route('/', createLogin(service, traffic));
  app.use(
    '/admin/*',
    envelope(service, traffic, 'management'),
    adminDoor(service, traffic.failedLogins),
    limitRate(traffic.rateLimit),
    except(isWorkspace, boundedText(traffic.admission)),
  );
  app.use('/admin/v1/workspace', streamedBody(traffic.admission, mostWorkspaceBytes));
  app.route('/admin/v1', createManagement(service));
  return app;
}
