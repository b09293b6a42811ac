import type { Channel, Json, Problem } from '@hilo/engine/contract';
import { X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Draft } from '../api/client.ts';
import { Board } from '../board/Board.tsx';
import type { Overlay } from '../board/overlay.ts';
import { type Point, portKey } from '../canvas/canvas-json.ts';
import { type PortRef, setData, setField } from '../canvas/commands.ts';
import { flowOf } from '../canvas/flow.ts';
import type { Fork } from '../executions/time-travel.ts';
import { IconButton, Loading } from '../parts/parts.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { keptCopy, type OfflineCopy } from '../saving/offline-copy.ts';
import { useStudio } from '../studio-context.ts';
import { memoryOf, TesterPanel } from '../tester/TesterPanel.tsx';
import { useEngine } from '../worker/use-engine.ts';
import { useWords } from '../words/words.tsx';
import { onEditorKey } from './editor-keys.ts';
import { allProblems, createEditorStore } from './editor-store.ts';
import { EditorBar } from './EditorBar.tsx';
import { KeysDialog } from './KeysDialog.tsx';
import { CanvasSettings, NodePanel } from './NodePanel.tsx';
import { Outline } from './Outline.tsx';
import { Palette } from './Palette.tsx';
import { fieldOf, fixCommand } from './problem-parts.ts';
import { portRef } from './ports.ts';
import { ProblemsPanel } from './ProblemsPanel.tsx';
import { PublishDialog } from './PublishDialog.tsx';
import { LoginDialog, Merging } from './SavingDialogs.tsx';
import { SearchDialog } from './SearchDialog.tsx';
import { keepHistory, keptHistory } from './session.ts';
import { useChecks } from './use-checks.ts';
import { useEditing } from './use-editing.ts';
import { useLiveVersion } from './use-live-version.ts';
import { useSaving } from './use-saving.ts';
import { useStableCards } from './use-stable-cards.ts';

const channels: readonly Channel[] = [];

interface EditorScreenProps {
  readonly workflowId: string;
  /** The node that is looked at first. */
  readonly nodeId?: string;
  /** A conversation for the tester, of an execution. */
  readonly fork?: Fork;
}

/** The editor of one workflow. */
export function EditorScreen({ workflowId, ...about }: EditorScreenProps) {
  const { client, companyId } = useStudio();
  const { value, error, reload } = useLoaded(`${companyId}/${workflowId}`, async () => ({
    draft: await client.draft(companyId, workflowId),
    copy: await keptCopy(companyId, workflowId),
  }));
  if (value === undefined) return <Loading error={error} onRetry={reload} />;
  return <Editor key={`${companyId}/${workflowId}`} {...value} {...about} />;
}

type Dialog = 'publish' | 'search' | 'keys';

