// Who else has a workflow open, and its comments: in the bar of the editor, and beside the cards.
import { Lock, LockOpen, MessageSquare } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { WorkflowLock } from '../api/client.ts';
import type { EditorStore } from '../editor/editor-store.ts';
import { IconButton } from '../parts/parts.tsx';
import { shownName, useActorName } from '../parts/shown-name.ts';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useStudio } from '../studio-context.ts';
import { useMoment } from '../words/moment.ts';
import { usePartWords } from '../words/part.ts';
import { CommentsList } from './CommentsList.tsx';
import { togetherWords } from './together-words.ts';
import { type AuthorHere, type Comment, useTogether } from './use-together.ts';

interface TogetherBarProps {
  readonly store: EditorStore;
  /** What stands beside cards, by the id of the node. */
  readonly onBeside: (beside: ReadonlyMap<string, ReactNode>) => void;
  readonly onOpen: (nodeId: string) => void;
  /** Who keeps the workflow for themselves. */
  readonly lock: WorkflowLock | null;
  readonly onLock: (lock: WorkflowLock | null) => void;
}

const initials = (name: string): string =>
  shownName(name)
    .split(/[\s._@-]+/)
    .flatMap((word) => Array.from(word).slice(0, 1))
    .slice(0, 2)
    .join('')
    .toUpperCase();

type Say = ReturnType<typeof usePartWords<keyof (typeof togetherWords)['en']>>;

/** What stands beside each card: who is there, and how many comments are open. */
function drawBeside(others: readonly AuthorHere[], open: readonly Comment[], say: Say): ReadonlyMap<string, ReactNode> {
  const people = Map.groupBy(others, ({ nodeId }) => nodeId);
  const said = Map.groupBy(open, ({ nodeId }) => nodeId);
  const ids = new Set([...people.keys(), ...said.keys()].filter((id) => id !== null));
  return new Map(
    [...ids].map((id) => {
      const count = said.get(id)?.length ?? 0;
      return [
        id,
        <span key={id} className="beside">
          {people.get(id)?.map((one, index) => (
            <span key={index} className="avatar" title={say('together.at', { name: shownName(one.name) })}>
              <span aria-hidden>{initials(one.name)}</span>
              <span className="visually-hidden">{say('together.at', { name: shownName(one.name) })}</span>
            </span>
          ))}
          {count > 0 && (
            <span className="avatar said" title={say('together.open', { count })}>
              <MessageSquare size={11} aria-hidden /> <span aria-hidden>{count}</span>
              <span className="visually-hidden">{say('together.open', { count })}</span>
            </span>
          )}
        </span>,
      ] as const;
    }),
  );
}

export function TogetherBar({ store, onBeside, onOpen, lock, onLock }: TogetherBarProps) {
  const say = usePartWords(togetherWords);
  const actorName = useActorName();
  const { selected, history } = useStore(store);
  const [only] = selected.size === 1 ? selected : [];
  const { others, comments, reload, setLocked } = useTogether(history.canvas.id, only, onLock);
  const [isOpen, setOpen] = useState(false);
  const open = useMemo(() => comments.filter(({ doneAt }) => doneAt === null), [comments]);
  const beside = useMemo(() => drawBeside(others, open, say), [others, open, say]);
  useEffect(() => onBeside(beside), [beside]);
  const same = only === undefined ? [] : others.filter(({ nodeId }) => nodeId === only);
  return (
    <>
      {others.length > 0 && (
        <ul className="avatars" aria-label={say('together.here')}>
          {others.slice(0, 5).map(({ name }, index) => (
            <li key={index} className="avatar" title={say('together.name', { name: actorName(name) })}>
              <span aria-hidden>{initials(name)}</span>
              <span className="visually-hidden">{actorName(name)}</span>
            </li>
          ))}
          {others.length > 5 && <li className="avatar">+{others.length - 5}</li>}
        </ul>
      )}
      <LockButton lock={lock} onLocked={setLocked} />
      <span className="together">
        <button
          type="button"
          className="icon-button"
          aria-expanded={isOpen}
          title={say('together.comments')}
          onClick={() => setOpen(!isOpen)}
        >
          <MessageSquare size={18} aria-hidden />
          {open.length > 0 && <span aria-hidden>{open.length}</span>}
          <span className="word" aria-hidden>
            {say('together.comments')}
          </span>
          <span className="visually-hidden">
            {say('together.comments')}
            {open.length > 0 && `, ${say('together.open', { count: open.length })}`}
          </span>
        </button>
        {isOpen && (
          <CommentsList
            comments={comments}
            canvas={history.canvas}
            nodeId={only}
            reload={reload}
            onOpen={onOpen}
            onClose={() => setOpen(false)}
          />
        )}
      </span>
      <span className="same-step" role="status">
        {same.length > 0 &&
          lock?.isMine !== false &&
          say('together.same', { names: [...new Set(same.map(({ name }) => shownName(name)))].join(', '), count: same.length })}
      </span>
    </>
  );
}

/** Keeps the workflow for oneself, or says who does, and takes their lock away. */
function LockButton({ lock, onLocked }: { readonly lock: WorkflowLock | null; readonly onLocked: (isLocked: boolean) => Promise<void> }) {
  const { can } = useStudio();
  const say = usePartWords(togetherWords);
  const actorName = useActorName();
  const instant = useMoment();
  const { isBusy, reason, act } = useAct();
  const Icon = lock === null ? LockOpen : Lock;
  const isTheirs = lock?.isMine === false;
  return (
    <>
      {can('edit') && !isTheirs && (
        <IconButton
          label={say(lock === null ? 'together.lockFor' : 'together.unlockFor')}
          word={say(lock === null ? 'together.lock' : 'together.unlock')}
          pressed={lock !== null}
          disabled={isBusy}
          onClick={() => act(() => onLocked(lock === null))}
        >
          <Icon size={18} aria-hidden />
        </IconButton>
      )}
      <span className="same-step locked" role="status">
        {isTheirs && (
          <>
            <Lock size={14} aria-hidden /> {say('together.locked', { name: actorName(lock.by), at: instant(lock.at) })}{' '}
            {can('edit') && (
              <button type="button" className="link" disabled={isBusy} onClick={() => act(() => onLocked(false))}>
                {say('together.takeLock')}
              </button>
            )}
          </>
        )}
      </span>
      <Refused reason={reason} />
    </>
  );
}
