import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context, Next } from 'hono';
import type { HttpEnv } from '../platform/http/context.ts';
import { jsonResponse } from '../platform/http/openapi.ts';
import { companyNotFound } from '../platform/http/admin.ts';
import { collections } from '../platform/database/collections.ts';
import { createResource, restErrorResponses, Succeeded, succeeded } from '../platform/http/rest.ts';
import { matchesFilter, Tag, TagFilter, describeTag } from './tags.ts';
import type { Platform } from '../platform/platform.ts';

/** What these routes work with. */
export type TagParts = Pick<Platform, 'store' | 'log'>;

const catalogue = createRoute({
  method: 'get',
  path: '/v1/company/{companyId}/tags',
  operationId: 'listTags',
  tags: ['Tags'],
  security: [{ basic: [] }],
  summary: 'The tags of the company, by their ids',
  description: 'A tag is listed where it matches all filters that are given.',
  // Whose company it is comes before the rest of the query is judged (GEN-09); another's is unknown (GEN-08).
  middleware: (c: Context<HttpEnv>, next: Next) => {
    const companyId = c.req.param('companyId') ?? '';
    if (companyId !== c.get('companyId')) throw companyNotFound(companyId);
    return next();
  },
  request: { params: z.object({ companyId: z.string() }), query: TagFilter },
  responses: {
    200: jsonResponse('The tags that match all filters', Succeeded.extend({ data: z.array(Tag) })),
    ...restErrorResponses('No such company'),
  },
});

/** The catalogue of a company's tags (TAG-01). */
export function createTags(service: TagParts): OpenAPIHono<HttpEnv> {
  const app = createResource(service);
  app.openapi(catalogue, async (c) => {
    const filter = c.req.valid('query');
    const rows = await service.store.runner.read(collections.tags.rows(c.get('companyId')));
    return c.json({ ...succeeded(), data: rows.map(describeTag).filter((tag) => matchesFilter(tag, filter)) }, 200);
  });
  return app;
}
