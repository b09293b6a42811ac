/** Values by name, one a line: the headers of a call, what stands behind the question mark of its address, the variables of a template. */
import type { JsonObject } from '@hilo/engine/contract';
import { Plus, X } from 'lucide-react';
import { isRecord, pointerTo } from '../../canvas/canvas-json.ts';
import { IconButton } from '../../parts/parts.tsx';
import { usePartWords } from '../../words/part.ts';
import { useWords } from '../../words/words.tsx';
import { useForm } from '../form-context.ts';
import { EntryName } from '../EntryName.tsx';
import type { EditorProps } from './editor-props.ts';
import { editorWords } from './editor-words.ts';
import { filledIn, freeName, withName } from './pairs.ts';
import { TextExpression } from './TextExpression.tsx';

export function PairsEditor({ value, onChange, pointer, label, id }: EditorProps) {
  const say = usePartWords(editorWords);
  const words = useWords();
  const { isReadOnly } = useForm();
  const pairs: JsonObject = isRecord(value) ? value : {};
  return (
    <div className="pairs">
      {Object.entries(pairs).map(([name, text], index) => (
        <div key={index} className="pair">
          <span className="sentence">
            <EntryName
              {...(index === 0 && { id })}
              label={`${label} ${index + 1}: ${say('made.name')}`}
              name={name}
              isTaken={(wanted) => wanted !== name && Object.hasOwn(pairs, wanted)}
              isReadOnly={isReadOnly}
              onRename={(wanted) => onChange(withName(pairs, name, wanted))}
            />
            {!isReadOnly && (
              <IconButton
                label={`${words('form.remove')}: ${name}`}
                onClick={() => {
                  const { [name]: _gone, ...others } = pairs;
                  onChange(Object.keys(others).length === 0 ? undefined : others);
                }}
              >
                <X size={12} aria-hidden />
              </IconButton>
            )}
          </span>
          <TextExpression
            at={pointerTo(pointer, name)}
            id={`${id}-${index}`}
            label={`${label} ${index + 1}: ${say('made.value')}`}
            text={text}
            onText={(changed) => onChange({ ...pairs, [name]: changed })}
          />
        </div>
      ))}
      {!isReadOnly && (
        <button
          type="button"
          className="quiet"
          aria-label={`${say('made.addPair')}: ${label}`}
          onClick={() => onChange({ ...pairs, [freeName(pairs)]: '' })}
        >
          <Plus size={12} aria-hidden /> {say('made.addPair')}
        </button>
      )}
    </div>
  );
}

/** The variables of the template that is chosen, by name, and the text as it is sent. */
export function ParametersEditor({ value, onChange, pointer, id }: EditorProps) {
  const say = usePartWords(editorWords);
  const { choices, data } = useForm();
  const pairs: JsonObject = isRecord(value) ? value : {};
  const templateId = isRecord(data) ? data['templateId'] : undefined;
  const body = choices.templates.find((one) => one.id === templateId || one.name === templateId)?.body;
  return (
    <div className="pairs">
      {Object.keys(pairs).length === 0 && typeof body === 'string' && <p className="help">{say('made.noParameters')}</p>}
      {Object.entries(pairs).map(([name, text], index) => (
        <div key={name} className="pair">
          <label htmlFor={`${id}-${index}`} dir="auto">
            {name}
          </label>
          <TextExpression
            at={pointerTo(pointer, name)}
            id={`${id}-${index}`}
            label={name}
            text={text}
            onText={(changed) => onChange({ ...pairs, [name]: changed })}
          />
        </div>
      ))}
      {typeof body === 'string' && body !== '' && (
        <>
          <span className="caption">{say('made.preview')}</span>
          <p className="template-body" dir="auto">
            {filledIn(body, pairs)}
          </p>
        </>
      )}
    </div>
  );
}
