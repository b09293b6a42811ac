// The record of what operators did, by who, what and when.
import { ArrowLeft, X } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import type { AuditRow } from '../api/operations.ts';
import { SignedOut } from '../parts/LoginForm.tsx';
import { ModeButton } from '../parts/ModeButton.tsx';
import { IconButton, Loading } from '../parts/parts.tsx';
import { textIn } from '../parts/form-text.ts';
import { localTime } from '../parts/local-time.ts';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { type AuditFilter, auditFilters, useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useInstant, useWords } from '../words/words.tsx';
import { changeWords } from './change-words.ts';

/** Acts of management, the newest first, with filters that are in the address. */
export function AuditScreen(filter: AuditFilter) {
  const { client, companyId, go } = useStudio();
  const words = useWords();
  const say = usePartWords(changeWords);
  const instant = useInstant();
  const more = useAct();
  const [rows, setRows] = useState<readonly AuditRow[]>([]);
  const [cursor, setCursor] = useState<string | null>(null);
  const read = async (from?: string) =>
    (await client.operations()).listAudit({ query: { companyId, ...filter, limit: 50, ...(from !== undefined && { cursor: from }) } });
  const { value, error, reload, isSignedOut } = useLoaded(`audit/${companyId}/${JSON.stringify(filter)}`, () => read());
  useEffect(() => {
    setRows(value?.results ?? []);
    setCursor(value?.nextCursor ?? null);
  }, [value]);
  const showMore = async (from: string): Promise<void> => {
    const page = await read(from);
    setRows([...rows, ...page.results]);
    setCursor(page.nextCursor);
  };
  const choose = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = auditFilters.flatMap((name) => {
      const text = textIn(form, name);
      return text === '' ? [] : [[name, name === 'from' || name === 'to' ? new Date(text).toISOString() : text] as const];
    });
    go({ screen: 'audit', ...Object.fromEntries(given) });
  };
  if (isSignedOut) return <SignedOut onSignedIn={reload} />;
  return (
    <main className="page">
      <header className="page-head">
        <IconButton label={words('editor.back')} onClick={() => go({ screen: 'workflows' })}>
          <ArrowLeft size={18} aria-hidden />
        </IconButton>
        <h1>{say('audit.title')}</h1>
        <span className="caption">{say('audit.about')}</span>
        <span className="spring" />
        <ModeButton />
      </header>
      <form className="page-tools" key={JSON.stringify(filter)} onSubmit={choose}>
        {auditFilters.map((name) => (
          <label key={name}>
            {say(`audit.${name}`)}{' '}
            <input
              name={name}
              {...(name === 'from' || name === 'to'
                ? { type: 'datetime-local', defaultValue: localTime(filter[name]) }
                : { type: 'search', defaultValue: filter[name] ?? '' })}
            />
          </label>
        ))}
        <button type="submit">{words('executions.find')}</button>
      </form>
      <p className="buttons chips">
        {auditFilters.map((name) => {
          const text = filter[name];
          if (text === undefined) return null;
          const shown = `${say(`audit.${name}`)}: ${name === 'from' || name === 'to' ? instant(text) : text}`;
          return (
            <button
              key={name}
              type="button"
              aria-label={say('audit.without', { filter: shown })}
              onClick={() => go({ screen: 'audit', ...without(filter, name) })}
            >
              {shown} <X size={13} aria-hidden />
            </button>
          );
        })}
      </p>
      {value === undefined ? (
        <Loading error={error} onRetry={reload} />
      ) : rows.length === 0 ? (
        <p className="quiet-text">{say('audit.none')}</p>
      ) : (
        <Rows rows={rows} />
      )}
      {cursor !== null && (
        <button type="button" disabled={more.isBusy} onClick={() => more.act(() => showMore(cursor))}>
          {words('executions.more')}
        </button>
      )}
      <Refused reason={more.reason} />
    </main>
  );
}

function Rows({ rows }: { readonly rows: readonly AuditRow[] }) {
  const { go } = useStudio();
  const say = usePartWords(changeWords);
  const instant = useInstant();
  return (
    <table>
      <thead>
        <tr>
          {(['at', 'actor', 'action', 'object', 'outcome', 'facts'] as const).map((name) => (
            <th key={name}>{say(`audit.${name}`)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ at, actor, via, action, object, outcome, before, after, requestId }) => (
          <tr key={`${requestId} ${outcome}`}>
            <td>{instant(at)}</td>
            <td dir="auto">
              {actor} <span className="caption">{via}</span>
            </td>
            <td>
              <button type="button" className="link" onClick={() => go({ screen: 'audit', action })}>
                {action}
              </button>
            </td>
            <td dir="auto">
              {object !== null && (
                <button type="button" className="link" onClick={() => go({ screen: 'audit', object: `${object.kind}:${object.id}` })}>
                  {object.kind} {object.id}
                </button>
              )}
            </td>
            <td className={outcome === 'asked' ? 'caption' : Number(outcome) < 400 ? 'good' : 'bad'}>
              {outcome === 'asked' ? say('audit.asked') : outcome}
            </td>
            <td>
              <code dir="auto">{factsOf(before, after)}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Facts before and after an act, as `before → after`. */
const factsOf = (before: AuditRow['before'], after: AuditRow['after']): string =>
  [before, after].flatMap((facts) => (facts === null || facts === undefined ? [] : [JSON.stringify(facts)])).join(' → ');

const without = (filter: AuditFilter, name: keyof AuditFilter): AuditFilter =>
  Object.fromEntries(Object.entries(filter).filter(([other]) => other !== name));
