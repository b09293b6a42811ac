// Forms made of JSON Schemas.
import type { Json } from '@hilo/engine/contract';
import { Plus } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { isRecord, type JsonSchema, pointerTo, shownText } from '../canvas/canvas-json.ts';
import { useLanguage, useWords } from '../words/words.tsx';
import { TagSelect } from './choices.tsx';
import { fieldText } from './field-text.ts';
import { type FieldProps, FormContext, type FormParts, problemsAt, useFieldText, useForm } from './form-context.ts';
import { UnknownField } from './JsonField.tsx';
import { later } from '../parts/later.tsx';
import { emptyOf, type Field, fieldsOf, labelOf, moreSettings, optionOf, type Shape, shapeOf, unknownFields, withField } from './shape.ts';
import { editorFor, hasEditor } from './editors/index.ts';
import { FieldProblems, useLeft } from './problems.tsx';
import { ValueView } from './ValueView.tsx';

const { Part: MessagePreview, load: loadPreview } = later(() => import('./MessagePreview.tsx').then((module) => module.MessagePreview));
export { loadPreview };

interface FormProps extends Omit<FormParts, 'root' | 'data' | 'FieldView' | 'isOpen' | 'isPlain'> {
  readonly schema: JsonSchema;
  readonly value: Json;
  readonly onChange: (value: Json, field: string) => void;
  /** The JSON pointer of the value in the canvas. */
  readonly pointer: string;
}

/** The form of a node's data, generated from its JSON Schema. Unknown fields are shown as JSON, and kept. */
export function Form({ schema, value, onChange, pointer, hints, texts, problems, choices, widgets, isReadOnly }: FormProps) {
  const say = useWords();
  const { locale } = useLanguage();
  const [isPlain, setPlain] = useState(false);
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
  }, []);
  const parts = useMemo(
    (): FormParts => ({ root: schema, data: value, hints, texts, problems, choices, widgets, isReadOnly, isPlain, isOpen, FieldView }),
    [schema, value, hints, texts, problems, choices, widgets, isReadOnly, isPlain],
  );
  const shape = shapeOf(schema, schema);
  const option = shape.kind === 'union' ? optionOf(shape, value) : undefined;
  const fields = shape.kind === 'union' ? (option === undefined ? [] : fieldsOf(option.schema)) : fieldsOf(schema);
  const unknown = unknownFields(value, fields);
  const field = (one: Field) => (
    <FieldView
      key={one.name}
      field={one}
      value={isRecord(value) ? value[one.name] : undefined}
      at={one.name}
      pointer={pointerTo(pointer, one.name)}
      onChange={(changed) => onChange(withField(value, one.name, changed), one.name)}
    />
  );
  return (
    <FormContext value={parts}>
      <div className="form">
        {shape.kind === 'union' && (
          <TagSelect
            shape={shape}
            root={schema}
            value={value}
            isReadOnly={isReadOnly}
            label=""
            nameOf={(tag) => fieldText(texts, `${shape.tag}=${shownText(tag)}`, locale)?.label ?? shownText(tag)}
            onChange={(changed) => onChange(changed, shape.tag)}
          />
        )}
        {fields.filter(({ name }) => !moreSettings.has(name) && !(shape.kind === 'union' && name === shape.tag)).map(field)}
        {unknown.map((name) => (
          <UnknownField
            key={name}
            name={name}
            value={isRecord(value) ? (value[name] as Json) : null}
            isReadOnly={isReadOnly}
            onChange={(changed) => onChange(withField(value, name, changed), name)}
          />
        ))}
        {hasEditor(hints) && (
          <button type="button" className="quiet all-fields" aria-pressed={isPlain} onClick={() => setPlain(!isPlain)}>
            {say('form.allFields')}
          </button>
        )}
        {fields.some(({ name }) => moreSettings.has(name)) && (
          <details className="more">
            <summary>{say('form.more')}</summary>
            {fields.filter(({ name }) => moreSettings.has(name)).map(field)}
          </details>
        )}
      </div>
    </FormContext>
  );
}

/** Kinds with fields of their own: where one is left out, they are not shown. */
const compounds: ReadonlySet<Shape['kind']> = new Set(['object', 'list', 'record', 'union']);

/** One field with its label, its help, and its problems under it. */
function FieldView({ field: { name, schema, isRequired }, value, onChange, at, pointer }: FieldProps) {
  const say = useWords();
  const { own } = useLanguage();
  const id = useId();
  const { root, hints, choices, problems, widgets, isReadOnly, isPlain } = useForm();
  const shape = shapeOf(schema, root);
  if (shape.kind === 'constant') return null;
  const words = useFieldText()(at);
  const label = own(`field.${at}`, words?.label ?? labelOf(name));
  const inner = shape.kind === 'valueOrExpression' ? shapeOf(shape.value, root) : shape;
  const isCompound = compounds.has(shape.kind);
  const isWhole = shape.kind === 'json' || (shape.kind === 'template' && typeof value !== 'string');
  const isMade = widgets[hints[at] ?? ''] !== undefined || (!isPlain && editorFor(hints[at], value, at) !== undefined);
  const canBeAbsent = compounds.has(inner.kind) && !isRequired && !isMade;
  const isAbsent = (value === undefined || value === null) && canBeAbsent;
  const help = words === undefined ? schema['description'] : words.help;
  const { isShown, onBlur } = useLeft();
  return (
    <div className={`field ${shape.kind}`} data-pointer={pointer} onBlur={onBlur}>
      {isCompound ? (
        <span className="label" id={`${id}-label`}>
          {label}
        </span>
      ) : (
        <label htmlFor={id}>
          {label}
          {isRequired && <span aria-hidden> *</span>}
        </label>
      )}
      {typeof help === 'string' && isCompound && words !== undefined && <p className="help">{help}</p>}
      {hints[at] === 'message' && (
        <div className="preview-place">
          <MessagePreview of={{ message: value, channels: choices.channels }} />
        </div>
      )}
      {isAbsent ? (
        !isReadOnly && (
          <button
            type="button"
            className="quiet"
            aria-label={`${say('form.set')}: ${label}`}
            onClick={() => onChange(emptyOf(schema, root))}
          >
            <Plus size={14} aria-hidden /> {say('form.set')}
          </button>
        )
      ) : (
        <ValueView
          schema={schema}
          value={value}
          onChange={onChange}
          at={at}
          pointer={pointer}
          label={label}
          isRequired={isRequired}
          id={id}
        />
      )}
      {!isAbsent && canBeAbsent && !isReadOnly && (
        <button type="button" className="quiet" aria-label={`${say('form.unset')}: ${label}`} onClick={() => onChange(undefined)}>
          {say('form.unset')}
        </button>
      )}
      {typeof help === 'string' && !isCompound && <p className="help">{help}</p>}
      {isShown && <FieldProblems problems={problemsAt(pointer, problems, isWhole)} />}
    </div>
  );
}
