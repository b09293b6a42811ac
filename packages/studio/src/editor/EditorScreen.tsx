import type { Channel, Json, JsonObject, Problem } from '@hilo/engine/contract';
import {
  Activity,
  ArrowLeft,
  Check,
  CircleAlert,
  FlaskConical,
  History as HistoryIcon,
  LayoutGrid,
  ListTree,
  Redo2,
  Settings2,
  Undo2,
  X,
} from 'lucide-react';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Draft } from '../api/client.ts';
import { Board, type BoardActs } from '../board/Board.tsx';
import type { Overlay } from '../board/overlay.ts';
import { asCanvas, type CanvasJson, portKey } from '../canvas/canvas-json.ts';
import {
  addNode,
  connect,
  copyOf,
  freshNodeId,
  insertOnEdge,
  leaveBy,
  moveNodes,
  paste,
  type PortRef,
  remove,
  setData,
  setField,
  snap,
} from '../canvas/commands.ts';
import { flowOf } from '../canvas/flow.ts';
import { emptyOf } from '../forms/shape.ts';
import { IconButton, Loading } from '../parts/parts.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { TesterPanel } from '../tester/TesterPanel.tsx';
import { useEngine } from '../worker/use-engine.ts';
import { useWords } from '../words/words.tsx';
import { ConflictDialog, LoginDialog, SavingSign } from './SavingDialogs.tsx';
import { allProblems, createEditorStore, type EditorStore } from './editor-store.ts';
import { CanvasSettings, NodePanel } from './NodePanel.tsx';
import { Outline } from './Outline.tsx';
import { Palette } from './Palette.tsx';
import { fieldOf, fixCommand } from './problem-parts.ts';
import { ProblemsPanel } from './ProblemsPanel.tsx';
import { PublishDialog } from './PublishDialog.tsx';
import { keepHistory, keptHistory } from './session.ts';
import { layOutAll, useChecks } from './use-checks.ts';
import { useSaving } from './use-saving.ts';

const channels: readonly Channel[] = [];

/** The editor of one workflow. */
export function EditorScreen({
  workflowId,
  nodeId,
  transcript,
}: {
  readonly workflowId: string;
  readonly nodeId?: string;
  readonly transcript?: string;
}) {
  const { client, companyId } = useStudio();
  const { value: draft, error, reload } = useLoaded(`${companyId}/${workflowId}`, () => client.draft(companyId, workflowId));
  if (draft === undefined) return <Loading error={error} onRetry={reload} />;
  return (
    <Editor
      key={`${companyId}/${workflowId}`}
      draft={draft}
      {...(nodeId !== undefined && { nodeId })}
      {...(transcript !== undefined && { transcript })}
    />
  );
}

