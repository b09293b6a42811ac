import type { Json } from '@hilo/engine/contract';
import { lazy, Suspense, useId, useRef, useState } from 'react';
import { loadPart } from '../parts/load-part.ts';
import type { FieldChoices } from '../expressions/completions.ts';
import { useWords } from '../words/words.tsx';
import { NameInput } from './editors/NameInput.tsx';
import type { WidgetProps } from './widget-props.ts';
import { type DurationUnit, readDuration, writeDuration } from './shape.ts';

/** The editor of expressions, which comes on its own. */
export const loadExpressionEditor = () => import('../expressions/ExpressionEditor.tsx');
const ExpressionEditor = lazy(() => loadPart(loadExpressionEditor));

/** The most characters of a value under a field: enough to know it again. */
const maxShown = 120;

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value));

/** A text with `{{ … }}` in it. The editor with completion comes on its own; until it is there, a plain field serves. */
export function ExpressionWidget({ choices, ...props }: WidgetProps & { readonly choices: FieldChoices }) {
  const { value, onChange, id, label, isReadOnly, problems } = props;
  const say = useWords();
  const hadFocus = useRef(false);
  const field = useRef<HTMLTextAreaElement>(null);
  /** Notes whether the author is in the plain field at the moment at which it goes: the editor in its place goes on from there. */
  const keep = (element: HTMLTextAreaElement | null): void => {
    if (element === null) hadFocus.current = field.current !== null && document.activeElement === field.current;
    field.current = element;
  };
  const plain = (
    <textarea
      ref={keep}
      id={id}
      rows={2}
      value={textOf(value)}
      readOnly={isReadOnly}
      onChange={({ target }) => onChange(target.value)}
      dir="auto"
    />
  );
  const paths = new Set(textOf(value).match(/\$[a-z]+(?:\.\w+)+/gi));
  const known = [...paths].flatMap((path) => {
    const last = choices.valueOf(path);
    return last === undefined ? [] : [{ path, text: JSON.stringify(last).slice(0, maxShown) }];
  });
  return (
    <>
      <Suspense fallback={plain}>
        <ExpressionEditor id={id} label={label} text={textOf(value)} {...{ onChange, isReadOnly, choices, problems, hadFocus }} />
      </Suspense>
      {known.map(({ path, text }) => (
        <span key={path} className="caption last-value" title={say('form.lastValue')} dir="auto">
          {path} = <code>{text}</code>
        </span>
      ))}
    </>
  );
}

interface TextFieldProps extends WidgetProps {
  readonly at: string;
  readonly hint: string | undefined;
  readonly format: string | undefined;
  readonly description: Json | undefined;
  readonly choices: FieldChoices;
}

/** The field of a text: by its hint, by what it names, or by whether its description speaks of expressions. */
export function TextField({ at, hint, format, description, ...props }: TextFieldProps) {
  const { choices } = props;
  if (hint === 'duration' || format === 'duration') return <DurationWidget {...props} />;
  if (hint === 'variable')
    return (
      <NameInput
        id={props.id}
        label={props.label}
        path={textOf(props.value)}
        placeholder={props.examples[0]}
        onPath={(path) => props.onChange(path === '' && !props.isRequired ? undefined : path)}
      />
    );
  const named = namedBy(hint ?? at, choices);
  const template = named === choices.templates ? named.find(({ id, name }) => id === props.value || name === props.value) : undefined;
  if (named !== undefined)
    return (
      <>
        <NamedWidget {...props} options={named} />
        {typeof template?.body === 'string' && (
          <p className="template-body" dir="auto">
            {template.body}
          </p>
        )}
      </>
    );
  const isTemplated =
    hint === 'expression' ||
    at.startsWith('message') ||
    at === 'invalidMessage' ||
    at === 'instructions' ||
    (typeof description === 'string' && description.includes('{{'));
  if (isTemplated) return <ExpressionWidget {...props} />;
  return hint === 'multiline' ? <MultilineWidget {...props} /> : <TextWidget {...props} />;
}

/** The kind of record of the company that a field names, by its hint or its own name. */
function namedBy(hint: string, { workflows, credentials, templates }: FieldChoices): FieldChoices['templates'] | undefined {
  if (hint === 'workflow') return workflows;
  if (hint === 'template' || hint.endsWith('templateId')) return templates;
  return hint === 'credential' || hint.endsWith('credentialId') ? credentials : undefined;
}

