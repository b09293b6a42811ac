// The routes by which a person gets all that is kept of them, and is erased.
import { z } from '@hono/zod-openapi';
import { bodyErrorResponses, errorResponses, Instant, Values } from '../../platform/http/admin.ts';
import { noteAct } from '../../platform/http/acts.ts';
import { defineRoute, type Route } from '../../platform/http/define-route.ts';
import { HttpError, unavailable } from '../../platform/http/errors.ts';
import { exampleUser } from '../../platform/http/example-requests.ts';
import { jsonResponse } from '../../platform/http/openapi.ts';
import { streamTexts } from '../../platform/http/stream-texts.ts';
import { type AskingParts, jobAsked } from '../../platform/jobs/job-asked.ts';
import type { JobRecord } from '../../platform/jobs/define-job.ts';
import { requireCompany } from '../../tenants/companies.ts';
import { contactNotFound, findPerson, requirePerson } from '../people.ts';
import { eraseJob } from './erase-job.ts';
import { exportPerson, type ExportParts } from './export-person.ts';

const tags = ['Contacts'];
const params = z.object({ companyId: z.string(), id: z.string() });
const example = { path: { companyId: '1', id: `phone:${exampleUser.id}` } };
const refusals = { ...errorResponses, 400: bodyErrorResponses[400], 404: errorResponses[404] };

const Rows = z.array(Values);
const Exported = z
  .looseObject({
    exportedAt: Instant.openapi({ description: 'When it was read' }),
    companyId: z.string(),
    contact: Values.openapi({ description: 'The contact as GET answers it' }),
    memory: Rows.openapi({ description: 'What each bot remembers' }),
    executions: Rows.openapi({ description: 'Executions with their variables, payments and histories' }),
    executionsNamingThem: Rows.openapi({ description: 'Executions without a user that name the person' }),
    signals: Rows.openapi({ description: 'Signals that are held for the person' }),
    messages: Rows.openapi({ description: 'Messages of the person, and to them' }),
    files: Rows.openapi({ description: 'Files that the person has sent, their bytes in base64' }),
    audit: Rows.openapi({ description: 'What operators did to the contact' }),
    historyObjects: z.array(z.string()).openapi({ description: 'Files of the history outbox with histories of the person' }),
  })
  .openapi('ExportedContact');

const exportOne = defineRoute({
  post: '/admin/v1/companies/{companyId}/contacts/{id}/export',
  operationId: 'exportContact',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Everything that is kept of a person, as one JSON file',
  description:
    'A list for each kind of thing, which may be long: it is sent while it is read, and cut off where it cannot be read to its end. Any of the ids names the contact.',
  params,
  answer: jsonResponse('What is kept of the person; further lists are named after what they have', Exported),
  refusals,
  example,
  async handle({ c, params: { companyId, id } }, parts: ExportParts) {
    const company = requireCompany(parts, companyId);
    const person = await requirePerson(parts, company.id, id);
    noteAct(c, { kind: 'contact', id: person.id ?? '' });
    return c.body(streamTexts(exportPerson(parts, company, person)), 200, {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="${person.id ?? 'contact'}.json"`,
    });
  },
});

/** The id of the job that erases a contact: asked for twice, it is the same. Ids of contacts are unique among all companies. */
const jobIdOf = (contactId: string): string => `erase-${contactId}`;

async function findJob({ jobs }: AskingParts, companyId: string, jobId: string): Promise<JobRecord | undefined> {
  try {
    return await jobs.find(jobId, companyId);
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return undefined;
    throw error;
  }
}

const erase = defineRoute({
  delete: '/admin/v1/companies/{companyId}/contacts/{id}',
  operationId: 'eraseContact',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Asks for a job that erases a person: the contact, and all that is kept of them',
  description:
    'Open executions are cancelled first. Counts stay. Asked again, it is the same job, also when it has ended and the contact is named by our id. A message of the person afterwards begins a new contact.',
  params,
  also: jobAsked,
  refusals,
  example: { path: { companyId: '1', id: 'phone:593987654321' } }, // whom no other example asks for
  async handle({ c, operator, params: { companyId: named, id } }, parts: ExportParts & AskingParts) {
    const { id: companyId } = requireCompany(parts, named);
    const person = await findPerson(parts, companyId, id);
    if (person !== undefined && person.id === undefined) throw unavailable('This contact is just being made: send this again in a moment');
    const contactId = person?.id ?? id;
    const jobId = jobIdOf(contactId);
    const known = await findJob(parts, companyId, jobId);
    if (person === undefined && known === undefined) throw contactNotFound(companyId, id);
    noteAct(c, { kind: 'contact', id: contactId, after: { jobId } });
    if (known?.status === 'paused') await parts.jobs.resume(known);
    if (known !== undefined && known.status !== 'cancelled') return c.json({ jobId }, 202);
    const given = known === undefined ? { jobId } : {}; // what an operator has cancelled is asked for anew
    const asked = await parts.jobs.ask(eraseJob, { companyId, spec: { contactId }, createdBy: operator, ...given });
    return c.json(asked, 202);
  },
});

/** What is done to a person as a whole. */
export const erasureRoutes: readonly Route<ExportParts & AskingParts>[] = [exportOne, erase];
