// All companies at one revision.
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@hilo/engine/contract';
import { type ItemOf, type Runner, pick } from '@hilo/stores';
import { type TemplateReport, templates } from '../platform/tables/templates.ts';
import { archivedWorkflows } from '../platform/tables/workflows.ts';
import { type DeriveKey, readTokenKeys, tokenKeysId } from '../platform/secrets/token-keys.ts';
import type { Vault } from '../platform/secrets/vault.ts';
import type { Bot, Company, MessageTemplate } from './companies.ts';
import * as tables from '../platform/tables/companies.ts';
import { eventSubscriptions, type Subscription } from '../platform/tables/events.ts';
import { readRevision } from '../platform/database/revision.ts';
import { query } from '../platform/database/schema.ts';
import { createTurns } from '../platform/turns.ts';
import { selectMoves, type StoredMove } from './moving/move-sql.ts';
import { withReport } from './template-status.ts';
import { withSecrets, botSecretId, credentialSecretId, subscriptionSecretId, type BotDefaults } from './bots.ts';

/** All companies as kept in memory, at one revision. */
export interface Snapshot {
  readonly revision: number;
  readonly companies: ReadonlyMap<string, Company>;
  readonly bots: ReadonlyMap<string, Bot>;
  /** By company, the most recently connected first (VER-03). */
  readonly botsOf: ReadonlyMap<string, readonly Bot[]>;
  /** By company, then by id. */
  readonly templates: ReadonlyMap<string, ReadonlyMap<string, MessageTemplate>>;
  readonly credentials: ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;
  /** By digest; none that was revoked. */
  readonly apiKeys: ReadonlyMap<string, { readonly companyId: string; readonly hash: string; readonly revokedAtMs: number | null }>;
  readonly clients: ReadonlyMap<string, { readonly companyId: string; readonly secretHash: string }>;
  readonly secrets: readonly string[];
  /** By company, then by id. */
  readonly opened: ReadonlyMap<string, ReadonlyMap<string, OpenedSecret>>;
  /** What seals addresses of companies that came from another service, the same value for those of one. */
  readonly tokenKeys: ReadonlyMap<string, DeriveKey>;
  /** Workflows that nothing starts, by company. */
  readonly archived: ReadonlyMap<string, ReadonlySet<string>>;
  /** Who is told of what happens, by company. */
  readonly subscriptions: ReadonlyMap<string, readonly Subscription[]>;
  /** Companies that are about to leave or have left. */
  readonly away: ReadonlyMap<string, Away>;
}

/** A secret, as it is stored and in plain text. */
interface OpenedSecret {
  readonly sealed: string;
  readonly value: string;
}

/** Where a company is now; `undefined` while that is not known. */
export interface Away {
  readonly cell: string;
  readonly url: string | undefined;
}

type ItemsOf<Of extends { readonly columns: object }> = readonly ItemOf<Of['columns']>[];

export interface SnapshotRows {
  readonly revision: number;
  readonly companies: ItemsOf<typeof tables.companies>;
  readonly bots: ItemsOf<typeof tables.bots>;
  readonly templates: ItemsOf<typeof templates>;
  /** What providers say of some of them. */
  readonly reports: readonly (Pick<ItemOf<typeof templates.columns>, 'companyId' | 'id'> & {
    readonly reported: TemplateReport | undefined;
  })[];
  readonly credentials: ItemsOf<typeof tables.credentials>;
  readonly apiKeys: ItemsOf<typeof tables.apiKeys>;
  readonly clients: ItemsOf<typeof tables.clients>;
  readonly secrets: ItemsOf<typeof tables.secrets>;
  readonly subscriptions: ItemsOf<typeof eventSubscriptions>;
  readonly archived: readonly { readonly companyId: string; readonly workflowId: string }[];
  readonly moves: readonly StoredMove[];
}

const selectArchived = query({}, pick(archivedWorkflows.columns, 'companyId', 'workflowId'), (db) =>
  db.selectFrom('archived_workflows').select(['company_id', 'workflow_id']),
);

