// What a declared variable begins with: a text, a number, a yes or no, a list of values or values by name, each in a line of its own.
import type { Json, JsonObject } from '@hilo/engine/contract';
import { Plus, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { isRecord } from '../canvas/canvas-json.ts';
import { EntryName } from '../forms/EntryName.tsx';
import { JsonField } from '../forms/JsonField.tsx';
import { freeName, withName } from '../forms/editors/pairs.ts';
import { IconButton } from '../parts/parts.tsx';
import { usePartWords } from '../words/part.ts';
import { useWords } from '../words/words.tsx';
import { canBeField, numberIn, valueAs, valueKinds, kindOfValue } from './declared.ts';
import { declaredWords } from './declared-words.ts';

interface ValueProps<Value extends Json = Json> {
  readonly value: Value | undefined;
  readonly label: string;
  readonly isReadOnly: boolean;
  /** @param value - `undefined`: nothing */
  readonly onChange: (value: Json | undefined) => void;
}

interface WithinProps {
  /** How many lists and fields it is inside of. */
  readonly depth?: number;
  /** It was just added, and is written next. */
  readonly isFresh?: boolean;
}

/** Lists within lists are drawn so deep; what is within is JSON, as in the panel there is no more room. */
const deepest = 3;

/** The values of a list, or by name, as lines. */
export function ValueLines({ value, label, isReadOnly, onChange, depth = 0 }: ValueProps & WithinProps) {
  if (depth > deepest) return <DeepValue {...{ value, label, isReadOnly, onChange }} />;
  return isRecord(value) ? (
    <FieldLines {...{ value, label, isReadOnly, onChange, depth }} />
  ) : (
    <ListLines value={Array.isArray(value) ? value : []} {...{ label, isReadOnly, onChange, depth }} />
  );
}

function DeepValue({ value, label, isReadOnly, onChange }: ValueProps) {
  const id = useId();
  return (
    <>
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <JsonField id={id} value={value ?? null} isReadOnly={isReadOnly} onChange={onChange} />
    </>
  );
}

function ListLines({ value = [], label, isReadOnly, onChange, depth = 0 }: ValueProps<readonly Json[]> & WithinProps) {
  const say = usePartWords(declaredWords);
  const [fresh, setFresh] = useState<number>();
  return (
    <div className="pairs" role="group" aria-label={label}>
      {value.map((one, index) => (
        <div key={index} className="sentence">
          <AnyValue
            value={one}
            label={`${label} ${index + 1}`}
            isReadOnly={isReadOnly}
            isFresh={fresh === index}
            depth={depth + 1}
            onChange={(changed) => onChange(value.with(index, changed ?? null))}
            onRemove={() => onChange(value.toSpliced(index, 1))}
          />
        </div>
      ))}
      {!isReadOnly && (
        <AddLine
          text={say('declared.addValue')}
          onAdd={() => {
            setFresh(value.length);
            onChange([...value, emptyLike(value.at(-1))]);
          }}
        />
      )}
    </div>
  );
}

const AddLine = ({ text, onAdd }: { readonly text: string; readonly onAdd: () => void }) => (
  <button type="button" className="quiet" onClick={onAdd}>
    <Plus size={12} aria-hidden /> {text}
  </button>
);

function FieldLines({ value = {}, label, isReadOnly, onChange, depth = 0 }: ValueProps<JsonObject> & WithinProps) {
  const say = usePartWords(declaredWords);
  const [fresh, setFresh] = useState<number>();
  const entries = Object.entries(value);
  return (
    <div className="pairs" role="group" aria-label={label}>
      {entries.map(([name, one], index) => (
        <div key={index} className="sentence">
          <EntryName
            label={`${label}: ${say('declared.name')} ${index + 1}`}
            name={name}
            isTaken={(wanted) => !canBeField(wanted) || (wanted !== name && Object.hasOwn(value, wanted))}
            isReadOnly={isReadOnly}
            onRename={(wanted) => onChange(withName(value, name, wanted))}
          />
          <AnyValue
            value={one}
            label={`${label}: ${name}`}
            isReadOnly={isReadOnly}
            isFresh={fresh === index}
            depth={depth + 1}
            onChange={(changed) => onChange({ ...value, [name]: changed ?? null })}
            onRemove={() => onChange(Object.fromEntries(entries.filter(([other]) => other !== name)))}
          />
        </div>
      ))}
      {!isReadOnly && (
        <AddLine
          text={say('declared.addField')}
          onAdd={() => {
            setFresh(entries.length);
            onChange({ ...value, [freeName(value, 'field')]: '' });
          }}
        />
      )}
    </div>
  );
}

/** A value of any kind, with its kind; what is within it stands below, behind what takes the value away. */
export function AnyValue({
  value,
  label,
  isReadOnly,
  onChange,
  onRemove,
  depth = 0,
  isFresh = false,
}: ValueProps & WithinProps & { readonly onRemove?: () => void }) {
  const say = usePartWords(declaredWords);
  const words = useWords();
  const kind = kindOfValue(value);
  const isNested = kind === 'list' || kind === 'fields';
  return (
    <>
      <select
        aria-label={`${label}: ${say('declared.type')}`}
        value={kind}
        disabled={isReadOnly}
        onChange={({ target }) => onChange(valueAs(value, valueKinds.find((one) => one === target.value) ?? 'none'))}
      >
        {valueKinds.map((one) => (
          <option key={one} value={one}>
            {say(`declared.kind.${one}`)}
          </option>
        ))}
      </select>
      {!isNested && kind !== 'none' && (
        <OneValue {...{ kind, value, label, isReadOnly, isFresh }} onChange={(one) => onChange(one ?? valueAs(undefined, kind))} />
      )}
      {onRemove !== undefined && !isReadOnly && (
        <IconButton label={`${words('form.remove')}: ${label}`} onClick={onRemove}>
          <X size={12} aria-hidden />
        </IconButton>
      )}
      {isNested && <ValueLines {...{ value, label, isReadOnly, onChange, depth }} />}
    </>
  );
}

/** A text, a number, or a yes or no. */
export function OneValue({
  kind,
  value,
  label,
  isReadOnly,
  onChange,
  placeholder = '',
  isFresh = false,
}: ValueProps & WithinProps & { readonly kind: 'text' | 'number' | 'choice'; readonly placeholder?: string }) {
  const say = usePartWords(declaredWords);
  const [typed, setTyped] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFresh) field.current?.focus();
  }, [isFresh]);
  if (kind === 'choice')
    return (
      <select
        aria-label={label}
        value={String(value === true)}
        disabled={isReadOnly}
        onChange={({ target }) => onChange(target.value === 'true')}
      >
        <option value="true">{say('declared.yes')}</option>
        <option value="false">{say('declared.no')}</option>
      </select>
    );
  return (
    <input
      ref={field}
      type="text"
      {...(kind === 'number' && { inputMode: 'decimal' })}
      aria-label={label}
      aria-invalid={typed !== undefined && typed !== '' && numberIn(typed) === undefined}
      placeholder={placeholder}
      value={typed ?? (typeof value === 'string' || typeof value === 'number' ? String(value) : '')}
      readOnly={isReadOnly}
      dir="auto"
      onBlur={() => setTyped(undefined)}
      onChange={({ target: { value: text } }) => {
        if (kind === 'text') return onChange(text === '' ? undefined : text);
        const number = numberIn(text);
        setTyped(String(number) === text ? undefined : text);
        if (text === '' || number !== undefined) onChange(number);
      }}
    />
  );
}

/** A further value of a list is of the kind of the one before it. */
const emptyLike = (value: Json | undefined): Json => valueAs(undefined, value === undefined ? 'text' : kindOfValue(value)) ?? '';
