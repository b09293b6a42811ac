// Counts of a workflow as its canvas shows them: what stands at the foot of a card, how wide a wire is, and where people leave.
import type { Operations } from '../api/operations.ts';
import { portKey } from '../canvas/canvas-json.ts';

/** The answer of the service, by port. */
export type Numbers = Awaited<ReturnType<Operations['getNumbers']>>;
export type NodeNumbers = Numbers['nodes'][number];

/** The periods that are offered, in hours. */
export const periods = { day: 24, week: 7 * 24, month: 30 * 24 } as const;
export type Period = keyof typeof periods;
export const isPeriod = (name: string): name is Period => Object.hasOwn(periods, name);

const hourMs = 3_600_000;

/** The stretch of a period up to now; one of the same length before it, with `back` 1. */
export function stretchOf(hours: number, nowMs: number, back = 0): { readonly from: string; readonly to: string } {
  const lastHourMs = Math.floor(nowMs / hourMs) * hourMs;
  const firstMs = lastHourMs - (hours * (back + 1) - 1) * hourMs;
  return { from: new Date(firstMs).toISOString(), to: new Date(firstMs + hours * hourMs - 1).toISOString() };
}

/** Nodes at which an execution is meant to end. */
const endTypes: ReadonlySet<string> = new Set(['end']);

/** How many left in a node: they entered it, and nothing came after it. Who came to an end that was meant did not leave. */
export function leftHere({ ended }: Pick<NodeNumbers, 'ended'>, type: string | undefined): number {
  const { completed, failed, cancelled, expired } = ended;
  return failed + cancelled + expired + (type !== undefined && endTypes.has(type) ? 0 : completed);
}

/** By how much something grew or fell: a sign, so that it is read without colour too. */
export const change = (by: number): string => (by > 0 ? `▲ ${by}` : by < 0 ? `▼ ${-by}` : '=');

/** The nodes that take longest, by the time within which nearly all of their visits were over. */
export const slowest = (nodes: readonly NodeNumbers[]) =>
  nodes
    .flatMap(({ nodeId, p50Ms, p95Ms }) => (p50Ms === null || p95Ms === null || p95Ms < 1_000 ? [] : [{ nodeId, p50Ms, p95Ms }]))
    .toSorted((a, b) => b.p95Ms - a.p95Ms || (a.nodeId < b.nodeId ? -1 : 1));

/** The widths of wires, in pixels, from the least traffic to the most. */
const widths = { least: 1.5, most: 8 };

/** How wide the wire of a port is, and which share of the card's exits it has. */
export function portsOf({ nodes }: Pick<Numbers, 'nodes'>): ReadonlyMap<
  string,
  {
    readonly widthPx: number;
    readonly share: number;
    readonly p50Ms: number | null;
    readonly p95Ms: number | null;
    readonly count: number;
  }
> {
  const all = nodes.flatMap(({ ports = [] }) => ports);
  const most = Math.max(1, ...all.map(({ count }) => count));
  return new Map(
    nodes.flatMap(({ nodeId, ports = [] }) => {
      const sum = ports.reduce((total, { count }) => total + count, 0);
      return ports.map(({ port, count, p50Ms, p95Ms }) => [
        portKey(nodeId, port),
        { count, p50Ms, p95Ms, share: count / sum, widthPx: widths.least + (widths.most - widths.least) * (count / most) },
      ]);
    }),
  );
}

/** Where people leave, the worst first: by share among nodes that enough people entered, since one of two is no news. */
export function placesOfLeaving(nodes: readonly NodeNumbers[], typeOf: (nodeId: string) => string | undefined) {
  return nodes
    .map((node) => ({ nodeId: node.nodeId, left: leftHere(node, typeOf(node.nodeId)), visits: node.visits }))
    .filter(({ left }) => left > 0)
    .map((one) => ({ ...one, share: Math.min(1, one.left / Math.max(1, one.visits)) }))
    .toSorted((a, b) => b.left - a.left || (a.nodeId < b.nodeId ? -1 : 1));
}
