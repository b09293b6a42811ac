// The keys of the editor: what each does, and where the focus goes then.
import type { KeyboardEvent } from 'react';
import { withCarried } from '../board/rects.ts';
import { moveNodes, type PortRef } from '../canvas/commands.ts';
import { resizeFrame } from '../canvas/frames.ts';
import { isPinned } from '../canvas/canvas-json.ts';
import type { Flow } from '../canvas/flow.ts';
import type { Editing } from './editing.ts';
import type { Say } from '../words/words.tsx';
import type { EditorStore } from './editor-store.ts';
import { anyOpenPort, openPort } from './ports.ts';

export type DialogName = 'publish' | 'search' | 'keys';

/** What the keys of an editor do. */
export interface EditorKeys {
  readonly store: EditorStore;
  readonly editing: Editing;
  readonly flow: Flow;
  readonly isEditable: boolean;
  /** The dialog that was asked for: its code may still be on its way. */
  readonly dialog: DialogName | undefined;
  /** What was typed for the dialog before it was there. */
  readonly typed: { current: string };
  readonly onCloseDialog: () => void;
  readonly onSave: () => void;
  readonly onSearch: () => void;
  readonly onHelp: () => void;
  /** Cancels an unfinished action: a search for a node to add, a highlighted path. */
  readonly onEscape: () => void;
  /** Escape in a field of a panel. */
  readonly onLeaveField: () => void;
  readonly onConnect: (from: PortRef) => void;
  /** Every port of the card leads somewhere. */
  readonly onNoPort: () => void;
  /** A step along the way that a problem shows. */
  readonly onWay: (by: 1 | -1) => void;
  readonly say: Say;
}

/** Keyboard shortcuts inside the editor. In a text field only those of the whole editor apply. */
export function onEditorKey(event: KeyboardEvent, keys: EditorKeys): void {
  const { store, editing, isEditable } = keys;
  if (event.defaultPrevented) return undefined; // such as Escape in a list of completions
  const { panel, selected, history, shown, open, select, undo, redo } = store.getState();
  const target = event.target as HTMLElement;
  if (keys.dialog !== undefined && target.closest('dialog') === null) return onEarlyKey(event, keys);
  const isTyping = target.closest('input, textarea, select, [contenteditable="true"], dialog') !== null;
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  const act = (what: () => void): void => {
    event.preventDefault();
    what();
  };
  const toggle = (name: 'test' | 'problems' | 'outline'): void => open(panel === name ? undefined : name);
  if (command && key === 's') return act(keys.onSave);
  if (command && key === 'k') return act(keys.onSearch);
  // A dialog that was opened in a panel is closed by its own Escape.
  if (isTyping && key === 'escape' && target.closest('dialog, .side')?.matches('.side') === true) return act(keys.onLeaveField);
  if (isTyping) return undefined;
  if (isMeantForPanel(event, target)) return undefined;
  if (shown !== undefined && (key === 'arrowright' || key === 'arrowleft')) return act(() => keys.onWay(key === 'arrowright' ? 1 : -1));
  if (command && key === 'z') return act(event.shiftKey ? redo : undo);
  if (command && key === 'y') return act(redo);
  // What a key is about is the card that has the focus, where that is none of those that are selected.
  const focused = target.closest('.react-flow__node')?.getAttribute('data-id') ?? undefined;
  const isAct = key === 'delete' || key === 'backspace' || (command && 'cxd'.includes(key));
  if (isAct && focused !== undefined && !selected.has(focused)) select([focused]);
  if (command && key === 'd' && isEditable) return act(() => editing.duplicate(store.getState().selected));
  if (command && key === 'a') return act(() => select(history.canvas.nodes.map(({ id }) => id)));
  if ((key === 'delete' || key === 'backspace') && isEditable) return editing.deleteSelected();
  if (key === 't' && !command) return act(() => toggle('test')); // else its field would get the letter
  if (key === 'p' && !command) return act(() => toggle('problems'));
  if (key === 'o' && !command) {
    toggle('outline');
    requestAnimationFrame(() => focusPlace(target, [...selected][0]));
    return undefined;
  }
  if (key === '?') return act(keys.onHelp);
  if (key === 'escape') return keys.onEscape();
  if (key === '/') return act(() => document.querySelector<HTMLInputElement>('.hilo-studio .palette input')?.focus());
  return onCardKey(event, target, keys);
}

/** A key for a dialog that is not there yet: what is typed is kept for its field, and does nothing to the canvas or to a field behind it. */
function onEarlyKey(event: KeyboardEvent, { typed, onCloseDialog }: EditorKeys): void {
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === 'Escape') onCloseDialog();
  else if (key === 'Backspace') typed.current = typed.current.slice(0, -1);
  else if (key.length === 1) typed.current += key;
  else if (key !== 'Enter' && key !== 'Delete') return;
  event.preventDefault();
}

/**
 * Whether a key is meant for a panel beside the canvas: a letter there is the beginning of what somebody writes into a field that has just lost
 * the focus, such as the one of a test after an option was pressed. The outline is the canvas in another form, and has its keys.
 */
function isMeantForPanel({ key, ctrlKey, metaKey }: KeyboardEvent, target: HTMLElement): boolean {
  const isPlain = !ctrlKey && !metaKey && (key.length === 1 || key === 'Delete' || key === 'Backspace');
  return isPlain && target.closest('.side') !== null && target.closest('.outline') === null;
}

/**
 * Keys on a focused card: arrows follow edges, with Alt they move it, Enter opens it, C and Tab connect its first open port. Where no card has
 * the focus, as when a workflow was opened, they are about the one that is selected, or with which it begins; an arrow leads to it.
 */
