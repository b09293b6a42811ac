import { Hono } from 'hono';
import { z } from 'zod';
import type { HttpEnv } from './platform/http/context.ts';
import { envelope, withErrorHandler } from './platform/http/envelope.ts';
import { boundedText } from './platform/http/read-body.ts';
import { createTraffic } from './platform/http/traffic.ts';
import { createManagement } from './app.ts';
import { problemsRefused } from './platform/http/admin.ts';
import type { RunningService } from './open-service.ts';
import { storeName } from './platform/database/open-store.ts';
import { WorkspaceRefused } from './tenants/workspace/problems.ts';

/** Which store a service has: a command reaches only one that has the store it was given. */
export const ServedStore = z.object({ store: z.string() });

/** A workspace file on this machine: it may be larger than a body, and names other files. */
export const WorkspaceFile = z.object({ file: z.string() });
export type WorkspaceFile = z.output<typeof WorkspaceFile>;

/**
 * Management for commands of this machine. It asks nobody for a token: whoever can connect to the socket can read the token's
 * file too.
 */
export function createLocalManagement(service: RunningService): Hono<HttpEnv> {
  const traffic = createTraffic(service);
  const app = withErrorHandler(new Hono<HttpEnv>(), service);
  app.use(envelope(service, traffic, 'management'), boundedText(traffic.admission));
  app.get('/store', (c) => c.json({ store: storeName(service.settings) } satisfies z.output<typeof ServedStore>));
  app.post('/import', async (c) => {
    const { file } = WorkspaceFile.parse(await c.req.json());
    try {
      return c.json(await service.importWorkspace(file));
    } catch (error) {
      throw error instanceof WorkspaceRefused ? problemsRefused(error.problems) : error;
    }
  });
  return app.route('/admin/v1', createManagement(service));
}
