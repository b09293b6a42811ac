import type { Execution, HistoryEntry } from '../api/client.ts';
import { portKey } from '../canvas/canvas-json.ts';

/** An execution of a list, with all that it did. */
export interface ReadExecution {
  readonly execution: Pick<Execution, 'wait'>;
  readonly entries: readonly Pick<HistoryEntry, 'nodeId' | 'visitNumber' | 'port'>[];
}

/** A published version by number, or the draft, which runs on the test route. */
export type Version = Execution['version'];

/** The versions that executions are of, the newest first and the draft last. */
export const versionsOf = (executions: readonly Pick<Execution, 'version'>[]): readonly Version[] =>
  [...new Set(executions.map(({ version }) => version))].toSorted((a, b) => numberOf(b) - numberOf(a));

const numberOf = (version: Version): number => (version === 'draft' ? 0 : version);

/** What several executions did on one canvas. */
export interface Counts {
  /** How often each port was left, by `portKey`. */
  readonly left: { readonly [port: string]: number };
  /** How often each node was visited, and how many executions wait there now, by node id. */
  readonly nodes: ReadonlyMap<string, { readonly visits: number; readonly waiting: number }>;
}

/** Adds up the histories of executions of one version. A visit counts once, however many steps it has. */
export function countsOf(read: readonly ReadExecution[]): Counts {
  const left = new Map<string, number>();
  const nodes = new Map<string, { visits: number; waiting: number }>();
  const at = (nodeId: string): { visits: number; waiting: number } => {
    const known = nodes.get(nodeId) ?? { visits: 0, waiting: 0 };
    nodes.set(nodeId, known);
    return known;
  };
  for (const { execution, entries } of read) {
    const visits = new Map(entries.map(({ nodeId, visitNumber }) => [`${visitNumber}\0${nodeId}`, nodeId]));
    for (const nodeId of visits.values()) at(nodeId).visits += 1;
    if (execution.wait !== null) at(execution.wait.nodeId).waiting += 1;
    for (const { nodeId, port } of entries)
      if (port !== undefined) left.set(portKey(nodeId, port), (left.get(portKey(nodeId, port)) ?? 0) + 1);
  }
  return { left: Object.fromEntries(left), nodes };
}
