import { type ReactNode, useState } from 'react';
import { usePartWords } from '../words/part.ts';
import { useWords } from '../words/words.tsx';
import { type MoreWord, moreWords } from './more-words.ts';
import { contactLine, pictureLine, placeLine } from './sent-lines.ts';

interface TesterMoreProps {
  readonly hasWebhook: boolean;
  /** Whether the node that waits is kept in view. */
  readonly follows: boolean;
  readonly onFollows: (follows: boolean) => void;
  /** Whether pictures are loaded from where they are, outside of this browser. */
  readonly showsPictures: boolean;
  readonly onShowsPictures: (shows: boolean) => void;
  /** Performs a line of a script. */
  readonly onPlay: (line: string) => void;
}

/** What is done less often in a test: what the user sends beside texts, deliveries, time of any length, and lines of a script. */
export function TesterMore({ hasWebhook, follows, onFollows, showsPictures, onShowsPictures, onPlay }: TesterMoreProps) {
  const say = usePartWords(moreWords);
  const all = useWords();
  const [line, setLine] = useState('');
  return (
    <details className="tester-more">
      <summary>{all('tester.more')}</summary>
      <SendForm
        title="tester.place"
        fields={[
          { name: 'latitude', label: 'tester.latitude', type: 'number', value: '19.43', most: 90 },
          { name: 'longitude', label: 'tester.longitude', type: 'number', value: '-99.13', most: 180 },
          { name: 'name', label: 'tester.placeName', type: 'text', value: '' },
        ]}
        onSend={(value) => onPlay(placeLine(Number(value('latitude')), Number(value('longitude')), value('name')))}
      />
      <SendForm
        title="tester.picture"
        fields={[
          { name: 'url', label: 'tester.pictureUrl', type: 'url', value: 'https://example.com/picture.jpg' },
          { name: 'caption', label: 'tester.caption', type: 'text', value: '' },
        ]}
        onSend={(value) => onPlay(pictureLine(value('url'), value('caption')))}
      />
      <SendForm
        title="tester.contact"
        fields={[
          { name: 'name', label: 'tester.contactName', type: 'text', value: 'Ana', isRequired: true },
          { name: 'phone', label: 'tester.phone', type: 'tel', value: '5215512345678', isRequired: true },
        ]}
        onSend={(value) => onPlay(contactLine(value('name'), value('phone')))}
      />
      <p className="buttons">
        <button type="button" onClick={() => onPlay('again')}>
          {say('tester.repeat')}
        </button>
        {hasWebhook && (
          <button type="button" onClick={() => onPlay('webhook: POST {}')}>
            {say('tester.webhook')}
          </button>
        )}
        <button type="button" onClick={() => onPlay('restart')}>
          {say('tester.killed')}
        </button>
      </p>
      <form
        className="keep"
        onSubmit={(event) => {
          event.preventDefault();
          const given = new FormData(event.currentTarget);
          onPlay(`time: +${textOf(given, 'amount')}${textOf(given, 'unit')}`);
        }}
      >
        <input name="amount" type="number" min={1} max={9_999} step={1} required defaultValue={3} aria-label={say('tester.skipAmount')} />
        <select name="unit" defaultValue="d" aria-label={say('tester.skipUnit')}>
          {units.map(({ unit, word }) => (
            <option key={unit} value={unit}>
              {all(word)}
            </option>
          ))}
        </select>
        <button type="submit">{say('tester.skipAny')}</button>
      </form>
      <form
        className="keep"
        onSubmit={(event) => {
          event.preventDefault();
          if (line.trim() !== '') onPlay(line.trim());
        }}
      >
        <input
          aria-label={say('tester.line')}
          placeholder="signal: payment.received 42"
          value={line}
          onChange={({ target }) => setLine(target.value)}
        />
        <button type="submit">{say('tester.do')}</button>
      </form>
      <Check label="tester.follow" isChecked={follows} onChange={onFollows} />
      <Check label="tester.showPictures" isChecked={showsPictures} onChange={onShowsPictures} />
    </details>
  );
}

const units = [
  { unit: 's', word: 'duration.seconds' },
  { unit: 'm', word: 'duration.minutes' },
  { unit: 'h', word: 'duration.hours' },
  { unit: 'd', word: 'duration.days' },
] as const;

interface SendField {
  readonly name: string;
  readonly label: MoreWord;
  readonly type: 'text' | 'number' | 'url' | 'tel';
  readonly value: string;
  /** The bound of a number, in both directions. */
  readonly most?: number;
  readonly isRequired?: boolean;
}

/** Something that the user sends, with its parts; one such form is open at a time. */
function SendForm({
  title,
  fields,
  onSend,
}: {
  readonly title: MoreWord;
  readonly fields: readonly SendField[];
  readonly onSend: (value: (name: string) => string) => void;
}): ReactNode {
  const say = usePartWords(moreWords);
  const all = useWords();
  return (
    <details className="send" name="tester-send">
      <summary>{say(title)}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const given = new FormData(event.currentTarget);
          onSend((name) => textOf(given, name));
        }}
      >
        {fields.map(({ name, label, type, value, most, isRequired }) => (
          <label className="field" key={name}>
            {say(label)}
            <input
              name={name}
              type={type}
              defaultValue={value}
              required={isRequired === true || type === 'number' || type === 'url'}
              {...(type === 'number' ? { step: 'any', min: -(most ?? 0), max: most } : { maxLength: 1_000, dir: 'auto' })}
            />
          </label>
        ))}
        <button type="submit">{all('tester.send')}</button>
      </form>
    </details>
  );
}

function Check({
  label,
  isChecked,
  onChange,
}: {
  readonly label: MoreWord;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}): ReactNode {
  const say = usePartWords(moreWords);
  return (
    <label className="check">
      <input type="checkbox" checked={isChecked} onChange={({ target }) => onChange(target.checked)} /> {say(label)}
    </label>
  );
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