function MultilineWidget({ value, onChange, id, isReadOnly }: WidgetProps) {
  return (
    <textarea
      id={id}
      rows={5}
      className="mono"
      value={textOf(value)}
      readOnly={isReadOnly}
      onChange={({ target }) => onChange(target.value)}
      dir="auto"
      spellCheck={false}
    />
  );
}

/** A number and a unit; a duration of several parts, and an expression, stay the text that they are. */
export function DurationWidget(props: WidgetProps) {
  const { value, onChange, id, label, isReadOnly, usual } = props;
  const say = useWords();
  const text = textOf(value);
  const read = readDuration(text);
  if (text !== '' && read === undefined) return <TextWidget {...props} />;
  const unwritten = readDuration(textOf(usual));
  const { amount, unit } = read ?? { amount: undefined, unit: unwritten?.unit ?? 'minutes' };
  return (
    <span className="duration">
      <input
        id={id}
        type="number"
        min={0}
        max={999_999_999}
        value={amount ?? ''}
        placeholder={unwritten === undefined ? undefined : String(unwritten.amount)}
        disabled={isReadOnly}
        onChange={({ target }) =>
          onChange(target.value === '' ? undefined : writeDuration(Math.max(0, Math.floor(target.valueAsNumber)), unit))
        }
      />
      <select
        aria-label={`${label}: ${say('duration.unit')}`}
        value={unit}
        disabled={isReadOnly}
        onChange={({ target }) => onChange(writeDuration(amount ?? 1, target.value as DurationUnit))}
      >
        {(['seconds', 'minutes', 'hours', 'days'] as const).map((one) => (
          <option key={one} value={one}>
            {say(`duration.${one}`)}
          </option>
        ))}
      </select>
    </span>
  );
}

function TextWidget({ value, onChange, id, isRequired, isReadOnly, examples }: WidgetProps) {
  return (
    <input
      id={id}
      type="text"
      value={textOf(value)}
      readOnly={isReadOnly}
      required={isRequired}
      placeholder={examples[0] ?? ''}
      dir="auto"
      onChange={({ target }) => onChange(target.value === '' && !isRequired ? undefined : target.value)}
    />
  );
}

/** The option of a list that asks for an id in writing; no record has it. */
const written = ' ';

/** A record of the company, chosen by its name; an id that is not among them, and an expression, are texts. */
function NamedWidget(props: WidgetProps & { readonly options: FieldChoices['templates'] }) {
  const { options, value, onChange, id, isReadOnly, isRequired } = props;
  const say = useWords();
  const [isWritten, setWritten] = useState(false);
  const text = textOf(value);
  const isListed = options.length > 0 && (text === '' || options.some((option) => option.id === text));
  const change = (next: Json | undefined): void => {
    setWritten(textOf(next) !== '');
    onChange(next);
  };
  if (isWritten || !isListed) return <CompletedWidget {...props} onChange={change} />;
  return (
    <select
      id={id}
      value={text}
      disabled={isReadOnly}
      onChange={({ target }) =>
        target.value === written ? setWritten(true) : onChange(target.value === '' && !isRequired ? undefined : target.value)
      }
    >
      <option value="">—</option>
      {options.map((option) => (
        <option key={option.id} value={option.id}>
          {option.name}
        </option>
      ))}
      {!isReadOnly && <option value={written}>{say('form.otherId')}</option>}
    </select>
  );
}

/** A text with the ids of records as suggestions. */
function CompletedWidget({ options, ...props }: WidgetProps & { readonly options: FieldChoices['templates'] }) {
  const { value, onChange, id, isRequired, isReadOnly, examples } = props;
  const list = useId();
  return (
    <>
      <input
        id={id}
        type="text"
        list={list}
        value={textOf(value)}
        readOnly={isReadOnly}
        placeholder={examples[0] ?? ''}
        dir="auto"
        onChange={({ target }) => onChange(target.value === '' && !isRequired ? undefined : target.value)}
      />
      <datalist id={list}>
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.name}
          </option>
        ))}
      </datalist>
    </>
  );
}
