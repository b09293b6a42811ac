/** A moment as a day and a time, each a variable that was asked for; the time also one that is written. */
import { useWords } from '../../words/words.tsx';
import type { EditorProps } from './editor-props.ts';
import { readMoment, writeMoment } from './moment.ts';
import { NameInput } from './NameInput.tsx';

/** What begins like a time of day is one, and no name. */
const isTime = (text: string): boolean => /^\d/.test(text);

export function MomentEditor({ value, onChange, label, id }: EditorProps) {
  const say = useWords();
  const moment = readMoment(typeof value === 'string' ? value : '') ?? { day: '', time: '' };
  const put = (changed: Partial<typeof moment>): void => {
    const text = writeMoment({ ...moment, ...changed });
    onChange(text === '' ? undefined : text);
  };
  return (
    <span className="moment">
      <NameInput
        id={id}
        label={`${label}: ${say('form.day')}`}
        path={moment.day}
        placeholder={say('form.day')}
        onPath={(day) => put({ day })}
      />
      <NameInput
        label={`${label}: ${say('form.time')}`}
        path={moment.time}
        placeholder="09:00"
        isConstant={isTime}
        onPath={(time) => put({ time })}
      />
    </span>
  );
}
