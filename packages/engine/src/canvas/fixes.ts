/** What a problem offers to an editor: changes of the canvas, by which it is gone. */
import type { Canvas, CanvasEdge } from '../contract/canvas.ts';
import { parseJsonText } from '../contract/exact-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../contract/json.ts';
import { type Fix, type PatchOperation, pointer, type Problem } from '../contract/problem.ts';
import { isNoPlace } from '../contract/variables.ts';
import { getPath, parsePath } from '../variables/path.ts';
import type { CompiledCanvas, NodeTypes } from './compile.ts';
import { findMeantPlace } from './meant-place.ts';
import { mendExpressions } from './mend-expression.ts';
import { findMeantValue, isTaken } from './meant-values.ts';
import { shorten } from './problem-codes.ts';
import { findNearestName } from '../expressions/nearest-name.ts';
import { findMeantType } from './other-names.ts';
import { shieldDefinition } from './shield.ts';
import { findOccurrences, readText } from './text-range.ts';

/** What a fix is computed from, beside its problem. */
interface FixContext {
  readonly canvas: Canvas;
  /** What the canvas was read of. */
  readonly source: Json;
  readonly nodes: CompiledCanvas['nodes'];
  readonly types: NodeTypes;
  /** The positions of the edges that begin or end at a node. */
  findEdges(nodeId: string): readonly number[];
  /** The ports of a node that no edge leaves by. */
  listFreePorts(nodeId: string): readonly string[];
  /** This id, with a number behind it when a node has it already. */
  freshId(id: string): string;
  /** The steps of the problem's pointer. */
  readonly steps: readonly string[];
}

type Fixer = (problem: Problem, context: FixContext) => readonly Fix[];

/**
 * Creates a function that adds to a problem its mechanical fixes, if there are any.
 *
 * @param given - what the canvas was read of, where it has parts that the canvas is without
 */
export function createFixer({ canvas, nodes }: CompiledCanvas, types: NodeTypes, given?: Json): (problem: Problem) => Problem {
  let edges: ReadonlyMap<string, readonly { readonly index: number }[]> | undefined;
  const findEdges = (nodeId: string): readonly number[] => {
    edges ??= Map.groupBy(
      canvas.edges.flatMap(({ source, target }, index) => Array.from(new Set<string>([source, target]), (id) => ({ id, index }))),
      ({ id }) => id,
    );
    return (edges.get(nodeId) ?? []).map(({ index }) => index);
  };
  const freePorts = new Map<string, readonly string[]>(); // by node: thousands of edges may leave one by wrong ports
  const listFreePorts = (nodeId: string): readonly string[] => {
    const known = freePorts.get(nodeId);
    if (known !== undefined) return known;
    const node = nodes.get(nodeId);
    const taken = new Set(
      findEdges(nodeId).flatMap((index) => (canvas.edges[index]?.source === nodeId ? [canvas.edges[index].sourceHandle] : [])),
    );
    const free = node === undefined ? [] : [...node.ports, ...node.optionalPorts].filter((port) => !taken.has(port));
    freePorts.set(nodeId, free);
    return free;
  };
  let ids: Set<string> | undefined;
  const freshId = (id: string): string => {
    ids ??= new Set<string>(canvas.nodes.map((node) => node.id));
    let number = 1;
    let fresh = id;
    while (ids.has(fresh)) fresh = `${id.slice(0, 120)}-${(number += 1)}`;
    return fresh;
  };
  return (problem) => {
    const context = {
      canvas,
      source: given ?? (canvas as unknown as Json),
      nodes,
      types,
      findEdges,
      listFreePorts,
      freshId,
      steps: parsePointer(problem.pointer),
    };
    const fixes = fixers[problem.code]?.(problem, context) ?? [];
    return fixes.length === 0 || problem.fixes !== undefined ? problem : { ...problem, fixes };
  };
}

const remove =
  (label: string): Fixer =>
  ({ pointer: path }) => [{ label, patch: [{ op: 'remove', path }] }];

