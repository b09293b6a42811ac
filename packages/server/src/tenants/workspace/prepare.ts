// Reads a workspace and checks all of it before anything is written.
import { createHash } from 'node:crypto';
import type { ChannelAdapter } from '@hilo/channels';
import type { Connections, Engine, PublishedWorkflow } from '@hilo/engine';
import { type OfferedTool, type ToolMismatch, toolsAmong } from '@hilo/engine/authoring';
import {
  type Canvas,
  type Channel,
  type Clock,
  fits,
  isJsonObject,
  type Json,
  limits,
  type NodeDefinition,
  type Problem,
  type Random,
  type Reference,
} from '@hilo/engine/contract';
import { type DurableStore, type Call, type GivenOf, type StoredWorkflow } from '@hilo/stores';
import { bots as botTable, credentials as credentialTable } from '../../platform/tables/companies.ts';
import { type conversations, isHere, operators as operatorTable, teams as teamTable } from '../../platform/tables/conversations.ts';
import { functions as functionTable } from '../../platform/tables/functions.ts';
import { readWorkflowIds } from '../../platform/database/workflow-ids.ts';
import { companyNotFound } from '../../platform/http/admin.ts';
import { createTurns } from '../../platform/turns.ts';
import type { SeenSecrets } from '../../platform/secrets/seen-secrets.ts';
import type { Vault } from '../../platform/secrets/vault.ts';
import { tags } from '../../platform/tables/tags.ts';
import { movesMoney } from '../companies.ts';
import { templatesWithReports, withReport } from '../template-status.ts';
import { judgeTemplate } from '../unsendable-templates.ts';
import { checkExisting, checkIds } from './checks.ts';
import type { GivenUser } from './given-users.ts';
import { findChangedWorkflows } from './changed-workflows.ts';
import type { AskTemplates } from './compare-templates.ts';
import { judgeImported, readMovingMoney } from './judge-imported.ts';
import { type Bringer, keepHeldFields } from './permitted.ts';
import { parseWorkspaceShape } from './parse-in-turns.ts';
import { canvasProblem, workspaceProblem, workspaceRefused } from './problems.ts';
import { findContradictions } from './references.ts';
import { tooLargeSettings, type WorkspaceCompany, type WorkspaceSchema } from './schema.ts';
import { readNamedFile, type ReadWorkspace } from './source.ts';
import { readOwn } from '../../platform/canvas-work/canvas-tasks.ts';
import type { CanvasWork, CheckedCanvas } from '../../platform/canvas-work/canvas-work.ts';

/** What imports and exports of workspaces need. */
export interface WorkspaceParts {
  readonly store: DurableStore;
  readonly engine: Engine;
  /** The types of nodes in canvases. */
  readonly nodes: readonly NodeDefinition[];
  /** The effects that there are drivers for. */
  readonly effects: ReadonlySet<string>;
  readonly canvasWork: CanvasWork;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly random: Random;
  /** Receives secrets that are stored as hashes alone. */
  readonly seen: Pick<SeenSecrets, 'note'>;
  /** What a workspace looks like here. */
  readonly schema: WorkspaceSchema;
  /** The kinds of provider that its bots may have. */
  readonly channels: readonly ChannelAdapter[];
  /** Lets imported active conversations receive messages. Runs in the transaction that adds their rows. */
  readonly activateImported: (brought: readonly GivenOf<typeof conversations.columns>[], nowMs: number) => readonly Call[];
  /** Days that the service keeps ended executions: no company keeps them longer. */
  readonly keepDays?: number;
  /** Asks a bot's provider what its templates are now; left out where nobody is asked. */
  readonly askTemplates?: AskTemplates;
  /** What is wrong with a bot that shares its app with another one. */
  readonly explainSharedApp?: (companyId: string, botId: string) => string | undefined;
  /** Called after configuration changed. */
  readonly refresh: () => Promise<void>;
}

