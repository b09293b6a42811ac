// What a migration of the waiting executions would do, while its author makes up their mind; and what is asked for then.
import type { MigrationGroup, MigrationPlan } from '@hilo/engine';
import type { Json } from '@hilo/engine/contract';
import { useState } from 'react';
import { readLines } from '../api/operations.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { acceptedOf, type AcceptedKind, acceptableKinds } from './accepted.ts';

/** A group of a plan as the service sends it. */
export type PlanGroup = Omit<MigrationGroup, 'oldestMs' | 'kind'> & {
  readonly kind: Exclude<MigrationGroup['kind'], 'none'>;
  readonly oldest: string;
};
export type Plan = Omit<MigrationPlan, 'groups'> & { readonly groups: readonly PlanGroup[] };

/** What becomes of those that wait at a node. */
export type Standing = 'keep' | { readonly enter: string } | { readonly cancel: string };

/** A migration from every other version, with what its author has filled in. */
export interface MigrationDraft {
  readonly nodes?: { readonly [before: string]: string };
  readonly at?: { readonly [nodeId: string]: Standing };
  readonly set?: { readonly [path: string]: Json };
}

export interface Migrating {
  readonly to: number;
  readonly plan: Plan | undefined;
  /** How many were looked at so far. */
  readonly read: number;
  readonly error: string | undefined;
  readonly reload: () => void;
  readonly draft: MigrationDraft;
  readonly change: (draft: MigrationDraft) => void;
  readonly accepted: ReadonlySet<AcceptedKind>;
  readonly accept: (kind: AcceptedKind, isAccepted: boolean) => void;
  /** How many would be brought over. */
  readonly count: number;
  /** Asks for the job. @returns its id */
  readonly ask: () => Promise<string>;
}

/**
 * @param to - a published version; or the number that the draft gets, which is planned for and cannot be asked for before it is published
 * @param isPlanned - false where nothing is asked of the service, such as for a draft that cannot be published
 */
export function useMigration(workflowId: string, to: number, { key = '', isPlanned = true } = {}): Migrating {
  const { client, companyId } = useStudio();
  const [draft, change] = useState<MigrationDraft>({});
  const [chosen, setChosen] = useState<ReadonlyMap<AcceptedKind, boolean>>(new Map());
  const [read, setRead] = useState(0);
  const migration = { from: 'any', to, ...draft } as const;
  const {
    value: plan,
    error,
    reload,
  } = useLoaded(`migration/${workflowId}/${key}/${isPlanned}/${JSON.stringify(migration)}`, async () => {
    if (!isPlanned) return undefined;
    const { planMigration } = await client.operations();
    const answer = await planMigration({ path: { workflowId }, query: { companyId }, body: migration });
    return readLines<Plan>(answer, ({ read: count }) => setRead(Number(count)));
  });
  const accepted = acceptedOf(plan?.counts ?? {}, chosen);
  const count = acceptableKinds.reduce((sum, kind) => sum + (accepted.has(kind) ? (plan?.counts[kind] ?? 0) : 0), 0);
  return {
    to,
    plan,
    read,
    error,
    reload,
    draft,
    change,
    accepted,
    accept: (kind, isAccepted) => setChosen(new Map([...chosen, [kind, isAccepted]])),
    count,
    async ask() {
      const { migrateExecutions } = await client.operations();
      const { jobId } = await migrateExecutions({
        path: { workflowId },
        query: { companyId },
        body: { migration, accept: [...accepted], ...(plan !== undefined && { planId: plan.planId }) },
      });
      return jobId;
    },
  };
}
