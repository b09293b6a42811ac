// The editor of one workflow.
import { type ComponentProps, lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { loadPart } from '../parts/load-part.ts';
import { useStore } from 'zustand';
import type { Draft } from '../api/client.ts';
import { Board, type BoardProps } from '../board/Board.tsx';
import type { Overlay } from '../board/overlay.ts';
import type { Point } from '../canvas/canvas-json.ts';
import { connect } from '../canvas/commands.ts';
import { loadRareEditors } from '../forms/editors/load-rare.ts';
import { loadPreview } from '../forms/Form.tsx';
import { loadExpressionEditor } from '../forms/widgets.tsx';
import type { Fork } from '../executions/time-travel.ts';
import { useHandler } from '../parts/identity.ts';
import { useFocusKept } from '../parts/use-focus-kept.ts';
import { SignedOut } from '../parts/LoginForm.tsx';
import { Loading, Missing, Notice } from '../parts/parts.tsx';
import { later } from '../parts/later.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { isSame } from '../canvas/merge.ts';
import { keptCopy, type OfflineCopy } from '../saving/offline-copy.ts';
import { drawnEvent, type Layer, type NumbersView, type Permission, StudioContext, useStudio } from '../studio-context.ts';
import { loadTester } from '../tester/load-tester.ts';
import { memoryOf } from '../tester/test-memory.ts';
import { useEngine } from '../worker/engine-client.ts';
import { useWords } from '../words/words.tsx';
import type { Adding } from './AddPopover.tsx';
import { clipboardActs } from './clipboard-acts.ts';
import { type DialogName, focusCard, focusField, focusPlace, onEditorKey } from './editor-keys.ts';
import { EditorBar } from './EditorBar.tsx';
import { EditorDialogs, loadSearch } from './EditorDialogs.tsx';
import { EditorPanel, loadPanels } from './EditorPanel.tsx';
import { PaletteColumn } from './PaletteColumn.tsx';
import { portRef } from './ports.ts';
import { Conflicts, LoginDialog } from './SavingDialogs.tsx';
import { useEditorStore, useKeptHistory } from './session.ts';
import { useChannels } from './use-channels.ts';
import { useChecks } from './use-checks.ts';
import { useDrawing, useOverlay } from './use-drawing.ts';
import { useEditing } from './use-editing.ts';
import { useLiveVersion } from './use-live-version.ts';
import { usePlaces } from './use-places.ts';
import { useSaving } from './use-saving.ts';
import { useServiceChecks } from './use-service-checks.ts';
import { useTheirs } from './use-theirs.ts';

const { Part: SelectionBar, load: loadSelection } = later(() => import('./SelectionBar.tsx').then((module) => module.SelectionBar));
const { Part: AddPopover, load: loadAdding } = later(() => import('./AddPopover.tsx').then((module) => module.AddPopover));
/** Loads what an author may open next, after the first picture: the author has begun to work. */
const loadNext = (): void => {
  dispatchEvent(new Event(drawnEvent));
  void Promise.all([
    loadExpressionEditor(),
    loadRareEditors(),
    loadSearch(),
    loadTester(),
    loadPanels(),
    loadSelection(),
    loadAdding(),
    loadPreview(),
  ]).catch(() => undefined);
};
const TogetherBar = lazy(() => loadPart(() => import('../together/TogetherBar.tsx').then((module) => ({ default: module.TogetherBar }))));

interface EditorScreenProps {
  readonly workflowId: string;
  /** The node that is looked at first. */
  readonly nodeId?: string;
  /** A conversation for the tester, of an execution. */
  readonly fork?: Fork;
  /** What is drawn over the canvas at first. */
  readonly layer?: Layer;
  readonly numbers?: NumbersView;
}

/** The editor of one workflow. */
export function EditorScreen({ workflowId, ...about }: EditorScreenProps) {
  const { client, companyId, go } = useStudio();
  const say = useWords();
  const { value, error, reload, isMissing, isSignedOut } = useLoaded(`${companyId}/${workflowId}`, async () => {
    const [draft, copy] = [await client.draft(companyId, workflowId), await keptCopy(companyId, workflowId)];
    // It has arrived after all, with the last save of a page that was left: there is nothing to merge with oneself.
    const isNew = copy !== undefined && !isSame(copy.canvas, draft.canvas);
    return { draft, copy: isNew ? copy : undefined };
  });
  if (isMissing)
    return (
      <main>
        <Missing text={say('app.noWorkflow', { id: workflowId })} onBack={() => go({ screen: 'workflows' })} />
      </main>
    );
  if (value === undefined) return isSignedOut ? <SignedOut onSignedIn={reload} /> : <Loading error={error} onRetry={reload} />;
  return <LockableEditor key={`${companyId}/${workflowId}`} {...value} {...about} />;
}

/** An editor in which nothing is changed or published while somebody else keeps the workflow for themselves; who may edit still comments. */
function LockableEditor(props: Omit<EditorProps, 'together'>) {
  const studio = useStudio();
  const [lock, setLock] = useState(props.draft.lock);
  const isTheirs = lock?.isMine === false;
  const here = useMemo(
    () => (isTheirs ? { ...studio, can: (what: Permission) => what !== 'edit' && what !== 'publish' && studio.can(what) } : studio),
    [studio, isTheirs],
  );
  return (
    <StudioContext value={here}>
      <Editor
        {...props}
        together={(about) => (
          <StudioContext value={studio}>
            <Suspense fallback={null}>
              <TogetherBar {...about} lock={lock} onLock={setLock} />
            </Suspense>
          </StudioContext>
        )}
      />
    </StudioContext>
  );
}

interface EditorProps extends Omit<EditorScreenProps, 'workflowId'> {
  readonly draft: Draft;
  readonly copy: OfflineCopy | undefined;
  /** Who else is here, in the bar. */
  readonly together: (about: Omit<ComponentProps<typeof TogetherBar>, 'lock' | 'onLock'>) => ReactNode;
}

/** A draft that is checked, saved and brought up to date with the edits of others while it is edited. */
function useDraft(
  draft: Draft,
  copy: OfflineCopy | undefined,
  { onNotice, ...begin }: Parameters<typeof useEditorStore>[2] & { readonly onNotice: (text: string) => void },
) {
  const { worker } = useStudio();
  const store = useEditorStore(draft, copy, begin);
  const engine = useEngine(worker);
  useChecks(store, engine, useChannels());
  const saving = useSaving(store, draft, copy);
  useServiceChecks(store, saving);
  useTheirs(store, saving, onNotice);
  useKeptHistory(store, saving.snapshot.context.revision);
  return { store, engine, saving };
}

function Editor({ draft, copy, nodeId, fork, layer, numbers = {}, together }: EditorProps) {
  const { can } = useStudio();
  const say = useWords();
  const isEditable = can('edit');
  const root = useRef<HTMLDivElement>(null);
  const [notice, setNotice] = useState<string>();
  const { store, engine, saving } = useDraft(draft, copy, { nodeId, panel: fork === undefined ? layer : 'test', onNotice: setNotice });
  useFocusKept(root);
  const state = useStore(store);
  const { selected, panel, shown, placed } = state;
  const { canvas } = state.history;
  const { flow, problems, allOfThem, overlapping } = useDrawing(state);
  const [publishedVersion, setPublishedVersion] = useState(draft.publishedVersion);
  const [gate, setGate] = useState(draft.gate);
  const live = useLiveVersion(canvas, publishedVersion, engine);
  const [dialog, setDialog] = useState<DialogName>();
  const typed = useRef('');
  const openDialog = (name: DialogName | undefined): void => {
    typed.current = '';
    setDialog(name);
  };
  const [adding, setAdding] = useState<Adding>();
  const [test, setTest] = useState<Overlay>();
  const pointer = useRef<() => Point | undefined>(undefined);
  const conversation = useRef(fork === undefined ? undefined : memoryOf(fork));
  const [beside, setBeside] = useState<Overlay['beside']>();
  const overlay = useOverlay(state, test, beside);
  const places = usePlaces(store, root, nodeId);
  const { openNode, backToOutline } = places;
  const editing = useEditing(store, engine, {
    onAskTarget: (source, port, screen, at) => setAdding({ from: portRef(store, source, port), screen, ...(at !== undefined && { at }) }),
    onNoCanvas: () => setNotice(say('workflows.notCanvas', { reason: 'id, nodes, edges' })),
    onView: places.setInView,
    onPut: (first) => {
      root.current?.focus(); // the next key is about them, and not about the card that had the focus
      requestAnimationFrame(() => focusPlace(root.current, first, { preventScroll: true })); // they stay where they were put
    },
    onDeleted: (near) => requestAnimationFrame(() => focusPlace(root.current, near)),
  });

  /** Leads into the form of a node that was just added, where it is open; else to its card. */
  const writeFresh = (): void => {
    const [id] = store.getState().selected;
    requestAnimationFrame(() => (store.getState().panel === 'form' ? focusField(root.current) : focusPlace(root.current, id)));
  };

  // The palette and the board are rendered again only when what they show has changed: their handlers keep their identity.
  const add = useHandler((type: string) => {
    void editing.add(type).then(writeFresh);
  });
  /** Whether the pointer went down with Shift. */
  const isAdding = useRef(false);
  const select = useHandler<Parameters<NonNullable<BoardProps['onSelect']>>, void>((nodes, wires) =>
    state.select(
      nodes,
      wires.map(({ source, port }) => ({ nodeId: source, port })),
      isAdding.current,
    ),
  );
  const clickNode = useHandler((id: string) => {
    const now = store.getState();
    if (now.selected.size > 1) return now.select([id]); // one of several: it alone from now on
    if (now.panel === undefined && now.selected.has(id)) now.open('form');
    return undefined;
  });
  const publish = (): void => void saving.settled().then((isSaved) => isSaved && openDialog('publish'));
  // The canvas is drawn and checked: what its author may open next is there by then.
  useEffect(() => {
    if (state.isChecked) loadNext();
  }, [state.isChecked]);
  /** Something is done: what comes next is loaded, and a hint about the last thing is over. */
  const begin = (): void => {
    loadNext();
    if (notice === say('board.noPort')) setNotice(undefined);
  };
  const stopAdding = (): void => {
    setAdding(undefined);
    focusPlace(root.current, adding?.from.nodeId);
  };

  return (
    <div
      className="editor"
      ref={root}
      tabIndex={-1}
      onPointerDownCapture={({ shiftKey }) => {
        isAdding.current = shiftKey;
        begin();
      }}
      onKeyDownCapture={begin}
      onKeyDown={(event) =>
        onEditorKey(event, {
          store,
          editing,
          flow,
          isEditable,
          dialog,
          typed,
          onCloseDialog: () => openDialog(undefined),
          onSave: () => saving.actor.send({ type: 'save' }),
          onSearch: () => openDialog('search'),
          onHelp: () => openDialog('keys'),
          onEscape: () => {
            if (adding !== undefined) return stopAdding();
            if (panel === 'form' && places.isByOutline) return backToOutline();
            return places.closePanel();
          },
          onLeaveField: () => (panel === 'form' && places.isByOutline ? backToOutline() : focusCard(root.current, [...selected][0])),
          onConnect: (from) => setAdding({ from }),
          onNoPort: () => setNotice(say('board.noPort')),
          onWay: (by) => {
            const step = (shown?.step ?? 0) + by;
            if (shown !== undefined && step >= 0 && step < shown.way.length) state.show({ ...shown, step });
          },
          say,
        })
      }
      {...clipboardActs(editing, { isEditable, pointer })}
    >
      <EditorBar
        store={store}
        saving={saving}
        live={live}
        gate={gate}
        problems={problems}
        overlapping={overlapping}
        onTidy={() => void editing.tidy()}
        onPublish={publish}
        onSearch={() => openDialog('search')}
        onHelp={() => openDialog('keys')}
        together={state.isChecked && together({ store, onBeside: setBeside, onOpen: openNode })}
      />
      {isEditable && <PaletteColumn kind={canvas.kind ?? 'skill'} onAdd={add} />}
      <main className="stage">
        <Board
          flow={flow}
          overlay={overlay}
          {...(isEditable && { acts: editing })}
          selected={selected}
          inView={places.inView}
          placing={placed.size > 0 ? 'placed' : 'authored'}
          isPlaced={state.isPlaced}
          pointer={pointer}
          label={say('board.label', { name: canvas.name })}
          onSelect={select}
          onOpen={openNode}
          onClick={clickNode}
        />
        {isEditable && selected.size > 1 && <SelectionBar of={{ selected, editing }} />}
        {adding !== undefined && (
          <AddPopover
            of={{
              adding,
              kind: canvas.kind ?? 'skill',
              cards: flow.cards,
              onAdd(type) {
                if (adding.inserts === true) editing.insert(type, adding.from);
                else void editing.add(type, adding.at, adding.from);
                setAdding(undefined);
                writeFresh();
              },
              onConnect(target) {
                state.run(say('step.connected'), connect(adding.from, target));
                stopAdding();
              },
              onClose: stopAdding,
            }}
          />
        )}
        {overlay.strip !== undefined && <div className="strip">{overlay.strip}</div>}
        <p className="small-screen">{say('editor.small')}</p>
      </main>
      <EditorPanel
        store={store}
        editing={editing}
        places={places}
        flow={flow}
        problems={problems}
        conversation={conversation}
        publishedVersion={publishedVersion}
        numbers={numbers}
        onTest={setTest}
        onConnect={(from, inserts) => setAdding({ from, inserts })}
      />
      <div className="visually-hidden" role="status" aria-live="polite">
        {state.isChecked && say(problems.length === 0 ? 'editor.noProblems' : 'editor.problems', { count: problems.length })}
      </div>
      <EditorDialogs
        {...{ store, engine, canvas, editing, places, root, problems }}
        open={dialog}
        typed={typed}
        revision={saving.snapshot.context.revision}
        allProblems={allOfThem}
        onPublish={publish}
        onPublished={(version) => {
          setPublishedVersion(version);
          setGate(gate?.state === 'paused' ? gate : null); // a pause goes on, and holds the new version
        }}
        onClose={() => openDialog(undefined)}
      />
      {notice !== undefined && <Notice text={notice} onClose={() => setNotice(undefined)} />}
      <Conflicts saving={saving} store={store} />
      <LoginDialog saving={saving} />
    </div>
  );
}
