import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { Problem, said } from '../platform/http/openapi.ts';

const params = z.object({ functionId: z.string() });
const headers = z.object({
  'idempotency-key': z.string().max(256).optional().openapi({ description: 'Handed on to the function' }),
});
const Unauthorized = z.object({ error: z.literal('Unauthorized') }).openapi('UnauthorizedCall');
const Unexpected = z.object({ message: z.array(z.string()), statusMessage: z.string(), status: z.int() }).openapi('UnexpectedError');

const refusals = {
  400: said('The body is no JSON', Problem),
  401: said('Neither an API key as Authorization: Bearer nor a runtime token of this function as X-Service-Token', Unauthorized),
  404: said('The company has no such function', Problem),
  413: said(
    'The body is larger than 1 MB; or ANSWER_TOO_LARGE: what the function returned is larger than 1.2 MB, too deep, or has too many keys',
    Problem,
  ),
  429: said('Too many requests: see Retry-After', Problem),
  500: said('The function failed', Unexpected),
  503: said('The function was not called: see Retry-After', Problem),
};

/** Writes the routes of functions into the description of the interface. What goes in and out is the function's own. */
export function describeFunctions(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerComponent('securitySchemes', 'platformKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key of the company',
  });
  registry.registerComponent('securitySchemes', 'runtimeToken', { type: 'apiKey', in: 'header', name: 'X-Service-Token' });
  const security = [{ platformKey: [] }, { runtimeToken: [] }];
  const body = { content: { 'application/json': { schema: z.unknown() } } };
  const tags = ['Functions'];
  registry.registerPath({
    method: 'post',
    path: '/functions/{functionId}',
    tags,
    summary: 'Calls a deployed function with the body',
    security,
    request: { params, headers, body },
    responses: { 200: said('What the function returned', z.unknown()), ...refusals },
  });
  registry.registerPath({
    method: 'post',
    path: '/functions/{functionId}/mcp',
    tags,
    summary: 'The tools of a function, for clients of the Model Context Protocol (streamable HTTP)',
    security,
    request: { params, body },
    responses: { 200: said('A message of the protocol', z.unknown()), ...refusals },
  });
  registry.registerPath({
    method: 'get',
    path: '/functions/{functionId}/__health',
    tags,
    summary: 'Whether a function is deployed; needs no credential',
    request: { params },
    responses: { 200: said('It is', z.object({ status: z.literal('ok') })), 404: said('It is not', Problem) },
  });
}