/** What canvases of a company may name, by kind. No workspace brings groups and segments. */
export type KnownNames = { readonly [Kind in Exclude<Reference['kind'], 'group' | 'segment'>]: ReadonlySet<string> };

/** The names that a workspace defines. @param workflows - the ids of its canvases */
export const namesBrought = (company: WorkspaceCompany, workflows: Iterable<string>): KnownNames => ({
  template: new Set(company.templates.flatMap(({ id, elementName }) => [id, elementName])),
  credential: new Set(company.credentials.map(({ id }) => id)),
  function: new Set(company.functions.map(({ id }) => id)),
  tag: new Set(company.tags.map(({ id }) => String(id))),
  team: new Set(company.teams.map(({ id }) => String(id))),
  operator: new Set(company.operators.filter(({ leftAt }) => leftAt === undefined).map(({ id }) => String(id))),
  workflow: new Set(workflows),
});

/** Whether a credential of a workspace is one by which money is moved. */
export function movingMoney({ credentials }: Pick<WorkspaceCompany, 'credentials'>): (credentialId: string) => boolean {
  const byId = new Map(credentials.map((one) => [one.id, one]));
  return (credentialId) => movesMoney(byId.get(credentialId));
}

/** What the functions of a workspace offer, by their ids. */
export const toolsOf = ({ functions }: Pick<WorkspaceCompany, 'functions'>): ReadonlyMap<string, readonly OfferedTool[]> =>
  new Map(functions.map(({ id, tools }) => [id, tools]));

const readTools = (tools: readonly Json[]): readonly OfferedTool[] =>
  tools
    .filter(isJsonObject)
    .flatMap(({ name, inputSchema }) => (typeof name === 'string' && isJsonObject(inputSchema) ? [{ name, inputSchema }] : []));

/**
 * What canvases are checked against where these names are all there are. The versions to come are unknown yet.
 *
 * @param judge - see {@link judgeTemplate}
 * @param whyNoTool - see {@link toolsAmong}
 */
export const connectionsTo = (
  names: KnownNames,
  channels: Iterable<Channel>,
  judge: (template: string) => ReturnType<typeof judgeTemplate>,
  whyNoTool: (reference: Reference) => ToolMismatch | undefined,
): Connections => ({
  channels: [...new Set(channels)],
  resolve(reference) {
    const { kind, id, version } = reference;
    if (kind === 'group' || kind === 'segment') return undefined;
    if (!names[kind].has(id)) return false;
    if (version !== undefined) return undefined;
    return (kind === 'template' ? judge(id) : whyNoTool(reference)) ?? true;
  },
});

/** A checked workflow, ready to be imported. */
export interface PreparedWorkflow {
  readonly canvas: Canvas;
  readonly publish: boolean;
  readonly draft: Canvas | undefined;
  /** Conversations that are its tests, by name. */
  readonly transcripts: { readonly [name: string]: string };
  /** The hash of the canvas, and that of the draft that it gets. */
  readonly hash: string;
  readonly draftHash: string;
  /** Equal to that of the last import when importing again would change nothing. */
  readonly fingerprint: string;
  /** Where it is in the workspace. */
  readonly at: readonly PropertyKey[];
  /** As it was stored before it was checked: it is written where it is still so. */
  readonly stored: StoredWorkflow;
  /** What does not keep it from being imported. */
  readonly warnings: readonly Problem[];
}

/** A company's canvases, and against what they are checked. */
export interface PreparedCanvases {
  readonly workflows: readonly PreparedWorkflow[];
  readonly connections: Connections;
  readonly problems: readonly Problem[];
}

/** A canvas of a workspace that was read. */
interface ParsedCanvas extends CheckedCanvas {
  readonly hash: string;
}
interface BroughtCanvas extends ParsedCanvas {
  readonly name: string;
  readonly at: readonly PropertyKey[];
  /** Of its workflow in the company. */
  readonly index: number;
}

