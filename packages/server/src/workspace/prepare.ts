import type { Problem } from '@hilo/engine/contract';
import { checkExisting } from './check-existing.ts';
import { checkIds } from './check-ids.ts';
import { type PreparedCanvases, prepareCanvases } from './prepare-canvases.ts';
import type { WorkspaceParts } from './parts.ts';
import { inWords, problemsOfShape, workspaceProblem, WorkspaceRefused } from './problems.ts';
import { contradictionsIn } from './references.ts';
import { readNamedFile, readWorkspace, type WorkspaceSource } from './source.ts';
import type { Workspace, WorkspaceCompany, WorkspaceSchema } from './workspace.ts';

/** A company that may be written as it is. */
export interface PreparedCompany {
  readonly companyId: string;
  readonly company: WorkspaceCompany;
  readonly canvases: PreparedCanvases;
  /** The modules of its functions, by id. */
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * Reads and checks a workspace, all of it, and writes nothing.
 *
 * @throws {WorkspaceRefused} with every problem
 */
export async function prepareWorkspace(
  { store, nodes, effects, schema }: Pick<WorkspaceParts, 'store' | 'nodes' | 'effects' | 'schema'>,
  source: WorkspaceSource,
): Promise<readonly PreparedCompany[]> {
  const read = await readWorkspace(source);
  if ('problem' in read) throw new WorkspaceRefused(read.place, [read.problem]);
  const { workspace, problems: unshapely } = parse(read.input, schema);
  if (workspace === undefined) throw new WorkspaceRefused(read.place, unshapely);

  const problems: Problem[] = [...unshapely, ...checkIds(workspace), ...(await store.runner.read(() => checkExisting(workspace)))];
  const prepared: PreparedCompany[] = [];
  for (const [index, company] of workspace.companies.entries()) {
    const at = ['companies', index];
    problems.push(...contradictionsIn(company, at));
    const canvases = await prepareCanvases({ ...store, nodes, effects }, company, read.folder, at);
    const modules = await readModules(company, read.folder, at);
    problems.push(...canvases.problems, ...modules.problems);
    prepared.push({ companyId: String(company.id), company, canvases, sources: modules.sources });
  }
  if (problems.length > 0) throw new WorkspaceRefused(read.place, problems);
  return prepared;
}

/** A workspace whose only faults of shape are fields too many is checked further without them. */
function parse(input: unknown, schema: WorkspaceSchema): { readonly workspace?: Workspace; readonly problems: readonly Problem[] } {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return { problems: [workspaceProblem('INVALID_WORKSPACE', [], 'A workspace is an object with "companies"')] };
  const parsed = schema.safeParse(input, { error: inWords });
  if (parsed.success) return { workspace: parsed.data, problems: [] };
  const problems = problemsOfShape(parsed.error.issues);
  if (parsed.error.issues.some(({ code }) => code !== 'unrecognized_keys')) return { problems };
  const copy: unknown = structuredClone(input);
  for (const issue of parsed.error.issues) if (issue.code === 'unrecognized_keys') removeFields(copy, issue.path, issue.keys);
  const workspace = schema.safeParse(copy).data;
  return workspace === undefined ? { problems } : { workspace, problems };
}

function removeFields(within: unknown, path: readonly PropertyKey[], keys: readonly string[]): void {
  const place = path.reduce<unknown>((value, step) => (value as { readonly [step: PropertyKey]: unknown })[step], within);
  for (const key of keys) Reflect.deleteProperty(place as object, key);
}

async function readModules(
  { functions }: WorkspaceCompany,
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
