// The routes of contacts and groups, below a company: found, listed, changed, put into groups.
import { isJsonObject, type Json, type JsonObject, Locale, tidyName, TimeZone } from '@hilo/engine/contract';
import { groupName } from '@hilo/nodes/effects';
import { z } from '@hono/zod-openapi';
import {
  bodyErrorResponses,
  createTextCursor,
  errorResponses,
  Instant,
  Page,
  PageQuery,
  parseBody,
  Values,
} from '../platform/http/admin.ts';
import { noteAct } from '../platform/http/acts.ts';
import { defineRoute, type Route, type RouteCall } from '../platform/http/define-route.ts';
import { invalidFields, notFound, unavailable } from '../platform/http/errors.ts';
import { exampleUser } from '../platform/http/example-requests.ts';
import { closedBody, jsonResponse } from '../platform/http/openapi.ts';
import { QueryText } from '../platform/http/query.ts';
import { importContactsRoute } from './import-routes.ts';
import { groupMembers } from '../platform/tables/contacts.ts';
import type { Platform } from '../platform/platform.ts';
import { tellConsent } from './tell-consent.ts';
import { fieldProblems } from '../tenants/contact-fields.ts';
import { requireCompany } from '../tenants/companies.ts';
import {
  changeContact,
  contactNotFound,
  describePeople,
  listPeople,
  readGroups,
  type PeopleParts,
  type Person,
  type PersonChange,
  requireOrMakePerson,
  requirePerson,
  stillThere,
} from './people.ts';

const tags = ['Contacts'];

const instant = '2031-03-03T09:00:00.000Z';

const Identity = z.object({
  botId: z.string().optional().openapi({ description: 'The bot whose provider gave the id; absent for what holds for all bots' }),
  kind: z.enum(['phone', 'bsuid', 'provider']),
  value: z.string(),
  since: Instant,
});

export const Contact = z
  .object({
    id: z.string().openapi({ description: 'Ours: stays the same when numbers and ids change' }),
    identities: z.array(Identity),
    names: z.string().optional(),
    locale: z.string().optional(),
    timeZone: z.string().optional(),
    fields: Values.openapi({ description: 'The fields that the company declares, as far as the contact has them' }),
    groups: z.array(z.string()),
    consent: z.object({
      marketing: z.enum(['unknown', 'granted', 'revoked']),
      at: Instant.optional().openapi({ example: instant }),
      source: z.string().optional().openapi({ description: 'keyword, node, api or import', example: 'keyword' }),
      evidence: z.string().optional().openapi({ description: 'What proves it, such as the id of the message', example: 'wamid.HBgL' }),
    }),
    firstSeenAt: Instant,
    lastInboundAt: Instant.optional(),
    lastOutboundAt: Instant.optional(),
  })
  .openapi('Contact');

/** The name of a group, described by its pattern of JSON Schema, which has no flags. */
const GroupName = z.string('a group is a text').regex(groupName.pattern, groupName.problem).openapi({ pattern: groupName.pattern.source });

/** So many groups one contact is in at most. */
const maxGroups = 200;

/** The largest text of a name that a contact has. */
const maxNameChars = 500;

const Ignored = z.unknown().optional();
const ChangeBody = z.object({
  names: z
    .string()
    .min(1)
    .max(maxNameChars)
    .transform((names) => tidyName(names) || null)
    .nullish(),
  locale: Locale.nullish(),
  timeZone: TimeZone.nullish(),
  fields: z.custom<JsonObject>((given) => isJsonObject(given as Json), 'fields is an object of values by key').optional(),
  groups: z.array(GroupName).max(maxGroups).optional(),
  consent: z.object({ marketing: z.enum(['unknown', 'granted', 'revoked']), evidence: z.string().max(1_000).optional() }).optional(),
  // What an answer has beside them, so that it can be sent back.
  id: Ignored,
  identities: Ignored,
  firstSeenAt: Ignored,
  lastInboundAt: Ignored,
  lastOutboundAt: Ignored,
});

