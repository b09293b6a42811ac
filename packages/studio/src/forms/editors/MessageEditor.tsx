/** A text that the bot says, with answers to press: written as one, whatever their type is called in the canvas. */
import type { Json } from '@hilo/engine/contract';
import { isRecord, pointerTo, shownText } from '../../canvas/canvas-json.ts';
import { useWords } from '../../words/words.tsx';
import { TagSelect } from '../choices.tsx';
import { useFieldText, useForm } from '../form-context.ts';
import { emptyOf, fieldsOf, optionOf, shapeOf, switchTo, withField } from '../shape.ts';
import { cardsOf } from './cards.ts';
import { answersAfter, Chips, titlesOf } from './Chips.tsx';
import type { EditorProps } from './editor-props.ts';
import { loadRare } from './load-rare.ts';

const CarouselEditor = loadRare('CarouselEditor');

/** Whether a message is a text with nothing that is shown in another way. */
export function isSpoken(message: Json | undefined): boolean {
  if (!isRecord(message) || 'buttons' in message) return false;
  const { type, text, quick_replies: answers } = message;
  if (text !== undefined && typeof text !== 'string') return false;
  return type === 'text' ? answers === undefined : type === 'quick_reply' && titlesOf(answers) !== undefined;
}

export function MessageEditor({ schema, value, onChange, at, pointer, label, id, isRequired, example }: EditorProps) {
  const { root, isReadOnly, FieldView } = useForm();
  const say = useWords();
  const textOf = useFieldText();
  const whole = shapeOf(schema, root);
  const shape = whole.kind === 'valueOrExpression' ? shapeOf(whole.value, root) : whole;
  const option = shape.kind === 'union' ? optionOf(shape, value) : undefined;
  if (shape.kind !== 'union' || option === undefined || !isRecord(value)) return null;
  if (cardsOf(value) !== undefined)
    return (
      <div className="message-editor">
        {kindSelect(shape, value)}
        <CarouselEditor {...{ schema, value, onChange, at, pointer, label, id, isRequired, example }} />
      </div>
    );
  const answers = value['quick_replies'];
  const list: readonly Json[] = Array.isArray(answers) ? answers : [];
  const putAnswers = (after: readonly Json[]): void => {
    const type = after.length === 0 ? 'text' : 'quick_reply';
    const other = shape.options.find(({ tag }) => tag === type);
    if (other === undefined) return;
    const switched = switchTo(shape, value, other, root);
    onChange(after.length === 0 ? switched : withField(switched, 'quick_replies', after));
  };
  const fields = fieldsOf(option.schema);
  const main = fields.find(({ name }) => name === 'text');
  const others = fields.filter(({ name }) => name !== 'text' && name !== shape.tag && name !== 'quick_replies');
  const answersAt = `${at}.quick_replies`;
  const words = textOf(answersAt);
  const field = (one: (typeof fields)[number]) => (
    <FieldView
      key={one.name}
      field={one}
      value={value[one.name]}
      at={`${at}.${one.name}`}
      pointer={pointerTo(pointer, one.name)}
      onChange={(changed) => onChange(withField(value, one.name, changed))}
    />
  );
  return (
    <div className="message-editor">
      {kindSelect(shape, value)}
      {main !== undefined && field(main)}
      <div className="field" data-pointer={pointerTo(pointer, 'quick_replies')}>
        <label htmlFor={`${id}-answers`}>{words?.label ?? answersAt}</label>
        <Chips
          texts={titlesOf(answers) ?? []}
          label={words?.label ?? answersAt}
          pointer={pointerTo(pointer, 'quick_replies')}
          id={`${id}-answers`}
          example={words?.example}
          onText={(index, title) => putAnswers(answersAfter(list, index, title))}
        />
        {words?.help !== undefined && <p className="help">{words.help}</p>}
      </div>
      {others.length > 0 && (
        <details className="more">
          <summary>{say('form.details')}</summary>
          {others.map(field)}
        </details>
      )}
    </div>
  );

  function kindSelect(union: Extract<typeof shape, { readonly kind: 'union' }>, message: Json) {
    return (
      <TagSelect
        {...{ shape: union, root, value: message, isReadOnly, label }}
        onChange={(changed) => onChange(isRecord(changed) ? { ...emptied(changed, union), ...changed } : changed)}
        nameOf={(tag) => textOf(`${at}.${union.tag}=${shownText(tag)}`)?.label ?? shownText(tag)}
      />
    );
  }

  function emptied(changed: { readonly [field: string]: Json }, union: Extract<typeof shape, { readonly kind: 'union' }>) {
    const chosen = optionOf(union, changed);
    const fresh = chosen === undefined ? {} : emptyOf(chosen.schema, root);
    return isRecord(fresh) ? fresh : {};
  }
}
