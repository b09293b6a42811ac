// Keeps a secret that the service got or made itself, beside those that a workspace brings.
import type { DurableStore } from '@hilo/stores';
import { growRevision } from '../platform/database/revision.ts';
import type { Vault } from '../platform/secrets/vault.ts';
import { secrets } from '../platform/tables/companies.ts';

/** What keeping one needs. */
export interface KeepParts {
  readonly store: Pick<DurableStore, 'runner'>;
  readonly vault: Pick<Vault, 'seal'>;
  /** Reads what every process keeps in memory anew. */
  readonly refresh: () => Promise<unknown>;
}

/** Encrypts it, in one transaction with the revision by which every process reads it. */
export async function keepSecret(
  { store: { runner }, vault, refresh }: KeepParts,
  { companyId, secretId }: { readonly companyId: string; readonly secretId: string },
  value: string,
): Promise<void> {
  await runner.write([...secrets.upsert([{ companyId, secretId, sealed: vault.seal(companyId, secretId, value) }]), growRevision()]);
  await refresh();
}