function Editor({ draft, nodeId, transcript }: { readonly draft: Draft; readonly nodeId?: string; readonly transcript?: string }) {
  const { companyId, catalogue, worker, go, can } = useStudio();
  const say = useWords();
  const [store] = useState(() => {
    const history = keptHistory(companyId, draft.canvas.id, draft);
    const made = createEditorStore(draft.canvas, { now: () => Date.now(), ...(history !== undefined && { history }) });
    made.getState().checkedByService(draft.problems);
    return made;
  });
  const engine = useEngine(worker);
  const testEngine = useEngine(worker);
  useChecks(store, engine, channels);
  const saving = useSaving(store, draft);
  const state = useStore(store);
  const { history, described, selected, selectedWires, panel, shown, placed } = state;
  const { canvas } = history;
  const problems = useMemo(() => allProblems(state), [state.problems, state.serviceProblems]);
  const flow = useMemo(() => flowOf(canvas, { catalogue, described, problems, placed }), [canvas, catalogue, described, problems, placed]);
  const stable = useStableCards(flow);
  const [isPublishing, setPublishing] = useState(false);
  const [adding, setAdding] = useState<{ readonly from: PortRef; readonly at: { readonly x: number; readonly y: number } }>();
  const [test, setTest] = useState<Overlay>();
  const [inView, setInView] = useState(nodeId);
  const [isPaletteOpen, setPaletteOpen] = useState(true);
  const isEditable = can('edit');
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => root.current?.focus(), []); // its keys work while the focus is inside
  const clipboard = useRef<Pick<CanvasJson, 'nodes' | 'edges'>>(undefined);

  useEffect(() => {
    if (nodeId !== undefined) store.getState().select([nodeId]);
  }, [nodeId, store]);
  useEffect(() => {
    const timer = setTimeout(() => keepHistory(companyId, canvas.id, saving.snapshot.context.revision, history), 300);
    return () => clearTimeout(timer);
  }, [history, saving.snapshot.context.revision]);

  const nodeOf = useCallback(
    (type: string, position: { readonly x: number; readonly y: number }) => {
      const entry = catalogue.get(type);
      const data = entry === undefined ? {} : (emptyOf(entry.schema, entry.schema) as JsonObject);
      return { id: freshNodeId(store.getState().history.canvas, type), type, position: snap(position), data };
    },
    [catalogue, store],
  );
  const firstPort = (type: string): string | undefined => catalogue.get(type)?.ports?.required[0];
  const titleOf = (type: string): string => catalogue.get(type)?.label ?? type;

  /** Adds a node, connects it where it came from, and opens its form. */
  const add = useCallback(
    (type: string, position?: { readonly x: number; readonly y: number }, from?: PortRef) => {
      const { history: now, selected: chosen } = store.getState();
      const [after] = chosen.size === 1 ? [...chosen] : [];
      const card = flowOf(now.canvas, { catalogue, described: store.getState().described, placed: store.getState().placed }).cards.find(
        ({ id }) => id === after,
      );
      const open = from ?? openPort(card);
      const beside = card === undefined ? lowest(now.canvas) : { x: card.position.x + 328, y: card.position.y };
      const node = nodeOf(type, position ?? beside);
      const entersNothing = catalogue.get(type)?.category === 'entry' || type === 'note';
      state.run(`Added ${titleOf(type)}`, addNode(node, entersNothing ? undefined : open));
      state.select([node.id]);
      setInView(node.id);
      setAdding(undefined);
    },
    [store, nodeOf, catalogue],
  );

  const acts: BoardActs = useMemo(
    () => ({
      onMove: (positions) =>
        store.getState().run(positions.size === 1 ? 'Moved a node' : `Moved ${positions.size} nodes`, moveNodes(positions)),
      onConnect: (source, port, target) => store.getState().run('Connected', connect(portRef(store, source, port), target)),
      onRedirect(wire, to) {
        const from = portRef(store, wire.source, wire.port);
        const isSamePort = wire.source === to.source && wire.port === to.port;
        store.getState().run('Led elsewhere', isSamePort ? connect(from, to.target) : leaveBy(from, portRef(store, to.source, to.port)));
      },
      onConnectToNothing: (source, port, at) => setAdding({ from: portRef(store, source, port), at }),
      onDrop(type, at, onWire) {
        const node = nodeOf(type, at);
        store
          .getState()
          .run(
            `Added ${titleOf(type)}`,
            onWire === undefined ? addNode(node) : insertOnEdge(node, portRef(store, onWire.source, onWire.port), firstPort(type)),
          );
        store.getState().select([node.id]);
      },
    }),
    [store, nodeOf],
  );

  const tidy = async (): Promise<void> => {
    const { selected: chosen } = store.getState();
    const places = await layOutAll(canvas, engine, { catalogue, described });
    const some = chosen.size > 1 ? new Map([...places].filter(([id]) => chosen.has(id))) : places;
    state.run('Tidied up', moveNodes(some));
  };
  const deleteSelected = (): void => {
    if (selected.size + selectedWires.length === 0) return;
    state.run(
      selected.size > 0 ? `Deleted ${selected.size} node${selected.size === 1 ? '' : 's'}` : 'Deleted a way',
      remove(
        selected,
        selectedWires.map(({ nodeId: source, port }) => portRef(store, source, port)),
      ),
    );
    state.select([]);
  };
  const putIn = (copied: Pick<CanvasJson, 'nodes' | 'edges'>, name: string): void => {
    const { command, ids } = paste(store.getState().history.canvas, copied, { x: 40, y: 40 });
    state.run(name, command);
    state.select(ids);
  };
  const copy = (): void => {
    if (selected.size === 0) return;
    const copied = copyOf(canvas, selected);
    clipboard.current = copied;
    void navigator.clipboard?.writeText(JSON.stringify({ ...canvas, ...copied }, null, 2)).catch(() => undefined);
  };
  const pasteText = (text: string): void => {
    let pasted: CanvasJson | undefined;
    try {
      pasted = asCanvas(JSON.parse(text));
    } catch {
      return;
    }
    if (pasted !== undefined) putIn(pasted, `Pasted ${pasted.nodes.length} nodes`);
  };
  const openProblem = (problem: Problem): void => {
    const field = fieldOf(problem, canvas);
    const id = field?.nodeId ?? problem.nodeId;
    if (id === undefined) return state.open('settings');
    state.select([id]);
    state.open('form');
    setInView(id);
    requestAnimationFrame(() => {
      const place = document.querySelector(
        `[data-pointer="${CSS.escape(field?.pointer ?? '')}"] :is(input, textarea, select, .cm-content)`,
      );
      if (place instanceof HTMLElement) place.focus();
    });
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    const isTyping = target.closest('input, textarea, select, [contenteditable="true"], dialog') !== null;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    const handled = (): void => event.preventDefault();
    if (command && key === 's') {
      handled();
      saving.actor.send({ type: 'save' });
      return;
    }
    if (isTyping) return;
    if (command && key === 'z') {
      handled();
      if (event.shiftKey) state.redo();
      else state.undo();
    } else if (command && key === 'y') {
      handled();
      state.redo();
    } else if (command && key === 'c') copy();
    else if (command && key === 'x' && isEditable) {
      copy();
      deleteSelected();
    } else if (command && key === 'd' && isEditable) {
      handled();
      putIn(copyOf(canvas, selected), 'Duplicated');
    } else if (command && key === 'a') {
      handled();
      state.select(canvas.nodes.map(({ id }) => id));
    } else if ((key === 'delete' || key === 'backspace') && isEditable) deleteSelected();
    else if (key === 't') state.open(panel === 'test' ? undefined : 'test');
    else if (key === 'p') state.open(panel === 'problems' ? undefined : 'problems');
    else if (key === 'escape') {
      state.show(undefined);
      setAdding(undefined);
      state.open(undefined);
    } else if (key === '/') {
      handled();
      document.querySelector<HTMLInputElement>('.hilo-studio .palette input')?.focus();
    } else
      moveByKey(event, target, {
        store,
        flow,
        isEditable,
        onOpen: (id) => {
          state.select([id]);
          state.open('form');
        },
        onConnect: (from) => setAdding({ from, at: { x: 0, y: 0 } }),
      });
  };

  const overlay: Overlay = useMemo(() => {
    if (shown !== undefined) {
      const at = shown.way[shown.step];
      return {
        way: {
          nodes: new Set(shown.way.map((step) => step.nodeId)),
          ports: new Set(shown.way.map((step) => portKey(step.nodeId, step.port ?? ''))),
          at: at?.nodeId,
        },
      };
    }
    return panel === 'test' && test !== undefined ? test : {};
  }, [shown, test, panel]);
  useEffect(() => {
    if (shown !== undefined) setInView(shown.way[shown.step]?.nodeId);
  }, [shown]);

  const node = selected.size === 1 ? canvas.nodes.find(({ id }) => selected.has(id)) : undefined;
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return (
    <div
      className="editor"
      ref={root}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onPaste={(event) => {
        if ((event.target as HTMLElement).closest('input, textarea, [contenteditable="true"]') !== null || !isEditable) return;
        pasteText(event.clipboardData.getData('text/plain'));
      }}
    >
      <header className="top-bar">
        <IconButton
          label={say('editor.back')}
          onClick={() => {
            void saving.settled();
            go({ screen: 'workflows' });
          }}
        >
          <ArrowLeft size={18} aria-hidden />
        </IconButton>
        <h1 className="visually-hidden">{canvas.name}</h1>
        <input
          className="name"
          aria-label={say('editor.name')}
          value={canvas.name}
          readOnly={!isEditable}
          maxLength={200}
          dir="auto"
          onChange={({ target }) => state.run('Renamed the workflow', setField('name', target.value), 'name')}
        />
        <SavingSign saving={saving} />
        {draft.publishedVersion !== null && (
          <span className="quiet-text live">{say('editor.live', { version: draft.publishedVersion })}</span>
        )}
        <span className="spring" />
        {isEditable && (
          <IconButton
            label={history.past.length === 0 ? say('editor.undo') : say('editor.undoStep', { step: history.past.at(-1)?.name ?? '' })}
            onClick={state.undo}
            disabled={history.past.length === 0}
          >
            <Undo2 size={18} aria-hidden />
          </IconButton>
        )}
        {isEditable && (
          <IconButton
            label={history.future.length === 0 ? say('editor.redo') : say('editor.redoStep', { step: history.future[0]?.name ?? '' })}
            onClick={state.redo}
            disabled={history.future.length === 0}
          >
            <Redo2 size={18} aria-hidden />
          </IconButton>
        )}
        {isEditable && (
          <IconButton label={say('editor.tidy')} onClick={() => void tidy()}>
            <LayoutGrid size={18} aria-hidden />
          </IconButton>
        )}
        <IconButton
          label={say('editor.outline')}
          pressed={panel === 'outline'}
          onClick={() => state.open(panel === 'outline' ? undefined : 'outline')}
        >
          <ListTree size={18} aria-hidden />
        </IconButton>
        <IconButton
          label={say('editor.settings')}
          pressed={panel === 'settings'}
          onClick={() => state.open(panel === 'settings' ? undefined : 'settings')}
        >
          <Settings2 size={18} aria-hidden />
        </IconButton>
        <IconButton
          label={say('editor.versions')}
          onClick={() => {
            void saving.settled();
            go({ screen: 'versions', workflowId: canvas.id });
          }}
        >
          <HistoryIcon size={18} aria-hidden />
        </IconButton>
        <IconButton
          label={say('editor.executions')}
          onClick={() => {
            void saving.settled();
            go({ screen: 'executions', workflowId: canvas.id });
          }}
        >
          <Activity size={18} aria-hidden />
        </IconButton>
        <button
          type="button"
          className={`problem-count ${errors > 0 ? 'bad' : problems.length > 0 ? 'warn' : 'good'}`}
          aria-pressed={panel === 'problems'}
          onClick={() => state.open(panel === 'problems' ? undefined : 'problems')}
        >
          {problems.length === 0 ? <Check size={15} aria-hidden /> : <CircleAlert size={15} aria-hidden />}
          {problems.length === 0 ? say('editor.noProblems') : say('editor.problems', { count: problems.length })}
        </button>
        {can('test') && (
          <button type="button" aria-pressed={panel === 'test'} onClick={() => state.open(panel === 'test' ? undefined : 'test')}>
            <FlaskConical size={15} aria-hidden /> {say('editor.test')}
          </button>
        )}
        {can('publish') && (
          <button type="button" className="primary" onClick={() => void saving.settled().then((isSaved) => isSaved && setPublishing(true))}>
            {say('editor.publish')}
          </button>
        )}
      </header>
      {isEditable && (
        <aside className={`palette${isPaletteOpen ? '' : ' folded'}`} aria-label={say('palette.title')}>
          <button type="button" className="fold quiet" aria-expanded={isPaletteOpen} onClick={() => setPaletteOpen(!isPaletteOpen)}>
            {say('palette.title')}
          </button>
          {isPaletteOpen && <Palette kind={canvas.kind ?? 'skill'} onAdd={(type) => add(type)} />}
        </aside>
      )}
      <main className="stage">
        <Board
          flow={stable}
          overlay={overlay}
          {...(isEditable && { acts })}
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
          onOpen={(id) => {
            state.select([id]);
            state.open('form');
          }}
        />
        {adding !== undefined && (
          <div className="add-popover" role="dialog" aria-label={say('palette.search')}>
            <IconButton label={say('app.close')} onClick={() => setAdding(undefined)}>
              <X size={16} aria-hidden />
            </IconButton>
            <Palette
              kind={canvas.kind ?? 'skill'}
              isFocused
              onAdd={(type) => add(type, adding.at.x === 0 && adding.at.y === 0 ? undefined : adding.at, adding.from)}
            />
          </div>
        )}
        <p className="small-screen">{say('editor.small')}</p>
      </main>
      {panel !== undefined && (
        <aside
          className="side"
          aria-label={say(
            panel === 'problems'
              ? 'problems.title'
              : panel === 'test'
                ? 'tester.title'
                : panel === 'outline'
                  ? 'editor.outline'
                  : 'editor.settings',
          )}
        >
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
              onDelete={deleteSelected}
              onDuplicate={() => putIn(copyOf(canvas, new Set([node.id])), 'Duplicated')}
            />
          )}
          {panel === 'settings' && (
            <CanvasSettings
              canvas={canvas}
              isReadOnly={!isEditable}
              onChange={(field, value: Json | undefined) => state.run(`Changed ${field}`, setField(field, value), field)}
            />
          )}
          {panel === 'outline' && (
            <Outline
              flow={flow}
              selected={selected}
              onOpen={(id) => {
                state.select([id]);
                setInView(id);
                state.open('form');
              }}
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
                onFix={(problem, fix) => state.run(`Mended: ${fix.label} (${problem.code})`, fixCommand(fix))}
              />
            </>
          )}
          {panel === 'test' && (
            <TesterPanel
              engine={testEngine}
              canvas={canvas}
              onOverlay={setTest}
              onFollow={setInView}
              {...(transcript !== undefined && { script: transcript })}
            />
          )}
        </aside>
      )}
      <div className="visually-hidden" role="status" aria-live="polite">
        {say(problems.length === 0 ? 'editor.noProblems' : 'editor.problems', { count: problems.length })}
      </div>
      {isPublishing && (
        <PublishDialog
          engine={engine}
          draft={draft}
          canvas={canvas}
          revision={saving.snapshot.context.revision}
          problems={problems}
          onClose={() => setPublishing(false)}
        />
      )}
      <ConflictDialog saving={saving} onMerged={(merged: CanvasJson) => store.getState().replace('Merged', merged)} />
      <LoginDialog saving={saving} />
    </div>
  );
}

