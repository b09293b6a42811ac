// What a canvas can be made of: the nodes and their schema, its check, and the names that it refers to.
import { setImmediate as turn } from 'node:timers/promises';
import { judgeCallers } from '@hilo/engine/authoring';
import type { Canvas, JsonObject, NodeDefinition, Problem } from '@hilo/engine/contract';
import { canvasSchema, type CatalogueEntry, nodeCatalogue } from '@hilo/nodes';
import { z } from '@hono/zod-openapi';
import { bodyErrorResponses, CanvasProblem, CompanyQuery, errorResponses, Page, Values } from '../platform/http/admin.ts';
import { permissions } from '../platform/http/context.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { acme, helloCanvas } from '../platform/http/example-requests.ts';
import { keepBody } from '../platform/http/kept-body.ts';
import { jsonBody, jsonResponse } from '../platform/http/openapi.ts';
import { onceForEach } from '../platform/once-for-each.ts';
import { shownWorkflow } from '../platform/shown-names.ts';
import { credentials as credentialTable } from '../platform/tables/companies.ts';
import { isHere, operators as operatorTable, teams as teamTable } from '../platform/tables/conversations.ts';
import { tags as tagTable } from '../platform/tables/tags.ts';
import { type Company, requireCompany } from '../tenants/companies.ts';
import { layTestSettings } from '../tenants/described-company.ts';
import { readOwn } from '../platform/canvas-work/canvas-tasks.ts';
import { wasStopped } from '../platform/canvas-work/canvas-work.ts';
import { refuseText } from './admin-routes.ts';
import { toolSources } from './tool-sources.ts';
import { findChecks, readDraftsPage, type WorkflowParts } from './workflows.ts';

const tags = ['Canvases'];

const validate = defineRoute({
  post: '/admin/v1/validate',
  operationId: 'validateCanvas',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'Checks a canvas as publishing would, and stores nothing',
  description: 'With a company, or if there is only one, the references to it and the limits of its channels are checked too.',
  query: CompanyQuery.extend({
    dialogues: z
      .enum(['true', 'false'])
      .optional()
      .openapi({ description: 'Whether errors that have a way are shown as conversations; takes up to 5 seconds' }),
  }),
  body: jsonBody('The bare canvas'),
  answer: jsonResponse('Every problem at once; ok when none is an error', z.object({ ok: z.boolean(), problems: z.array(CanvasProblem) })),
  refusals: bodyErrorResponses,
  example: { ...acme, body: helloCanvas },
  async handle({ c, query: { companyId, dialogues } }, service: WorkflowParts) {
    const isFor = companyId !== undefined || service.companies.all().length === 1 ? requireCompany(service, companyId) : undefined;
    const text = await c.req.text();
    const reading = await service.canvasWork.read(isFor?.id ?? '', text);
    for (const problem of reading.problems) refuseText(problem);
    const checks =
      reading.id === undefined || isFor === undefined
        ? { effects: service.effects, resolve: () => undefined }
        : await findChecks(service, isFor.id, { ...reading, id: reading.id });
    const own = wasStopped(reading.problems)
      ? reading.problems
      : await service.canvasWork.validate(isFor?.id ?? '', text, reading.references, checks);
    const isKnown = isFor !== undefined && reading.canvas !== undefined;
    const problems = isKnown ? [...own, ...(await judgeCallers(toolSources(service, isFor.id), readOwn(reading.canvas.json)))] : own;
    for (const problem of problems) refuseText(problem);
    const found =
      dialogues === 'true' && reading.canvas !== undefined ? await findDialogues(service, isFor, reading.canvas.json, problems) : [];
    const shown = problems.map((problem, index) => ({ ...problem, ...(found[index] !== undefined && { dialogue: found[index] }) }));
    return { ok: problems.every(({ severity }) => severity === 'warning'), problems: shown };
  },
});

