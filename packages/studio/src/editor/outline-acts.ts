// What can be done at a row of the outline, and by which key.
import type { KeyboardEvent } from 'react';
import type { PortRef } from '../canvas/commands.ts';
import type { Card, Flow } from '../canvas/flow.ts';
import { type OutlineRow, rowOf } from './outline-rows.ts';
import { openPort } from './ports.ts';
import type { Editing } from './editing.ts';

export interface OutlineProps {
  readonly flow: Flow;
  readonly selected: ReadonlySet<string>;
  /** Left out, the canvas is to look at. */
  readonly editing?: Editing | undefined;
  readonly onSelect: (nodeIds: readonly string[]) => void;
  /** Opens the form of a node. @param field - `label`: where the author is to begin; the first field when left out */
  readonly onOpen: (nodeId: string, field?: 'label') => void;
  /** Asks what a port shall lead to. @param inserts - whether a new node is put on the way that is there */
  readonly onConnect: (from: PortRef, inserts: boolean) => void;
}

/** What can be done at a row; an act that is left out cannot be done there. */
export interface RowActs {
  /** Goes on from there: to the form of its node, to the row with the node's ports, or to the choice of a node. */
  readonly open: () => void;
  /** Opens the form of its node. */
  readonly show?: () => void;
  readonly rename?: () => void;
  /** Asks what its port shall lead to. */
  readonly lead?: () => void;
  /** Asks which node shall stand before what its port leads to. */
  readonly insert?: () => void;
  readonly cut?: () => void;
  readonly duplicate?: () => void;
  readonly remove?: () => void;
}

/** @param port - the one that the row is about */
export function actsOn(
  row: OutlineRow | undefined,
  {
    port,
    rows,
    moveTo,
    editing,
    selected,
    onOpen,
    onConnect,
  }: OutlineProps & {
    readonly port: PortRef | undefined;
    readonly rows: readonly OutlineRow[];
    readonly moveTo: (row: OutlineRow | undefined) => void;
  },
): RowActs {
  const nodeId = row === undefined || row.isAgain ? undefined : row.nodeId;
  const open = (): void => {
    if (row?.nodeId === undefined) {
      if (port !== undefined && editing !== undefined) onConnect(port, false);
    } else if (row.isAgain) moveTo(rowOf(rows, row.nodeId));
    else onOpen(row.nodeId);
  };
  const form = nodeId !== undefined && { show: () => onOpen(nodeId), rename: () => onOpen(nodeId, 'label') };
  if (editing === undefined) return { open, ...form };
  return {
    open,
    ...form,
    ...(port !== undefined && { lead: () => onConnect(port, false), insert: () => onConnect(port, true) }),
    ...(port !== undefined && row?.from !== undefined && row.nodeId !== undefined && { cut: () => editing.disconnect(port) }),
    ...(nodeId !== undefined && {
      duplicate: () => editing.duplicate(selected.has(nodeId) ? selected : new Set([nodeId])),
      remove: editing.deleteSelected,
    }),
  };
}

/** The act of a key; `undefined` where it has none. */
export function actOf(
  { key, shiftKey, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  {
    rows,
    index,
    acts,
    isEditable,
    moveTo,
  }: {
    readonly rows: readonly OutlineRow[];
    /** The place of the current row. */
    readonly index: number;
    readonly acts: RowActs;
    readonly isEditable: boolean;
    /** @param adds - whether its node is selected beside those that are */
    readonly moveTo: (row: OutlineRow | undefined, adds?: boolean) => void;
  },
): (() => void) | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  const depth = rows[index]?.depth ?? 0;
  switch (key) {
    case 'ArrowDown':
      return () => moveTo(rows[index + 1], shiftKey);
    case 'ArrowUp':
      return () => moveTo(rows[index - 1], shiftKey);
    case 'ArrowRight':
      return () => (rows[index + 1]?.depth ?? 0) > depth && moveTo(rows[index + 1]);
    case 'ArrowLeft':
      return () => moveTo(rows.slice(0, index).findLast((before) => before.depth < depth));
    case 'Home':
      return () => moveTo(rows[0]);
    case 'End':
      return () => moveTo(rows.at(-1));
    case 'Enter':
    case ' ':
      return acts.open;
    case 'F2':
      return acts.rename;
    case 'Delete':
    case 'Backspace':
      return isEditable ? () => (shiftKey ? acts.cut?.() : (acts.remove ?? acts.cut)?.()) : undefined;
  }
  return { c: acts.lead, i: acts.insert }[key.toLowerCase()];
}

/** The port that a row is about: the one that leads there; of a node that nothing leads to, its own first open one. */
export function portOf({ from, nodeId }: OutlineRow, cards: ReadonlyMap<string, Card>): PortRef | undefined {
  if (from !== undefined) return { nodeId: from.nodeId, port: from.port.name, isUnnamed: from.port.isUnnamed };
  return openPort(cards.get(nodeId ?? ''));
}