/** Gives a misspelt field the name that was likely meant, where no field has it yet. */
function renameField({ message, pointer: path }: Problem, { source, steps }: FixContext): readonly Fix[] {
  const [, nearest] = /did you mean "([^"]{1,100})"\?$/.exec(message) ?? [];
  const within = getPath(source, steps.slice(0, -1));
  const value = nearest === undefined || !isJsonObject(within) || Object.hasOwn(within, nearest) ? undefined : within[steps.at(-1) ?? ''];
  if (nearest === undefined || value === undefined) return [];
  const patch: readonly PatchOperation[] = [
    { op: 'remove', path },
    { op: 'add', path: pointer([...steps.slice(0, -1), nearest]), value },
  ];
  return [{ label: `Rename it to "${nearest}"`, patch }];
}

/** Writes what a message says was likely meant, or a value of one kind as the one of another that a schema asks for. */
function replaceValue({ message, pointer: path }: Problem, { source, steps }: FixContext): readonly Fix[] {
  const value = getPath(source, steps);
  if (value === undefined) return [];
  const [, meant] = /; (?:write|did you mean) "([^"]{1,100})"\??$/.exec(message) ?? [];
  const change = (label: string, into: Json): readonly Fix[] => [{ label, patch: [{ op: 'replace', path, value: into }] }];
  if (meant !== undefined && typeof value === 'string') return change(`Write "${meant}"`, meant);
  const [, object] = /; write (\{.{1,400}\})$/.exec(message) ?? [];
  if (object !== undefined) return change(`Write ${object}`, parseJsonText(object));
  const [, wanted] = / must be (?:a|an) (text|number|list|object), not /.exec(message) ?? [];
  if (wanted === 'text' && (typeof value === 'number' || typeof value === 'boolean')) return change(`Write "${value}"`, String(value));
  if (wanted === 'number' && typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,9})?$/.test(value))
    return change(`Write ${Number(value)}`, Number(value));
  if (wanted === 'list' && (typeof value === 'string' || typeof value === 'number')) return change('Make it a list', [value]);
  return [];
}

/** A declared variable is called by its name alone: what is written as it is read loses its scope. */
function nameVariable({ source, steps }: FixContext): readonly Fix[] {
  const [, name] = /^\$context\.(\w{1,64})$/.exec(steps[1] ?? '') ?? [];
  const variables = getPath(source, ['variables']);
  if (steps[0] !== 'variables' || steps.length !== 2 || name === undefined || !isJsonObject(variables)) return [];
  const value = variables[steps[1] ?? ''];
  if (value === undefined || Object.hasOwn(variables, name)) return [];
  const patch: readonly PatchOperation[] = [
    { op: 'remove', path: pointer(steps) },
    { op: 'add', path: pointer(['variables', name]), value },
  ];
  return [{ label: `Rename it to "${name}"`, patch }];
}

/** The same of a config: what its schema takes alone, and where the message says nothing, what is meant by the value. */
function mendValue(problem: Problem, context: FixContext): readonly Fix[] {
  const { source, types, steps } = context;
  const [list, index, field, ...at] = steps;
  const node = list === 'nodes' && field === 'data' ? getPath(source, ['nodes', index ?? '']) : undefined;
  const { type, data } = isJsonObject(node) ? node : {};
  const definition = typeof type === 'string' ? types.get(type) : undefined;
  const said = replaceValue(problem, context);
  if (definition === undefined || !isJsonObject(data)) return said;
  const refused = { definition, data, at, within: steps.slice(0, 3) };
  const taken = said.filter(({ patch: [change] }) => change?.op !== 'replace' || isTaken(refused, change.value));
  return taken.length > 0 ? taken : findMeantValue(refused);
}

