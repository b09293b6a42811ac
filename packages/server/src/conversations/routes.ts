// The report of conversations.
import { z } from '@hono/zod-openapi';
import type { Runner } from '@hilo/stores';
import { defineRoute } from '../platform/http/define-route.ts';
import { january } from '../platform/http/example-requests.ts';
import { jsonResponse } from '../platform/http/openapi.ts';
import { countRowsBefore, Pagination, describePage, restErrorResponses } from '../platform/http/rest.ts';
import { onceForEach } from '../platform/once-for-each.ts';
import { Conversation, ConversationQuery, describeConversation, filterNames } from './schema.ts';
import { countMatches, buildFilter, listNames, pageOfConversations, findUserKeys } from './list.ts';
import { keepLinks, longLinksBytes } from './links.ts';
import type { ConversationParts } from './conversations.ts';

const path = '/v1/external/conversations';

/** Longer ranges are answered with a warning (CON-10). */
const advisedMs = 31 * 86_400_000;
const warning = '299 - "The range is longer than 31 days: bounded windows are answered sooner"';

/** The links of pages, kept by service. */
const writerOf = onceForEach((_store: ConversationParts['store']) => keepLinks());

/** `GET /v1/external/conversations` (CON-01 to CON-19). */
export const reportConversations = defineRoute({
  get: path,
  operationId: 'reportConversations',
  tags: ['Conversations'],
  auth: 'basic',
  summary: 'Conversations that began in a range, newest first',
  description: 'For reports of other systems: pages by number, with filters for bot, user, operator and state.',
  query: ConversationQuery,
  answer: {
    ...jsonResponse(
      'A page; it is empty past the last one',
      z.object({
        pagination: Pagination,
        _metadata: z.object({ generatedAt: z.string(), filters: z.record(z.string(), z.string()) }).openapi({ type: 'object' }),
        results: z.array(Conversation),
        links: z.array(z.object({ number: z.int(), url: z.string() })).openapi({ description: 'One for each page, relative' }),
      }),
    ),
    headers: z.object({ warning: z.string().optional().openapi({ description: 'Present for ranges of more than 31 days' }) }),
  },
  refusals: restErrorResponses('There is nothing at this address'),
  example: { query: { ...january, limit: '10' } },
  // The bytes of the answer are made here: a hundred thousand links would be slow to serialise.
  async handle({ c, companyId, query }, { companies, clock, store }: ConversationParts) {
    const botIds = query.botId === undefined ? companies.bots(companyId).map(({ id }) => id) : [query.botId];
    const { rows, total } = await readPage(store.runner, companyId, query, botIds);
    const nowMs = clock.now();
    const company = { id: companyId, name: companies.company(companyId)?.name ?? '' };
    const filters = filterNames.flatMap((name) => (query[name] === undefined ? [] : [[name, c.req.query(name) ?? ''] as const]));
    const pages = describePage(query, total);
    const head = JSON.stringify({
      pagination: pages,
      _metadata: { generatedAt: new Date(nowMs).toISOString(), filters: Object.fromEntries(filters) },
      results: rows.map((row) => describeConversation(row, company, companies, nowMs)),
    });
    if (query.endAt - query.startAt > advisedMs) c.header('warning', warning);
    c.header('content-type', 'application/json');
    const links = writerOf(store)(path, filters, query.limit, pages.totalPages);
    const parts = [Buffer.from(`${head.slice(0, -1)},"links":`), links, Buffer.from('}')];
    return c.body(links.length < longLinksBytes ? Buffer.concat(parts) : ReadableStream.from(parts));
  },
});

async function readPage(runner: Runner, companyId: string, query: ConversationQuery, botIds: readonly string[]) {
  const userKeys = query.userId === undefined ? [] : await findUserKeys(runner, companyId, botIds, query.userId);
  const filter = buildFilter(companyId, query, userKeys);
  const total = await countMatches(runner, filter);
  const { fromMs, toMs, values } = filter;
  const offset = countRowsBefore(query);
  const page = { ...values, companyId, fromMs, toMs, limit: query.limit, offset };
  return { total, rows: offset >= total ? [] : await runner.read(pageOfConversations(listNames(filter))(page)) };
}
