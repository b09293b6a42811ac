// Writes the configuration of a workspace in one transaction.
import type { Call, GivenOf, Runner, TableRows } from '@hilo/stores';
import { hashSecret, isSecret, hashKey, cutKeyPrefix, cutTokenPrefix } from '../../platform/secrets/client-secret.ts';
import * as tables from '../../platform/tables/companies.ts';
import { operators, teams } from '../../platform/tables/conversations.ts';
import { eventSubscriptions } from '../../platform/tables/events.ts';
import { functions, runtimeTokens } from '../../platform/tables/functions.ts';
import { tags } from '../../platform/tables/tags.ts';
import { templates } from '../../platform/tables/templates.ts';
import { fewAtOnce } from '../../platform/few-at-once.ts';
import { createTurns } from '../../platform/turns.ts';
import { growRevision, holdRevision } from '../../platform/database/revision.ts';
import {
  botItem,
  companyItem,
  credentialItem,
  listBotSecrets,
  listCredentialSecrets,
  listSubscriptionSecrets,
  subscriptionItem,
} from './company-items.ts';
import { type Bringer, requireNothingOfAdmins } from './permitted.ts';
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
  'eventSubscriptions',
] as const;

/** How many of each kind were new or different. */
export type ConfigurationWritten = { readonly [Kind in (typeof kinds)[number]]: number };

/** What a workspace brings of each kind. */
type Brought = { readonly [Kind in (typeof kinds)[number]]: Writable };

/** The rows of one table, as far as they are missing or differ, and the statements that write them. */
type Writable = (runner: Pick<Runner, 'readEach'>) => Promise<readonly Call[]>;

const bring =
  <Given>(table: Pick<TableRows<unknown, Given, never>, 'changed' | 'upsert'>, given: readonly Given[]): Writable =>
  async (runner) =>
    table.upsert(await table.changed(runner, given));

/**
 * Writes the configuration of all companies in one transaction; every process sees the change.
 *
 * @param revision - the one at which the companies were checked
 * @param others - what is written with it, or not at all
 * @param by - who brings it
 * @throws {HttpError} 403, with nothing written, for what they may not change
 * @returns `undefined`, with nothing written, when the configuration has changed since
 */
export async function writeConfiguration(
  { store: { runner }, vault, random }: Pick<WorkspaceParts, 'store' | 'vault' | 'random'>,
  companies: readonly PreparedCompany[],
  revision: number,
  others: readonly Call[] = [],
  by: Bringer = {},
): Promise<ConfigurationWritten | undefined> {
  const { brought, secrets } = await encodeCompanies({ runner, vault, random }, companies);
  const puts: (readonly Call[])[] = [];
  for (const kind of kinds) puts.push(await brought[kind](runner));
  const differing = (kind: (typeof kinds)[number]): number => puts[kinds.indexOf(kind)]?.length ?? 0;
  requireNothingOfAdmins(differing, secrets, by);
  const count = (of: (one: Call) => number): ConfigurationWritten =>
    Object.fromEntries(
      kinds.map((kind, index) => [kind, (puts[index] ?? []).reduce((total, one) => total + of(one), 0)]),
    ) as ConfigurationWritten;
  // Nothing is written when nothing differs; the rows read just now are recent enough to tell.
  if (others.length === 0 && puts.every((some) => some.length === 0)) return count(() => 0);
  const { failed, rowsOf: written } = await runner.write([holdRevision(revision), ...puts.flat(), ...others, growRevision()]);
  return failed === undefined ? count((one) => written(one).length) : undefined;
}

/** So many companies have their turn together. */
const companiesInTurn = 20;

type Keeping = Pick<WorkspaceParts, 'vault' | 'random'> & { readonly runner: WorkspaceParts['store']['runner'] };

async function encodeCompanies(
  parts: Keeping,
  companies: readonly PreparedCompany[],
): Promise<{ readonly brought: Brought; readonly secrets: readonly { readonly secretId: string }[] }> {
  const each = <Row>(make: (prepared: PreparedCompany) => readonly Row[]): readonly Row[] => companies.flatMap(make);
  const clients = await encodeClients(parts, companies);
  const all: Awaited<ReturnType<typeof encodeOthers>>[] = [];
  const nextTurn = createTurns(companiesInTurn);
  for (const prepared of companies) {
    await nextTurn();
    all.push(await encodeOthers(parts, prepared));
  }
  const list = <Each extends object>(listOf: (company: PreparedCompany['company']) => readonly Each[]) =>
    companies.flatMap(({ companyId, company }) => listOf(company).map((item) => ({ companyId, ...item })));
  const secrets = all.flatMap(({ secrets: ofCompany }) => ofCompany);
  const brought: Brought = {
    companies: bring(
      tables.companies,
      each(({ company }) => [companyItem(company)]),
    ),
    clients: bring(tables.clients, clients),
    apiKeys: bring(
      tables.apiKeys,
      all.flatMap(({ apiKeys }) => apiKeys),
    ),
    bots: bring(
      tables.bots,
      each(({ companyId, company }) => company.bots.map((bot) => botItem(companyId, bot))),
    ),
    secrets: bring(tables.secrets, secrets),
    templates: bring(
      templates,
      list((company) => company.templates),
    ),
    teams: bring(
      teams,
      list((company) => company.teams),
    ),
    operators: bring(
      operators,
      list((company) => company.operators.map(({ leftAt, ...operator }) => ({ ...operator, leftAtMs: leftAt }))),
    ),
    tags: bring(
      tags,
      list((company) => company.tags),
    ),
    functions: bring(functions, each(listFunctions)),
    runtimeTokens: bring(
      runtimeTokens,
      all.flatMap(({ runtimeTokens }) => runtimeTokens),
    ),
    credentials: bring(
      tables.credentials,
      each(({ companyId, company }) => company.credentials.map((credential) => credentialItem(companyId, credential))),
    ),
    eventSubscriptions: bring(
      eventSubscriptions,
      each(({ companyId, company }) => company.eventSubscriptions.map((one) => subscriptionItem(companyId, one))),
    ),
  };
  return { brought, secrets };
}

