import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../context.ts';
import type { Route } from '../define-route.ts';
import { HttpError } from '../errors.ts';

/** Refuses operators without the permission of a route. Runs after authentication, which identifies the operator. */
export const requirePermission =
  ({ permission = 'operate', forAnswering }: Partial<Pick<Route<never>, 'permission' | 'forAnswering'>>): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const can = c.get('can');
    if (!can.includes(permission) && !(forAnswering === true && can.includes('answer')))
      throw new HttpError(403, 'FORBIDDEN', `This needs the permission "${permission}", which ${c.get('credential')} does not have`);
    return next();
  };