const changeBody = (description: string) =>
  closedBody(description, {
    type: 'object',
    properties: {
      names: { type: ['string', 'null'], maxLength: maxNameChars },
      locale: { type: ['string', 'null'] },
      timeZone: { type: ['string', 'null'] },
      fields: { type: 'object', description: 'Values by key; null removes one' },
      groups: { type: 'array', items: { type: 'string' } },
      consent: {
        type: 'object',
        required: ['marketing'],
        properties: {
          marketing: { type: 'string', enum: ['unknown', 'granted', 'revoked'] },
          evidence: { type: 'string', example: 'Signed on paper' },
          at: { type: 'string', example: instant },
          source: { type: 'string', example: 'api' },
        },
      },
      id: { type: 'string', description: 'Ignored, as the four below: so that an answer can be sent back' },
      identities: { type: 'array', items: {} },
      firstSeenAt: { type: 'string', example: instant },
      lastInboundAt: { type: 'string', example: instant },
      lastOutboundAt: { type: 'string', example: instant },
    },
  });

const ofCompany = z.object({ companyId: z.string() });
const ofContact = ofCompany.extend({ id: z.string() });
const ofGroup = ofCompany.extend({ group: GroupName });
const refusals = { ...errorResponses, 400: bodyErrorResponses[400], 404: errorResponses[404] };

type ContactCall = RouteCall<{ companyId: string; id: string }, unknown>;

async function describeOne(parts: PeopleParts, person: Person): Promise<z.input<typeof Contact>> {
  const company = requireCompany(parts, person.companyId);
  const [described] = await describePeople(parts, company, [person]);
  if (described === undefined) throw notFound('CONTACT_NOT_FOUND', 'The contact was removed meanwhile');
  return described;
}

/** @throws {HttpError} 422 for fields that the company does not declare, or values that are none of them */
function readChange(parts: PeopleParts, companyId: string, text: string): PersonChange {
  const { names, locale, timeZone, fields, groups, consent } = parseBody(ChangeBody, text);
  const problems = Object.values(fieldProblems(requireCompany(parts, companyId).fields ?? [], fields ?? {}));
  if (problems.length > 0) throw invalidFields({ fields: problems });
  const { marketing = 'unknown', evidence } = consent ?? {};
  return {
    names,
    locale,
    timeZone,
    fields,
    groups: groups === undefined ? undefined : [...new Set(groups)],
    consent:
      marketing === 'unknown'
        ? undefined
        : { marketing, atMs: parts.clock.now(), source: 'api', ...(evidence !== undefined && { evidence }) },
  };
}

/** Notes who was changed by the id that says nothing of them, and what. */
function noteChange({ c }: Pick<ContactCall, 'c'>, person: Person, change: PersonChange): void {
  const changed = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  noteAct(c, { kind: 'contact', id: person.id ?? '', after: { changed } });
}

/** What a change needs beside the contacts: canvases are told of it. */
type ChangeParts = PeopleParts & Pick<Platform, 'engine'>;

/** Canvases hear of a consent that has changed. */
async function tellChange(parts: ChangeParts, { companyId, userId, marketing: was }: Person, { consent }: PersonChange): Promise<void> {
  if (consent === undefined || consent.marketing === was) return;
  const { marketing, evidence, atMs } = consent;
  await tellConsent(parts, { companyId, userId, marketing, source: 'api', evidence, atMs });
}

const cursors = createTextCursor('contacts');

const list = defineRoute({
  get: '/admin/v1/companies/{companyId}/contacts',
  operationId: 'listContacts',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'Contacts of a company: users of its workspace, imported people, and everybody who wrote',
  description:
    'With "query" those whose name, number, id or field has this text. A page of a search may be short, or empty, and go on: ask with its cursor until there is none.',
  params: ofCompany,
  query: z.object({
    query: QueryText('query', 200).optional().openapi({ description: 'Part of a name, a number, an id or a field' }),
    group: QueryText('group', 100).optional().openapi({ description: 'Only those of this group', example: 'vip' }),
    limit: PageQuery.shape.limit,
    cursor: cursors.query,
  }),
  answer: jsonResponse('A page of contacts', Page(Contact)),
  refusals: errorResponses,
  example: { path: { companyId: '1' }, query: { query: 'Ana', group: 'vip' } },
  async handle({ params: { companyId }, query: { query, group, limit, cursor } }, parts: PeopleParts) {
    const company = requireCompany(parts, companyId);
    const { people, next } = await listPeople(parts, { companyId: company.id, query, group, limit, after: cursor });
    const results = await describePeople(parts, company, people);
    return { results, nextCursor: cursors.write(next) };
  },
});

