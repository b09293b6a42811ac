import type { Json } from '@hilo/engine/contract';
import { useEffect, useId, useState } from 'react';
import { isSame } from '../canvas/merge.ts';
import { useWords } from '../words/words.tsx';

/** A value as JSON text. While the text is malformed the value is unchanged, and the field shows the error. */
export function JsonField({
  id,
  value,
  onChange,
  isReadOnly,
}: {
  readonly id: string;
  readonly value: Json | undefined;
  readonly onChange: (value: Json) => void;
  readonly isReadOnly: boolean;
}) {
  const say = useWords();
  const [text, setText] = useState(() => JSON.stringify(value, null, 2) ?? '');
  const [reason, setReason] = useState<string>();
  useEffect(() => {
    try {
      if (isSame(JSON.parse(text), value)) return;
    } catch {
      if (reason !== undefined) return;
    }
    setText(JSON.stringify(value, null, 2) ?? '');
    setReason(undefined);
  }, [value]);
  return (
    <>
      <textarea
        id={id}
        className="mono"
        rows={Math.min(12, text.split('\n').length + 1)}
        value={text}
        readOnly={isReadOnly}
        spellCheck={false}
        aria-invalid={reason !== undefined}
        onChange={({ target }) => {
          setText(target.value);
          try {
            onChange(JSON.parse(target.value) as Json);
            setReason(undefined);
          } catch (error) {
            setReason(error instanceof Error ? error.message : String(error));
          }
        }}
      />
      {reason !== undefined && <p className="field-problem error">{say('form.jsonWrong', { reason })}</p>}
    </>
  );
}

/** A field that the schema does not contain: it is shown as JSON, and kept. */
export function UnknownField({
  name,
  value,
  onChange,
  isReadOnly,
}: {
  readonly name: string;
  readonly value: Json;
  readonly onChange: (value: Json | undefined) => void;
  readonly isReadOnly: boolean;
}) {
  const say = useWords();
  const id = useId();
  return (
    <div className="field unknown">
      <label htmlFor={id}>
        {name} <small>{say('form.unknown')}</small>
      </label>
      <JsonField id={id} value={value} onChange={onChange} isReadOnly={isReadOnly} />
      {!isReadOnly && (
        <button type="button" className="quiet" onClick={() => onChange(undefined)}>
          {say('form.unset')}
        </button>
      )}
    </div>
  );
}
