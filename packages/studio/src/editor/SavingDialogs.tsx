// Saving as an author sees it: its state, edits of others, and a session that has ended.
import { Check, CloudOff, LoaderCircle, TriangleAlert } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { loadPart } from '../parts/load-part.ts';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { mergeCanvases } from '../canvas/merge.ts';
import { LoginForm } from '../parts/LoginForm.tsx';
import { Dialog, Notice } from '../parts/parts.tsx';
import { useActorName } from '../parts/shown-name.ts';
import type { WordKey } from '../words/en.ts';
import { useWords } from '../words/words.tsx';
import type { EditorStore } from './editor-store.ts';
import type { Saving } from './use-saving.ts';

// Two authors change the same place seldom: the dialog comes when they do.
const ConflictsDialog = lazy(() => loadPart(() => import('./ConflictsDialog.tsx').then((module) => ({ default: module.ConflictsDialog }))));

/** The state of the draft against the service. */
export function SavingSign({ saving: { snapshot, actor } }: { readonly saving: Saving }) {
  const say = useWords();
  const value = snapshot.value === 'judging' || snapshot.value === 'kept' ? 'saving' : snapshot.value;
  const { outcome } = snapshot.context;
  const text =
    value === 'refused' && outcome?.kind === 'refused' ? `${say('saving.refused')}: ${outcome.reason}` : say(`saving.${value}` as WordKey);
  const icon =
    value === 'saved' ? (
      <Check size={14} aria-hidden />
    ) : value === 'saving' || value === 'unsaved' ? (
      <LoaderCircle size={14} aria-hidden />
    ) : value === 'offline' ? (
      <CloudOff size={14} aria-hidden />
    ) : (
      <TriangleAlert size={14} aria-hidden />
    );
  return (
    <span className={`saving-sign ${value}`} role="status">
      {icon} {text}
      {(value === 'offline' || value === 'refused' || value === 'removed') && (
        <button type="button" className="link" onClick={() => actor.send({ type: value === 'removed' ? 'anew' : 'save' })}>
          {say(value === 'removed' ? 'saving.anew' : 'app.again')}
        </button>
      )}
    </span>
  );
}

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
        <Suspense fallback={null}>
          <ConflictsDialog key={conflict.revision} merge={merge} who={who} onChosen={save} />
        </Suspense>
      )}
    </>
  );
}

/** The session is over: log in without leaving, and the draft is saved. */
export function LoginDialog({ saving: { snapshot, actor } }: { readonly saving: Saving }) {
  const say = useWords();
  if (!snapshot.matches('signedOut')) return null;
  return (
    <Dialog title={say('login.title')}>
      <LoginForm onSignedIn={() => actor.send({ type: 'signedIn' })} />
    </Dialog>
  );
}
