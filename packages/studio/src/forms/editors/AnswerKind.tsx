/** What kind of answer a question takes: one of its answers to press, or a text, a number, a date … that is checked. */
import type { Json } from '@hilo/engine/contract';
import {
  Calendar,
  Clock,
  ClipboardList,
  Contact,
  Hash,
  List,
  Mail,
  MapPin,
  MousePointerClick,
  Paperclip,
  Phone,
  ShoppingCart,
  Type,
  type LucideIcon,
} from 'lucide-react';
import { isRecord, pointerTo, shownText } from '../../canvas/canvas-json.ts';
import { useWords } from '../../words/words.tsx';
import { useFieldText, useForm } from '../form-context.ts';
import { fieldsOf, optionOf, shapeOf, switchTo, withField } from '../shape.ts';
import type { EditorProps } from './editor-props.ts';

const icons: { readonly [kind: string]: LucideIcon } = {
  text: Type,
  number: Hash,
  email: Mail,
  phone: Phone,
  date: Calendar,
  time: Clock,
  location: MapPin,
  contact: Contact,
  media: Paperclip,
  option: List,
  form: ClipboardList,
  order: ShoppingCart,
};

export function AnswerKind({ schema, value, onChange, at, pointer, label, id }: EditorProps) {
  const { root, isReadOnly, FieldView } = useForm();
  const say = useWords();
  const textOf = useFieldText();
  const shape = shapeOf(schema, root);
  if (shape.kind !== 'union') return null;
  const current = optionOf(shape, value);
  const choice = (name: string, Icon: LucideIcon, isChosen: boolean, isFirst: boolean, choose: () => void) => (
    <label key={name}>
      <input type="radio" name={id} {...(isFirst && { id })} checked={isChosen} disabled={isReadOnly} onChange={choose} />
      <Icon size={16} aria-hidden />
      <span>{name}</span>
    </label>
  );
  const nameOf = (tag: Json): string => textOf(`${at}.${shape.tag}=${shownText(tag)}`)?.label ?? shownText(tag);
  const more = current === undefined ? [] : fieldsOf(current.schema).filter(({ name }) => name !== shape.tag);
  return (
    <>
      <div className="kinds" role="radiogroup" aria-label={label}>
        {choice(say('form.pressed'), MousePointerClick, value === undefined, true, () => onChange(undefined))}
        {shape.options.map((option) =>
          choice(nameOf(option.tag), icons[shownText(option.tag)] ?? Type, option === current, false, () =>
            onChange(switchTo(shape, value, option, root)),
          ),
        )}
      </div>
      {more.length > 0 && (
        <details className="more" open={more.some(({ isRequired }) => isRequired)}>
          <summary>{say('form.details')}</summary>
          {more.map((field) => (
            <FieldView
              key={field.name}
              field={field}
              value={isRecord(value) ? value[field.name] : undefined}
              at={`${at}.${field.name}`}
              pointer={pointerTo(pointer, field.name)}
              onChange={(changed) => onChange(withField(value, field.name, changed))}
            />
          ))}
        </details>
      )}
    </>
  );
}
