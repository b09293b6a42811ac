import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { HttpEnv } from '../../platform/http/context.ts';
import { jsonBody, jsonResponse } from '../../platform/http/openapi.ts';
import { invalidRequest } from '../../platform/http/errors.ts';
import type { ImportProgress, ImportSummary } from './import-workspace.ts';
import { WorkspaceRefused } from './problems.ts';
import { bodyErrorResponses, problemsRefused, errorResponses, Values } from '../../platform/http/admin.ts';
import type { WorkspaceSource } from './source.ts';
import type { JsonObject } from '@hilo/engine/contract';

/** Workspaces in and out; left out where the host keeps the companies. */
export interface WorkspaceTransfer {
  /** Brings in a workspace, all of it or nothing. @throws {WorkspaceRefused} */
  readonly importWorkspace?: (source: WorkspaceSource, onProgress?: (progress: ImportProgress) => void) => Promise<ImportSummary>;
  /** All that is configured, without a secret. */
  readonly exportWorkspace?: () => Promise<JsonObject>;
}

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
  request: { body: jsonBody('What a workspace file holds, its canvases inside: it can name no file') },
  responses: { 200: jsonResponse('What it came to', Summary), ...bodyErrorResponses },
});

const get = createRoute({
  method: 'get',
  path: '/workspace',
  tags,
  summary: 'All that is configured, as a workspace file has it, without a secret',
  responses: { 200: jsonResponse('The workspace', Values), ...errorResponses },
});

/** The routes of it, where the service keeps its companies itself. */
export function workspaceRoutes(app: OpenAPIHono<HttpEnv>, { importWorkspace, exportWorkspace }: WorkspaceTransfer): void {
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
