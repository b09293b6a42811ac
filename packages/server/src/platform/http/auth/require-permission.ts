// Lets requests to a route whose operator has its permission, for the companies where they have it.
import type { MiddlewareHandler } from 'hono';
import { type HttpEnv, type OperatorGrant, type Permission, permissions } from '../context.ts';
import type { Route } from '../define-route.ts';
import { HttpError } from '../errors.ts';

/**
 * What an operator who may do different things in different companies may do in one request: in the company that it names; else in
 * those companies where they have the permission, what they may do in each of them.
 */
export function grantForRequest(
  grants: readonly OperatorGrant[],
  isEnough: (can: readonly Permission[]) => boolean,
  companyId: string | undefined,
): OperatorGrant {
  const everywhere = grants.filter(({ reach }) => reach === 'all');
  const named = new Set(grants.flatMap(({ reach }) => (reach === 'all' ? [] : [...reach])));
  const unite = (some: readonly OperatorGrant[]): readonly Permission[] =>
    permissions.filter((permission) => some.some(({ can }) => can.includes(permission)));
  const canIn = (id: string): readonly Permission[] => unite(grants.filter(({ reach }) => reach === 'all' || reach.has(id)));
  if (companyId !== undefined && (everywhere.length > 0 || named.has(companyId)))
    return { can: canIn(companyId), reach: new Set([companyId]) };
  if (isEnough(unite(everywhere))) return { can: unite(everywhere), reach: 'all' };
  const enough = [...named].filter((id) => isEnough(canIn(id)));
  const can = permissions.filter((permission) => enough.length > 0 && enough.every((id) => canIn(id).includes(permission)));
  return { can, reach: new Set(enough) };
}

/** Refuses operators without the permission of a route. Runs after authentication, which identifies the operator. */
export const requirePermission =
  ({ permission = 'operate', forAnswering }: Partial<Pick<Route<never>, 'permission' | 'forAnswering'>>): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const isEnough = (can: readonly Permission[]): boolean => can.includes(permission) || (forAnswering === true && can.includes('answer'));
    const grants = c.get('grants');
    if (grants !== undefined) {
      const { can, reach } = grantForRequest(grants, isEnough, c.req.param('companyId') ?? c.req.query('companyId'));
      c.set('can', can);
      c.set('reach', reach);
    }
    if (!isEnough(c.get('can')))
      throw new HttpError(403, 'FORBIDDEN', `This needs the permission "${permission}", which ${c.get('credential')} does not have`);
    return next();
  };
