// The routes of workspaces: import, export and schema.
import { noteAct } from '../../platform/http/acts.ts';
import { channelAdapters } from '@hilo/channels';
import { z } from '@hono/zod-openapi';
import { defineRoute, type Route } from '../../platform/http/define-route.ts';
import { answerJsonInTurns } from '../../platform/http/json-in-turns.ts';
import { QueryChoice } from '../../platform/http/query.ts';
import { closedBody, ErrorBody, jsonResponse } from '../../platform/http/openapi.ts';
import { invalidRequest, notFound } from '../../platform/http/errors.ts';
import type { ImportProgress, ImportSummary } from './import-workspace.ts';
import { bodyErrorResponses, parseOptionalObject, problemsRefused, errorResponses, Values } from '../../platform/http/admin.ts';
import { outlineWorkspace } from './json-schema.ts';
import type { ImportOptions } from './prepare.ts';
import { type CompanyRecords, listedKinds, recordKinds } from './records.ts';
import type { WorkspaceSource } from './source.ts';
import { requireOwn, type Tenancy } from '../companies.ts';
import { type Json, type JsonObject, isHiloError } from '@hilo/engine/contract';

/** Workspaces in and out; left out where the host keeps the companies. */
export interface WorkspaceTransfer {
  /** Brings in a workspace. @throws {HiloError} `WORKSPACE_REFUSED`, with nothing written */
  readonly importWorkspace?: (
    source: WorkspaceSource,
    onProgress?: (progress: ImportProgress) => void,
    options?: ImportOptions,
  ) => Promise<ImportSummary>;
  /** All that is configured, without a secret. @param only - the ids of the companies; all, when left out */
  readonly exportWorkspace?: (only?: ReadonlySet<string>) => Promise<JsonObject>;
  /** Records of a company one by one. */
  readonly records?: CompanyRecords;
}

/** What these routes work with. */
type Transfer = Required<WorkspaceTransfer> & Tenancy;

/** Some millions of users. */
const maxWorkspaceBytes = 1_000_000_000;

const tags = ['Workspaces'];

/** A host's own providers have fields inside of `provider` alone. */
const described = outlineWorkspace(channelAdapters, recordKinds);

const Summary = z.custom<ImportSummary>().openapi('ImportSummary', {
  type: 'object',
  description: 'The number of records of each kind, how many of them were new or changed, and the result for each workflow',
});

const ImportQuery = z.object({
  overwrite: QueryChoice('overwrite', ['true', 'false'])
    .default('true')
    .openapi({ description: 'false refuses a workspace that would replace a workflow which was changed here since its last import' }),
});

const put = defineRoute({
  post: '/admin/v1/workspace',
  operationId: 'importWorkspace',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary:
    'Brings a workspace of up to 1 GB in, or nothing where it has a problem; twice is the same as once, and completes what was cut off',
  description:
    'Companies, bots, users, templates, credentials and workflows in one request, of the companies of the operator; the answer counts what changed, and warns of each workflow that was changed here since its last import. What has a permission of its own wants it here too: workflows `edit` and `publish`, clients, API keys, event subscriptions and `keepDays` `admin`, and `plan`, `kind` and `limits` `admin` for all companies.',
  query: ImportQuery,
  body: closedBody('What a workspace file holds, its canvases inside: it can name no file', described.workspace),
  streamsUpTo: maxWorkspaceBytes,
  answer: jsonResponse('The result of the import', Summary),
  refusals: bodyErrorResponses,
  example: { body: { companies: [{ id: 3, name: 'New shop', plan: 'free', bots: [], workflows: [] }] } },
  async handle({ c, query }, { importWorkspace, companies: { only } }: Transfer) {
    const can = c.get('can');
    try {
      const overwrite = query.overwrite === 'true';
      return await importWorkspace({ bytes: c.req.raw.body ?? ReadableStream.from([]) }, undefined, { overwrite, only, can });
    } catch (error) {
      if (!isHiloError(error, 'WORKSPACE_REFUSED')) throw error;
      const unreadable = error.details.problems.find(({ code }) => code === 'NOT_JSON');
      throw unreadable === undefined ? problemsRefused(error.details.problems) : invalidRequest(unreadable.message);
    }
  },
});

const get = defineRoute({
  get: '/admin/v1/workspace',
  operationId: 'exportWorkspace',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'The configuration of the companies of the operator in the format of a workspace file, without secrets',
  description: 'For a backup or a move; whoever imports it adds the secrets.',
  answer: jsonResponse('The workspace', Values),
  refusals: errorResponses,
  example: {},
  async handle({ c }, { exportWorkspace, companies }: Transfer) {
    return answerJsonInTurns(c, await exportWorkspace(companies.only));
  },
});

/** @throws {HttpError} 400 where what is sent says another id than the path */
function refuseOtherId(what: string, said: Json | undefined, id: string): void {
  if (said !== undefined && said !== id && said !== Number(id))
    throw invalidRequest(`The ${what} says another id than the path, which says "${id}": make them the same`);
}

const recordParams = z.object({ companyId: z.string(), kind: z.enum(recordKinds, `kind is ${recordKinds.join(', ')}`), id: z.string() });

