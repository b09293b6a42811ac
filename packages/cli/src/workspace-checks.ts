// What a file of a canvas is checked against beside itself: the company of a workspace, its templates, functions and credentials.
import { resolve } from 'node:path';
import { type Connections, parseCanvas, type PublishedWorkflow } from '@hilo/engine';
import type { Canvas } from '@hilo/engine/contract';
import { toolsAmong } from '@hilo/engine/authoring';
import { workspaceRefused } from '@hilo/server';
import {
  connectionsTo,
  judgeTemplate,
  movingMoney,
  namesBrought,
  parseShape,
  toolsOf,
  type WorkspaceCompany,
  workspaceSchema,
} from '@hilo/server/kit';
import type { CompleteParts } from '@hilo/server/parts';
import { readNamedFile, readWorkspace } from '@hilo/server/project';

/** What a canvas file is checked against in the company of a workspace that it is for. */
export interface CompanyChecks {
  readonly connections: Connections;
  /** What the workspace publishes there. */
  readonly published: readonly PublishedWorkflow[];
  /** Those of them that are not checked themselves, by their ids. */
  readonly others: ReadonlyMap<string, Canvas>;
}

interface ReadCompany extends CompanyChecks {
  /** The canvas files that the workspace names for it, from the root. */
  readonly files: ReadonlySet<string>;
}

/**
 * Reads from a workspace file what publishing in it checks canvases against. A canvas belongs to the company that names its file, else
 * to the first.
 *
 * @param given - the ids of canvases that are checked, and would be published, together
 * @throws {HiloError} `WORKSPACE_REFUSED` for a file that is no workspace
 */
export async function workspaceChecks(
  file: string,
  { channels, nodes }: Pick<CompleteParts, 'channels' | 'nodes'>,
  given: readonly string[],
): Promise<(canvasFile: string) => CompanyChecks> {
  const { place, input, users, folder } = await readWorkspace(file);
  users.close(); // no canvas names one
  const { value: workspace, problems } = parseShape(workspaceSchema(channels), input);
  if (workspace === undefined || problems.length > 0) throw workspaceRefused(place, problems);
  const companies: ReadCompany[] = [];
  for (const company of workspace.companies) companies.push(await readCompany(company, { channels, nodes, folder, given }));
  const [first = { connections: {}, published: [], others: new Map<string, Canvas>() }] = companies;
  return (canvasFile) => companies.find(({ files }) => files.has(resolve(canvasFile))) ?? first;
}

/** An unreadable canvas is reported when its own file is checked. */
async function readCompany(
  company: WorkspaceCompany,
  {
    channels,
    nodes,
    folder,
    given,
  }: Pick<CompleteParts, 'channels' | 'nodes'> & { readonly folder: string | undefined; readonly given: readonly string[] },
): Promise<ReadCompany> {
  const files = new Set<string>();
  const ids = new Set(given);
  const canvases = new Map<string, Canvas>();
  const published: PublishedWorkflow[] = [];
  for (const { file, canvas: inline, publish } of company.workflows) {
    if (file !== undefined) files.add(resolve(folder ?? '.', file));
    const text = file === undefined ? { text: inline } : await readNamedFile(folder, file, []);
    const canvas = 'text' in text ? parseCanvas(text.text).canvas : undefined;
    if (canvas === undefined) continue;
    ids.add(canvas.id);
    canvases.set(canvas.id, canvas);
    if (publish) published.push({ workflowId: canvas.id, canvas });
  }
  const kinds = new Map(company.bots.map(({ id, provider }) => [id, provider.kind]));
  const connections = connectionsTo(
    namesBrought(company, ids),
    company.bots.map(({ channel }) => channel),
    (template) => judgeTemplate(template, company.templates, channels, (botId) => kinds.get(botId)),
    toolsAmong(canvases, nodes, toolsOf(company), movingMoney(company)),
  );
  const others = new Map(
    published.filter(({ workflowId }) => !given.includes(workflowId)).map(({ workflowId, canvas }) => [workflowId, canvas] as const),
  );
  return { files, connections, published, others };
}
