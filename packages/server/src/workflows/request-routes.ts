// The call of an API node, made once and outside of any conversation, so that its author sees what the other system answers.
import { type BoundDriver, isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { visit } from '@hilo/simulator';
import { z } from '@hono/zod-openapi';
import { bodyErrorResponses, CompanyQuery, parseBody, Value } from '../platform/http/admin.ts';
import { noteAct } from '../platform/http/acts.ts';
import { defineRoute } from '../platform/http/define-route.ts';
import { HttpError, invalidFields } from '../platform/http/errors.ts';
import { closedBody, jsonResponse } from '../platform/http/openapi.ts';
import { inWords } from '../platform/in-words.ts';
import { requireCompany } from '../tenants/companies.ts';
import { describeCompany } from '../tenants/described-company.ts';
import type { WorkflowParts } from './workflows.ts';

/** Makes calls as canvases do: to public addresses alone, with the credentials of a company. */
export interface Requests {
  send(companyId: string, request: Json): Promise<Json>;
}

/** @param drivers - of the effects of all nodes */
export const createRequests = (drivers: readonly BoundDriver[], newKey: () => string, now: () => number): Requests => ({
  async send(companyId, request) {
    const driver = drivers.findLast(({ effect }) => effect.type === 'http.request');
    if (driver === undefined) throw new HttpError(409, 'NO_HTTP', 'This service makes no calls over HTTP');
    const idempotencyKey = newKey();
    const result = await driver.perform(request as never, {
      idempotencyKey,
      executionId: idempotencyKey,
      nodeId: '',
      attempt: 1,
      origin: { companyId, route: 'test' },
      contact: undefined,
      nowMs: now(),
      signal: new AbortController().signal,
    });
    return driver.effect.result.parse(result) as Json;
  },
});

const isObject = (value: unknown): boolean => isJsonObject(value as Json);
const RequestBody = z.strictObject({
  data: z.custom<JsonObject>(isObject, { error: 'data is the data of an API node, an object' }),
  variables: z.custom<JsonObject>(isObject, { error: 'variables is an object with scopes such as $context' }).default({}),
});

const Response = z.object({
  status: z.int().openapi({ example: 200 }),
  headers: z.record(z.string(), z.string()).openapi({ description: 'By name, in small letters' }),
  body: Value.openapi({ example: { status: 'sent' } }),
});

/** Makes the call. */
export const sendRequest = defineRoute({
  post: '/admin/v1/requests',
  operationId: 'sendRequest',
  auth: 'operator',
  permission: 'operate',
  tags: ['Canvases'],
  summary: 'Makes the call of an API node once, outside of any conversation',
  description:
    'The call is real. It goes out as those of canvases do: to public addresses alone, with the credentials of the company and within the time of its plan. Nothing of it is kept but who made it, and to where.',
  query: CompanyQuery,
  body: closedBody('The data of the node, and what its expressions read', {
    type: 'object',
    required: ['data'],
    properties: {
      data: { type: 'object', additionalProperties: true, description: 'As the canvas has it' },
      variables: { type: 'object', additionalProperties: true, description: 'By scope, such as {"$context": {"order": "A-17"}}' },
    },
  }),
  answer: jsonResponse(
    'What the node would do with the answer',
    z.object({
      method: z.string().nullable().openapi({ description: 'null where no call could be made', example: 'GET' }),
      url: z.string().nullable().openapi({ example: 'https://shop.example.com/orders/A-17' }),
      port: z.string().openapi({ description: 'By which it leaves', example: 'success' }),
      response: Response.nullable().openapi({ description: 'null where no answer came' }),
      failure: z
        .object({ cause: z.string(), message: z.string() })
        .nullable()
        .openapi({ description: 'Why it leaves by error; null where it does not' }),
    }),
  ),
  refusals: bodyErrorResponses,
  example: {
    query: { companyId: '1' },
    body: { data: { url: 'https://shop.example.com/orders/{{$context.order}}' }, variables: { $context: { order: 'A-17' } } },
  },
  async handle({ c, query }, { companies, nodes, requests }: Pick<WorkflowParts, 'companies' | 'nodes'> & { readonly requests: Requests }) {
    const company = requireCompany({ companies }, query.companyId);
    const { data, variables } = parseBody(RequestBody, await c.req.text());
    const node = nodes.find(({ type }) => type === 'api');
    if (node === undefined) throw new HttpError(409, 'NO_HTTP', 'This service has no API node');
    const checked = node.config.safeParse(data, { error: inWords });
    if (!checked.success) throw invalidFields({ data: checked.error.issues.map(({ message }) => message) });
    const given = { config: data, variables: { ...variables, $company: describeCompany(company, { isDraft: true }) } };
    const asked = attempt(() => visit(node, given));
    const [effect] = asked.effects;
    noteAct(c, { companyId: company.id, after: { url: describeUrl(effect?.request)?.split(/[?#]/, 1)[0] ?? null } });
    if (effect === undefined)
      return { method: null, url: null, port: asked.by ?? 'error', response: null, failure: describeFailure(asked.failure) };
    const result = await requests.send(company.id, effect.request);
    const visited = attempt(() => visit(node, { ...given, results: [result] }));
    const { method } = isJsonObject(effect.request) ? effect.request : {};
    return {
      method: typeof method === 'string' ? method : null,
      url: describeUrl(effect.request),
      port: visited.by ?? 'error',
      response: readResponse(result),
      failure: describeFailure(visited.failure),
    };
  },
});

/** @throws {HttpError} 422 for an expression that fails */
function attempt<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw invalidFields({ data: [error.message] });
    throw error;
  }
}

const describeUrl = (request: Json | undefined): string | null =>
  request !== undefined && isJsonObject(request) && typeof request['url'] === 'string' ? request['url'] : null;

const describeFailure = (failure: { readonly cause: string; readonly message: string } | undefined) =>
  failure === undefined ? null : { cause: failure.cause, message: failure.message };

function readResponse(result: Json): z.output<typeof Response> | null {
  const response = isJsonObject(result) ? result['response'] : undefined;
  const read = Response.safeParse(response);
  return read.success ? read.data : null;
}
