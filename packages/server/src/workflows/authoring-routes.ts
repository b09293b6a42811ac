// The routes that editors call: who they are, who is in a version, differences and descriptions.
import type { CanvasDiff, DescribedNode } from '@hilo/engine/authoring';
import type { Canvas } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import { permissions } from '../platform/http/context.ts';
import { grantForRequest } from '../platform/http/auth/require-permission.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { acme, helloCanvas, orderStatus } from '../platform/http/example-requests.ts';
import { jsonBody, jsonResponse } from '../platform/http/openapi.ts';
import { notFound } from '../platform/http/errors.ts';
import { QueryText } from '../platform/http/query.ts';
import { httpLimits } from '../platform/http/limits.ts';
import { maxTranscripts } from '../platform/database/transcripts.ts';
import { requireCompany } from '../tenants/companies.ts';
import { wasStopped } from '../platform/canvas-work/canvas-work.ts';
import { findChecks, requireDraftOwner, type WorkflowParts } from './workflows.ts';
import { CompanyQuery, WorkflowQuery, bodyErrorResponses, errorResponses, CanvasProblem, formatInstant } from '../platform/http/admin.ts';

const params = z.object({ workflowId: z.string() });
const tags = ['Workflows'];

const Described = z.custom<DescribedNode>().openapi({ type: 'object', required: ['nodeId', 'ports', 'always', 'sometimes'] });

/** Of any form, for the description of the interface. */
const Difference = z.custom<CanvasDiff>().openapi({ type: 'object', additionalProperties: true });

const me = defineRoute({
  get: '/admin/v1/me',
  operationId: 'getOperator',
  auth: 'operator',
  permission: 'view',
  forAnswering: true,
  tags: ['Management'],
  summary: 'The operator of the request, their permissions and companies',
  description: 'What a front end needs at its start: what to show, and the limits of what may be sent.',
  answer: jsonResponse(
    'The operator',
    z.object({
      name: z.string(),
      can: z.array(z.string()),
      companies: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          can: z
            .array(z.string())
            .optional()
            .openapi({ description: 'What they may do in this company, where that is not the same everywhere' }),
        }),
      ),
      limits: z.object({ bodyBytes: z.int(), transcripts: z.int() }),
    }),
  ),
  refusals: errorResponses,
  example: {},
  handle({ c, operator: name }, { companies }: Pick<WorkflowParts, 'companies'>) {
    const grants = c.get('grants');
    const canIn = (id: string) => (grants === undefined ? {} : { can: [...grantForRequest(grants, () => true, id).can] });
    const can = grants?.flatMap((grant) => grant.can) ?? c.get('can') ?? permissions;
    return {
      name,
      can: permissions.filter((permission) => can.includes(permission)),
      companies: companies.all().map(({ id, name: called }) => ({ id, name: called, ...canIn(id) })),
      limits: { bodyBytes: httpLimits.bodyBytes, transcripts: maxTranscripts },
    };
  },
});

const population = defineRoute({
  get: '/admin/v1/workflows/{workflowId}/population',
  operationId: 'getPopulation',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'The number of executions in each version, by node',
  description: 'Shows which versions still have executions, and at which node they wait since when.',
  params,
  query: WorkflowQuery,
  answer: jsonResponse(
    'By version; the draft, on the test route, is left out',
    z.object({
      versions: z.array(
        z.object({
          version: z.int(),
          running: z.int(),
          waiting: z.int(),
          quarantined: z.int(),
          nodes: z.array(z.object({ nodeId: z.string(), waiting: z.int(), oldest: z.string().openapi({ format: 'date-time' }) })),
        }),
      ),
    }),
  ),
  refusals: errorResponses,
  example: { path: orderStatus, ...acme },
  async handle({ params: { workflowId }, query }, service: WorkflowParts) {
    const companyId = await requireDraftOwner(service, query.companyId, workflowId);
    const found = await service.engine.company(companyId).population(workflowId);
    const versions = found.flatMap(({ version, nodes, ...counts }) => {
      if (version === 'draft') return [];
      return [{ version, ...counts, nodes: nodes.map(({ oldestMs, ...node }) => ({ ...node, oldest: formatInstant(oldestMs) })) }];
    });
    return { versions };
  },
});

const diff = defineRoute({
  get: '/admin/v1/workflows/{workflowId}/diff',
  operationId: 'compareVersions',
  auth: 'operator',
  permission: 'view',
  tags,
  summary: 'The differences between two versions, except layout',
  description: 'Either side may be the draft; `to` is the draft where it is left out.',
  params,
  query: WorkflowQuery.extend({ from: QueryText('from', 32), to: QueryText('to', 32).default('draft') }),
  answer: jsonResponse('Nodes, edges and settings that differ', Difference),
  refusals: errorResponses,
  example: { path: orderStatus, query: { ...acme.query, from: '1' } },
  async handle({ params: { workflowId }, query: { companyId: given, from, to } }, service: WorkflowParts) {
    const { canvases } = service.store;
    const companyId = await requireDraftOwner(service, given, workflowId);
    const requireCanvas = async (name: string): Promise<Canvas> => {
      const found =
        name === 'draft'
          ? await canvases.draft(companyId, workflowId)
          : /^[1-9]\d{0,8}$/.test(name)
            ? await canvases.version(companyId, workflowId, Number(name))
            : undefined;
      if (found === undefined) throw notFound('VERSION_NOT_FOUND', `Workflow "${workflowId}" has no version ${name}; "draft" is its draft`);
      return found.canvas;
    };
    return await service.canvasWork.diff(companyId, await requireCanvas(from), await requireCanvas(to));
  },
});

const describe = defineRoute({
  post: '/admin/v1/describe',
  operationId: 'describeCanvas',
  auth: 'operator',
  permission: 'view',
  tags: ['Canvases'],
  summary: 'The data that an editor shows for each node of a canvas, and its problems; stores nothing',
  description: 'The canvas is that of the body: an editor asks while its author still types.',
  query: CompanyQuery,
  body: jsonBody('The bare canvas'),
  answer: jsonResponse('Summaries, ports and variables by node', z.object({ nodes: z.array(Described), problems: z.array(CanvasProblem) })),
  refusals: bodyErrorResponses,
  example: { ...acme, body: helloCanvas },
  async handle({ c, query: { companyId } }, service: WorkflowParts) {
    const { companies } = service;
    const isFor = companyId !== undefined || companies.all().length === 1 ? requireCompany(service, companyId) : undefined;
    const text = await c.req.text();
    const holder = isFor?.id ?? '';
    const reading = await service.canvasWork.read(holder, text);
    if (wasStopped(reading.problems)) return { nodes: [], problems: [...reading.problems] };
    const isChecked = isFor !== undefined && reading.canvas !== undefined && reading.id !== undefined;
    const checks = isChecked ? await findChecks(service, isFor.id, { ...reading, id: reading.id }) : {};
    const described = await service.canvasWork.describe(holder, text, reading.references, checks);
    return c.body(described, 200, { 'content-type': 'application/json' });
  },
});

/** What the editor shows besides drafts and versions: the operator, the population of a workflow, differences and descriptions. */
export const authoringRoutes: readonly Route<WorkflowParts>[] = [me, population, diff, describe];
