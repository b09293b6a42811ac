// Admin tokens and users over HTTP. Nobody grants more than they have: neither a permission nor a company.
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { noteAct } from '../platform/http/acts.ts';
import { bodyErrorResponses, companyNotFound, errorResponses, formatInstant, Instant, Page, parseBody } from '../platform/http/admin.ts';
import { type HttpEnv, permissions } from '../platform/http/context.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { type FieldErrors, HttpError, invalidFields, notFound, unavailable } from '../platform/http/errors.ts';
import { closedBody, ErrorBody, jsonResponse } from '../platform/http/openapi.ts';
import { asSeen } from '../platform/shown-names.ts';
import type { Tenancy } from '../tenants/companies.ts';
import type { Account, Accounts, Grant } from './accounts.ts';
import { listPermissions, roleNames } from './roles.ts';

/** What these routes work with. */
export type AccessParts = Tenancy & {
  readonly accounts: Accounts;
  /** The address that login links begin with, without a slash at its end. */
  readonly publicUrl: { get(): string };
};

const role = z.enum(roleNames);
const shown = {
  name: z.string(),
  roles: z.array(role).openapi({ description: 'What it may do: docs/access.md has the permissions of each' }),
  companies: z.union([z.literal('all'), z.array(z.string())]).openapi({ description: 'The ids of its companies, or all' }),
  createdAt: Instant,
  lastUsedAt: Instant.nullable().openapi({ description: 'To the minute; null where it never was' }),
};
const Token = z
  .object({
    id: z.string(),
    ...shown,
    prefix: z.string().openapi({ description: 'The first characters, to recognise it by' }),
    revokedAt: Instant.nullable().openapi({ description: 'Since when it is refused; null where it is good' }),
  })
  .openapi('AdminToken');
const User = z
  .object({
    ...shown,
    grants: z
      .array(z.object({ roles: shown.roles, companies: shown.companies }))
      .optional()
      .openapi({ description: 'Where the roles differ: those of each company, as groups of an OpenID provider give them' }),
  })
  .openapi('ServiceUser');

const roleRule = `roles lists one or more of ${roleNames.join(', ')}`;
const companiesRule = 'companies is "all", or lists one or more ids of companies as texts';
const once = <Item>(given: readonly Item[]): readonly Item[] => [...new Set(given)];
const grantFields = {
  roles: z.array(z.enum(roleNames, roleRule), roleRule).min(1, roleRule).transform(once),
  companies: z.union([z.literal('all'), z.array(z.string().min(1)).min(1).transform(once)], companiesRule),
};
const GrantBody = z.object(grantFields);
const TokenBody = z.object({
  name: asSeen('name', z.string('name is a text').trim().min(1, 'name is empty').max(100, 'name is longer than 100 characters')),
  ...grantFields,
});
const grantSchema = {
  roles: { type: 'array', minItems: 1, items: { enum: [...roleNames] }, description: 'What it may do' },
  companies: {
    description: 'The ids of its companies, or all',
    oneOf: [
      { type: 'string', enum: ['all'] },
      { type: 'array', minItems: 1, items: { type: 'string' } },
    ],
  },
} as const;

const describeGrant = ({ roles, companies }: Grant) => ({
  roles: [...roles],
  companies: companies === 'all' ? companies : [...companies],
});
const describe = ({ name, grants, createdAtMs, lastUsedAtMs, ...grant }: Account) => ({
  name,
  ...describeGrant(grant),
  ...(grants !== undefined && { grants: grants.map(describeGrant) }),
  createdAt: formatInstant(createdAtMs),
  lastUsedAt: lastUsedAtMs === null ? null : formatInstant(lastUsedAtMs),
});
const describeToken = (account: Account): z.output<typeof Token> => ({
  id: account.id,
  ...describe(account),
  prefix: account.prefix ?? '',
  revokedAt: account.revokedAtMs === null ? null : formatInstant(account.revokedAtMs),
});

/** Whether an account has no company that the operator of the request has not: others are unknown to them. */
const isWithin = ({ companies: { only } }: Tenancy, { companies }: Grant): boolean =>
  only === undefined || (companies !== 'all' && companies.every((id) => only.has(id)));

/** The parts of a grant that the operator of the request lacks, by field; undefined where they have all of it. */
function findExcess(c: Context<HttpEnv>, service: Tenancy, grant: Grant): FieldErrors | undefined {
  const own = c.get('can') ?? permissions;
  const more = listPermissions(grant.roles).filter((permission) => !own.includes(permission));
  if (more.length > 0) return { roles: [`nobody grants what they may not do: ${c.get('credential')} may not ${more.join(', ')}`] };
  if (!isWithin(service, grant)) return { companies: ['nobody grants more companies than they have: name some of yours'] };
  return undefined;
}

