/** The name of a value among others with names, as it is typed. */
import { useState } from 'react';

/** The name of an entry. One that another entry has is no more than written: it may be the beginning of a longer one. */
export function EntryName({
  id,
  label,
  name,
  isTaken,
  isReadOnly,
  onRename,
}: {
  readonly id?: string;
  readonly label: string;
  readonly name: string;
  readonly isTaken: (name: string) => boolean;
  readonly isReadOnly: boolean;
  readonly onRename: (name: string) => void;
}) {
  const [taken, setTaken] = useState<string>();
  return (
    <input
      {...(id !== undefined && { id })}
      type="text"
      dir="auto"
      spellCheck={false}
      aria-label={label}
      aria-invalid={taken !== undefined}
      value={taken ?? name}
      readOnly={isReadOnly}
      onBlur={() => setTaken(undefined)}
      onChange={({ target: { value } }) => {
        setTaken(isTaken(value) ? value : undefined);
        if (!isTaken(value)) onRename(value);
      }}
    />
  );
}
