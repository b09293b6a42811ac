import type { FieldChoices } from '../expressions/completions.ts';
import type { Json, Problem } from '@hilo/engine/contract';
import { ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { isRecord, type JsonSchema, shownText } from '../canvas/canvas-json.ts';
import { IconButton } from '../parts/parts.tsx';
import { useLanguage, useWords } from '../words/words.tsx';
import { JsonField } from './JsonField.tsx';
import {
  emptyOf,
  type Field,
  fieldsOf,
  moreSettings,
  optionOf,
  optionOfType,
  type Shape,
  shapeOf,
  switchTo,
  unknownFields,
  withField,
} from './shape.ts';
import {
  CompletedWidget,
  DurationWidget,
  ExpressionWidget,
  MultilineWidget,
  TextWidget,
  type WidgetComponent,
  type WidgetProps,
} from './widgets.tsx';

/** What every field of a form knows. */
interface FormContext {
  readonly root: JsonSchema;
  readonly hints: { readonly [field: string]: string };
  readonly problems: readonly Problem[];
  readonly choices: FieldChoices;
  readonly widgets: { readonly [hint: string]: WidgetComponent };
  readonly isReadOnly: boolean;
}

interface FormProps {
  readonly schema: JsonSchema;
  readonly value: Json;
  readonly onChange: (value: Json, field: string) => void;
  /** The JSON pointer of the value in the canvas. */
  readonly pointer: string;
  readonly hints: { readonly [field: string]: string };
  readonly problems: readonly Problem[];
  readonly choices: FieldChoices;
  readonly widgets: { readonly [hint: string]: WidgetComponent };
  readonly isReadOnly: boolean;
}

/** The form of a node's data, made from its JSON Schema. Fields that the schema does not know are shown as JSON, and kept. */
export function Form({ schema, value, onChange, pointer, ...rest }: FormProps) {
  const say = useWords();
  const context: FormContext = { root: schema, ...rest };
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
      pointer={`${pointer}/${one.name}`}
      context={context}
      onChange={(changed) => onChange(withField(value, one.name, changed), one.name)}
    />
  );
  return (
    <div className="form">
      {shape.kind === 'union' && (
        <UnionTag shape={shape} value={value} context={context} onChange={(changed) => onChange(changed, shape.tag)} />
      )}
      {fields.filter(({ name }) => !moreSettings.has(name) && !(shape.kind === 'union' && name === shape.tag)).map(field)}
      {unknown.map((name) => (
        <UnknownField
          key={name}
          name={name}
          value={isRecord(value) ? (value[name] as Json) : null}
          isReadOnly={rest.isReadOnly}
          onChange={(changed) => onChange(withField(value, name, changed), name)}
        />
      ))}
      <details className="more">
        <summary>{say('form.more')}</summary>
        {fields.filter(({ name }) => moreSettings.has(name)).map(field)}
      </details>
    </div>
  );
}

function UnknownField({
  name,
  value,
  onChange,
  isReadOnly,
}: {
  readonly name: string;
  readonly value: Json;
  readonly onChange: (value: Json | undefined) => void;
  readonly isReadOnly: boolean;
}) {
  const say = useWords();
  const id = useId();
  return (
    <div className="field unknown">
      <label htmlFor={id}>
        {name} <small>{say('form.unknown')}</small>
      </label>
      <JsonField id={id} value={value} onChange={onChange} isReadOnly={isReadOnly} />
      {!isReadOnly && (
        <button type="button" className="quiet" onClick={() => onChange(undefined)}>
          {say('form.unset')}
        </button>
      )}
    </div>
  );
}

interface ValueProps {
  readonly schema: JsonSchema;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  /** Dotted, for hints. */
  readonly at: string;
  readonly pointer: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly id: string;
  readonly context: FormContext;
}

