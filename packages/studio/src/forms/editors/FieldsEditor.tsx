/** Values with names and types, such as those that an exit of an agent must give, or that a tool takes. */
import type { Json, JsonObject } from '@hilo/engine/contract';
import { Plus } from 'lucide-react';
import { isRecord, pointerTo } from '../../canvas/canvas-json.ts';
import { usePartWords } from '../../words/part.ts';
import { Meaning, NameAndType } from '../DeclaredValue.tsx';
import { useForm } from '../form-context.ts';
import { withField } from '../shape.ts';
import { answersAfter, Chips, titlesOf } from './Chips.tsx';
import type { EditorProps } from './editor-props.ts';
import { editorWords } from './editor-words.ts';
import { fieldTypes, isFields, retyped } from './fields.ts';
import { freeName, withName } from './pairs.ts';

/** Nothing where a value is of a form that only "All fields" can write. */
export function FieldsEditor({
  value,
  onChange,
  pointer,
  label,
  id,
}: Pick<EditorProps, 'value' | 'onChange' | 'pointer' | 'label' | 'id'>) {
  const say = usePartWords(editorWords);
  const { isReadOnly } = useForm();
  if (!isFields(value)) return null;
  const fields: JsonObject = value ?? {};
  const put = (after: JsonObject): void => onChange(Object.keys(after).length === 0 ? undefined : after);
  return (
    <div className="pairs">
      {Object.entries(fields).map(([name, field], index) => (
        <FieldRow
          key={index}
          {...(index === 0 && { id })}
          name={name}
          field={isRecord(field) ? field : {}}
          label={`${label}, ${say('made.field', { number: index + 1 })}`}
          pointer={pointerTo(pointer, name)}
          isTaken={(wanted) => wanted !== name && Object.hasOwn(fields, wanted)}
          onRename={(wanted) => put(withName(fields, name, wanted))}
          onChange={(changed) => put({ ...fields, [name]: changed })}
          onRemove={() => put(Object.fromEntries(Object.entries(fields).filter(([one]) => one !== name)))}
        />
      ))}
      {!isReadOnly && (
        <button
          type="button"
          className="quiet"
          aria-label={`${say('made.addField')}: ${label}`}
          onClick={() => put({ ...fields, [freeName(fields, 'value')]: { type: 'text' } })}
        >
          <Plus size={12} aria-hidden /> {say('made.addField')}
        </button>
      )}
    </div>
  );
}

interface FieldRowProps {
  readonly id?: string;
  readonly name: string;
  readonly field: JsonObject;
  readonly label: string;
  readonly pointer: string;
  readonly isTaken: (name: string) => boolean;
  readonly onRename: (name: string) => void;
  readonly onChange: (field: JsonObject) => void;
  readonly onRemove: () => void;
}

function FieldRow({ id, name, field, label, pointer, isTaken, onRename, onChange, onRemove }: FieldRowProps) {
  const say = usePartWords(editorWords);
  const { isReadOnly } = useForm();
  const { type, description, options, required } = field;
  const list: readonly Json[] = Array.isArray(options) ? options : [];
  return (
    <div className="pair" data-pointer={pointer}>
      <NameAndType
        id={id}
        name={name}
        labels={{ name: `${label}: ${say('made.name')}`, type: `${label}: ${say('made.type')}` }}
        type={typeof type === 'string' ? type : 'text'}
        types={fieldTypes.map((one) => [one, say(`made.type.${one}`)])}
        isTaken={isTaken}
        isReadOnly={isReadOnly}
        onRename={onRename}
        onRetype={(chosen) => onChange(retyped(field, chosen))}
        onRemove={onRemove}
      />
      <Meaning
        label={`${label}: ${say('made.means')}`}
        placeholder={say('made.means')}
        value={description}
        isReadOnly={isReadOnly}
        onChange={(meaning) => onChange(withField(field, 'description', meaning))}
      />
      {type === 'option' && (
        <Chips
          texts={titlesOf(list) ?? []}
          label={`${label}: ${say('made.type.option')}`}
          pointer={pointerTo(pointer, 'options')}
          id={`${pointer}-options`}
          example={undefined}
          onText={(index, title) => onChange({ ...field, options: answersAfter(list, index, title) })}
        />
      )}
      <label>
        <input
          type="checkbox"
          checked={required !== false}
          disabled={isReadOnly}
          onChange={({ target }) => onChange(withField(field, 'required', target.checked ? undefined : false))}
        />{' '}
        {say('made.required')}
      </label>
    </div>
  );
}
