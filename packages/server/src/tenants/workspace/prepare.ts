import type { Problem } from '@hilo/engine/contract';
import { checkExisting } from './check-existing.ts';
import { checkIds } from './check-ids.ts';
import type { GivenUser } from './given-users.ts';
import { type PreparedCanvases, prepareCanvases } from './prepare-canvases.ts';
import type { WorkspaceParts } from './parts.ts';
import { parseShape, workspaceProblem, WorkspaceRefused } from './problems.ts';
import { contradictionsIn } from './references.ts';
import { readNamedFile, type ReadWorkspace } from './source.ts';
import type { WorkspaceCompany } from './workspace.ts';

/** A company that may be written as it is. */
export interface PreparedCompany {
  readonly companyId: string;
  /** All that it is made of but its users. */
  readonly company: Omit<WorkspaceCompany, 'users'>;
  readonly users: { readonly count: number; inBatches(size: number): Iterable<readonly GivenUser[]> };
  readonly canvases: PreparedCanvases;
  /** The modules of its functions, by id. */
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * Checks a workspace that was read, all of it, and writes nothing.
 *
 * @throws {WorkspaceRefused} with every problem
 */
export async function prepareWorkspace(
  { store, nodes, effects, schema }: Pick<WorkspaceParts, 'store' | 'nodes' | 'effects' | 'schema'>,
  { place, input, users, folder }: ReadWorkspace,
): Promise<readonly PreparedCompany[]> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new WorkspaceRefused(place, [workspaceProblem('INVALID_WORKSPACE', [], 'A workspace is an object with "companies"')]);
  const { value: workspace, problems: unshapely } = parseShape(schema, input);
  if (workspace === undefined) throw new WorkspaceRefused(place, [...unshapely, ...users.problems]);

  const problems: Problem[] = [
    ...unshapely,
    ...users.problems,
    ...checkIds(workspace),
    ...(await checkExisting(store.runner, workspace, users)),
  ];
  const prepared: PreparedCompany[] = [];
  for (const [index, company] of workspace.companies.entries()) {
    const at = ['companies', index];
    problems.push(...contradictionsIn(company, at));
    const canvases = await prepareCanvases({ ...store, nodes, effects }, company, folder, at);
    const modules = await readModules(company, folder, at);
    problems.push(...canvases.problems, ...modules.problems);
    const ofCompany = { count: users.count(index), inBatches: (size: number) => users.inBatches(index, size) };
    prepared.push({ companyId: String(company.id), company, users: ofCompany, canvases, sources: modules.sources });
  }
  if (problems.length > 0) throw new WorkspaceRefused(place, problems);
  return prepared;
}

async function readModules(
  { functions }: Pick<WorkspaceCompany, 'functions'>,
  folder: string | undefined,
  at: readonly PropertyKey[],
): Promise<{ readonly sources: ReadonlyMap<string, string>; readonly problems: readonly Problem[] }> {
  const sources = new Map<string, string>();
  const problems: Problem[] = [];
  for (const [index, { id, file, source }] of functions.entries()) {
    const read = file === undefined ? { text: source ?? '' } : await readNamedFile(folder, file, [...at, 'functions', index, 'file']);
    if ('problem' in read) problems.push(read.problem);
    else sources.set(id, read.text);
  }
  return { sources, problems };
}
