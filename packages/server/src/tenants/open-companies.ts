// Companies in memory, as up to date as the store.
import type { OnLimit } from '@hilo/drivers';
import type { Clock, Random } from '@hilo/engine/contract';
import { type DurableStore, hasOthers } from '@hilo/stores';
import { createSecretJudge, hashKey, isSameDigest } from '../platform/secrets/client-secret.ts';
import type { SeenSecrets } from '../platform/secrets/seen-secrets.ts';
import type { Vault } from '../platform/secrets/vault.ts';
import type { BotDefaults } from './bots.ts';
import type { Companies } from './companies.ts';
import type { Logger } from '../platform/logging/logger.ts';
import { createPoller } from '../platform/poller.ts';
import type { Subscription } from '../platform/tables/events.ts';
import { readRevision } from '../platform/database/revision.ts';
import { type Away, readSnapshotRows, type Snapshot, buildSnapshot } from './snapshot.ts';

/** Companies in memory, kept up to date with the store. */
export interface LiveCompanies extends Companies {
  /** Where a company is, or `undefined` while it is served here. */
  awayOf(companyId: string): Away | undefined;
  /** @param listener - called with the companies that arrive together while the service runs */
  onArrival(listener: (companyIds: ReadonlySet<string>) => void): void;
  /** Who is told of what happens in a company, with their secrets. */
  subscriptions(companyId: string): readonly Subscription[];
  /** What seals addresses of companies that came from another service. */
  tokenKeys(): Snapshot['tokenKeys'];
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
  let current = await buildSnapshot(await readSnapshotRows(runner), vault, defaults);
  const findApiKey = createKeySearch(() => current, seen);
  const listSecrets = createSecretList(() => current, seen);
  let arrived: (companyIds: ReadonlySet<string>) => void = () => {};

  const refresh = async (): Promise<void> => {
    const rows = await readSnapshotRows(runner);
    if (rows.revision < current.revision) return;
    const next = await buildSnapshot(rows, vault, defaults, current);
    if (rows.revision < current.revision) return; // another one was quicker
    const before = current;
    current = next;
    const added = [...current.companies.keys()].filter((companyId) => isServed(current, companyId) && !isServed(before, companyId));
    if (added.length > 0) arrived(new Set(added));
  };
  const poller = createPoller({
    clock,
    log,
    everyMs: pollMs,
    async poll() {
      if ((await readRevision(runner)) !== current.revision) await refresh();
    },
    failure: 'Companies could not be read again: those in memory are still served',
  });
  if (hasOthers({ durability })) poller.start(); // else nobody else changes them

  const bots = (companyId: string) => current.botsOf.get(companyId) ?? [];
  return {
    all: () => [...current.companies.values()],
    company: (companyId) => current.companies.get(companyId),
    bot: (botId) => current.bots.get(botId),
    botToProve: (botId) => current.bots.get(botId),
    botOf(companyId, botId) {
      const bot = current.bots.get(botId);
      return bot?.companyId === companyId ? bot : undefined;
    },
    bots,
    botOfChannel: (companyId, channel) => bots(companyId).find((bot) => bot.channel === channel),
    companyOfApiKey(key) {
      const found = findApiKey(key);
      if (found === undefined) return undefined;
      return found.revokedAtMs !== null && found.revokedAtMs <= clock.now() ? undefined : found.companyId;
    },
    companyOfClient(clientId, clientSecret, network = '') {
      const client = current.clients.get(clientId);
      const verdict = judge.judge({ network, clientId }, clientSecret, client?.secretHash);
      const known = (isRight: boolean): string | undefined => {
        if (!isRight) return undefined;
        if (client !== undefined) seen.note(clientSecret, client.companyId);
        return client?.companyId;
      };
      return verdict instanceof Promise ? verdict.then(known) : known(verdict);
    },
    template: (companyId, templateId) => current.templates.get(companyId)?.get(templateId),
    templates: (companyId) => [...(current.templates.get(companyId)?.values() ?? [])],
    credential: async (companyId, credentialId) => current.credentials.get(companyId)?.get(credentialId),
    credentialToProve: async (companyId, credentialId) => current.credentials.get(companyId)?.get(credentialId),
    secrets: listSecrets,
    tokenKeys: () => current.tokenKeys,
    subscriptions: (companyId) => current.subscriptions.get(companyId) ?? nobody,
    isArchived: (companyId, workflowId) => current.archived.get(companyId)?.has(workflowId) === true,
    awayOf: (companyId) => current.away.get(companyId),
    onArrival: (listener) => (arrived = listener),
    refresh,
    close() {
      void poller.stop();
    },
  };
}

const nobody: readonly Subscription[] = [];

type ApiKeyOf = Snapshot['apiKeys'] extends ReadonlyMap<string, infer Key> ? Key : never;

/** Finds keys of the API by their text. Those that were right are kept with their snapshot: a caller sends the same one with every request. */
function createKeySearch(current: () => Snapshot, seen: SeenSecrets): (key: string) => ApiKeyOf | undefined {
  let snapshot = current();
  const right = new Map<string, ApiKeyOf>();
  return (key) => {
    if (snapshot !== current()) {
      snapshot = current();
      right.clear();
    }
    const known = right.get(key);
    if (known !== undefined) return known;
    const digest = hashKey(key);
    const found = snapshot.apiKeys.get(digest);
    if (found === undefined || !isSameDigest(found.hash, digest)) return undefined;
    right.set(key, found);
    seen.note(key, found.companyId);
    return found;
  };
}

/** Lists the secrets of all companies and those that were used; made anew only when one of both has changed. */
function createSecretList(current: () => Snapshot, seen: SeenSecrets): () => readonly string[] {
  const none: readonly string[] = [];
  let list = { kept: none, used: none, all: none };
  return () => {
    const [kept, used] = [current().secrets, seen.all()];
    if (list.kept !== kept || list.used !== used) list = { kept, used, all: [...kept, ...used] };
    return list.all;
  };
}

const isServed = ({ companies, away }: Snapshot, companyId: string): boolean => companies.has(companyId) && !away.has(companyId);
