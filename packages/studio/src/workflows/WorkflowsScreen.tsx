// The list of workflows.
import { type ComponentProps, type KeyboardEvent, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { loadPart } from '../parts/load-part.ts';
import { SignedOut } from '../parts/LoginForm.tsx';
import { ModeButton } from '../parts/ModeButton.tsx';
import { Dialog, Loading } from '../parts/parts.tsx';
import { useFocusAtOnce } from '../parts/use-focus-kept.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { useWords } from '../words/words.tsx';
import type { WorkflowSummary } from '../api/client.ts';
import { NewForm } from './NewForm.tsx';
import { OtherScreens } from './OtherScreens.tsx';
import { readWorkflows } from './read-workflows.ts';
import { useWorkflowActs } from './use-workflow-acts.ts';
import { chooseWorkflows, everyWorkflow, foldersOf } from './workflow-filter.ts';
import { WorkflowsTable } from './WorkflowsTable.tsx';
import { WorkflowTools } from './WorkflowTools.tsx';

/** What a list that is seen may be asked for next, loaded after it. */
const loadNew = () => import('./NewWorkflow.tsx');
const Beginnings = lazy(() => loadPart(() => loadNew().then((module) => ({ default: module.Beginnings }))));
const FolderForm = lazy(() => loadPart(() => import('./FolderForm.tsx').then((module) => ({ default: module.FolderForm }))));

/** Every workflow of the company. */
export function WorkflowsScreen({ session }: { readonly session?: ReactNode }) {
  const { client, companyId, can } = useStudio();
  const say = useWords();
  const [filter, setFilter] = useState(everyWorkflow);
  const [isNew, setNew] = useState(false);
  const [moved, setMoved] = useState<WorkflowSummary>();
  const [archived, setArchived] = useState<WorkflowSummary>();
  const search = useRef<HTMLInputElement>(null);
  const main = useRef<HTMLElement>(null);
  const { value, error, reload, isSignedOut } = useLoaded(`workflows of ${companyId} ${filter.isArchive}`, () =>
    readWorkflows(client, companyId, filter.isArchive),
  );
  const { reason, create, begin, importFile, exportFile, duplicate, move, archive } = useWorkflowActs(value ?? [], reload);
  useFocusAtOnce(main, value !== undefined);
  const isListed = value !== undefined;
  useEffect(() => {
    if (isListed) loadNew().catch(() => undefined);
  }, [isListed]);
  if (isSignedOut) return <SignedOut onSignedIn={reload} />;
  if (value === undefined) return <Loading error={error} onRetry={reload} />;
  const rows = chooseWorkflows(value, filter);
  const folders = foldersOf(value);

  /** Archives a workflow and offers to take it back, or restores one. */
  const putAway = async (row: WorkflowSummary): Promise<void> => {
    const isDone = await archive(row.workflowId, !filter.isArchive);
    setArchived(isDone && !filter.isArchive ? row : undefined);
  };
  return (
    <main
      className="page"
      ref={main}
      tabIndex={-1}
      onKeyDown={(event) => onListKey(event, { search: search.current, onNew: can('edit') ? () => setNew(true) : undefined })}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (can('edit')) void importFile(event.dataTransfer.files[0]);
      }}
    >
      <header className="page-head">
        <h1>{say('app.workflows')}</h1>
        <span className="spring" />
        <OtherScreens />
        <ModeButton />
        {session}
      </header>
      <WorkflowTools
        filter={filter}
        folders={folders}
        search={search}
        onFilter={(changed) => setFilter({ ...filter, ...changed })}
        onImport={(file) => void importFile(file)}
        onNew={() => setNew(true)}
      />
      <Reason of={reason} />
      {archived !== undefined && (
        <p role="status">
          {say('workflows.isArchived', { name: archived.name })}{' '}
          <button
            type="button"
            className="link"
            onClick={() => {
              setArchived(undefined);
              main.current?.focus(); // the button is gone
              void archive(archived.workflowId, false);
            }}
          >
            {say('editor.undo')}
          </button>
        </p>
      )}
      {value.length === 0 && !filter.isArchive ? (
        <section className="empty">
          <p>{say('workflows.none')}</p>
          <Suspense fallback={null}>
            <Beginnings onChoose={can('edit') ? (canvas) => void create(canvas) : undefined} />
          </Suspense>
        </section>
      ) : (
        <WorkflowsTable
          rows={rows}
          isArchive={filter.isArchive}
          onDuplicate={(workflowId) => void duplicate(workflowId)}
          onMove={setMoved}
          onExport={(workflowId) => void exportFile(workflowId)}
          onArchive={(row) => void putAway(row)}
        />
      )}
      {value.length > 0 && rows.length === 0 && (
        <p className="quiet-text">
          {filter.text.trim() === '' ? say('workflows.noneIn') : say('workflows.noMatch', { text: filter.text })}
        </p>
      )}
      {moved !== undefined && (
        <MoveDialog
          moved={moved}
          folders={folders}
          onClose={() => setMoved(undefined)}
          onMove={(folder) => {
            setMoved(undefined);
            void move(moved.workflowId, folder);
          }}
        />
      )}
      {isNew && (
        <NewDialog
          reason={reason}
          onClose={() => setNew(false)}
          onName={(name) => void begin(name)}
          onChoose={(canvas) => void create(canvas)}
        />
      )}
    </main>
  );
}

