/** The ways by which a model may choose to go on, each with its name and when it is to choose it. */
import type { Json, JsonObject } from '@hilo/engine/contract';
import { Plus, X } from 'lucide-react';
import { pointerTo } from '../../canvas/canvas-json.ts';
import { IconButton } from '../../parts/parts.tsx';
import { usePartWords } from '../../words/part.ts';
import { useWords } from '../../words/words.tsx';
import { problemsAt, useForm } from '../form-context.ts';
import { FieldProblems, useLeft } from '../problems.tsx';
import { withField } from '../shape.ts';
import { Chips } from './Chips.tsx';
import type { EditorProps } from './editor-props.ts';
import { FieldsEditor } from './FieldsEditor.tsx';
import { editorWords } from './editor-words.ts';
import { isWays, wordOf } from './named-ways.ts';

const waysEditor = (hasExamples: boolean) =>
  function WaysEditor({ value, onChange, pointer, label, id }: EditorProps) {
    const say = usePartWords(editorWords);
    const { isReadOnly } = useForm();
    const ways = isWays(value) ? value : [];
    return (
      <div className="rule">
        {ways.map((way, index) => (
          <Way
            key={index}
            way={way}
            hasExamples={hasExamples}
            label={`${label}: ${say('made.exit', { number: index + 1 })}`}
            pointer={pointerTo(pointer, String(index))}
            id={index === 0 ? id : `${id}-${index}`}
            onChange={(changed) => onChange(ways.with(index, changed))}
            onRemove={ways.length > (hasExamples ? 2 : 1) ? () => onChange(ways.toSpliced(index, 1)) : undefined}
          />
        ))}
        {!isReadOnly && (
          <button
            type="button"
            className="quiet"
            aria-label={`${say('made.addExit')}: ${label}`}
            onClick={() => onChange([...ways, { name: '', when: '' }])}
          >
            <Plus size={12} aria-hidden /> {say('made.addExit')}
          </button>
        )}
      </div>
    );
  };

/** The exits of an agent. */
export const ExitsEditor = waysEditor(false);
/** The options of a decision, which may have examples. */
export const OptionsEditor = waysEditor(true);

interface WayProps extends Pick<EditorProps, 'label' | 'pointer' | 'id'> {
  readonly way: JsonObject;
  readonly hasExamples: boolean;
  readonly onChange: (way: JsonObject) => void;
  readonly onRemove: (() => void) | undefined;
}

function Way({ way, hasExamples, label, pointer, id, onChange, onRemove }: WayProps) {
  const say = usePartWords(editorWords);
  const words = useWords();
  const { isReadOnly, problems } = useForm();
  const { isShown, onBlur } = useLeft();
  const { name, when, examples } = way;
  const texts = Array.isArray(examples) ? examples.filter((one) => typeof one === 'string') : [];
  const put = (field: string, changed: Json | undefined): void => onChange(withField(way, field, changed));
  return (
    <div className="assignment" data-pointer={pointer} onBlur={onBlur}>
      <div className="sentence" data-pointer={pointerTo(pointer, 'name')}>
        <input
          id={id}
          type="text"
          aria-label={`${label}: ${say('made.name')}`}
          placeholder={say('made.name')}
          value={typeof name === 'string' ? name : ''}
          readOnly={isReadOnly}
          spellCheck={false}
          // An exit is a word of a model's, and is written as one; an option may be any text.
          onChange={({ target }) => put('name', hasExamples || /^[a-zA-Z]\w*$|^$/.test(target.value) ? target.value : wordOf(target.value))}
        />
        {onRemove !== undefined && !isReadOnly && (
          <IconButton label={`${words('form.remove')}: ${label}`} onClick={onRemove}>
            <X size={12} aria-hidden />
          </IconButton>
        )}
      </div>
      <textarea
        rows={2}
        aria-label={`${label}: ${say('made.when')}`}
        placeholder={say('made.when')}
        value={typeof when === 'string' ? when : ''}
        readOnly={isReadOnly}
        maxLength={500}
        dir="auto"
        data-pointer={pointerTo(pointer, 'when')}
        onChange={({ target }) => put('when', target.value)}
      />
      {hasExamples && (
        <Chips
          texts={texts}
          label={`${label}: ${say('made.examples')}`}
          pointer={pointerTo(pointer, 'examples')}
          id={`${id}-examples`}
          example={say('made.examples')}
          onText={(index, text) => {
            const after = text === undefined ? texts.toSpliced(index, 1) : texts.toSpliced(index, 1, text);
            put('examples', after.length === 0 ? undefined : after);
          }}
        />
      )}
      {!hasExamples && (
        <FieldsEditor
          value={way['fields']}
          onChange={(fields) => put('fields', fields)}
          label={`${label}: ${say('made.fields')}`}
          pointer={pointerTo(pointer, 'fields')}
          id={`${id}-fields`}
        />
      )}
      {isShown && <FieldProblems problems={problemsAt(pointer, problems, true)} />}
    </div>
  );
}
