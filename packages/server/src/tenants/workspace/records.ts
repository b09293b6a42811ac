// Records of a company that management changes one by one.
import { type HiloError, isHiloError, isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { asCondition, type Call, integer, lookup, pick, text } from '@hilo/stores';
import { campaigns as campaignTable } from '../../platform/tables/campaigns.ts';
import { bots, companies, credentials, people, secrets as stored } from '../../platform/tables/companies.ts';
import { conversations, isHere, operators, roomTags, teams } from '../../platform/tables/conversations.ts';
import { tags } from '../../platform/tables/tags.ts';
import { growRevision, holdRevision, readRevision } from '../../platform/database/revision.ts';
import { nameKeys, readContactsOf, removeContactsOf } from '../../platform/database/people.ts';
import { companyQuery } from '../../platform/database/schema.ts';
import { leaveGroups } from '../../platform/tables/contacts.ts';
import { selectUnended } from '../../platform/database/unended.ts';
import { templates } from '../../platform/tables/templates.ts';
import { companyNotFound } from '../../platform/http/admin.ts';
import { HttpError, unavailable } from '../../platform/http/errors.ts';
import { botSecretId, credentialSecretId } from '../bots.ts';
import { keepSecret } from '../keep-secret.ts';
import { describeBot, describeCompany, describeCredential, describeItem, describeOperator, describeUser } from './export-workspace.ts';
import { importLiveData } from './import-live-data.ts';
import { fieldsOfCompany, readPart as partOf, workspaceJsonSchema } from './json-schema.ts';
import type { Bringer } from './permitted.ts';
import { prepareWorkspace, type WorkspaceParts } from './prepare.ts';
import { workspaceRefused } from './problems.ts';
import { readWorkspace } from './source.ts';
import { writeConfiguration } from './write-configuration.ts';

/** Records of a company that management changes one by one. */
export const recordKinds = ['bots', 'users', 'templates', 'credentials', 'teams', 'operators', 'tags'] as const;
export type RecordKind = (typeof recordKinds)[number];

/** Records that are few: all of them are listed at once. Users are contacts, which have pages. */
export const listedKinds = ['bots', 'templates', 'credentials', 'teams', 'operators', 'tags'] as const;
export type ListedKind = (typeof listedKinds)[number];

/** Records whose id is a number. */
const numberedTables = { teams, operators, tags } as const;
const isNumbered = (kind: RecordKind): kind is keyof typeof numberedTables => Object.hasOwn(numberedTables, kind);

/** The id of a record as a workspace has it. */
const idOf = ({ kind, id }: Pick<RecordPlace, 'kind' | 'id'>): string | number =>
  isNumbered(kind) && /^\d{1,15}$/.test(id) ? Number(id) : id;

/** Where a record is. */
export interface RecordPlace {
  readonly companyId: string;
  readonly kind: RecordKind;
  readonly id: string;
}

/** Bots, users, templates, credentials, people and tags one by one, and the company itself. */
export interface CompanyRecords {
  /** All of a kind, without secrets, and the JSON Schema of one. @throws {HttpError} 404 for an unknown company */
  list(companyId: string, kind: ListedKind): Promise<{ readonly results: readonly JsonObject[]; readonly schema: JsonObject }>;
  /** The company without what it has lists of, and the JSON Schema of that. @throws {HttpError} 404 */
  company(companyId: string): Promise<{ readonly company: JsonObject; readonly schema: JsonObject }>;
  /** @throws {HttpError} 403 for what they may not change of it */
  putCompany(companyId: string, record: JsonObject, by?: Bringer): Promise<JsonObject>;
  put(place: RecordPlace, record: JsonObject): Promise<JsonObject>;
  remove(place: RecordPlace): Promise<boolean>;
  /** @throws {HttpError} 409 `RECORD_IN_USE` while something needs the record */
  requireUnused(place: RecordPlace): Promise<void>;
  /** Keeps a secret of a bot's provider that the service makes itself. */
  keepSecret(bot: { readonly companyId: string; readonly id: string }, field: string, value: string): Promise<void>;
}

/** Records of the companies in a store. */
export const createRecords = (parts: WorkspaceParts): CompanyRecords => ({
  list: (companyId, kind) => listRecords(parts, companyId, kind),
  company: (companyId) => readCompany(parts, companyId),
  putCompany: (companyId, record, by) => putCompany(parts, companyId, record, by),
  put: (place, record) => putRecord(parts, place, record),
  remove: (place) => removeRecord(parts, place),
  requireUnused: (place) => requireUnused(parts, place),
  keepSecret: ({ companyId, id }, field, value) => keepSecret(parts, { companyId, secretId: botSecretId(id, field) }, value),
});

/**
 * Adds or replaces a record under the rules of a workspace that holds nothing else: it is refused for the same reasons, and secrets
 * that are left out keep their stored value.
 *
 * @returns the stored record, without secrets
 * @throws {HiloError} `WORKSPACE_REFUSED` with every problem; pointers lead into the record
 * @throws {HttpError} 404 for an unknown company
 */
async function putRecord(parts: WorkspaceParts, place: RecordPlace, record: JsonObject): Promise<JsonObject> {
  const { companyId, kind } = place;
  await importInto(parts, companyId, `/companies/0/${kind}/0`, (company) => ({ ...company, [kind]: [{ ...record, id: idOf(place) }] }));
  return (await findRecord(parts, place)) ?? record;
}

/** Changes what a company is; what it has lists of stays. Returns it as it is stored. */
async function putCompany(parts: WorkspaceParts, companyId: string, record: JsonObject, by?: Bringer): Promise<JsonObject> {
  await importInto(parts, companyId, '/companies/0', ({ id }) => ({ ...record, ...(id !== undefined && { id }) }), by);
  return (await readCompany(parts, companyId)).company;
}

/**
 * Imports a workspace of one company.
 *
 * @param place - where pointers of problems begin
 * @param change - makes of the company as it is what is imported
 * @param by - who changes it
 */
async function importInto(
  parts: WorkspaceParts,
  companyId: string,
  place: string,
  change: (company: JsonObject) => JsonObject,
  by: Bringer = {},
): Promise<void> {
  const { runner } = parts.store;
  for (;;) {
    const revision = await readRevision(runner);
    const company = await runner.readOne(companies.find({ companyId }));
    if (company === undefined) throw companyNotFound(companyId);
    const workspace = await readWorkspace({ workspace: { companies: [change(describeCompany(company))] } });
    try {
      const prepared = await prepareWorkspace(parts, workspace, by);
      if ((await writeConfiguration(parts, prepared, revision)) === undefined) continue; // another change came first
      await parts.refresh();
      for (const one of prepared) await importLiveData(parts, one, () => undefined);
      return;
    } catch (error) {
      throw isHiloError(error, 'WORKSPACE_REFUSED') ? shortenPointers(error, place) : error;
    } finally {
      workspace.users.close();
    }
  }
}

/** The JSON Schema of a part of a workspace's company, which refers to nothing outside of it. */
function schemaOf({ channels }: Pick<WorkspaceParts, 'channels'>, kind: ListedKind | undefined): JsonObject {
  const company = partOf(workspaceJsonSchema(channels), ['properties', 'companies', 'items']);
  if (kind !== undefined) return freeReferences(partOf(company, ['properties', kind, 'items']));
  const { id: _given, ...properties } = fieldsOfCompany(company);
  return freeReferences({ type: 'object', properties, required: ['name', 'plan'] });
}

/** A schema without its references: the only one in that of a workspace is to any JSON value, which needs no schema. */
const freeReferences = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, freeReference(part)]));