/** Reads the canvases of a company, and the drafts that some have beside them, by the index of their workflows. */
async function readBrought(
  canvasWork: CanvasWork,
  company: WorkspaceCompany,
  folder: string | undefined,
  at: readonly PropertyKey[],
): Promise<{ readonly read: readonly BroughtCanvas[]; readonly drafts: ReadonlyMap<number, ParsedCanvas>; readonly problems: Problem[] }> {
  const problems: Problem[] = [];
  const companyId = String(company.id);
  const read: BroughtCanvas[] = [];
  const ids = new Set<string>();
  const parse = async (name: string, input: unknown, path: readonly PropertyKey[]): Promise<ParsedCanvas | undefined> => {
    const reading = await canvasWork.read(companyId, typeof input === 'string' ? input : JSON.stringify(input));
    problems.push(...reading.problems.map((problem) => canvasProblem(path, name, problem)));
    if (reading.canvas === undefined) return undefined;
    return { canvas: readOwn(reading.canvas.json), hash: reading.canvas.hash, references: reading.references };
  };
  const drafts = new Map<number, ParsedCanvas>();
  for (const [index, { file, canvas: inline, draft: inlineDraft }] of company.workflows.entries()) {
    const path = [...at, 'workflows', index, file === undefined ? 'canvas' : 'file'];
    const text = file === undefined ? { text: inline } : await readNamedFile(folder, file, path);
    if ('problem' in text) {
      problems.push(text.problem);
      continue;
    }
    const parsed = await parse(file ?? 'The canvas', text.text, path);
    if (parsed === undefined) continue;
    const { canvas } = parsed;
    if (ids.has(canvas.id)) problems.push(workspaceProblem('DUPLICATE_ID', path, `There is a second workflow "${canvas.id}"`));
    ids.add(canvas.id);
    read.push({ ...parsed, name: file ?? `Workflow "${canvas.id}"`, at: path, index });
    const draftAt = [...at, 'workflows', index, 'draft'];
    const draft = inlineDraft === undefined ? undefined : await parse('The draft', inlineDraft, draftAt);
    if (draft === undefined) continue;
    drafts.set(index, draft);
    if (draft.canvas.id !== canvas.id)
      problems.push(
        workspaceProblem('CONTRADICTION', draftAt, `The draft is of workflow "${draft.canvas.id}", the canvas of "${canvas.id}"`),
      );
  }
  return { read, drafts, problems };
}

