// The canvas as a list, for keyboards and screen readers.
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Card } from '../canvas/flow.ts';
import { useCardTitle } from '../canvas/node-name.ts';
import { useSummary } from '../words/summary.ts';
import { usePortWord, useWords } from '../words/words.tsx';
import { actOf, actsOn, type OutlineProps, portOf } from './outline-acts.ts';
import { type OutlineRow, outlineRows, rowOf } from './outline-rows.ts';
import { OutlineTools } from './OutlineTools.tsx';

/** The canvas as a tree, for screen readers, keyboards and fingers: all that a canvas says can be written here, too. */
export function Outline(props: OutlineProps) {
  const { flow, selected, editing } = props;
  const say = useWords();
  const cards = useMemo(() => new Map(flow.cards.map((card) => [card.id, card])), [flow]);
  const { rows, index, row, currentKey, moveTo } = useCurrentRow(props);
  const { tree, hasFocus, focusActs } = useTreeFocus(currentKey, rows);
  const acts = actsOn(row, { ...props, port: row === undefined ? undefined : portOf(row, cards), moveTo, rows });
  const onKeyDown = (event: KeyboardEvent): void => {
    const act = actOf(event, { rows, index, moveTo, acts, isEditable: editing !== undefined });
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    <section className="outline">
      <h2>{say('editor.outline')}</h2>
      {editing !== undefined && (
        <OutlineTools
          acts={acts}
          onUsed={() => {
            hasFocus.current = true; // what was done is seen in the tree
          }}
        />
      )}
      <ul ref={tree} role="tree" aria-label={say('editor.outline')} aria-multiselectable onKeyDown={onKeyDown} {...focusActs}>
        {rows.map((one, at) => (
          <OutlineItem
            key={one.key}
            row={one}
            card={one.nodeId === undefined ? undefined : cards.get(one.nodeId)}
            fromType={one.from === undefined ? undefined : cards.get(one.from.nodeId)?.node.type}
            isCurrent={at === index}
            isSelected={one.nodeId !== undefined && !one.isAgain && selected.has(one.nodeId)}
            onGo={() => moveTo(one)}
            onOpen={acts.open}
          />
        ))}
      </ul>
    </section>
  );
}

/** The row that the author is at: it stays by its key, and where that is gone, by its place. */
function useCurrentRow({ flow, selected, onSelect }: OutlineProps) {
  const [currentKey, setCurrentKey] = useState<string>();
  const [only] = selected.size === 1 ? [...selected] : [];
  const rows = useMemo(() => outlineRows(flow, only), [flow, only]);
  /** The last place, for when its row is gone. */
  const lastIndex = useRef(0);
  const found = rows.findIndex(({ key }) => key === currentKey);
  const index = Math.min(found < 0 ? lastIndex.current : found, rows.length - 1);
  lastIndex.current = Math.max(0, index);
  const row = rows[index];
  /** What was selected elsewhere, such as a node that was added, is where the outline is. */
  useEffect(() => {
    const at = only === undefined ? undefined : rowOf(rows, only);
    if (at !== undefined && row?.from?.nodeId !== only && row?.nodeId !== only) setCurrentKey(at.key);
  }, [only, rows]);
  const moveTo = (wanted: OutlineRow | undefined, adds = false): void => {
    if (wanted === undefined) return;
    setCurrentKey(wanted.key);
    const about = wanted.nodeId ?? wanted.from?.nodeId;
    if (about !== undefined) onSelect(adds ? [...selected, about] : [about]);
  };
  return { rows, index, row, currentKey, moveTo };
}

/** Keeps the focus in the tree, at the current row, while its author works there. */
function useTreeFocus(currentKey: string | undefined, rows: readonly OutlineRow[]) {
  const tree = useRef<HTMLUListElement>(null);
  const hasFocus = useRef(false);
  useEffect(() => {
    const { activeElement: focused, body } = document;
    const isHere = focused === body || tree.current?.parentElement?.contains(focused) === true;
    if (hasFocus.current && isHere) tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [currentKey, rows]);
  const focusActs = {
    onFocus(): void {
      hasFocus.current = true;
    },
    onBlur({ relatedTarget }: { readonly relatedTarget: EventTarget | null }): void {
      // A row that is gone takes the focus with it: the next one has it. Otherwise it was moved elsewhere.
      hasFocus.current = relatedTarget === null && document.hasFocus();
    },
  };
  return { tree, hasFocus, focusActs };
}

interface OutlineItemProps {
  readonly row: OutlineRow;
  /** The card of its node; `undefined` for a port that leads to nothing. */
  readonly card: Card | undefined;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  /** The type of the node that leads here. */
  readonly fromType: string | undefined;
  readonly onGo: () => void;
  readonly onOpen: () => void;
}

function OutlineItem({ row: { depth, from, isAgain }, card, fromType, isCurrent, isSelected, onGo, onOpen }: OutlineItemProps) {
  const say = useWords();
  const portWord = usePortWord();
  const summaryOf = useSummary();
  const titleOf = useCardTitle();
  const text = card === undefined ? '' : (card.bubble ?? summaryOf(card));
  const problems = (card?.errors ?? 0) + (card?.warnings ?? 0);
  return (
    <li
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      tabIndex={isCurrent ? 0 : -1}
      className={isCurrent ? 'current' : ''}
      style={{ paddingInlineStart: `${Math.min(depth, 8) * 12}px` }}
      dir="auto"
      onClick={onGo}
      onDoubleClick={onOpen}
    >
      {from !== undefined && <span className="caption">{portWord(from.port.name, fromType)} → </span>}
      {card === undefined ? (
        <span className="caption">{say('outline.nothing')}</span>
      ) : (
        <>
          <b>{titleOf(card)}</b>
          {text === '' && <span className="caption"> {card.id}</span>}
          {isAgain && <span className="caption"> {say('outline.again')}</span>}
          {!isAgain && problems > 0 && (
            <span className={card.errors > 0 ? 'bad' : 'warn'}> {say('editor.problems', { count: problems })}</span>
          )}
          {!isAgain && text !== '' && <span className="caption"> {text}</span>}
        </>
      )}
    </li>
  );
}