const contactExample = { companyId: '1', id: `phone:${exampleUser.id}` };

const get = defineRoute({
  get: '/admin/v1/companies/{companyId}/contacts/{id}',
  operationId: 'getContact',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'A contact, by its id, phone:DIGITS, bsuid:ID or BOT:ID',
  description: 'Any spelling of a phone number finds the same contact.',
  params: ofContact,
  answer: jsonResponse('The contact', Contact),
  refusals,
  example: { path: contactExample },
  async handle({ params: { companyId, id } }, parts: PeopleParts) {
    return await describeOne(parts, await requirePerson(parts, companyId, id));
  },
});

/** How often a contact is looked for again that was removed, or became another one, while it was changed. */
const maxTries = 20;

/**
 * Changes the contact that is found, and describes it.
 *
 * @throws {HttpError} 404 for one that is removed meanwhile, 503 where that happens each time
 */
async function changeFound(
  call: ContactCall,
  parts: ChangeParts,
  find: () => Promise<Person>,
  changeOf: (person: Person) => PersonChange,
): Promise<z.input<typeof Contact>> {
  const { companyId, id } = call.params;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const person = await find();
    const given = changeOf(person);
    noteChange(call, person, given);
    if (!(await changeContact(parts, person, given))) continue;
    await tellChange(parts, person, given);
    return await describeOne(parts, await requirePerson(parts, companyId, person.id ?? id));
  }
  throw unavailable('This contact is removed and made by many requests at once; send this again in a moment');
}

const change = defineRoute({
  patch: '/admin/v1/companies/{companyId}/contacts/{id}',
  operationId: 'changeContact',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Changes what is given of a contact; fields that are left out stay',
  description: 'A field with null is removed. Groups are given as a whole.',
  params: ofContact,
  body: changeBody('What changes'),
  answer: jsonResponse('The changed contact', Contact),
  refusals: bodyErrorResponses,
  example: { path: contactExample, body: { names: 'Ana', groups: ['vip'] } },
  async handle(call, parts: ChangeParts) {
    const { companyId, id } = call.params;
    const find = (): Promise<Person> => requirePerson(parts, companyId, id);
    await find();
    const given = readChange(parts, companyId, await call.c.req.text());
    return await changeFound(call, parts, find, () => given);
  },
});

const replace = defineRoute({
  put: '/admin/v1/companies/{companyId}/contacts/{id}',
  operationId: 'saveContact',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Makes a contact, or replaces its names, fields and groups',
  description:
    'What is left out is removed, but for consent, which only a new one replaces. A new contact is named by phone:DIGITS, bsuid:ID or BOT:ID.',
  params: ofContact,
  body: changeBody('The contact as it is to be'),
  answer: jsonResponse('The contact', Contact),
  refusals: bodyErrorResponses,
  example: { path: { companyId: '1', id: 'phone:51999000222' }, body: { names: 'Iris', groups: ['vip'] } },
  async handle(call, parts: ChangeParts) {
    const { companyId, id } = call.params;
    const {
      names = null,
      locale = null,
      timeZone = null,
      fields = {},
      groups = [],
      consent,
    } = readChange(parts, companyId, await call.c.req.text());
    return await changeFound(
      call,
      parts,
      () => requireOrMakePerson(parts, companyId, id),
      (person) => {
        const removed = Object.fromEntries(Object.keys(person.fields ?? {}).map((key) => [key, null]));
        return { names, locale, timeZone, fields: { ...removed, ...fields }, groups, consent };
      },
    );
  },
});

