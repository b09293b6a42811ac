import { canvasHash, checkCanvas, type Connections, parseCanvas } from '@hilo/engine';
import type { Canvas, Problem } from '@hilo/engine/contract';
import { call, type DurableStore, written } from '@hilo/stores';
import { collections } from '../../platform/database/collections.ts';
import { statement } from '../../platform/database/statement.ts';
import type { WorkspaceParts } from './parts.ts';
import { connectionsTo, type KnownNames, namesBrought } from './known-names.ts';
import { canvasProblem, workspaceProblem } from './problems.ts';
import { readNamedFile } from './source.ts';
import type { WorkspaceCompany } from './workspace.ts';

/** A workflow that is to be imported; it was checked. */
export interface PreparedWorkflow {
  readonly canvas: Canvas;
  readonly publish: boolean;
  readonly draft: Canvas | undefined;
  /** The same for what would be imported without effect. */
  readonly fingerprint: string;
  /** What does not keep it from being imported. */
  readonly warnings: readonly Problem[];
}

/** A company's canvases, and against what they are checked. */
export interface PreparedCanvases {
  readonly workflows: readonly PreparedWorkflow[];
  readonly connections: Connections;
  readonly problems: readonly Problem[];
}

const keptWorkflows = statement<{ readonly companyId: string }>()((db, { companyId }) =>
  db.selectFrom('drafts').select('workflow_id').where('company_id', '=', companyId),
);

/** Reads the canvases of a company and checks them against what the company brings and what it has. */
export async function prepareCanvases(
  { runner, nodes, effects }: Pick<DurableStore, 'runner'> & Pick<WorkspaceParts, 'nodes' | 'effects'>,
  company: WorkspaceCompany,
  folder: string | undefined,
  at: readonly PropertyKey[],
): Promise<PreparedCanvases> {
  const problems: Problem[] = [];
  const read: { readonly name: string; readonly at: readonly PropertyKey[]; readonly index: number; readonly canvas: Canvas }[] = [];
  const parse = (name: string, input: unknown, path: readonly PropertyKey[]): Canvas | undefined => {
    const parsed = parseCanvas(input);
    problems.push(...parsed.problems.map((problem) => canvasProblem(path, name, problem)));
    return parsed.canvas;
  };
  const drafts = new Map<number, Canvas>();
  for (const [index, { file, canvas: inline, draft: inlineDraft }] of company.workflows.entries()) {
    const path = [...at, 'workflows', index, file === undefined ? 'canvas' : 'file'];
    const text = file === undefined ? { text: inline } : await readNamedFile(folder, file, path);
    if ('problem' in text) {
      problems.push(text.problem);
      continue;
    }
    const canvas = parse(file ?? 'The canvas', text.text, path);
    if (canvas === undefined) continue;
    if (read.some((other) => other.canvas.id === canvas.id))
      problems.push(workspaceProblem('DUPLICATE_ID', path, `There is a second workflow "${canvas.id}"`));
    read.push({ name: file ?? `Workflow "${canvas.id}"`, at: path, index, canvas });
    const draftAt = [...at, 'workflows', index, 'draft'];
    const draft = inlineDraft === undefined ? undefined : parse('The draft', inlineDraft, draftAt);
    if (draft === undefined) continue;
    drafts.set(index, draft);
    if (draft.id !== canvas.id)
      problems.push(workspaceProblem('CONTRADICTION', draftAt, `The draft is of workflow "${draft.id}", the canvas of "${canvas.id}"`));
  }
  const connections = await connectionsOf(runner, company, new Set(read.map(({ canvas }) => canvas.id)));
  const workflows = read.map(({ name, at: path, index, canvas }): PreparedWorkflow => {
    const publish = company.workflows[index]?.publish === true;
    const draft = drafts.get(index);
    const found = checkCanvas(canvas, { ...connections, nodes, effects }).map((problem) => canvasProblem(path, name, problem));
    // A draft may have problems; publishing refuses them.
    if (publish) problems.push(...found.filter(({ severity }) => severity === 'error'));
    const fingerprint = JSON.stringify([canvasHash(canvas), publish, draft === undefined ? null : canvasHash(draft)]);
    return { canvas, publish, draft, fingerprint, warnings: found };
  });
  return { workflows, connections, problems };
}

/** What canvases of the company may name, and the channels they must fit. */
async function connectionsOf(
  runner: DurableStore['runner'],
  company: WorkspaceCompany,
  workflowsBrought: ReadonlySet<string>,
): Promise<Connections> {
  const companyId = String(company.id);
  const kept = {
    bots: await runner.read(collections.bots.rows(companyId)),
    template: await runner.read(collections.templates.rows(companyId)),
    credential: await runner.read(collections.credentials.rows(companyId)),
    functions: await runner.read(collections.functions.rows(companyId)),
    tag: await runner.read(collections.tags.rows(companyId)),
    team: await runner.read(collections.teams.rows(companyId)),
    operator: await runner.read(collections.operators.rows(companyId)),
    workflows: await runner.read(call(keptWorkflows, { companyId: written(companyId) })),
  };
  const brought = namesBrought(company, workflowsBrought);
  const known: KnownNames = {
    template: new Set([...brought.template, ...kept.template.map(({ id }) => id)]),
    credential: new Set([...brought.credential, ...kept.credential.map(({ id }) => id)]),
    function: new Set([...brought.function, ...kept.functions.map(({ function_id }) => function_id)]),
    tag: new Set([...brought.tag, ...kept.tag.map(({ id }) => String(id))]),
    team: new Set([...brought.team, ...kept.team.map(({ id }) => String(id))]),
    operator: new Set([...brought.operator, ...kept.operator.map(({ id }) => String(id))]),
    workflow: new Set([...brought.workflow, ...kept.workflows.map(({ workflow_id }) => workflow_id)]),
  };
  const bots = new Map(company.bots.map(({ id, channel }) => [id, channel]));
  const others = kept.bots.filter(({ bot_id }) => !bots.has(bot_id)).map(({ channel }) => channel);
  return connectionsTo(known, [...bots.values(), ...others]);
}
