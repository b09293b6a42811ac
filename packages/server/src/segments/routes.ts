// The routes of segments: conditions over contacts under a name, tried before they are saved, and who is in one.
import { z } from '@hono/zod-openapi';
import { groupName } from '@hilo/nodes/effects';
import { noteAct } from '../platform/http/acts.ts';
import { bodyErrorResponses, createTextCursor, errorResponses, Instant, Page, PageQuery, parseBody } from '../platform/http/admin.ts';
import { Contact, describePeople } from '../contacts/contacts.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { type HttpError, invalidFields, notFound } from '../platform/http/errors.ts';
import { closedBody, jsonResponse } from '../platform/http/openapi.ts';
import { segments } from '../platform/tables/segments.ts';
import { requireCompany } from '../tenants/companies.ts';
import { type FindingParts, findAllPeople, findPeoplePage, type People } from './find-people.ts';
import { compileSegment, maxConditionChars } from './segment-condition.ts';

const tags = ['Contacts'];

/** So many segments a company has at most. */
const maxSegments = 500;

const exampleCondition = 'user.consent != "revoked" && user.lastInboundAt > now() - duration("P30D")';

const Segment = z
  .object({
    name: z.string(),
    condition: z.string().openapi({ example: exampleCondition }),
    createdAt: Instant.openapi({ example: '2031-03-03T09:00:00.000Z' }),
    updatedAt: Instant.openapi({ example: '2031-03-03T09:00:00.000Z' }),
  })
  .openapi('Segment');

type SavedSegment = ReturnType<typeof segments.fromRow>;

const describe = ({ name, condition, createdAtMs, updatedAtMs }: SavedSegment): z.input<typeof Segment> => ({
  name,
  condition,
  createdAt: new Date(createdAtMs).toISOString(),
  updatedAt: new Date(updatedAtMs).toISOString(),
});

const ofCompany = z.object({ companyId: z.string() });
const ofSegment = ofCompany.extend({
  segment: z
    .string()
    .regex(groupName.pattern, groupName.problem.replace('a group', 'a segment'))
    .openapi({ pattern: groupName.pattern.source }),
});
const refusals = { ...errorResponses, 400: bodyErrorResponses[400], 404: errorResponses[404] };

const Body = z.object({
  condition: z
    .string('condition is a text')
    .min(1, 'condition is empty')
    .max(maxConditionChars, `condition has at most ${maxConditionChars} characters`),
});

const body = closedBody('The condition', {
  type: 'object',
  required: ['condition'],
  properties: {
    condition: {
      type: 'string',
      maxLength: maxConditionChars,
      description: 'In the language of expressions, over user and now()',
      examples: [exampleCondition],
    },
  },
});

const example = { companyId: '1', segment: 'lima' };

const list = defineRoute({
  get: '/admin/v1/companies/{companyId}/segments',
  operationId: 'listSegments',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'The segments of a company: saved conditions over contacts',
  description: 'By name. Who is in one is found anew each time.',
  params: ofCompany,
  answer: jsonResponse('The segments', z.object({ results: z.array(Segment) })),
  refusals: errorResponses,
  example: { path: { companyId: '1' } },
  async handle({ params: { companyId } }, parts: FindingParts) {
    const { id } = requireCompany(parts, companyId);
    return { results: (await parts.store.runner.read(segments.all(id))).map(describe) };
  },
});

const get = defineRoute({
  get: '/admin/v1/companies/{companyId}/segments/{segment}',
  operationId: 'getSegment',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'A segment by its name, with its condition',
  description: 'Who is in it is found by its preview, and by its contacts.',
  params: ofSegment,
  answer: jsonResponse('The segment', Segment),
  refusals,
  example: { path: example },
  handle: async ({ params: { companyId, segment } }, parts: FindingParts) =>
    describe(await requireSaved(parts, requireCompany(parts, companyId).id, segment)),
});

const save = defineRoute({
  put: '/admin/v1/companies/{companyId}/segments/{segment}',
  operationId: 'saveSegment',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Saves a segment, or replaces its condition',
  description: 'The condition is checked against the fields that the company declares.',
  params: ofSegment,
  body,
  answer: jsonResponse('The segment', Segment),
  refusals: bodyErrorResponses,
  example: { path: example, body: { condition: exampleCondition } },
  async handle({ c, params: { companyId, segment: name } }, parts: FindingParts) {
    const company = requireCompany(parts, companyId);
    const { condition } = parseBody(Body, await c.req.text());
    compileSegment(company.fields ?? [], condition);
    const { runner } = parts.store;
    const all = await runner.read(segments.all(company.id));
    const before = all.find((one) => one.name === name);
    if (before === undefined && all.length >= maxSegments)
      throw invalidFields({ segment: [`the company has ${maxSegments} segments, as many as it may: remove one first`] });
    const nowMs = parts.clock.now();
    const saved = { companyId: company.id, name, condition, createdAtMs: before?.createdAtMs ?? nowMs, updatedAtMs: nowMs };
    noteAct(c, { kind: 'segment', id: name, after: { condition } });
    await runner.write(segments.upsert([saved]));
    return describe(saved);
  },
});

