// The dialogs of an editor: publish, search and the keys.
import type { Problem } from '@hilo/engine/contract';
import { later } from '../parts/later.tsx';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import type { EngineClient } from '../worker/engine-client.ts';
import { type DialogName, focusCard } from './editor-keys.ts';
import type { EditorStore } from './editor-store.ts';
import type { Editing } from './editing.ts';
import type { SearchActs } from './SearchDialog.tsx';
import type { Places } from './use-places.ts';

const { Part: SearchDialog, load } = later(() => import('./SearchDialog.tsx').then((module) => module.SearchDialog));
const { Part: KeysDialog } = later(() => import('./KeysDialog.tsx').then((module) => module.KeysDialog));
const { Part: PublishDialog } = later(() => import('./PublishDialog.tsx').then((module) => module.PublishDialog));
/** Loads the search before it is asked for. */
export const loadSearch = load;

interface EditorDialogsProps {
  /** The one that is open. */
  readonly open: DialogName | undefined;
  /** What was typed for it before it was there. */
  readonly typed: { readonly current: string };
  readonly store: EditorStore;
  readonly engine: EngineClient;
  readonly canvas: CanvasJson;
  /** The revision of the draft that is kept; of a new one there is none. */
  readonly revision: number | undefined;
  /** Those of all rules: a canvas with one of them is not published. */
  readonly allProblems: readonly Problem[];
  /** Those that the author sees. */
  readonly problems: readonly Problem[];
  readonly editing: Editing;
  readonly places: Places;
  /** The element of the editor. */
  readonly root: { readonly current: HTMLElement | null };
  readonly onPublish: () => void;
  readonly onPublished: (version: number) => void;
  readonly onClose: () => void;
}

/** The dialog that is open, loaded when it is. */
export function EditorDialogs({ open, typed, store, engine, canvas, revision, onClose, ...about }: EditorDialogsProps) {
  const { allProblems, problems, editing, places, root, onPublish, onPublished } = about;
  if (open === 'publish') return <PublishDialog of={{ engine, canvas, revision, onPublished, onClose, problems: allProblems }} />;
  if (open === 'keys') return <KeysDialog of={{ onClose }} />;
  if (open === undefined) return null;
  const acts: SearchActs = {
    onNode: (id) => {
      places.openNode(id);
      requestAnimationFrame(() => focusCard(root.current, id)); // after the dialog has given the focus back
    },
    onProblem: places.openProblem,
    onAdd: (type) => void editing.add(type),
    onTidy: () => void editing.tidy(),
    onPublish,
    onPanel: store.getState().open,
  };
  return <SearchDialog of={{ canvas, problems, typed, acts, onClose }} />;
}
