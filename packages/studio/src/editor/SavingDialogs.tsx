// Saving as an author sees it: its state, edits of others, and a session that has ended.
import { Check, CloudOff, LoaderCircle, TriangleAlert } from 'lucide-react';
import { type ComponentProps, lazy, Suspense, useState } from 'react';
import { loadPart } from '../parts/load-part.ts';
import { LoginForm } from '../parts/LoginForm.tsx';
import { Dialog } from '../parts/parts.tsx';
import type { WordKey } from '../words/en.ts';
import { useReason } from '../words/reason.ts';
import { useWords } from '../words/words.tsx';
import type { Saving } from './use-saving.ts';

const Merging = lazy(() => loadPart(() => import('./Merging.tsx').then((module) => ({ default: module.Merging }))));

/** The state of the draft against the service. */
export function SavingSign({ saving: { snapshot, actor } }: { readonly saving: Saving }) {
  const say = useWords();
  const reasonOf = useReason();
  const value = snapshot.value === 'judging' || snapshot.value === 'kept' ? 'saving' : snapshot.value;
  const { outcome } = snapshot.context;
  const text =
    value === 'refused' && outcome?.kind === 'refused'
      ? `${say('saving.refused')}: ${reasonOf(outcome.error)}`
      : say(`saving.${value}` as WordKey);
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

/** Where two authors met: merges their edits, and stays to tell of it. */
export function Conflicts(props: ComponentProps<typeof Merging>) {
  const [hasMet, setMet] = useState(false);
  if (!hasMet && props.saving.snapshot.matches('conflict')) setMet(true);
  return hasMet ? (
    <Suspense>
      <Merging {...props} />
    </Suspense>
  ) : null;
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