/**
 * Judges what somebody is to be granted.
 *
 * @throws {HttpError} 404 for a company that is unknown to the operator, 422 for more than they have
 */
function checkGrant(c: Context<HttpEnv>, service: Tenancy, grant: Grant): Grant {
  const unknown = grant.companies === 'all' ? undefined : grant.companies.find((id) => service.companies.company(id) === undefined);
  if (unknown !== undefined) throw companyNotFound(unknown);
  const excess = findExcess(c, service, grant);
  if (excess !== undefined) throw invalidFields(excess);
  return grant;
}

/** The company of an act, where it is of one. */
const companyOf = ({ companies }: Grant): string | undefined => (companies !== 'all' && companies.length === 1 ? companies[0] : undefined);

const noteGrant = ({ roles, companies }: Grant) => ({ roles: [...roles], companies: companies === 'all' ? 'all' : [...companies] });

const listTokens = defineRoute({
  get: '/admin/v1/tokens',
  operationId: 'listAdminTokens',
  auth: 'operator',
  permission: 'admin',
  tags: ['Access'],
  summary: 'Admin tokens without the tokens themselves, the oldest first',
  description: 'Those whose companies the operator has. HILO_ADMIN_TOKEN is not among them: it is a setting of the service.',
  answer: jsonResponse('Tokens', Page(Token)),
  refusals: errorResponses,
  example: {},
  async handle(_call, service: AccessParts) {
    const all = await service.accounts.list('token');
    return { results: all.filter((one) => isWithin(service, one)).map(describeToken), nextCursor: null };
  },
});

const addToken = defineRoute({
  post: '/admin/v1/tokens',
  operationId: 'addAdminToken',
  auth: 'operator',
  permission: 'admin',
  tags: ['Access'],
  summary: 'Makes an admin token with a name, roles and companies',
  description: 'The token is in this answer and nowhere else: a hash of it is kept.',
  body: closedBody('What it is for, what it may do, and for which companies', {
    type: 'object',
    required: ['name', 'roles', 'companies'],
    properties: { name: { type: 'string', maxLength: 100 }, ...grantSchema },
  }),
  answer: jsonResponse('The token', Token.extend({ token: z.string() })),
  refusals: { ...bodyErrorResponses, 409: jsonResponse('There are as many as there may be: revoke one first', ErrorBody) },
  example: { body: { name: 'ci', roles: ['publisher'], companies: ['1'] } },
  async handle({ c }, service: AccessParts) {
    const { name, ...grant } = parseBody(TokenBody, await c.req.text());
    checkGrant(c, service, grant);
    const { account, token } = await service.accounts.addToken(name, grant);
    noteAct(c, { companyId: companyOf(grant), kind: 'token', id: account.id, after: { name, ...noteGrant(grant) } });
    return { ...describeToken(account), token };
  },
});

const revokeToken = defineRoute({
  post: '/admin/v1/tokens/{adminTokenId}/revoke',
  operationId: 'revokeAdminToken',
  auth: 'operator',
  permission: 'admin',
  tags: ['Access'],
  summary: 'Revokes an admin token; a revoked one stays as it is',
  description: 'Its next request is refused, and so are sessions that it began.',
  params: z.object({ adminTokenId: z.string() }),
  answer: jsonResponse('The token in its current state', Token),
  refusals: errorResponses,
  example: { path: { adminTokenId: 'TOKEN_ID' } },
  async handle({ c, params: { adminTokenId: tokenId } }, service: AccessParts) {
    const found = await service.accounts.token(tokenId);
    if (found === undefined || !isWithin(service, found)) throw notFound('TOKEN_NOT_FOUND', `There is no admin token "${tokenId}"`);
    noteAct(c, { companyId: companyOf(found), kind: 'token', before: { name: found.name, ...noteGrant(found) } });
    return describeToken((await service.accounts.revokeToken(tokenId)) ?? found);
  },
});

const listUsers = defineRoute({
  get: '/admin/v1/users',
  operationId: 'listServiceUsers',
  auth: 'operator',
  permission: 'admin',
  tags: ['Access'],
  summary: 'The users of the service, who log in by a link, in the order in which they were added',
  description: 'Those whose companies the operator has.',
  answer: jsonResponse('Users', Page(User)),
  refusals: errorResponses,
  example: {},
  async handle(_call, service: AccessParts) {
    const all = await service.accounts.list('user');
    return { results: all.filter((one) => isWithin(service, one)).map(describe), nextCursor: null };
  },
});

const userParams = z.object({ userName: z.string() });
const examplePath = { path: { userName: 'maria' } };
const namePattern = /^(?!.{0,99}\p{Default_Ignorable_Code_Point})[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,99}$/u;

