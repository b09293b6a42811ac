import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { HttpEnv } from '../../platform/http/context.ts';
import { describedBody, said } from '../../platform/http/openapi.ts';
import { invalidRequest } from '../../platform/http/refusal.ts';
import type { Service } from '../../service.ts';
import type { ImportSummary } from './import-workspace.ts';
import { WorkspaceRefused } from './problems.ts';
import { problemsRefused } from '../../platform/http/admin-refusals.ts';
import { bodyRefusals, refusals } from '../../platform/http/admin-responses.ts';
import { Values } from '../../platform/http/admin-schemas.ts';

const tags = ['Workspaces'];

const Summary = z.custom<ImportSummary>().openapi('ImportSummary', {
  type: 'object',
  description: 'How many of each kind the workspace has, how many of them were new or different, and what became of each workflow',
});

const put = createRoute({
  method: 'post',
  path: '/workspace',
  tags,
  summary: 'Brings a workspace of up to 1 GB in, all of it or nothing; twice is the same as once',
  request: { body: describedBody('What a workspace file holds, its canvases inside: it can name no file') },
  responses: { 200: said('What it came to', Summary), ...bodyRefusals },
});

const get = createRoute({
  method: 'get',
  path: '/workspace',
  tags,
  summary: 'All that is configured, as a workspace file has it, without a secret',
  responses: { 200: said('The workspace', Values), ...refusals },
});

/** Workspaces in and out, where the service keeps its companies itself. */
export function workspaceRoutes(app: OpenAPIHono<HttpEnv>, { importWorkspace, exportWorkspace }: Service): void {
  if (importWorkspace === undefined || exportWorkspace === undefined) return;

  app.openapi(put, async (c) => {
    try {
      return c.json(await importWorkspace({ bytes: c.req.raw.body ?? ReadableStream.from([]) }), 200);
    } catch (error) {
      if (!(error instanceof WorkspaceRefused)) throw error;
      const unreadable = error.problems.find(({ code }) => code === 'NOT_JSON');
      throw unreadable === undefined ? problemsRefused(error.problems) : invalidRequest('The body is not valid JSON');
    }
  });

  app.openapi(get, async (c) => c.json(await exportWorkspace(), 200));
}
