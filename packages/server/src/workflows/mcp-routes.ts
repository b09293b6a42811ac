// The authoring server over HTTP: the tools by which a coding agent writes canvases, for an operator who gives it a token. Nothing is
// kept between requests. Each tool asks management as that operator, so that it can do nothing which the operator cannot.
import { randomUUID } from 'node:crypto';
import { parseJson } from '@hilo/engine';
import { HiloError, parseJsonText } from '@hilo/engine/contract';
import type { AuthoringBackend, CallBudget, McpHttpHandler } from '@hilo/mcp';
import { z } from '@hono/zod-openapi';
import type { Hono, MiddlewareHandler } from 'hono';
import { createBoundedMap } from '../platform/bounded-map.ts';
import { wasStopped } from '../platform/canvas-work/canvas-work.ts';
import type { SimulationWork } from '../platform/canvas-work/simulation-work.ts';
import { bodyErrorResponses, CompanyQuery } from '../platform/http/admin.ts';
import { type HttpEnv, type Operator, permissions } from '../platform/http/context.ts';
import { defineRoute } from '../platform/http/define-route.ts';
import { unauthorized } from '../platform/http/errors.ts';
import { acceptsStreams, addLibraryHeaders, answerWhole, escapeUnseenIn, refuseLongNames } from '../platform/http/mcp-messages.ts';
import { ErrorBody, jsonBody, jsonResponse } from '../platform/http/openapi.ts';
import { requireCompany } from '../tenants/companies.ts';
import type { WorkflowParts } from './workflows.ts';

/** An error of JSON-RPC. */
const RpcProblem = z.object({
  jsonrpc: z.literal('2.0').openapi({ description: 'The version of the protocol' }),
  id: z.union([z.string(), z.number(), z.null()]).optional().openapi({ description: 'Of the message, where it has one' }),
  error: z
    .object({
      code: z.int().openapi({ description: 'A code of JSON-RPC 2.0, such as -32600' }),
      message: z.string().openapi({ description: 'What is wrong with the message' }),
    })
    .openapi({ description: 'Why the message was not answered' }),
});

/** What the authoring server works with. */
type AuthoringParts = WorkflowParts & { readonly simulations: SimulationWork };

/** Opens the server for its first client: the library is loaded then. */
type OpenAuthoring = () => Promise<McpHttpHandler>;

/** Answers one message of a client. */
export const callAuthoringServer = defineRoute({
  post: '/admin/v1/mcp',
  operationId: 'callAuthoringServer',
  auth: 'operator',
  permission: 'view',
  tags: ['Canvases'],
  summary: 'The authoring server: tools of the Model Context Protocol for coding agents',
  description:
    'Streamable HTTP without sessions. It takes a token in Authorization, never a cookie, and each tool needs the permission that its routes need: docs/agents.md lists the tools.',
  query: CompanyQuery,
  body: jsonBody('A message of JSON-RPC 2.0'),
  answer: {
    description: 'A message of the protocol, or a stream with one, by the generation of the client',
    content: { 'application/json': { schema: z.unknown() }, 'text/event-stream': { schema: z.string() } },
  },
  also: { 202: { description: 'Only a notification was sent: it has no answer' } },
  refusals: {
    ...bodyErrorResponses,
    400: jsonResponse('The body is not JSON, or not a message of JSON-RPC 2.0', z.union([RpcProblem, ErrorBody])),
  },
  example: {
    query: { companyId: '1' },
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'validate', arguments: { workflowId: 'order-status' } } },
  },
  async handle(
    { c, query, operator: name },
    { companies, openAuthoring }: Pick<AuthoringParts, 'companies'> & { readonly openAuthoring: OpenAuthoring },
  ) {
    if (c.req.header('authorization') === undefined)
      throw unauthorized('The authoring server takes a token: Authorization: Bearer …', 'Bearer');
    const company = requireCompany({ companies }, query.companyId);
    const parsedBody = parseJson(await c.req.text());
    refuseLongNames(parsedBody);
    const handler = await openAuthoring();
    const answer = await handler.fetch(addLibraryHeaders(c.req.raw), {
      parsedBody,
      authInfo: {
        token: '',
        clientId: name,
        scopes: [...(c.get('can') ?? permissions)],
        extra: { companyId: company.id, origin: new URL(c.req.url).origin, requestId: c.get('requestId') },
      },
    });
    return escapeUnseenIn(acceptsStreams(c.req.raw) ? answer : await answerWhole(answer));
  },
});

