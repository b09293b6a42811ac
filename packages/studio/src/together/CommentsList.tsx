// The comments on a workflow and its steps, and a field for another one.
import { Check, RotateCcw, Trash2, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useNodeName } from '../canvas/node-name.ts';
import { IconButton } from '../parts/parts.tsx';
import { useActorName } from '../parts/shown-name.ts';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useMoment } from '../words/moment.ts';
import { togetherWords } from './together-words.ts';
import { type Comment } from './use-together.ts';

interface CommentsListProps {
  readonly comments: readonly Comment[];
  readonly canvas: CanvasJson;
  /** The node that a new comment is on; the whole workflow, when undefined. */
  readonly nodeId: string | undefined;
  readonly reload: () => Promise<void>;
  readonly onOpen: (nodeId: string) => void;
  readonly onClose: () => void;
}

export function CommentsList({ comments, canvas, nodeId, reload, onOpen, onClose }: CommentsListProps) {
  const { client, companyId, can } = useStudio();
  const say = usePartWords(togetherWords);
  const { isBusy, reason, act } = useAct();
  const [text, setText] = useState('');
  const [showsDone, setShowsDone] = useState(false);
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const rows = comments.filter(({ doneAt }) => showsDone || doneAt === null);
  const nameOf = useNodeName(canvas);
  const labelOf = (one: string): string | undefined => (canvas.nodes.some(({ id }) => id === one) ? nameOf(one) : undefined);
  const path = { workflowId: canvas.id };
  const query = { companyId };
  const then = (work: (operations: Awaited<ReturnType<typeof client.operations>>) => Promise<unknown>): void =>
    act(async () => {
      await work(await client.operations());
      await reload();
      field.current?.focus(); // what was pressed may have gone
    });
  const add = (): void => {
    if (text.trim() === '') return;
    // What is written stays until the service has it, such as where the session has ended.
    then(async ({ addWorkflowComment }) => {
      await addWorkflowComment({ path, query, body: { text, nodeId: nodeId ?? null } });
      setText((typed) => (typed === text ? '' : typed)); // what was typed meanwhile is another one
    });
  };
  return (
    <section
      className="comments"
      aria-label={say('together.comments')}
      onKeyDown={(event) => {
        event.stopPropagation(); // the keys of the canvas are not meant
        if (event.key === 'Escape') onClose();
      }}
    >
      <header>
        <h2>{say('together.comments')}</h2>
        <IconButton label={say('together.close')} onClick={onClose}>
          <X size={15} aria-hidden />
        </IconButton>
      </header>
      {rows.length === 0 && <p className="quiet-text">{say(comments.length === 0 ? 'together.none' : 'together.noneOpen')}</p>}
      <ul>
        {rows.map((comment) => (
          <CommentRow
            key={comment.id}
            comment={comment}
            on={comment.nodeId === null ? undefined : labelOf(comment.nodeId)}
            isBusy={isBusy}
            onOpen={onOpen}
            onMark={(isDone) =>
              then(({ markWorkflowComment }) => markWorkflowComment({ path: { ...path, commentId: comment.id }, query, body: { isDone } }))
            }
            onRemove={() => then(({ removeWorkflowComment }) => removeWorkflowComment({ path: { ...path, commentId: comment.id }, query }))}
          />
        ))}
      </ul>
      {rows.length < comments.length || showsDone ? (
        <label className="check">
          <input type="checkbox" checked={showsDone} onChange={({ target }) => setShowsDone(target.checked)} /> {say('together.showDone')}
        </label>
      ) : null}
      {can('edit') && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            add();
          }}
        >
          <label htmlFor={id}>
            {nodeId === undefined ? say('together.onWhole') : say('together.on', { node: labelOf(nodeId) ?? nodeId })}
          </label>
          <textarea
            ref={field}
            id={id}
            rows={3}
            maxLength={2_000}
            dir="auto"
            value={text}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={({ key, ctrlKey, metaKey }) => key === 'Enter' && (ctrlKey || metaKey) && add()}
          />
          <button type="submit" className="primary" disabled={isBusy || text.trim() === ''}>
            {say('together.add')}
          </button>
        </form>
      )}
      <Refused reason={reason} />
    </section>
  );
}

interface CommentRowProps {
  readonly comment: Comment;
  /** What the node is called that it is on; `undefined` when it is on the whole workflow, or on a node that is gone. */
  readonly on: string | undefined;
  readonly isBusy: boolean;
  readonly onOpen: (nodeId: string) => void;
  readonly onMark: (isDone: boolean) => void;
  readonly onRemove: () => void;
}

/** One comment: what it is on, who wrote it and when, and what can be done with it. */
function CommentRow({ comment, on, isBusy, onOpen, onMark, onRemove }: CommentRowProps) {
  const { can } = useStudio();
  const say = usePartWords(togetherWords);
  const actorName = useActorName();
  const instant = useMoment();
  const { nodeId, by, at, text, doneAt, doneBy } = comment;
  return (
    <li className={doneAt === null ? '' : 'done'}>
      <p className="caption">
        {nodeId === null ? (
          say('together.ofWhole')
        ) : on === undefined ? (
          say('together.gone')
        ) : (
          <button type="button" className="link" dir="auto" onClick={() => onOpen(nodeId)}>
            {on}
          </button>
        )}{' '}
        · <span dir="auto">{actorName(by)}</span> · {instant(at)}
      </p>
      <p className="said-text" dir="auto">
        {text}
      </p>
      {doneBy !== null && <p className="caption">{say('together.doneBy', { name: actorName(doneBy) })}</p>}
      {can('edit') && (
        <p className="acts">
          <IconButton
            label={say(doneAt === null ? 'together.done' : 'together.again')}
            disabled={isBusy}
            onClick={() => onMark(doneAt === null)}
          >
            {doneAt === null ? <Check size={14} aria-hidden /> : <RotateCcw size={14} aria-hidden />}
          </IconButton>
          <IconButton label={say('together.remove')} disabled={isBusy} onClick={onRemove}>
            <Trash2 size={14} aria-hidden />
          </IconButton>
        </p>
      )}
    </li>
  );
}
