// The filters of the inbox.
import { Search } from 'lucide-react';
import type { RefObject } from 'react';
import type { InboxPage, InboxPeople } from '../api/inbox-calls.ts';
import { usePartWords } from '../words/part.ts';
import { inboxWords } from './inbox-words.ts';
import { useSettled } from './use-settled.ts';

interface InboxFiltersProps {
  readonly whose: string;
  readonly people: InboxPeople;
  readonly counts: InboxPage['counts'] | undefined;
  /** The operator who answers here. */
  readonly me: number | undefined;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly onMe: (operatorId: number | undefined) => void;
  readonly onWhose: (whose: string) => void;
  readonly onText: (text: string) => void;
}

/** Whose conversations are shown, and a search among them. */
export function InboxFilters({ whose, people, counts, me, search, text, onMe, onWhose, onText }: InboxFiltersProps) {
  const say = usePartWords(inboxWords);
  const [typed, setTyped] = useSettled(text, onText);
  const mine = counts?.operators.find(({ operatorId }) => operatorId === me);
  const others = people.operators.filter(({ id }) => id !== me);
  const tabs = [
    ...(me === undefined ? [] : [{ key: 'mine', label: say('inbox.mine'), number: mine?.open ?? 0 }]),
    { key: 'unassigned', label: say('inbox.unassigned'), number: counts?.withoutOperator.open ?? 0 },
    { key: 'all', label: say('inbox.all'), number: counts?.open ?? 0 },
  ];
  return (
    <div className="inbox-filters">
      <label className="inbox-me">
        <span className="caption">{say('inbox.iAm')}</span>{' '}
        <select value={me ?? ''} onChange={({ target }) => onMe(target.value === '' ? undefined : Number(target.value))}>
          <option value="">{say('inbox.nobody')}</option>
          {people.operators.map(({ id, names }) => (
            <option key={id} value={id}>
              {names}
            </option>
          ))}
        </select>
      </label>
      <div className="buttons" role="group" aria-label={say('inbox.whose')}>
        {tabs.map(({ key, label, number }) => (
          <button key={key} type="button" aria-pressed={whose === key} onClick={() => onWhose(key)}>
            {label} <span className="caption">{number}</span>
          </button>
        ))}
        {(people.teams.length > 0 || others.length > 0) && (
          <select
            aria-label={say('inbox.whose')}
            value={/^(?:team|operator):/.test(whose) ? whose : ''}
            onChange={({ target }) => onWhose(target.value === '' ? 'all' : target.value)}
          >
            <option value="">{say('inbox.others')}</option>
            {people.teams.map(({ id, name }) => (
              <option key={id} value={`team:${name}`}>
                {say('inbox.team', { name })}
              </option>
            ))}
            {others.map(({ id, names }) => (
              <option key={id} value={`operator:${id}`}>
                {say('inbox.operator', { name: names })}
              </option>
            ))}
          </select>
        )}
      </div>
      <label className="search">
        <Search size={15} aria-hidden />
        <input
          ref={search}
          type="search"
          maxLength={100}
          value={typed}
          aria-label={say('inbox.search')}
          placeholder={say('inbox.search')}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
    </div>
  );
}