const selectReports = query({}, pick(templates.columns, 'companyId', 'id', 'reported'), (db) =>
  db.selectFrom('templates').select(['company_id', 'id', 'reported']).where('reported', 'is not', null),
);

/** Reads the revision first: a concurrent change is read again. */
export async function readSnapshotRows(runner: Pick<Runner, 'read' | 'readOne'>): Promise<SnapshotRows> {
  return {
    revision: await readRevision(runner),
    archived: await runner.read(selectArchived({})),
    moves: await runner.read(selectMoves({})),
    companies: await runner.read(tables.companies.allOfEveryCompany()),
    bots: await runner.read(tables.bots.allOfEveryCompany()),
    templates: await runner.read(templates.allOfEveryCompany()),
    reports: await runner.read(selectReports({})),
    credentials: await runner.read(tables.credentials.allOfEveryCompany()),
    apiKeys: await runner.read(tables.apiKeys.allOfEveryCompany()),
    clients: await runner.read(tables.clients.allOfEveryCompany()),
    secrets: await runner.read(tables.secrets.allOfEveryCompany()),
    subscriptions: await runner.read(eventSubscriptions.allOfEveryCompany()),
  };
}

/** So many secrets are decrypted in one turn, at some 15 µs each. */
const secretsInTurn = 500;

/**
 * Opens the secrets of all companies. Any change reads all of them again: those that are the same as before are not decrypted anew.
 *
 * @throws {HiloError} `SECRET_KEY_REFUSED` when the secrets were encrypted with another key
 */
async function openSecrets(
  rows: SnapshotRows['secrets'],
  vault: Vault,
  before: Snapshot['opened'] = new Map(),
): Promise<Snapshot['opened']> {
  const nextTurn = createTurns(secretsInTurn);
  const opened = new Map<string, Map<string, OpenedSecret>>();
  for (const { companyId, secretId, sealed } of rows) {
    const known = before.get(companyId)?.get(secretId);
    if (known?.sealed !== sealed) await nextTurn();
    getOrCreate(opened, companyId).set(
      secretId,
      known?.sealed === sealed ? known : { sealed, value: vault.open(companyId, secretId, sealed) },
    );
  }
  return opened;
}

/** What is before the name of the field in the id of a secret. */
const ownerOf = (secretId: string): string => secretId.slice(0, secretId.lastIndexOf('/') + 1);

/** The secrets of a company by what they are of, and then by field: each bot and credential looks for its own. */
function groupByOwner(ofCompany: ReadonlyMap<string, OpenedSecret>): ReadonlyMap<string, { readonly [field: string]: string }> {
  const owners = Map.groupBy(ofCompany, ([secretId]) => ownerOf(secretId));
  return new Map(
    [...owners].map(([owner, secrets]) => [owner, Object.fromEntries(secrets.map(([id, { value }]) => [id.slice(owner.length), value]))]),
  );
}

/**
 * @param before - the snapshot that this one replaces. Its bots stay the same values where nothing of them has changed: a change of one
 *   bot, perhaps of another company, must not end what is kept of the others, such as that a provider refuses their credentials
 * @throws {HiloError} `SECRET_KEY_REFUSED` when the secrets were encrypted with another key
 */