function freeReference(part: Json): Json {
  if (Array.isArray(part)) return part.map((item: Json) => freeReference(item));
  return !isJsonObject(part) ? part : '$ref' in part ? {} : freeReferences(part);
}

async function listRecords(parts: WorkspaceParts, companyId: string, kind: ListedKind) {
  const { runner } = parts.store;
  if ((await runner.readOne(companies.find({ companyId }))) === undefined) throw companyNotFound(companyId);
  return { results: await describeAll(runner, companyId, kind), schema: schemaOf(parts, kind) };
}

async function describeAll(runner: WorkspaceParts['store']['runner'], companyId: string, kind: ListedKind): Promise<readonly JsonObject[]> {
  switch (kind) {
    case 'bots':
      return (await runner.read(bots.all(companyId))).map(describeBot);
    case 'templates':
      return (await runner.read(templates.all(companyId))).map(describeItem);
    case 'credentials':
      return (await runner.read(credentials.all(companyId))).map(describeCredential);
    case 'teams':
      return (await runner.read(teams.all(companyId))).map(describeItem);
    case 'operators':
      return (await runner.read(operators.all(companyId))).filter(isHere).map(describeOperator);
    case 'tags':
      return (await runner.read(tags.all(companyId))).map(describeItem);
  }
}

async function readCompany(parts: WorkspaceParts, companyId: string) {
  const company = await parts.store.runner.readOne(companies.find({ companyId }));
  if (company === undefined) throw companyNotFound(companyId);
  return { company: describeCompany(company), schema: schemaOf(parts, undefined) };
}

