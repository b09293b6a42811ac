import { z } from '@hono/zod-openapi';
import { defineRoute } from '../platform/http/define-route.ts';
import { jsonResponse } from '../platform/http/openapi.ts';
import { restErrorResponses, Succeeded, succeeded } from '../platform/http/rest.ts';
import type { Platform } from '../platform/platform.ts';
import { tags } from '../platform/tables/tags.ts';
import { matchesFilter, Tag, TagFilter, describeTag } from './tags.ts';

/** The catalogue of a company's tags (TAG-01). */
export const listTags = defineRoute({
  get: '/v1/company/{companyId}/tags',
  operationId: 'listTags',
  tags: ['Tags'],
  auth: 'basic',
  summary: 'The tags of the company, by their ids',
  description: 'A tag is listed where it matches all filters that are given.',
  params: z.object({ companyId: z.string() }),
  query: TagFilter,
  answer: jsonResponse('The tags that match all filters', Succeeded.extend({ data: z.array(Tag) })),
  refusals: restErrorResponses('No such company'),
  example: { path: { companyId: '1' } },
  async handle({ companyId, query }, { store }: Pick<Platform, 'store'>) {
    const all = await store.runner.read(tags.all(companyId));
    return { ...succeeded(), data: all.map(describeTag).filter((tag) => matchesFilter(tag, query)) };
  },
});
