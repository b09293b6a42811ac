// The palette of nodes.
import { Search } from 'lucide-react';
import { memo, useRef, useState } from 'react';
import type { CatalogueEntry } from '../canvas/canvas-json.ts';
import type { Card } from '../canvas/flow.ts';
import { useCardTitle } from '../canvas/node-name.ts';
import { NodeIcon } from '../parts/icons.tsx';
import { useStudio } from '../studio-context.ts';
import type { WordKey } from '../words/en.ts';
import { useSummary } from '../words/summary.ts';
import { useLanguage, useNames } from '../words/words.tsx';

const groups = ['entry', 'message', 'logic', 'data', 'time', 'integration', 'people', 'flow'] as const;

const noTargets: readonly Card[] = [];
/** More are found by writing. */
const maxTargets = 50;

/** What can be added to a canvas, by group. A click adds after the selected node; a drag puts it where it is dropped. */
export const Palette = memo(function Palette({
  kind,
  onAdd,
  isFocused = false,
  follows = false,
  targets = noTargets,
  onTarget,
}: {
  readonly kind: string;
  readonly onAdd: (type: string) => void;
  readonly isFocused?: boolean;
  /** Whether it comes after a port: what begins a conversation, and a note, cannot; and there is room for a line about each. */
  readonly follows?: boolean;
  /** Nodes of the canvas that can be chosen as well. */
  readonly targets?: readonly Card[];
  readonly onTarget?: (nodeId: string) => void;
}) {
  const { catalogue } = useStudio();
  const { say, own } = useLanguage();
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const wanted = text.trim().toLowerCase();
  const nameOf = (entry: CatalogueEntry): string => own(`node.${entry.type}`, entry.label);
  const matches = [...catalogue.values()].filter(
    (entry) =>
      !(follows && (entry.category === 'entry' || entry.type === 'note')) &&
      (wanted === '' || `${nameOf(entry)} ${entry.type} ${own(`about.${entry.type}`, entry.description)}`.toLowerCase().includes(wanted)),
  );
  const summaryOf = useSummary();
  const existing = targets.filter((card) => {
    const { id, title, caption, bubble = '', entry } = card;
    const name = entry === undefined ? '' : nameOf(entry);
    return wanted === '' || `${title} ${name} ${id} ${caption} ${bubble} ${summaryOf(card)}`.toLowerCase().includes(wanted);
  });
  const isSupported = ({ supports }: CatalogueEntry): boolean => supports?.kinds === undefined || supports.kinds.includes(kind);
  /** Whether a name begins with what is written: what Enter takes stands first. */
  const isMeant = (entry: CatalogueEntry): boolean => wanted !== '' && nameOf(entry).toLowerCase().startsWith(wanted);
  const [first] = matches.filter(isSupported).toSorted((a, b) => Number(isMeant(b)) - Number(isMeant(a)));
  const known: ReadonlySet<string> = new Set(groups);
  const meantGroup = first !== undefined && isMeant(first) ? first.category : undefined;
  const custom = [...new Set(matches.map(({ category }) => category))].filter((category) => !known.has(category));
  return (
    <div className="palette-body">
      <label className="search">
        <Search size={15} aria-hidden />
        <input
          ref={input}
          type="search"
          value={text}
          autoFocus={isFocused}
          placeholder={say('palette.search')}
          aria-label={say('palette.search')}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || wanted === '') return;
            event.preventDefault();
            // The name of a type adds one; what is no type is a node that is there already.
            const isType = first !== undefined && nameOf(first).toLowerCase().startsWith(wanted);
            const exact = existing.find(({ id }) => id.toLowerCase() === wanted) ?? existing[0];
            if (first === undefined && exact === undefined) return;
            setText('');
            if (exact !== undefined && !isType) onTarget?.(exact.id);
            else if (first !== undefined) onAdd(first.type);
          }}
        />
      </label>
      {matches.length + existing.length === 0 && <p className="quiet-text">{say('palette.none')}</p>}
      {[...groups, ...custom]
        .toSorted((a, b) => Number(b === meantGroup) - Number(a === meantGroup))
        .map((group) => {
          const entries = matches
            .filter(({ category }) => category === group)
            .toSorted((a, b) => Number(isSupported(b)) - Number(isSupported(a)) || Number(isMeant(b)) - Number(isMeant(a)));
          if (entries.length === 0) return null;
          const title = known.has(group) ? say(`group.${group}` as WordKey) : group;
          return (
            <div key={group} role="group" aria-label={title}>
              <h2>{title}</h2>
              {entries.map((entry) => (
                <TypeButton
                  key={entry.type}
                  entry={entry}
                  kind={kind}
                  isSupported={isSupported(entry)}
                  isExplained={follows}
                  onAdd={onAdd}
                />
              ))}
            </div>
          );
        })}
      {existing.length > 0 && <ExistingNodes cards={existing} onTarget={onTarget} />}
    </div>
  );
});

interface TypeButtonProps {
  readonly entry: CatalogueEntry;
  /** The kind of the workflow. */
  readonly kind: string;
  /** Whether a workflow of this kind can have it. */
  readonly isSupported: boolean;
  /** Whether a line beside its name tells what it does. */
  readonly isExplained: boolean;
  readonly onAdd: (type: string) => void;
}

/** A type of node, to click or to drag. */
function TypeButton({ entry: { type, category, label, description, icon }, kind, isSupported, isExplained, onAdd }: TypeButtonProps) {
  const { say, own } = useLanguage();
  const kindWord = useNames('kind');
  const name = own(`node.${type}`, label);
  const about = own(`about.${type}`, description);
  return (
    <button
      type="button"
      className="palette-item"
      data-group={category}
      draggable={isSupported}
      disabled={!isSupported}
      title={isSupported ? about : say('palette.notHere', { kind: kindWord(kind) })}
      onClick={() => onAdd(type)}
      onDragStart={(event) => {
        event.dataTransfer.setData('application/hilo-node', type);
        event.dataTransfer.effectAllowed = 'copy';
      }}
    >
      <span className="tile">
        <NodeIcon name={icon} size={15} />
      </span>{' '}
      {isExplained ? (
        <span className="names">
          {name}{' '}
          <span className="caption" aria-hidden>
            {about}
          </span>
        </span>
      ) : (
        name
      )}
    </button>
  );
}

/** Nodes that are there already, to lead to. */
function ExistingNodes({
  cards,
  onTarget,
}: {
  readonly cards: readonly Card[];
  readonly onTarget: ((nodeId: string) => void) | undefined;
}) {
  const { say } = useLanguage();
  const summaryOf = useSummary();
  const titleOf = useCardTitle();
  return (
    <div role="group" aria-label={say('palette.existing')}>
      <h2>{say('palette.existing')}</h2>
      {cards.slice(0, maxTargets).map((card) => (
        <button key={card.id} type="button" className="palette-item" data-group={card.category} onClick={() => onTarget?.(card.id)}>
          <span className="tile">
            <NodeIcon name={card.entry?.icon} size={15} />
          </span>{' '}
          <span className="names" dir="auto">
            {titleOf(card)} <span className="caption">{(card.bubble ?? summaryOf(card)) || card.id}</span>
          </span>
        </button>
      ))}
    </div>
  );
}
