// A route as one value: its address, who may call it, what it takes and answers, an example, and its handler. From it come the routing,
// the authentication and the permission, the judging of the request, and the description of the interface.
import type { RouteConfig } from '@hono/zod-openapi';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { boundIssues } from '../bound-issues.ts';
import { type HttpEnv, type Permission, permissions } from './context.ts';
import { nameOperator } from './acts.ts';
import { HttpError, invalidInput, notFound } from './errors.ts';
import { type BodyContent, ErrorBody, type JsonContent, jsonResponse, type OtherContent } from './openapi.ts';

/** An example request of a route, with the names of `examples/workspace`; values of earlier answers are placeholders in capitals. */
export interface RouteExample {
  /** Path parameters by name, URL-encoded. */
  readonly path?: { readonly [name: string]: string };
  readonly query?: { readonly [name: string]: string };
  /** Beside those of the credential and the body. */
  readonly headers?: { readonly [name: string]: string };
  /** The content type of the body, where the description leaves it open. */
  readonly contentType?: string;
  /** Of methods that take one: a value that is sent as JSON, or a text as it is. */
  readonly body?: unknown;
}

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const;
export type Method = (typeof methods)[number];

/**
 * Who may call a route, with the security schemes of the document. Those of operators are added to the description as a whole, so that a
 * part of the service that is mounted alone names no scheme that it does not check.
 */
const schemes = {
  /** An operator with the permission of the route. */
  operator: undefined,
  /** A company, by the id and secret of a client. */
  basic: [{ basic: [] }],
  /** A company, by an API key. */
  apiKey: [{ apiKey: [] }],
  /** The caller of a function, by an API key or a token of the function. */
  caller: [{ platformKey: [] }, { runtimeToken: [] }],
  /** An operator, whatever their permissions are. */
  anyOperator: undefined,
  /** A provider of a channel, by its signature. */
  provider: [{ providerSignature: [] }],
  /** A provider of payments, by its signature. */
  payments: [{ stripeSignature: [] }],
  /** A visitor of the chat, by a token. */
  visitor: [{ visitor: [] }],
  /** A visitor of the chat, who gets a token where they have none. */
  newVisitor: [{}, { visitor: [] }],
  /** Anybody who knows the address. */
  address: [],
  /** Anybody. */
  nobody: undefined,
} as const satisfies { readonly [auth: string]: readonly { readonly [scheme: string]: readonly string[] }[] | undefined };
export type Auth = keyof typeof schemes;

/** Answers by status, as the description has them. */
export interface Answers {
  readonly [status: number]: OtherContent;
}

/** The facts of a route that have no types of their own. */
interface RouteFacts {
  /** What the route does, as a verb in camel case: the name of the operation in clients that are generated. */
  readonly operationId: string;
  readonly tags: readonly string[];
  /** What the route does, in one line. */
  readonly summary: string;
  /** What a caller should know beside that. */
  readonly description: string;
  /** The route fails for every request alike. */
  readonly deprecated?: true;
  /** A request that is shown, sent by the tests, and recorded with its answer. */
  readonly example: RouteExample;
  /** Request headers. */
  readonly headers?: z.ZodObject;
  /** The body, which the handler reads once it has found what the path names (GEN-09). */
  readonly body?: BodyContent;
  /** The handler streams a body of up to so many bytes; without it, it has a text of up to 1 MB. */
  readonly streamsUpTo?: number;
  /** People who only talk to users may call it as well, with the permission `answer`. */
  readonly forAnswering?: true;
  /** It changes nothing, and who asked for it is on record all the same: what is looked at before a great change. */
  readonly onRecord?: true;
  /** It tells or changes what is of every company: an operator of some companies is refused. */
  readonly ofAll?: true;
  /** Further answers of a request that was done. */
  readonly also?: Answers;
  /** Answers of a request that was refused. */
  readonly refusals: Answers;
}

/** The method and the path of a route, whose parameters are in braces: one of these. */
export type Address = { readonly [Name in Method]: { readonly [Verb in Name]: `/${string}` } }[Method];

/** Management says which permission a route needs; elsewhere the credential alone decides. */
type Guard =
  | { readonly auth: 'operator'; readonly permission: Permission }
  | { readonly auth: Exclude<Auth, 'operator'>; readonly permission?: never };

/** A request that is let in and judged. */
export interface RouteCall<Params, Query> {
  readonly c: Context<HttpEnv>;
  /** The company of the credential (P28). */
  readonly companyId: string;
  /** Who calls a route of management, as histories, drafts and versions keep it. */
  readonly operator: string;
  readonly params: Params;
  readonly query: Query;
}

