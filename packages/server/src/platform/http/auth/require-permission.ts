// Which permission a route of management needs: the route itself says it, where it is defined.
import type { OpenAPIHono, RouteConfig } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import { type HttpEnv, type Permission, permissions } from '../context.ts';
import { HttpError } from '../errors.ts';

/** A symbol: the description of the interface leaves it out. */
const neededPermission = Symbol('the permission that a route needs');

/**
 * Says in the definition of a route which permission it needs. One that says nothing needs `operate`, whatever its method, so that new
 * routes are closed to other operators by default.
 *
 * @example
 * createRoute({ method: 'get', path: '/nodes', ...needs('view'), responses: { 200: { description: 'The nodes' } } });
 */
export const needs = (permission: Permission) => ({ [neededPermission]: permission });

/** A route of management, and the permission that it needs. */
export interface GuardedRoute {
  readonly method: string;
  /** Below `/admin/v1`, with parameters in braces. */
  readonly path: string;
  readonly permission: Permission;
}

/** The routes of an app. `HEAD` has those of `GET`, as the framework answers it. */
export const listGuardedRoutes = ({ openAPIRegistry }: Pick<OpenAPIHono, 'openAPIRegistry'>): readonly GuardedRoute[] =>
  openAPIRegistry.definitions.flatMap((definition) => {
    if (definition.type !== 'route') return [];
    const { route } = definition;
    return [{ method: route.method.toUpperCase(), path: route.path, permission: readPermission(route) }];
  });

function readPermission(route: RouteConfig): Permission {
  const said: unknown = Reflect.get(route, neededPermission);
  return permissions.find((one) => one === said) ?? 'operate';
}

/** Refuses requests beyond the operator's permissions. Runs after authentication, which identifies the operator. */
export function requirePermission(management: Pick<OpenAPIHono, 'openAPIRegistry'>): MiddlewareHandler<HttpEnv> {
  const routes = listGuardedRoutes(management).map(({ method, path, permission }) => ({ method, pattern: matchPath(path), permission }));
  return async (c, next) => {
    const { method, path } = readAddress(c);
    const matching = routes.filter((route) => route.method === method && route.pattern.test(path));
    const permission = matching.length === 1 ? (matching[0]?.permission ?? 'operate') : findStrictest(matching);
    if (!c.get('can').includes(permission))
      throw new HttpError(403, 'FORBIDDEN', `This needs the permission "${permission}", which ${c.get('credential')} does not have`);
    return next();
  };
}

/** Of several routes that a path may mean, and of none. */
const findStrictest = (matching: readonly { readonly permission: Permission }[]): Permission =>
  permissions.findLast((permission) => matching.some((route) => route.permission === permission)) ?? 'operate';

const mount = '/admin/v1';

/** The method of a route, and its path below `/admin/v1`: all of it where management is asked without a mount. */
function readAddress({ req }: Context<HttpEnv>): { readonly method: string; readonly path: string } {
  const at = req.path.indexOf(`${mount}/`);
  return { method: req.method === 'HEAD' ? 'GET' : req.method, path: at === -1 ? req.path : req.path.slice(at + mount.length) };
}

/** An operation that may change something, and the values of the parameters of its path. */
export interface FoundAct {
  readonly action: string;
  readonly params: { readonly [name: string]: string };
}

/** The operation that a request asks for; `undefined` for one that only looks, and for what is no route. */
export function findActOf(management: Pick<OpenAPIHono, 'openAPIRegistry'>, c: Context<HttpEnv>): FoundAct | undefined {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return undefined;
  const [route] = listMatchedRoutes(management, c);
  if (route === undefined || readPermission(route) === 'view') return undefined;
  const values = matchPath(route.path).exec(readAddress(c).path)?.slice(1) ?? [];
  const names = Array.from(route.path.matchAll(/\{([^{}]*)\}/g), ([, name = '']) => name);
  const params = Object.fromEntries(names.map((name, index) => [name, decode(values[index] ?? '')]));
  return { action: route.operationId ?? `${route.method} ${route.path}`, params };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The described routes that a request may mean. */
export function listMatchedRoutes({ openAPIRegistry }: Pick<OpenAPIHono, 'openAPIRegistry'>, c: Context<HttpEnv>): readonly RouteConfig[] {
  const { method, path } = readAddress(c);
  return openAPIRegistry.definitions.flatMap((definition) => {
    if (definition.type !== 'route') return [];
    const { route } = definition;
    return route.method.toUpperCase() === method && matchPath(route.path).test(path) ? [route] : [];
  });
}

/** Each parameter is one segment. */
function matchPath(path: string): RegExp {
  const parts = path.split(/(\{[^{}]*\})/).map((part) => (part.startsWith('{') ? '([^/]+)' : part.replaceAll(/[^\w/-]/g, '\\$&')));
  return new RegExp(`^${parts.join('')}$`);
}