/** The user of a path. @throws {HttpError} 404, also for one with companies that the operator has not */
async function requireUser(service: AccessParts, name: string): Promise<Account> {
  const user = await service.accounts.user(name);
  if (user === undefined || !isWithin(service, user)) throw notFound('USER_NOT_FOUND', `There is no user "${name}" of the service`);
  return user;
}

/** How often an act upon a user is judged again, since somebody else changed them in between. */
const maxAttempts = 10;

/**
 * Does an act upon a user that was judged by what the user may do, while that is still so.
 *
 * @param act - judges and does it; `undefined` where the user is another by now
 */
async function judgedAgain<Outcome>(userName: string, act: () => Promise<Outcome | undefined>): Promise<Outcome> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const outcome = await act();
    if (outcome !== undefined) return outcome;
  }
  throw unavailable(`The user "${userName}" is changed by many requests at once; send this again in a moment`);
}

const saveUser = defineRoute({
  put: '/admin/v1/users/{userName}',
  operationId: 'saveServiceUser',
  auth: 'operator',
  permission: 'admin',
  tags: ['Access'],
  summary: 'Adds a user of the service, or changes their roles and companies',
  description: 'Who is logged in has the new ones with the next request. A login link is asked for separately.',
  params: userParams,
  body: closedBody('What they may do, and for which companies', {
    type: 'object',
    required: ['roles', 'companies'],
    properties: grantSchema,
  }),
  answer: jsonResponse('The user', User),
  refusals: {
    ...bodyErrorResponses,
    409: jsonResponse('Somebody of other companies has the name, or there are as many users as there may be', ErrorBody),
  },
  example: { ...examplePath, body: { roles: ['editor'], companies: ['1'] } },
  async handle({ c, params: { userName } }, service: AccessParts) {
    if (!namePattern.test(userName))
      throw invalidFields({ userName: ['a name has up to 100 letters, digits and . _ @ + -, a letter or digit first'] });
    const grant = checkGrant(c, service, parseBody(GrantBody, await c.req.text()));
    const { before, saved } = await judgedAgain(userName, async () => {
      const known = await service.accounts.user(userName);
      if (known !== undefined && !isWithin(service, known))
        throw new HttpError(409, 'NAME_TAKEN', `The name "${userName}" is taken: choose another`);
      const account = await service.accounts.changeUser(userName, grant, known);
      return account && { before: known, saved: account };
    });
    noteAct(c, {
      companyId: companyOf(grant),
      kind: 'user',
      ...(before !== undefined && { before: noteGrant(before) }),
      after: noteGrant(grant),
    });
    return describe(saved);
  },
});

const removeUser = defineRoute({
  delete: '/admin/v1/users/{userName}',
  operationId: 'deleteServiceUser',
  auth: 'operator',
  permission: 'admin',
  tags: ['Access'],
  summary: 'Removes a user of the service; their sessions and links end',
  description: 'What they have done stays on record under their name.',
  params: userParams,
  answer: jsonResponse('The user was removed', z.object({ name: z.string() })),
  refusals: errorResponses,
  example: examplePath,
  async handle({ c, params: { userName } }, service: AccessParts) {
    const user = await judgedAgain(userName, async () => {
      const known = await requireUser(service, userName);
      return (await service.accounts.removeUser(known)) ? known : undefined;
    });
    noteAct(c, { companyId: companyOf(user), kind: 'user', before: noteGrant(user) });
    return { name: userName };
  },
});

const makeLink = defineRoute({
  post: '/admin/v1/users/{userName}/login-link',
  operationId: 'makeLoginLink',
  auth: 'operator',
  permission: 'admin',
  tags: ['Access'],
  summary: 'Makes a link that logs a user in to the studio: once, within 24 hours',
  description: 'Whoever has the link is let in as that user. A session lasts twelve hours; then another link is needed.',
  params: userParams,
  answer: jsonResponse('The link', z.object({ url: z.string(), expiresAt: Instant })),
  refusals: errorResponses,
  example: examplePath,
  async handle({ c, params: { userName } }, service: AccessParts) {
    const { code, untilMs } = await judgedAgain(userName, async () => {
      const user = await requireUser(service, userName);
      if (findExcess(c, service, user) !== undefined)
        throw new HttpError(403, 'FORBIDDEN', `Whoever has the link may do what "${userName}" may, which is more than you may`);
      noteAct(c, { companyId: companyOf(user), kind: 'user' });
      return service.accounts.makeLink(user);
    });
    return { url: `${service.publicUrl.get()}/studio/#login=${code}`, expiresAt: formatInstant(untilMs) };
  },
});

/** Who else may manage the service. */
export const accessRoutes: readonly Route<AccessParts>[] = [listTokens, addToken, revokeToken, listUsers, saveUser, makeLink, removeUser];
