// The record of what operators did, by who, what and when.
import { ArrowLeft, X } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import type { AuditRow } from '../api/operations.ts';
import { SignedOut } from '../parts/LoginForm.tsx';
import { ModeButton } from '../parts/ModeButton.tsx';
import { IconButton, Loading } from '../parts/parts.tsx';
import { shownText } from '../canvas/canvas-json.ts';
import { textIn } from '../parts/form-text.ts';
import { localTime } from '../parts/local-time.ts';
import { useActorName } from '../parts/shown-name.ts';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { type AuditFilter, auditFilters, useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useInstant, useLanguage, useWords } from '../words/words.tsx';
import { actsOf, changedFacts } from './audit-acts.ts';
import { auditWords, knownActs } from './audit-words.ts';
import { changeWords } from './change-words.ts';

/** Acts of management, the newest first, with filters that are in the address. */
export function AuditScreen(filter: AuditFilter) {
  const { client, companyId, go } = useStudio();
  const words = useWords();
  const say = usePartWords(changeWords);
  const instant = useInstant();
  const named = useAuditWord();
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
            {name === 'action' ? (
              <ActSelect action={filter.action ?? ''} />
            ) : (
              <input
                name={name}
                {...(name === 'from' || name === 'to'
                  ? { type: 'datetime-local', defaultValue: localTime(filter[name]) }
                  : { type: 'search', defaultValue: filter[name] ?? '' })}
              />
            )}
          </label>
        ))}
        <button type="submit">{words('executions.find')}</button>
      </form>
      <p className="buttons chips">
        {auditFilters.map((name) => {
          const text = filter[name];
          if (text === undefined) return null;
          const shown = `${say(`audit.${name}`)}: ${name === 'from' || name === 'to' ? instant(text) : name === 'action' ? named('act', text) : text}`;
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

/** The acts by their words; one that has none is found by its name in the address. */
function ActSelect({ action }: { readonly action: string }) {
  const named = useAuditWord();
  const words = useWords();
  const { locale } = useLanguage();
  const all = [...new Set([...knownActs, ...(action === '' ? [] : [action])])].map((act) => ({ act, word: named('act', act) }));
  return (
    <select name="action" defaultValue={action}>
      <option value="">{words('executions.any')}</option>
      {all
        .toSorted((one, other) => one.word.localeCompare(other.word, locale))
        .map(({ act, word }) => (
          <option key={act} value={act}>
            {word}
          </option>
        ))}
    </select>
  );
}

function Rows({ rows }: { readonly rows: readonly AuditRow[] }) {
  const { client, companyId, go } = useStudio();
  const say = usePartWords(changeWords);
  const named = useAuditWord();
  const actorName = useActorName(asItIs);
  const instant = useInstant();
  const { value: references } = useLoaded(`references/${companyId}`, () => client.references(companyId));
  const nameOf = (kind: string, id: string): string =>
    (kind === 'workflow' ? references?.workflows.find((one) => one.id === id)?.name : undefined) ?? id;
  return (
    <table className="audit">
      <thead>
        <tr>
          {(['at', 'actor', 'action', 'object', 'outcome', 'facts'] as const).map((name) => (
            <th key={name}>{say(`audit.${name}`)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {actsOf(rows).map(({ at, actor, via, action, object, outcome, before, after, requestId }) => (
          <tr key={`${requestId} ${outcome}`}>
            <td>{instant(at)}</td>
            <td dir="auto">
              {actorName(actor)} <span className="caption">{named('via', via)}</span>
            </td>
            <td>
              <button type="button" className="link" title={action} onClick={() => go({ screen: 'audit', action })}>
                {named('act', action)}
              </button>
            </td>
            <td dir="auto">
              {object !== null && (
                <button type="button" className="link" onClick={() => go({ screen: 'audit', object: `${object.kind}:${object.id}` })}>
                  {named('object', object.kind)} {nameOf(object.kind, object.id)}
                </button>
              )}
            </td>
            <td data-label={say('audit.outcome')}>
              <Outcome outcome={outcome} />
            </td>
            <td dir="auto">
              <Facts before={before ?? null} after={after ?? null} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How an act ended, with the status where it was not done. */
function Outcome({ outcome }: Pick<AuditRow, 'outcome'>) {
  const say = usePartWords(changeWords);
  const words = usePartWords(auditWords);
  const status = Number(outcome);
  if (outcome === 'asked') return <span className="caption">{say('audit.asked')}</span>;
  if (Number.isNaN(status)) return words(outcome === 'reported' ? 'reported' : 'done');
  if (status < 400) return <span className="good">{words('done')}</span>;
  return (
    <span className="bad">
      {words(status < 500 ? 'refused' : 'failed')} ({status})
    </span>
  );
}

/** What is known of an object before and after an act: each fact that has changed once, with both values. */
function Facts({ before, after }: Pick<AuditRow, 'before' | 'after'>) {
  const named = useAuditWord();
  const words = usePartWords(auditWords);
  const instant = useInstant();
  const said = (value: unknown): string => {
    if (typeof value === 'boolean') return words(value ? 'yes' : 'no');
    if (value === null || value === undefined || value === '') return '—';
    if (typeof value === 'string' && isInstant.test(value)) return instant(value);
    if (typeof value === 'string' && isHash.test(value)) return `${value.slice(0, 8)}…`;
    if (Array.isArray(value)) return value.map(said).join(', ');
    return shownText(value);
  };
  return (
    <ul className="facts">
      {changedFacts(before, after).map(({ name, from, to }) => (
        <li key={name}>
          <span className="caption">{named('fact', name)}</span> {from === undefined ? '' : `${said(from)} → `}
          {said(to)}
        </li>
      ))}
    </ul>
  );
}

/** The record of acts has whole names. */
const asItIs = (name: string): string => name;

const isInstant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const isHash = /^[\da-f]{64}$/;

/** The word of a name in the record; the name itself where it has none. */
function useAuditWord(): (group: 'act' | 'object' | 'via' | 'fact', name: string) => string {
  const words = usePartWords(auditWords);
  return (group, name) => (Object.hasOwn(auditWords.en, `${group}.${name}`) ? words(`${group}.${name}`) : name);
}

const without = (filter: AuditFilter, name: keyof AuditFilter): AuditFilter =>
  Object.fromEntries(Object.entries(filter).filter(([other]) => other !== name));
