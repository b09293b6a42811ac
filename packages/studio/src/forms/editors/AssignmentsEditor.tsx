/** What is remembered: each row is a name and its value. How long the memory keeps it is asked for where it is kept there. */
import type { Json, JsonObject } from '@hilo/engine/contract';
import { Plus, X } from 'lucide-react';
import { isRecord, pointerTo } from '../../canvas/canvas-json.ts';
import { IconButton } from '../../parts/parts.tsx';
import { useWords } from '../../words/words.tsx';
import { problemsAt, useFieldText, useForm } from '../form-context.ts';
import { FieldProblems, useLeft } from '../problems.tsx';
import { DurationWidget, ExpressionWidget } from '../widgets.tsx';
import { withField } from '../shape.ts';
import { isAssignments } from './assignments.ts';
import type { EditorProps } from './editor-props.ts';
import { NameInput } from './NameInput.tsx';

const fresh: JsonObject = { path: '', value: '' };

export function AssignmentsEditor({ value, onChange, at, pointer, label, id }: EditorProps) {
  const say = useWords();
  const { isReadOnly } = useForm();
  const rows = isAssignments(value) ? value : [];
  return (
    <div className="rule">
      {rows.map((row, index) => (
        <Assignment
          key={index}
          row={row}
          at={at}
          label={`${label} ${index + 1}`}
          pointer={pointerTo(pointer, String(index))}
          id={index === 0 ? id : `${id}-${index}`}
          onChange={(changed) => onChange(rows.with(index, changed))}
          onRemove={rows.length === 1 ? undefined : () => onChange(rows.toSpliced(index, 1))}
        />
      ))}
      {!isReadOnly && (
        <span className="acts">
          <button type="button" className="quiet" aria-label={`${say('form.add')}: ${label}`} onClick={() => onChange([...rows, fresh])}>
            <Plus size={12} aria-hidden /> {say('form.add')}
          </button>
        </span>
      )}
    </div>
  );
}

interface AssignmentProps extends Pick<EditorProps, 'at' | 'label' | 'pointer' | 'id'> {
  readonly row: JsonObject;
  readonly onChange: (row: JsonObject) => void;
  readonly onRemove: (() => void) | undefined;
}

function Assignment({ row, at, label, pointer, id, onChange, onRemove }: AssignmentProps) {
  const say = useWords();
  const textOf = useFieldText();
  const { isReadOnly, problems, choices } = useForm();
  const { isShown, onBlur } = useLeft();
  const { path, value, ttl } = row;
  const [nameWords, valueWords, ttlWords] = [textOf(`${at}.path`), textOf(`${at}.value`), textOf(`${at}.ttl`)];
  const put = (name: string, changed: Json | undefined): void => {
    const after = withField(row, name, changed);
    if (isRecord(after)) onChange(after);
  };
  const of = (name: string) => ({
    pointer: pointerTo(pointer, name),
    problems: problemsAt(pointerTo(pointer, name), problems),
    examples: [],
    isReadOnly,
  });
  const isKept = ttl !== undefined || (typeof path === 'string' && path.startsWith('$memory'));
  return (
    <div className="assignment" data-pointer={pointer} onBlur={onBlur}>
      <div className="sentence" data-pointer={of('path').pointer}>
        <NameInput
          id={id}
          label={`${label}: ${nameWords?.label ?? 'path'}`}
          path={typeof path === 'string' ? path : ''}
          placeholder={nameWords?.example}
          onPath={(changed) => put('path', changed)}
        />
        <span aria-hidden>=</span>
        {onRemove !== undefined && !isReadOnly && (
          <IconButton label={`${say('form.remove')}: ${label}`} onClick={onRemove}>
            <X size={12} aria-hidden />
          </IconButton>
        )}
      </div>
      <div className="field" data-pointer={of('value').pointer}>
        <ExpressionWidget
          {...of('value')}
          id={`${id}-value`}
          label={`${label}: ${valueWords?.label ?? 'value'}`}
          value={value}
          isRequired
          choices={choices}
          onChange={(changed) => put('value', changed)}
        />
      </div>
      {isKept && (
        <>
          <label htmlFor={`${id}-ttl`}>{ttlWords?.label ?? 'ttl'}</label>
          <DurationWidget
            {...of('ttl')}
            id={`${id}-ttl`}
            label={`${label}: ${ttlWords?.label ?? 'ttl'}`}
            value={ttl}
            isRequired={false}
            onChange={(changed) => put('ttl', changed)}
          />
        </>
      )}
      {isShown && <FieldProblems problems={problemsAt(pointer, problems, true)} />}
    </div>
  );
}
