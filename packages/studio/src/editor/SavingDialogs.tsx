// Saving as an author sees it: its state, edits of others, and a session that has ended.
import { Check, CloudOff, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useNodeName } from '../canvas/node-name.ts';
import { type Conflict, type Merge, mergeCanvases, takeTheirs } from '../canvas/merge.ts';
import { fieldText } from '../forms/field-text.ts';
import { LoginForm } from '../parts/LoginForm.tsx';
import { Dialog, Notice } from '../parts/parts.tsx';
import { shownName } from '../parts/shown-name.ts';
import type { WordKey } from '../words/en.ts';
import { useStudio } from '../studio-context.ts';
import { useLanguage, usePortWord, useWords } from '../words/words.tsx';
import type { EditorStore } from './editor-store.ts';
import type { Saving } from './use-saving.ts';

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
  const [notice, setNotice] = useState<string>();
  const { base, canvas, outcome } = snapshot.context;
  const conflict = snapshot.matches('conflict') && outcome?.kind === 'conflict' ? outcome : undefined;
  const merge = useMemo(() => (conflict === undefined ? undefined : mergeCanvases(base, canvas, conflict.draft)), [base, canvas, conflict]);
  const who = conflict?.savedBy === undefined ? say('conflict.other') : shownName(conflict.savedBy);
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
        <Conflicts key={conflict.revision} merge={merge} who={who} onChosen={save} />
      )}
    </>
  );
}

/** Where two drafts differ, as their authors call it: the title of the card, and the label of the field or the name of the port. */
function useConflictTitle(canvas: CanvasJson): (conflict: Pick<Conflict, 'at'>) => string {
  const { catalogue } = useStudio();
  const { locale, say } = useLanguage();
  const portWord = usePortWord();
  const titleOf = useNodeName(canvas);
  return ({ at: [part = '', key = '', inside, ...fields] }) => {
    if (part === 'edges') {
      const [nodeId = '', port = ''] = key.split('\0');
      return `${titleOf(nodeId)} › ${portWord(port)}`;
    }
    if (part !== 'nodes') return part === 'name' ? say('editor.name') : [part, key].filter((one) => one !== '').join(' › ');
    const type = canvas.nodes.find(({ id }) => id === key)?.type ?? '';
    const texts = catalogue.get(type)?.fields ?? {};
    const steps = inside === 'data' ? fields : inside === undefined ? [] : [inside, ...fields];
    const names = steps.map((step, index) => fieldText(texts, steps.slice(0, index + 1).join('.'), locale)?.label ?? step);
    return [titleOf(key), ...names].join(' › ');
  };
}

function Conflicts({
  merge,
  who,
  onChosen,
}: {
  readonly merge: Merge;
  readonly who: string;
  readonly onChosen: (canvas: CanvasJson) => void;
}) {
  const say = useWords();
  const titleOf = useConflictTitle(merge.canvas);
  const [chosen, setChosen] = useState<ReadonlyMap<Conflict, 'mine' | 'theirs'>>(new Map());
  const shown = (value: Conflict['mine']): string =>
    value === undefined ? say('conflict.gone') : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const save = (): void =>
    onChosen(
      merge.conflicts.reduce(
        (canvas, conflict) => (chosen.get(conflict) === 'theirs' ? takeTheirs(canvas, conflict) : canvas),
        merge.canvas,
      ),
    );
  return (
    <Dialog title={say('conflict.title')} wide>
      {merge.taken.length > 0 && <p>{say('conflict.merged', { count: merge.taken.length, who })}</p>}
      {merge.conflicts.length > 0 && <p>{say('conflict.choose')}</p>}
      {merge.conflicts.map((conflict) => {
        const at = conflict.at.join('/');
        return (
          <fieldset key={at} className="conflict">
            <legend dir="auto">{titleOf(conflict)}</legend>
            {(['mine', 'theirs'] as const).map((side) => (
              <label key={side}>
                <input
                  type="radio"
                  name={at}
                  checked={chosen.get(conflict) === side}
                  onChange={() => setChosen(new Map(chosen).set(conflict, side))}
                />
                <span>{say(`conflict.${side}`)}</span>
                <pre dir="auto">{shown(conflict[side])}</pre>
              </label>
            ))}
          </fieldset>
        );
      })}
      <button type="button" className="primary" disabled={merge.conflicts.some((conflict) => !chosen.has(conflict))} onClick={save}>
        {say('conflict.save')}
      </button>
    </Dialog>
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