export async function buildSnapshot(
  rows: SnapshotRows,
  vault: Vault,
  defaults: BotDefaults,
  before?: Pick<Snapshot, 'bots' | 'opened'>,
): Promise<Snapshot> {
  const opened = await openSecrets(rows.secrets, vault, before?.opened);
  const owners = new Map([...opened].map(([companyId, ofCompany]) => [companyId, groupByOwner(ofCompany)]));
  const secretsUnder = (companyId: string, prefix: string): { readonly [field: string]: string } =>
    owners.get(companyId)?.get(prefix) ?? {};

  const bots = rows.bots.map((stored) => {
    const bot = withSecrets(stored, secretsUnder(stored.companyId, botSecretId(stored.botId, '')), defaults);
    const known = before?.bots.get(bot.id);
    return known !== undefined && isDeepStrictEqual(known, bot) ? known : bot;
  });
  const templatesOf = new Map<string, Map<string, MessageTemplate>>();
  const reports = new Map(rows.reports.map(({ companyId, id, reported }) => [JSON.stringify([companyId, id]), reported]));
  for (const { companyId, ...template } of rows.templates) {
    const report = reports.get(JSON.stringify([companyId, template.id]));
    getOrCreate(templatesOf, companyId).set(template.id, withReport(template, report));
  }
  const credentials = new Map<string, Map<string, JsonObject>>();
  for (const { companyId, id, kind, fields } of rows.credentials)
    getOrCreate(credentials, companyId).set(id, { id, kind, ...fields, ...secretsUnder(companyId, credentialSecretId(id, '')) });
  return {
    revision: rows.revision,
    companies: new Map(rows.companies.map((stored) => [stored.companyId, describeCompany(stored)])),
    bots: new Map(bots.map((bot) => [bot.id, bot])),
    botsOf: Map.groupBy(bots.toSorted(mostRecentFirst), ({ companyId }) => companyId),
    templates: templatesOf,
    credentials,
    apiKeys: new Map(rows.apiKeys.map(({ companyId, hash, revokedAtMs }) => [hash, { companyId, hash, revokedAtMs: revokedAtMs ?? null }])),
    clients: new Map(rows.clients.map(({ clientId, companyId, secretHash }) => [clientId, { companyId, secretHash }])),
    secrets: [...opened.values()].flatMap((ofCompany) => [...ofCompany.values()].map(({ value }) => value)),
    opened,
    tokenKeys: readBroughtKeys(opened),
    archived: new Map(
      [...Map.groupBy(rows.archived, ({ companyId }) => companyId)].map(([companyId, archived]) => [
        companyId,
        new Set(archived.map(({ workflowId }) => workflowId)),
      ]),
    ),
    subscriptions: Map.groupBy(
      rows.subscriptions.map((stored) => ({
        ...stored,
        secret: opened.get(stored.companyId)?.get(subscriptionSecretId(stored.id))?.value ?? '',
      })),
      ({ companyId }) => companyId,
    ),
    away: new Map(
      rows.moves.flatMap(({ companyId, state, cell = '', url }) =>
        state === 'here' || state === 'gone' ? [] : [[companyId, { cell, url }]],
      ),
    ),
  };
}

function readBroughtKeys(secrets: Snapshot['opened']): ReadonlyMap<string, DeriveKey> {
  const read = new Map<string, DeriveKey>();
  return new Map(
    [...secrets].flatMap(([companyId, ofCompany]) => {
      const text = companyId === '' ? undefined : ofCompany.get(tokenKeysId)?.value;
      if (text === undefined) return [];
      const keys = read.get(text) ?? readTokenKeys(text);
      read.set(text, keys);
      return [[companyId, keys] as const];
    }),
  );
}

function getOrCreate<Value>(table: Map<string, Map<string, Value>>, companyId: string): Map<string, Value> {
  const found = table.get(companyId) ?? new Map<string, Value>();
  table.set(companyId, found);
  return found;
}

const mostRecentFirst = (left: Bot, right: Bot): number =>
  right.connectedAtMs - left.connectedAtMs || (left.id < right.id ? 1 : left.id > right.id ? -1 : 0);

const describeCompany = ({
  companyId,
  name,
  kind,
  plan,
  timeZone,
  locale,
  failureWorkflowId,
  fields,
  consent,
  settings,
  limits,
  takeover,
}: ItemsOf<typeof tables.companies>[number]): Company => ({
  id: companyId,
  name,
  kind: kind === 'enterprise' ? 'enterprise' : 'self-service',
  plan,
  ...(timeZone !== undefined && { timeZone }),
  ...(locale !== undefined && { locale }),
  ...(failureWorkflowId !== undefined && { failureWorkflowId }),
  ...(fields !== undefined && { fields }),
  ...(consent !== undefined && { consent }),
  settings,
  ...(limits !== undefined && { limits }),
  ...(takeover !== undefined && { takeover }),
});
