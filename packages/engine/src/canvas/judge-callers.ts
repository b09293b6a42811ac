// What publishing workflows would break in others: agents that call them as a tool, in the version that is the latest, were checked against
// the one before.
import type { Canvas } from '../contract/canvas.ts';
import type { Reference } from '../contract/node.ts';
import type { Problem } from '../contract/problem.ts';
import type { ToolMismatch } from './explain-tool.ts';
import { judgePublishedTool, judgeTool, type ToolSources } from './judge-tool.ts';
import { listReferences } from './list-references.ts';

/** So many workflows that call it are looked at. */
const callersAtMost = 50;

/**
 * Judges the published workflows whose agents call a canvas as a tool, or a tool that calls it: a problem for each agent that it would no
 * longer be one for. An agent that it moves money for without the agreement of the user is an error.
 *
 * @param together - the canvases that are published with it, and judged by themselves
 */
export async function judgeCallers(
  sources: ToolSources,
  canvas: Canvas,
  together: ReadonlyMap<string, Canvas> = new Map(),
): Promise<readonly Problem[]> {
  const published = await sources.published();
  const callers = findCallers(
    published.filter(({ id }) => id !== canvas.id && !together.has(id)),
    canvas.id,
  );
  const reached = new Set<string>([canvas.id, ...callers.map(({ id }) => id)]);
  const instead = new Map([...together, [canvas.id, canvas]]);
  const problems: Problem[] = [];
  for (const caller of callers) {
    const references = (await sources.references?.(caller)) ?? listReferences(caller, sources.nodes).references;
    for (const reference of references)
      if (reference.expects !== undefined && reference.kind === 'workflow' && reached.has(reference.id))
        problems.push(...(await judgeCall(sources, { caller, reference, instead })));
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
  /** What is to be published, by its id. */
  readonly instead: ReadonlyMap<string, Canvas>;
}

/** A call that is as it should be until the canvas is published. */
async function judgeCall(sources: ToolSources, { caller, reference, instead }: Call): Promise<readonly Problem[]> {
  const after = await judgeTool(sources, reference, instead);
  if (after === true) return [];
  const before = await judgePublishedTool(sources, reference);
  if (before !== true && isAsBad(before, after)) return []; // it was none before either
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
