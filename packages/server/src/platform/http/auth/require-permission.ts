import type { MiddlewareHandler } from 'hono';
import type { HttpEnv, Permission } from '../context.ts';
import { HttpError } from '../errors.ts';

/**
 * The permission that each request of management needs. A route that is not listed needs `operate`, so that new routes are closed to
 * other operators by default.
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
const findPermission = (method: string, path: string): Permission =>
  needed.find(([methods, pattern]) => methods.split(' ').includes(method) && pattern.test(path))?.[2] ?? 'operate';

/** Refuses requests beyond the operator's permissions. Runs after authentication, which identifies the operator. */
export const requirePermission: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const permission = findPermission(c.req.method, c.req.path.slice(c.req.path.indexOf('/admin/v1') + '/admin/v1'.length));
  if (!c.get('can').includes(permission))
    throw new HttpError(403, 'FORBIDDEN', `This needs the permission "${permission}", which ${c.get('credential')} does not have`);
  return next();
};
