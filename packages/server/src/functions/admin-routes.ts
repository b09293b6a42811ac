import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { HttpEnv } from '../platform/http/context.ts';
import { ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { notFound, HttpError } from '../platform/http/errors.ts';
import { CompanyQuery, errorResponses, Instant, formatInstant, Page } from '../platform/http/admin.ts';
import { requireCompany, type Tenancy } from '../tenants/companies.ts';
import type { Functions, RuntimeToken } from './functions.ts';

const Token = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string(),
    state: z.enum(['active', 'revoking', 'revoked']).openapi({ description: 'A token is refused once it is revoked, after the redeploy' }),
    lastUsedAt: Instant.nullable(),
    createdAt: Instant.nullable(),
  })
  .openapi('RuntimeToken');

const FunctionSummary = z.object({ companyId: z.string(), functionId: z.string(), name: z.string() }).openapi('FunctionSummary');

const address = '/functions/{functionId}/tokens';
const FunctionQuery = CompanyQuery.extend({
  companyId: CompanyQuery.shape.companyId.openapi({ description: 'Optional: the id of a function is unique among all companies' }),
});
const params = z.object({ functionId: z.string() });
const tags = ['Functions'];

const listFunctions = createRoute({
  method: 'get',
  path: '/functions',
  operationId: 'listFunctions',
  tags,
  summary: 'The deployed functions, of a company or of all, by id',
  description: 'Their ids, their names, and the companies that they belong to.',
  request: { query: FunctionQuery },
  responses: { 200: jsonResponse('Functions', Page(FunctionSummary)), ...errorResponses },
});

const list = createRoute({
  method: 'get',
  path: address,
  operationId: 'listFunctionTokens',
  tags,
  summary: 'The list of runtime tokens of a function, without the tokens themselves',
  description: 'What is listed here can be revoked by its id.',
  request: { params, query: FunctionQuery },
  responses: { 200: jsonResponse('Tokens', Page(Token)), ...errorResponses },
});

const create = createRoute({
  method: 'post',
  path: address,
  operationId: 'createFunctionToken',
  tags,
  summary: 'Always fails: runtime tokens are deprecated',
  description: 'It remains for older clients, which learn from the answer what to use instead.',
  deprecated: true,
  request: { params },
  responses: { 401: errorResponses[401], 410: jsonResponse('Gone: call functions with an API key', ErrorBody) },
});

const revoke = createRoute({
  method: 'post',
  path: `${address}/{tokenId}/revoke`,
  operationId: 'revokeFunctionToken',
  tags,
  summary: 'Revokes a token and deploys its function again; a revoked one stays as it is',
  description: 'Calls with the token are refused from then on; other tokens stay valid.',
  request: { params: params.extend({ tokenId: z.string() }), query: FunctionQuery },
  responses: { 200: jsonResponse('The token in its current state', Token), ...errorResponses },
});

/** Runtime tokens, as far as there still are some (TOK rules). */
export function tokenRoutes(app: OpenAPIHono<HttpEnv>, service: Tenancy, functions: Functions): void {
  const requireOwner = async (functionId: string, companyId: string | undefined): Promise<string> => {
    const owner = await functions.owner(functionId);
    if (owner === undefined || (companyId !== undefined && companyId !== owner))
      throw notFound('FUNCTION_NOT_FOUND', `There is no function "${functionId}"`);
    return owner;
  };

  app.openapi(listFunctions, async (c) => {
    const { companyId } = c.req.valid('query');
    const results = await functions.list(companyId === undefined ? undefined : requireCompany(service, companyId).id);
    return c.json({ results: [...results], nextCursor: null }, 200);
  });

  app.openapi(list, async (c) => {
    const { functionId } = c.req.valid('param');
    const tokens = (await functions.tokens(await requireOwner(functionId, c.req.valid('query').companyId), functionId)) ?? [];
    return c.json({ results: tokens.map(describeToken), nextCursor: null }, 200);
  });

  app.openapi(revoke, async (c) => {
    const { functionId, tokenId } = c.req.valid('param');
    const token = await functions.revoke(await requireOwner(functionId, c.req.valid('query').companyId), functionId, tokenId);
    if (token === undefined) throw notFound('TOKEN_NOT_FOUND', `Function "${functionId}" has no token "${tokenId}"`);
    return c.json(describeToken(token), 200);
  });

  app.openAPIRegistry.registerPath(create);
  // Gone for every request (TOK-02).
  app.post('/functions/:functionId/tokens', () => {
    throw new HttpError(410, 'GONE', 'Runtime tokens can no longer be created: call functions with an API key');
  });
}

const describeToken = ({ createdAtMs, lastUsedAtMs, ...token }: RuntimeToken): z.output<typeof Token> => ({
  ...token,
  lastUsedAt: lastUsedAtMs === null ? null : formatInstant(lastUsedAtMs),
  createdAt: createdAtMs === null ? null : formatInstant(createdAtMs),
});
