import { X } from 'lucide-react';
import type { Point } from '../canvas/canvas-json.ts';
import type { PortRef } from '../canvas/commands.ts';
import type { Card } from '../canvas/flow.ts';
import { IconButton } from '../parts/parts.tsx';
import { usePortWord, useWords } from '../words/words.tsx';
import { Palette } from './Palette.tsx';

/** Where a node is to be added. */
export interface Adding {
  readonly from: PortRef;
  /** On the canvas, where the author let a wire go. */
  readonly at?: Point;
  /** The same place in the window. */
  readonly screen?: Point;
  /** Whether the new node is put on the way that is there. */
  readonly inserts?: boolean;
}

interface AddPopoverProps {
  readonly adding: Adding;
  readonly kind: string;
  /** Nodes that are there already: the port can lead to one of them instead. */
  readonly cards: readonly Card[];
  readonly onAdd: (type: string) => void;
  readonly onConnect: (nodeId: string) => void;
  readonly onClose: () => void;
}

/** Asks what a port shall lead to: a new node of a type, or one that is there already. */
export function AddPopover({ adding, kind, cards, onAdd, onConnect, onClose }: AddPopoverProps) {
  const say = useWords();
  const portWord = usePortWord();
  const { nodeId, port, isUnnamed } = adding.from;
  return (
    <div
      className="add-popover"
      ref={(popover) => putBeside(popover, adding.screen ?? placeOf(popover, adding.from))}
      role="dialog"
      aria-label={say('palette.search')}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <IconButton label={say('app.close')} onClick={onClose}>
        <X size={16} aria-hidden />
      </IconButton>
      {!isUnnamed && <p className="caption">{portWord(port, cards.find(({ id }) => id === nodeId)?.node.type)} →</p>}
      <Palette
        kind={kind}
        isFocused
        follows={adding.inserts !== true}
        onAdd={onAdd}
        targets={adding.inserts === true ? [] : cards.filter(({ isNote }) => !isNote)}
        onTarget={onConnect}
      />
    </div>
  );
}

/** Where a port is in the window, for a popover that was asked for by keys. */
function placeOf(popover: HTMLElement | null, { nodeId, port }: PortRef): Point | undefined {
  const card = popover?.closest('.editor')?.querySelector(`.react-flow__node[data-id="${CSS.escape(nodeId)}"]`);
  const place = card?.querySelector(`[data-handleid="${CSS.escape(port)}"]`)?.getBoundingClientRect();
  return place && { x: place.right, y: place.top };
}

/** Puts a popover where the pointer is, inside its stage. Its style is set by script: the page's policy allows no style attribute. */
function putBeside(popover: HTMLElement | null, pointer: Point | undefined): void {
  const stage = popover?.parentElement?.getBoundingClientRect();
  if (popover === null || stage === undefined || pointer === undefined) return;
  popover.style.insetInlineStart = `${Math.max(8, Math.min(pointer.x - stage.left, stage.width - 276))}px`;
  popover.style.insetBlockStart = `${Math.max(8, Math.min(pointer.y - stage.top, stage.height - 360))}px`;
  popover.style.maxHeight = '352px';
}