/** Checks the canvases of a company against the workspace and stored data. */
async function prepareCanvases(
  {
    runner,
    canvases,
    canvasWork,
    effects,
    channels,
    nodes,
  }: Pick<DurableStore, 'runner' | 'canvases'> & Pick<WorkspaceParts, 'canvasWork' | 'effects' | 'channels' | 'nodes'>,
  company: WorkspaceCompany,
  { folder, overwrite }: { readonly folder: string | undefined; readonly overwrite: boolean },
  at: readonly PropertyKey[],
): Promise<PreparedCanvases> {
  const companyId = String(company.id);
  const { read, drafts, problems } = await readBrought(canvasWork, company, folder, at);
  const published = await listPublishedAfter(canvases, companyId, company, read);
  const known = new Map([...published, ...read].map(({ canvas }) => [canvas.id as string, canvas] as const));
  const brought = new Set(read.map(({ canvas }) => canvas.id as string));
  const paysBy = await readMovingMoney(runner, company);
  const connections: Connections = {
    ...(await readConnections({ runner, channels }, company, brought, (tools) => toolsAmong(known, nodes, tools, paysBy))),
    published,
  };
  problems.push(...checkNames(company, connections, at));
  const stored: StoredWorkflow[] = [];
  const nextTurn = createTurns(workflowsInTurn);
  for (const { canvas } of read) {
    await nextTurn();
    stored.push(await canvases.stored(companyId, canvas.id));
  }
  const checked = await canvasWork.check(companyId, read, {
    ...connections,
    effects,
    userFields: (company.fields ?? []).map(({ key, type }) => ({ key, type })),
    settings: Object.keys(company.settings ?? {}),
  });
  const toPublish = read.filter(({ index }) => company.workflows[index]?.publish === true).map(({ canvas }) => canvas);
  const placeOf = new Map(toPublish.map((canvas, place) => [canvas, place]));
  const ofCallers = await judgeImported({ canvases, canvasWork, nodes }, companyId, toPublish, paysBy);
  const workflows = read.map(({ name, at: path, index, canvas, hash }, position): PreparedWorkflow => {
    const publish = company.workflows[index]?.publish === true;
    const draft = drafts.get(index);
    const others = ofCallers[placeOf.get(canvas) ?? -1] ?? [];
    const found = [...(checked[position] ?? []), ...others].map((problem) => canvasProblem(path, name, problem));
    // A draft may have problems; publishing refuses them.
    if (publish) problems.push(...found.filter(({ severity }) => severity === 'error'));
    const transcripts = company.workflows[index]?.transcripts ?? {};
    const fingerprint = createFingerprint(hash, publish, draft?.hash, Object.entries(transcripts));
    const before = stored[position] ?? { draftHash: undefined, latest: undefined };
    return {
      canvas,
      hash,
      publish,
      draft: draft?.canvas,
      draftHash: draft?.hash ?? hash,
      transcripts,
      fingerprint,
      at: path,
      stored: before,
      warnings: found,
    };
  });
  const changed = await findChangedWorkflows({ runner }, String(company.id), workflows);
  if (!overwrite) problems.push(...changed.values());
  return { workflows: workflows.map((workflow) => addWarning(workflow, changed.get(workflow.canvas.id))), connections, problems };
}

/** What the company itself names: the workflow of its failures, and the templates of its campaigns. */
function checkNames(
  { failureWorkflowId, campaigns }: WorkspaceCompany,
  { resolve }: Connections,
  at: readonly PropertyKey[],
): readonly Problem[] {
  const problems: Problem[] = [];
  if (failureWorkflowId !== undefined && resolve?.({ kind: 'workflow', id: failureWorkflowId, at: [] }) === false)
    problems.push(
      workspaceProblem('UNRESOLVED_REFERENCE', [...at, 'failureWorkflowId'], `The company has no workflow "${failureWorkflowId}"`),
    );
  for (const [index, { templateId, status }] of campaigns.entries()) {
    if (status === 'COMPLETED' || status === 'CANCELLED') continue;
    const sendable = resolve?.({ kind: 'template', id: templateId, at: [] });
    if (typeof sendable !== 'string') continue;
    const path = [...at, 'campaigns', index, 'templateId'];
    problems.push(workspaceProblem('CHANNEL_LIMIT', path, `Template "${templateId}" can never be sent: ${sendable}`));
  }
  return problems;
}

/** What an import has written of a workflow: the same for the same file, so that a change made elsewhere is seen. */
const createFingerprint = (
  hash: string,
  publish: boolean,
  draftHash: string | undefined,
  tests: readonly (readonly [string, unknown])[],
): string =>
  JSON.stringify([
    hash,
    publish,
    draftHash ?? null,
    ...(tests.length === 0 ? [] : [createHash('sha256').update(JSON.stringify(tests)).digest('hex')]),
  ]);

/** Workflows of a company that are read or compared in one turn, each in some 20 µs. */
export const workflowsInTurn = 200;

/** Companies of one turn: what is kept of each is read by some ten statements, which gives others no turn. */
export const companiesInTurn = 2;

/** What an import replaces is told as a warning. */
const addWarning = (workflow: PreparedWorkflow, changed: Problem | undefined): PreparedWorkflow =>
  changed === undefined ? workflow : { ...workflow, warnings: [...workflow.warnings, { ...changed, severity: 'warning' }] };

