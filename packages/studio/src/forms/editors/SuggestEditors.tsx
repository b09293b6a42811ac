/** Fields of a question that suggest what to write in them while they are empty: where the answer is kept, and what a wrong one is told. */
import { usePartWords } from '../../words/part.ts';
import { problemsAt, useForm } from '../form-context.ts';
import { ExpressionWidget } from '../widgets.tsx';
import type { EditorProps } from './editor-props.ts';
import { editorWords } from './editor-words.ts';
import { NameInput } from './NameInput.tsx';
import { pathOf } from './names.ts';
import { kindOf, nameFor } from './suggestions.ts';

export function SaveAsEditor({ value, onChange, label, id, isRequired, example }: EditorProps) {
  const { data, isReadOnly } = useForm();
  const say = usePartWords(editorWords);
  const path = typeof value === 'string' ? value : '';
  const name = path === '' && !isReadOnly ? nameFor(data) : undefined;
  return (
    <>
      <NameInput
        {...{ id, label, path }}
        placeholder={example}
        onPath={(written) => onChange(written === '' && !isRequired ? undefined : written)}
      />
      {name !== undefined && (
        <button type="button" className="quiet" onClick={() => onChange(pathOf(name))}>
          {say('made.keepAs', { name })}
        </button>
      )}
    </>
  );
}

export function InvalidEditor({ value, onChange, pointer, label, id, isRequired, example }: EditorProps) {
  const { choices, data, problems, isReadOnly } = useForm();
  const say = usePartWords(editorWords);
  const kind = value === undefined && !isReadOnly ? kindOf(data) : undefined;
  const text = kind === undefined ? undefined : say(`made.invalid.${kind}`);
  return (
    <>
      <ExpressionWidget
        {...{ id, label, value, isRequired, isReadOnly, pointer, choices }}
        problems={problemsAt(pointer, problems)}
        examples={example === undefined ? [] : [example]}
        onChange={(changed) => onChange(changed === '' ? undefined : changed)}
      />
      {text !== undefined && (
        <button type="button" className="quiet" dir="auto" onClick={() => onChange(text)}>
          {say('made.say', { text })}
        </button>
      )}
    </>
  );
}
