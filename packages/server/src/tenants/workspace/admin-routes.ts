import { noteAct } from '../../platform/http/acts.ts';
import { channelAdapters } from '@hilo/drivers';
import { z } from '@hono/zod-openapi';
import { defineRoute, type Route } from '../../platform/http/define-route.ts';
import { QueryChoice } from '../../platform/http/query.ts';
import { closedBody, ErrorBody, jsonResponse } from '../../platform/http/openapi.ts';
import { invalidRequest, notFound } from '../../platform/http/errors.ts';
import type { ImportProgress, ImportSummary } from './import-workspace.ts';
import { bodyErrorResponses, parseOptionalObject, problemsRefused, errorResponses, Values } from '../../platform/http/admin.ts';
import { outlineWorkspace } from './json-schema.ts';
import type { ImportOptions } from './prepare.ts';
import { type CompanyRecords, recordKinds } from './records.ts';
import type { WorkspaceSource } from './source.ts';
import { requireOwn, type Tenancy } from '../companies.ts';
import { type JsonObject, isHiloError } from '@hilo/engine/contract';

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
  /** Bots, users, templates and credentials one by one. */
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
    'Companies, bots, users, templates, credentials and workflows in one request, of the companies of the operator; the answer counts what changed, and warns of each workflow that was changed here since its last import.',
  query: ImportQuery,
  body: closedBody('What a workspace file holds, its canvases inside: it can name no file', described.workspace),
  streamsUpTo: maxWorkspaceBytes,
  answer: jsonResponse('The result of the import', Summary),
  refusals: bodyErrorResponses,
  example: { body: { companies: [{ id: 3, name: 'New shop', plan: 'free', bots: [], workflows: [] }] } },
  async handle({ c, query }, { importWorkspace, companies: { only } }: Transfer) {
    try {
      const overwrite = query.overwrite === 'true';
      return await importWorkspace({ bytes: c.req.raw.body ?? ReadableStream.from([]) }, undefined, { overwrite, only });
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
  handle: (_call, { exportWorkspace, companies }: Transfer) => exportWorkspace(companies.only),
});

const recordParams = z.object({ companyId: z.string(), kind: z.enum(recordKinds, `kind is ${recordKinds.join(', ')}`), id: z.string() });

const putOne = defineRoute({
  put: '/admin/v1/companies/{companyId}/{kind}/{id}',
  operationId: 'saveRecord',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Adds or replaces one bot, user, template or credential, validated as in a workspace; a secret that is left out stays unchanged',
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
    if (record['id'] !== undefined && record['id'] !== place.id)
      throw invalidRequest(`The record says another id than the path, which says "${place.id}": make them the same`);
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
  summary: 'Removes one bot, user, template or credential; its history stays',
  description: 'Refused while something still uses the record.',
  params: recordParams,
  answer: jsonResponse('The record was removed', z.object({ id: z.string() })),
  refusals: {
    ...errorResponses,
    409: jsonResponse('An execution, a template, a campaign or a published workflow uses it: nothing was removed', ErrorBody),
  },
  example: { path: { companyId: '1', kind: 'users', id: '51999000111' } },
  async handle({ params: place }, { records, companies }: Transfer) {
    requireOwn({ companies }, place.companyId);
    if (!(await records.remove(place)))
      throw notFound('RECORD_NOT_FOUND', `Company ${place.companyId} has no "${place.id}" among its ${place.kind}`);
    return { id: place.id };
  },
});

/** Workspaces and single records, where the service stores its companies itself. */
export const workspaceRoutes: readonly Route<Transfer>[] = [put, get, putOne, removeOne];