const Group = z.object({ name: z.string(), contacts: z.int() }).openapi('ContactGroup');

const listGroups = defineRoute({
  get: '/admin/v1/companies/{companyId}/groups',
  operationId: 'listContactGroups',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'The groups of a company, and how many contacts each has',
  description: 'A group is there while it has a contact.',
  params: ofCompany,
  answer: jsonResponse('The groups, by name', z.object({ results: z.array(Group) })),
  refusals: errorResponses,
  example: { path: { companyId: '1' } },
  async handle({ params: { companyId } }, parts: PeopleParts) {
    const { id } = requireCompany(parts, companyId);
    return { results: await readGroups(parts, id) };
  },
});

const inGroup = ofGroup.extend({ id: z.string() });
const Membership = z.object({ id: z.string(), groups: z.array(z.string()) });
const memberExample = { path: { companyId: '1', group: 'vip', id: `phone:${exampleUser.id}` } };

const join = defineRoute({
  put: '/admin/v1/companies/{companyId}/groups/{group}/contacts/{id}',
  operationId: 'addContactToGroup',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Adds a contact to a group; the group is made with its first contact',
  description: 'A contact that is in it already stays in it.',
  params: inGroup,
  answer: jsonResponse('The groups of the contact now', Membership),
  refusals: bodyErrorResponses,
  example: memberExample,
  handle: (call, parts: PeopleParts) =>
    changeMembership(call, parts, ({ companyId, userId }, groupName) => groupMembers.insertMissing([{ companyId, groupName, userId }])),
});

const leave = defineRoute({
  delete: '/admin/v1/companies/{companyId}/groups/{group}/contacts/{id}',
  operationId: 'removeContactFromGroup',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Takes a contact out of a group',
  description: 'The contact itself stays.',
  params: inGroup,
  answer: jsonResponse('The groups of the contact now', Membership),
  refusals,
  example: memberExample,
  handle: (call, parts: PeopleParts) =>
    changeMembership(call, parts, ({ companyId, userId }, groupName) => [groupMembers.remove({ companyId, groupName, personKey: userId })]),
});

const removeGroup = defineRoute({
  delete: '/admin/v1/companies/{companyId}/groups/{group}',
  operationId: 'removeContactGroup',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Removes a group; its contacts stay',
  description: 'Answers how many contacts were in it.',
  params: ofGroup,
  answer: jsonResponse('The removed group', Group),
  refusals,
  example: { path: { companyId: '1', group: 'vip' } },
  async handle({ params: { companyId, group } }, parts: PeopleParts) {
    const { id } = requireCompany(parts, companyId);
    const removing = emptyGroup({ companyId: id, groupName: group });
    const { rowsOf } = await parts.store.runner.write([removing]);
    const contacts = rowsOf(removing).length;
    if (contacts === 0) throw notFound('GROUP_NOT_FOUND', `Company ${companyId} has no group "${group}"`);
    return { name: group, contacts };
  },
});

const emptyGroup = groupMembers.removeWhere({ groupName: groupMembers.columns.groupName }, (rows, { groupName }) =>
  rows.where('group_name', '=', groupName),
);

type MembershipCall = RouteCall<{ companyId: string; group: string; id: string }, unknown>;

async function changeMembership(
  { c, params: { companyId, group, id } }: MembershipCall,
  parts: PeopleParts,
  write: (person: Person, group: string) => Parameters<PeopleParts['store']['runner']['write']>[0],
): Promise<z.input<typeof Membership>> {
  const person = await requirePerson(parts, companyId, id);
  noteAct(c, { kind: 'contact', id: person.id ?? '', after: { group } });
  const { failed } = await parts.store.runner.write([stillThere(person), ...write(person, group)]);
  if (failed !== undefined) throw contactNotFound(companyId, id);
  const { id: contactId, groups } = await describeOne(parts, person);
  return { id: contactId, groups };
}

/** Contacts and their groups. */
export const contactRoutes: readonly Route<ChangeParts>[] = [
  list,
  importContactsRoute,
  get,
  change,
  replace,
  listGroups,
  join,
  leave,
  removeGroup,
];
