import type { Channel } from '../contract/execution.ts';
import type { Problem } from '../contract/problem.ts';
import { durationBounds } from '../contract/template.ts';
import { sessionWindowMs } from '../contract/user-variables.ts';
import { type DescribeWay, formatWay, type Graph, type GraphEdge, type GraphNode } from './graph.ts';
import { problem } from './problem-codes.ts';

/** Channels on which a message other than a template is refused once the user has been silent for {@link sessionWindowMs}. */
const windowChannels: ReadonlySet<Channel> = new Set(['whatsapp', 'facebook', 'instagram']);

/** How long the user may have been silent when a node is reached, in milliseconds, up to {@link sessionWindowMs}. */
interface Silence {
  leastMs: number;
  mostMs: number;
  /** The node before it on a way with the longest silence. */
  from: number | undefined;
}

/** Updates of one node: further ones, of which a canvas by hand has none, are left out, so that the check stays linear. */
const maxUpdates = 100;

/**
 * Messages that are sent when the user has been silent for 24 hours: surely, where every way to them waits that long, or on one way
 * alone. A template and every message of the user's begin the time anew; a message with an edge at `windowClosed` is meant so.
 * Executions that a webhook begins are not judged: when the user wrote last is not known there.
 */
export function checkWindow(
  graph: Graph,
  channels: readonly Channel[],
  sessionExpiryMs: number | undefined,
  describeWay: DescribeWay,
): readonly Problem[] {
  if (!channels.some((channel) => windowChannels.has(channel))) return [];
  const isAlwaysRefused = channels.every((channel) => windowChannels.has(channel));
  const silences = measureSilences(graph, sessionExpiryMs);
  return graph.flatMap((node, position) => {
    const silence = silences[position];
    if (silence === undefined || silence.mostMs < sessionWindowMs) return [];
    const isSure = silence.leastMs >= sessionWindowMs && isAlwaysRefused;
    if (!isUnforeseen(node, isSure)) return [];
    const way = traceSilence(silences, position);
    const when = isSure ? 'only when' : 'also when';
    const message = `"${node.id}" is reached ${when} the user has been silent for 24 hours: ${formatWay(graph, way, 8)}`;
    const found = problem(isSure ? 'WINDOW_SURELY_CLOSED' : 'WINDOW_MAYBE_CLOSED', ['nodes', node.index], message, node.id);
    return [{ ...found, ...describeWay(way) }];
  });
}

/**
 * Whether a node sends a message that a closed window refuses, and its author has not said what happens then. What may happen is foreseen by
 * an edge at `error`, too, where `windowClosed` goes on without an edge of its own.
 */
function isUnforeseen({ compiled, connected }: GraphNode, isSure: boolean): boolean {
  if (compiled?.definition.sends(compiled.config) !== 'message') return false;
  const hasOwnPort = compiled.optionalPorts.includes('windowClosed');
  return !connected.has('windowClosed') && !((!isSure || !hasOwnPort) && connected.has('error'));
}

/** The work of the check, in nodes that are looked at; an edge counts as {@link edgeWork} of them. Some 0.1 s. */
const maxWork = 5_000_000;
const edgeWork = 50;

/**
 * The silence at each node that can be reached: a fixpoint over the edges, the shortest and the longest at once. None at all where that
 * takes more than {@link maxWork}: half of it would be wrong (P20).
 */
