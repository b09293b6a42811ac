/** The name of a variable, with those that are known: the scope of the conversation need not be written. */
import { useId } from 'react';
import { useForm } from '../form-context.ts';
import { pathOf, shownName } from './names.ts';

interface NameInputProps {
  readonly id?: string;
  readonly label: string;
  readonly path: string;
  readonly placeholder?: string | undefined;
  readonly onPath: (path: string) => void;
  /** Whether what is no name, such as a time of day, is left as it is. */
  readonly isConstant?: (text: string) => boolean;
}

export function NameInput({ id, label, path, placeholder, onPath, isConstant }: NameInputProps) {
  const { choices, isReadOnly } = useForm();
  const list = useId();
  return (
    <>
      <input
        id={id}
        type="text"
        aria-label={label}
        list={list}
        value={shownName(path)}
        placeholder={placeholder ?? ''}
        readOnly={isReadOnly}
        dir="auto"
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => onPath(isConstant?.(target.value) === true ? target.value : pathOf(target.value))}
      />
      <datalist id={list}>
        {choices.variables.map((variable) => (
          <option key={variable.path} value={shownName(variable.path)} />
        ))}
      </datalist>
    </>
  );
}
