import type { Call, Runner } from '@hilo/stores';
import { hashSecret, isSecret, hashKey, cutKeyPrefix, cutTokenPrefix } from '../../platform/secrets/client-secret.ts';
import { collections } from '../../platform/database/collections.ts';
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
  encodeTag,
  encodeTeam,
  encodeTemplate,
} from './company-rows.ts';
import type { PreparedCompany, WorkspaceParts } from './prepare.ts';
import type { LiveKind } from './import-live-data.ts';

/** Kinds that an import overwrites. */
type ConfigurationKind = Exclude<keyof typeof collections, LiveKind | 'recipients' | 'roomTags' | 'importedWorkflows'>;

/** The rows of all companies, by kind. */
type Rows = { readonly [Kind in ConfigurationKind]: readonly Parameters<(typeof collections)[Kind]['put']>[0][number][] };

/** How many of each kind were new or different. */
export type ConfigurationWritten = { readonly [Kind in ConfigurationKind]: number };

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
  const rows = await encodeCompanies({ runner, vault, random }, companies);
  const changed = await findChanged(runner, rows);
  // Nothing is written when nothing differs; the rows read just now are recent enough to tell.
  if (Object.values(changed).every((some) => some.length === 0)) return countRows(changed);
  const puts = buildPuts(changed);
  const { failed, rowsOf: given } = await runner.write([holdRevision(revision), ...Object.values(puts).flat(), growRevision()]);
  if (failed !== undefined) return undefined;
  const counts = Object.entries(puts).map(([kind, calls]) => [kind, calls.flatMap((one) => given(one)).length]);
  return Object.fromEntries(counts) as ConfigurationWritten;
}

/** The rows that are missing or differ. */
const findChanged = async (runner: Pick<Runner, 'readEach'>, rows: Rows): Promise<Rows> => ({
  companies: await collections.companies.changed(runner, rows.companies),
  clients: await collections.clients.changed(runner, rows.clients),
  apiKeys: await collections.apiKeys.changed(runner, rows.apiKeys),
  bots: await collections.bots.changed(runner, rows.bots),
  secrets: await collections.secrets.changed(runner, rows.secrets),
  templates: await collections.templates.changed(runner, rows.templates),
  teams: await collections.teams.changed(runner, rows.teams),
  operators: await collections.operators.changed(runner, rows.operators),
  tags: await collections.tags.changed(runner, rows.tags),
  functions: await collections.functions.changed(runner, rows.functions),
  runtimeTokens: await collections.runtimeTokens.changed(runner, rows.runtimeTokens),
  credentials: await collections.credentials.changed(runner, rows.credentials),
});

const buildPuts = (rows: Rows): { readonly [Kind in ConfigurationKind]: readonly Call[] } => ({
  companies: collections.companies.put(rows.companies),
  clients: collections.clients.put(rows.clients),
  apiKeys: collections.apiKeys.put(rows.apiKeys),
  bots: collections.bots.put(rows.bots),
  secrets: collections.secrets.put(rows.secrets),
  templates: collections.templates.put(rows.templates),
  teams: collections.teams.put(rows.teams),
  operators: collections.operators.put(rows.operators),
  tags: collections.tags.put(rows.tags),
  functions: collections.functions.put(rows.functions),
  runtimeTokens: collections.runtimeTokens.put(rows.runtimeTokens),
  credentials: collections.credentials.put(rows.credentials),
});

const countRows = (rows: Rows): ConfigurationWritten =>
  Object.fromEntries(Object.entries(rows).map(([kind, some]) => [kind, some.length])) as ConfigurationWritten;

type Keeping = Pick<WorkspaceParts, 'vault' | 'random'> & { readonly runner: WorkspaceParts['store']['runner'] };

async function encodeCompanies(parts: Keeping, companies: readonly PreparedCompany[]): Promise<Rows> {
  const each = <Row>(make: (prepared: PreparedCompany) => readonly Row[]): readonly Row[] => companies.flatMap(make);
  const all = await Promise.all(
    companies.map(async (prepared) => ({
      clients: await encodeClients(parts, prepared),
      apiKeys: await encodeApiKeys(parts, prepared),
      runtimeTokens: await encodeRuntimeTokens(parts, prepared),
      secrets: await encodeSecrets(parts, prepared),
    })),
  );
  return {
    companies: each(({ company }) => [encodeCompany(company)]),
    clients: all.flatMap(({ clients }) => clients),
    apiKeys: all.flatMap(({ apiKeys }) => apiKeys),
    bots: each(({ companyId, company }) => company.bots.map((bot) => encodeBot(companyId, bot))),
    secrets: all.flatMap(({ secrets }) => secrets),
    templates: each(({ companyId, company }) => company.templates.map((template) => encodeTemplate(companyId, template))),
    teams: each(({ companyId, company }) => company.teams.map((team) => encodeTeam(companyId, team))),
    operators: each(({ companyId, company }) => company.operators.map((operator) => encodeOperator(companyId, operator))),
    tags: each(({ companyId, company }) => company.tags.map((tag) => encodeTag(companyId, tag))),
    functions: each(({ companyId, company, sources }) =>
      company.functions.map((deployed) => encodeFunction(companyId, deployed, sources.get(deployed.id) ?? '')),
    ),
    runtimeTokens: all.flatMap(({ runtimeTokens }) => runtimeTokens),
    credentials: each(({ companyId, company }) => company.credentials.map((credential) => encodeCredential(companyId, credential))),
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