/** One field with its label, its help, and its problems under it. */
function FieldView({
  field: { name, schema, isRequired },
  value,
  onChange,
  at,
  pointer,
  context,
}: {
  readonly field: Field;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  readonly at: string;
  readonly pointer: string;
  readonly context: FormContext;
}) {
  const say = useWords();
  const { own } = useLanguage();
  const id = useId();
  const shape = shapeOf(schema, context.root);
  if (shape.kind === 'constant') return null;
  const label = own(`field.${at}`, labelOf(name));
  const mine = context.problems.filter((problem) => (problem.places ?? [problem.pointer]).includes(pointer) || problem.pointer === pointer);
  const isCompound = shape.kind === 'object' || shape.kind === 'list' || shape.kind === 'record' || shape.kind === 'union';
  const isAbsent = value === undefined && isCompound && !isRequired;
  const description = schema['description'];
  return (
    <div className={`field ${shape.kind}`} data-pointer={pointer}>
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
      {isAbsent ? (
        !context.isReadOnly && (
          <button
            type="button"
            className="quiet"
            aria-label={`${say('form.set')}: ${label}`}
            onClick={() => onChange(emptyOf(schema, context.root))}
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
          context={context}
        />
      )}
      {!isAbsent && isCompound && !isRequired && !context.isReadOnly && (
        <button type="button" className="quiet" aria-label={`${say('form.unset')}: ${label}`} onClick={() => onChange(undefined)}>
          {say('form.unset')}
        </button>
      )}
      {typeof description === 'string' && !isCompound && <p className="help">{description}</p>}
      {mine.map((problem, index) => (
        <p key={index} className={`field-problem ${problem.severity}`}>
          {problem.message}. {problem.hint}
        </p>
      ))}
    </div>
  );
}

function ValueView(props: ValueProps) {
  const { schema, value, onChange, at, pointer, label, isRequired, id, context } = props;
  const { root, hints, widgets, choices, isReadOnly } = context;
  const say = useWords();
  const shape = shapeOf(schema, root);
  const hint = hints[at];
  const widget: WidgetProps = {
    value,
    onChange,
    label,
    id,
    isRequired,
    isReadOnly,
    pointer,
    problems: context.problems,
    examples: shape.kind === 'text' ? shape.examples : [],
  };
  const Own = hint === undefined ? undefined : widgets[hint];
  if (Own !== undefined) return <Own {...widget} />;
  switch (shape.kind) {
    case 'template':
      return typeof value === 'string' || value === undefined ? (
        <ExpressionWidget {...widget} choices={choices} />
      ) : (
        <JsonField id={id} value={value} onChange={onChange} isReadOnly={isReadOnly} />
      );
    case 'text': {
      if (hint === 'duration' || shape.format === 'duration') return <DurationWidget {...widget} />;
      if (hint === 'variable') return <CompletedWidget {...widget} options={choices.variables.map(({ path }) => ({ value: path }))} />;
      const named = namedBy(hint ?? at, choices);
      if (named !== undefined)
        return <CompletedWidget {...widget} options={named.map(({ id: value, name }) => ({ value, label: name }))} />;
      const isTemplated =
        hint === 'expression' ||
        at.startsWith('message') ||
        (typeof schema['description'] === 'string' && schema['description'].includes('{{'));
      if (hint === 'multiline')
        return isTemplated || at === 'invalidMessage' || at === 'instructions' ? (
          <ExpressionWidget {...widget} choices={choices} />
        ) : (
          <MultilineWidget {...widget} />
        );
      return isTemplated ? <ExpressionWidget {...widget} choices={choices} /> : <TextWidget {...widget} />;
    }
    case 'number':
      return (
        <input
          id={id}
          type="number"
          value={typeof value === 'number' ? value : ''}
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
      return <Choice values={shape.values} value={value ?? schema['default']} {...{ id, label, isReadOnly, onChange }} />;
    case 'list':
      return <ListView {...props} shape={shape} />;
    case 'record':
      return <RecordView {...props} shape={shape} />;
    case 'object':
      return <ObjectView {...props} fields={shape.fields} />;
    case 'union': {
      const option = optionOf(shape, value);
      return (
        <div className="group">
          <UnionTag shape={shape} value={value} context={context} onChange={onChange} label={label} />
          {option === undefined ? (
            <JsonField id={id} value={value ?? null} onChange={onChange} isReadOnly={isReadOnly} />
          ) : (
            <ObjectView {...props} fields={fieldsOf(option.schema)} hidden={shape.tag} />
          )}
        </div>
      );
    }
    case 'valueOrExpression': {
      const isExpression = typeof value === 'string' && value.includes('{{');
      return (
        <div className="value-or-expression">
          {isExpression ? <ExpressionWidget {...widget} choices={choices} /> : <ValueView {...props} schema={shape.value} />}
          {!isReadOnly && (
            <button
              type="button"
              className="quiet"
              onClick={() => onChange(isExpression ? emptyOf(shape.value, root) : '{{ }}')}
              aria-label={`${say(isExpression ? 'form.useValue' : 'form.useVariable')}: ${label}`}
            >
              {say(isExpression ? 'form.useValue' : 'form.useVariable')}
            </button>
          )}
        </div>
      );
    }
    case 'types': {
      const option = optionOfType(shape, value) ?? shape.options[0];
      const typeOf = (one: JsonSchema): string => (typeof one['type'] === 'string' ? one['type'] : '');
      return (
        <div className="group">
          <select
            aria-label={`${label}: ${say('workflows.kind')}`}
            disabled={isReadOnly}
            value={typeOf(option ?? {})}
            onChange={({ target }) => onChange(emptyOf(shape.options.find((one) => typeOf(one) === target.value) ?? {}, root))}
          >
            {shape.options.map((one) => (
              <option key={typeOf(one)} value={typeOf(one)}>
                {typeOf(one)}
              </option>
            ))}
          </select>
          {option !== undefined && <ValueView {...props} schema={option} />}
        </div>
      );
    }
    case 'constant':
      return null;
    case 'json':
      return <JsonField id={id} value={value ?? null} onChange={onChange} isReadOnly={isReadOnly} />;
  }
}

/** What of the company a field names, by its hint or its own name. */
function namedBy(hint: string, { workflows, credentials, templates }: FieldChoices): FieldChoices['workflows'] | undefined {
  if (hint === 'workflow') return workflows;
  if (hint === 'template' || hint.endsWith('templateId')) return templates;
  return hint === 'credential' || hint.endsWith('credentialId') ? credentials : undefined;
}

/** @param hidden - a field that is edited elsewhere: the tag of a union */
function ObjectView({
  value,
  onChange,
  at,
  pointer,
  context,
  fields,
  hidden,
}: ValueProps & { readonly fields: readonly Field[]; readonly hidden?: string }) {
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
            pointer={`${pointer}/${field.name}`}
            context={context}
            onChange={(changed) => onChange(withField(value, field.name, changed))}
          />
        ))}
      {unknownFields(value, fields).map((name) => (
        <UnknownField
          key={name}
          name={name}
          value={record[name] ?? null}
          isReadOnly={context.isReadOnly}
          onChange={(changed) => onChange(withField(value, name, changed))}
        />
      ))}
    </div>
  );
}