/** The workflows that a canvas calls, and those that they call: as many run beside it at most. */
const maxCalled = 20;

/** Conversations that lead to the problems of a canvas, which runs for a company with the drafts that it calls. */
async function findDialogues(service: WorkflowParts, company: Company | undefined, json: string, problems: readonly Problem[]) {
  const called = new Map<string, string>();
  const open = company === undefined ? [] : listNamedWorkflows(readOwn(json));
  for (let id = open.shift(); id !== undefined && company !== undefined && called.size < maxCalled; id = open.shift()) {
    const draft = called.has(id) ? undefined : await service.store.canvases.draft(company.id, id);
    if (draft === undefined) continue;
    called.set(id, JSON.stringify(draft.canvas));
    open.push(...listNamedWorkflows(draft.canvas));
  }
  const tried = company && { ...company, settings: layTestSettings(company.settings) };
  return service.canvasWork.dialogues(company?.id ?? '', json, { others: [...called.values()], company: tried }, problems);
}

const listNamedWorkflows = ({ nodes }: Pick<Canvas, 'nodes'>): string[] =>
  nodes.flatMap(({ data }) => (typeof data['workflowId'] === 'string' ? [data['workflowId']] : []));

const NodeEntry = z.custom<CatalogueEntry>().openapi('NodeEntry', {
  type: 'object',
  description: 'How a node looks, its ports, and the JSON Schema of its data',
  required: ['type', 'label', 'category', 'icon', 'colour', 'description', 'formHints', 'schema'],
});

/** Made for the first request: JSON Schemas of all nodes take longer than the rest of a service's start. */
const describeNodes = onceForEach((nodes: readonly NodeDefinition[]) => ({
  catalogue: keepBody(() => JSON.stringify({ results: nodeCatalogue(nodes), nextCursor: null })),
  schema: keepBody(() => JSON.stringify(canvasSchema(nodes))),
}));

const nodes = defineRoute({
  get: '/admin/v1/nodes',
  operationId: 'listNodes',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'The catalogue: what a front end needs to draw the palette, a node and its form',
  description: 'It is the same for every company of this service.',
  answer: jsonResponse('Every node', Page(NodeEntry)),
  refusals: errorResponses,
  example: {},
  handle: ({ c }, service: Pick<WorkflowParts, 'nodes'>) =>
    describeNodes(service.nodes).catalogue.send(c, { 'content-type': 'application/json' }),
});

const schema = defineRoute({
  get: '/admin/v1/canvas.schema.json',
  operationId: 'getCanvasSchema',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'The JSON Schema of a canvas, for editors',
  description: 'It describes the form of every node; what one canvas refers to is checked by validation.',
  answer: jsonResponse('JSON Schema, draft 2020-12', Values),
  refusals: errorResponses,
  example: {},
  handle: ({ c }, service: Pick<WorkflowParts, 'nodes'>) =>
    describeNodes(service.nodes).schema.send(c, { 'content-type': 'application/json' }),
});

/** The types of nodes, and the problems that a canvas can have. */
export const catalogueRoutes: readonly Route<WorkflowParts>[] = [validate, nodes, schema];

/** More workflows than an author chooses from: the list of workflows has pages. */
const maxWorkflows = 500;

const Named = z.object({ id: z.string(), name: z.string() });

const Tool = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: Values.openapi({ description: 'JSON Schema of its inputs' }),
});

const CompanyFacts = z.object({
  name: z.string(),
  plan: z.string().openapi({ description: 'Its plan, which bounds how long a question waits' }),
  kind: z.enum(['self-service', 'enterprise']),
  timeZone: z.string().optional(),
  locale: z.string().optional(),
});