const remove = defineRoute({
  delete: '/admin/v1/companies/{companyId}/segments/{segment}',
  operationId: 'removeSegment',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Removes a segment; its contacts stay',
  description: 'Campaigns that were made for it keep their recipients.',
  params: ofSegment,
  answer: jsonResponse('The removed segment', Segment),
  refusals,
  example: { path: example },
  async handle({ c, params: { companyId, segment: name } }, parts: FindingParts) {
    const { id } = requireCompany(parts, companyId);
    const saved = await requireSaved(parts, id, name);
    noteAct(c, { kind: 'segment', id: name, before: { condition: saved.condition } });
    if ((await parts.store.runner.writeOne(segments.remove({ companyId: id, name }))) === undefined) throw unknownSegment(id, name);
    return describe(saved);
  },
});

const Preview = z.object({ contacts: z.int(), examples: z.array(Contact) }).openapi('SegmentPreview');

/** Examples of a preview. */
const maxExamples = 10;

/** Counts whom a condition fits, and describes the first ones. */
async function previewPeople(parts: FindingParts, companyId: string, wanted: People): Promise<z.input<typeof Preview>> {
  const company = requireCompany(parts, companyId);
  let contacts = 0;
  const first = [];
  for await (const people of findAllPeople(parts, company.id, wanted)) {
    contacts += people.length;
    if (first.length < maxExamples) first.push(...people.slice(0, maxExamples - first.length));
  }
  return { contacts, examples: await describePeople(parts, company, first) };
}

const tryOut = defineRoute({
  post: '/admin/v1/companies/{companyId}/segments/preview',
  operationId: 'previewSegment',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'Counts whom a condition fits, with ten examples; saves nothing',
  description: 'The same that a segment with this condition would have now.',
  params: ofCompany,
  body,
  answer: jsonResponse('How many, and ten of them', Preview),
  refusals: bodyErrorResponses,
  example: { path: { companyId: '1' }, body: { condition: 'user.consent != "revoked"' } },
  async handle({ c, params: { companyId } }, parts: FindingParts) {
    const company = requireCompany(parts, companyId);
    const { condition } = parseBody(Body, await c.req.text());
    return previewPeople(parts, company.id, { condition: compileSegment(company.fields ?? [], condition) });
  },
});

const preview = defineRoute({
  get: '/admin/v1/companies/{companyId}/segments/{segment}/preview',
  operationId: 'previewSavedSegment',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'Counts who is in a segment, with ten examples',
  description: 'Whom its condition fits now; a campaign for it would have the same recipients.',
  params: ofSegment,
  answer: jsonResponse('How many, and ten of them', Preview),
  refusals,
  example: { path: example },
  handle: ({ params: { companyId, segment } }, parts: FindingParts) => previewPeople(parts, companyId, { segment }),
});

const cursors = createTextCursor('segment');

const listContacts = defineRoute({
  get: '/admin/v1/companies/{companyId}/segments/{segment}/contacts',
  operationId: 'listSegmentContacts',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'The contacts that are in a segment now',
  description: 'A page looks through so many contacts as its limit says: it may be short, or empty, and go on.',
  params: ofSegment,
  query: z.object({ limit: PageQuery.shape.limit, cursor: cursors.query }),
  answer: jsonResponse('A page of contacts', Page(Contact)),
  refusals,
  example: { path: example },
  async handle({ params: { companyId, segment }, query: { limit, cursor } }, parts: FindingParts) {
    const company = requireCompany(parts, companyId);
    const { people, next } = await findPeoplePage(
      parts,
      company.id,
      { segment },
      { limit, ...(cursor !== undefined && { after: cursor }) },
    );
    const results = await describePeople(parts, company, people);
    return { results, nextCursor: cursors.write(next) };
  },
});

/** @throws {HttpError} 404 */
async function requireSaved({ store }: FindingParts, companyId: string, name: string): Promise<SavedSegment> {
  const found = await store.runner.readOne(segments.find({ companyId, name }));
  if (found === undefined) throw unknownSegment(companyId, name);
  return found;
}

const unknownSegment = (companyId: string, name: string): HttpError =>
  notFound('SEGMENT_NOT_FOUND', `Company ${companyId} has no segment "${name}"`);

/** Segments. */
export const segmentRoutes: readonly Route<FindingParts>[] = [list, tryOut, get, save, remove, preview, listContacts];
