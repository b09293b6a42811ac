import type { Call, Runner } from '@hilo/stores';
import { hashSecret, isSecret, hashKey, cutKeyPrefix, cutTokenPrefix } from '../../platform/secrets/client-secret.ts';
import { collections } from '../../platform/database/collections.ts';
import { tags } from '../../platform/tables/tags.ts';
import { templates } from '../../platform/tables/templates.ts';
import { growRevision, holdRevision } from '../../platform/database/revision.ts';
import type { ApiKeyRow, ClientRow, RuntimeTokenRow, SecretRow } from '../../platform/database/workspace-rows.ts';
import {
  encodeBot,
  listBotSecrets,
  encodeCompany,
  encodeCredential,
  listCredentialSecrets,
  encodeFunction,
  encodeOperator,
  encodeTeam,
} from './company-rows.ts';
import type { PreparedCompany, WorkspaceParts } from './prepare.ts';

/** Kinds that an import overwrites, in the order in which they are written. */
const kinds = [
  'companies',
  'clients',
  'apiKeys',
  'bots',
  'secrets',
  'templates',
  'teams',
  'operators',
  'tags',
  'functions',
  'runtimeTokens',
  'credentials',
] as const;

/** How many of each kind were new or different. */
export type ConfigurationWritten = { readonly [Kind in (typeof kinds)[number]]: number };

/** What a workspace brings of each kind. */
type Brought = { readonly [Kind in (typeof kinds)[number]]: Writable };

/** The rows of one table, as far as they are missing or differ, and the statements that write them. */
type Writable = (runner: Pick<Runner, 'readEach'>) => Promise<readonly Call[]>;

/** What there is of a table, whether as rows or as items. */
interface Overwritten<Each> {
  changed(runner: Pick<Runner, 'readEach'>, given: readonly Each[]): Promise<readonly Each[]>;
}

const bring =
  <Each>(table: Overwritten<Each> & { put(given: readonly Each[]): readonly Call[] }, given: readonly Each[]): Writable =>
  async (runner) =>
    table.put(await table.changed(runner, given));

const bringItems =
  <Each>(table: Overwritten<Each> & { upsert(given: readonly Each[]): readonly Call[] }, given: readonly Each[]): Writable =>
  async (runner) =>
    table.upsert(await table.changed(runner, given));

/**
 * Writes the configuration of all companies in one transaction; every process sees the change.
 *
 * @param revision - the one at which the companies were checked
 * @returns `undefined`, with nothing written, when the configuration has changed since
 */
export async function writeConfiguration(
  { store: { runner }, vault, random }: Pick<WorkspaceParts, 'store' | 'vault' | 'random'>,
  companies: readonly PreparedCompany[],
  revision: number,
): Promise<ConfigurationWritten | undefined> {
  const brought = await encodeCompanies({ runner, vault, random }, companies);
  const puts: (readonly Call[])[] = [];
  for (const kind of kinds) puts.push(await brought[kind](runner));
  const count = (of: (one: Call) => number): ConfigurationWritten =>
    Object.fromEntries(
      kinds.map((kind, index) => [kind, (puts[index] ?? []).reduce((total, one) => total + of(one), 0)]),
    ) as ConfigurationWritten;
  // Nothing is written when nothing differs; the rows read just now are recent enough to tell.
  if (puts.every((some) => some.length === 0)) return count(() => 0);
  const { failed, rowsOf: written } = await runner.write([holdRevision(revision), ...puts.flat(), growRevision()]);
  return failed === undefined ? count((one) => written(one).length) : undefined;
}

type Keeping = Pick<WorkspaceParts, 'vault' | 'random'> & { readonly runner: WorkspaceParts['store']['runner'] };

