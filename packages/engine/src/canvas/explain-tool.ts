/** Where a workflow, or the tool of a function, differs from the tool that a node calls it as. */
import type { Canvas, VariableDeclaration } from '../contract/canvas.ts';
import { isJsonObject, type Json, type JsonObject } from '../contract/json.ts';
import type { ExpectedInput, ExpectedTool, NodeDefinition, Reference } from '../contract/node.ts';
import { compileCanvas, nodeTypes } from './compile.ts';
import { joinNames } from './problem-codes.ts';
import { shieldDefinition } from './shield.ts';

/** Why something is not the tool that a node expects, with the inputs that it has, where a fix can take them. */
interface OtherTool {
  readonly code: 'TOOL_MISMATCH';
  readonly message: string;
  readonly inputs?: JsonObject;
}

/** A tool that the user should agree to, or has to. */
interface RiskyTool {
  readonly code: 'UNCONFIRMED_TOOL';
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** Why a workflow is not the tool that a node takes it for. */
export type ToolMismatch = OtherTool | RiskyTool;

/**
 * Compares a workflow with what a node expects of it.
 *
 * @param called - the workflows that it calls, and those that they call, by {@link calledKey} or by their id, as far as they are known
 * @param movesMoney - whether a credential is one by which money is moved, whatever node uses it
 * @returns `undefined` when it fits
 */
export function explainToolMismatch(
  { inputs: given, isUnconfirmed = false }: ExpectedTool,
  canvas: Canvas,
  nodes: readonly NodeDefinition[],
  called: ReadonlyMap<string, Canvas>,
  movesMoney: (credentialId: string) => boolean = () => false,
): ToolMismatch | undefined {
  const name = `The workflow "${canvas.id}"`;
  if (canvas.kind !== 'tool') return mismatch(`${name} is of the kind "${canvas.kind}": a model calls workflows of the kind "tool" alone`);
  const declared = Object.entries(canvas.settings.inputs ?? {});
  const others = declared.length === 0 ? undefined : compareInputs(name, declared, given, true);
  if (others !== undefined) return others;
  const parts = listParts(canvas, nodes, called);
  const wait = findWait(parts);
  if (wait !== undefined)
    return mismatch(`${name} waits, ${wait}: meanwhile the next message of the user would begin a second conversation`);
  return isUnconfirmed ? findRisk(name, parts, movesMoney) : undefined;
}

/** Names a workflow that another one calls, and the version of it that it calls. */
export const calledKey = ({ id, version }: Pick<Reference, 'id' | 'version'>): string =>
  version === undefined ? id : `${id} version ${version}`;

/** A tool that a function offers. */
export interface OfferedTool {
  readonly name: string;
  /** JSON Schema. */
  readonly inputSchema: JsonObject;
}

/**
 * Compares what a node calls with the tools that a function offers.
 *
 * @returns `undefined` when it is one of them and takes these inputs, and where the node names none
 */
export function explainFunctionMismatch(
  { id, tool, expects }: Pick<Reference, 'id' | 'tool' | 'expects'>,
  tools: readonly OfferedTool[],
): ToolMismatch | undefined {
  if (tool === undefined || expects === undefined) return undefined;
  const found = tools.find(({ name }) => name === tool.name);
  if (found === undefined) {
    const has = tools.length === 0 ? 'it has none' : `it has ${joinNames(tools.map(({ name }) => `"${name}"`))}`;
    return mismatch(`The function "${id}" has no tool "${tool.name}": ${has}`);
  }
  const { properties = {}, required = [], additionalProperties } = found.inputSchema;
  const needed = new Set(Array.isArray(required) ? (required as readonly Json[]) : []);
  const declared = Object.entries(isJsonObject(properties) ? properties : {}).map(([name, schema]): readonly [string, Declared] => [
    name,
    { type: typeOf(schema), optional: !needed.has(name) },
  ]);
  return compareInputs(`The tool "${tool.name}" of the function "${id}"`, declared, expects.inputs, additionalProperties === false);
}

/** The type of a declaration that a schema comes next to. */
function typeOf(schema: Json): Declared['type'] {
  const type = isJsonObject(schema) ? schema['type'] : undefined;
  if (type === 'integer') return 'number';
  return type === 'string' || type === 'number' || type === 'boolean' || type === 'array' || type === 'object' ? type : 'any';
}

/** Says of workflows among these, and of functions, why they are not the tools that a node calls them as. Nothing is known of others. */
export const toolsAmong =
  (
    canvases: ReadonlyMap<string, Canvas>,
    nodes: readonly NodeDefinition[],
    functions: ReadonlyMap<string, readonly OfferedTool[]> = new Map(),
    movesMoney: (credentialId: string) => boolean = () => false,
  ) =>
  (reference: Reference): ToolMismatch | undefined => {
    const { kind, id, expects } = reference;
    if (expects === undefined) return undefined;
    const tools = kind === 'function' ? functions.get(id) : undefined;
    if (tools !== undefined) return explainFunctionMismatch(reference, tools);
    const canvas = kind === 'workflow' ? canvases.get(id) : undefined;
    return canvas && explainToolMismatch(expects, canvas, nodes, canvases, movesMoney);
  };

const mismatch = (message: string, inputs?: JsonObject): OtherTool => ({
  code: 'TOOL_MISMATCH',
  message,
  ...(inputs !== undefined && { inputs }),
});

type Declared = VariableDeclaration & { readonly optional?: boolean | undefined };

const own = (given: ExpectedTool['inputs'], name: string): ExpectedInput | undefined =>
  Object.hasOwn(given, name) ? given[name] : undefined;

const isNeeded = ({ default: value, optional }: Declared): boolean => value === undefined && optional !== true;

/** @param isClosed - whether it takes no others than those that it declares */
function compareInputs(
  name: string,
  declared: readonly (readonly [string, Declared])[],
  given: ExpectedTool['inputs'],
  isClosed: boolean,
): ToolMismatch | undefined {
  const unknown = isClosed ? Object.keys(given).filter((input) => !declared.some(([known]) => known === input)) : [];
  const differences = [
    ...declared.flatMap(([input, declaration]) => compareInput(input, declaration, own(given, input))),
    ...unknown.map((input) => `it declares no input "${input}"`),
  ];
  return differences.length === 0
    ? undefined
    : mismatch(`${name} takes other inputs: ${joinNames(differences)}`, takeInputs(declared, given));
}

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

/** A node of a workflow that is called, or of one that it calls. */
interface Part {
  readonly definition: NodeDefinition;
  readonly config: unknown;
  readonly children: readonly Reference[];
  /** Where it is, in words. */
  readonly place: string;
}

/** The nodes of a workflow and of all that it calls, as far as they can be read. */
function listParts(canvas: Canvas, definitions: readonly NodeDefinition[], called: ReadonlyMap<string, Canvas>): readonly Part[] {
  const types = nodeTypes(definitions.map((node) => shieldDefinition(node, () => undefined)));
  const seen = new Set([canvas.id as string]);
  const open: (readonly [Canvas, string])[] = [[canvas, '']];
  const parts: Part[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [one, way] = next;
    for (const { id, definition, read } of compileCanvas(one, '', types).parsedNodes) {
      if (read === undefined) continue;
      const children = definition.references(read.config).filter(({ kind }) => kind === 'workflow');
      parts.push({ definition, config: read.config, children, place: `at its node "${id}"${way}` });
      for (const reference of children) {
        const key = called.has(calledKey(reference)) ? calledKey(reference) : reference.id;
        const child = called.get(key);
        if (child === undefined || seen.has(key)) continue;
        seen.add(key);
        open.push([child, ` of "${reference.id}"`]);
      }
    }
  }
  return parts;
}

/** Where a workflow waits for time, events or calls, itself or by what it calls; `undefined` when it does not. */
const findWait = (parts: readonly Part[]): string | undefined =>
  parts.find(({ definition, config, children }) => children.length === 0 && definition.waitsBefore(config).length > 0)?.place;

/** What a workflow may do that nobody agreed to; `undefined` where it only reads. */
function findRisk(name: string, parts: readonly Part[], movesMoney: (credentialId: string) => boolean): RiskyTool | undefined {
  const paysBy = ({ kind, id }: Reference): boolean => kind === 'credential' && movesMoney(id);
  const risks = parts.map(({ definition, config, place }) => ({
    place,
    risk: definition.references(config).some(paysBy) ? 'money' : definition.risk(config),
  }));
  const found = risks.find(({ risk }) => risk === 'money') ?? risks.find(({ risk }) => risk === 'change');
  if (found === undefined) return undefined;
  const isMoney = found.risk === 'money';
  return {
    code: 'UNCONFIRMED_TOOL',
    severity: isMoney ? 'error' : 'warning',
    message: `${name} ${isMoney ? 'moves money' : 'changes something'}, ${found.place}: the model may call it without the agreement of the user`,
  };
}
