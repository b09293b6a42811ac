import type { Card, DrawnPort, Flow } from '../canvas/flow.ts';

/** A line of the outline: a node that nothing leads to, or a port with the node that it leads to. */
export interface OutlineRow {
  readonly key: string;
  readonly depth: number;
  /** The node that is listed here; `undefined` for a port that leads to nothing. */
  readonly nodeId: string | undefined;
  /** Whether the node is listed elsewhere, with its own ports. */
  readonly isAgain: boolean;
  /** The port that leads here, and its node. */
  readonly from: { readonly nodeId: string; readonly port: DrawnPort } | undefined;
}

/**
 * A canvas as a tree by reachability: each node once with its ports, and each of these once. A node that several ports lead to is named at
 * each of them.
 *
 * @param current - a node whose open optional ports are listed, too, before its others: they are next to it
 */
export function outlineRows({ cards }: Pick<Flow, 'cards'>, current?: string): readonly OutlineRow[] {
  const byId = new Map(cards.map((card) => [card.id, card]));
  const entered = new Set(cards.flatMap(({ ports }) => ports.map(({ target }) => target)));
  const roots = [...cards.filter(({ id, category }) => category === 'entry' || !entered.has(id)), ...cards];
  const seen = new Set<string>();
  const rows: OutlineRow[] = [];
  for (const { id: root } of roots) {
    if (seen.has(root)) continue;
    const stack: Pick<OutlineRow, 'nodeId' | 'depth' | 'from'>[] = [{ nodeId: root, depth: 0, from: undefined }];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { nodeId, depth, from } = next;
      const isAgain = nodeId !== undefined && seen.has(nodeId);
      rows.push({ ...next, isAgain, key: from === undefined ? (nodeId ?? '') : `${from.nodeId}\0${from.port.name}` });
      const card = nodeId === undefined || isAgain ? undefined : byId.get(nodeId);
      if (card === undefined) continue;
      seen.add(card.id);
      for (const port of portsOf(card, current).toReversed()) {
        const target = byId.has(port.target ?? '') ? port.target : undefined;
        stack.push({ nodeId: target, depth: depth + 1, from: { nodeId: card.id, port } });
      }
    }
  }
  return rows;
}

function portsOf({ id, ports }: Card, current: string | undefined): readonly DrawnPort[] {
  const isOpen = ({ isRequired, target }: DrawnPort): boolean => !isRequired && target === undefined;
  return [...(id === current ? ports.filter(isOpen) : []), ...ports.filter((port) => !isOpen(port))];
}

/** The row where a node is listed with its ports. */
export const rowOf = (rows: readonly OutlineRow[], nodeId: string): OutlineRow | undefined =>
  rows.find((row) => row.nodeId === nodeId && !row.isAgain);