/** The workflows that the company will have published after the import: each canvas is checked together with them. */
async function listPublishedAfter(
  canvases: DurableStore['canvases'],
  companyId: string,
  { workflows }: Pick<WorkspaceCompany, 'workflows'>,
  read: readonly { readonly index: number; readonly canvas: Canvas }[],
): Promise<readonly PublishedWorkflow[]> {
  const brought = read.flatMap(({ index, canvas }) => (workflows[index]?.publish === true ? [{ workflowId: canvas.id, canvas }] : []));
  const kept = await canvases.published(companyId);
  const ids = new Set<string>(brought.map(({ workflowId }) => workflowId));
  return [...kept.filter(({ workflowId }) => !ids.has(workflowId)), ...brought];
}

/** What canvases of the company may name, and the channels they must fit. */
async function readConnections(
  { runner, channels }: Pick<DurableStore, 'runner'> & Pick<WorkspaceParts, 'channels'>,
  company: WorkspaceCompany,
  workflowsBrought: ReadonlySet<string>,
  judgeTools: (functions: ReadonlyMap<string, readonly OfferedTool[]>) => (reference: Reference) => ToolMismatch | undefined,
): Promise<Connections> {
  const companyId = String(company.id);
  const kept = {
    bots: await runner.read(botTable.all(companyId)),
    template: await runner.read(templatesWithReports({ companyId })),
    credential: await runner.read(credentialTable.all(companyId)),
    functions: await runner.read(functionTable.all(companyId)),
    tag: await runner.read(tags.all(companyId)),
    team: await runner.read(teamTable.all(companyId)),
    operator: (await runner.read(operatorTable.all(companyId))).filter(isHere),
    workflows: await readWorkflowIds(runner, companyId),
  };
  const brought = namesBrought(company, workflowsBrought);
  const known: KnownNames = {
    template: new Set([...brought.template, ...kept.template.map(({ id }) => id)]),
    credential: new Set([...brought.credential, ...kept.credential.map(({ id }) => id)]),
    function: new Set([...brought.function, ...kept.functions.map(({ functionId }) => functionId)]),
    tag: new Set([...brought.tag, ...kept.tag.map(({ id }) => String(id))]),
    team: new Set([...brought.team, ...kept.team.map(({ id }) => String(id))]),
    operator: new Set([...brought.operator, ...kept.operator.map(({ id }) => String(id))]),
    workflow: new Set([...brought.workflow, ...kept.workflows]),
  };
  const bots = new Map([
    ...kept.bots.map(({ botId, channel, providerKind: kind }) => [botId, { channel, kind }] as const),
    ...company.bots.map(({ id, channel, provider: { kind } }) => [id, { channel, kind }] as const),
  ]);
  const reports = new Map(kept.template.map(({ id, reported }) => [id, reported]));
  const replaced = new Set(company.templates.map(({ id }) => id));
  const all = [...company.templates, ...kept.template.filter(({ id }) => !replaced.has(id))];
  // As they will be: what a provider has said outweighs the file.
  const sendable = all.map(({ body, components, ...template }) => withReport({ ...template, body, components }, reports.get(template.id)));
  return connectionsTo(
    known,
    [...bots.values()].map(({ channel }) => channel),
    (name) => judgeTemplate(name, sendable, channels, (botId) => bots.get(botId)?.kind),
    judgeTools(new Map([...kept.functions.map(({ functionId, tools }) => [functionId, readTools(tools)] as const), ...toolsOf(company)])),
  );
}

/** How a workspace is imported. */
export interface ImportOptions extends Bringer {
  /** Whether it replaces what management changed of a workflow since, with a warning: so when left out. Else it is refused. */
  readonly overwrite?: boolean | undefined;
}

