// What is written of a declared value, be it a field of an answer or a variable of a workflow: its name, its type, and what it is for.
import type { Json } from '@hilo/engine/contract';
import { X } from 'lucide-react';
import { IconButton } from '../parts/parts.tsx';
import { useWords } from '../words/words.tsx';
import { EntryName } from './EntryName.tsx';

interface NameAndTypeProps<Type extends string> {
  readonly id?: string | undefined;
  readonly name: string;
  /** The labels of the two fields. */
  readonly labels: { readonly name: string; readonly type: string };
  readonly type: Type;
  /** The types that may be chosen, with their words. */
  readonly types: readonly (readonly [type: Type, word: string])[];
  readonly isReadOnly: boolean;
  readonly isTaken: (name: string) => boolean;
  readonly onRename: (name: string) => void;
  /** @param type - one of `types` */
  readonly onRetype: (type: string) => void;
  readonly onRemove: () => void;
}

export function NameAndType<Type extends string>(props: NameAndTypeProps<Type>) {
  const { id, name, labels, type, types, isReadOnly, isTaken, onRename, onRetype, onRemove } = props;
  const words = useWords();
  return (
    <span className="sentence">
      <EntryName
        {...(id !== undefined && { id })}
        label={labels.name}
        name={name}
        isTaken={isTaken}
        isReadOnly={isReadOnly}
        onRename={onRename}
      />
      <select aria-label={labels.type} value={type} disabled={isReadOnly} onChange={({ target }) => onRetype(target.value)}>
        {types.map(([one, word]) => (
          <option key={one} value={one}>
            {word}
          </option>
        ))}
      </select>
      {!isReadOnly && (
        <IconButton label={`${words('form.remove')}: ${name}`} onClick={onRemove}>
          <X size={12} aria-hidden />
        </IconButton>
      )}
    </span>
  );
}

interface MeaningProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: Json | undefined;
  readonly isReadOnly: boolean;
  /** @param meaning - `undefined`: none is said */
  readonly onChange: (meaning: string | undefined) => void;
}

/** What a value is for, in a sentence. */
export function Meaning({ label, placeholder, value, isReadOnly, onChange }: MeaningProps) {
  return (
    <input
      type="text"
      aria-label={label}
      placeholder={placeholder}
      value={typeof value === 'string' ? value : ''}
      readOnly={isReadOnly}
      maxLength={500}
      dir="auto"
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    />
  );
}
