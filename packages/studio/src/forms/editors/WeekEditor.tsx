/** Opening hours: a switch for each day, and the times between which it is open. */
import { Plus, X } from 'lucide-react';
import { pointerTo } from '../../canvas/canvas-json.ts';
import { IconButton } from '../../parts/parts.tsx';
import { useWords } from '../../words/words.tsx';
import { problemsAt, useFieldText, useForm } from '../form-context.ts';
import { FieldProblems } from '../problems.tsx';
import type { EditorProps } from './editor-props.ts';
import { days, hoursOf, type Interval, openDay, shownClosing, withHours, writtenClosing } from './hours.ts';

export function WeekEditor({ value, onChange, at, pointer, id, isRequired }: EditorProps) {
  const say = useWords();
  const textOf = useFieldText();
  const { isReadOnly, problems } = useForm();
  return (
    <ul className="week">
      {days.map((day, place) => {
        const name = textOf(`${at}.${day}`)?.label ?? day;
        const hours = hoursOf(value, day);
        const put = (changed: readonly Interval[]): void => {
          const week = withHours(value, day, changed);
          onChange(Object.keys(week).length === 0 && !isRequired ? undefined : week);
        };
        return (
          <li key={day} data-pointer={pointerTo(pointer, day)}>
            <label>
              <input
                {...(place === 0 && { id })}
                type="checkbox"
                checked={hours.length > 0}
                disabled={isReadOnly}
                onChange={({ target }) => (target.checked ? onChange(openDay(value, day)) : put([]))}
              />
              {name}
            </label>
            <span className="times">
              {hours.length === 0 && <span className="caption">{say('form.closed')}</span>}
              {hours.map(([from, to], index) => (
                <span key={index} className="interval">
                  <input
                    type="time"
                    aria-label={`${name}: ${say('form.from')}`}
                    value={from}
                    readOnly={isReadOnly}
                    onChange={({ target }) => target.value !== '' && put(hours.with(index, [target.value, to]))}
                  />
                  <input
                    type="time"
                    aria-label={`${name}: ${say('form.to')}`}
                    value={shownClosing(to)}
                    readOnly={isReadOnly}
                    onChange={({ target }) => target.value !== '' && put(hours.with(index, [from, writtenClosing(target.value)]))}
                  />
                  {index > 0 && !isReadOnly && (
                    <IconButton label={`${say('form.remove')}: ${name} ${index + 1}`} onClick={() => put(hours.toSpliced(index, 1))}>
                      <X size={12} aria-hidden />
                    </IconButton>
                  )}
                </span>
              ))}
            </span>
            {hours.length > 0 && !isReadOnly && (
              <IconButton label={`${say('form.add')}: ${name}`} onClick={() => put([...hours, ['19:00', '21:00']])}>
                <Plus size={12} aria-hidden />
              </IconButton>
            )}
            <FieldProblems problems={problemsAt(pointerTo(pointer, day), problems, true)} />
          </li>
        );
      })}
    </ul>
  );
}
