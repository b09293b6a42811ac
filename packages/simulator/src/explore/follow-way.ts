// How far a search has come by an event: the ports that were left by, its place on the way, and where it can still lead.
import type { HistoryEntry, WayStep } from '@hilo/engine/contract';
import type { CompiledCanvas, CompiledNode } from '@hilo/engine/debug';
import type { Frame, Standing } from './standing.ts';

/** The ports that the visits of some entries left by; what leaves by a port without an edge goes on by `error`. */
export function stepsOf({ canvas }: Frame, entries: readonly HistoryEntry[]): readonly string[] {
  return entries.flatMap(({ nodeId, port }) => {
    const node = canvas.nodes.get(nodeId);
    if (node === undefined || port === undefined) return [];
    const by = node.targets.has(port) ? port : 'error';
    return node.targets.has(by) ? [`${nodeId}.${by}`] : [];
  });
}

/** How far a standing is along a way, after these entries; `undefined` where it left the way. */
export function followWay(
  way: readonly WayStep[],
  { canvas, state }: Frame,
  entries: readonly HistoryEntry[],
  before: Pick<Standing, 'along' | 'isAside'>,
): Pick<Standing, 'along' | 'isAside'> | undefined {
  let { along, isAside } = before;
  const isCatch = canvas.catcher !== undefined && way[0]?.nodeId === canvas.catcher.id;
  for (const { nodeId, port } of entries) {
    const step = way[along];
    if (port === undefined || step === undefined || along >= way.length - 1) continue;
    if (step.nodeId !== nodeId && (isAside || (along === 0 && isCatch))) continue; // anything may have failed before a catch
    const node = canvas.nodes.get(nodeId);
    const by = node?.targets.has(port) === true ? port : 'error';
    if (step.nodeId !== nodeId) return undefined;
    isAside = step.port !== undefined && step.port !== by;
    if (isAside && node?.definition.boundedPorts.includes(by) !== true) return undefined;
    if (!isAside) along += 1;
  }
  const last = way.at(-1);
  const isThere = along >= way.length - 1 && (state.visits[last?.nodeId ?? ''] ?? 0) > 0;
  if (!isThere) return { along, isAside };
  const isLeft = last?.port === undefined || entries.some(({ nodeId, port }) => nodeId === last.nodeId && port === last.port);
  return { along: isLeft ? way.length : along, isAside };
}

/** Whether an execution can still come to a port that is looked for; worked out anew when fewer are. */
export function createReachability(canvases: readonly CompiledCanvas[], missing: ReadonlySet<string>): (frame: Frame) => boolean {
  const [main] = canvases;
  let counted = -1;
  let useful = new Set<string>();
  const refresh = (): void => {
    counted = missing.size;
    useful = new Set(
      [...(main?.nodes.values() ?? [])]
        .filter((node) => [...node.targets.keys()].some((port) => missing.has(`${node.id}.${port}`)))
        .map(({ id }) => id),
    );
    for (let size = -1; size !== useful.size; ) {
      size = useful.size;
      for (const node of main?.nodes.values() ?? []) if (leadsTo(node, useful)) useful.add(node.id);
    }
  };
  return ({ canvas, state }) => {
    if (canvas !== main) return true;
    if (counted !== missing.size) refresh();
    const { catcher } = canvas;
    return useful.has(state.visit?.nodeId ?? '') || (catcher !== undefined && !state.isCaught && useful.has(catcher.id));
  };
}

const leadsTo = ({ targets }: CompiledNode, useful: ReadonlySet<string>): boolean => [...targets.values()].some(({ id }) => useful.has(id));
