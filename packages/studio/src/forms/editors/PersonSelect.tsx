/** An operator or a team, by name: their numbers are nobody's words. */
import { useForm } from '../form-context.ts';
import { useWords } from '../../words/words.tsx';
import type { EditorProps } from './editor-props.ts';

const selectOf = (which: 'operators' | 'teams') =>
  function PersonSelect({ value, onChange, id }: EditorProps) {
    const { choices, isReadOnly } = useForm();
    const say = useWords();
    const people = choices[which] ?? [];
    const chosen = typeof value === 'number' ? value : undefined;
    const isUnknown = chosen !== undefined && people.every((one) => one.id !== chosen);
    return (
      <select
        id={id}
        value={chosen ?? ''}
        disabled={isReadOnly}
        onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
      >
        <option value="">{say('form.anybody')}</option>
        {isUnknown && <option value={chosen}>{chosen}</option>}
        {people.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
    );
  };

export const OperatorSelect = selectOf('operators');
export const TeamSelect = selectOf('teams');
