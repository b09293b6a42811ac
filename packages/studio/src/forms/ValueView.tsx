// The field of one value of a form.
import type { Json } from '@hilo/engine/contract';
import { Braces } from 'lucide-react';
import { Suspense, useId } from 'react';
import { isRecord, type JsonSchema, pointerTo, shownText } from '../canvas/canvas-json.ts';
import { IconButton } from '../parts/parts.tsx';
import { useLanguage, useNames, useWords } from '../words/words.tsx';
import { Choice, TagSelect, TypeSelect } from './choices.tsx';
import { problemsAt, useFieldText, useForm, useValueNames } from './form-context.ts';
import { editorFor } from './editors/index.ts';
import { JsonField, UnknownField } from './JsonField.tsx';
import { FieldProblems, useLeft } from './problems.tsx';
import { Entries, Rows } from './Rows.tsx';
import { emptyOf, type Field, fieldsOf, optionOf, optionOfType, type Shape, shapeOf, unknownFields, withField } from './shape.ts';
import type { ValueProps } from './value-props.ts';
import type { WidgetProps } from './widget-props.ts';
import { ExpressionWidget, TextField } from './widgets.tsx';

/** What edits a value: the widget of a host, an editor made for it, or what its schema says. */
export function ValueView(props: ValueProps) {
  const { schema, value, onChange, at, pointer, label, isRequired, id } = props;
  const { root, hints, widgets, problems, isReadOnly, isPlain } = useForm();
  const shape = shapeOf(schema, root);
  const hint = hints[at] ?? (schema['writeOnly'] === true ? 'secret' : undefined);
  const example = useFieldText()(at)?.example;
  const { locale } = useLanguage();
  const widget: WidgetProps = {
    value,
    onChange,
    label,
    id,
    isRequired,
    isReadOnly,
    pointer,
    problems: problemsAt(pointer, problems),
    usual: schema['default'],
    examples: example !== undefined ? [example] : shape.kind === 'text' ? examplesFor(locale, shape.examples) : [],
  };
  const Own = hint === undefined ? undefined : widgets[hint];
  if (Own !== undefined) return <Own {...widget} />;
  const Made = isPlain ? undefined : editorFor(hint, value, at);
  if (Made !== undefined)
    return (
      <Suspense fallback={null}>
        <Made {...props} example={example} />
      </Suspense>
    );
  return <ShapeView {...props} shape={shape} widget={widget} />;
}

/** The examples of a schema are English: for others those are left out that say something, and not only how it is written. */
const examplesFor = (locale: string, examples: readonly string[]): readonly string[] =>
  locale.startsWith('en') ? examples : examples.filter((one) => !one.includes(' '));

/** The properties of what edits a value of one shape. */
type ShapeProps<Kind extends Shape['kind']> = ValueProps & { readonly shape: Extract<Shape, { readonly kind: Kind }> };

/** What edits a value, by its schema alone. */
function ShapeView({ shape, widget, ...props }: ValueProps & { readonly shape: Shape; readonly widget: WidgetProps }) {
  const { schema, value, onChange, at, label, id } = props;
  const { hints, choices, isReadOnly } = useForm();
  const nameOf = useValueNames(at);
  const json = <JsonField id={id} value={value ?? null} onChange={onChange} isReadOnly={isReadOnly} />;
  switch (shape.kind) {
    case 'template':
      return typeof value === 'string' || value === undefined ? <ExpressionWidget {...widget} choices={choices} /> : json;
    case 'text':
      return <TextField {...widget} {...{ at, choices }} hint={hints[at]} format={shape.format} description={schema['description']} />;
    case 'number':
      return (
        <input
          id={id}
          type="number"
          value={typeof value === 'number' ? value : ''}
          placeholder={typeof schema['default'] === 'number' ? String(schema['default']) : undefined}
          min={shape.minimum}
          max={shape.maximum}
          step={shape.isInteger ? 1 : 'any'}
          readOnly={isReadOnly}
          onChange={({ target }) => onChange(Number.isNaN(target.valueAsNumber) ? undefined : target.valueAsNumber)}
        />
      );
    case 'boolean':
      return (
        <input
          id={id}
          type="checkbox"
          checked={typeof value === 'boolean' ? value : schema['default'] === true}
          disabled={isReadOnly}
          onChange={({ target }) => onChange(target.checked)}
        />
      );
    case 'choice':
      return <Choice values={shape.values} value={value ?? schema['default']} {...{ id, label, isReadOnly, onChange, nameOf }} />;
    case 'list':
      return <ListView {...props} shape={shape} />;
    case 'record':
      return <RecordView {...props} shape={shape} />;
    case 'object':
      return <ObjectView {...props} fields={shape.fields} />;
    case 'union':
      return <UnionView {...props} shape={shape} />;
    case 'valueOrExpression':
      return <ValueOrExpression {...props} shape={shape} widget={widget} />;
    case 'types':
      return <TypesView {...props} shape={shape} />;
    case 'constant':
      return null;
    case 'json':
      return json;
  }
}

function ListView({ shape, value, onChange, at, pointer, label }: ShapeProps<'list'>) {
  const { root, isReadOnly } = useForm();
  return (
    <Rows
      items={Array.isArray(value) ? (value as readonly Json[]) : []}
      label={label}
      isReadOnly={isReadOnly}
      maxItems={shape.maxItems}
      newItem={() => emptyOf(shape.item, root)}
      onChange={onChange}
    >
      {(item, index, put) => (
        <ItemView
          at={at}
          schema={shape.item}
          value={item}
          onChange={put}
          pointer={pointerTo(pointer, String(index))}
          label={`${label} ${index + 1}`}
          isRequired
        />
      )}
    </Rows>
  );
}