function ListView({
  value,
  onChange,
  at,
  pointer,
  label,
  context,
  shape,
}: ValueProps & { readonly shape: Extract<Shape, { readonly kind: 'list' }> }) {
  const say = useWords();
  const items: readonly Json[] = Array.isArray(value) ? (value as readonly Json[]) : [];
  const isFull = shape.maxItems !== undefined && items.length >= shape.maxItems;
  const name = (index: number): string => `${label} ${index + 1}`;
  return (
    <ul className="list">
      {items.map((item, index) => (
        <li key={index}>
          <ItemView
            schema={shape.item}
            value={item}
            onChange={(changed) => onChange(changed === undefined ? items.toSpliced(index, 1) : items.with(index, changed))}
            at={at}
            pointer={`${pointer}/${index}`}
            label={name(index)}
            isRequired
            context={context}
          />
          {!context.isReadOnly && (
            <span className="row-buttons">
              {index > 0 && (
                <IconButton
                  label={`${say('form.up')}: ${name(index)}`}
                  onClick={() => onChange(items.toSpliced(index, 1).toSpliced(index - 1, 0, item))}
                >
                  <ArrowUp size={14} aria-hidden />
                </IconButton>
              )}
              <IconButton label={`${say('form.remove')}: ${name(index)}`} onClick={() => onChange(items.toSpliced(index, 1))}>
                <Trash2 size={14} aria-hidden />
              </IconButton>
            </span>
          )}
        </li>
      ))}
      {!context.isReadOnly && !isFull && (
        <li>
          <button
            type="button"
            className="quiet"
            aria-label={`${say('form.add')}: ${label}`}
            onClick={() => onChange([...items, emptyOf(shape.item, context.root)])}
          >
            <Plus size={14} aria-hidden /> {say('form.add')}
          </button>
        </li>
      )}
    </ul>
  );
}

/** An item has no label of its own: it is named by its number. */
function ItemView(props: Omit<ValueProps, 'id'>) {
  const id = useId();
  const shape = shapeOf(props.schema, props.context.root);
  const mine = props.context.problems.filter(({ pointer }) => pointer === props.pointer);
  const isCompound = shape.kind === 'object' || shape.kind === 'union' || shape.kind === 'valueOrExpression';
  return (
    <div className="item" data-pointer={props.pointer}>
      {!isCompound && (
        <label htmlFor={id} className="visually-hidden">
          {props.label}
        </label>
      )}
      <ValueView {...props} id={id} />
      {mine.map((problem, index) => (
        <p key={index} className={`field-problem ${problem.severity}`}>
          {problem.message}. {problem.hint}
        </p>
      ))}
    </div>
  );
}

