// Checks how nodes are connected, and that what they refer to exists.
import type { Canvas } from '../contract/canvas.ts';
import type { Channel } from '../contract/execution.ts';
import type { Reference } from '../contract/node.ts';
import { pointer, type Problem } from '../contract/problem.ts';
import type { CompiledCanvas, NodeTypes } from './compile.ts';
import type { ToolMismatch } from './explain-tool.ts';
import { type Graph, mayBeEntry } from './graph.ts';
import { joinNames, problem, shorten } from './problem-codes.ts';
import type { ParsedNode } from './read-node.ts';

/** Whether what a reference names exists, why it can never be sent, or why it does not fit; `undefined` when that cannot be known here. */
export type Resolve = (reference: Reference) => Resolved;
/** Whether a reference is found: `true`, `false`, why it cannot be used, or `undefined` where that is not known. */
export type Resolved = boolean | string | ToolMismatch | NotNow | OtherKind | undefined;

/** Why what is there cannot be used now, in words. */
export interface NotNow {
  readonly notNow: string;
}

/** The kind of a credential that does not suit. */
interface OtherKind {
  readonly otherKind: string;
}

/** Checks the parts of a canvas one by one: entries, ids of edges, unconnected ports, unsupported nodes, references to what lies outside. */
export function checkStructure(
  canvas: Canvas,
  parsedNodes: readonly ParsedNode[],
  graph: Graph,
  types: NodeTypes,
  { channels, resolve }: { readonly channels: readonly Channel[]; readonly resolve: Resolve | undefined },
): readonly Problem[] {
  const problems = [...checkEntries(canvas.nodes, types), ...checkEdgeIds(canvas.edges)];
  if (
    canvas.nodes.length > 0 &&
    !canvas.nodes.some(({ type }) => mayBeEntry('message', type, types) || mayBeEntry('webhook', type, types))
  ) {
    problems.push(problem('NO_ENTRY', ['nodes'], 'The canvas has no start and no webhook, so nothing can begin it'));
  }
  for (const { id, index, missing } of graph) {
    for (const port of missing)
      problems.push(problem('PORT_WITHOUT_EDGE', ['nodes', index], `Port "${shorten(port, 64)}" of "${id}" leads nowhere`, id));
  }
  for (const node of parsedNodes) {
    problems.push(...checkSupport(node, canvas.kind, channels));
    problems.push(...checkReferences(node, resolve));
  }
  return problems;
}

/** Kinds of entry that a canvas has once. */
const singleEntries = { webhook: ['SECOND_WEBHOOK', 'webhook'], catch: ['SECOND_CATCH', 'catch'] } as const;

function checkEntries(nodes: Canvas['nodes'], types: NodeTypes): Problem[] {
  const found = new Map<string, string>();
  return nodes.flatMap(({ id, type }, index) => {
    const kind = types.get(type)?.entry?.kind;
    if (kind === undefined || kind === 'message') return [];
    const first = found.get(kind);
    if (first === undefined) {
      found.set(kind, id);
      return [];
    }
    const [code, name] = singleEntries[kind];
    return [problem(code, ['nodes', index], `The canvas has a ${name} node already: "${first}"`, id)];
  });
}

function checkEdgeIds(edges: Canvas['edges']): readonly Problem[] {
  const seen = new Set<string>();
  return edges.flatMap(({ id }, index) => {
    if (id === undefined) return [];
    const isDuplicate = seen.has(id);
    seen.add(id);
    return isDuplicate ? [problem('DUPLICATE_EDGE_ID', ['edges', index, 'id'], `Two edges have the id "${shorten(id, 64)}"`)] : [];
  });
}

function checkSupport(
  { id, index, type, definition: { supports } }: ParsedNode,
  kind: 'skill' | 'tool',
  channels: readonly Channel[],
): readonly Problem[] {
  const unsupported = supports.channels.length === 0 ? [] : channels.filter((channel) => !supports.channels.includes(channel));
  const report = (message: string): Problem => problem('UNSUPPORTED_NODE', ['nodes', index, 'type'], message, id);
  return [
    ...(supports.kinds.includes(kind) ? [] : [report(`A ${kind} cannot have a ${type} node`)]),
    ...(unsupported.length === 0 ? [] : [report(`A ${type} node does not work on ${joinNames(unsupported)}`)]),
  ];
}

