// Sums of counts as management shows them: by node, with the times of its visits, its causes and its ports.
import { bucketColumns } from '../platform/tables/numbers.ts';
import { bucketCount, percentileMs } from './buckets.ts';
import type { Added, NumberKey } from './sql.ts';

/** The sum of a stretch of hours. */
export type Sum = Pick<NumberKey, 'version' | 'nodeId' | 'kind' | 'name'> & Added;

type Rows = readonly Sum[];

/** How many executions ended with each status. */
export const endsOf = (rows: Rows) => {
  const of = (status: string): number => countOf(rows, 'ended', (name) => name === status);
  return { completed: of('completed'), failed: of('failed'), cancelled: of('cancelled'), expired: of('expired') };
};

/** Numbers by node: of those that have some, or in which executions stand. */
export function describeNodes(rows: Rows, standing: ReadonlyMap<string, number>, by: 'node' | 'port') {
  const ofNodes = Map.groupBy(rows, ({ nodeId }) => nodeId);
  const ids = [...new Set([...ofNodes.keys(), ...standing.keys()])].filter((nodeId) => nodeId !== '').toSorted();
  return ids.map((nodeId) => {
    const own = ofNodes.get(nodeId) ?? [];
    const left = own.filter(({ kind }) => kind === 'left');
    return {
      nodeId,
      visits: countOf(own, 'entered'),
      standing: standing.get(nodeId) ?? 0,
      ended: endsOf(own),
      ...timesOf(left),
      causes: names(own, 'failed').map((cause) => ({ cause, count: countOf(own, 'failed', (name) => name === cause) })),
      ...(by === 'port' && {
        ports: names(own, 'left').map((port) => {
          const through = left.filter(({ name }) => name === port);
          return { port, count: countOf(through, 'left'), ...timesOf(through) };
        }),
      }),
    };
  });
}

/** The names of a kind: of several versions, each once. */
const names = (rows: Rows, kind: Sum['kind']): readonly string[] =>
  [...new Set(rows.flatMap((row) => (row.kind === kind ? [row.name] : [])))].toSorted();

const countOf = (rows: Rows, kind: Sum['kind'], isMeant: (name: string) => boolean = () => true): number =>
  rows.reduce((sum, row) => (row.kind === kind && isMeant(row.name) ? sum + row.count : sum), 0);

/** Half of the visits, and nearly all of them, took at most so long. */
function timesOf(rows: Rows): { readonly p50Ms: number | null; readonly p95Ms: number | null } {
  const buckets = Array.from({ length: bucketCount }, (_, bucket) => {
    const column = bucketColumns[bucket];
    return column === undefined ? 0 : rows.reduce((sum, row) => sum + Number(row[column]), 0);
  });
  return { p50Ms: percentileMs(buckets, 0.5), p95Ms: percentileMs(buckets, 0.95) };
}
