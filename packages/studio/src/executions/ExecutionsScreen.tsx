import { ArrowLeft, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Execution } from '../api/client.ts';
import { SignedOut } from '../parts/LoginForm.tsx';
import { ModeButton } from '../parts/ModeButton.tsx';
import { IconButton, Loading } from '../parts/parts.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { type ExecutionFilter, useStudio } from '../studio-context.ts';
import { useInstant, useNames, useWords } from '../words/words.tsx';

const statuses = ['running', 'waiting', 'completed', 'failed', 'cancelled', 'expired', 'quarantined'] as const;
const lookEveryMs = 5_000;
const filters = ['version', 'nodeId', 'cause', 'channel', 'from', 'to'] as const;
const filterWords = {
  version: 'executions.version',
  nodeId: 'executions.node',
  cause: 'executions.cause',
  channel: 'executions.channel',
  from: 'executions.from',
  to: 'executions.to',
} as const;

/** Executions of the company or of one workflow, newest first. New ones are added by a button: no row moves under the pointer. */
export function ExecutionsScreen(asked: ExecutionFilter) {
  const { client, companyId, go, hrefOf } = useStudio();
  const say = useWords();
  const instant = useInstant();
  const statusWord = useNames('status');
  const [rows, setRows] = useState<readonly Execution[]>([]);
  const [cursor, setCursor] = useState<string | null>(null);
  const [newRows, setNewRows] = useState(0);
  const query = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined && value !== '')) as ExecutionFilter;
  const { workflowId, status = '', userId = '' } = query;
  const key = JSON.stringify(query);
  const read = (from?: string) =>
    client.executions(companyId, { ...query, fields: 'summary', limit: 50, ...(from !== undefined && { cursor: from }) });
  const { value, error, reload, isSignedOut } = useLoaded(`executions/${key}`, () => read());
  useEffect(() => {
    if (value === undefined) return;
    setRows(value.results);
    setCursor(value.nextCursor);
    setNewRows(0);
  }, [value]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden) return;
      read().then(
        ({ results }) => {
          const known = results.findIndex(({ executionId }) => executionId === rows[0]?.executionId);
          setNewRows(known < 0 ? results.length : known);
        },
        () => undefined,
      );
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [key, rows]);
  const filter = (changed: ExecutionFilter): void =>
    go({
      screen: 'executions',
      ...(Object.fromEntries(Object.entries({ ...query, ...changed }).filter(([, value]) => value !== '')) as ExecutionFilter),
    });
  if (isSignedOut) return <SignedOut onSignedIn={reload} />;
  return (
    <main className="page">
      <header className="page-head">
        <IconButton
          label={say('editor.back')}
          onClick={() => go(workflowId === undefined ? { screen: 'workflows' } : { screen: 'editor', workflowId })}
        >
          <ArrowLeft size={18} aria-hidden />
        </IconButton>
        <h1>
          {say('executions.title')}
          {workflowId !== undefined && <span className="caption"> {workflowId}</span>}
        </h1>
        <span className="spring" />
        <label>
          {say('executions.status')}{' '}
          <select value={status} onChange={({ target }) => filter({ status: target.value })}>
            <option value="">{say('executions.any')}</option>
            {statuses.map((one) => (
              <option key={one} value={one}>
                {statusWord(one)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {say('executions.user')}{' '}
          <input
            type="search"
            defaultValue={userId}
            onKeyDown={(event) => event.key === 'Enter' && filter({ userId: event.currentTarget.value.trim() })}
          />
        </label>
        <details className="menu">
          <summary aria-label={say('executions.filters')}>⋯</summary>
          <div className="filters">
            {filters.map((name) => (
              <label key={name}>
                {say(filterWords[name])}{' '}
                <input
                  {...(isTime(name)
                    ? { type: 'datetime-local', defaultValue: localTime(query[name]) }
                    : { defaultValue: query[name] ?? '' })}
                  onKeyDown={({ key: pressed, currentTarget: { value: text } }) =>
                    pressed === 'Enter' && filter({ [name]: isTime(name) && text !== '' ? new Date(text).toISOString() : text.trim() })
                  }
                />
              </label>
            ))}
          </div>
        </details>
        <ModeButton />
      </header>
      <p className="buttons">
        {filters.flatMap((name) => {
          const value = query[name];
          if (value === undefined) return [];
          const shown = `${say(filterWords[name])}: ${isTime(name) ? instant(value) : value}`;
          return [
            <button
              key={name}
              type="button"
              aria-label={say('executions.without', { filter: shown })}
              onClick={() => filter({ [name]: '' })}
            >
              {shown} <X size={13} aria-hidden />
            </button>,
          ];
        })}
      </p>
      {newRows > 0 && (
        <button type="button" className="new-rows" onClick={reload}>
          {say('executions.new', { count: newRows })}
        </button>
      )}
      {value === undefined ? (
        <Loading error={error} onRetry={reload} />
      ) : rows.length === 0 ? (
        <p className="quiet-text">{say('executions.none')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>{say('executions.status')}</th>
              <th>{say('executions.user')}</th>
              <th>{say('executions.workflow')}</th>
              <th>{say('executions.stands')}</th>
              <th>{say('executions.updated')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.executionId}>
                <td>
                  <a
                    className={`status ${row.status}`}
                    href={hrefOf({ screen: 'execution', executionId: row.executionId })}
                    onClick={(event) => {
                      if (event.ctrlKey || event.metaKey) return;
                      event.preventDefault();
                      go({ screen: 'execution', executionId: row.executionId });
                    }}
                  >
                    {statusWord(row.status)}
                    {row.cause === null ? '' : `: ${row.cause}`}
                  </a>
                </td>
                <td dir="auto">{row.userId ?? '—'}</td>
                <td>
                  {row.workflowId} {row.version === 'draft' ? say('versions.draft') : `v${row.version}`}
                </td>
                <td>
                  {row.wait === null
                    ? '—'
                    : `${row.wait.nodeId}${row.wait.dueAt === null ? '' : `, ${say('executions.until', { time: instant(row.wait.dueAt) })}`}`}
                </td>
                <td>{instant(row.updatedAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {cursor !== null && (
        <button
          type="button"
          onClick={() =>
            void read(cursor).then(
              (page) => {
                setRows([...rows, ...page.results]);
                setCursor(page.nextCursor);
              },
              () => undefined,
            )
          }
        >
          {say('executions.more')}
        </button>
      )}
    </main>
  );
}

const isTime = (name: string): boolean => name === 'from' || name === 'to';

/** An instant as a field for local times has it; nothing where it is none. */
function localTime(instant: string | undefined): string {
  const date = new Date(instant ?? '');
  if (Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
