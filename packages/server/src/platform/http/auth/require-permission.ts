import type { MiddlewareHandler } from 'hono';
import type { HttpEnv, Permission } from '../context.ts';
import { HttpError } from '../errors.ts';

/**
 * What each request of management needs. Whatever is not named here needs `operate`, so that a route that is added is closed to
 * everybody else until somebody decides about it.
 */
const needed: readonly (readonly [methods: string, path: RegExp, permission: Permission])[] = [
  ['GET', /^\/(?:workspace|functions)(?:\/|$)/, 'operate'], // with secrets, or what leads to them
  ['GET HEAD', /./, 'view'],
  ['POST', /^\/(?:validate|describe|logout)$/, 'view'],
  ['PUT', /^\/workflows\/[^/]+$/, 'edit'],
  ['POST', /^\/workflows\/[^/]+\/(?:archive|restore)$/, 'edit'],
  ['PUT DELETE', /^\/workflows\/[^/]+\/transcripts\/[^/]+$/, 'edit'],
  ['POST', /^\/workflows\/[^/]+\/publish$/, 'publish'],
];

/** @param path - below `/admin/v1` */
const permissionFor = (method: string, path: string): Permission =>
  needed.find(([methods, pattern]) => methods.split(' ').includes(method) && pattern.test(path))?.[2] ?? 'operate';

/** Refuses what the operator may not do. Stands behind the door, which says who it is. */
export const requirePermission: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const permission = permissionFor(c.req.method, c.req.path.slice(c.req.path.indexOf('/admin/v1') + '/admin/v1'.length));
  if (!c.get('can').includes(permission))
    throw new HttpError(403, 'FORBIDDEN', `This needs the permission "${permission}", which ${c.get('credential')} does not have`);
  return next();
};