/** References of a node to what does not exist, or may not. */
function checkReferences({ id, index, read, definition }: ParsedNode, resolve: Resolve | undefined): readonly Problem[] {
  if (resolve === undefined || read === undefined) return [];
  return definition.references(read.config).flatMap((reference) => {
    const exists = resolve(reference);
    if (exists === true) return [];
    const place = ['nodes', index, 'data', ...reference.at];
    const name = formatReference(reference);
    if (typeof exists === 'object' && 'otherKind' in exists) {
      const message = `The ${name} is of the kind "${exists.otherKind}", with which this fails; it takes ${joinNames(reference.suits ?? [])}`;
      return [{ ...problem('UNRESOLVED_REFERENCE', place, message, id), severity: 'warning' as const }];
    }
    if (typeof exists === 'object')
      return 'notNow' in exists
        ? [problem('TEMPLATE_NOT_APPROVED', place, `The ${name} cannot be sent now: ${exists.notNow}`, id)]
        : [describeMismatch(reference, exists, index, id)];
    if (typeof exists === 'string') return [problem('CHANNEL_LIMIT', place, `The ${name} can never be sent: ${exists}`, id)];
    // Both are made of people, and may come later.
    if (exists === false && (reference.kind === 'segment' || reference.kind === 'group')) {
      const message = `There is no ${name}, so that nothing begins for it`;
      return [{ ...problem('UNRESOLVED_REFERENCE', place, message, id), severity: 'warning' as const }];
    }
    return exists === false
      ? [problem('UNRESOLVED_REFERENCE', place, `There is no ${name}`, id)]
      : [problem('REFERENCE_NOT_CHECKED', place, `Whether there is ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name} is not known here`, id)];
  });
}

function describeMismatch({ kind, at, tool, expects }: Reference, mismatch: ToolMismatch, index: number, id: string): Problem {
  const { code, message } = mismatch;
  if (mismatch.code === 'UNCONFIRMED_TOOL')
    return { ...problem(code, ['nodes', index, 'data', ...at.slice(0, -1)], message, id), severity: mismatch.severity };
  const { inputs } = mismatch;
  const found = problem(code, ['nodes', index, 'data', ...(tool?.at ?? at)], message, id);
  if (inputs === undefined || expects === undefined) return found;
  const path = pointer(['nodes', index, 'data', ...expects.at]);
  return { ...found, fixes: [{ label: `Take the inputs of the ${kind}`, patch: [{ op: 'add', path, value: inputs }] }] };
}

const formatReference = ({ kind, id, version }: Reference): string =>
  `${kind} "${shorten(id, 64)}"${version === undefined ? '' : ` with version ${version}`}`;

/**
 * Advised ports without an edge, when neither the `error` port nor a catch node takes over. An edge to a node that could not be compiled
 * counts as one.
 */
export function checkPorts({ canvas, nodes }: CompiledCanvas, graph: Graph, types: NodeTypes): readonly Problem[] {
  if (canvas.nodes.some(({ type }) => mayBeEntry('catch', type, types))) return [];
  const connected = new Map(graph.map(({ id, connected }) => [id, connected]));
  return [...nodes.values()].flatMap(({ id, index, config, definition, common }) => {
    const ports = connected.get(id);
    if (ports?.has('error') === true && common.onError !== 'fail') return [];
    const unconnected = definition.advisedPorts(config).filter((port) => ports?.has(port) !== true);
    return unconnected.map((port) => {
      const message = `Port "${shorten(port, 64)}" of "${id}" leads nowhere: the execution fails there`;
      return problem('PORT_LEADS_NOWHERE', ['nodes', index], message, id);
    });
  });
}
