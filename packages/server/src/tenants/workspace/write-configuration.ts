import type { Steps } from '@hilo/stores';
import { hashSecret, isSecret, keyDigest, keyPrefix, tokenPrefix } from '../../platform/secrets/client-secret.ts';
import { collections } from '../../platform/database/collections.ts';
import { growRevision, holdRevision } from '../../platform/database/revision.ts';
import type { ApiKeyRow, ClientRow, RuntimeTokenRow, SecretRow } from '../../platform/database/workspace-rows.ts';
import {
  botRow,
  botSecrets,
  companyRow,
  credentialRow,
  credentialSecretsOf,
  functionRow,
  operatorRow,
  tagRow,
  teamRow,
  templateRow,
} from './company-rows.ts';
import type { PreparedCompany, WorkspaceParts } from './prepare.ts';
import type { LivingKind } from './import-live-data.ts';

/** Kinds of which the workspace has the last word: what it says is so from then on. */
type ConfigurationKind = Exclude<keyof typeof collections, LivingKind | 'recipients' | 'roomTags' | 'importedWorkflows'>;

/** The rows of all companies, by kind. */
type Rows = { readonly [Kind in ConfigurationKind]: readonly Parameters<(typeof collections)[Kind]['put']>[0][number][] };

/** How many of each kind were new or different. */
export type ConfigurationWritten = { readonly [Kind in ConfigurationKind]: number };

/**
 * Writes the configuration of all companies in one transaction; a change is seen by every process.
 *
 * @param revision - the one that the companies were checked at
 * @returns nothing, and nothing is written, when another changed the configuration since
 */
export async function writeConfiguration(
  { store: { runner }, vault, random }: Pick<WorkspaceParts, 'store' | 'vault' | 'random'>,
  companies: readonly PreparedCompany[],
  revision: number,
): Promise<ConfigurationWritten | undefined> {
  const rows = await rowsOf({ runner, vault, random }, companies);
  const changed = await runner.read(() => changedOf(rows));
  // Nothing is written where all is as it was; that it still is, what was read a moment ago says well enough.
  if (Object.values(changed).every((some) => some.length === 0)) return countsOf(changed);
  return runner.write(function* () {
    if (!(yield* holdRevision(revision))) return undefined;
    const written = countsOf({
      companies: yield* collections.companies.put(changed.companies),
      clients: yield* collections.clients.put(changed.clients),
      apiKeys: yield* collections.apiKeys.put(changed.apiKeys),
      bots: yield* collections.bots.put(changed.bots),
      secrets: yield* collections.secrets.put(changed.secrets),
      templates: yield* collections.templates.put(changed.templates),
      teams: yield* collections.teams.put(changed.teams),
      operators: yield* collections.operators.put(changed.operators),
      tags: yield* collections.tags.put(changed.tags),
      functions: yield* collections.functions.put(changed.functions),
      runtimeTokens: yield* collections.runtimeTokens.put(changed.runtimeTokens),
      credentials: yield* collections.credentials.put(changed.credentials),
    });
    if (Object.values(written).some((number) => number > 0)) yield* growRevision();
    return written;
  });
}

/** Of the rows those that are missing or differ. */
function* changedOf(rows: Rows): Steps<Rows> {
  return {
    companies: yield* collections.companies.changed(rows.companies),
    clients: yield* collections.clients.changed(rows.clients),
    apiKeys: yield* collections.apiKeys.changed(rows.apiKeys),
    bots: yield* collections.bots.changed(rows.bots),
    secrets: yield* collections.secrets.changed(rows.secrets),
    templates: yield* collections.templates.changed(rows.templates),
    teams: yield* collections.teams.changed(rows.teams),
    operators: yield* collections.operators.changed(rows.operators),
    tags: yield* collections.tags.changed(rows.tags),
    functions: yield* collections.functions.changed(rows.functions),
    runtimeTokens: yield* collections.runtimeTokens.changed(rows.runtimeTokens),
    credentials: yield* collections.credentials.changed(rows.credentials),
  };
}

const countsOf = (rows: Rows): ConfigurationWritten =>
  Object.fromEntries(Object.entries(rows).map(([kind, some]) => [kind, some.length])) as ConfigurationWritten;

type Keeping = Pick<WorkspaceParts, 'vault' | 'random'> & { readonly runner: WorkspaceParts['store']['runner'] };