/** The same refusal, with pointers that begin at the record. */
function shortenPointers({ details: { problems } }: HiloError<'WORKSPACE_REFUSED'>, place: string): HiloError<'WORKSPACE_REFUSED'> {
  return workspaceRefused(
    'The record',
    problems.map((problem) => (problem.pointer.startsWith(place) ? { ...problem, pointer: problem.pointer.slice(place.length) } : problem)),
  );
}

/** A record as an export shows it; `undefined` where the company has none of this id. */
async function findRecord({ store: { runner } }: Pick<WorkspaceParts, 'store'>, { companyId, kind, id }: RecordPlace) {
  switch (kind) {
    case 'bots': {
      const bot = await runner.readOne(bots.find({ companyId, botId: id }));
      return bot && describeBot(bot);
    }
    case 'users': {
      const user = await runner.readOne(people.find({ companyId, personKey: id }));
      return user && describeUser(user);
    }
    case 'templates': {
      const template = await runner.readOne(templates.find({ companyId, id }));
      return template && describeItem(template);
    }
    case 'credentials': {
      const credential = await runner.readOne(credentials.find({ companyId, id }));
      return credential && describeCredential(credential);
    }
    case 'teams':
    case 'operators':
    case 'tags': {
      if (!/^\d{1,15}$/.test(id)) return undefined;
      return (await describeAll(runner, companyId, kind)).find((one) => one['id'] === Number(id));
    }
  }
}

/**
 * Removes a record with its secrets. What it did (messages, conversations, histories) stays.
 *
 * @returns whether there was one
 * @throws {HttpError} 404 where there is no such company, 409 `RECORD_IN_USE` while something needs the record; nothing is removed then
 */
async function removeRecord(parts: WorkspaceParts, place: RecordPlace): Promise<boolean> {
  const { companyId, kind, id } = place;
  const { runner } = parts.store;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const revision = await readRevision(runner);
    if ((await runner.readOne(companies.find({ companyId }))) === undefined) throw companyNotFound(companyId);
    if ((await findRecord(parts, place)) === undefined) return false;
    await requireUnused(parts, place);
    const isRemoved = kind === 'users' ? await removeUser(parts, place, revision) : await removeOther(parts, { ...place, kind }, revision);
    if (!isRemoved) continue; // something changed in between: checked again
    await parts.refresh();
    return true;
  }
  throw unavailable(`"${id}" of ${kind} is used by many requests at once; send this again in a moment`);
}

/** @throws {HttpError} 409 `RECORD_IN_USE` while something needs the record */
async function requireUnused(parts: WorkspaceParts, place: RecordPlace): Promise<void> {
  const needs = await listUses(parts, place);
  if (needs.length > 0)
    throw new HttpError(
      409,
      'RECORD_IN_USE',
      `It is in use by ${needs.slice(0, maxNamed).join(', ')}${needs.length > maxNamed ? ' and others' : ''}: nothing was removed`,
    );
}

/** A record that is no user. */
type OtherPlace = RecordPlace & { readonly kind: Exclude<RecordKind, 'users'> };

async function removeOther(parts: WorkspaceParts, place: OtherPlace, revision: number): Promise<boolean> {
  const secrets = await removeSecrets(parts, place);
  const removed = place.kind === 'operators' ? await removeOperator(parts, place) : removal({ ...place, kind: place.kind });
  const { failed } = await parts.store.runner.write([holdRevision(revision), removed, ...stillUnused(place), ...secrets, growRevision()]);
  return failed === undefined;
}

/**
 * Conditions of a removal that stand behind it, so that whoever was first is seen: rooms, conversations and campaigns are no part of the
 * configuration, whose revision says nothing of them.
 */
