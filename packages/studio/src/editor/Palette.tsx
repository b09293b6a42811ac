import { Search } from 'lucide-react';
import { useRef, useState } from 'react';
import type { CatalogueEntry } from '../canvas/canvas-json.ts';
import { NodeIcon } from '../parts/icons.tsx';
import { useStudio } from '../studio-context.ts';
import type { WordKey } from '../words/en.ts';
import { useLanguage } from '../words/words.tsx';

const groups = ['entry', 'message', 'logic', 'data', 'time', 'integration', 'people', 'flow'] as const;

/** What can be added to a canvas, by group. A click adds after the selected node; a drag puts it where it is dropped. */
export function Palette({
  kind,
  onAdd,
  isFocused = false,
}: {
  readonly kind: string;
  readonly onAdd: (type: string) => void;
  readonly isFocused?: boolean;
}) {
  const { catalogue } = useStudio();
  const { say, own } = useLanguage();
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const wanted = text.trim().toLowerCase();
  const nameOf = (entry: CatalogueEntry): string => own(`node.${entry.type}`, entry.label);
  const matches = [...catalogue.values()].filter(
    (entry) => wanted === '' || `${nameOf(entry)} ${entry.type} ${entry.description}`.toLowerCase().includes(wanted),
  );
  const isSupported = ({ supports }: CatalogueEntry): boolean => supports?.kinds === undefined || supports.kinds.includes(kind);
  const known: ReadonlySet<string> = new Set(groups);
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
            const [first] = matches
              .filter(isSupported)
              .toSorted((a, b) => Number(nameOf(b).toLowerCase().startsWith(wanted)) - Number(nameOf(a).toLowerCase().startsWith(wanted)));
            if (event.key === 'Enter' && wanted !== '' && first !== undefined) {
              event.preventDefault();
              setText('');
              onAdd(first.type);
            }
          }}
        />
      </label>
      {matches.length === 0 && <p className="quiet-text">{say('palette.none')}</p>}
      {[...groups, ...custom].map((group) => {
        const entries = matches
          .filter(({ category }) => category === group)
          .toSorted((a, b) => Number(isSupported(b)) - Number(isSupported(a)));
        if (entries.length === 0) return null;
        return (
          <section key={group} aria-label={known.has(group) ? say(`group.${group}` as WordKey) : group}>
            <h2>{known.has(group) ? say(`group.${group}` as WordKey) : group}</h2>
            {entries.map((entry) => (
              <button
                key={entry.type}
                type="button"
                className="palette-item"
                data-group={group}
                draggable={isSupported(entry)}
                disabled={!isSupported(entry)}
                title={isSupported(entry) ? entry.description : say('palette.notHere', { kind })}
                onClick={() => onAdd(entry.type)}
                onDragStart={(event) => {
                  event.dataTransfer.setData('application/hilo-node', entry.type);
                  event.dataTransfer.effectAllowed = 'copy';
                }}
              >
                <span className="tile">
                  <NodeIcon name={entry.icon} size={15} />
                </span>{' '}
                {nameOf(entry)}
              </button>
            ))}
          </section>
        );
      })}
    </div>
  );
}
