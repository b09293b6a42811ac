/** A carousel: the text above, and its cards side by side, each with a picture, a text and a button. */
import { Plus, Trash2 } from 'lucide-react';
import { isRecord, pointerTo } from '../../canvas/canvas-json.ts';
import { IconButton } from '../../parts/parts.tsx';
import { usePartWords } from '../../words/part.ts';
import { problemsAt, useForm } from '../form-context.ts';
import { FieldProblems } from '../problems.tsx';
import FilePicture from '../FilePicture.tsx';
import { cardCounts, cardsOf, type CardTexts, emptyCard, withCards } from './cards.ts';
import type { EditorProps } from './editor-props.ts';
import { editorWords } from './editor-words.ts';
import { MediaEditor } from './MediaEditor.tsx';
import { TextExpression } from './TextExpression.tsx';

const parts = [
  ['picture', 'made.picture', ['header', 'image', 'link']],
  ['text', 'made.cardText', ['body', 'text']],
  ['button', 'made.button', ['action', 'parameters', 'display_text']],
  ['opens', 'made.opens', ['action', 'parameters', 'url']],
] as const;

export function CarouselEditor({ value, onChange, pointer, id }: EditorProps) {
  const say = usePartWords(editorWords);
  const { problems, isReadOnly } = useForm();
  const cards = cardsOf(value) ?? [];
  const message = isRecord(value) ? value : {};
  const put = (changed: readonly CardTexts[]): void => onChange(withCards(message, changed));
  const field = (at: string, label: string, text: string, onText: (text: string) => void, fieldId: string, isPicture = false) =>
    isPicture ? (
      <div key={at} className="field" data-pointer={at}>
        <label htmlFor={fieldId}>{label}</label>
        <MediaEditor
          {...{ label, value: text, pointer: at }}
          id={fieldId}
          isRequired
          schema={{}}
          at="image.link"
          example={undefined}
          onChange={(changed) => onText(typeof changed === 'string' ? changed : '')}
        />
        <FieldProblems problems={problemsAt(at, problems)} />
      </div>
    ) : (
      <TextExpression
        key={at}
        {...{ at, label, text, onText }}
        id={fieldId}
        above={<label htmlFor={fieldId}>{label}</label>}
        below={<FieldProblems problems={problemsAt(at, problems)} />}
      />
    );
  const above = message['text'];
  const pointerOf = (steps: readonly string[]): string => steps.reduce(pointerTo, pointer);
  return (
    <>
      {field(
        pointerTo(pointer, 'text'),
        say('made.above'),
        typeof above === 'string' ? above : '',
        (text) => onChange({ ...message, text }),
        `${id}-above`,
      )}
      <ol className="cards-row">
        {cards.map((card, index) => (
          <li key={index}>
            <fieldset>
              <legend>{say('made.card', { number: index + 1 })}</legend>
              {card.picture.startsWith('file_') && <FilePicture handle={card.picture} />}
              {/^https:\/\/[^{}]+$/.test(card.picture) && <img src={card.picture} alt="" loading="lazy" referrerPolicy="no-referrer" />}
              {parts.map(([name, word, steps]) =>
                field(
                  pointerOf(['parameters', 'cards', String(index), ...steps]),
                  say(word),
                  card[name],
                  (text) => put(cards.with(index, { ...card, [name]: text })),
                  `${id}-${index}-${name}`,
                  name === 'picture',
                ),
              )}
              {!isReadOnly && cards.length > cardCounts.least && (
                <IconButton label={say('made.removeCard', { number: index + 1 })} onClick={() => put(cards.toSpliced(index, 1))}>
                  <Trash2 size={14} aria-hidden />
                </IconButton>
              )}
            </fieldset>
          </li>
        ))}
      </ol>
      {!isReadOnly && cards.length < cardCounts.most && (
        <button type="button" className="quiet" onClick={() => put([...cards, emptyCard])}>
          <Plus size={12} aria-hidden /> {say('made.addCard')}
        </button>
      )}
    </>
  );
}
