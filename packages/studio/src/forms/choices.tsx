import type { Json } from '@hilo/engine/contract';
import { type JsonSchema, shownText } from '../canvas/canvas-json.ts';
import { emptyOf, labelOf, optionOf, optionOfType, type Shape, switchTo } from './shape.ts';

interface ChoiceProps {
  readonly values: readonly Json[];
  readonly value: Json | undefined;
  readonly id: string;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly onChange: (value: Json) => void;
}

/** Up to four values as segments, more as a select. */
export function Choice({ values, value, id, label, isReadOnly, onChange }: ChoiceProps) {
  if (values.length > 4)
    return (
      <select
        id={id}
        disabled={isReadOnly}
        value={value === undefined ? '' : shownText(value)}
        onChange={({ target }) => onChange(values.find((one) => shownText(one) === target.value) ?? target.value)}
      >
        {value === undefined && <option value="">—</option>}
        <Options values={values} />
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

const Options = ({ values }: { readonly values: readonly Json[] }) =>
  values.map((one) => (
    <option key={shownText(one)} value={shownText(one)}>
      {shownText(one)}
    </option>
  ));

interface AlternativeProps<Kind extends Shape['kind']> {
  readonly shape: Extract<Shape, { readonly kind: Kind }>;
  readonly root: JsonSchema;
  readonly value: Json | undefined;
  readonly isReadOnly: boolean;
  readonly label: string;
  readonly onChange: (value: Json) => void;
}

/** Chooses an alternative that a constant field identifies. */
export function TagSelect({ shape, root, value, onChange, isReadOnly, label }: AlternativeProps<'union'>) {
  const current = optionOf(shape, value);
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
      <Options values={shape.options.map(({ tag }) => tag)} />
    </select>
  );
}

/** Chooses an alternative that the JSON type of the value identifies. */
export function TypeSelect({ shape, root, value, onChange, isReadOnly, label }: AlternativeProps<'types'>) {
  const typeOf = ({ type }: JsonSchema): string => (typeof type === 'string' ? type : '');
  return (
    <select
      aria-label={label}
      disabled={isReadOnly}
      value={typeOf(optionOfType(shape, value) ?? shape.options[0] ?? {})}
      onChange={({ target }) => onChange(emptyOf(shape.options.find((one) => typeOf(one) === target.value) ?? {}, root))}
    >
      <Options values={shape.options.map(typeOf)} />
    </select>
  );
}