/** What an editor offers where a field names something of the company. */
export const listReferences = defineRoute({
  get: '/admin/v1/references',
  operationId: 'listReferences',
  auth: 'operator',
  permission: 'view',
  tags: ['Canvases'],
  summary: 'The names that canvases of a company can refer to: bots, templates, credentials, workflows …; no secrets',
  description: 'Editors offer them where a field of a node names something of the company.',
  query: CompanyQuery,
  answer: jsonResponse(
    'The names by kind',
    z.object({
      bots: z.array(Named.extend({ channel: z.string() })),
      templates: z.array(
        Named.extend({
          parameters: z.int().openapi({ description: 'How many places its body fills in' }),
          isApproved: z.boolean(),
          body: z.string().nullable(),
        }),
      ),
      credentials: z.array(Named.extend({ kind: z.string() })),
      workflows: z.array(Named.extend({ kind: z.enum(['skill', 'tool']), inputs: Values, outputs: Values })),
      functions: z.array(
        Named.extend({
          tools: z.array(Tool).openapi({ description: 'What it offers a model; none for a function that is called as a whole' }),
        }),
      ),
      tags: z.array(Named),
      teams: z.array(Named),
      operators: z.array(Named),
      settings: Values.nullable().openapi({
        description: 'What drafts read as `$company.settings`, those for tests before the others; null without the permission to edit',
      }),
      company: CompanyFacts.openapi({
        description: 'What else a test takes the company for: its plan and time zone decide what it waits for',
      }),
    }),
  ),
  refusals: errorResponses,
  example: acme,
  async handle({ c, query }, service: WorkflowParts) {
    const { companies, functions } = service;
    const { runner } = service.store;
    const { id: companyId, settings, name, plan, kind, timeZone, locale } = requireCompany(service, query.companyId);
    const [credentials, tags, teams, known] = await Promise.all([
      runner.read(credentialTable.all(companyId)),
      runner.read(tagTable.all(companyId)),
      runner.read(teamTable.all(companyId)),
      runner.read(operatorTable.all(companyId)),
    ]);
    const operators = known.filter(isHere);
    const named = ({ id, name }: { readonly id: number; readonly name: string }) => ({ id: String(id), name });
    return {
      bots: companies.bots(companyId).map(({ id, name, channel }) => ({ id, name, channel })),
      templates: companies.templates(companyId).map(({ id, elementName, status, body }) => ({
        id,
        name: elementName,
        parameters: new Set(body?.match(/\{\{[^{}]+\}\}/g)).size,
        isApproved: status === 'APPROVED',
        body: body ?? null,
      })),
      credentials: credentials.map(({ id, kind }) => ({ id, name: id, kind })),
      workflows: await describeWorkflows(service, companyId),
      functions: (await functions?.offers(companyId))?.map(({ functionId: id, name, tools }) => ({ id, name, tools: [...tools] })) ?? [],
      tags: tags.map(named),
      teams: teams.map(named),
      operators: operators.map(({ id, names }) => ({ id: String(id), name: names })),
      settings: (c.get('can') ?? permissions).includes('edit') ? layTestSettings(settings) : null,
      company: { name, plan, kind, ...(timeZone !== undefined && { timeZone }), ...(locale !== undefined && { locale }) },
    };
  },
});

async function describeWorkflows({ store }: Pick<WorkflowParts, 'store'>, companyId: string) {
  const { workflowIds } = await readDraftsPage(store, companyId, { limit: maxWorkflows });
  const workflows: { id: string; name: string; kind: 'skill' | 'tool'; inputs: JsonObject; outputs: JsonObject }[] = [];
  for (const id of workflowIds) {
    const draft = await store.canvases.draft(companyId, id);
    await turn(); // a canvas has up to 1 MB (P20)
    if (draft === undefined) continue;
    const { kind, settings } = draft.canvas;
    const { inputs = {}, outputs = {} } = settings;
    workflows.push({
      id,
      name: shownWorkflow(draft.canvas),
      kind,
      inputs: JSON.parse(JSON.stringify(inputs)) as JsonObject,
      outputs: JSON.parse(JSON.stringify(outputs)) as JsonObject,
    });
  }
  return workflows;
}