/** Keeps cards and wires that are the same as before, so that only what changed is drawn again. */
function useStableCards(flow: ReturnType<typeof flowOf>): ReturnType<typeof flowOf> {
  const before = useRef<ReturnType<typeof flowOf>>(undefined);
  return useMemo(() => {
    const old = new Map(before.current?.cards.map((card) => [card.id, card]));
    const cards = flow.cards.map((card) => {
      const known = old.get(card.id);
      return known !== undefined && isSameCard(known, card) ? known : card;
    });
    before.current = { ...flow, cards };
    return before.current;
  }, [flow]);
}

function isSameCard(a: ReturnType<typeof flowOf>['cards'][number], b: typeof a): boolean {
  return (
    a.node === b.node &&
    a.entry === b.entry &&
    a.summary === b.summary &&
    a.errors === b.errors &&
    a.warnings === b.warnings &&
    a.position.x === b.position.x &&
    a.position.y === b.position.y &&
    a.ports.length === b.ports.length &&
    a.ports.every(
      (port, index) =>
        port.name === b.ports[index]?.name &&
        port.target === b.ports[index]?.target &&
        port.isStub === b.ports[index]?.isStub &&
        port.isRequired === b.ports[index]?.isRequired,
    )
  );
}

/** A port with whether edges that name none leave by it. */
function portRef(store: EditorStore, nodeId: string, port: string): PortRef {
  const ports =
    store
      .getState()
      .described.get(nodeId)
      ?.ports.filter(({ isRequired }) => isRequired) ?? [];
  return { nodeId, port, isUnnamed: ports.length === 1 && ports[0]?.name === port };
}