const fixers: { readonly [code: string]: Fixer | undefined } = {
  UNKNOWN_FIELD: (problem, context) => [...renameField(problem, context), ...remove('Remove the field')(problem, context)],
  FORBIDDEN_KEY: remove('Remove the key'),
  SECOND_EDGE: remove('Remove this edge'),
  DUPLICATE_EDGE_ID: remove('Remove the id of the edge'),
  EDGE_TO_NOTHING: (_, { steps }) => [{ label: 'Remove the edge', patch: [{ op: 'remove', path: pointer(steps.slice(0, 2)) }] }],
  DUPLICATE_NODE_ID({ pointer: path, nodeId = '' }, { freshId }) {
    const value = freshId(nodeId);
    return [{ label: `Rename it to "${value}"`, patch: [{ op: 'replace', path, value }] }];
  },
  INVALID_CONFIG(problem, context) {
    const { pointer: path, message } = problem;
    const { canvas, steps } = context;
    const text = message.endsWith(isNoPlace) ? readText(canvas, steps) : undefined;
    const place = text === undefined ? undefined : findMeantPlace(text);
    return place === undefined
      ? mendValue(problem, context)
      : [{ label: `Write to ${place}`, patch: [{ op: 'replace', path, value: place }] }];
  },
  INVALID_EXPRESSION({ pointer: path }, { canvas, steps }) {
    const value = mendExpressions(readText(canvas, steps));
    return value === undefined ? [] : [{ label: `Write ${shorten(value, 120)}`, patch: [{ op: 'replace', path, value }] }];
  },
  INVALID_CANVAS: (problem, context) => [...replaceValue(problem, context), ...nameVariable(context)],
  UNKNOWN_NODE_TYPE({ pointer: path }, { canvas, types, steps }) {
    const type = canvas.nodes[Number(steps[1])]?.type ?? '';
    const value = findMeantType(type, [...types.keys()]);
    return value === undefined ? [] : [{ label: `Make it a ${value} node`, patch: [{ op: 'replace', path, value }] }];
  },
  UNKNOWN_PORT(problem, context) {
    const { source, sourceHandle } = findEdge(context);
    const free = context.listFreePorts(source ?? '');
    const nearest = findNearestName(String(sourceHandle), free);
    const ports = nearest === undefined ? free.slice(0, mostPorts) : [nearest];
    return [
      ...(sourceHandle === undefined ? [] : ports.map((port) => leaveBy(port, problem.pointer))),
      { label: 'Remove the edge', patch: [{ op: 'remove', path: pointer(context.steps.slice(0, 2)) }] },
    ];
  },
  PORT_NOT_NAMED: ({ pointer: path }, context) =>
    context
      .listFreePorts(findEdge(context).source ?? '')
      .slice(0, mostPorts)
      .map((port) => leaveBy(port, `${path}/sourceHandle`)),
  PORT_WITHOUT_EDGE: connectToEnd,
  PORT_LEADS_NOWHERE: connectToEnd,
  UNREACHABLE_NODE({ nodeId = '' }, { findEdges, steps }) {
    const removed = findEdges(nodeId)
      .toReversed()
      .map((index): PatchOperation => ({ op: 'remove', path: `/edges/${index}` }));
    return [{ label: `Remove "${nodeId}"`, patch: [...removed, { op: 'remove', path: pointer(steps.slice(0, 2)) }] }];
  },
  UNKNOWN_VARIABLE_FIELD({ subject = '', places, pointer: path, message }, { canvas }) {
    const [, nearest] = /did you mean (\$\w+(?:\.\w+)+)\?/.exec(message) ?? [];
    if (nearest === undefined) return [];
    const patch = rewriteAll(canvas, places ?? [path], subject, (text, { start, end }) => text.slice(0, start) + nearest + text.slice(end));
    return patch.length === 0 ? [] : [{ label: `Read ${nearest}`, patch }];
  },
  UNWRITTEN_VARIABLE({ subject = '', places, pointer: path, hint }, { canvas }) {
    const [scope, name, ...below] = parsePath(subject) ?? [];
    const fixes: Fix[] = [];
    if (scope === '$tool') return readInput(hint, subject, places ?? [path], canvas);
    const patch = rewriteAll(canvas, places ?? [path], subject, addDefault);
    if (patch.length > 0) fixes.push({ label: `Read ${subject} ?? ""`, patch });
    if (scope === '$context' && name !== undefined && below.length === 0) {
      const variable = { default: '' };
      const isFirst = Object.keys(canvas.variables).length === 0;
      const add: PatchOperation = isFirst
        ? { op: 'add', path: '/variables', value: { [name]: variable } }
        : { op: 'add', path: pointer(['variables', name]), value: variable };
      fixes.push({ label: `Declare ${subject} with an empty default`, patch: [add] });
    }
    if (scope === '$input' && typeof name === 'string') {
      const { settings } = canvas;
      const input = { type: 'any' };
      const add: PatchOperation =
        settings.inputs !== undefined
          ? { op: 'add', path: pointer(['settings', 'inputs', name]), value: input }
          : Object.keys(settings).length === 0
            ? { op: 'add', path: '/settings', value: { inputs: { [name]: input } } }
            : { op: 'add', path: '/settings/inputs', value: { [name]: input } };
      fixes.push({ label: `Declare the input ${name}`, patch: [add] });
    }
    return fixes;
  },
  WINDOW_SURELY_CLOSED: insertTemplate,
  WINDOW_MAYBE_CLOSED: insertTemplate,
  NO_ENTRY(_, { canvas, nodes, types, freshId }) {
    const first = canvas.nodes.find(({ id }) => nodes.get(id)?.definition.isRemark === false);
    if (first === undefined) return [];
    const [type, data] = findStart(types) ?? [];
    if (type === undefined || data === undefined) return [];
    const id = freshId(type);
    const patch: PatchOperation[] = [
      { op: 'add', path: '/nodes/-', value: { id, type, data } },
      addEdge(canvas, { source: id, target: first.id }),
    ];
    return [{ label: `Add a ${type} node that leads to "${first.id}"`, patch }];
  },
};

