// Mounts routes in an app of the framework, with what guards them, and writes them into the description of the interface.
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { needs } from './auth/require-permission.ts';
import type { HttpEnv } from './context.ts';
import type { Route } from './define-route.ts';

/** A symbol: the description of the interface leaves it out. */
const mounted = Symbol('the route that is described');

/** What guards a route, beside what the app that it is mounted in does. */
export interface MountOptions {
  /** The part of the paths that the app is mounted at. */
  readonly below?: string;
  readonly guards?: (route: Route<never>) => readonly MiddlewareHandler<HttpEnv>[];
}

/** Mounts routes in an app. @param parts - what their handlers work with */
export function mountRoutes<Parts>(
  app: OpenAPIHono<HttpEnv>,
  parts: Parts,
  routes: readonly Route<Parts>[],
  { below = '', guards = () => [] }: MountOptions = {},
): void {
  for (const route of routes) {
    const path = route.path.slice(below.length);
    const marks = { [mounted]: route, ...(route.permission !== undefined && needs(route.permission)) };
    app.openAPIRegistry.registerPath({ ...route.described, path, ...marks });
    app.on(route.method.toUpperCase(), [writeFrameworkPath(path)], ...guards(route), (c) => route.answer(c, parts));
  }
}

/** `/v1/rooms/{roomId}` as the framework writes it: `/v1/rooms/:roomId`. */
const writeFrameworkPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** The routes of an app with the paths that they have there. */
const listMounted = ({ openAPIRegistry }: Pick<OpenAPIHono<HttpEnv>, 'openAPIRegistry'>) =>
  openAPIRegistry.definitions.flatMap((definition) => (definition.type === 'route' ? [definition.route] : []));

/** The example requests of an app's routes, by method and path, such as `GET /v1/campaigns`. */
export function listRouteExamples(app: Pick<OpenAPIHono<HttpEnv>, 'openAPIRegistry'>): ReadonlyMap<string, Route<never>['example']> {
  return new Map(
    listMounted(app).flatMap((described) => {
      const route: unknown = Reflect.get(described, mounted);
      return isRoute(route) ? [[`${described.method.toUpperCase()} ${described.path}`, route.example] as const] : [];
    }),
  );
}

/** Only this module sets the property. */
const isRoute = (value: unknown): value is Route<never> => typeof value === 'object' && value !== null;

/**
 * Refuses routes of which one would hide another, or that share a name.
 *
 * @throws {TypeError} with the names and the addresses of both
 */
export function refuseRivals(app: Pick<OpenAPIHono<HttpEnv>, 'openAPIRegistry'>): void {
  const [byAddress, byName] = [new Map<string, string>(), new Map<string, string>()];
  for (const { method, path, operationId = '' } of listMounted(app)) {
    const place = `${operationId} (${method.toUpperCase()} ${path})`;
    const address = `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
    const [rival, namesake] = [byAddress.get(address), byName.get(operationId)];
    if (rival !== undefined) throw new TypeError(`The route ${place} has the address of ${rival}: give one of them another path`);
    if (namesake !== undefined) throw new TypeError(`The route ${place} has the name of ${namesake}: give one of them another operationId`);
    byAddress.set(address, place);
    byName.set(operationId, place);
  }
}