/** What is said of a route where it is defined. */
export type RouteDefinition<Parts, Params extends z.ZodObject, Query extends z.ZodType, Answer extends z.ZodType> = RouteFacts &
  Address &
  Guard & {
    /** Path parameters; texts, unless they are more. */
    readonly params?: Params;
    /** The query; of management an object, whose other names are refused. */
    readonly query?: Query;
    /** The answer with status 200. */
    readonly answer?: JsonContent<Answer> | OtherContent;
    /** Looks for what the path names, before the query is judged (GEN-09). */
    readonly first?: (c: Context<HttpEnv>, parts: Parts) => void;
    /** @returns the answer with status 200, or the whole response */
    readonly handle: (
      call: RouteCall<z.output<Params>, z.output<Query>>,
      parts: Parts,
    ) => z.input<Answer> | Response | Promise<z.input<Answer> | Response>;
  };

/** A route, for whom mounts it. */
export interface Route<Parts> extends RouteFacts {
  readonly method: Method;
  readonly path: string;
  readonly auth: Auth;
  /** Undefined where the credential alone decides. */
  readonly permission: Permission | undefined;
  /** The names that its query may have. */
  readonly queryNames: readonly string[];
  /** What the description of the interface says of it. */
  readonly described: RouteConfig;
  readonly answer: (c: Context<HttpEnv>, parts: Parts) => Promise<Response>;
}

type NoFields = z.ZodObject<Record<never, never>>;

/**
 * Defines a route.
 *
 * @example
 * export const listTagNames = defineRoute({
 *   get: '/v1/company/{companyId}/tag-names',
 *   operationId: 'listTagNames',
 *   tags: ['Tags'],
 *   auth: 'basic',
 *   summary: 'The names of the tags of the company',
 *   description: 'They have the order of the ids.',
 *   params: z.object({ companyId: z.string() }),
 *   answer: jsonResponse('The names', z.array(z.string())),
 *   refusals: restErrorResponses('No such company'),
 *   example: { path: { companyId: '1' } },
 *   async handle({ companyId }, { store }: Pick<Platform, 'store'>) {
 *     const all = await store.runner.read(tags.all(companyId));
 *     return all.map(({ name }) => name);
 *   },
 * });
 *
 * @throws {TypeError} for what contradicts itself, with the name and the address of the route
 */
export function defineRoute<
  Parts,
  Params extends z.ZodObject = NoFields,
  Query extends z.ZodType = NoFields,
  Answer extends z.ZodType = z.ZodNever,
>(definition: RouteDefinition<Parts, Params, Query, Answer>): Route<Parts> {
  const { auth, params, query, first, handle, headers } = definition;
  const isOfCompany = auth === 'basic' && readAddress(definition).path.includes('{companyId}');
  return buildRoute<Parts>(definition, async (c, parts) => {
    if (isOfCompany) requireOwnCompany(c);
    first?.(c, parts);
    const judged = {
      query: judge<z.output<Query>>(query, () => readQuery(c)),
      params: judge<z.output<Params>>(params, () => c.req.param()),
    };
    judge(headers, () => c.req.header());
    const answer = await handle({ c, companyId: c.get('companyId'), operator: nameOperator(c), ...judged }, parts);
    return isResponse(answer) ? answer : c.json(answer);
  });
}

/** What every definition says, whatever its handler is. */
export type RouteBase = RouteFacts &
  Address &
  Guard & { readonly params?: z.ZodObject; readonly query?: z.ZodType; readonly answer?: OtherContent };

/** Makes a route of its definition and what answers it. @throws {TypeError} as `defineRoute` */
export function buildRoute<Parts>(definition: RouteBase, answer: Route<Parts>['answer']): Route<Parts> {
  const { method, path } = readAddress(definition);
  const { query, permission } = definition;
  const fault = findFault(method, path, definition);
  if (fault !== undefined) throw new TypeError(`The route ${definition.operationId} (${method.toUpperCase()} ${path}) ${fault}`);
  return {
    ...definition,
    method,
    path,
    permission,
    queryNames: query instanceof z.ZodObject ? Object.keys(query.shape) : [],
    described: describeRoute(method, path, definition),
    answer: definition.ofAll === true ? (c, parts) => (requireAll(c), answer(c, parts)) : answer,
  };
}

function readAddress(definition: Partial<Record<Method, string>>): { readonly method: Method; readonly path: string } {
  const [method, ...others] = methods.filter((name) => definition[name] !== undefined);
  if (method === undefined || others.length > 0) throw new TypeError('A route has one method with its path, such as get: "/v1/tags"');
  return { method, path: definition[method] ?? '' };
}

/** Routes of operators and of clients are below one path each, where whatever is unknown asks for their credential too. */
const bases: { readonly [Name in Auth]?: string } = { operator: '/admin/v1/', basic: '/v1/' };