/** Ports that are offered for one edge. */
const mostPorts = 5;

const leaveBy = (port: string, path: string): Fix => ({ label: `Leave by "${port}"`, patch: [{ op: 'add', path, value: port }] });

const findEdge = ({ canvas, steps }: FixContext): Partial<CanvasEdge> => canvas.edges[Number(steps[1])] ?? {};

/** The first type of node that can begin with any message, and its data. */
function findStart(types: NodeTypes): readonly [type: string, data: JsonObject] | undefined {
  for (const [type, { entry }] of types) if (entry?.kind === 'message' && entry.sample !== undefined) return [type, entry.sample];
  return undefined;
}

/** The first type of node that ends an execution, as it comes from the palette: it has no ports, and needs no data. */
function findEnd(types: NodeTypes): string | undefined {
  for (const [type, definition] of types) {
    if (definition.isRemark || definition.entry !== undefined) continue;
    const { success, data } = definition.config.safeParse({});
    if (success && definition.ports(data).length + definition.optionalPorts(data).length === 0) return type;
  }
  return undefined;
}

/** The first type of node that sends a template, whatever its data is. */
function findTemplate(types: NodeTypes): string | undefined {
  for (const [type, definition] of types) if (shieldDefinition(definition, () => {}).sends({}) === 'template') return type;
  return undefined;
}

/**
 * Sends a template where a message finds the window closed. It goes on as the message does; where the message has several ways, to an end,
 * since the user has chosen none of them.
 */
function insertTemplate({ nodeId = '' }: Problem, { canvas, nodes, types, freshId }: FixContext): readonly Fix[] {
  const node = nodes.get(nodeId);
  const type = findTemplate(types);
  if (node?.optionalPorts.includes('windowClosed') !== true || type === undefined) return [];
  const [port] = node.ports.length === 1 ? node.ports : [];
  const endType = findEnd(types);
  const next =
    port === undefined
      ? canvas.nodes.find((one) => one.type === endType)?.id
      : canvas.edges.find(({ source, sourceHandle }) => source === nodeId && (sourceHandle ?? port) === port)?.target;
  if (next === undefined) return [];
  const id = freshId(type);
  const patch: PatchOperation[] = [
    { op: 'add', path: '/nodes/-', value: { id, type, data: {} } },
    addEdge(canvas, { source: nodeId, sourceHandle: 'windowClosed', target: id }),
    { op: 'add', path: '/edges/-', value: { source: id, target: next } },
  ];
  return [{ label: 'Insert a template at "windowClosed"', patch }];
}