function measureSilences(graph: Graph, sessionExpiryMs: number | undefined): readonly (Silence | undefined)[] {
  const silences: (Silence | undefined)[] = graph.map(({ isEntry }) => (isEntry ? { leastMs: 0, mostMs: 0, from: undefined } : undefined));
  const updates = new Int32Array(graph.length);
  let work = 0;
  const queue = [...graph.keys()].filter((position) => silences[position] !== undefined);
  for (const position of queue) {
    const [node, silence] = [graph[position], silences[position]];
    if (node === undefined || silence === undefined) continue;
    for (const edge of node.outgoing) {
      work += edgeWork;
      if (work > maxWork) return [];
      const [leastMs, longestMs] = measureEdge(node, edge, silence, sessionExpiryMs);
      const known = silences[edge.target];
      // Another round of a cycle is not counted: how often it is made is not known.
      const onWay = known === undefined ? undefined : findOnWay(silences, position, edge.target);
      work += onWay?.steps ?? 0;
      const mostMs = known !== undefined && onWay?.isFound === true ? Math.min(longestMs, known.mostMs) : longestMs;
      if (known !== undefined && known.leastMs <= leastMs && known.mostMs >= mostMs) continue;
      updates[edge.target] = (updates[edge.target] ?? 0) + 1;
      if ((updates[edge.target] ?? 0) > maxUpdates) continue;
      silences[edge.target] = {
        leastMs: Math.min(known?.leastMs ?? sessionWindowMs, leastMs),
        mostMs: Math.max(known?.mostMs ?? 0, mostMs),
        from: known === undefined || mostMs > known.mostMs ? position : known.from,
      };
      queue.push(edge.target);
    }
  }
  return silences;
}

/** Whether a node lies on the way to another on which the silence of that one is longest, and how many nodes of it were looked at. */
function findOnWay(
  silences: readonly (Silence | undefined)[],
  reached: number,
  wanted: number,
): { readonly isFound: boolean; readonly steps: number } {
  let position: number | undefined = reached;
  let steps = 0;
  for (; position !== undefined && steps < silences.length; steps += 1) {
    if (position === wanted) return { isFound: true, steps };
    position = silences[position]?.from;
  }
  return { isFound: false, steps };
}

/** The silence behind an edge: least and most. */
function measureEdge(
  node: GraphNode,
  { by }: GraphEdge,
  { leastMs, mostMs }: Silence,
  sessionExpiryMs: number | undefined,
): readonly [number, number] {
  const { compiled } = node;
  if (compiled === undefined || by === undefined) return [0, 0]; // reported elsewhere
  const { definition, config } = compiled;
  const [least, most] = measureWait(compiled, by, sessionExpiryMs ?? Number.POSITIVE_INFINITY);
  if (definition.heardBefore(config).includes(by) || (definition.sends(config) === 'template' && by !== 'error')) return [0, 0];
  // A message that was sent found the window open. What may be wrong there is reported there, and is no fault of what follows.
  if (definition.sends(config) === 'message' && mostMs >= sessionWindowMs && by !== 'windowClosed' && by !== 'error')
    return [Math.min(least, sessionWindowMs), Math.min(most, sessionWindowMs)];
  return [Math.min(leastMs + least, sessionWindowMs), Math.min(mostMs + most, sessionWindowMs)];
}

/** How long a node waits before it leaves by a port: least and most. A session that ends before is no wait. */
function measureWait(
  { definition, config }: NonNullable<GraphNode['compiled']>,
  port: string,
  longestMs: number,
): readonly [number, number] {
  const fields = typeof config === 'object' && config !== null ? config : {};
  const waits = Object.entries(definition.waitFields).flatMap(([field, ports]) => {
    const value: unknown = Reflect.get(fields, field);
    return value === undefined ? [] : [{ ports, bounds: durationBounds(value) ?? [0, Number.POSITIVE_INFINITY] }];
  });
  // Another workflow may talk with the user, for as long as it takes.
  const isOutside = definition.references(config).some(({ kind }) => kind === 'workflow');
  const over = waits.find(({ ports }) => ports.includes(port));
  if (over !== undefined) return [isOutside ? 0 : Math.min(over.bounds[0], longestMs), Math.min(over.bounds[1], longestMs)];
  if (isOutside || !definition.waitsBefore(config).includes(port)) return [0, 0];
  const [bound] = waits;
  return [0, Math.min(bound?.bounds[1] ?? Number.POSITIVE_INFINITY, longestMs) - 1]; // before its time is over
}

/** The way on which the silence of a node is longest. */
function traceSilence(silences: readonly (Silence | undefined)[], reached: number): readonly number[] {
  const way = [reached];
  const seen = new Set(way);
  for (let from = silences[reached]?.from; from !== undefined && !seen.has(from); from = silences[from]?.from) {
    way.push(from);
    seen.add(from);
  }
  return way.reverse();
}
