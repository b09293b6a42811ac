import { Activity, Archive, Plus, Search, Upload } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { ApiError, type WorkflowSummary } from '../api/client.ts';
import { asCanvas, type CanvasJson, faultOf } from '../canvas/canvas-json.ts';
import { SignedOut } from '../parts/LoginForm.tsx';
import { ModeButton } from '../parts/ModeButton.tsx';
import { Dialog, Loading } from '../parts/parts.tsx';
import { useFocusAtOnce } from '../parts/use-focus-kept.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { useNames, useWords } from '../words/words.tsx';
import { draftStateNamed, type DraftState, draftStates } from './draft-states.ts';
import { blankCanvas } from './example-canvases.ts';
import { ExampleCards, NewForm } from './NewWorkflow.tsx';
import { WorkflowsTable } from './WorkflowsTable.tsx';

const sorts = ['name', 'updated', 'waiting'] as const;
const orders: { readonly [Sort in (typeof sorts)[number]]: (a: WorkflowSummary, b: WorkflowSummary) => number } = {
  name: (a, b) => a.name.localeCompare(b.name),
  updated: (a, b) => (b.updatedAt ?? '').localeCompare(a.updatedAt ?? ''),
  waiting: (a, b) => b.waiting - a.waiting,
};

/** Every workflow of the company. */
export function WorkflowsScreen({ session }: { readonly session?: ReactNode }) {
  const { client, companyId, go, can } = useStudio();
  const say = useWords();
  const kindWord = useNames('kind');
  const [text, setText] = useState('');
  const [kind, setKind] = useState('');
  const [state, setState] = useState<DraftState>();
  const [sort, setSort] = useState<'name' | 'updated' | 'waiting'>('name');
  const [isArchive, setArchive] = useState(false);
  const [isNew, setNew] = useState(false);
  const [reason, setReason] = useState<string>();
  const file = useRef<HTMLInputElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const main = useRef<HTMLElement>(null);
  const { value, error, reload, isSignedOut } = useLoaded(`workflows of ${companyId} ${isArchive}`, async () => {
    const all: WorkflowSummary[] = [];
    let cursor: string | null = null;
    do {
      const page: { readonly results: readonly WorkflowSummary[]; readonly nextCursor: string | null } = await client.workflows(companyId, {
        archived: isArchive,
        ...(cursor !== null && { cursor }),
      });
      all.push(...page.results);
      cursor = page.nextCursor;
    } while (cursor !== null && all.length < 2_000);
    return all;
  });
  useFocusAtOnce(main, value !== undefined);
  if (isSignedOut) return <SignedOut onSignedIn={reload} />;
  if (value === undefined) return <Loading error={error} onRetry={reload} />;
  const wanted = text.trim().toLowerCase();
  const rows = value
    .filter(
      (row) =>
        (wanted === '' || `${row.name} ${row.workflowId}`.toLowerCase().includes(wanted)) &&
        (kind === '' || row.kind === kind) &&
        (state === undefined || draftStates[state](row)),
    )
    .toSorted(orders[sort]);

  const create = async (canvas: CanvasJson): Promise<void> => {
    setReason(undefined);
    const ids = new Set(value.map(({ workflowId }) => workflowId));
    let id = canvas.id;
    for (let number = 2; ids.has(id); number += 1) id = `${canvas.id}-${number}`;
    try {
      const saved = await client.save(companyId, { ...canvas, id }, undefined, true);
      if (saved.kind === 'saved') go({ screen: 'editor', workflowId: id });
      else setReason(saved.kind === 'refused' ? saved.reason : say('app.failed', { reason: saved.kind }));
    } catch (failed) {
      setReason(failed instanceof Error ? failed.message : String(failed));
    }
  };
  /** The file is checked before it is saved: one that is no canvas is refused; problems are shown in the editor. */
  const importFile = async (given: File | undefined): Promise<void> => {
    if (given === undefined) return;
    setReason(undefined);
    try {
      const parsed: unknown = JSON.parse(await given.text());
      const canvas = asCanvas(parsed);
      if (canvas === undefined) return setReason(say('workflows.faultAt', { pointer: faultOf(parsed) ?? '/' }));
      await client.validate(companyId, canvas);
      await create(canvas);
    } catch (failed) {
      setReason(say('workflows.notCanvas', { reason: failed instanceof Error ? failed.message : String(failed) }));
    }
  };
  const act = async (what: () => Promise<unknown>): Promise<void> => {
    setReason(undefined);
    try {
      await what();
      reload();
    } catch (failed) {
      setReason(failed instanceof ApiError || failed instanceof Error ? failed.message : String(failed));
    }
  };
  const exportFile = async (workflowId: string): Promise<void> => {
    const { canvas } = await client.draft(companyId, workflowId);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([`${JSON.stringify(canvas, null, 2)}\n`], { type: 'application/json' }));
    link.download = `${workflowId}.json`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    if (target.closest('input, select, textarea, dialog') !== null) return;
    if (event.key === '/') {
      event.preventDefault();
      search.current?.focus();
    } else if (event.key.toLowerCase() === 'n' && !event.ctrlKey && !event.metaKey && can('edit')) {
      event.preventDefault(); // else the field for the name would get the letter
      setNew(true);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const links = [...document.querySelectorAll<HTMLElement>('.hilo-studio .workflow-link')];
      const at = links.indexOf(target);
      links[event.key === 'ArrowDown' ? at + 1 : Math.max(0, at - 1)]?.focus();
    }
  };

  return (
    <main
      className="page"
      ref={main}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (can('edit')) void importFile(event.dataTransfer.files[0]);
      }}
    >
      <header className="page-head">
        <h1>{say('app.workflows')}</h1>
        <span className="spring" />
        <ModeButton />
        {session}
      </header>
      <div className="page-tools" role="group" aria-label={say('workflows.actionsOfAll')}>
        <label className="search">
          <Search size={15} aria-hidden />
          <input
            ref={search}
            type="search"
            value={text}
            aria-label={say('workflows.search')}
            placeholder={say('workflows.search')}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <select aria-label={say('workflows.kind')} value={kind} onChange={({ target }) => setKind(target.value)}>
          <option value="">{say('workflows.allKinds')}</option>
          {(['skill', 'tool'] as const).map((one) => (
            <option key={one} value={one}>
              {kindWord(one)}
            </option>
          ))}
        </select>
        <select aria-label={say('workflows.draft')} value={state ?? ''} onChange={({ target }) => setState(draftStateNamed(target.value))}>
          <option value="">{say('workflows.allStates')}</option>
          {(['never', 'published', 'changed', 'problems'] as const).map((one) => (
            <option key={one} value={one}>
              {say(`workflows.in.${one}`)}
            </option>
          ))}
        </select>
        <select
          aria-label={say('workflows.sort')}
          value={sort}
          onChange={({ target }) => setSort(sorts.find((one) => one === target.value) ?? 'name')}
        >
          {sorts.map((one) => (
            <option key={one} value={one}>
              {say(`workflows.by.${one}`)}
            </option>
          ))}
        </select>
        <button type="button" aria-pressed={isArchive} onClick={() => setArchive(!isArchive)}>
          <Archive size={15} aria-hidden /> {say('workflows.archived')}
        </button>
        <span className="spring" />
        <button type="button" onClick={() => go({ screen: 'executions' })}>
          <Activity size={15} aria-hidden /> {say('executions.title')}
        </button>
        {can('edit') && (
          <button type="button" onClick={() => file.current?.click()}>
            <Upload size={15} aria-hidden /> {say('workflows.import')}
          </button>
        )}
        <input
          ref={file}
          type="file"
          accept="application/json,.json"
          hidden
          aria-label={say('workflows.import')}
          onChange={({ target }) => {
            void importFile(target.files?.[0]);
            target.value = ''; // so that the same file, once mended, can be chosen again
          }}
        />
        {can('edit') && (
          <button type="button" className="primary" onClick={() => setNew(true)}>
            <Plus size={15} aria-hidden /> {say('workflows.new')}
          </button>
        )}
      </div>
      {reason !== undefined && (
        <p role="alert" className="field-problem error">
          {reason}
        </p>
      )}
      {value.length === 0 && !isArchive ? (
        <section className="empty">
          <p>{say('workflows.none')}</p>
          {can('edit') && <ExampleCards onChoose={(canvas) => void create(canvas)} />}
        </section>
      ) : (
        <WorkflowsTable
          rows={rows}
          isArchive={isArchive}
          onDuplicate={(workflowId) => void act(async () => create((await client.draft(companyId, workflowId)).canvas))}
          onExport={(workflowId) => void act(() => exportFile(workflowId))}
          onArchive={(workflowId) => void act(() => client.archive(companyId, workflowId, !isArchive))}
        />
      )}
      {value.length > 0 && rows.length === 0 && (
        <p className="quiet-text">{wanted === '' ? say('workflows.noneIn') : say('workflows.noMatch', { text })}</p>
      )}
      {isNew && (
        <Dialog title={say('workflows.new')} onClose={() => setNew(false)}>
          <NewForm onCreate={(name) => void create(blankCanvas(name))} />
          <ExampleCards onChoose={(canvas) => void create(canvas)} />
          {reason !== undefined && (
            <p role="alert" className="field-problem error">
              {reason}
            </p>
          )}
        </Dialog>
      )}
    </main>
  );
}
