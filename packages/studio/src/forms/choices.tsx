import type { Json } from '@hilo/engine/contract';
import { type JsonSchema, shownText } from '../canvas/canvas-json.ts';
import { emptyOf, labelOf, optionOf, optionOfType, type Shape, switchTo } from './shape.ts';

interface ChoiceProps {
  readonly values: readonly Json[];
  /** What people read for a value. */
  readonly nameOf: (value: Json) => string;
  readonly value: Json | undefined;
  readonly id: string;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly onChange: (value: Json) => void;
}

/** Up to four values as segments, more as a select. */
export function Choice({ values, nameOf, value, id, label, isReadOnly, onChange }: ChoiceProps) {
  if (values.length > 4)
    return (
      <select
        id={id}
        disabled={isReadOnly}
        value={value === undefined ? '' : shownText(value)}
        onChange={({ target }) => onChange(values.find((one) => shownText(one) === target.value) ?? target.value)}
      >
        {value === undefined && <option value="">—</option>}
        <Options values={values} nameOf={nameOf} />
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
          <span>{nameOf(one)}</span>
        </label>
      ))}
    </span>
  );
}

const Options = ({ values, nameOf }: Pick<ChoiceProps, 'values' | 'nameOf'>) =>
  values.map((one) => (
    <option key={shownText(one)} value={shownText(one)}>
      {nameOf(one)}
    </option>
  ));

interface AlternativeProps<Kind extends Shape['kind']> extends Pick<ChoiceProps, 'nameOf'> {
  readonly shape: Extract<Shape, { readonly kind: Kind }>;
  readonly root: JsonSchema;
  readonly value: Json | undefined;
  readonly isReadOnly: boolean;
  readonly label: string;
  readonly onChange: (value: Json) => void;
}

/** Whether a value is an earlier one in other letters, such as `CAROUSEL`: it is understood where it is written, and not offered. */
const isOtherSpelling = (value: Json, before: readonly Json[]): boolean =>
  before.some((one) => shownText(one).toLowerCase() === shownText(value).toLowerCase());

/** Chooses an alternative that a constant field identifies. */
export function TagSelect({ shape, root, value, onChange, isReadOnly, label, nameOf }: AlternativeProps<'union'>) {
  const current = optionOf(shape, value);
  const tags = shape.options
    .map(({ tag }) => tag)
    .filter((tag, index, all) => tag === current?.tag || !isOtherSpelling(tag, all.slice(0, index)));
  return (
    <select
      aria-label={`${label === '' ? '' : `${label}: `}${labelOf(shape.tag)}`}
      disabled={isReadOnly}
      value={current === undefined ? '' : shownText(current.tag)}
      onChange={({ target }) => {
        const option = shape.options.find(({ tag }) => shownText(tag) === target.value);
        if (option !== undefined) onChange(switchTo(shape, value, option, root));
      }}
    >
      {current === undefined && <option value="">—</option>}
      <Options values={tags} nameOf={nameOf} />
    </select>
  );
}

/** Chooses an alternative that the JSON type of the value identifies. */
export function TypeSelect({ shape, root, value, onChange, isReadOnly, label, nameOf }: AlternativeProps<'types'>) {
  const typeOf = ({ type }: JsonSchema): string => (typeof type === 'string' ? type : '');
  return (
    <select
      aria-label={label}
      disabled={isReadOnly}
      value={typeOf(optionOfType(shape, value) ?? shape.options[0] ?? {})}
      onChange={({ target }) => onChange(emptyOf(shape.options.find((one) => typeOf(one) === target.value) ?? {}, root))}
    >
      <Options values={shape.options.map(typeOf)} nameOf={nameOf} />
    </select>
  );
}
