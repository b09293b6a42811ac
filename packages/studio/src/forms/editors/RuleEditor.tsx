/** A condition as a sentence: a variable, a comparison, a value; several are joined by “and” or “or”. */
import type { Json, JsonObject } from '@hilo/engine/contract';
import { Plus, X } from 'lucide-react';
import { isRecord, pointerTo, shownText } from '../../canvas/canvas-json.ts';
import { IconButton } from '../../parts/parts.tsx';
import { useWords } from '../../words/words.tsx';
import { problemsAt, useFieldText, useForm } from '../form-context.ts';
import { FieldProblems, useLeft } from '../problems.tsx';
import type { EditorProps } from './editor-props.ts';
import { NameInput } from './NameInput.tsx';
import { comparisons, isComparison, join, joined, joinsRules, joints, statements, valueOf, withComparison } from './rules.ts';

const fresh: JsonObject = { op: 'eq', left: '', right: '' };

export function RuleEditor({ value, onChange, at, pointer, label }: EditorProps) {
  const say = useWords();
  const textOf = useFieldText();
  const { isReadOnly } = useForm();
  if (!isRecord(value)) return null;
  const { op, rules } = value;
  const list = joinsRules(op) && Array.isArray(rules) ? (rules as readonly Json[]) : undefined;
  const nameOf = (one: string): string => textOf(`${at}.op=${one}`)?.label ?? one;
  const sentence = (rule: Json, index: number | undefined) => (
    <Sentence
      key={index ?? 'only'}
      rule={isRecord(rule) ? rule : fresh}
      at={at}
      label={index === undefined ? label : `${label} ${index + 1}`}
      pointer={index === undefined ? pointer : pointerTo(pointerTo(pointer, 'rules'), String(index))}
      onChange={(changed) => onChange(list === undefined || index === undefined ? changed : { ...value, rules: list.with(index, changed) })}
      onRemove={list === undefined || index === undefined ? undefined : () => onChange(joined(shownText(op), list.toSpliced(index, 1)))}
    />
  );
  return (
    <div className="rule">
      {list !== undefined && (
        <select
          aria-label={`${label}: ${textOf(`${at}.op`)?.label ?? 'op'}`}
          disabled={isReadOnly}
          value={shownText(op)}
          onChange={({ target }) => onChange({ ...value, op: target.value })}
        >
          {joints.map((one) => (
            <option key={one} value={one}>
              {nameOf(one)}
            </option>
          ))}
        </select>
      )}
      {list === undefined ? sentence(value, undefined) : list.map(sentence)}
      {!isReadOnly && (
        <span className="acts">
          {joints.map((one) => (
            <button key={one} type="button" className="quiet" onClick={() => onChange(join(value, one, fresh))}>
              <Plus size={12} aria-hidden /> {say(one === 'all' ? 'form.and' : 'form.or')}
            </button>
          ))}
        </span>
      )}
    </div>
  );
}

interface SentenceProps extends Pick<EditorProps, 'at' | 'label' | 'pointer'> {
  readonly rule: JsonObject;
  readonly onChange: (rule: JsonObject) => void;
  readonly onRemove: (() => void) | undefined;
}

function Sentence({ rule, at, label, pointer, onChange, onRemove }: SentenceProps) {
  const say = useWords();
  const textOf = useFieldText();
  const { isReadOnly, problems } = useForm();
  const { isShown, onBlur } = useLeft();
  const { op, left, right } = rule;
  const words = (name: string) => textOf(`${at}.${name}`);
  const nameOf = (one: string): string => words(`op=${one}`)?.label ?? one;
  return (
    <div className="sentence" data-pointer={pointer} onBlur={onBlur}>
      <NameInput
        label={`${label}: ${words('left')?.label ?? 'left'}`}
        path={typeof left === 'string' ? left : ''}
        placeholder={words('left')?.example}
        onPath={(path) => onChange({ ...rule, left: path })}
      />
      <select
        aria-label={`${label}: ${words('op')?.label ?? 'op'}`}
        disabled={isReadOnly}
        value={shownText(op)}
        onChange={({ target }) => onChange(withComparison(rule, target.value))}
      >
        {[...comparisons, ...statements].map((one) => (
          <option key={one} value={one}>
            {nameOf(one)}
          </option>
        ))}
      </select>
      {isComparison(op) && (
        <input
          type="text"
          aria-label={`${label}: ${words('right')?.label ?? 'right'}`}
          value={shownText(right ?? '')}
          placeholder={words('right')?.example ?? ''}
          readOnly={isReadOnly}
          dir="auto"
          onChange={({ target }) => onChange({ ...rule, right: valueOf(target.value) })}
        />
      )}
      {onRemove !== undefined && !isReadOnly && (
        <IconButton label={`${say('form.remove')}: ${label}`} onClick={onRemove}>
          <X size={12} aria-hidden />
        </IconButton>
      )}
      {isShown && <FieldProblems problems={problemsAt(pointer, problems, true)} />}
    </div>
  );
}
