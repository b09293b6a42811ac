// Mounts routes in an app of the framework, with what guards them, and writes them into the description of the interface.
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import type { HttpEnv } from './context.ts';
import type { Route } from './define-route.ts';

/** A symbol: the description of the interface leaves it out. */
const mounted = Symbol('the route that is described');

/** What guards a route, beside what the app that it is mounted in does. */
export interface MountOptions {
  /** The part of the paths that the app is mounted at. */
  readonly below?: string;
  readonly guards?: (route: Route<never>) => readonly MiddlewareHandler<HttpEnv>[];
  /** Decides by the request whether a guard or a route is there at all. */
  readonly only?: (handler: MiddlewareHandler<HttpEnv>) => MiddlewareHandler<HttpEnv>;
}

/**
 * Mounts routes in an app, but for those of operators.
 *
 * @param parts - what their handlers work with
 * @throws {TypeError} for a route of operators, whose handler must see the companies of its operator alone
 */
export function mountRoutes<Parts>(
  app: OpenAPIHono<HttpEnv>,
  parts: Parts,
  routes: readonly Route<Parts>[],
  options: MountOptions = {},
): void {
  for (const { auth, operationId } of routes)
    if (auth === 'operator')
      throw new TypeError(`The route ${operationId} is of operators, who may have some companies alone: mount it with mountOperatorRoutes`);
  mountForEach(app, () => parts, routes, options);
}

/** Mounts routes whose handlers work with something else for each request. */
export function mountForEach<Parts>(
  app: OpenAPIHono<HttpEnv>,
  partsOf: (c: Context<HttpEnv>) => Parts,
  routes: readonly Route<Parts>[],
  { below = '', guards = () => [], only = (handler) => handler }: MountOptions,
): void {
  for (const route of routes) {
    const path = route.path.slice(below.length);
    const mark = { [mounted]: route };
    app.openAPIRegistry.registerPath({ ...route.described, path, ...mark });
    const handlers = [...guards(route), (c: Context<HttpEnv>) => route.answer(c, partsOf(c))];
    app.on(route.method.toUpperCase(), [writeFrameworkPath(path)], ...handlers.map(only));
  }
}

/** `/v1/rooms/{roomId}` as the framework writes it: `/v1/rooms/:roomId`. */
export const writeFrameworkPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** The routes that are mounted in an app, by method and path, such as `GET /v1/campaigns`. */
export const listRoutes = ({ openAPIRegistry }: Pick<OpenAPIHono<HttpEnv>, 'openAPIRegistry'>): ReadonlyMap<string, Route<never>> =>
  new Map(
    openAPIRegistry.definitions.flatMap((definition) => {
      if (definition.type !== 'route') return [];
      const { route } = definition;
      const defined: unknown = Reflect.get(route, mounted);
      return isRoute(defined) ? [[`${route.method.toUpperCase()} ${route.path}`, defined] as const] : [];
    }),
  );

/** Only this module sets the property. */
const isRoute = (value: unknown): value is Route<never> => typeof value === 'object' && value !== null;

/**
 * Refuses routes of which one would hide another, or that share a name.
 *
 * @throws {TypeError} with the names and the addresses of both
 */
export function refuseRivals({ openAPIRegistry }: Pick<OpenAPIHono<HttpEnv>, 'openAPIRegistry'>): void {
  const [byAddress, byName] = [new Map<string, string>(), new Map<string, string>()];
  for (const definition of openAPIRegistry.definitions) {
    if (definition.type !== 'route') continue;
    const { method, path, operationId = '' } = definition.route;
    const place = `${operationId} (${method.toUpperCase()} ${path})`;
    const address = `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
    const [rival, namesake] = [byAddress.get(address), byName.get(operationId)];
    if (rival !== undefined) throw new TypeError(`The route ${place} has the address of ${rival}: give one of them another path`);
    if (namesake !== undefined) throw new TypeError(`The route ${place} has the name of ${namesake}: give one of them another operationId`);
    byAddress.set(address, place);
    byName.set(operationId, place);
  }
}