/** @param createManagement - management whose routes are guarded by `asOperator` first, and then by their permissions */
export function createAuthoring(
  service: AuthoringParts,
  createManagement: (asOperator: MiddlewareHandler<HttpEnv>) => Hono<HttpEnv>,
): OpenAuthoring {
  let opened: Promise<McpHttpHandler> | undefined;
  return () => (opened ??= openServer(createManagement(asOperator), service));
}

/** Takes the operator whom the authoring server names with a request of its own. */
const asOperator: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const { operator, requestId = randomUUID() } = c.env;
  if (operator === undefined) throw unauthorized('Only the authoring server asks here');
  c.set('requestId', requestId);
  c.set('can', operator.can);
  c.set('reach', operator.reach);
  c.set('credential', operator.name);
  return next();
};

/** Clients whose calls are counted; the one that was quiet for longest is forgotten. */
const maxClients = 1_000;

async function openServer(management: Hono<HttpEnv>, service: AuthoringParts): Promise<McpHttpHandler> {
  const { createAuthoringServer, createCallBudget, createMcpHandler, openDocs } = await import('@hilo/mcp');
  const docs = openDocs();
  const budgets = createBoundedMap<CallBudget>(maxClients);
  return createMcpHandler(
    ({ authInfo }) => {
      const name = authInfo?.clientId ?? '';
      const companyId = String(authInfo?.extra?.['companyId']);
      const operator: Operator = {
        name,
        can: permissions.filter((one) => authInfo?.scopes.includes(one) === true),
        reach: new Set([companyId]),
      };
      const budget = budgets.get(name) ?? createCallBudget(() => service.clock.now());
      budgets.set(name, budget);
      return createAuthoringServer(askManagement(management, { operator, companyId, ...readAsked(authInfo?.extra) }), {
        can: operator.can,
        nodes: service.nodes,
        docs,
        budget,
        simulate: (task) => service.simulations.simulate(companyId, task),
        async draw(canvas) {
          const drawn = await service.canvasWork.draw(companyId, canvas);
          if ('svg' in drawn) return drawn;
          throw new HiloError('INVALID_CANVAS', { workflowId: 'that is drawn', problems: [drawn.problem] });
        },
        async calledBy(canvas) {
          const { references, problems } = await service.canvasWork.read(companyId, JSON.stringify(canvas));
          if (wasStopped(problems)) throw new HiloError('INVALID_CANVAS', { workflowId: 'that is played', problems });
          return references.flatMap(({ kind, id }) => (kind === 'workflow' ? [id] : []));
        },
        onError: (error, id) => service.log.error({ error, id, companyId }, 'A tool of the authoring server failed'),
        createId: randomUUID,
      });
    },
    {
      maxSubscriptions: 1,
      onerror: (error) => service.log.warn({ error: error.message }, 'A message of an authoring client was not answered'),
    },
  );
}

interface Asker {
  readonly operator: Operator;
  readonly companyId: string;
  readonly origin: string;
  /** What a tool changes is on record under the request of the client. */
  readonly requestId: string;
}

const readAsked = (extra: { readonly [name: string]: unknown } = {}) => ({
  origin: String(extra['origin']),
  requestId: String(extra['requestId']),
});

/** Each request names the company of the client, whatever a tool was given. */
const askManagement = (management: Hono<HttpEnv>, { operator, companyId, origin, requestId }: Asker): AuthoringBackend => ({
  async ask({ method, path, body, headers }, via) {
    const url = new URL(`${origin}/admin/v1${path}`);
    url.searchParams.set('companyId', companyId);
    const isText = typeof body === 'string';
    const response = await management.request(
      url.href,
      {
        method,
        headers: { ...(body !== undefined && { 'content-type': isText ? 'text/plain' : 'application/json' }), ...headers },
        ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
      },
      { operator: { ...operator, name: `${operator.name} via ${via}` }, requestId },
    );
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, body: isJson ? parseJsonText(text) : text };
  },
});
