/** Short texts in a row, such as keywords or answers: Enter writes the next one, and one that is left empty goes. */
import type { Json } from '@hilo/engine/contract';
import { X } from 'lucide-react';
import { useRef } from 'react';
import { isRecord, pointerTo } from '../../canvas/canvas-json.ts';
import { IconButton } from '../../parts/parts.tsx';
import { useWords } from '../../words/words.tsx';
import { problemsAt, useForm } from '../form-context.ts';
import { FieldProblems } from '../problems.tsx';
import { isCases } from './assignments.ts';
import type { EditorProps } from './editor-props.ts';
import { valueOf } from './rules.ts';

interface ChipsProps extends Pick<EditorProps, 'label' | 'pointer' | 'id'> {
  readonly texts: readonly string[];
  readonly example: string | undefined;
  /** Sets the text of a place; that behind the last is a new one, and `undefined` takes one out. */
  readonly onText: (index: number, text: string | undefined) => void;
}

export function Chips({ texts, label, pointer, id, example, onText }: ChipsProps) {
  const say = useWords();
  const { isReadOnly, problems } = useForm();
  const row = useRef<HTMLUListElement>(null);
  const focus = (index: number): void => row.current?.querySelectorAll<HTMLInputElement>('input')[index]?.focus();
  const places = isReadOnly ? texts : [...texts, ''];
  return (
    <>
      <ul className="chip-row" ref={row}>
        {places.map((text, index) => (
          <li key={index} className={index === texts.length ? 'next' : ''}>
            <input
              {...(index === 0 && { id })}
              type="text"
              aria-label={`${label} ${index + 1}`}
              placeholder={index === 0 ? (example ?? '') : say('form.another')}
              value={text}
              readOnly={isReadOnly}
              dir="auto"
              onChange={({ target }) => onText(index, target.value)}
              onBlur={() => index < texts.length && text.trim() === '' && onText(index, undefined)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
                  event.preventDefault();
                  focus(index + 1);
                } else if (event.key === 'Backspace' && text === '' && index > 0) {
                  event.preventDefault();
                  focus(index - 1);
                }
              }}
            />
            {!isReadOnly && index < texts.length && (
              <IconButton
                label={`${say('form.remove')}: ${text === '' ? `${label} ${index + 1}` : text}`}
                onClick={() => onText(index, undefined)}
              >
                <X size={12} aria-hidden />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {texts.map((_, index) => (
        <FieldProblems key={index} problems={problemsAt(pointerTo(pointer, String(index)), problems, true)} />
      ))}
    </>
  );
}

/** A list of texts. */
export function TextsEditor({ value, onChange, label, pointer, id, example }: EditorProps) {
  const texts: readonly string[] = isTexts(value) ? value : [];
  return (
    <Chips
      {...{ texts, label, pointer, id, example }}
      onText={(index, text) => {
        const after = text === undefined ? texts.toSpliced(index, 1) : texts.toSpliced(index, 1, text);
        onChange(after.length === 0 ? undefined : after);
      }}
    />
  );
}

/** The cases of a switch: numbers where they are written as such. */
export function CasesEditor({ value, onChange, label, pointer, id, example }: EditorProps) {
  const cases: readonly Json[] = isCases(value) ? value : [];
  return (
    <Chips
      {...{ label, pointer, id, example }}
      texts={cases.map(String)}
      onText={(index, text) => onChange(text === undefined ? cases.toSpliced(index, 1) : cases.toSpliced(index, 1, valueOf(text)))}
    />
  );
}

export const isTexts = (value: Json | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Answers to press: their titles. What else an answer has is kept. */
export function answersAfter(answers: readonly Json[], index: number, title: string | undefined): readonly Json[] {
  if (title === undefined) return answers.toSpliced(index, 1);
  const before = answers[index];
  return answers.toSpliced(index, 1, { ...(isRecord(before) ? before : {}), title });
}

/** The titles of answers; `undefined` where one is of another form. */
export function titlesOf(answers: Json | undefined): readonly string[] | undefined {
  if (!Array.isArray(answers)) return undefined;
  const titles = (answers as readonly Json[]).map((answer) => (isRecord(answer) ? answer['title'] : undefined));
  return titles.every((title) => typeof title === 'string') ? titles : undefined;
}
