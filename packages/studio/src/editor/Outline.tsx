// The canvas as a list, for keyboards and screen readers.
import { Copy, CornerDownRight, Pencil, Plus, Scissors, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { PortRef } from '../canvas/commands.ts';
import type { Card, Flow } from '../canvas/flow.ts';
import { IconButton } from '../parts/parts.tsx';
import { usePortWord, useWords } from '../words/words.tsx';
import type { Editing } from './use-editing.ts';
import { type OutlineRow, outlineRows, rowOf } from './outline-rows.ts';
import { openPort } from './ports.ts';

interface OutlineProps {
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

/** The canvas as a tree, for screen readers, keyboards and fingers: all that a canvas says can be written here, too. */
export function Outline({ flow, selected, editing, onSelect, onOpen, onConnect }: OutlineProps) {
  const say = useWords();
  const portWord = usePortWord();
  const tree = useRef<HTMLUListElement>(null);
  const cards = useMemo(() => new Map(flow.cards.map((card) => [card.id, card])), [flow]);
  const [currentKey, setCurrentKey] = useState<string>();
  const [only] = selected.size === 1 ? [...selected] : [];
  const rows = useMemo(() => outlineRows(flow, only), [flow, only]);
  /** The last place, for when its row is gone. */
  const lastIndex = useRef(0);
  const found = rows.findIndex(({ key }) => key === currentKey);
  const index = Math.min(found < 0 ? lastIndex.current : found, rows.length - 1);
  lastIndex.current = Math.max(0, index);
  const row = rows[index];
  const port = row === undefined ? undefined : portOf(row, cards);
  const nodeId = row === undefined || row.isAgain ? undefined : row.nodeId;

  const hasFocus = useRef(false);
  useEffect(() => {
    const { activeElement: focused, body } = document;
    const isHere = focused === body || tree.current?.parentElement?.contains(focused) === true;
    if (hasFocus.current && isHere) tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [currentKey, rows]);
  /** What was selected elsewhere, such as a node that was added, is where the outline is. */
  useEffect(() => {
    const at = only === undefined ? undefined : rowOf(rows, only);
    if (at !== undefined && row?.from?.nodeId !== only && row?.nodeId !== only) setCurrentKey(at.key);
  }, [only, rows]);

  const go = (wanted: OutlineRow | undefined, adds = false): void => {
    if (wanted === undefined) return;
    setCurrentKey(wanted.key);
    const about = wanted.nodeId ?? wanted.from?.nodeId;
    if (about !== undefined) onSelect(adds ? [...selected, about] : [about]);
  };
  const open = (): void => {
    if (row?.nodeId === undefined) {
      if (port !== undefined && editing !== undefined) onConnect(port, false);
    } else if (row.isAgain) go(rowOf(rows, row.nodeId));
    else onOpen(row.nodeId);
  };
  const cut = (): void => {
    if (port !== undefined && row?.nodeId !== undefined) editing?.disconnect(port);
  };
  const remove = (): void => (nodeId === undefined ? cut() : editing?.deleteSelected());
  const onKeyDown = (event: KeyboardEvent): void => {
    const act = actOf(event);
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const actOf = ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): (() => void) | undefined => {
    if (ctrlKey || metaKey || altKey) return undefined;
    const depth = row?.depth ?? 0;
    switch (key) {
      case 'ArrowDown':
        return () => go(rows[index + 1], shiftKey);
      case 'ArrowUp':
        return () => go(rows[index - 1], shiftKey);
      case 'ArrowRight':
        return () => (rows[index + 1]?.depth ?? 0) > depth && go(rows[index + 1]);
      case 'ArrowLeft':
        return () => go(rows.slice(0, index).findLast((before) => before.depth < depth));
      case 'Home':
        return () => go(rows[0]);
      case 'End':
        return () => go(rows.at(-1));
      case 'Enter':
      case ' ':
        return open;
      case 'F2':
        return nodeId === undefined ? undefined : () => onOpen(nodeId, 'label');
    }
    if (editing === undefined) return undefined;
    if (key === 'Delete' || key === 'Backspace') return shiftKey ? cut : remove;
    if (port === undefined) return undefined;
    return { c: () => onConnect(port, false), i: () => onConnect(port, true) }[key.toLowerCase()];
  };

  return (
    <section className="outline">
      <h2>{say('editor.outline')}</h2>
      {editing !== undefined && (
        <div
          className="outline-tools"
          role="toolbar"
          aria-label={say('outline.tools')}
          onClick={() => {
            hasFocus.current = true; // what was done is seen in the tree
          }}
        >
          <IconButton label={say('outline.open')} disabled={nodeId === undefined} onClick={open}>
            <Pencil size={15} aria-hidden />
          </IconButton>
          <IconButton label={say('outline.lead')} disabled={port === undefined} onClick={() => port && onConnect(port, false)}>
            <CornerDownRight size={15} aria-hidden />
          </IconButton>
          <IconButton label={say('outline.insert')} disabled={port === undefined} onClick={() => port && onConnect(port, true)}>
            <Plus size={15} aria-hidden />
          </IconButton>
          <IconButton label={say('outline.cut')} disabled={row?.from === undefined || row.nodeId === undefined} onClick={cut}>
            <Scissors size={15} aria-hidden />
          </IconButton>
          <IconButton
            label={say('node.duplicate')}
            disabled={nodeId === undefined}
            onClick={() => nodeId !== undefined && editing.duplicate(selected.has(nodeId) ? selected : new Set([nodeId]))}
          >
            <Copy size={15} aria-hidden />
          </IconButton>
          <IconButton label={say('node.delete')} disabled={nodeId === undefined} onClick={remove}>
            <Trash2 size={15} aria-hidden />
          </IconButton>
        </div>
      )}
      <ul
        ref={tree}
        role="tree"
        aria-label={say('editor.outline')}
        aria-multiselectable
        onKeyDown={onKeyDown}
        onFocus={() => {
          hasFocus.current = true;
        }}
        onBlur={({ relatedTarget }) => {
          // A row that is gone takes the focus with it: the next one has it. Otherwise it was moved elsewhere.
          hasFocus.current = relatedTarget === null && document.hasFocus();
        }}
      >
        {rows.map((one, at) => {
          const card = one.nodeId === undefined ? undefined : cards.get(one.nodeId);
          const text = card?.bubble ?? card?.summary ?? '';
          const problems = (card?.errors ?? 0) + (card?.warnings ?? 0);
          return (
            <li
              key={one.key}
              role="treeitem"
              aria-level={one.depth + 1}
              aria-selected={one.nodeId !== undefined && !one.isAgain && selected.has(one.nodeId)}
              tabIndex={at === index ? 0 : -1}
              className={at === index ? 'current' : ''}
              style={{ paddingInlineStart: `${Math.min(one.depth, 8) * 12}px` }}
              dir="auto"
              onClick={() => go(one)}
              onDoubleClick={open}
            >
              {one.from !== undefined && <span className="caption">{portWord(one.from.port.name)} → </span>}
              {card === undefined ? (
                <span className="caption">{say('outline.nothing')}</span>
              ) : (
                <>
                  <b>{card.title}</b> <span className="caption">{card.id}</span>
                  {one.isAgain && <span className="caption"> {say('outline.again')}</span>}
                  {!one.isAgain && problems > 0 && (
                    <span className={card.errors > 0 ? 'bad' : 'warn'}> {say('editor.problems', { count: problems })}</span>
                  )}
                  {!one.isAgain && text !== '' && <span className="caption"> {text}</span>}
                </>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The port that a row is about: the one that leads there; of a node that nothing leads to, its own first open one. */
function portOf({ from, nodeId }: OutlineRow, cards: ReadonlyMap<string, Card>): PortRef | undefined {
  if (from !== undefined) return { nodeId: from.nodeId, port: from.port.name, isUnnamed: from.port.isUnnamed };
  return openPort(cards.get(nodeId ?? ''));
}