function Editor({
  draft,
  copy,
  nodeId,
  fork,
}: Omit<EditorScreenProps, 'workflowId'> & { readonly draft: Draft; readonly copy: OfflineCopy | undefined }) {
  const { companyId, catalogue, worker, can } = useStudio();
  const say = useWords();
  const [store] = useState(() => {
    const history = copy === undefined ? keptHistory(companyId, draft.canvas.id, draft) : undefined;
    const made = createEditorStore(draft.canvas, { now: () => Date.now(), ...(history !== undefined && { history }) });
    if (copy !== undefined) made.getState().replace('Kept in this browser', copy.canvas);
    made.getState().checkedByService(draft.problems);
    if (nodeId !== undefined) made.getState().select([nodeId]);
    if (fork !== undefined) made.getState().open('test');
    return made;
  });
  const engine = useEngine(worker);
  const testEngine = useEngine(worker);
  useChecks(store, engine, channels);
  const saving = useSaving(store, draft, copy);
  const state = useStore(store);
  const { history, described, selected, panel, shown, placed } = state;
  const { canvas } = history;
  const problems = useMemo(() => allProblems(state), [state.problems, state.serviceProblems]);
  const flow = useMemo(() => flowOf(canvas, { catalogue, described, problems, placed }), [canvas, catalogue, described, problems, placed]);
  const stable = useStableCards(flow);
  const [publishedVersion, setPublishedVersion] = useState(draft.publishedVersion);
  const live = useLiveVersion(canvas, publishedVersion, engine);
  const [dialog, setDialog] = useState<Dialog>();
  const [adding, setAdding] = useState<{ readonly from: PortRef; readonly at?: Point; readonly screen?: Point }>();
  const [test, setTest] = useState<Overlay>();
  const [inView, setInView] = useState<string | readonly string[] | undefined>(nodeId);
  const [isPaletteOpen, setPaletteOpen] = useState(true);
  const isEditable = can('edit');
  const conversation = useRef(fork === undefined ? undefined : memoryOf(fork));
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => root.current?.focus(), []); // its keys work while the focus is inside
  const editing = useEditing(store, engine, {
    onConnectToNothing: (source, port, at, screen) => setAdding({ from: portRef(store, source, port), at, screen }),
    onView: setInView,
  });
  useEffect(() => {
    const timer = setTimeout(() => keepHistory(companyId, canvas.id, saving.snapshot.context.revision, history), 300);
    return () => clearTimeout(timer);
  }, [history, saving.snapshot.context.revision]);
  useEffect(() => {
    if (shown !== undefined) setInView(shown.way.map((step) => step.nodeId));
  }, [shown?.way]);

  const openNode = (id: string): void => {
    state.select([id]);
    state.open('form');
    setInView(id);
  };
  const openProblem = (problem: Problem): void => {
    const field = fieldOf(problem, canvas);
    const id = field?.nodeId ?? problem.nodeId;
    if (id === undefined) return state.open('settings');
    openNode(id);
    requestAnimationFrame(() => {
      const pointer = CSS.escape(field?.pointer ?? '');
      const place = document.querySelector<HTMLElement>(`[data-pointer="${pointer}"] :is(input, textarea, select, .cm-content)`);
      place?.focus();
    });
    return undefined;
  };
  const publish = (): void => void saving.settled().then((isSaved) => isSaved && setDialog('publish'));
  const stopAdding = (): void => {
    const from = adding?.from.nodeId;
    setAdding(undefined);
    if (from !== undefined) root.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(from)}"]`)?.focus();
  };

  const overlay: Overlay = useMemo(() => {
    if (shown === undefined) return panel === 'test' && test !== undefined ? test : {};
    return {
      way: {
        nodes: new Set(shown.way.map((step) => step.nodeId)),
        ports: new Set(shown.way.map((step) => portKey(step.nodeId, step.port ?? ''))),
        at: shown.way[shown.step]?.nodeId,
      },
    };
  }, [shown, test, panel]);
  const node = selected.size === 1 ? canvas.nodes.find(({ id }) => selected.has(id)) : undefined;
  return (
    <div
      className="editor"
      ref={root}
      tabIndex={-1}
      onKeyDown={(event) =>
        onEditorKey(event, {
          store,
          editing,
          flow,
          isEditable,
          onSave: () => saving.actor.send({ type: 'save' }),
          onSearch: () => setDialog('search'),
          onHelp: () => setDialog('keys'),
          onEscape: () => {
            if (adding !== undefined) return stopAdding();
            state.show(undefined);
            state.open(undefined);
            return undefined;
          },
          onConnect: (from) => setAdding({ from }),
        })
      }
      onPaste={(event) => {
        if ((event.target as HTMLElement).closest('input, textarea, [contenteditable="true"]') !== null || !isEditable) return;
        editing.pasteText(event.clipboardData.getData('text/plain'));
      }}
    >
      <EditorBar
        store={store}
        saving={saving}
        live={live}
        problems={problems}
        onTidy={() => void editing.tidy()}
        onPublish={publish}
        onSearch={() => setDialog('search')}
        onHelp={() => setDialog('keys')}
      />
      {isEditable && (
        <aside className={`palette${isPaletteOpen ? '' : ' folded'}`} aria-label={say('palette.title')}>
          <button type="button" className="fold quiet" aria-expanded={isPaletteOpen} onClick={() => setPaletteOpen(!isPaletteOpen)}>
            {say('palette.title')}
          </button>
          {isPaletteOpen && <Palette kind={canvas.kind ?? 'skill'} onAdd={(type) => editing.add(type)} />}
        </aside>
      )}
      <main className="stage">
        <Board
          flow={stable}
          overlay={overlay}
          {...(isEditable && { acts: editing })}
          selected={selected}
          inView={inView}
          placing={placed.size > 0 ? 'placed' : 'authored'}
          label={say('board.label', { name: canvas.name })}
          onSelect={(nodes, wires) =>
            store.getState().select(
              nodes,
              wires.map(({ source, port }) => ({ nodeId: source, port })),
            )
          }
          onOpen={openNode}
          onClick={(id) => {
            const now = store.getState();
            if (now.panel === undefined && now.selected.size === 1 && now.selected.has(id)) now.open('form');
          }}
        />
        {adding !== undefined && (
          <div
            className="add-popover"
            ref={(popover) => putBeside(popover, adding.screen)}
            role="dialog"
            aria-label={say('palette.search')}
            onKeyDown={(event) => event.key === 'Escape' && stopAdding()}
          >
            <IconButton label={say('app.close')} onClick={stopAdding}>
              <X size={16} aria-hidden />
            </IconButton>
            <Palette
              kind={canvas.kind ?? 'skill'}
              isFocused
              onAdd={(type) => {
                editing.add(type, adding.at, adding.from);
                setAdding(undefined);
              }}
            />
          </div>
        )}
        <p className="small-screen">{say('editor.small')}</p>
      </main>
      {panel !== undefined && (
        <aside className="side" aria-label={say(panelTitles[panel])}>
          <IconButton
            label={say('app.close')}
            onClick={() => {
              state.open(undefined);
              state.show(undefined);
            }}
          >
            <X size={16} aria-hidden />
          </IconButton>
          {panel === 'form' && node !== undefined && (
            <NodePanel
              key={node.id}
              node={node}
              canvas={canvas}
              described={described.get(node.id)}
              problems={problems.filter((problem) => problem.nodeId === node.id || fieldOf(problem, canvas)?.nodeId === node.id)}
              onData={(data, field) => state.run(`Changed ${field} of ${node.id}`, setData(node.id, data), `${node.id}/${field}`)}
              onCommand={(name, command) => state.run(name, command)}
              onDelete={editing.deleteSelected}
              onDuplicate={() => editing.duplicate(new Set([node.id]))}
            />
          )}
          {panel === 'settings' && (
            <CanvasSettings
              canvas={canvas}
              isReadOnly={!isEditable}
              onChange={(field, value: Json | undefined) => state.run(`Changed ${field}`, setField(field, value), field)}
            />
          )}
          {panel === 'outline' && <Outline flow={flow} selected={selected} onOpen={openNode} />}
          {panel === 'problems' && (
            <>
              <h2>{say('problems.title')}</h2>
              <ProblemsPanel
                problems={problems}
                shown={shown}
                onOpen={openProblem}
                onShow={state.show}
                onFix={(problem, fix) => state.run(`Mended: ${fix.label} (${problem.code})`, fixCommand(fix))}
              />
            </>
          )}
          {panel === 'test' && (
            <TesterPanel engine={testEngine} canvas={canvas} onOverlay={setTest} onFollow={setInView} memory={conversation} />
          )}
        </aside>
      )}
      <div className="visually-hidden" role="status" aria-live="polite">
        {say(problems.length === 0 ? 'editor.noProblems' : 'editor.problems', { count: problems.length })}
      </div>
      {dialog === 'publish' && (
        <PublishDialog
          engine={engine}
          canvas={canvas}
          revision={saving.snapshot.context.revision}
          problems={problems}
          onPublished={setPublishedVersion}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'keys' && <KeysDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'search' && (
        <SearchDialog
          canvas={canvas}
          problems={problems}
          acts={{
            onNode: openNode,
            onProblem: openProblem,
            onAdd: (type) => editing.add(type),
            onTidy: () => void editing.tidy(),
            onPublish: publish,
            onPanel: state.open,
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      <Merging saving={saving} store={store} />
      <LoginDialog saving={saving} />
    </div>
  );
}

/** Puts a popover where the pointer is, inside its stage. Its style is set by script: the page's policy allows no style attribute. */
function putBeside(popover: HTMLElement | null, pointer: Point | undefined): void {
  const stage = popover?.parentElement?.getBoundingClientRect();
  if (popover === null || stage === undefined || pointer === undefined) return;
  popover.style.insetInlineStart = `${Math.max(8, Math.min(pointer.x - stage.left, stage.width - 276))}px`;
  popover.style.insetBlockStart = `${Math.max(8, Math.min(pointer.y - stage.top, stage.height - 360))}px`;
  popover.style.maxHeight = '352px';
}

const panelTitles = {
  form: 'editor.form',
  problems: 'problems.title',
  test: 'tester.title',
  outline: 'editor.outline',
  settings: 'editor.settings',
} as const;
