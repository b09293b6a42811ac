/** Where a workflow differs from the tool that a node calls it as. */
import type { Canvas, VariableDeclaration } from '../contract/canvas.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import type { ExpectedInput, ExpectedTool, NodeDefinition, Reference } from '../contract/node.ts';
import { compileCanvas, nodeTypes } from './compile.ts';
import { joinNames } from './problem-codes.ts';
import { shieldDefinition } from './shield.ts';

/** Why a workflow is not the tool that a node expects, with the inputs that it has, where a fix can take them. */
export interface ToolMismatch {
  readonly code: 'TOOL_MISMATCH';
  readonly message: string;
  readonly inputs?: JsonObject;
}

/**
 * Compares a workflow with what a node expects of it.
 *
 * @param called - the workflows that it calls, and those that they call, by id, as far as they are known
 * @returns `undefined` when it fits
 */
export function explainToolMismatch(
  { inputs: given }: ExpectedTool,
  canvas: Canvas,
  nodes: readonly NodeDefinition[],
  called: ReadonlyMap<string, Canvas>,
): ToolMismatch | undefined {
  const name = `The workflow "${canvas.id}"`;
  if (canvas.kind !== 'tool') return mismatch(`${name} is of the kind "${canvas.kind}": a model calls workflows of the kind "tool" alone`);
  const declared = Object.entries(canvas.settings.inputs ?? {});
  if (declared.length > 0) {
    const differences = [
      ...declared.flatMap(([input, declaration]) => compareInput(input, declaration, own(given, input))),
      ...Object.keys(given).flatMap((input) => (declared.some(([known]) => known === input) ? [] : [`it declares no input "${input}"`])),
    ];
    if (differences.length > 0) return mismatch(`${name} takes other inputs: ${joinNames(differences)}`, takeInputs(declared, given));
  }
  const wait = findWait(canvas, nodes, called);
  if (wait !== undefined)
    return mismatch(`${name} waits, ${wait}: meanwhile the next message of the user would begin a second conversation`);
  return undefined;
}

/** Says of workflows among these why they are not the tools that a node calls them as. Nothing is known of others. */
export const toolsAmong =
  (canvases: ReadonlyMap<string, Canvas>, nodes: readonly NodeDefinition[]) =>
  ({ id, expects }: Reference): ToolMismatch | undefined => {
    const canvas = expects === undefined ? undefined : canvases.get(id);
    return expects === undefined || canvas === undefined ? undefined : explainToolMismatch(expects, canvas, nodes, canvases);
  };

const mismatch = (message: string, inputs?: JsonObject): ToolMismatch => ({
  code: 'TOOL_MISMATCH',
  message,
  ...(inputs !== undefined && { inputs }),
});

type Declared = VariableDeclaration & { readonly optional?: boolean | undefined };

const own = (given: ExpectedTool['inputs'], name: string): ExpectedInput | undefined =>
  Object.hasOwn(given, name) ? given[name] : undefined;

const isNeeded = ({ default: value, optional }: Declared): boolean => value === undefined && optional !== true;

function compareInput(name: string, declared: Declared, given: ExpectedInput | undefined): readonly string[] {
  if (given === undefined) return isNeeded(declared) ? [`it needs "${name}"`] : [];
  if (declared.type !== 'any' && given.type !== 'any' && declared.type !== given.type)
    return [`"${name}" is declared as ${declared.type}, and given as ${given.type}`];
  return isNeeded(declared) && !given.isAlways ? [`"${name}" may be missing`] : [];
}

/** The fields of the model for what the workflow declares. `undefined` where it needs a value that no field has. */
function takeInputs(declared: readonly (readonly [string, Declared])[], given: ExpectedTool['inputs']): JsonObject | undefined {
  const fields: [string, Json][] = [];
  for (const [name, declaration] of declared) {
    const expected = own(given, name);
    if (expected !== undefined && expected.field === undefined) continue; // the author fills it in
    if (expected?.field !== undefined && compareInput(name, declaration, expected).length === 0) fields.push([name, expected.field]);
    else {
      const field = fieldTypes[declaration.type];
      if (field !== undefined) fields.push([name, { ...field, ...(!isNeeded(declaration) && { required: false }) }]);
      else if (isNeeded(declaration)) return undefined;
    }
  }
  return Object.fromEntries(fields);
}

const fieldTypes: { readonly [type in Declared['type']]?: JsonObject } = {
  any: { type: 'text' },
  string: { type: 'text' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  array: { type: 'list', of: 'text' },
};

/** Where a workflow waits for time, events or calls, itself or by what it calls; `undefined` when it does not. */
function findWait(canvas: Canvas, definitions: readonly NodeDefinition[], called: ReadonlyMap<string, Canvas>): string | undefined {
  const types = nodeTypes(definitions.map((node) => shieldDefinition(node, () => undefined)));
  const seen = new Set([canvas.id as string]);
  const open: (readonly [Canvas, string])[] = [[canvas, '']];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [one, way] = next;
    for (const { id, definition, read } of compileCanvas(one, '', types).parsedNodes) {
      if (read === undefined) continue;
      const children = definition.references(read.config).filter(({ kind }) => kind === 'workflow');
      if (children.length === 0 && definition.waitsBefore(read.config).length > 0) return `at its node "${id}"${way}`;
      for (const { id: childId } of children) {
        const child = called.get(childId);
        if (child === undefined || seen.has(childId)) continue;
        seen.add(childId);
        open.push([child, ` of "${childId}"`]);
      }
    }
  }
  return undefined;
}
