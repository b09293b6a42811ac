import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@hilo/engine/contract';
import { type Call, call, decodeText, type ItemOf, type Runner } from '@hilo/stores';
import { templates } from '../platform/tables/templates.ts';
import type { Vault } from '../platform/secrets/vault.ts';
import type { Bot, Company, MessageTemplate } from './companies.ts';
import { collections } from '../platform/database/collections.ts';
import { readRevision } from '../platform/database/revision.ts';
import { statement } from '../platform/database/schema.ts';
import type { CompanyRow } from '../platform/database/workspace-rows.ts';
import { selectMoves } from './moving/move-sql.ts';
import { decodeBot, botSecretId, credentialSecretId, type BotDefaults } from './bots.ts';

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
  /** Workflows that nothing starts, by company. */
  readonly archived: ReadonlyMap<string, ReadonlySet<string>>;
  /** Companies that are about to leave or have left. */
  readonly away: ReadonlyMap<string, Away>;
}

/** Where a company is now; `undefined` while that is not known. */
export interface Away {
  readonly cell: string;
  readonly url: string | undefined;
}

type Rows = { readonly [Kind in 'companies' | 'bots' | 'credentials' | 'apiKeys' | 'clients' | 'secrets']: RowsOf<Kind> };
type RowsOf<Kind extends keyof typeof collections> = (typeof collections)[Kind]['rows'] extends () => Call<infer Row>
  ? readonly Row[]
  : never;

type SnapshotRows = Rows & {
  readonly revision: number;
  readonly templates: readonly ItemOf<typeof templates.columns>[];
  readonly archived: readonly { readonly company_id: string; readonly workflow_id: string }[];
  readonly moves: readonly {
    readonly company_id: string;
    readonly state: string;
    readonly cell: string | null;
    readonly url: string | null;
  }[];
};

const selectArchived = statement()((db) => db.selectFrom('archived_workflows').select(['company_id', 'workflow_id']));

/** Reads the revision first: a concurrent change is read again. */
export async function readSnapshotRows(runner: Pick<Runner, 'read' | 'readOne'>): Promise<SnapshotRows> {
  return {
    revision: await readRevision(runner),
    archived: await runner.read(call(selectArchived, {})),
    moves: await runner.read(call(selectMoves, {})),
    companies: await runner.read(collections.companies.rows()),
    bots: await runner.read(collections.bots.rows()),
    templates: await runner.read(templates.allOfEveryCompany()),
    credentials: await runner.read(collections.credentials.rows()),
    apiKeys: await runner.read(collections.apiKeys.rows()),
    clients: await runner.read(collections.clients.rows()),
    secrets: await runner.read(collections.secrets.rows()),
  };
}

/**
 * @param before - the snapshot that this one replaces. Its bots stay the same values where nothing of them has changed: a change of one
 *   bot, perhaps of another company, must not end what is kept of the others, such as that a provider refuses their credentials
 * @throws {HiloError} `SECRET_KEY_REFUSED` when the secrets were encrypted with another key
 */
export function buildSnapshot(rows: SnapshotRows, vault: Vault, defaults: BotDefaults, before?: Pick<Snapshot, 'bots'>): Snapshot {
  const secrets = new Map<string, Map<string, string>>();
  for (const { company_id, secret_id, sealed } of rows.secrets)
    getOrCreate(secrets, company_id).set(secret_id, vault.open(company_id, secret_id, sealed));
  const secretsUnder = (companyId: string, prefix: string): { readonly [field: string]: string } =>
    Object.fromEntries(
      [...(secrets.get(companyId) ?? [])].flatMap(([id, value]) => (id.startsWith(prefix) ? [[id.slice(prefix.length), value]] : [])),
    );

  const bots = rows.bots.map((row) => {
    const bot = decodeBot(row, secretsUnder(row.company_id, botSecretId(row.bot_id, '')), defaults);
    const known = before?.bots.get(bot.id);
    return known !== undefined && isDeepStrictEqual(known, bot) ? known : bot;
  });
  const templatesOf = new Map<string, Map<string, MessageTemplate>>();
  for (const { companyId, ...template } of rows.templates) getOrCreate(templatesOf, companyId).set(template.id, template);
  const credentials = new Map<string, Map<string, JsonObject>>();
  for (const { company_id, id, kind, fields } of rows.credentials) {
    const open = JSON.parse(fields) as JsonObject;
    getOrCreate(credentials, company_id).set(id, { id, kind, ...open, ...secretsUnder(company_id, credentialSecretId(id, '')) });
  }
  return {
    revision: rows.revision,
    companies: new Map(rows.companies.map((row) => [row.company_id, decodeCompany(row)])),
    bots: new Map(bots.map((bot) => [bot.id, bot])),
    botsOf: Map.groupBy(bots.toSorted(mostRecentFirst), ({ companyId }) => companyId),
    templates: templatesOf,
    credentials,
    apiKeys: new Map(
      rows.apiKeys.map(({ company_id, hash, revoked_at_ms }) => [hash, { companyId: company_id, hash, revokedAtMs: revoked_at_ms }]),
    ),
    clients: new Map(
      rows.clients.map(({ client_id, company_id, secret_hash }) => [client_id, { companyId: company_id, secretHash: secret_hash }]),
    ),
    secrets: [...secrets.values()].flatMap((ofCompany) => [...ofCompany.values()]),
    archived: new Map(
      [...Map.groupBy(rows.archived, ({ company_id }) => decodeText(company_id))].map(([companyId, archived]) => [
        companyId,
        new Set(archived.map(({ workflow_id }) => decodeText(workflow_id))),
      ]),
    ),
    away: new Map(
      rows.moves.flatMap(({ company_id, state, cell, url }) =>
        state === 'here' || state === 'gone' ? [] : [[company_id, { cell: cell ?? '', url: url ?? undefined }]],
      ),
    ),
  };
}

function getOrCreate<Value>(table: Map<string, Map<string, Value>>, companyId: string): Map<string, Value> {
  const found = table.get(companyId) ?? new Map<string, Value>();
  table.set(companyId, found);
  return found;
}

const mostRecentFirst = (left: Bot, right: Bot): number =>
  right.connectedAtMs - left.connectedAtMs || (left.id < right.id ? 1 : left.id > right.id ? -1 : 0);

const decodeCompany = ({ company_id, name, kind, plan, time_zone, locale, failure_workflow_id, settings }: CompanyRow): Company => ({
  id: company_id,
  name,
  kind: kind === 'enterprise' ? 'enterprise' : 'self-service',
  plan,
  ...(time_zone !== null && { timeZone: time_zone }),
  ...(locale !== null && { locale }),
  ...(failure_workflow_id !== null && { failureWorkflowId: failure_workflow_id }),
  settings: JSON.parse(settings) as JsonObject,
});