function stillUnused({ companyId, kind, id }: OtherPlace): readonly Call[] {
  if (kind === 'templates') return [asCondition(openWith({ companyId, templateId: id }), 0)];
  if (kind === 'tags') return [asCondition(taggedWith({ companyId, tagId: Number(id), atMost: 1 }), 0)];
  return kind === 'operators' ? [asCondition(attendedBy({ companyId, operatorId: Number(id), atMost: 1 }), 0)] : [];
}

/** Removes a person with what bots know of them: whoever wrote is a user as well. */
async function removeUser({ store }: WorkspaceParts, { companyId, id }: RecordPlace, revision: number): Promise<boolean> {
  const person = nameKeys(companyId, id);
  const [known = []] = await readContactsOf(store.runner, [person]);
  // A commit that names the contacts has them read again; their rows are removed behind it.
  const contacts = known.map(({ botId, userId }) => ({ companyId, botId, userId }));
  const committed = await store.commitWith({ saves: [], history: [], contacts, enqueue: [], dequeue: [] }, [
    holdRevision(revision),
    ...listIds(id, known).map((key) => asCondition(noneUnended({ companyId, key }), 0)),
    ...removeContactsOf(person),
    asCondition(people.remove({ companyId, personKey: id })),
    leaveGroups({ companyId, personKey: id }),
    growRevision(),
  ]);
  return committed.kind === 'committed';
}

/** Gives a row while an execution of the user has not ended. */
const noneUnended = companyQuery({ key: lookup() }, {}, (_company, { companyId, key }, db) =>
  selectUnended(db, 'user_key', companyId, key).limit(1),
);

/** How often a removal is tried again after another change of the configuration. */
const maxTries = 20;

/** How many uses of a record a refusal names: one is enough to know where to look. */
const maxNamed = 5;

/** An operator who has answered somebody has left from now on: their conversations, and the figures of these, stay theirs. */
async function removeOperator({ store: { runner }, clock }: WorkspaceParts, { companyId, id }: RecordPlace): Promise<Call> {
  const operator = { companyId, id: Number(id) };
  const answered = await runner.read(answeredBy({ companyId, operatorId: operator.id }));
  return asCondition(answered.length === 0 ? operators.remove(operator) : leaveCompany({ ...operator, leftAtMs: clock.now() }));
}

const leaveCompany = operators.change({ ...pick(operators.columns, 'id'), leftAtMs: integer() }, (rows, { id, leftAtMs }) =>
  rows.set({ left_at_ms: leftAtMs }).where('id', '=', id),
);

const removal = ({ companyId, kind, id }: RecordPlace & { readonly kind: Exclude<RecordKind, 'users' | 'operators'> }): Call => {
  if (kind === 'templates') return asCondition(templates.remove({ companyId, id }));
  if (kind === 'credentials') return asCondition(credentials.remove({ companyId, id }));
  if (kind === 'teams') return asCondition(teams.remove({ companyId, id: Number(id) }));
  if (kind === 'tags') return asCondition(tags.remove({ companyId, id: Number(id) }));
  return asCondition(removeBot({ companyId, id, key: id }));
};

/** Returns a row when the bot was removed, which stays while one of its executions has not ended. */
const removeBot = companyQuery({ id: text(), key: lookup() }, {}, (company, { companyId, id, key }, db) =>
  company
    .deleteFrom('bots')
    .where('bot_id', '=', id)
    .where(({ not, exists }) => not(exists(selectUnended(db, 'bot_key', companyId, key))))
    .returning('bot_id as id'),
);

async function removeSecrets({ store: { runner } }: WorkspaceParts, { companyId, kind, id }: RecordPlace): Promise<readonly Call[]> {
  if (kind !== 'bots' && kind !== 'credentials') return [];
  const prefix = kind === 'bots' ? botSecretId(id, '') : credentialSecretId(id, '');
  const kept = await runner.read(stored.all(companyId));
  return kept.flatMap(({ secretId }) => (secretId.startsWith(prefix) ? [stored.remove({ companyId, secretId })] : []));
}

const selectUnendedBy = (column: 'bot_key' | 'user_key') =>
  companyQuery({ key: lookup() }, { executionId: text() }, (_company, { companyId, key }, db) =>
    selectUnended(db, column, companyId, key)
      .select('execution_id')
      .limit(maxNamed + 1),
  );
const selectUnendedOf = { bots: selectUnendedBy('bot_key'), users: selectUnendedBy('user_key') };

