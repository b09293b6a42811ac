import type { MiddlewareHandler } from 'hono';
import type { HttpEnv, Permission } from '../context.ts';
import { HttpError } from '../errors.ts';

/** Refuses operators without a permission. Runs after authentication, which identifies the operator. */
export const requirePermission =
  (permission: Permission): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    if (!c.get('can').includes(permission))
      throw new HttpError(403, 'FORBIDDEN', `This needs the permission "${permission}", which ${c.get('credential')} does not have`);
    return next();
  };
