// Reads the record of what operators did: pages of JSON, and all of it as lines for another system.
import { instantMs, JsonObject, parseJsonText } from '@hilo/engine/contract';
import type { ItemOf } from '@hilo/stores';
import { z } from '@hono/zod-openapi';
import { accepts } from 'hono/accepts';
import { createRowCursor, errorResponses, formatInstant, Instant, Page, PageQuery, Values } from '../platform/http/admin.ts';
import { defineRoute } from '../platform/http/define-route.ts';
import { QueryInstant, QueryText } from '../platform/http/query.ts';
import type { Platform } from '../platform/platform.ts';
import type { audit } from '../platform/tables/audit.ts';
import { requireCompany, type Tenancy } from '../tenants/companies.ts';
import { vias } from './audit.ts';
import { type ActFilter, selectActs } from './sql.ts';

const json = 'application/json';
const lines = 'application/x-ndjson';

const cursors = createRowCursor('audit');

/** A row of the record, as management shows it. */
const AuditRecord = z
  .object({
    at: Instant,
    requestId: z.string().openapi({ description: 'The same in the row before the act and in the one after it, and in the log' }),
    companyId: z.string().nullable().openapi({ description: 'Null for what is of no company, or of several' }),
    actor: z
      .string()
      .openapi({ description: 'Who did it: an operator of the host, the admin token or session, or a user of the command line' }),
    via: z.enum(vias).openapi({ description: 'By which door the actor came' }),
    action: z.string().openapi({ description: 'The operationId of the route; reportTemplate for what a provider says of a template' }),
    object: z.object({ kind: z.string(), id: z.string() }).nullable().openapi({ description: 'What it was done to' }),
    before: Values.nullable().openapi({
      type: ['object', 'null'],
      description: 'Facts about the object before the act, such as its hash or revision',
    }),
    after: Values.nullable().openapi({ type: ['object', 'null'], description: 'The same after it' }),
    outcome: z.string().openapi({
      description:
        'asked before the act, the HTTP status after it, reported for what a provider did; an act without a second row may have been done or not',
      example: '200',
    }),
  })
  .openapi('AuditRecord');

const Query = PageQuery.extend({
  actor: QueryText('actor', 500).optional().openapi({ description: 'Whose acts' }),
  action: QueryText('action', 100).optional().openapi({ description: 'Acts of one operation' }),
  object: QueryText('object', 600).optional().openapi({ description: 'What was acted on: its kind and id, or the kind alone' }),
  requestId: QueryText('requestId', 100).optional().openapi({ description: 'The rows of one request' }),
  from: QueryInstant('from').optional().openapi({ description: 'Acts at this instant or later' }),
  to: QueryInstant('to').optional().openapi({ description: 'Acts at this instant or earlier' }),
  cursor: cursors.query,
});

const found = {
  description: 'Rows of the record',
  content: {
    [json]: { schema: Page(AuditRecord) },
    [lines]: { schema: { description: 'One row of results a line' } },
  },
};

/** Reads the record of what operators did. */
export const listAudit = defineRoute({
  get: '/admin/v1/audit',
  operationId: 'listAudit',
  auth: 'operator',
  permission: 'operate',
  tags: ['Audit'],
  summary: 'What operators did, newest first: a row before each act, and one with its status after it',
  description: 'With Accept: application/x-ndjson, all that fit the filter, one a line; limit and cursor are ignored then.',
  query: Query,
  answer: found,
  refusals: errorResponses,
  example: { query: { companyId: '1', actor: 'admin token', limit: '10' } },
  async handle({ c, query: { limit, cursor, companyId, ...query } }, service: Pick<Platform, 'store'> & Tenancy) {
    const filter = readFilter({ ...query, companyId: companyId === undefined ? undefined : requireCompany(service, companyId).id });
    if (accepts(c, { header: 'Accept', supports: [json, lines], default: json }) === lines)
      return c.body(streamLines(service, filter), 200, { 'content-type': `${lines}; charset=utf-8` });
    const { rows, next } = await readPage(service, { ...filter, limit, ...(cursor !== undefined && { below: Number(cursor) }) });
    return { results: rows.map(describeAct), nextCursor: cursors.write(next) };
  },
});

type Query = z.output<typeof Query>;

/** The last instant there is, and more than any row has as its number. */
const unbounded = 8_640_000_000_000_000;

const readFilter = ({ companyId = '', actor = '', action = '', object = '', requestId = '', from, to }: Partial<Query>): ActFilter => {
  const [kind = '', ...id] = object.split(':');
  return {
    companyId,
    actor,
    action,
    objectKind: kind,
    objectId: id.join(':'),
    requestId,
    fromMs: from === undefined ? 0 : (instantMs(from) ?? 0),
    toMs: to === undefined ? unbounded : (instantMs(to) ?? unbounded),
    below: unbounded,
    limit: 0,
  };
};

/** Reads a page. @returns the digits of the last row's number where more follow */
async function readPage({ store: { runner }, companies: { only } }: Pick<Platform, 'store'> & Tenancy, { limit, ...filter }: ActFilter) {
  // What is of no company, or of several, is seen by those alone who have all of them.
  const places = filter.companyId === '' && only !== undefined ? [...only] : [filter.companyId];
  const pages = await runner.readEach(places.map((companyId) => selectActs({ ...filter, companyId, limit: limit + 1 })));
  const found = pages.flat().toSorted((a, b) => b.id - a.id);
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? String(rows.at(-1)?.id) : null };
}

/** Rows that are read at once for an export. */
const linesAtOnce = 500;

/** Every row that fits a filter, one a line: the next ones are read when the receiver has taken those before. */
function streamLines(service: Pick<Platform, 'store'> & Tenancy, filter: ActFilter): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let { below } = filter;
  return new ReadableStream({
    async pull(controller) {
      const { rows, next } = await readPage(service, { ...filter, below, limit: linesAtOnce });
      if (rows.length > 0) controller.enqueue(encoder.encode(rows.map((row) => `${JSON.stringify(describeAct(row))}\n`).join('')));
      if (next === null) controller.close();
      else below = Number(next);
    },
  });
}

const describeAct = (act: ItemOf<typeof audit.columns>): z.output<typeof AuditRecord> => ({
  at: formatInstant(act.atMs),
  requestId: act.requestId,
  companyId: act.companyId === '' ? null : act.companyId,
  actor: act.actor,
  via: vias.find((via) => via === act.via) ?? 'host',
  action: act.action,
  object: act.objectKind === undefined ? null : { kind: act.objectKind, id: act.objectId ?? '' },
  before: readFacts(act.before),
  after: readFacts(act.after),
  outcome: act.outcome,
});

const readFacts = (text: string | undefined) => (text === undefined ? null : JsonObject.parse(parseJsonText(text)));