async function encodeCompanies(parts: Keeping, companies: readonly PreparedCompany[]): Promise<Brought> {
  const each = <Row>(make: (prepared: PreparedCompany) => readonly Row[]): readonly Row[] => companies.flatMap(make);
  const all = await Promise.all(
    companies.map(async (prepared) => ({
      clients: await encodeClients(parts, prepared),
      apiKeys: await encodeApiKeys(parts, prepared),
      runtimeTokens: await encodeRuntimeTokens(parts, prepared),
      secrets: await encodeSecrets(parts, prepared),
    })),
  );
  const { bots, functions, teams, operators } = collections;
  return {
    companies: bring(
      collections.companies,
      each(({ company }) => [encodeCompany(company)]),
    ),
    clients: bring(
      collections.clients,
      all.flatMap(({ clients }) => clients),
    ),
    apiKeys: bring(
      collections.apiKeys,
      all.flatMap(({ apiKeys }) => apiKeys),
    ),
    bots: bring(
      bots,
      each(({ companyId, company }) => company.bots.map((bot) => encodeBot(companyId, bot))),
    ),
    secrets: bring(
      collections.secrets,
      all.flatMap(({ secrets }) => secrets),
    ),
    templates: bringItems(
      templates,
      each(({ companyId, company }) => company.templates.map((template) => ({ companyId, ...template }))),
    ),
    teams: bring(
      teams,
      each(({ companyId, company }) => company.teams.map((team) => encodeTeam(companyId, team))),
    ),
    operators: bring(
      operators,
      each(({ companyId, company }) => company.operators.map((operator) => encodeOperator(companyId, operator))),
    ),
    tags: bringItems(
      tags,
      each(({ companyId, company }) => company.tags.map((tag) => ({ companyId, ...tag }))),
    ),
    functions: bring(
      functions,
      each(({ companyId, company, sources }) =>
        company.functions.map((deployed) => encodeFunction(companyId, deployed, sources.get(deployed.id) ?? '')),
      ),
    ),
    runtimeTokens: bring(
      collections.runtimeTokens,
      all.flatMap(({ runtimeTokens }) => runtimeTokens),
    ),
    credentials: bring(
      collections.credentials,
      each(({ companyId, company }) => company.credentials.map((credential) => encodeCredential(companyId, credential))),
    ),
  };
}

/** A secret that is kept already keeps its salt. */
async function encodeClients({ runner, random }: Keeping, { companyId, company }: PreparedCompany): Promise<readonly ClientRow[]> {
  const kept = new Map((await runner.read(collections.clients.rows(companyId))).map((row) => [row.client_id, row]));
  return Promise.all(
    company.clients.map(async ({ clientId, clientSecret }) => {
      const known = kept.get(clientId)?.secret_hash;
      const isKept = known !== undefined && (clientSecret === undefined || (await isSecret(clientSecret, known)));
      return { client_id: clientId, company_id: companyId, secret_hash: isKept ? known : await hashSecret(clientSecret ?? '', random) };
    }),
  );
}

/** The digest of a key: of the given one, or the stored one of this id. */
const encodeDigest = (
  key: string | undefined,
  kept: { readonly prefix: string; readonly hash: string } | undefined,
  prefixOf: (key: string) => string,
) => (key === undefined ? { prefix: kept?.prefix ?? '', hash: kept?.hash ?? '' } : { prefix: prefixOf(key), hash: hashKey(key) });

async function encodeApiKeys({ runner }: Keeping, { companyId, company }: PreparedCompany): Promise<readonly ApiKeyRow[]> {
  const kept = new Map((await runner.read(collections.apiKeys.rows(companyId))).map((row) => [row.id, row]));
  return company.apiKeys.map(({ id, key, name, createdAt, revokedAt }) => ({
    company_id: companyId,
    id,
    name: name ?? null,
    ...encodeDigest(key, kept.get(id), cutKeyPrefix),
    created_at_ms: createdAt ?? null,
    last_used_at_ms: null,
    revoked_at_ms: revokedAt ?? null,
  }));
}

async function encodeRuntimeTokens({ runner }: Keeping, { companyId, company }: PreparedCompany): Promise<readonly RuntimeTokenRow[]> {
  const formatTokenKey = (functionId: string, id: string): string => JSON.stringify([functionId, id]);
  const rows = await runner.read(collections.runtimeTokens.rows(companyId));
  const kept = new Map(rows.map((row) => [formatTokenKey(row.function_id, row.id), row]));
  return company.functions.flatMap(({ id: functionId, runtimeTokens }) =>
    runtimeTokens.map(({ id, name, token, createdAt, lastUsedAt, revokedAt }) => ({
      company_id: companyId,
      function_id: functionId,
      id,
      name,
      ...encodeDigest(token, kept.get(formatTokenKey(functionId, id)), cutTokenPrefix),
      created_at_ms: createdAt ?? null,
      last_used_at_ms: lastUsedAt ?? null,
      revoked_at_ms: revokedAt ?? null,
    })),
  );
}

/** Encrypts only secrets that are new or different: encrypting the same secret twice gives two texts. */
async function encodeSecrets({ runner, vault }: Keeping, { companyId, company }: PreparedCompany): Promise<readonly SecretRow[]> {
  const kept = new Map((await runner.read(collections.secrets.rows(companyId))).map((row) => [row.secret_id, row.sealed]));
  return [...company.bots.flatMap(listBotSecrets), ...company.credentials.flatMap(listCredentialSecrets)].flatMap(({ secretId, value }) => {
    const sealed = kept.get(secretId);
    const isKept = sealed !== undefined && vault.open(companyId, secretId, sealed) === value;
    return isKept ? [] : [{ company_id: companyId, secret_id: secretId, sealed: vault.seal(companyId, secretId, value) }];
  });
}
