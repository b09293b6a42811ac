// The route by which contacts are brought in from a CSV.
import { z } from '@hono/zod-openapi';
import { noteAct } from '../platform/http/acts.ts';
import { bodyErrorResponses } from '../platform/http/admin.ts';
import { defineRoute } from '../platform/http/define-route.ts';
import { answerInLines } from '../platform/http/lines.ts';
import { QueryChoice, QueryText } from '../platform/http/query.ts';
import { requireCompany } from '../tenants/companies.ts';
import { importContacts, readMap } from './import-contacts.ts';
import type { PeopleParts } from './people.ts';

/** Some millions of rows. */
const maxFileBytes = 1_000_000_000;

/** `POST …/contacts/import`. */
export const importContactsRoute = defineRoute({
  post: '/admin/v1/companies/{companyId}/contacts/import',
  operationId: 'importContacts',
  auth: 'operator',
  permission: 'operate',
  tags: ['Contacts'],
  summary: 'Brings contacts in from a CSV of up to 1 GB: a line with the counts after every 10,000 rows, and at the end',
  description:
    'Rows that cannot be read are left out and named by their line; the others are imported. The same file again changes nothing. With dryRun=true nothing is written.',
  params: z.object({ companyId: z.string() }),
  query: z.object({
    map: QueryText('map', 10_000).optional().openapi({
      description: 'What the columns mean: NAME=COLUMN with commas between; columns of the same names, when left out',
      example: 'phone=Celular,city=Ciudad',
    }),
    dryRun: QueryChoice('dryRun', ['true', 'false']).optional().openapi({ description: 'true counts, and writes nothing' }),
  }),
  body: {
    description: 'Separated by commas, semicolons, tabs or bars, in UTF-8; the first line names the columns',
    content: { 'text/csv': { schema: { type: 'string' as const }, example: 'phone,names' } },
  },
  streamsUpTo: maxFileBytes,
  answer: {
    description:
      'Progress, then { isDryRun, rows, created, changed, unchanged, duplicates, refused, problems: [{ line, problem }], ignored? }: "ignored" lists columns that nothing was read of',
    content: { 'application/x-ndjson': { schema: { type: 'string' as const } } },
  },
  refusals: bodyErrorResponses,
  example: {
    path: { companyId: '1' },
    query: { map: 'phone=phone,names=names', dryRun: 'true' },
    contentType: 'text/csv',
    body: 'phone,names',
  },
  handle({ c, params: { companyId }, query: { map, dryRun } }, parts: PeopleParts) {
    const company = requireCompany(parts, companyId);
    const mapped = map === undefined ? undefined : readMap(map);
    const isDryRun = dryRun === 'true';
    noteAct(c, { companyId: company.id, kind: 'contacts', id: company.id, after: { isDryRun } });
    const file = c.req.raw.body ?? ReadableStream.from([]);
    return answerInLines(c, (write) => importContacts(parts, company, file, { map: mapped, isDryRun }, write));
  },
});
