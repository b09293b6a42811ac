import { readRevision } from '../../platform/database/revision.ts';
import { type PreparedCompany, prepareWorkspace, type WorkspaceParts } from './prepare.ts';
import { type ReadWorkspace, readWorkspace, type WorkspaceSource } from './source.ts';
import { type ConfigurationWritten, writeConfiguration } from './write-configuration.ts';
import { type ImportedWorkflow, liveKinds, importLiveData, writeWorkflows } from './import-live-data.ts';

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
  'workflows',
] as const;
type CountedKind = (typeof countedKinds)[number];

/** How far an import is: how many users it has read and checked, or, later, compared with those that are kept and written. */
export interface ImportProgress {
  readonly step: 'reading' | 'writing';
  readonly users: number;
}

/** What an import came to. */
export interface ImportSummary {
  /** How many the workspace has of each kind, and how many of them were new or different. */
  readonly counts: { readonly [Kind in CountedKind]: { readonly given: number; readonly written: number } };
  readonly workflows: readonly ImportedWorkflow[];
}

/**
 * Brings a workspace into the store: companies with all that belongs to them. Twice is the same as once.
 *
 * Of configuration (companies, clients, keys, bots, templates, teams, operators, tags, functions, credentials) the workspace
 * has the last word; what lives on (campaigns, rooms, conversations) is only added where it is missing, and a workflow is
 * taken again only when its file changed. What a workspace leaves out stays; a key is withdrawn by its `revokedAt`. A secret
 * that is left out stays the one that is kept. `lastMessageAt: "now"` is the moment of each import.
 *
 * Users may be any number: they are read one by one, and written a few hundred at a time.
 *
 * @param onProgress - called repeatedly with how far it is
 * @throws {HiloError} `WORKSPACE_REFUSED` with every problem; nothing was written then
 */
export async function importWorkspace(
  parts: WorkspaceParts,
  source: WorkspaceSource,
  onProgress: (progress: ImportProgress) => void = () => undefined,
): Promise<ImportSummary> {
  const workspace = await readWorkspace(source, (users) => onProgress({ step: 'reading', users }));
  try {
    return await importRead(parts, workspace, onProgress);
  } finally {
    workspace.users.close();
  }
}

async function importRead(
  parts: WorkspaceParts,
  workspace: ReadWorkspace,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportSummary> {
  const { companies, configuration } = await importConfiguration(parts, workspace);
  await parts.refresh();
  const life = { users: 0, campaigns: 0, rooms: 0, conversations: 0 };
  const workflows: ImportedWorkflow[] = [];
  let users = 0;
  for (const prepared of companies) {
    const written = await importLiveData(parts, prepared, (done) => onProgress({ step: 'writing', users: users + done }));
    users += prepared.users.count;
    for (const kind of liveKinds) life[kind] += written[kind];
    workflows.push(...(await writeWorkflows(parts, prepared)));
  }
  const written = { ...configuration, ...life, workflows: workflows.filter(({ isChanged }) => isChanged).length };
  const counts = Object.fromEntries(countedKinds.map((kind) => [kind, { given: given(companies, kind), written: written[kind] }]));
  return { counts: counts as ImportSummary['counts'], workflows };
}

/** Checks against what is kept, and writes: from the beginning again when another import came between the two. */
async function importConfiguration(
  parts: WorkspaceParts,
  workspace: ReadWorkspace,
): Promise<{ readonly companies: readonly PreparedCompany[]; readonly configuration: ConfigurationWritten }> {
  for (;;) {
    const revision = await readRevision(parts.store.runner);
    const companies = await prepareWorkspace(parts, workspace);
    for (const secret of hashedSecrets(companies)) parts.seen.note(secret);
    const configuration = await writeConfiguration(parts, companies, revision);
    if (configuration !== undefined) return { companies, configuration };
  }
}

/** The secrets of which hashes alone are kept. */
const hashedSecrets = (companies: readonly PreparedCompany[]): readonly string[] =>
  companies
    .flatMap(({ company: { clients, apiKeys, functions } }) => [
      ...clients.map(({ clientSecret }) => clientSecret),
      ...apiKeys.map(({ key }) => key),
      ...functions.flatMap(({ runtimeTokens }) => runtimeTokens.map(({ token }) => token)),
    ])
    .filter((secret) => secret !== undefined);

function given(companies: readonly PreparedCompany[], kind: CountedKind): number {
  if (kind === 'companies') return companies.length;
  return companies.reduce((total, { company, users }) => total + (kind === 'users' ? users.count : company[kind].length), 0);
}
