// What an operator may bring by an import or a saved company: each thing wants the permission that its own route wants, so that nobody
// widens by a file what they may not by a call. Whoever starts the service brings what they like.
import { isDeepStrictEqual } from 'node:util';
import type { DurableStore } from '@hilo/stores';
import { type Permission, permissions } from '../../platform/http/context.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { companies as companyTable } from '../../platform/tables/companies.ts';
import { isSubscriptionSecret } from '../bots.ts';
import type { WorkspaceCompany } from './schema.ts';

/** Who brings a workspace. */
export interface Bringer {
  /** The companies that they may bring: any, when left out. Another one is unknown, whether there is one or not. */
  readonly only?: ReadonlySet<string> | undefined;
  /** All permissions, when left out. */
  readonly can?: readonly Permission[] | undefined;
}

/** What a company may take of a service that others use as well: its own admin does not say it. */
const shares = ['plan', 'kind', 'limits'] as const;
type HeldField = (typeof shares)[number] | 'keepDays';

/** What a company has that nobody has said anything about. */
const atFirst: { readonly [Field in HeldField]?: WorkspaceCompany[Field] } = { plan: 'free', kind: 'self-service' };

const refuse = (what: string, permission: Permission, ofWhom = ''): HttpError =>
  new HttpError(
    403,
    'FORBIDDEN',
    `${what} can be changed with the permission "${permission}"${ofWhom} alone: leave that out, or as it is. Nothing was changed`,
  );

/**
 * Keeps shares and retention of companies where somebody brings them who may not change them, and leaves them out.
 *
 * @throws {HttpError} 403 for others than those that the company has, or begins with
 */
export async function keepHeldFields(
  runner: DurableStore['runner'],
  { companies }: { readonly companies: readonly WorkspaceCompany[] },
  { only, can = permissions }: Bringer,
): Promise<void> {
  const isAdmin = can.includes('admin');
  if (only === undefined && isAdmin) return;
  const held: readonly HeldField[] = isAdmin ? shares : [...shares, 'keepDays'];
  for (const company of companies) {
    const stored = (await runner.readOne(companyTable.find({ companyId: String(company.id) }))) ?? atFirst;
    for (const field of held) {
      if (company[field] !== undefined && !isDeepStrictEqual(company[field], stored[field]))
        throw refuse(`"${field}" of company ${company.id}`, 'admin', field === 'keepDays' ? '' : ' for all companies');
      Object.assign(company, { [field]: stored[field] });
    }
  }
}

/** A workflow that an import writes, as far as permissions are concerned. */
interface WrittenWorkflow {
  readonly workflow: { readonly canvas: { readonly id: string }; readonly transcripts: object };
  readonly isChanged: boolean;
  readonly isPublished: boolean;
}

/** @throws {HttpError} 403 for workflows that they may not change, or publish */
export function requireWorkflows(workflows: readonly WrittenWorkflow[], { can = permissions }: Bringer): void {
  for (const {
    workflow: {
      canvas: { id },
      transcripts,
    },
    isChanged,
    isPublished,
  } of workflows) {
    if ((isChanged || Object.keys(transcripts).length > 0) && !can.includes('edit')) throw refuse(`Workflow "${id}"`, 'edit');
    if (isPublished && !can.includes('publish')) throw refuse(`The published version of workflow "${id}"`, 'publish');
  }
}

/** Kinds of which each one lets somebody in by another door, or tells them everything, and how they are called. */
const ofAdmins = [
  ['clients', 'Clients'],
  ['apiKeys', 'API keys'],
  ['eventSubscriptions', 'Event subscriptions'],
] as const;

/**
 * Refuses what only admins add or change.
 *
 * @param differing - how much of each kind would be written
 * @param secrets - those that would be written
 * @throws {HttpError} 403
 */
export function requireNothingOfAdmins(
  differing: (kind: (typeof ofAdmins)[number][0]) => number,
  secrets: readonly { readonly secretId: string }[],
  { can = permissions }: Bringer,
): void {
  if (can.includes('admin')) return;
  for (const [kind, words] of ofAdmins) if (differing(kind) > 0) throw refuse(words, 'admin');
  if (secrets.some(({ secretId }) => isSubscriptionSecret(secretId))) throw refuse('The secret of an event subscription', 'admin');
}