/** What a route says that cannot be, for hosts that write JavaScript as well. */
function findFault(
  method: Method,
  path: string,
  definition: RouteFacts & {
    readonly auth?: Auth;
    readonly permission?: Permission;
    readonly params?: z.ZodObject;
    readonly query?: z.ZodType;
  },
): string | undefined {
  const { auth, permission, params, query, operationId, body } = definition;
  const example: RouteExample | undefined = definition.example;
  const names = listParameters(path);
  const base = auth === undefined ? undefined : bases[auth];
  if (!/^[a-z]+(?:[A-Z][a-z]+)+$/.test(operationId)) return 'has no name that says what it does, such as listTags: give it an operationId';
  if (!/^(?:\/(?:[\w.~-]+|\{\w+\}))+$/.test(path)) return 'has a path that is none: write /v1/rooms/{roomId}';
  if (auth === undefined || !Object.hasOwn(schemes, auth)) return `has no auth: it is one of ${Object.keys(schemes).join(', ')}`;
  if (auth === 'operator' && !permissions.some((known) => known === permission))
    return `has no permission: it is one of ${permissions.join(', ')}`;
  if (base !== undefined && !path.startsWith(base)) return `is for "${auth}", whose paths begin with ${base}`;
  const declared = Object.keys(params?.shape ?? {});
  if (names.toSorted().join() !== declared.toSorted().join())
    return `has the params ${declared.join(', ') || '(none)'}, and its path ${names.join(', ') || '(none)'}`;
  if (example === undefined) return 'has no example of a request: give it one, such as { query: { limit: "10" } }';
  const unfilled = names.filter((name) => example.path?.[name] === undefined);
  if (unfilled.length > 0) return `has an example without the path parameter ${unfilled.join(', ')}`;
  if (auth === 'operator' && query !== undefined && !(query instanceof z.ZodObject))
    return 'has a query that is no object: the names that it may have are not known';
  if (method === 'get' && body !== undefined) return 'has a body, which GET has not';
  return undefined;
}

/** The names of the parameters of a path. */
const listParameters = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** @throws {HttpError} 403 for an operator of some companies */
function requireAll(c: Context<HttpEnv>): void {
  const reach = c.get('reach') ?? 'all';
  if (reach !== 'all') throw new HttpError(403, 'FORBIDDEN', `This is of all companies, which ${c.get('credential')} does not have`);
}

/** A company is known to its own credentials alone: another's is unknown (GEN-08). */
function requireOwnCompany(c: Context<HttpEnv>): void {
  const companyId = c.req.param('companyId') ?? '';
  if (companyId !== c.get('companyId')) throw notFound('COMPANY_NOT_FOUND', `There is no company "${companyId}"`);
}

/** @throws {HttpError} 422 by field (ERR-05) */
function judge<Output>(schema: z.ZodType | undefined, read: () => unknown): Output {
  const { data, error } = boundIssues(schema ?? nothing).safeParse(schema === undefined ? {} : read());
  if (error !== undefined) throw invalidInput(error);
  return data as Output;
}

const nothing = z.object({});

/** A parameter that is given once is a text; given several times it is a list. */
const readQuery = (c: Context<HttpEnv>) =>
  Object.fromEntries(Object.entries(c.req.queries()).map(([name, values]) => [name, values.length === 1 ? values[0] : values]));

/** By its headers: an answer may be of another realm, whose class is not ours. */
const isResponse = (answer: unknown): answer is Response =>
  typeof answer === 'object' && answer !== null && 'headers' in answer && answer.headers instanceof Headers;

/** What the description says of a route, in the order in which the definition says it. */
function describeRoute(
  method: Method,
  path: string,
  definition: RouteFacts & {
    readonly auth: Auth;
    readonly params?: z.ZodObject;
    readonly query?: z.ZodType;
    readonly answer?: OtherContent;
  },
): RouteConfig {
  const { auth, answer, also, refusals, params, query, headers, body } = definition;
  const said = Object.entries({ ...definition, auth: schemes[auth] }).flatMap(([name, value]) => {
    if (name === 'auth') return value === undefined ? [] : [['security', value] as const];
    return describedNames.has(name) ? [[name, value] as const] : [];
  });
  return {
    ...Object.fromEntries(said),
    method,
    path,
    request: {
      ...(params !== undefined && { params }),
      ...(query !== undefined && { query: query as z.ZodObject }),
      ...(headers !== undefined && { headers }),
      ...(body !== undefined && { body }),
    },
    responses: {
      ...(answer !== undefined && { 200: answer }),
      ...also,
      ...((auth === 'operator' || auth === 'anyOperator') && refusedOperator),
      ...(auth === 'operator' && method !== 'get' && body === undefined && refusedBody),
      ...refusals,
    },
  };
}

/** What reads a request to a route of operators that takes no body refuses one with. */
const refusedBody = {
  400: jsonResponse('A body came, and this takes none', ErrorBody),
  413: jsonResponse('A body came, and it is too large', ErrorBody),
};

/** What guards every route of operators refuses with. */
const refusedOperator = {
  403: jsonResponse('The operator may not do this, or not in all companies; or a page of another origin sent it', ErrorBody),
};

const describedNames: ReadonlySet<string> = new Set(['operationId', 'tags', 'summary', 'description', 'deprecated']);
