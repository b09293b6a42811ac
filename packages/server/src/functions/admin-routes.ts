// Management of functions and their tokens.
import { z } from '@hono/zod-openapi';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { acme } from '../platform/http/example-requests.ts';
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

/** What these routes work with. */
type TokenParts = Tenancy & { readonly functions: Functions };

const FunctionQuery = CompanyQuery.extend({
  companyId: CompanyQuery.shape.companyId.openapi({ description: 'Optional: the id of a function is unique among all companies' }),
});
const params = z.object({ functionId: z.string() });
const tags = ['Functions'];

const listFunctions = defineRoute({
  get: '/admin/v1/functions',
  operationId: 'listFunctions',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'The deployed functions, of a company or of all, by id',
  description: 'Their ids, their names, and the companies that they belong to.',
  query: FunctionQuery,
  answer: jsonResponse('Functions', Page(FunctionSummary)),
  refusals: errorResponses,
  example: acme,
  async handle({ query: { companyId } }, service: TokenParts) {
    const { only } = service.companies;
    const all = await service.functions.list(companyId === undefined ? undefined : requireCompany(service, companyId).id);
    return { results: only === undefined ? [...all] : all.filter((one) => only.has(one.companyId)), nextCursor: null };
  },
});

const list = defineRoute({
  get: '/admin/v1/functions/{functionId}/tokens',
  operationId: 'listFunctionTokens',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'The list of runtime tokens of a function, without the tokens themselves',
  description: 'What is listed here can be revoked by its id.',
  params,
  query: FunctionQuery,
  answer: jsonResponse('Tokens', Page(Token)),
  refusals: errorResponses,
  example: { path: { functionId: 'fn_echo' }, ...acme },
  async handle({ params: { functionId }, query }, service: TokenParts) {
    const tokens = (await service.functions.tokens(await requireOwner(service, functionId, query.companyId), functionId)) ?? [];
    return { results: tokens.map(describeToken), nextCursor: null };
  },
});

const create = defineRoute({
  post: '/admin/v1/functions/{functionId}/tokens',
  operationId: 'createFunctionToken',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Always fails: runtime tokens are deprecated',
  description: 'It remains for older clients, which learn from the answer what to use instead.',
  deprecated: true,
  params,
  refusals: { 401: errorResponses[401], 410: jsonResponse('Gone: call functions with an API key', ErrorBody) },
  example: { path: { functionId: 'fn_echo' }, ...acme },
  handle() {
    throw new HttpError(410, 'GONE', 'Runtime tokens can no longer be created: call functions with an API key');
  },
});

const revoke = defineRoute({
  post: '/admin/v1/functions/{functionId}/tokens/{tokenId}/revoke',
  operationId: 'revokeFunctionToken',
  auth: 'operator',
  permission: 'operate',
  tags,
  summary: 'Revokes a token and deploys its function again; a revoked one stays as it is',
  description: 'Calls with the token are refused from then on; other tokens stay valid.',
  params: params.extend({ tokenId: z.string() }),
  query: FunctionQuery,
  answer: jsonResponse('The token in its current state', Token),
  refusals: errorResponses,
  example: { path: { functionId: 'fn_echo', tokenId: 'rt_1' }, ...acme },
  async handle({ params: { functionId, tokenId }, query }, service: TokenParts) {
    const token = await service.functions.revoke(await requireOwner(service, functionId, query.companyId), functionId, tokenId);
    if (token === undefined) throw notFound('TOKEN_NOT_FOUND', `Function "${functionId}" has no token "${tokenId}"`);
    return describeToken(token);
  },
});

/** Runtime tokens, as far as there still are some (TOK rules). */
export const tokenRoutes: readonly Route<TokenParts>[] = [listFunctions, list, revoke, create];

async function requireOwner(
  { functions, companies: { only } }: TokenParts,
  functionId: string,
  companyId: string | undefined,
): Promise<string> {
  const owner = await functions.owner(functionId);
  if (owner === undefined || (companyId !== undefined && companyId !== owner) || only?.has(owner) === false)
    throw notFound('FUNCTION_NOT_FOUND', `There is no function "${functionId}"`);
  return owner;
}

const describeToken = ({ createdAtMs, lastUsedAtMs, ...token }: RuntimeToken): z.output<typeof Token> => ({
  ...token,
  lastUsedAt: lastUsedAtMs === null ? null : formatInstant(lastUsedAtMs),
  createdAt: createdAtMs === null ? null : formatInstant(createdAtMs),
});
