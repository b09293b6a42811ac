// What publishing a workflow would break in others: agents that call it as a tool, in the version that is the latest, were checked against
// the one before.
import type { ToolMismatch } from '@hilo/engine/authoring';
import type { Canvas, Problem, Reference } from '@hilo/engine/contract';
import type { CanvasWork } from '../platform/canvas-work/canvas-work.ts';
import { judgeTool, type ToolParts } from './judge-tool.ts';

type Parts = ToolParts & { readonly canvasWork: Pick<CanvasWork, 'references'> };

/** So many workflows that call it are looked at. */
const callersAtMost = 50;

/**
 * Judges the published workflows whose agents call a canvas as a tool, or a tool that calls it: a problem for each agent that it would no
 * longer be one for. An agent that it moves money for without the agreement of the user is an error.
 */
export async function judgeCallers(service: Parts, companyId: string, canvas: Canvas): Promise<readonly Problem[]> {
  const published = (await service.store.canvases.published(companyId)).filter(
    ({ workflowId, gate }) =>
      workflowId !== canvas.id && gate?.state !== 'unpublished' && !service.companies.isArchived(companyId, workflowId),
  );
  const callers = findCallers(
    published.map((version) => version.canvas),
    canvas.id,
  );
  const reached = new Set<string>([canvas.id, ...callers.map(({ id }) => id)]);
  const problems: Problem[] = [];
  for (const caller of callers) {
    const { references } = await service.canvasWork.references(companyId, caller);
    for (const reference of references)
      if (reference.expects !== undefined && reference.kind === 'workflow' && reached.has(reference.id))
        problems.push(...(await judgeCall(service, companyId, { caller, reference, canvas })));
  }
  return problems;
}

/** Those that name a workflow, and those that name one of these, and so on; the nearest first, at most so many. */
function findCallers(canvases: readonly Canvas[], workflowId: string): readonly Canvas[] {
  const callers = new Set<Canvas>();
  const open = [workflowId];
  for (let id = open.shift(); id !== undefined; id = open.shift())
    for (const one of canvases) {
      if (callers.size === callersAtMost) return [...callers];
      if (callers.has(one) || !namesOf(one).has(id)) continue;
      callers.add(one);
      open.push(one.id);
    }
  return [...callers];
}

/** What published canvases may name: they are the same objects from check to check. */
const names = new WeakMap<Canvas, ReadonlySet<string>>();

/** The texts in the data of its nodes that may be ids of workflows. */
function namesOf(canvas: Canvas): ReadonlySet<string> {
  const known = names.get(canvas);
  if (known !== undefined) return known;
  const text = JSON.stringify(canvas.nodes.map(({ data }) => data));
  const found = new Set(Array.from(text.matchAll(/"([A-Za-z0-9_:-]{1,128})"/g), ([, name = '']) => name));
  names.set(canvas, found);
  return found;
}

interface Call {
  readonly caller: Canvas;
  readonly reference: Reference;
  /** What is to be published. */
  readonly canvas: Canvas;
}

/** A call that is as it should be until the canvas is published. */
async function judgeCall(service: Parts, companyId: string, { caller, reference, canvas }: Call): Promise<readonly Problem[]> {
  const after = await judgeTool(service, companyId, reference, canvas);
  if (typeof after !== 'object' || 'notNow' in after) return [];
  const before = await judgeTool(service, companyId, reference);
  if (typeof before === 'object' && 'code' in before && isAsBad(before, after)) return []; // it was none before either
  const nodeId = caller.nodes.find(({ data }) => readAt(data, reference.at) === reference.id)?.id ?? '';
  return [
    {
      code: after.code,
      severity: severityOf(after),
      pointer: '',
      message: `The agent "${nodeId}" of workflow "${caller.id}" calls "${reference.id}" as a tool: ${after.message}`,
      hint: `Give the tool of "${nodeId}" the "version" that it calls, and publish "${caller.id}" first; or change this so that it stays a tool for it`,
    },
  ];
}

/** Inputs can be mended in the other workflow alone: that holds no publication up. */
const severityOf = (mismatch: ToolMismatch): Problem['severity'] => (mismatch.code === 'UNCONFIRMED_TOOL' ? mismatch.severity : 'warning');

const isAsBad = (before: ToolMismatch, after: ToolMismatch): boolean =>
  before.code === after.code && severityOf(before) === severityOf(after);

const readAt = (data: unknown, steps: readonly PropertyKey[]): unknown =>
  steps.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? (value as { readonly [key: PropertyKey]: unknown })[step] : undefined),
    data,
  );
