/** Lists that need no more than a line each: variables that are withheld, kinds of texts that are masked, budgets. */
import type { Json } from '@hilo/engine/contract';
import { Plus, X } from 'lucide-react';
import { isRecord, pointerTo, shownText } from '../../canvas/canvas-json.ts';
import { IconButton } from '../../parts/parts.tsx';
import { usePartWords } from '../../words/part.ts';
import { useWords } from '../../words/words.tsx';
import { problemsAt, useFieldText, useForm, useValueNames } from '../form-context.ts';
import { FieldProblems } from '../problems.tsx';
import { fieldsOf, shapeOf, withField } from '../shape.ts';
import { isTexts } from './Chips.tsx';
import type { EditorProps } from './editor-props.ts';
import { editorWords } from './editor-words.ts';
import { NameInput } from './NameInput.tsx';

/** Variables by name. */
export function VariablesEditor({ value, onChange, pointer, label, id }: EditorProps) {
  const say = usePartWords(editorWords);
  const words = useWords();
  const { isReadOnly, problems } = useForm();
  const paths: readonly string[] = isTexts(value) ? value : [];
  const put = (after: readonly string[]): void => onChange(after.length === 0 ? undefined : after);
  return (
    <div className="rule">
      {paths.map((path, index) => (
        <div key={index} className="sentence" data-pointer={pointerTo(pointer, String(index))}>
          <NameInput
            {...(index === 0 && { id })}
            label={`${label} ${index + 1}`}
            path={path}
            onPath={(changed) => put(paths.with(index, changed))}
          />
          {!isReadOnly && (
            <IconButton label={`${words('form.remove')}: ${label} ${index + 1}`} onClick={() => put(paths.toSpliced(index, 1))}>
              <X size={12} aria-hidden />
            </IconButton>
          )}
          <FieldProblems problems={problemsAt(pointerTo(pointer, String(index)), problems, true)} />
        </div>
      ))}
      {!isReadOnly && (
        <button type="button" className="quiet" aria-label={`${say('made.addPair')}: ${label}`} onClick={() => put([...paths, ''])}>
          <Plus size={12} aria-hidden /> {say('made.addPair')}
        </button>
      )}
    </div>
  );
}

/** A list of some constants, as boxes to tick. */
export function ChecksEditor({ schema, value, onChange, at, label }: EditorProps) {
  const { root, isReadOnly } = useForm();
  const nameOf = useValueNames(at);
  const shape = shapeOf(schema, root);
  const item = shape.kind === 'list' ? shapeOf(shape.item, root) : undefined;
  const all: readonly Json[] = item?.kind === 'choice' ? item.values : [];
  const chosen: readonly Json[] = Array.isArray(value) ? (value as readonly Json[]) : [];
  return (
    <span className="checks" role="group" aria-label={label}>
      {all.map((one) => (
        <label key={shownText(one)}>
          <input
            type="checkbox"
            checked={chosen.includes(one)}
            disabled={isReadOnly}
            onChange={({ target }) => {
              const after = all.filter((other) => (other === one ? target.checked : chosen.includes(other)));
              onChange(after.length === 0 ? undefined : after);
            }}
          />{' '}
          {nameOf(one)}
        </label>
      ))}
    </span>
  );
}

/** Numbers side by side, each with what holds where nothing is written. Other fields, such as a sum of money, follow in full. */
export function BudgetsEditor({ schema, value, onChange, at, pointer, id }: EditorProps) {
  const { root, isReadOnly, problems, FieldView } = useForm();
  const textOf = useFieldText();
  const fields = fieldsOf(schema);
  const numbers = fields.filter((field) => shapeOf(field.schema, root).kind === 'number');
  const record: { readonly [field: string]: Json | undefined } = isRecord(value) ? value : {};
  const put = (name: string, changed: Json | undefined): void => {
    const after = withField(record as { readonly [field: string]: Json }, name, changed);
    onChange(Object.keys(after).length === 0 ? undefined : after);
  };
  return (
    <>
      <div className="budgets">
        {numbers.map(({ name, schema: field }, index) => {
          const shape = shapeOf(field, root);
          const usual = field['default'];
          const own = record[name];
          return (
            <label key={name} data-pointer={pointerTo(pointer, name)}>
              {textOf(`${at}.${name}`)?.label ?? name}
              <input
                {...(index === 0 && { id })}
                type="number"
                value={typeof own === 'number' ? own : ''}
                placeholder={typeof usual === 'number' ? String(usual) : ''}
                {...(shape.kind === 'number' && { min: shape.minimum, max: shape.maximum })}
                readOnly={isReadOnly}
                onChange={({ target }) => put(name, Number.isNaN(target.valueAsNumber) ? undefined : target.valueAsNumber)}
              />
            </label>
          );
        })}
      </div>
      {numbers.map(({ name }) => (
        <FieldProblems key={name} problems={problemsAt(pointerTo(pointer, name), problems)} />
      ))}
      {fields
        .filter((field) => !numbers.includes(field))
        .map((field) => (
          <FieldView
            key={field.name}
            field={field}
            value={record[field.name]}
            at={`${at}.${field.name}`}
            pointer={pointerTo(pointer, field.name)}
            onChange={(changed) => put(field.name, changed)}
          />
        ))}
    </>
  );
}