/** Campaigns that are not over. */
const open = ['SCHEDULED', 'PENDING', 'IN_PROGRESS'];

/** Gives a row while a campaign with a template is not over. */
const openWith = campaignTable.read(['id'], { templateId: campaignTable.columns.templateId }, (rows, { templateId }) =>
  rows.where('template_id', '=', templateId).where('status', 'in', open).limit(1),
);

/** The ids by which executions of a person may know them. */
const listIds = (id: string, contacts: readonly { readonly userId: string }[]): readonly string[] => [
  ...new Set([id, ...contacts.map(({ userId }) => userId)]),
];

async function listUserIds(runner: WorkspaceParts['store']['runner'], companyId: string, id: string): Promise<readonly string[]> {
  const [known = []] = await readContactsOf(runner, [nameKeys(companyId, id)]);
  return listIds(id, known);
}

/** Conversations that an operator has, as far as they are named. */
const attendedBy = conversations.read(['id'], { operatorId: integer(), atMost: integer() }, (rows, { operatorId, atMost }) =>
  rows.where('operator_id', '=', operatorId).where('state', '=', 'active').limit(atMost),
);
const answeredBy = conversations.read(['id'], { operatorId: integer() }, (rows, { operatorId }) =>
  rows.where('operator_id', '=', operatorId).limit(1),
);
const taggedWith = roomTags.read(['roomId'], { tagId: integer(), atMost: integer() }, (rows, { tagId, atMost }) =>
  rows.where('tag_id', '=', tagId).limit(atMost),
);

/** Who has a team, a person or a tag, in words. */
async function listHolders(
  runner: WorkspaceParts['store']['runner'],
  companyId: string,
  kind: keyof typeof numberedTables,
  id: number,
): Promise<readonly string[]> {
  const atMost = maxNamed + 1;
  switch (kind) {
    case 'teams':
      return (await runner.read(operators.all(companyId)))
        .filter(isHere)
        .flatMap((one) => (one.teamIds.includes(id) ? [`operator ${one.id}`] : []));
    case 'operators':
      return (await runner.read(attendedBy({ companyId, operatorId: id, atMost }))).map((one) => `conversation ${one.id}`);
    case 'tags':
      return (await runner.read(taggedWith({ companyId, tagId: id, atMost }))).map((one) => `room ${one.roomId}`);
  }
}

/** What uses a record, in words. */
async function listUses({ store, canvasWork }: WorkspaceParts, { companyId, kind, id }: RecordPlace): Promise<readonly string[]> {
  const { runner, canvases } = store;
  if (kind === 'bots' || kind === 'users') {
    const ids = kind === 'users' ? await listUserIds(runner, companyId, id) : [id];
    const executions = (await runner.readEach(ids.map((key) => selectUnendedOf[kind]({ companyId, key })))).flat();
    const named = executions.map(({ executionId }) => `execution ${executionId}`);
    if (kind === 'users') return named;
    const sendable = (await runner.read(templates.all(companyId))).filter(({ botId }) => botId === id);
    const campaigns = (await runner.read(campaignTable.all(companyId))).filter(
      ({ botId, status }) => botId === id && open.includes(status),
    );
    return [...named, ...sendable.map((one) => `template ${one.id}`), ...campaigns.map((one) => `campaign ${one.id}`)];
  }
  const inUse = isNumbered(kind) ? await listHolders(runner, companyId, kind, Number(id)) : [];
  const template = kind === 'templates' ? await runner.readOne(templates.find({ companyId, id })) : undefined;
  const campaigns = template === undefined ? [] : await runner.read(campaignTable.all(companyId));
  const names = new Set([id, ...(template === undefined ? [] : [template.elementName])]);
  const workflows: string[] = [];
  for (const { workflowId, canvas } of await canvases.published(companyId)) {
    const { references, stopped } = await canvasWork.references(companyId, canvas);
    const isUse = stopped !== undefined || references.some((reference) => `${reference.kind}s` === kind && names.has(reference.id));
    if (isUse) workflows.push(`workflow ${workflowId}`);
    if (workflows.length > maxNamed) break;
  }
  return [
    ...inUse,
    ...workflows,
    ...campaigns.filter(({ templateId, status }) => templateId === id && open.includes(status)).map((one) => `campaign ${one.id}`),
  ];
}
