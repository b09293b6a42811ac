import { ListFilter, X } from 'lucide-react';
import { localTime } from '../parts/local-time.ts';
import { Menu } from '../parts/parts.tsx';
import { type ExecutionFilter, executionFilters } from '../studio-context.ts';
import { PersonFilter } from './PersonFilter.tsx';
import { useInstant, useNames, useWords } from '../words/words.tsx';

const statuses = ['running', 'waiting', 'completed', 'failed', 'cancelled', 'expired', 'quarantined'] as const;
/** Those that are asked for less often. */
const further = ['version', 'nodeId', 'cause', 'channel', 'from', 'to'] as const;
const filterWords = {
  workflowId: 'executions.workflow',
  status: 'executions.status',
  userId: 'executions.user',
  version: 'executions.version',
  nodeId: 'executions.node',
  cause: 'executions.cause',
  channel: 'executions.channel',
  from: 'executions.from',
  to: 'executions.to',
} as const;

interface ExecutionFiltersProps {
  readonly filter: ExecutionFilter;
  /** @param changed - an empty text takes a filter away */
  readonly onFilter: (changed: ExecutionFilter) => void;
}

/** Fields for the filters of a list of executions. */
export function ExecutionFilters({ filter, onFilter }: ExecutionFiltersProps) {
  const say = useWords();
  const statusWord = useNames('status');
  return (
    <>
      <label>
        {say('executions.status')}{' '}
        <select value={filter.status ?? ''} onChange={({ target }) => onFilter({ status: target.value })}>
          <option value="">{say('executions.any')}</option>
          {statuses.map((one) => (
            <option key={one} value={one}>
              {statusWord(one)}
            </option>
          ))}
        </select>
      </label>
      <PersonFilter userId={filter.userId} onChoose={(userId) => onFilter({ userId })} />
      <Menu label={say('executions.filters')} sign={<ListFilter size={16} aria-hidden />}>
        <div className="filters">
          {further.map((name) => (
            <label key={`${name} ${filter[name]}`}>
              {say(filterWords[name])}{' '}
              <input
                {...(isTime(name)
                  ? { type: 'datetime-local', defaultValue: localTime(filter[name]) }
                  : { defaultValue: filter[name] ?? '' })}
                onKeyDown={({ key: pressed, currentTarget: { value: text } }) =>
                  pressed === 'Enter' && onFilter({ [name]: isTime(name) && text !== '' ? new Date(text).toISOString() : text.trim() })
                }
              />
            </label>
          ))}
        </div>
      </Menu>
    </>
  );
}

/** The filters that are set, each of which is taken away by a click. */
export function FilterChips({
  filter,
  onFilter,
  nameOf,
  personOf,
}: ExecutionFiltersProps & { readonly nameOf: (workflowId: string) => string; readonly personOf: (userId: string) => string }) {
  const say = useWords();
  const instant = useInstant();
  const [statusWord, channelWord, causeWord] = [useNames('status'), useNames('channel'), useNames('cause')];
  const words: { readonly [Name in keyof ExecutionFilter]?: (value: string) => string } = {
    workflowId: nameOf,
    userId: personOf,
    status: statusWord,
    channel: channelWord,
    cause: causeWord,
  };
  const shownValue = (name: keyof ExecutionFilter, value: string): string =>
    isTime(name) ? instant(value) : (words[name]?.(value) ?? value);
  const chips = executionFilters.flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [{ name, text: `${say(filterWords[name])}: ${shownValue(name, value)}` }];
  });
  if (chips.length === 0) return null;
  return (
    <p className="buttons chips">
      {chips.map(({ name, text }) => (
        <button key={name} type="button" aria-label={say('executions.without', { filter: text })} onClick={() => onFilter({ [name]: '' })}>
          {text} <X size={13} aria-hidden />
        </button>
      ))}
    </p>
  );
}

const isTime = (name: string): boolean => name === 'from' || name === 'to';
