import type { Json, JsonObject } from '@hilo/engine/contract';
import { ArrowUp, GripVertical, Plus, Trash2 } from 'lucide-react';
import { type DragEvent, type ReactNode, useState } from 'react';
import { IconButton } from '../parts/parts.tsx';
import { useWords } from '../words/words.tsx';
import { EntryName } from './EntryName.tsx';

interface RowsProps<Value> {
  readonly items: readonly Value[];
  /** What the list is called: its rows are named after it, with a number. */
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly maxItems?: number | undefined;
  readonly newItem: () => Value;
  readonly onChange: (items: readonly Value[]) => void;
  readonly children: (item: Value, index: number, put: (item: Value | undefined) => void) => ReactNode;
}

/** The items of a list, one per row: they can be added, removed, and moved by a button or by dragging. */
export function Rows<Value>({ items, label, isReadOnly, maxItems, newItem, onChange, children }: RowsProps<Value>) {
  const say = useWords();
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const nameOf = (index: number): string => `${label} ${index + 1}`;
  const move = (from: number, to: number): void => onChange(items.toSpliced(from, 1).toSpliced(to, 0, ...items.slice(from, from + 1)));
  const put = (index: number, item: Value | undefined): void =>
    onChange(item === undefined ? items.toSpliced(index, 1) : items.with(index, item));
  const stop = (): void => {
    setDragged(undefined);
    setOver(undefined);
  };
  return (
    <ul className="list">
      {items.map((item, index) => (
        <li
          key={index}
          className={over === index && dragged !== undefined && dragged !== index ? (dragged < index ? 'drop-after' : 'drop-before') : ''}
          onDragOver={(event: DragEvent) => {
            if (dragged === undefined) return;
            event.preventDefault();
            event.stopPropagation();
            setOver(index);
          }}
          onDrop={(event: DragEvent) => {
            if (dragged === undefined) return;
            event.preventDefault();
            event.stopPropagation();
            if (dragged !== index) move(dragged, index);
            stop();
          }}
        >
          {!isReadOnly && items.length > 1 && (
            <span
              className="grip"
              draggable
              title={say('form.drag')}
              aria-hidden
              onDragStart={(event: DragEvent) => {
                event.stopPropagation();
                event.dataTransfer.effectAllowed = 'move';
                setDragged(index);
              }}
              onDragEnd={stop}
            >
              <GripVertical size={14} />
            </span>
          )}
          {children(item, index, (changed) => put(index, changed))}
          {!isReadOnly && (
            <span className="row-buttons">
              {index > 0 && (
                <IconButton label={`${say('form.up')}: ${nameOf(index)}`} onClick={() => move(index, index - 1)}>
                  <ArrowUp size={14} aria-hidden />
                </IconButton>
              )}
              <IconButton label={`${say('form.remove')}: ${nameOf(index)}`} onClick={() => put(index, undefined)}>
                <Trash2 size={14} aria-hidden />
              </IconButton>
            </span>
          )}
        </li>
      ))}
      {!isReadOnly && (maxItems === undefined || items.length < maxItems) && (
        <li>
          <button
            type="button"
            className="quiet"
            aria-label={`${say('form.add')}: ${label}`}
            onClick={() => onChange([...items, newItem()])}
          >
            <Plus size={14} aria-hidden /> {say('form.add')}
          </button>
        </li>
      )}
    </ul>
  );
}

interface EntriesProps extends Pick<RowsProps<Json>, 'label' | 'isReadOnly'> {
  readonly value: JsonObject;
  readonly newValue: () => Json;
  readonly onChange: (value: JsonObject) => void;
  readonly children: (name: string, item: Json, put: (item: Json | undefined) => void) => ReactNode;
}

/** The entries of an object with names chosen by the author, one per row. No two have the same name. */
export function Entries({ value, label, isReadOnly, newValue, onChange, children }: EntriesProps) {
  const say = useWords();
  const entries = Object.entries(value);
  return (
    <Rows<readonly [string, Json]>
      items={entries}
      label={label}
      isReadOnly={isReadOnly}
      newItem={() => [freshName(value), newValue()]}
      onChange={(changed) => onChange(Object.fromEntries(changed))}
    >
      {([name, item], index, put) => (
        <span className="entry">
          <EntryName
            label={`${label} ${index + 1}: ${say('form.name')}`}
            name={name}
            isTaken={(wanted) => wanted !== name && Object.hasOwn(value, wanted)}
            isReadOnly={isReadOnly}
            onRename={(wanted) => put([wanted, item])}
          />
          {children(name, item, (changed) => changed !== undefined && put([name, changed]))}
        </span>
      )}
    </Rows>
  );
}

function freshName(value: JsonObject): string {
  for (let number = 1; ; number += 1) if (!Object.hasOwn(value, `name${number}`)) return `name${number}`;
}
