import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { adminDoor } from '../platform/http/auth/admin-auth.ts';
import type { HttpEnv } from '../platform/http/context.ts';
import { Problem, said } from '../platform/http/openapi.ts';
import { envelope, inShape } from '../platform/http/envelope.ts';
import { page } from '../platform/http/page.ts';
import { pageDoor } from '../platform/http/auth/page-auth.ts';
import { unavailable } from '../platform/http/refusal.ts';
import { createTraffic, type Traffic } from '../platform/http/traffic.ts';
import type { Service } from '../service.ts';
import { createStudio } from '../studio/studio.ts';
import { docsOf } from './docs.ts';
import { createReadiness } from './health.ts';
import { collectMetrics } from './metrics.ts';
import { describeInterface, type InterfaceDocument } from './openapi.ts';

const tags = ['Operations'];
const Health = z.object({ status: z.literal('ok') }).openapi('Health');

const unauthorized = { 401: said('No admin token, or not this one', Problem) };

const live = createRoute({
  method: 'get',
  path: '/health/live',
  tags,
  summary: 'Whether the process lives',
  responses: { 200: said('It does', Health) },
});
const ready = createRoute({
  method: 'get',
  path: '/health/ready',
  tags,
  summary: 'Whether requests should be sent here: the store writes, and the service is not stopping',
  responses: {
    200: said('They should', Health),
    503: said('They should not', Problem),
  },
});
const metrics = createRoute({
  method: 'get',
  path: '/metrics',
  tags,
  summary: 'Metrics for Prometheus',
  responses: { 200: { description: 'In its text format', content: { 'text/plain': { schema: z.string() } } }, ...unauthorized },
});
const openapi = createRoute({
  method: 'get',
  path: '/openapi.json',
  tags,
  summary: 'This description',
  responses: { 200: said('OpenAPI 3.1', z.looseObject({})), ...unauthorized },
});

/**
 * What operators look at. `/health/*` is open; the rest is as management (P27).
 *
 * @param describe - the description of every surface; of this one alone, when left out
 */
export function createOperations(
  service: Service,
  traffic: Traffic = createTraffic(service),
  describe?: () => InterfaceDocument,
): OpenAPIHono<HttpEnv> {
  const app = inShape(new OpenAPIHono<HttpEnv>(), service);
  const around = envelope(service, traffic, 'operations');
  const [door, doorOfPages] = [adminDoor(service, traffic.failedLogins), pageDoor(service, traffic.failedLogins)];
  const unready = createReadiness(service);
  collectMetrics(service, traffic.metrics);
  for (const path of ['/health/*', '/metrics', '/openapi.json', '/docs', '/studio/*']) app.use(path, around);
  for (const path of ['/metrics', '/openapi.json']) app.use(path, door);
  for (const path of ['/docs', '/studio/*']) app.use(path, doorOfPages);

  app.openapi(live, (c) => c.json({ status: 'ok' as const }, 200));
  app.openapi(ready, async (c) => {
    const reason = await unready();
    if (reason !== undefined) throw unavailable(reason);
    return c.json({ status: 'ok' as const }, 200);
  });
  app.openapi(metrics, async (c) => c.text(await traffic.metrics.metrics(), 200, { 'content-type': traffic.metrics.contentType }));
  const document = describe ?? (() => describeInterface(app));
  app.openAPIRegistry.registerPath(openapi);
  app.get(openapi.path, (c) => c.json(document()));
  app.get('/docs', (c) => page(c, 200, 'Interface', { content: docsOf(document()) }));
  app.route('/', createStudio(service));
  return app;
}