interface ListKeys {
  readonly search: HTMLInputElement | null;
  /** Left out where nothing may be added. */
  readonly onNew: (() => void) | undefined;
}

/** The keys of the list: "/" finds, "n" adds, and arrows go from one workflow to the next. */
function onListKey(event: KeyboardEvent, { search, onNew }: ListKeys): void {
  const target = event.target as HTMLElement;
  if (target.closest('input, select, textarea, dialog') !== null) return;
  if (event.key === '/') {
    event.preventDefault();
    search?.focus();
  } else if (event.key.toLowerCase() === 'n' && !event.ctrlKey && !event.metaKey && onNew !== undefined) {
    event.preventDefault(); // else the field for the name would get the letter
    onNew();
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const links = [...document.querySelectorAll<HTMLElement>('.hilo-studio .workflow-link')];
    const at = links.indexOf(target);
    links[event.key === 'ArrowDown' ? at + 1 : Math.max(0, at - 1)]?.focus();
  }
}

/** Why the last act was refused. */
const Reason = ({ of }: { readonly of: string | undefined }) =>
  of !== undefined && (
    <p role="alert" className="field-problem error">
      {of}
    </p>
  );

interface MoveDialogProps {
  readonly moved: WorkflowSummary;
  readonly folders: ComponentProps<typeof FolderForm>['folders'];
  readonly onClose: () => void;
  readonly onMove: ComponentProps<typeof FolderForm>['onMove'];
}

/** Asks which folder a workflow goes to. */
function MoveDialog({ moved, folders, onClose, onMove }: MoveDialogProps) {
  const say = useWords();
  return (
    <Dialog title={say('workflows.moveOf', { name: moved.name })} onClose={onClose}>
      <Suspense fallback={null}>
        <FolderForm folder={moved.folder ?? ''} folders={folders} onMove={onMove} />
      </Suspense>
    </Dialog>
  );
}

interface NewDialogProps {
  readonly reason: string | undefined;
  readonly onClose: () => void;
  readonly onName: (name: string) => void;
  readonly onChoose: ComponentProps<typeof Beginnings>['onChoose'];
}

/** A new workflow: empty, with a name, or one of the beginnings. */
function NewDialog({ reason, onClose, onName, onChoose }: NewDialogProps) {
  const say = useWords();
  return (
    <Dialog title={say('workflows.new')} onClose={onClose}>
      <NewForm onCreate={onName} />
      <Suspense fallback={null}>
        <Beginnings onChoose={onChoose} />
      </Suspense>
      <Reason of={reason} />
    </Dialog>
  );
}
