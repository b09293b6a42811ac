import type { Canvas } from '../contract/canvas.ts';
import type { Channel } from '../contract/execution.ts';
import type { Reference } from '../contract/node.ts';
import type { Problem } from '../contract/problem.ts';
import type { CompiledCanvas, NodeTypes } from './compile.ts';
import { type Graph, mayBe } from './graph.ts';
import { joinNames, problem, shorten } from './problem-codes.ts';
import type { LoneNode } from './read-node.ts';

/** Looks a reference up. `undefined`: it is unknown here whether it exists. */
export type Resolve = (reference: Reference) => boolean | undefined;

/** What can be seen node by node: what there must be, what may be there once only, what must exist elsewhere. */
export function checkStructure(
  canvas: Canvas,
  lone: readonly LoneNode[],
  graph: Graph,
  types: NodeTypes,
  { channels, resolve }: { readonly channels: readonly Channel[]; readonly resolve: Resolve | undefined },
): readonly Problem[] {
  const problems = [...checkEntries(canvas.nodes, types), ...checkEdgeIds(canvas.edges)];
  if (canvas.nodes.length > 0 && !canvas.nodes.some(({ type }) => mayBe('message', type, types) || mayBe('webhook', type, types))) {
    problems.push(problem('NO_ENTRY', ['nodes'], 'The canvas has no start and no webhook, so nothing can begin it'));
  }
  for (const { id, index, missing } of graph) {
    for (const port of missing)
      problems.push(problem('PORT_WITHOUT_EDGE', ['nodes', index], `Port "${shorten(port, 64)}" of "${id}" leads nowhere`, id));
  }
  for (const node of lone) {
    problems.push(...checkSupport(node, canvas.kind, channels));
    problems.push(...checkReferences(node, resolve));
  }
  return problems;
}

const once = { webhook: ['SECOND_WEBHOOK', 'webhook'], catch: ['SECOND_CATCH', 'catch'] } as const;

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
    const [code, name] = once[kind];
    return [problem(code, ['nodes', index], `The canvas has a ${name} node already: "${first}"`, id)];
  });
}

function checkEdgeIds(edges: Canvas['edges']): readonly Problem[] {
  const seen = new Set<string>();
  return edges.flatMap(({ id }, index) => {
    if (id === undefined) return [];
    const isDouble = seen.has(id);
    seen.add(id);
    return isDouble ? [problem('DUPLICATE_EDGE_ID', ['edges', index, 'id'], `Two edges have the id "${shorten(id, 64)}"`)] : [];
  });
}

function checkSupport(
  { id, index, type, definition: { supports } }: LoneNode,
  kind: 'skill' | 'tool',
  channels: readonly Channel[],
): readonly Problem[] {
  const unfit = supports.channels.length === 0 ? [] : channels.filter((channel) => !supports.channels.includes(channel));
  const found = (message: string): Problem => problem('UNSUPPORTED_NODE', ['nodes', index, 'type'], message, id);
  return [
    ...(supports.kinds.includes(kind) ? [] : [found(`A ${kind} cannot have a ${type} node`)]),
    ...(unfit.length === 0 ? [] : [found(`A ${type} node does not work on ${joinNames(unfit)}`)]),
  ];
}

/** What a node names outside the canvas, and does not exist, or may not. */
function checkReferences({ id, index, read, definition }: LoneNode, resolve: Resolve | undefined): readonly Problem[] {
  if (resolve === undefined || read === undefined) return [];
  return definition.references(read.config).flatMap((reference) => {
    const exists = resolve(reference);
    if (exists === true) return [];
    const place = ['nodes', index, 'data', ...reference.at];
    const name = formatReference(reference);
    return exists === false
      ? [problem('UNRESOLVED_REFERENCE', place, `There is no ${name}`, id)]
      : [problem('REFERENCE_NOT_CHECKED', place, `Whether there is a ${name} is not known here`, id)];
  });
}

const formatReference = ({ kind, id, version }: Reference): string =>
  `${kind} "${shorten(id, 64)}"${version === undefined ? '' : ` with version ${version}`}`;

/**
 * Required ports that lead nowhere: neither by an edge, nor by `error`, nor to a catch node. An edge to a node that could not be
 * compiled counts.
 */
export function checkPorts({ canvas, nodes }: CompiledCanvas, graph: Graph, types: NodeTypes): readonly Problem[] {
  if (canvas.nodes.some(({ type }) => mayBe('catch', type, types))) return [];
  const connected = new Map(graph.map(({ id, connected }) => [id, connected]));
  return [...nodes.values()].flatMap(({ id, index, config, definition, common }) => {
    const left = connected.get(id);
    if (left?.has('error') === true && common.onError !== 'fail') return [];
    const loose = definition.advisedPorts(config).filter((port) => left?.has(port) !== true);
    return loose.map((port) => {
      const message = `Port "${shorten(port, 64)}" of "${id}" leads nowhere: the execution fails there`;
      return problem('PORT_LEADS_NOWHERE', ['nodes', index], message, id);
    });
  });
}