async function rowsOf(parts: Keeping, companies: readonly PreparedCompany[]): Promise<Rows> {
  const each = <Row>(make: (prepared: PreparedCompany) => readonly Row[]): readonly Row[] => companies.flatMap(make);
  const all = await Promise.all(
    companies.map(async (prepared) => ({
      clients: await clientRows(parts, prepared),
      apiKeys: await apiKeyRows(parts, prepared),
      runtimeTokens: await runtimeTokenRows(parts, prepared),
      secrets: await secretRows(parts, prepared),
    })),
  );
  return {
    companies: each(({ company }) => [companyRow(company)]),
    clients: all.flatMap(({ clients }) => clients),
    apiKeys: all.flatMap(({ apiKeys }) => apiKeys),
    bots: each(({ companyId, company }) => company.bots.map((bot) => botRow(companyId, bot))),
    secrets: all.flatMap(({ secrets }) => secrets),
    templates: each(({ companyId, company }) => company.templates.map((template) => templateRow(companyId, template))),
    teams: each(({ companyId, company }) => company.teams.map((team) => teamRow(companyId, team))),
    operators: each(({ companyId, company }) => company.operators.map((operator) => operatorRow(companyId, operator))),
    tags: each(({ companyId, company }) => company.tags.map((tag) => tagRow(companyId, tag))),
    functions: each(({ companyId, company, sources }) =>
      company.functions.map((deployed) => functionRow(companyId, deployed, sources.get(deployed.id) ?? '')),
    ),
    runtimeTokens: all.flatMap(({ runtimeTokens }) => runtimeTokens),
    credentials: each(({ companyId, company }) => company.credentials.map((credential) => credentialRow(companyId, credential))),
  };
}

/** A secret that is kept already keeps its salt. */
async function clientRows({ runner, random }: Keeping, { companyId, company }: PreparedCompany): Promise<readonly ClientRow[]> {
  const kept = new Map((await runner.read(() => collections.clients.rows(companyId))).map((row) => [row.client_id, row]));
  return Promise.all(
    company.clients.map(async ({ clientId, clientSecret }) => {
      const known = kept.get(clientId)?.secret_hash;
      const isKept = known !== undefined && (clientSecret === undefined || (await isSecret(clientSecret, known)));
      return { client_id: clientId, company_id: companyId, secret_hash: isKept ? known : await hashSecret(clientSecret ?? '', random) };
    }),
  );
}

/** What is kept of a key: of the one given, or of the one known by this id. */
const digestRow = (
  key: string | undefined,
  kept: { readonly prefix: string; readonly hash: string } | undefined,
  prefixOf: (key: string) => string,
) => (key === undefined ? { prefix: kept?.prefix ?? '', hash: kept?.hash ?? '' } : { prefix: prefixOf(key), hash: keyDigest(key) });

async function apiKeyRows({ runner }: Keeping, { companyId, company }: PreparedCompany): Promise<readonly ApiKeyRow[]> {
  const kept = new Map((await runner.read(() => collections.apiKeys.rows(companyId))).map((row) => [row.id, row]));
  return company.apiKeys.map(({ id, key, name, createdAt, revokedAt }) => ({
    company_id: companyId,
    id,
    name: name ?? null,
    ...digestRow(key, kept.get(id), keyPrefix),
    created_at_ms: createdAt ?? null,
    last_used_at_ms: null,
    revoked_at_ms: revokedAt ?? null,
  }));
}

async function runtimeTokenRows({ runner }: Keeping, { companyId, company }: PreparedCompany): Promise<readonly RuntimeTokenRow[]> {
  const nameOf = (functionId: string, id: string): string => JSON.stringify([functionId, id]);
  const rows = await runner.read(() => collections.runtimeTokens.rows(companyId));
  const kept = new Map(rows.map((row) => [nameOf(row.function_id, row.id), row]));
  return company.functions.flatMap(({ id: functionId, runtimeTokens }) =>
    runtimeTokens.map(({ id, name, token, createdAt, lastUsedAt, revokedAt }) => ({
      company_id: companyId,
      function_id: functionId,
      id,
      name,
      ...digestRow(token, kept.get(nameOf(functionId, id)), tokenPrefix),
      created_at_ms: createdAt ?? null,
      last_used_at_ms: lastUsedAt ?? null,
      revoked_at_ms: revokedAt ?? null,
    })),
  );
}

/** Only what is new or different is encrypted: the same secret never looks the same twice. */
async function secretRows({ runner, vault }: Keeping, { companyId, company }: PreparedCompany): Promise<readonly SecretRow[]> {
  const kept = new Map((await runner.read(() => collections.secrets.rows(companyId))).map((row) => [row.secret_id, row.sealed]));
  return [...company.bots.flatMap(botSecrets), ...company.credentials.flatMap(credentialSecretsOf)].flatMap(({ secretId, value }) => {
    const sealed = kept.get(secretId);
    const isKept = sealed !== undefined && vault.open(companyId, secretId, sealed) === value;
    return isKept ? [] : [{ company_id: companyId, secret_id: secretId, sealed: vault.seal(companyId, secretId, value) }];
  });
}