/** A company that may be written as it is. */
export interface PreparedCompany {
  readonly companyId: string;
  /** Which one it is in the file. */
  readonly index: number;
  /** The company without its users. */
  readonly company: Omit<WorkspaceCompany, 'users'>;
  readonly users: { readonly count: number; inBatches(size: number): Iterable<readonly GivenUser[]> };
  readonly canvases: PreparedCanvases;
  /** The modules of its functions, by id. */
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * Checks a workspace that was read, all of it, and writes nothing.
 *
 * @throws {HiloError} `WORKSPACE_REFUSED` with every problem
 * @throws {HttpError} 404 for a company that it may not bring, 403 for what they may not change of it
 */
export async function prepareWorkspace(
  {
    store,
    canvasWork,
    effects,
    schema,
    channels,
    keepDays,
    nodes,
  }: Pick<WorkspaceParts, 'store' | 'canvasWork' | 'effects' | 'schema' | 'channels' | 'keepDays' | 'nodes'>,
  { place, input, users, folder }: ReadWorkspace,
  { overwrite = true, only, can }: ImportOptions = {},
): Promise<readonly PreparedCompany[]> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw workspaceRefused(place, [workspaceProblem('INVALID_WORKSPACE', [], 'A workspace is an object with "companies"')]);
  const endless = findEndlessSettings(input);
  if (endless.length > 0) throw workspaceRefused(place, [...endless, ...users.problems]);
  const { value: workspace, problems: unshapely } = await parseWorkspaceShape(schema, input);
  if (workspace === undefined) throw workspaceRefused(place, [...unshapely, ...users.problems]);
  const foreign = only === undefined ? undefined : workspace.companies.find(({ id }) => !only.has(String(id)));
  if (foreign !== undefined) throw companyNotFound(String(foreign.id));
  await keepHeldFields(store.runner, workspace, { only, can });

  const problems: Problem[] = [
    ...unshapely,
    ...users.problems,
    ...(await checkIds(workspace)),
    ...(await checkExisting(store.runner, workspace, users)),
  ];
  const prepared: PreparedCompany[] = [];
  const nextTurn = createTurns(companiesInTurn);
  for (const [index, company] of workspace.companies.entries()) {
    await nextTurn();
    const at = ['companies', index];
    problems.push(...findContradictions(company, at), ...findTooLong(company, keepDays, at));
    const canvases = await prepareCanvases({ ...store, canvasWork, effects, channels, nodes }, company, { folder, overwrite }, at);
    const modules = await readModules(company, folder, at);
    problems.push(...canvases.problems, ...modules.problems);
    const ofCompany = { count: users.count(index), inBatches: (size: number) => users.inBatches(index, size) };
    prepared.push({ companyId: String(company.id), index, company, users: ofCompany, canvases, sources: modules.sources });
  }
  if (problems.length > 0) throw workspaceRefused(place, problems);
  return prepared;
}

/** Settings of more parts than their bytes have room for are not looked through: that takes a second for 15 million numbers. */
function findEndlessSettings(workspace: object): readonly Problem[] {
  const companies: unknown = Reflect.get(workspace, 'companies');
  if (!Array.isArray(companies)) return [];
  return companies.flatMap((company: unknown, index) => {
    const settings: unknown = typeof company === 'object' && company !== null ? Reflect.get(company, 'settings') : undefined;
    if (settings === undefined || fits(settings, { depth: Infinity, keys: Infinity, parts: limits.valueBytes / 2 })) return [];
    return [workspaceProblem('INVALID_WORKSPACE', ['companies', index, 'settings'], tooLargeSettings)];
  });
}

/** A company may keep less long than the service, and not longer. */
function findTooLong({ keepDays }: WorkspaceCompany, ofService: number | undefined, at: readonly PropertyKey[]): readonly Problem[] {
  const { histories = 0 } = keepDays ?? {};
  if (ofService === undefined || histories <= ofService) return [];
  const message = `histories cannot be kept for ${histories} days: the service removes them after ${ofService} (--keep-days)`;
  return [workspaceProblem('CONTRADICTION', [...at, 'keepDays', 'histories'], message)];
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
