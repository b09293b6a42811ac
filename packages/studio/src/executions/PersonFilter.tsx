// The field that filters a list of executions by a person: by their name, number or id.
import { useEffect, useRef, useState } from 'react';
import { useAct, Refused } from '../parts/use-act.tsx';
import { usePersonName } from '../parts/person-name.ts';
import { useStudio } from '../studio-context.ts';
import { type PartWords, usePartWords } from '../words/part.ts';
import { useWords } from '../words/words.tsx';
import { type Found, idsMeant, type Identity, mostOffered } from './people-found.ts';

const filterWords: PartWords<'person.hint' | 'person.meant'> = {
  en: { 'person.hint': 'Name, number or id', 'person.meant': 'People who are meant' },
  es: { 'person.hint': 'Nombre, número o id', 'person.meant': 'Personas posibles' },
};

interface PersonFilterProps {
  readonly userId: string | undefined;
  readonly onChoose: (userId: string) => void;
}

export function PersonFilter({ userId = '', onChoose }: PersonFilterProps) {
  const { client, companyId } = useStudio();
  const say = useWords();
  const ask = usePartWords(filterWords);
  const personName = usePersonName();
  const { reason, act } = useAct();
  const [offered, setOffered] = useState<readonly Identity[]>([]);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.querySelector('button')?.focus(), [offered]);
  const choose = (chosen: string): void => {
    setOffered([]);
    onChoose(chosen);
  };
  const find = async (text: string): Promise<void> => {
    const meant = idsMeant(text, text === '' ? [] : await findPeople(text));
    const [only] = meant;
    if (only !== undefined && meant.length === 1) choose(only.userId);
    else setOffered(meant);
  };
  /** A page of a search may be empty and go on. */
  const findPeople = async (text: string): Promise<readonly Found[]> => {
    const { listContacts } = await client.operations();
    const found: Found[] = [];
    let cursor: string | null | undefined;
    do {
      const query = { query: text, limit: 20, ...(typeof cursor === 'string' && { cursor }) };
      const page = await listContacts({ path: { companyId }, query });
      found.push(...page.results);
      cursor = page.nextCursor;
    } while (typeof cursor === 'string' && found.length < mostOffered);
    return found;
  };
  return (
    <span
      className="person-filter"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || offered.length === 0) return;
        event.stopPropagation();
        setOffered([]);
        field.current?.focus();
      }}
      onBlur={({ currentTarget, relatedTarget }) => document.hasFocus() && !currentTarget.contains(relatedTarget) && setOffered([])}
    >
      <label>
        {say('executions.user')}{' '}
        <input
          key={userId}
          ref={field}
          type="search"
          dir="auto"
          placeholder={ask('person.hint')}
          defaultValue={userId}
          onKeyDown={({ key, currentTarget: { value } }) => key === 'Enter' && act(() => find(value.trim()))}
        />
      </label>
      <Refused reason={reason} />
      {offered.length > 0 && (
        <ul ref={list} className="found-people" aria-label={ask('person.meant')}>
          {offered.map(({ userId: id, names }) => (
            <li key={id}>
              <button type="button" onClick={() => choose(id)}>
                <span dir="auto">{personName(names, id)}</span> <span className="caption">{id}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </span>
  );
}