function onCardKey(event: KeyboardEvent, target: HTMLElement, { store, flow, isEditable, onConnect, onNoPort, say }: EditorKeys): void {
  const id = target.closest('.react-flow__node')?.getAttribute('data-id');
  const isOnNone = target.matches('.editor');
  const card = isOnNone ? firstCard(flow.cards, store.getState().selected) : flow.cards.find((one) => one.id === id);
  if (card === undefined) return;
  const focus = (nodeId: string | undefined): void => {
    if (nodeId === undefined) return;
    event.preventDefault();
    focusCard(target, nodeId);
    store.getState().select([nodeId]);
  };
  const arrow = { ArrowRight: [8, 0], ArrowLeft: [-8, 0], ArrowDown: [0, 8], ArrowUp: [0, -8] }[event.key];
  if (arrow !== undefined && isOnNone) return focus(card.id);
  if (arrow !== undefined && event.altKey) {
    event.preventDefault();
    if (!isEditable || isPinned(card.node)) return;
    const [dx = 0, dy = 0] = arrow;
    if (event.shiftKey && card.frame !== undefined) {
      const { width, height } = card.frame;
      const resize = resizeFrame(card.id, { width: width + dx, height: height + dy });
      store.getState().run(say('step.resized'), resize, `resize/${card.id}`);
      return;
    }
    store
      .getState()
      .run(
        say('step.moved', { count: 1 }),
        moveNodes(withCarried(flow.cards, new Map([[card.id, { x: card.position.x + dx, y: card.position.y + dy }]]))),
        `move/${card.id}`,
      );
    return;
  }
  const key = event.key.toLowerCase();
  const into = flow.wires.filter((wire) => wire.target === card.id);
  const siblings = flow.wires.filter(({ source }) => into[0]?.source === source).map((wire) => wire.target);
  const beside = (by: number): string | undefined => siblings[siblings.indexOf(card.id) + by];
  if (event.key === 'ArrowRight') focus(card.ports.find((port) => port.target !== undefined && !port.isStub)?.target);
  else if (event.key === 'ArrowLeft') focus(into[0]?.source);
  else if (event.key === 'ArrowDown') focus(beside(1));
  else if (event.key === 'ArrowUp') focus(beside(-1));
  else if (event.key === 'Enter' || event.key === 'F2' || event.key === ' ') {
    event.preventDefault();
    store.getState().select([card.id]);
    store.getState().open('form');
    requestAnimationFrame(() => focusField(target, event.key === 'F2' ? 'label' : undefined));
  } else if (
    !event.shiftKey &&
    !event.ctrlKey &&
    !event.metaKey &&
    isEditable &&
    (key === 'c' || (key === 'tab' && !isOnNone && store.getState().selected.has(card.id)))
  ) {
    // Tab leads on from a card that has the focus alone: else nothing behind the canvas could be reached by keys.
    const open = key === 'c' ? anyOpenPort(card) : openPort(card); // Tab is on its way, and asks for what has to be there alone
    event.preventDefault();
    if (open !== undefined) return onConnect(open);
    onNoPort();
    store.getState().select([]); // the next Tab leads on, as it does from any card that is not chosen
  }
}

/** The card that is selected, else the first entry, else any. */
const firstCard = (cards: EditorKeys['flow']['cards'], selected: ReadonlySet<string>): EditorKeys['flow']['cards'][number] | undefined =>
  cards.find(({ id }) => selected.has(id)) ?? cards.find(({ category }) => category === 'entry') ?? cards[0];

/** Puts the focus into the form of a node. @param field - the first one when left out */
export function focusField(within: HTMLElement | null, field?: 'label'): void {
  const panel = within?.closest('.editor')?.querySelector<HTMLElement>('.node-panel');
  const label = '[data-pointer$="/data/label"] input';
  const text = ':is(textarea, input:not([type="radio"], [type="checkbox"]), [contenteditable="true"])';
  // The title of a card is seldom the first thing to write: a field of the node itself is.
  const places = field === 'label' ? [label] : [`.form > .field:not([data-pointer$="/data/label"]) ${text}`, '.form :is(input, select)'];
  for (const place of places) {
    const found = panel?.querySelector<HTMLElement>(place);
    if (found !== null && found !== undefined) return found.focus();
  }
}

/**
 * Puts the focus back to where the author works: to the current row of the outline while that is open, else to a card.
 *
 * @param options - of the focus on a card: without `preventScroll`, the browser brings it into view
 */
export function focusPlace(within: HTMLElement | null, nodeId: string | undefined, options?: FocusOptions): void {
  const row = within?.closest('.editor')?.querySelector<HTMLElement>('.outline [tabindex="0"]');
  if (row === null || row === undefined) focusCard(within, nodeId, options);
  else row.focus();
}

/** A new card can have the focus some frames after its node is there, when it has been measured. */
const maxFramesUntilDrawn = 30;

/** Puts the focus on a card, once it is drawn; on the editor itself until then, so that its keys go on working. */
export function focusCard(within: HTMLElement | null, nodeId: string | undefined, options?: FocusOptions): void {
  const editor = within?.closest<HTMLElement>('.editor');
  if (editor === null || editor === undefined) return;
  const look = (frames: number): void => {
    const card = editor.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(nodeId ?? '')}"]`);
    card?.focus(options);
    if (card?.matches(':focus') === true) return;
    if (frames === 0) editor.focus();
    const isWaiting = nodeId !== undefined && frames < maxFramesUntilDrawn && editor.matches(':focus');
    if (isWaiting) requestAnimationFrame(() => look(frames + 1));
  };
  look(0);
}
