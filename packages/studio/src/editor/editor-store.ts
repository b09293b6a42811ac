// The state of an editor, and what changes it.
import type { DescribedNode } from '@hilo/engine/authoring';
import type { Problem } from '@hilo/engine/contract';
import { createStore } from 'zustand/vanilla';
import type { CanvasJson, Point } from '../canvas/canvas-json.ts';
import type { Command, PortRef } from '../canvas/commands.ts';
import { type History, historyOf, perform, redo, undo } from '../canvas/history.ts';
import { isSame } from '../canvas/merge.ts';
import { type Layer, layers } from '../studio-context.ts';
import type { CheckResult } from '../worker/protocol.ts';

/** The panel at the right. */
export type Panel = 'form' | 'problems' | 'test' | 'settings' | 'outline' | Layer | undefined;

/** Panels that go on while nodes are chosen. */
const staying: ReadonlySet<Panel> = new Set<Panel>(['test', 'outline', ...layers]);

/** The path of a problem, and how far it was followed. */
export interface ShownWay {
  readonly problem: Problem;
  readonly way: NonNullable<Problem['way']>;
  readonly step: number;
}

export interface EditorState {
  readonly history: History;
  readonly described: ReadonlyMap<string, DescribedNode>;
  /** The draft that they are of. */
  readonly checkedCanvas: CanvasJson | undefined;
  readonly problems: readonly Problem[];
  /** Whether the engine has judged this draft at least once. */
  readonly isChecked: boolean;
  /** Facts about the company that only the service knows, as of the last save. */
  readonly serviceProblems: readonly Problem[];
  readonly selected: ReadonlySet<string>;
  /** A node that was added, and that its author has not left yet: that it is unfinished is no news. */
  readonly fresh: string | undefined;
  readonly selectedWires: readonly PortRef[];
  readonly panel: Panel;
  readonly shown: ShownWay | undefined;
  /** Positions of nodes without their own. */
  readonly placed: ReadonlyMap<string, Point>;
  /** Whether each node has a place, or none can be found for it. */
  readonly isPlaced: boolean;
}

export interface EditorActs {
  /** Does a command as one step of the author's. @param key - steps with the same key within a second are one */
  run(name: string, command: Command, key?: string): void;
  undo(): void;
  redo(): void;
  /** Puts another canvas in place, as one step: a merge, a restored version. */
  replace(name: string, canvas: CanvasJson): void;
  /** @param isAdding - whether one after another is chosen: then no form comes over the card that is clicked next */
  select(nodes: Iterable<string>, wires?: readonly PortRef[], isAdding?: boolean): void;
  /** Selects a node that was just added. */
  selectFresh(nodeId: string): void;
  open(panel: Panel): void;
  show(shown: ShownWay | undefined): void;
  checked(result: CheckResult, canvas: CanvasJson): void;
  checkedByService(problems: readonly Problem[]): void;
  place(placed: ReadonlyMap<string, Point>): void;
}

export type EditorStore = ReturnType<typeof createEditorStore>;

/** The state of one editor. @param now - Unix time in milliseconds */
export function createEditorStore(
  canvas: CanvasJson,
  { now, history = historyOf(canvas) }: { readonly now: () => number; readonly history?: History },
) {
  let checkedNodes: CheckResult['nodes'] | undefined;
  return createStore<EditorState & EditorActs>()((set, get) => ({
    history,
    described: new Map(),
    checkedCanvas: undefined,
    problems: [],
    isChecked: false,
    serviceProblems: [],
    selected: new Set(),
    fresh: undefined,
    selectedWires: [],
    panel: undefined,
    shown: undefined,
    placed: new Map(),
    isPlaced: history.canvas.nodes.every(({ position }) => position !== undefined),

    run(name, command, key) {
      const before = get().history;
      const after = perform(before, name, command, { atMs: now(), ...(key !== undefined && { key }) });
      if (after !== before) set({ history: after });
    },
    undo: () => set(({ history: before }) => ({ history: undo(before) })),
    redo: () => set(({ history: before }) => ({ history: redo(before) })),
    replace: (name, replaced) => get().run(name, () => replaced),
    select(nodes, wires = [], isAdding = false) {
      const selected = new Set(nodes);
      const before = get();
      const isSameSelection =
        selected.size === before.selected.size &&
        [...selected].every((id) => before.selected.has(id)) &&
        isSame(wires, before.selectedWires);
      if (isSameSelection) return;
      const panel =
        selected.size === 1 && !isAdding && !staying.has(before.panel)
          ? 'form'
          : before.panel === 'form' && selected.size !== 1
            ? undefined
            : before.panel;
      set({ selected, selectedWires: wires, panel, fresh: undefined });
    },
    selectFresh(nodeId) {
      get().select([nodeId]);
      set({ fresh: nodeId });
    },
    open: (panel) => set({ panel, ...(panel !== 'form' && { fresh: undefined }) }),
    show: (shown) => set({ shown, ...(shown !== undefined && { panel: 'problems' }) }),
    checked({ problems, nodes }, checkedCanvas) {
      // What has not changed is the same object as before, so that its card is not drawn again.
      const isSameAsBefore = checkedNodes === nodes;
      checkedNodes = nodes;
      set({
        problems,
        checkedCanvas,
        isChecked: true,
        ...(!isSameAsBefore && { described: new Map(nodes.map((node) => [node.nodeId, node])) }),
      });
    },
    checkedByService: (serviceProblems) => set({ serviceProblems }),
    place: (placed) => set({ placed, isPlaced: true }),
  }));
}

/** The problems of the engine, and those that only the service knows. Each once. */
export function allProblems({ problems, serviceProblems }: Pick<EditorState, 'problems' | 'serviceProblems'>): readonly Problem[] {
  const keyOf = ({ code, pointer, message }: Problem): string => `${code}\0${pointer}\0${message}`;
  const known = new Set(problems.map(keyOf));
  const beyond = serviceProblems.filter((problem) => !known.has(keyOf(problem)) && serviceCodes.test(problem.code));
  return [...problems, ...beyond];
}

/**
 * The problems to show while an author works: not that the node which was just added, or a canvas of one node, is unfinished. Publishing
 * has them all.
 */
export function problemsToShow(state: Pick<EditorState, 'problems' | 'serviceProblems' | 'fresh' | 'history'>): readonly Problem[] {
  const all = allProblems(state);
  const { nodes } = state.history.canvas;
  const fresh = nodes.length === 1 ? nodes[0]?.id : state.fresh;
  const isUnfinished = ({ code, nodeId }: Problem): boolean => nodeId === fresh && unfinishedCodes.has(code);
  return fresh === undefined || !all.some(isUnfinished) ? all : all.filter((problem) => !isUnfinished(problem));
}

/** Codes of what is still missing, rather than wrong. */
const unfinishedCodes: ReadonlySet<string> = new Set([
  'INVALID_CONFIG',
  'PORT_WITHOUT_EDGE',
  'PORT_LEADS_NOWHERE',
  'UNREACHABLE_EXIT',
  'UNREACHABLE_NODE',
]);

/** Codes of what depends on the company; others are the engine's, which has looked at a newer draft. */
const serviceCodes = /^(?:SAME_|UNRESOLVED_REFERENCE|TEMPLATE_NOT_APPROVED|MISSING_DRIVER|UNSUPPORTED_NODE)/;
