/** The method of a call, one click each, and its body: names and values, one a line. */
import { isRecord } from '../../canvas/canvas-json.ts';
import { usePartWords } from '../../words/part.ts';
import { useForm } from '../form-context.ts';
import type { EditorProps } from './editor-props.ts';
import { editorWords } from './editor-words.ts';
import { methodsOf, usualMethod } from './methods.ts';
import { PairsEditor } from './PairsEditor.tsx';

export function MethodEditor({ schema, value, onChange, label, id }: EditorProps) {
  const { isReadOnly, root } = useForm();
  const methods = methodsOf(schema, root, value);
  return (
    <div className="kinds methods" role="radiogroup" aria-label={label}>
      {methods.map((method, index) => (
        <label key={method}>
          <input
            type="radio"
            name={id}
            {...(index === 0 && { id })}
            checked={(value ?? usualMethod) === method}
            disabled={isReadOnly}
            onChange={() => onChange(method)}
          />
          <span>{method}</span>
        </label>
      ))}
    </div>
  );
}

export function BodyEditor(props: EditorProps) {
  const { data } = useForm();
  const say = usePartWords(editorWords);
  const { method } = isRecord(data) ? data : {};
  const isWithout = props.value === undefined && (method === undefined || method === usualMethod);
  if (isWithout) return <p className="help">{say('made.noBody')}</p>;
  return (
    <>
      <PairsEditor {...props} />
      <p className="help">{say('made.nested')}</p>
    </>
  );
}
