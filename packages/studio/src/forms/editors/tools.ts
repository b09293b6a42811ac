/** The tools of an agent: how one begins that is picked from the workflows, functions and servers there are. */
import { isReservedName, type Json, type JsonObject } from '@hilo/engine/contract';
import type { FieldChoices, OfferedTool } from '../../expressions/completions.ts';
import { isRecord } from '../../canvas/canvas-json.ts';
import { wordOf } from './named-ways.ts';

/** What a tool may be of. */
export const toolKinds = ['workflow', 'function', 'mcp'] as const;
export type ToolKind = (typeof toolKinds)[number];

/** Whether a value is a list of tools. */
export const isTools = (value: Json | undefined): value is readonly JsonObject[] | undefined =>
  value === undefined || (Array.isArray(value) && value.every((tool) => isRecord(tool) && toolKinds.some((kind) => kind === tool['kind'])));

/** A tool that a server has listed. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: { readonly [keyword: string]: unknown };
  readonly readOnly: boolean;
}

/** How an input of a workflow or of a function is asked of a model; an object has no field. */
const fieldTypes: { readonly [type: string]: JsonObject } = {
  any: { type: 'text' },
  string: { type: 'text' },
  number: { type: 'number' },
  integer: { type: 'number', integer: true },
  boolean: { type: 'boolean' },
  array: { type: 'list', of: 'text' },
  numbers: { type: 'list', of: 'number' },
};

/** The fields that a model gives for the inputs of a workflow: those whose type is one of a field. */
function fieldsFrom(inputs: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([name, input]) => {
      const { type = 'any', description, default: value, optional } = isRecord(input) ? input : {};
      const field = typeof type === 'string' && Object.hasOwn(fieldTypes, type) ? fieldTypes[type] : undefined;
      if (field === undefined) return [];
      const isSaid = typeof description === 'string' && description.length > 0 && description.length <= 500;
      const isRequired = value === undefined && optional !== true;
      return [[name, { ...field, ...(isSaid && { description }), ...(!isRequired && { required: false }) }]];
    }),
  );
}

/** A name for a tool that none of the others has. */
export function toolName(wanted: string, others: readonly JsonObject[]): string {
  const word = wordOf(wanted)
    .replace(/^(?:exit_)+/i, '')
    .replace(/^[^a-zA-Z]+/, '');
  const name = word === '' ? 'tool' : `${word.charAt(0).toLowerCase()}${word.slice(1)}`;
  const taken = new Set(others.map((tool) => tool['name']));
  for (let number = 1; ; number += 1) {
    const one = number === 1 ? name : `${name.slice(0, 36)}${number}`;
    if (!taken.has(one) && !isReservedName(one)) return one;
  }
}

/** A tool that runs a workflow. */
export const workflowTool = (
  { id, name, inputs = {} }: { readonly id: string; readonly name: string; readonly inputs?: JsonObject },
  others: readonly JsonObject[],
): JsonObject => ({ kind: 'workflow', name: toolName(id, others), description: name, workflowId: id, inputs: fieldsFrom(inputs) });

/** A function that may be picked: as a whole, or one of its tools. */
export interface PickedFunction {
  readonly id: string;
  readonly name: string;
  readonly tool?: OfferedTool;
}

/** What can be picked of functions: each tool of theirs, and those as a whole that offer none. */
export const pickFunctions = (functions: FieldChoices['functions'] = []): readonly PickedFunction[] =>
  functions.flatMap(({ id, name, tools = [] }) => (tools.length === 0 ? [{ id, name }] : tools.map((tool) => ({ id, name, tool }))));

/** A tool that calls a function, with the inputs that the function declares for it. */
export const functionTool = ({ id, name, tool }: PickedFunction, others: readonly JsonObject[]): JsonObject => ({
  kind: 'function',
  name: toolName(tool?.name ?? name, others),
  description: tool === undefined || tool.description === '' ? (tool?.name ?? name) : tool.description.slice(0, 1_000),
  functionId: id,
  ...(tool !== undefined && { tool: tool.name, inputs: fieldsOf(tool.inputSchema) }),
});

/** The fields that a model gives for what a schema declares: those whose type is one of a field. */
function fieldsOf({ properties, required }: JsonObject): JsonObject {
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  const declared = Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, schema]) => {
    if (!/^[a-zA-Z_]\w{0,63}$/.test(name) || isReservedName(name) || !isRecord(schema)) return [];
    const { type = 'any', items, description = null } = schema;
    const ofNumbers = type === 'array' && isRecord(items) && items['type'] === 'number';
    return [[name, { type: ofNumbers ? 'numbers' : type, description, optional: !needed.has(name) }]];
  });
  return fieldsFrom(Object.fromEntries(declared) as JsonObject);
}

/** A tool of a server, with the schema that the server has for it now. */
export const serverTool = (
  server: { readonly url: string; readonly credentialId: string },
  { name, description, schema, readOnly }: ListedTool,
  others: readonly JsonObject[],
): JsonObject => ({
  kind: 'mcp',
  name: toolName(name, others),
  description: description === '' ? name : description.slice(0, 1_000),
  url: server.url,
  ...(server.credentialId !== '' && { auth: { credentialId: server.credentialId } }),
  tool: name,
  schema: schema as JsonObject,
  readOnly,
});
