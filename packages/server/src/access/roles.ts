// The roles of the service's own accounts: names for permissions that go together.
import { permissions, type Permission } from '../platform/http/context.ts';

/** What each role lets its holder do. Looking belongs to all but one: who answers users sees conversations alone. */
export const roles = {
  viewer: ['view'],
  editor: ['view', 'edit'],
  publisher: ['view', 'edit', 'publish'],
  operator: ['view', 'operate', 'answer'],
  answerer: ['answer'],
  admin: permissions,
} as const satisfies { readonly [role: string]: readonly Permission[] };
export type Role = keyof typeof roles;

/** Their names, for schemas. */
export const roleNames = ['viewer', 'editor', 'publisher', 'operator', 'answerer', 'admin'] as const satisfies readonly Role[];

/** The permissions of some roles together, in the order of all permissions. */
export function listPermissions(held: readonly Role[]): readonly Permission[] {
  const can = new Set<Permission>(held.flatMap((role) => roles[role]));
  return permissions.filter((permission) => can.has(permission));
}
