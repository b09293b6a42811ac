// Two authors of one draft: what does not touch is merged, the rest is asked for. Loaded when it happens first.
import { useEffect, useMemo, useState } from 'react';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { mergeCanvases } from '../canvas/merge.ts';
import { Notice } from '../parts/parts.tsx';
import { useActorName } from '../parts/shown-name.ts';
import { useWords } from '../words/words.tsx';
import { ConflictsDialog } from './ConflictsDialog.tsx';
import type { EditorStore } from './editor-store.ts';
import type { Saving } from './use-saving.ts';

/**
 * Merges the edits of two authors of one draft. Separate changes are merged at once, and reported; for conflicts a dialog shows both
 * sides, and nothing of theirs is overwritten until each place is chosen.
 */
export function Merging({
  saving: { snapshot, actor },
  store,
}: {
  readonly saving: Saving;
  readonly store: Pick<EditorStore, 'getState'>;
}) {
  const say = useWords();
  const actorName = useActorName();
  const [notice, setNotice] = useState<string>();
  const { base, canvas, outcome } = snapshot.context;
  const conflict = snapshot.matches('conflict') && outcome?.kind === 'conflict' ? outcome : undefined;
  const merge = useMemo(() => (conflict === undefined ? undefined : mergeCanvases(base, canvas, conflict.draft)), [base, canvas, conflict]);
  const who = conflict?.savedBy === undefined ? say('conflict.other') : actorName(conflict.savedBy);
  const save = (merged: CanvasJson): void => {
    store.getState().replace(say('step.merged'), merged);
    actor.send({ type: 'merged', canvas: store.getState().history.canvas });
  };
  useEffect(() => {
    if (merge === undefined || merge.conflicts.length > 0) return;
    if (merge.taken.length > 0) setNotice(say('conflict.merged', { count: merge.taken.length, who }));
    save(merge.canvas);
  }, [merge]);
  return (
    <>
      {notice !== undefined && <Notice text={notice} onClose={() => setNotice(undefined)} />}
      {conflict !== undefined && merge !== undefined && merge.conflicts.length > 0 && (
        <ConflictsDialog key={conflict.revision} merge={merge} who={who} onChosen={save} />
      )}
    </>
  );
}
