// The dialogs of an editor: publish, search and the keys.
import type { Problem } from '@hilo/engine/contract';
import { lazy, Suspense } from 'react';
import { loadPart } from '../parts/load-part.ts';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import type { EngineClient } from '../worker/engine-client.ts';
import { focusCard } from './editor-keys.ts';
import type { EditorStore } from './editor-store.ts';
import type { Editing } from './editing.ts';
import type { Places } from './use-places.ts';

/** Loads the search before it is asked for. */
export const loadSearch = () => import('./SearchDialog.tsx').then((module) => ({ default: module.SearchDialog }));
const SearchDialog = lazy(() => loadPart(loadSearch));
const KeysDialog = lazy(() => loadPart(() => import('./KeysDialog.tsx').then((module) => ({ default: module.KeysDialog }))));
const PublishDialog = lazy(() => loadPart(() => import('./PublishDialog.tsx').then((module) => ({ default: module.PublishDialog }))));

export type DialogName = 'publish' | 'search' | 'keys';

interface EditorDialogsProps {
  /** The one that is open. */
  readonly open: DialogName | undefined;
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
export function EditorDialogs({ open, store, engine, canvas, revision, onClose, ...about }: EditorDialogsProps) {
  const { allProblems, problems, editing, places, root, onPublish, onPublished } = about;
  return (
    <Suspense fallback={null}>
      {open === 'publish' && <PublishDialog {...{ engine, canvas, revision, onPublished, onClose }} problems={allProblems} />}
      {open === 'keys' && <KeysDialog onClose={onClose} />}
      {open === 'search' && (
        <SearchDialog
          canvas={canvas}
          problems={problems}
          acts={{
            onNode: (id) => {
              places.openNode(id);
              requestAnimationFrame(() => focusCard(root.current, id)); // after the dialog has given the focus back
            },
            onProblem: places.openProblem,
            onAdd: (type) => void editing.add(type),
            onTidy: () => void editing.tidy(),
            onPublish,
            onPanel: store.getState().open,
          }}
          onClose={onClose}
        />
      )}
    </Suspense>
  );
}