/** Its functions with their modules. */
const listFunctions = ({ companyId, company, sources }: PreparedCompany) =>
  company.functions.map(({ id, name, tools }) => ({ companyId, functionId: id, name, tools, source: sources.get(id) ?? '' }));

const encodeOthers = async (parts: Keeping, prepared: PreparedCompany) => ({
  apiKeys: await encodeApiKeys(parts, prepared),
  runtimeTokens: await encodeRuntimeTokens(parts, prepared),
  secrets: await encodeSecrets(parts, prepared),
});

/** So many secrets are hashed at once: half of the threads of Node.js, whose others are left to whoever logs in, to files and to names of hosts. */
const hashedAtOnce = 2;

/** A secret that is kept already keeps its salt. */
async function encodeClients(
  { runner, random }: Keeping,
  companies: readonly PreparedCompany[],
): Promise<readonly GivenOf<typeof tables.clients.columns>[]> {
  const given: {
    readonly companyId: string;
    readonly clientId: string;
    readonly secret: string | undefined;
    readonly known: string | undefined;
  }[] = [];
  const nextTurn = createTurns(companiesInTurn);
  for (const { companyId, company } of companies) {
    await nextTurn();
    const kept = new Map((await runner.read(tables.clients.all(companyId))).map(({ clientId, secretHash }) => [clientId, secretHash]));
    for (const { clientId, clientSecret } of company.clients)
      given.push({ companyId, clientId, secret: clientSecret, known: kept.get(clientId) });
  }
  return fewAtOnce(given, hashedAtOnce, async ({ companyId, clientId, secret, known }) => {
    const isKept = known !== undefined && (secret === undefined || (await isSecret(secret, known)));
    return { companyId, clientId, secretHash: isKept ? known : await hashSecret(secret ?? '', random) };
  });
}

/** The digest of a key: of the given one, or the stored one of this id. */
const encodeDigest = (
  key: string | undefined,
  kept: { readonly prefix: string; readonly hash: string } | undefined,
  prefixOf: (key: string) => string,
) => (key === undefined ? { prefix: kept?.prefix ?? '', hash: kept?.hash ?? '' } : { prefix: prefixOf(key), hash: hashKey(key) });

async function encodeApiKeys(
  { runner }: Keeping,
  { companyId, company }: PreparedCompany,
): Promise<readonly GivenOf<typeof tables.apiKeys.columns>[]> {
  const kept = new Map((await runner.read(tables.apiKeys.all(companyId))).map((one) => [one.id, one]));
  return company.apiKeys.map(({ id, key, name, createdAt, revokedAt }) => ({
    companyId,
    id,
    name,
    ...encodeDigest(key, kept.get(id), cutKeyPrefix),
    createdAtMs: createdAt,
    revokedAtMs: revokedAt,
  }));
}

async function encodeRuntimeTokens(
  { runner }: Keeping,
  { companyId, company }: PreparedCompany,
): Promise<readonly GivenOf<typeof runtimeTokens.columns>[]> {
  const formatTokenKey = (functionId: string, id: string): string => JSON.stringify([functionId, id]);
  const stored = await runner.read(runtimeTokens.all(companyId));
  const kept = new Map(stored.map((token) => [formatTokenKey(token.functionId, token.id), token]));
  return company.functions.flatMap(({ id: functionId, runtimeTokens: given }) =>
    given.map(({ id, name, token, createdAt, lastUsedAt, revokedAt }) => ({
      companyId,
      functionId,
      id,
      name,
      ...encodeDigest(token, kept.get(formatTokenKey(functionId, id)), cutTokenPrefix),
      createdAtMs: createdAt,
      lastUsedAtMs: lastUsedAt,
      revokedAtMs: revokedAt,
    })),
  );
}

/** Encrypts only secrets that are new or different: encrypting the same secret twice gives two texts. */
async function encodeSecrets(
  { runner, vault }: Keeping,
  { companyId, company }: PreparedCompany,
): Promise<readonly GivenOf<typeof tables.secrets.columns>[]> {
  const kept = new Map((await runner.read(tables.secrets.all(companyId))).map(({ secretId, sealed }) => [secretId, sealed]));
  const given = [
    ...company.bots.flatMap(listBotSecrets),
    ...company.credentials.flatMap(listCredentialSecrets),
    ...company.eventSubscriptions.flatMap(listSubscriptionSecrets),
  ];
  return given.flatMap(({ secretId, value }) => {
    const sealed = kept.get(secretId);
    const isKept = sealed !== undefined && vault.open(companyId, secretId, sealed) === value;
    return isKept ? [] : [{ companyId, secretId, sealed: vault.seal(companyId, secretId, value) }];
  });
}