/** Connects the port that a problem names to the first end node, or to a new one. */
function connectToEnd({ nodeId = '', message }: Problem, { canvas, nodes, types, freshId }: FixContext): readonly Fix[] {
  const node = nodes.get(nodeId);
  const port = [...(node?.ports ?? []), ...(node?.optionalPorts ?? [])].find((name) => message.startsWith(`Port "${name}" of `));
  const endType = findEnd(types);
  if (port === undefined || endType === undefined) return [];
  const end = canvas.nodes.find(({ id, type }) => type === endType && nodes.has(id));
  const target = end?.id ?? freshId(endType);
  const edge = addEdge(canvas, { source: nodeId, sourceHandle: port, target });
  const patch: PatchOperation[] =
    end === undefined ? [{ op: 'add', path: '/nodes/-', value: { id: target, type: endType, data: {} } }, edge] : [edge];
  return [{ label: `Lead "${port}" to ${end === undefined ? 'a new end' : `"${target}"`}`, patch }];
}

/** Adds an edge; a canvas without edges may lack the list, so that the whole list is added. */
const addEdge = ({ edges }: Canvas, edge: { readonly [field: string]: Json }): PatchOperation =>
  edges.length === 0 ? { op: 'add', path: '/edges', value: [edge] } : { op: 'add', path: '/edges/-', value: edge };

type Rewrite = (text: string, place: { readonly start: number; readonly end: number }) => string | undefined;

/** Rewrites every occurrence of a variable in the texts at some places; no operation at all when one of the texts cannot be rewritten. */
function rewriteAll(canvas: Canvas, pointers: readonly string[], subject: string, rewrite: Rewrite): readonly PatchOperation[] {
  const path = parsePath(subject) ?? [];
  const patch = pointers.map((at): PatchOperation | undefined => {
    const text = readText(canvas, parsePointer(at));
    const found = path.length === 0 ? [] : findOccurrences(text, path);
    const value = found.toReversed().reduce<string | undefined>((done, place) => done && rewrite(done, place), text);
    return value === undefined || found.length === 0 ? undefined : { op: 'replace', path: at, value };
  });
  return patch.includes(undefined) ? [] : patch.filter((operation) => operation !== undefined);
}

/** A question of a tool reads an input that the tool has: a default would hide that it asks about nothing. */
function readInput(hint: string, subject: string, places: readonly string[], canvas: Canvas): readonly Fix[] {
  const [, meant] = /^Did you mean (\$tool\.\w{1,64})\?/.exec(hint) ?? [];
  const rename: Rewrite = (text, { start, end }) => text.slice(0, start) + (meant ?? '') + text.slice(end);
  const patch = meant === undefined ? [] : rewriteAll(canvas, places, subject, rename);
  return patch.length === 0 ? [] : [{ label: `Read ${meant}`, patch }];
}

/** `$context.a` as `$context.a ?? ""`, in parentheses when it is part of a longer expression. */
const addDefault: Rewrite = (text, { start, end }) => {
  const name = text.slice(start, end);
  if (name === text) return `{{${name} ?? ""}}`;
  const open = text.lastIndexOf('{{', start);
  const close = text.indexOf('}}', end);
  if (open < 0 || close < 0 || text.slice(open, start).includes('}}')) return undefined;
  const isAlone = text.slice(open + 2, start).trim() === '' && text.slice(end, close).trim() === '';
  const value = isComparedWithNull(text, start, end) ? 'null' : '""';
  return text.slice(0, start) + (isAlone ? `${name} ?? ${value}` : `(${name} ?? ${value})`) + text.slice(end);
};

/** Whether it is asked for by `!= null`, as JavaScript would: an empty text is not null, and the answer would be the other one. */
const isComparedWithNull = (text: string, start: number, end: number): boolean =>
  /^\s{0,9}[!=]=\s{0,9}null\b/.test(text.slice(end, end + 30)) ||
  /\bnull\s{0,9}[!=]=\s{0,9}$/.test(text.slice(Math.max(0, start - 30), start));

/** The steps of a JSON pointer. */
const parsePointer = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
