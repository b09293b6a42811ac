import { Check, CloudOff, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { type Conflict, mergeCanvases, takeTheirs } from '../canvas/merge.ts';
import { Dialog } from '../parts/parts.tsx';
import { useStudio } from '../studio-context.ts';
import type { WordKey } from '../words/en.ts';
import { useWords } from '../words/words.tsx';
import type { Saving } from './use-saving.ts';

/** Where the draft stands against the service. */
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
      {(value === 'offline' || value === 'refused') && (
        <button type="button" className="link" onClick={() => actor.send({ type: 'save' })}>
          {say('app.again')}
        </button>
      )}
    </span>
  );
}

/** What both authors changed, side by side as text. Nothing is saved over theirs until each place is chosen. */
export function ConflictDialog({
  saving: { snapshot, actor },
  onMerged,
}: {
  readonly saving: Saving;
  readonly onMerged: (canvas: CanvasJson) => void;
}) {
  const { outcome } = snapshot.context;
  if (!snapshot.matches('conflict') || outcome?.kind !== 'conflict') return null;
  return (
    <Conflicts
      key={outcome.revision}
      base={snapshot.context.base}
      mine={snapshot.context.canvas}
      theirs={outcome.draft}
      {...(outcome.savedBy !== undefined && { who: outcome.savedBy })}
      onMerged={(canvas) => {
        actor.send({ type: 'merged', canvas });
        onMerged(canvas);
      }}
    />
  );
}

function Conflicts({
  base,
  mine,
  theirs,
  who,
  onMerged,
}: {
  readonly base: CanvasJson;
  readonly mine: CanvasJson;
  readonly theirs: CanvasJson;
  readonly who?: string;
  readonly onMerged: (canvas: CanvasJson) => void;
}) {
  const say = useWords();
  const merge = useMemo(() => mergeCanvases(base, mine, theirs), [base, mine, theirs]);
  const [chosen, setChosen] = useState<ReadonlyMap<Conflict, 'mine' | 'theirs'>>(new Map());
  const shown = (value: Conflict['mine']): string =>
    value === undefined ? say('conflict.gone') : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const save = (): void =>
    onMerged(
      merge.conflicts.reduce(
        (canvas, conflict) => (chosen.get(conflict) === 'theirs' ? takeTheirs(canvas, conflict) : canvas),
        merge.canvas,
      ),
    );
  return (
    <Dialog title={say('conflict.title')} onClose={() => undefined} wide>
      {merge.taken.length > 0 && <p>{say('conflict.merged', { count: merge.taken.length, who: who ?? say('conflict.other') })}</p>}
      {merge.conflicts.length > 0 && <p>{say('conflict.choose')}</p>}
      {merge.conflicts.map((conflict) => {
        const at = conflict.at.join(' › ').replaceAll('\0', ' → ');
        return (
          <fieldset key={at} className="conflict">
            <legend>{at}</legend>
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
  const { client } = useStudio();
  const say = useWords();
  const [token, setToken] = useState('');
  const [reason, setReason] = useState<string>();
  if (!snapshot.matches('signedOut')) return null;
  return (
    <Dialog title={say('login.title')} onClose={() => undefined}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          client.login(token).then(
            () => {
              setToken('');
              actor.send({ type: 'signedIn' });
            },
            (error: unknown) => setReason(error instanceof Error ? error.message : String(error)),
          );
        }}
      >
        <p>{say('login.text')}</p>
        <label>
          {say('login.token')}{' '}
          <input type="password" autoComplete="current-password" required value={token} onChange={({ target }) => setToken(target.value)} />
        </label>
        {reason !== undefined && (
          <p role="alert" className="field-problem error">
            {reason}
          </p>
        )}
        <button type="submit" className="primary">
          {say('login.do')}
        </button>
      </form>
    </Dialog>
  );
}
