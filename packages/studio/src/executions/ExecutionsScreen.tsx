// The list of executions.
import { ArrowLeft, ListChecks, Workflow } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { loadPart } from '../parts/load-part.ts';
import type { Execution } from '../api/client.ts';
import { changeWords } from '../change/change-words.ts';
import { SignedOut } from '../parts/LoginForm.tsx';
import { ModeButton } from '../parts/ModeButton.tsx';
import { IconButton, Loading } from '../parts/parts.tsx';
import { usePersonName } from '../parts/person-name.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { type ExecutionFilter, useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useWords } from '../words/words.tsx';
import { CountsView } from './CountsView.tsx';
import { NoExecutions } from './NoExecutions.tsx';
import { useRowNames } from './use-row-names.ts';
import { ExecutionFilters, FilterChips } from './ExecutionFilters.tsx';
import { ExecutionsTable } from './ExecutionsTable.tsx';

const BulkDialog = lazy(() => loadPart(() => import('./BulkDialog.tsx').then((module) => ({ default: module.BulkDialog }))));

const lookEveryMs = 5_000;

/** Executions of the company or of one workflow, newest first. New ones are added by a button: no row moves under the pointer. */
export function ExecutionsScreen(asked: ExecutionFilter) {
  const { client, companyId, go, can } = useStudio();
  const say = useWords();
  const change = usePartWords(changeWords);
  const [rows, setRows] = useState<readonly Execution[]>([]);
  const [cursor, setCursor] = useState<string | null>(null);
  const [newRows, setNewRows] = useState(0);
  const [isCounting, setCounting] = useState(false);
  const [isActing, setActing] = useState(false);
  const query = withoutEmpty(asked);
  const { workflowId } = query;
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
  const names = useRowNames(rows);
  const personName = usePersonName();
  const personOf = (userId: string): string => personName(rows.find((row) => row.userId === userId)?.userNames, userId);
  const filter = (changed: ExecutionFilter): void => go({ screen: 'executions', ...withoutEmpty({ ...query, ...changed }) });
  const showMore = async (from: string): Promise<void> => {
    const page = await read(from);
    setRows([...rows, ...page.results]);
    setCursor(page.nextCursor);
  };
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
          {workflowId !== undefined && (
            <span className="caption" dir="auto">
              {' '}
              {names.ofWorkflow(workflowId)}
            </span>
          )}
        </h1>
        <span className="spring" />
        {workflowId !== undefined && rows.length > 0 && (
          <button type="button" aria-pressed={isCounting} onClick={() => setCounting(!isCounting)}>
            <Workflow size={15} aria-hidden /> {say('executions.counts')}
          </button>
        )}
        {can('operate') && rows.length > 0 && (
          <button type="button" onClick={() => setActing(true)}>
            <ListChecks size={15} aria-hidden /> {change('bulk.title')}
          </button>
        )}
        <ExecutionFilters filter={query} onFilter={filter} />
        <ModeButton />
      </header>
      <FilterChips filter={query} onFilter={filter} nameOf={names.ofWorkflow} personOf={personOf} />
      {isCounting && workflowId !== undefined && rows.length > 0 && <CountsView workflowId={workflowId} rows={rows} />}
      {newRows > 0 && (
        <button type="button" className="new-rows" onClick={reload}>
          {say('executions.new', { count: newRows })}
        </button>
      )}
      {value === undefined ? (
        <Loading error={error} onRetry={reload} />
      ) : rows.length === 0 ? (
        <NoExecutions filter={query} onFilter={filter} />
      ) : (
        <ExecutionsTable rows={rows} names={names} />
      )}
      {cursor !== null && (
        <button type="button" onClick={() => void showMore(cursor).catch(() => undefined)}>
          {say('executions.more')}
        </button>
      )}
      {isActing && (
        <Suspense fallback={null}>
          <BulkDialog filter={query} onDone={reload} onClose={() => setActing(false)} />
        </Suspense>
      )}
    </main>
  );
}

const withoutEmpty = (filter: ExecutionFilter): ExecutionFilter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''));