const putOne = defineRoute({
  put: '/admin/v1/companies/{companyId}/{kind}/{id}',
  operationId: 'saveRecord',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary:
    'Adds or replaces one bot, user, template, credential, team, operator or tag, as in a workspace; a secret that is left out stays unchanged',
  description: 'For a change of one thing, where a whole workspace is too much.',
  params: recordParams,
  body: closedBody('The record as a workspace has it; its id may be left out', described.record),
  answer: jsonResponse('The record as it is stored, without secrets', Values),
  refusals: bodyErrorResponses,
  example: {
    path: { companyId: '1', kind: 'users', id: '51999000111' },
    body: { names: 'Iris', phone: '51999000111', timeZone: 'America/Lima' },
  },
  async handle({ c, params: place }, { records, companies }: Transfer) {
    requireOwn({ companies }, place.companyId);
    const record = parseOptionalObject(await c.req.text());
    refuseOtherId('record', record['id'], place.id);
    noteAct(c, { after: { fields: Object.keys(record) } }); // no value: many are secret
    try {
      return await records.put(place, record);
    } catch (error) {
      throw isHiloError(error, 'WORKSPACE_REFUSED') ? problemsRefused(error.details.problems) : error;
    }
  },
});

const removeOne = defineRoute({
  delete: '/admin/v1/companies/{companyId}/{kind}/{id}',
  operationId: 'deleteRecord',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Removes one bot, user, template, credential, team, operator or tag; its history stays',
  description: 'Refused while something still uses the record.',
  params: recordParams,
  answer: jsonResponse('The record was removed', z.object({ id: z.string() })),
  refusals: {
    ...errorResponses,
    409: jsonResponse('Something uses it, such as an execution, a campaign or a published workflow: nothing was removed', ErrorBody),
  },
  example: { path: { companyId: '1', kind: 'users', id: '51999000111' } },
  async handle({ params: place }, { records, companies }: Transfer) {
    requireOwn({ companies }, place.companyId);
    if (!(await records.remove(place)))
      throw notFound('RECORD_NOT_FOUND', `Company ${place.companyId} has no "${place.id}" among its ${place.kind}`);
    return { id: place.id };
  },
});

const Schema = Values.openapi({ description: 'The JSON Schema of one, with the fields that are secret' });

const listSome = defineRoute({
  get: '/admin/v1/companies/{companyId}/records/{kind}',
  operationId: 'listRecords',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'All bots, templates, credentials, teams, operators or tags of a company, without secrets, and the schema of one',
  description: 'For a form: each record is as a workspace has it, and so is what is saved.',
  params: z.object({ companyId: z.string(), kind: z.enum(listedKinds, `kind is ${listedKinds.join(', ')}`) }),
  answer: jsonResponse(
    'The records',
    z.object({ results: z.array(Values).openapi({ description: 'In the order of their ids' }), schema: Schema }),
  ),
  refusals: errorResponses,
  example: { path: { companyId: '1', kind: 'bots' } },
  async handle({ params: { companyId, kind } }, { records, companies }: Transfer) {
    requireOwn({ companies }, companyId);
    const { results, schema } = await records.list(companyId, kind);
    return { results: [...results], schema };
  },
});

const getCompany = defineRoute({
  get: '/admin/v1/companies/{companyId}',
  operationId: 'getCompany',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'What a company is, without what it has lists of, and the schema of that',
  description: 'Its name, plan, time zone, settings, fields of contacts, consent, limits and retention, as a workspace has them.',
  params: z.object({ companyId: z.string() }),
  answer: jsonResponse('The company', z.object({ company: Values.openapi({ description: 'As a workspace has it' }), schema: Schema })),
  refusals: errorResponses,
  example: { path: { companyId: '1' } },
  handle({ params: { companyId } }, { records, companies }: Transfer) {
    requireOwn({ companies }, companyId);
    return records.company(companyId);
  },
});

const saveCompany = defineRoute({
  put: '/admin/v1/companies/{companyId}',
  operationId: 'saveCompany',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Changes what a company is, validated as in a workspace; its bots, people and workflows stay',
  description:
    'A field that is left out is removed: read it first. `plan`, `kind` and `limits` are changed by admins of all companies, `keepDays` by admins; others who leave them out keep them.',
  params: z.object({ companyId: z.string() }),
  body: closedBody('The company as a workspace has it, without its lists; its id may be left out', described.company),
  answer: jsonResponse('The company as it is stored', Values),
  refusals: bodyErrorResponses,
  example: { path: { companyId: '1' }, body: { name: 'Acme', plan: 'free', kind: 'self-service', timeZone: 'America/Lima', settings: {} } },
  async handle({ c, params: { companyId } }, { records, companies }: Transfer) {
    requireOwn({ companies }, companyId);
    const record = parseOptionalObject(await c.req.text());
    refuseOtherId('company', record['id'], companyId);
    noteAct(c, { companyId, after: { fields: Object.keys(record) } });
    try {
      return await records.putCompany(companyId, record, { only: companies.only, can: c.get('can') });
    } catch (error) {
      throw isHiloError(error, 'WORKSPACE_REFUSED') ? problemsRefused(error.details.problems) : error;
    }
  },
});

/** Workspaces and single records, where the service stores its companies itself. */
export const workspaceRoutes: readonly Route<Transfer>[] = [put, get, getCompany, saveCompany, listSome, putOne, removeOne];