/** The first port of a card that leads to nothing. */
function openPort(card: ReturnType<typeof flowOf>['cards'][number] | undefined): PortRef | undefined {
  const port = card?.ports.find(({ isRequired, target }) => isRequired && target === undefined);
  return card === undefined || port === undefined ? undefined : { nodeId: card.id, port: port.name, isUnnamed: port.isUnnamed };
}

/** Free ground below everything. */
const lowest = (canvas: CanvasJson): { readonly x: number; readonly y: number } => ({
  x: 0,
  y: Math.max(-200, ...canvas.nodes.map(({ position }) => position?.y ?? 0)) + 200,
});

interface KeyMoves {
  readonly store: EditorStore;
  readonly flow: ReturnType<typeof flowOf>;
  readonly isEditable: boolean;
  readonly onOpen: (nodeId: string) => void;
  readonly onConnect: (from: PortRef) => void;
}

/** Keys on a focused card: arrows follow edges, with Alt they move it, Enter opens it, C connects its first open port. */
function moveByKey(event: KeyboardEvent, target: HTMLElement, { store, flow, isEditable, onOpen, onConnect }: KeyMoves): void {
  const id = target.closest('.react-flow__node')?.getAttribute('data-id');
  const card = flow.cards.find((one) => one.id === id);
  if (card === undefined) return;
  const focus = (nodeId: string | undefined): void => {
    if (nodeId === undefined) return;
    event.preventDefault();
    document.querySelector<HTMLElement>(`.hilo-studio .react-flow__node[data-id="${CSS.escape(nodeId)}"]`)?.focus();
    store.getState().select([nodeId]);
  };
  const arrow = { ArrowRight: [8, 0], ArrowLeft: [-8, 0], ArrowDown: [0, 8], ArrowUp: [0, -8] }[event.key];
  if (arrow !== undefined && event.altKey) {
    if (!isEditable) return;
    event.preventDefault();
    const [dx = 0, dy = 0] = arrow;
    store
      .getState()
      .run('Moved a node', moveNodes(new Map([[card.id, { x: card.position.x + dx, y: card.position.y + dy }]])), `move/${card.id}`);
    return;
  }
  const into = flow.wires.filter((wire) => wire.target === card.id);
  const siblings = flow.wires.filter(({ source }) => into[0]?.source === source).map((wire) => wire.target);
  const beside = (by: number): string | undefined => siblings[siblings.indexOf(card.id) + by];
  if (event.key === 'ArrowRight') focus(card.ports.find((port) => port.target !== undefined && !port.isStub)?.target);
  else if (event.key === 'ArrowLeft') focus(into[0]?.source);
  else if (event.key === 'ArrowDown') focus(beside(1));
  else if (event.key === 'ArrowUp') focus(beside(-1));
  else if (event.key === 'Enter' || event.key === 'F2' || event.key === ' ') {
    event.preventDefault();
    onOpen(card.id);
  } else if ((event.key === 'c' || event.key === 'C') && isEditable) {
    const open = openPort(card);
    if (open !== undefined) {
      event.preventDefault();
      onConnect(open);
    }
  }
}
