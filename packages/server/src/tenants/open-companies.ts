import type { OnLimit } from '@hilo/drivers';
import type { Clock, Random } from '@hilo/engine/contract';
import type { DurableStore } from '@hilo/stores';
import { createSecretJudge, hashKey, isSameDigest } from '../platform/secrets/client-secret.ts';
import type { SeenSecrets } from '../platform/secrets/seen-secrets.ts';
import type { Vault } from '../platform/secrets/vault.ts';
import type { BotDefaults } from './bots.ts';
import type { Companies } from './companies.ts';
import type { Logger } from '../platform/logging/logger.ts';
import { readRevision } from '../platform/database/revision.ts';
import { type Away, readSnapshotRows, type Snapshot, buildSnapshot } from './snapshot.ts';

/** Companies in memory, kept up to date with the store. */
export interface LiveCompanies extends Companies {
  /** Where a company is, or `undefined` while it is served here. */
  awayOf(companyId: string): Away | undefined;
  /** @param listener - called for each company that arrives while the service runs */
  onArrival(listener: (companyId: string) => void): void;
  /** Reads changes now, after this process made one. */
  refresh(): Promise<void>;
  /** Stops polling for changes of other processes. */
  close(): void;
}

/** How long a change of another process may stay unseen. */
const pollMs = 1_000;

interface CompaniesParts {
  readonly store: Pick<DurableStore, 'runner' | 'durability'>;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Learns of every key and client secret that was right. */
  readonly seen: SeenSecrets;
  readonly onLimit: OnLimit;
  readonly defaults: BotDefaults;
}

/**
 * Reads all companies, and keeps reading when another process changed them.
 *
 * @throws {HiloError} `SECRET_KEY_REFUSED` when the secrets were encrypted with another key
 */
export async function openCompanies({
  store: { runner, durability },
  vault,
  clock,
  random,
  log,
  seen,
  onLimit,
  defaults,
}: CompaniesParts): Promise<LiveCompanies> {
  const judge = createSecretJudge({ random, clock, onLimit });
  const read = async () => buildSnapshot(await readSnapshotRows(runner), vault, defaults);
  let now = await read();
  let timer: unknown;
  let isClosed = false;
  let secrets: { readonly of: readonly string[]; readonly used: readonly string[]; readonly all: readonly string[] } = {
    of: [],
    used: [],
    all: [],
  };

  let arrived: (companyId: string) => void = () => {};

  const refresh = async (): Promise<void> => {
    const next = await read();
    if (next.revision < now.revision) return;
    const before = now;
    now = next;
    for (const companyId of now.companies.keys()) if (isServed(now, companyId) && !isServed(before, companyId)) arrived(companyId);
  };
  const poll = async (): Promise<void> => {
    try {
      if ((await readRevision(runner)) !== now.revision) await refresh();
    } catch (error) {
      // The configuration in memory is still served; the next attempt may succeed.
      log.warn({ error: String(error) }, 'Companies could not be read again');
    }
    if (!isClosed) timer = clock.setTimeout(() => void poll(), pollMs);
  };
  // A SQLite file belongs to this process, so no other process changes it.
  if (durability.database === 'postgres') timer = clock.setTimeout(() => void poll(), pollMs);

  const bots = (companyId: string) => now.botsOf.get(companyId) ?? [];
  return {
    all: () => [...now.companies.values()],
    company: (companyId) => now.companies.get(companyId),
    bot: (botId) => now.bots.get(botId),
    botOf(companyId, botId) {
      const bot = now.bots.get(botId);
      return bot?.companyId === companyId ? bot : undefined;
    },
    bots,
    botOfChannel: (companyId, channel) => bots(companyId).find((bot) => bot.channel === channel),
    companyOfApiKey(key) {
      const digest = hashKey(key);
      const found = now.apiKeys.get(digest);
      if (found === undefined || !isSameDigest(found.hash, digest)) return undefined;
      seen.note(key);
      return found.revokedAtMs !== null && found.revokedAtMs <= clock.now() ? undefined : found.companyId;
    },
    companyOfClient(clientId, clientSecret, network = '') {
      const client = now.clients.get(clientId);
      const verdict = judge.judge({ network, clientId }, clientSecret, client?.secretHash);
      const known = (isRight: boolean): string | undefined => {
        if (!isRight) return undefined;
        seen.note(clientSecret);
        return client?.companyId;
      };
      return verdict instanceof Promise ? verdict.then(known) : known(verdict);
    },
    template: (companyId, templateId) => now.templates.get(companyId)?.get(templateId),
    templates: (companyId) => [...(now.templates.get(companyId)?.values() ?? [])],
    credential: async (companyId, credentialId) => now.credentials.get(companyId)?.get(credentialId),
    secrets() {
      const used = seen.all();
      if (secrets.of !== now.secrets || secrets.used !== used) secrets = { of: now.secrets, used, all: [...now.secrets, ...used] };
      return secrets.all;
    },
    awayOf: (companyId) => now.away.get(companyId),
    onArrival: (listener) => (arrived = listener),
    refresh,
    close() {
      isClosed = true;
      clock.clearTimeout(timer);
    },
  };
}

const isServed = ({ companies, away }: Snapshot, companyId: string): boolean => companies.has(companyId) && !away.has(companyId);