function RecordView({
  value,
  onChange,
  at,
  pointer,
  label,
  context,
  shape,
}: ValueProps & { readonly shape: Extract<Shape, { readonly kind: 'record' }> }) {
  const say = useWords();
  const entries = Object.entries(isRecord(value) ? value : {});
  const put = (changed: readonly (readonly [string, Json])[]): void => onChange(Object.fromEntries(changed));
  return (
    <ul className="list">
      {entries.map(([name, item], index) => (
        <li key={index} className="entry">
          <input
            aria-label={`${label} ${index + 1}: ${say('form.name')}`}
            value={name}
            readOnly={context.isReadOnly}
            onChange={({ target }) => {
              if (!entries.some(([other], place) => other === target.value && place !== index))
                put(entries.with(index, [target.value, item]));
            }}
          />
          <ItemView
            schema={shape.value}
            value={item}
            onChange={(changed) => changed !== undefined && put(entries.with(index, [name, changed]))}
            at={at}
            pointer={`${pointer}/${name}`}
            label={`${label} ${name}`}
            isRequired
            context={context}
          />
          {!context.isReadOnly && (
            <IconButton label={`${say('form.remove')}: ${name}`} onClick={() => put(entries.toSpliced(index, 1))}>
              <Trash2 size={14} aria-hidden />
            </IconButton>
          )}
        </li>
      ))}
      {!context.isReadOnly && (
        <li>
          <button
            type="button"
            className="quiet"
            aria-label={`${say('form.add')}: ${label}`}
            onClick={() => put([...entries, [freshName(entries), emptyOf(shape.value, context.root)]])}
          >
            <Plus size={14} aria-hidden /> {say('form.add')}
          </button>
        </li>
      )}
    </ul>
  );
}

function freshName(entries: readonly (readonly [string, Json])[]): string {
  for (let number = 1; ; number += 1) if (!entries.some(([name]) => name === `name${number}`)) return `name${number}`;
}

function UnionTag({
  shape,
  value,
  onChange,
  context,
  label,
}: {
  readonly shape: Extract<Shape, { readonly kind: 'union' }>;
  readonly value: Json | undefined;
  readonly onChange: (value: Json) => void;
  readonly context: FormContext;
  readonly label?: string;
}) {
  const current = optionOf(shape, value);
  return (
    <select
      aria-label={`${label === undefined ? '' : `${label}: `}${labelOf(shape.tag)}`}
      disabled={context.isReadOnly}
      value={current === undefined ? '' : shownText(current.tag)}
      onChange={({ target }) => {
        const option = shape.options.find(({ tag }) => shownText(tag) === target.value);
        if (option !== undefined) onChange(switchTo(shape, value, option, context.root));
      }}
    >
      {current === undefined && <option value="">—</option>}
      {shape.options.map(({ tag }) => (
        <option key={shownText(tag)} value={shownText(tag)}>
          {shownText(tag)}
        </option>
      ))}
    </select>
  );
}

/** Up to four values as segments, more as a select. */
function Choice({
  values,
  value,
  id,
  label,
  isReadOnly,
  onChange,
}: {
  readonly values: readonly Json[];
  readonly value: Json | undefined;
  readonly id: string;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly onChange: (value: Json) => void;
}) {
  if (values.length > 4)
    return (
      <select
        id={id}
        disabled={isReadOnly}
        value={value === undefined ? '' : shownText(value)}
        onChange={({ target }) => onChange(values.find((one) => shownText(one) === target.value) ?? target.value)}
      >
        {value === undefined && <option value="">—</option>}
        {values.map((one) => (
          <option key={shownText(one)} value={shownText(one)}>
            {shownText(one)}
          </option>
        ))}
      </select>
    );
  return (
    <span className="segments" role="radiogroup" aria-label={label}>
      {values.map((one, index) => (
        <label key={shownText(one)}>
          <input
            type="radio"
            {...(index === 0 && { id })}
            name={id}
            checked={one === value}
            disabled={isReadOnly}
            onChange={() => onChange(one)}
          />
          <span>{shownText(one)}</span>
        </label>
      ))}
    </span>
  );
}

/** `saveAs` as "Save as". */
const labelOf = (name: string): string => {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
