// Brings a workspace in.
import { pointer, type Problem } from '@hilo/engine/contract';
import { createTurns } from '../../platform/turns.ts';
import { readRevision } from '../../platform/database/revision.ts';
import { selectMoves } from '../moving/move-sql.ts';
import { companiesInTurn, type ImportOptions, type PreparedCompany, prepareWorkspace, type WorkspaceParts } from './prepare.ts';
import { requireWorkflows } from './permitted.ts';
import { type ReadWorkspace, readWorkspace, type WorkspaceSource } from './source.ts';
import { type ConfigurationWritten, writeConfiguration } from './write-configuration.ts';
import { compareTemplates } from './compare-templates.ts';
import { importLiveData, liveKinds } from './import-live-data.ts';
import { concludeWorkflows, type ImportedWorkflow, listNewWorkflows, replaceWorkflows } from './write-workflows.ts';

/** Kinds that an import counts. */
const countedKinds = [
  'companies',
  'clients',
  'apiKeys',
  'bots',
  'users',
  'templates',
  'campaigns',
  'teams',
  'operators',
  'tags',
  'rooms',
  'conversations',
  'functions',
  'credentials',
  'eventSubscriptions',
  'workflows',
] as const;
type CountedKind = (typeof countedKinds)[number];

/** The progress of an import: users that are read and checked and, later, compared and written. */
export interface ImportProgress {
  readonly step: 'reading' | 'writing';
  readonly users: number;
}

/** The result of an import. */
export interface ImportSummary {
  /** How many the workspace has of each kind, and how many of them were new or different. */
  readonly counts: { readonly [Kind in CountedKind]: { readonly given: number; readonly written: number } };
  readonly workflows: readonly ImportedWorkflow[];
  /** Where the file claims something else of a template than its provider says; left out where there is nothing of the kind. */
  readonly warnings?: readonly Problem[];
  /** Companies that are about to leave or have left: they are at work elsewhere, and were left out. */
  readonly left?: readonly string[];
}

/**
 * Imports a workspace into the store: companies with everything that belongs to them. Importing it twice is the same as once.
 *
 * Configuration (companies, clients, keys, bots, templates, teams, operators, tags, functions, credentials, event subscriptions) is overwritten; live data
 * (campaigns, rooms, conversations) is only added where missing, and a workflow is imported again only when its file changed. What a
 * workspace leaves out stays; `revokedAt` withdraws a key. A secret that is left out keeps its stored value. `lastMessageAt: "now"` is
 * the time of each import.
 *
 * Any number of users is supported: they are read one by one, and written a few hundred at a time, so that an import whose process ends
 * is written in part. The same import again writes the rest.
 *
 * @param options - `onProgress` is called repeatedly
 * @throws {HiloError} `WORKSPACE_REFUSED` with every problem; nothing is written then
 */
export async function importWorkspace(
  parts: WorkspaceParts,
  source: WorkspaceSource,
  { onProgress = () => undefined, ...options }: ImportOptions & { readonly onProgress?: (progress: ImportProgress) => void } = {},
): Promise<ImportSummary> {
  const workspace = await readWorkspace(source, (users) => onProgress({ step: 'reading', users }));
  try {
    return await importRead(parts, workspace, options, onProgress);
  } finally {
    workspace.users.close();
  }
}

async function importRead(
  parts: WorkspaceParts,
  workspace: ReadWorkspace,
  options: ImportOptions,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportSummary> {
  const { companies, left, configuration, replaced } = await importConfiguration(parts, workspace, options);
  await parts.refresh();
  const warnings = [...findSharedApps(parts, companies), ...(await compareTemplates(parts, companies))];
  const life = { users: 0, campaigns: 0, rooms: 0, conversations: 0 };
  const workflows: ImportedWorkflow[] = [];
  let users = 0;
  const nextTurn = createTurns(companiesInTurn);
  for (const prepared of companies) {
    await nextTurn();
    const written = await importLiveData(parts, prepared, (done) => onProgress({ step: 'writing', users: users + done }));
    users += prepared.users.count;
    for (const kind of liveKinds) life[kind] += written[kind];
    workflows.push(...(await concludeWorkflows(parts, prepared, replaced)));
  }
  const written = { ...configuration, ...life, workflows: workflows.filter(({ isChanged }) => isChanged).length };
  const counts = Object.fromEntries(countedKinds.map((kind) => [kind, { given: countGiven(companies, kind), written: written[kind] }]));
  return {
    counts: counts as ImportSummary['counts'],
    workflows,
    ...(warnings.length > 0 && { warnings }),
    ...(left.length > 0 && { left }),
  };
}

/** Bots that share an app and do not name their accounts. */
const findSharedApps = ({ explainSharedApp }: WorkspaceParts, companies: readonly PreparedCompany[]): readonly Problem[] =>
  companies.flatMap(({ companyId, company: { bots }, index }) =>
    bots.flatMap(({ id }, place): readonly Problem[] => {
      const message = explainSharedApp?.(companyId, id);
      const hint = 'The id of the account or workspace at the provider; the page of the channel says where it is found.';
      if (message === undefined) return [];
      return [
        {
          code: 'ACCOUNT_NOT_NAMED',
          severity: 'warning',
          pointer: pointer(['companies', index, 'bots', place, 'provider']),
          message,
          hint,
        },
      ];
    }),
  );

/** Checks against stored data, and writes; starts again when another import, a save or a publish of what it brings was in between. */
async function importConfiguration(
  parts: WorkspaceParts,
  workspace: ReadWorkspace,
  options: ImportOptions,
): Promise<{
  readonly companies: readonly PreparedCompany[];
  readonly left: readonly string[];
  readonly configuration: ConfigurationWritten;
  readonly replaced: Awaited<ReturnType<typeof listNewWorkflows>>;
}> {
  for (;;) {
    const revision = await readRevision(parts.store.runner);
    const moves = await parts.store.runner.read(selectMoves({}));
    const away = new Set(moves.flatMap(({ companyId, state }) => (state === 'here' ? [] : [companyId])));
    const given = await prepareWorkspace(parts, workspace, options);
    const companies = given.filter(({ companyId }) => !away.has(companyId));
    for (const { companyId, company } of companies) for (const secret of listHashedSecrets(company)) parts.seen.note(secret, companyId);
    const replaced = await listNewWorkflows(parts.store, companies);
    requireWorkflows(replaced, options);
    const configuration = await writeConfiguration(parts, companies, revision, await replaceWorkflows(parts, replaced), options).finally(
      () => {
        for (const { companyId, workflow } of replaced) parts.store.canvases.forget(companyId, workflow.canvas.id);
      },
    );
    const left = given.flatMap(({ companyId }) => (away.has(companyId) ? [companyId] : []));
    if (configuration !== undefined) return { companies, left, configuration, replaced };
  }
}

/** The secrets of which hashes alone are kept. */
const listHashedSecrets = ({ clients, apiKeys, functions }: PreparedCompany['company']): readonly string[] =>
  [
    ...clients.map(({ clientSecret }) => clientSecret),
    ...apiKeys.map(({ key }) => key),
    ...functions.flatMap(({ runtimeTokens }) => runtimeTokens.map(({ token }) => token)),
  ].filter((secret) => secret !== undefined);

function countGiven(companies: readonly PreparedCompany[], kind: CountedKind): number {
  if (kind === 'companies') return companies.length;
  return companies.reduce((total, { company, users }) => total + (kind === 'users' ? users.count : company[kind].length), 0);
}
