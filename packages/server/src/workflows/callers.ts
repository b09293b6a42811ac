// What publishing a workflow would break in others: agents that call it as a tool, in the version that is the latest, were checked against
// the one before.
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
  const names = new Set<string>([canvas.id, ...callers.map(({ id }) => id)]);
  const problems: Problem[] = [];
  for (const caller of callers.slice(0, callersAtMost)) {
    const { references } = await service.canvasWork.references(companyId, caller);
    for (const reference of references)
      if (reference.expects !== undefined && reference.kind === 'workflow' && names.has(reference.id))
        problems.push(...(await judgeCall(service, companyId, { caller, reference, canvas })));
  }
  return problems;
}

/** Those that name a workflow, and those that name one of these, and so on. */
function findCallers(canvases: readonly Canvas[], workflowId: string): readonly Canvas[] {
  const callers: Canvas[] = [];
  const open = [workflowId];
  let others = canvases;
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const name = JSON.stringify(id);
    const found = others.filter((one) => textOf(one).includes(name));
    others = others.filter((one) => !found.includes(one));
    callers.push(...found);
    open.push(...found.map((one) => one.id));
  }
  return callers;
}

/** The data of the nodes of published canvases, which are the same objects from check to check. */
const texts = new WeakMap<Canvas, string>();

function textOf(canvas: Canvas): string {
  const text = texts.get(canvas) ?? JSON.stringify(canvas.nodes.map(({ data }) => data));
  texts.set(canvas, text);
  return text;
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
  if (typeof before === 'object' && 'code' in before && before.code === after.code) return []; // it was none before either
  const nodeId = caller.nodes.find(({ data }) => readAt(data, reference.at) === reference.id)?.id ?? '';
  return [
    {
      code: after.code,
      severity: after.code === 'UNCONFIRMED_TOOL' ? after.severity : 'warning',
      pointer: '',
      message: `The agent "${nodeId}" of workflow "${caller.id}" calls "${reference.id}" as a tool, and could not any more: ${after.message}`,
      hint: `Give the tool of "${nodeId}" the "version" that it calls, and publish "${caller.id}" first; or keep what it calls this for`,
    },
  ];
}

const readAt = (data: unknown, steps: readonly PropertyKey[]): unknown =>
  steps.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? (value as { readonly [key: PropertyKey]: unknown })[step] : undefined),
    data,
  );