/** Values by names that their author chooses. */
function RecordView({ shape, value, onChange, at, pointer, label }: ShapeProps<'record'>) {
  const { root, isReadOnly } = useForm();
  return (
    <Entries
      value={isRecord(value) ? value : {}}
      label={label}
      isReadOnly={isReadOnly}
      newValue={() => emptyOf(shape.value, root)}
      onChange={onChange}
    >
      {(name, item, put) => (
        <ItemView
          at={at}
          schema={shape.value}
          value={item}
          onChange={put}
          pointer={pointerTo(pointer, name)}
          label={`${label} ${name}`}
          isRequired
        />
      )}
    </Entries>
  );
}

/** Alternatives that a field tells apart, and the fields of the chosen one. */
function UnionView({ shape, ...props }: ShapeProps<'union'>) {
  const { value, onChange, at, label, id } = props;
  const { root, isReadOnly } = useForm();
  const tagName = useTagNames(at);
  const option = optionOf(shape, value);
  return (
    <div className="group">
      <TagSelect {...{ shape, root, value, isReadOnly, label, onChange }} nameOf={tagName(shape.tag)} />
      {option === undefined ? (
        <JsonField id={id} value={value ?? null} onChange={onChange} isReadOnly={isReadOnly} />
      ) : (
        <ObjectView {...props} fields={fieldsOf(option.schema)} hidden={shape.tag} />
      )}
    </div>
  );
}

/** A value of its own kind or an expression, and the button that changes between them. */
function ValueOrExpression({ shape, widget, ...props }: ShapeProps<'valueOrExpression'> & { readonly widget: WidgetProps }) {
  const { schema, value, onChange, label } = props;
  const { root, choices, isReadOnly } = useForm();
  const say = useWords();
  const isExpression = typeof value === 'string' && value.includes('{{');
  return (
    <div className="value-or-expression">
      {isExpression ? (
        <ExpressionWidget {...widget} choices={choices} />
      ) : (
        <ValueView {...props} schema={withDefault(shape.value, schema['default'])} />
      )}
      {!isReadOnly && (
        <IconButton
          label={`${say(isExpression ? 'form.useValue' : 'form.useVariable')}: ${label}`}
          pressed={isExpression}
          onClick={() => onChange(isExpression ? emptyOf(shape.value, root) : '{{ }}')}
        >
          <Braces size={14} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

/** Alternatives of different JSON types, and the value of the chosen one. */
function TypesView({ shape, ...props }: ShapeProps<'types'>) {
  const { value, onChange, at, label } = props;
  const { root, isReadOnly } = useForm();
  const say = useWords();
  const valueName = useValueNames(at);
  const typeName = useNames('type');
  /** The label of its type: that of the field where it has one, else one for all fields. */
  const nameOf = (type: Json): string => typeName(valueName(type));
  const option = optionOfType(shape, value) ?? shape.options[0];
  return (
    <div className="group">
      <TypeSelect {...{ shape, root, value, isReadOnly, onChange, nameOf }} label={`${label}: ${say('workflows.kind')}`} />
      {option !== undefined && <ValueView {...props} schema={option} />}
    </div>
  );
}

/** What the alternatives of a value are called, by the field that tells them apart. */
function useTagNames(at: string): (tag: string) => (value: Json) => string {
  const textOf = useFieldText();
  const prefix = at === '' ? '' : `${at}.`;
  return (tag) => (value) => textOf(`${prefix}${tag}=${shownText(value)}`)?.label ?? shownText(value);
}

/** A default that stands beside alternatives is that of each. */
const withDefault = (schema: JsonSchema, value: Json | undefined): JsonSchema =>
  value === undefined || schema['default'] !== undefined ? schema : { ...schema, default: value };

/** @param hidden - a field that is edited elsewhere: the tag of a union */
function ObjectView({
  value,
  onChange,
  at,
  pointer,
  fields,
  hidden,
}: ValueProps & { readonly fields: readonly Field[]; readonly hidden?: string }) {
  const { FieldView, isReadOnly } = useForm();
  const record: { readonly [field: string]: Json | undefined } = isRecord(value) ? value : {};
  return (
    <div className="group">
      {fields
        .filter(({ name }) => name !== hidden)
        .map((field) => (
          <FieldView
            key={field.name}
            field={field}
            value={record[field.name]}
            at={at === '' ? field.name : `${at}.${field.name}`}
            pointer={pointerTo(pointer, field.name)}
            onChange={(changed) => onChange(withField(value, field.name, changed))}
          />
        ))}
      {unknownFields(value, fields).map((name) => (
        <UnknownField
          key={name}
          name={name}
          value={record[name] ?? null}
          isReadOnly={isReadOnly}
          onChange={(changed) => onChange(withField(value, name, changed))}
        />
      ))}
    </div>
  );
}

/** An item has no label: it is named by its number. */
function ItemView(props: Omit<ValueProps, 'id'>) {
  const id = useId();
  const { root, problems } = useForm();
  const shape = shapeOf(props.schema, root);
  const isCompound = shape.kind === 'object' || shape.kind === 'union' || shape.kind === 'valueOrExpression';
  const { isShown, onBlur } = useLeft();
  return (
    <div className="item" data-pointer={props.pointer} onBlur={onBlur}>
      {!isCompound && (
        <label htmlFor={id} className="visually-hidden">
          {props.label}
        </label>
      )}
      <ValueView {...props} id={id} />
      {isShown && <FieldProblems problems={problemsAt(props.pointer, problems)} />}
    </div>
  );
}
