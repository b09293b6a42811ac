import type { Channel, Json, JsonObject, Problem } from '@hilo/engine/contract';
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { type ClipboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Draft } from '../api/client.ts';
import { Board, type BoardProps } from '../board/Board.tsx';
import { noOverlay, type Overlay } from '../board/overlay.ts';
import { rectsOf } from '../board/rects.ts';
import { portKey } from '../canvas/canvas-json.ts';
import { connect, setData, setField } from '../canvas/commands.ts';
import { countOverlapping } from '../canvas/overlaps.ts';
import type { Fork } from '../executions/time-travel.ts';
import { SignedOut } from '../parts/LoginForm.tsx';
import { IconButton, Loading, Notice } from '../parts/parts.tsx';
import { useHandler } from '../parts/use-handler.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { keptCopy, type OfflineCopy } from '../saving/offline-copy.ts';
import { useStudio } from '../studio-context.ts';
import { memoryOf, TesterPanel } from '../tester/TesterPanel.tsx';
import { useEngine } from '../worker/use-engine.ts';
import { useWords } from '../words/words.tsx';
import { type Adding, AddPopover } from './AddPopover.tsx';
import { focusCard, focusField, focusPlace, onEditorKey } from './editor-keys.ts';
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
import { SelectionBar } from './SelectionBar.tsx';
import { SidePanel } from './SidePanel.tsx';
import { keepHistory, keptHistory } from './session.ts';
import { useChecks } from './use-checks.ts';
import { type Editing, useEditing } from './use-editing.ts';
import { useFlow } from './use-flow.ts';
import { useLiveVersion } from './use-live-version.ts';
import { useSaving } from './use-saving.ts';

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
  const { value, error, reload, isSignedOut } = useLoaded(`${companyId}/${workflowId}`, async () => ({
    draft: await client.draft(companyId, workflowId),
    copy: await keptCopy(companyId, workflowId),
  }));
  if (value === undefined) return isSignedOut ? <SignedOut onSignedIn={reload} /> : <Loading error={error} onRetry={reload} />;
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
    if (copy !== undefined) made.getState().replace(say('step.kept'), copy.canvas);
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
  const flow = useFlow(canvas, { catalogue, described, problems, placed });
  const overlapping = useMemo(() => countOverlapping([...rectsOf(flow)].map(([id, rect]) => ({ id, ...rect }))), [flow]);
  const [publishedVersion, setPublishedVersion] = useState(draft.publishedVersion);
  const live = useLiveVersion(canvas, publishedVersion, engine);
  const [dialog, setDialog] = useState<Dialog>();
  const [adding, setAdding] = useState<Adding>();
  const [notice, setNotice] = useState<string>();
  const [test, setTest] = useState<Overlay>();
  const [variables, setVariables] = useState<JsonObject>({});
  const [inView, setInView] = useState<string | readonly string[] | undefined>(nodeId);
  const [isPaletteOpen, setPaletteOpen] = useState(true);
  /** Whether the form was opened from the outline, where its author goes on. */
  const [isByOutline, setByOutline] = useState(false);
  useEffect(() => setByOutline((before) => before && (panel === 'form' || panel === 'outline')), [panel]);
  const isEditable = can('edit');
  const conversation = useRef(fork === undefined ? undefined : memoryOf(fork));
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => root.current?.focus(), []); // its keys work while the focus is inside
  const editing = useEditing(store, engine, {
    onAskTarget: (source, port, screen, at) => setAdding({ from: portRef(store, source, port), screen, ...(at !== undefined && { at }) }),
    onNoCanvas: () => setNotice(say('workflows.notCanvas', { reason: 'id, nodes, edges' })),
    onView: setInView,
    onPut: (nodeId) => {
      root.current?.focus(); // the next key is about them, and not about the card that had the focus
      requestAnimationFrame(() => focusPlace(root.current, nodeId));
    },
    onDeleted: (near) => requestAnimationFrame(() => focusPlace(root.current, near)),
  });
  const keep = useHandler(() => keepHistory(companyId, canvas.id, saving.snapshot.context.revision, store.getState().history));
  useEffect(() => {
    // Writing the steps takes longer than most edits: they are kept when the page is hidden or left, for any reason.
    addEventListener('pagehide', keep);
    document.addEventListener('visibilitychange', keep);
    return () => {
      removeEventListener('pagehide', keep);
      document.removeEventListener('visibilitychange', keep);
      keep();
    };
  }, [keep]);
  useEffect(() => {
    if (shown !== undefined) setInView(shown.way.map((step) => step.nodeId));
  }, [shown?.way]);

  // The palette and the board are rendered again only when what they show has changed: their handlers keep their identity.
  const add = useHandler((type: string) => editing.add(type));
  const select = useHandler<Parameters<NonNullable<BoardProps['onSelect']>>, void>((nodes, wires) =>
    state.select(
      nodes,
      wires.map(({ source, port }) => ({ nodeId: source, port })),
    ),
  );
  const clickNode = useHandler((id: string) => {
    const now = store.getState();
    if (now.panel === undefined && now.selected.size === 1 && now.selected.has(id)) now.open('form');
  });
  const openNode = useHandler((id: string) => {
    state.select([id]);
    state.open('form');
    setInView(id);
  });
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
    setAdding(undefined);
    focusPlace(root.current, adding?.from.nodeId);
  };
  /** Closes the panel; the focus does not go with it. */
  const closePanel = (): void => {
    state.open(undefined);
    state.show(undefined);
    requestAnimationFrame(() => root.current?.contains(document.activeElement) === true || focusPlace(root.current, [...selected][0]));
  };
  const openFromOutline = (id: string, field?: 'label'): void => {
    openNode(id);
    setByOutline(true);
    requestAnimationFrame(() => focusField(root.current, field));
  };
  const backToOutline = (): void => {
    state.open('outline');
    requestAnimationFrame(() => focusPlace(root.current, undefined));
  };

  const tested = panel === 'test' ? test : undefined;
  const overlay: Overlay = useMemo(() => {
    if (shown === undefined) return tested ?? noOverlay;
    return {
      way: {
        nodes: new Set(shown.way.map((step) => step.nodeId)),
        ports: new Set(shown.way.map((step) => portKey(step.nodeId, step.port ?? ''))),
        at: shown.way[shown.step]?.nodeId,
      },
    };
  }, [shown, tested]);
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
            if (panel === 'form' && isByOutline) return backToOutline();
            return closePanel();
          },
          onLeaveField: () => (panel === 'form' && isByOutline ? backToOutline() : focusCard(root.current, [...selected][0])),
          onConnect: (from) => setAdding({ from }),
          onWay: (by) => {
            const step = (shown?.step ?? 0) + by;
            if (shown !== undefined && step >= 0 && step < shown.way.length) state.show({ ...shown, step });
          },
          say,
        })
      }
      onCopy={(event) => copySelected(event, editing)}
      onCut={(event) => isEditable && copySelected(event, editing) && editing.deleteSelected()}
      onPaste={(event) => isEditable && !isInText(event.target) && editing.pasteText(event.clipboardData.getData('text/plain'))}
    >
      <EditorBar
        store={store}
        saving={saving}
        live={live}
        problems={problems}
        overlapping={overlapping}
        onTidy={() => void editing.tidy()}
        onPublish={publish}
        onSearch={() => setDialog('search')}
        onHelp={() => setDialog('keys')}
      />
      {isEditable && (
        <aside className={`palette${isPaletteOpen ? '' : ' folded'}`} aria-label={say('palette.title')}>
          <IconButton
            label={say(isPaletteOpen ? 'palette.fold' : 'palette.unfold')}
            expanded={isPaletteOpen}
            onClick={() => setPaletteOpen(!isPaletteOpen)}
          >
            {isPaletteOpen ? <PanelLeftClose size={16} aria-hidden /> : <PanelLeftOpen size={16} aria-hidden />}
          </IconButton>
          {isPaletteOpen && <Palette kind={canvas.kind ?? 'skill'} onAdd={add} />}
        </aside>
      )}
      <main className="stage">
        <Board
          flow={flow}
          overlay={overlay}
          {...(isEditable && { acts: editing })}
          selected={selected}
          inView={inView}
          placing={placed.size > 0 ? 'placed' : 'authored'}
          label={say('board.label', { name: canvas.name })}
          onSelect={select}
          onOpen={openNode}
          onClick={clickNode}
        />
        {isEditable && selected.size > 1 && <SelectionBar selected={selected} editing={editing} />}
        {adding !== undefined && (
          <AddPopover
            adding={adding}
            kind={canvas.kind ?? 'skill'}
            cards={flow.cards}
            onAdd={(type) => {
              if (adding.inserts === true) editing.insert(type, adding.from);
              else editing.add(type, adding.at, adding.from);
              setAdding(undefined);
              if (panel === 'outline') requestAnimationFrame(() => focusPlace(root.current, undefined));
            }}
            onConnect={(target) => {
              state.run(say('step.connected'), connect(adding.from, target));
              stopAdding();
            }}
            onClose={stopAdding}
          />
        )}
        <p className="small-screen">{say('editor.small')}</p>
      </main>
      {panel !== undefined && (
        <SidePanel
          label={say(panelTitles[panel])}
          onClose={closePanel}
          onBack={panel === 'form' && isByOutline ? backToOutline : undefined}
        >
          {panel === 'form' && node !== undefined && (
            <NodePanel
              key={node.id}
              node={node}
              canvas={canvas}
              described={described.get(node.id)}
              problems={problems.filter((problem) => problem.nodeId === node.id || fieldOf(problem, canvas)?.nodeId === node.id)}
              onData={(data, field) =>
                state.run(say('step.changedOf', { field, node: node.id }), setData(node.id, data), `${node.id}/${field}`)
              }
              onCommand={(name, command) => state.run(name, command)}
              variables={variables}
              onDelete={editing.deleteSelected}
              onDuplicate={() => editing.duplicate(new Set([node.id]))}
              onPin={() => editing.pin(new Set([node.id]))}
            />
          )}
          {panel === 'settings' && (
            <CanvasSettings
              canvas={canvas}
              isReadOnly={!isEditable}
              onChange={(field, value: Json | undefined) => state.run(say('step.changed', { field }), setField(field, value), field)}
            />
          )}
          {panel === 'outline' && (
            <Outline
              flow={flow}
              selected={selected}
              editing={isEditable ? editing : undefined}
              onSelect={state.select}
              onOpen={openFromOutline}
              onConnect={(from, inserts) => setAdding({ from, inserts })}
            />
          )}
          {panel === 'problems' && (
            <>
              <h2>{say('problems.title')}</h2>
              <ProblemsPanel
                problems={problems}
                shown={shown}
                onOpen={openProblem}
                onShow={state.show}
                onFix={(fix) => state.run(say('step.fixed', { what: fix.label }), fixCommand(fix))}
              />
            </>
          )}
          {panel === 'test' && (
            <TesterPanel
              engine={testEngine}
              canvas={canvas}
              onOverlay={setTest}
              onFollow={setInView}
              onVariables={setVariables}
              memory={conversation}
            />
          )}
        </SidePanel>
      )}
      <div className="visually-hidden" role="status" aria-live="polite">
        {state.isChecked && say(problems.length === 0 ? 'editor.noProblems' : 'editor.problems', { count: problems.length })}
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
      {notice !== undefined && <Notice text={notice} onClose={() => setNotice(undefined)} />}
      <Merging saving={saving} store={store} />
      <LoginDialog saving={saving} />
    </div>
  );
}

const isInText = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('input, textarea, [contenteditable="true"]') !== null;

/** Puts the selected nodes on the clipboard, unless a text is meant. @returns whether they are there */
function copySelected(event: ClipboardEvent, editing: Editing): boolean {
  const copied = editing.copied();
  if (copied === undefined || isInText(event.target) || getSelection()?.isCollapsed === false) return false;
  event.preventDefault();
  event.clipboardData.setData('text/plain', copied);
  return true;
}

const panelTitles = {
  form: 'editor.form',
  problems: 'problems.title',
  test: 'tester.title',
  outline: 'editor.outline',
  settings: 'editor.settings',
} as const;
