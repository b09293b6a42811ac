// The bar above one execution: where it is, and what can be done with it, such as trying again or continuing from a step.
import { ArrowLeft } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Execution } from '../api/client.ts';
import { isRecord } from '../canvas/canvas-json.ts';
import { changeWords } from '../change/change-words.ts';
import { ModeButton } from '../parts/ModeButton.tsx';
import { Dialog, IconButton } from '../parts/parts.tsx';
import { usePersonName } from '../parts/person-name.ts';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useInstant, useNames, useWords } from '../words/words.tsx';
import { canRetry, ForkDialog, type NamedNode, RetryDialog } from './ContinueDialogs.tsx';
import { isOver } from './time-travel.ts';

export interface ExecutionBarProps {
  readonly name: string;
  readonly execution: Execution;
  /** The nodes of its canvas. */
  readonly nodes: readonly NamedNode[];
  /** The index of the event of the chosen step; left out where there is nothing before it. */
  readonly event: number | undefined;
  /** The execution that is waited for at the chosen step. */
  readonly childId: string | undefined;
  readonly acts: { openParent(executionId: string): void; fork(): void; copy(): void; release(): void };
  readonly onChanged: () => void;
}

/** The bar above an execution: what it is, its state, and what can be done with it. */
export function ExecutionBar({ name, execution, nodes, event, childId, acts, onChanged }: ExecutionBarProps) {
  const { go, hasScreens, can } = useStudio();
  const say = useWords();
  const instant = useInstant();
  const personName = usePersonName();
  const change = usePartWords(changeWords);
  const statusWord = useNames('status');
  const { status, version, parentExecutionId, continuedAs, forkedFrom } = execution;
  const [dialog, setDialog] = useState<'retry' | 'fork' | 'cancel'>();
  const others = [
    { word: 'continue.as', executionId: continuedAs },
    { word: 'continue.from', executionId: forkedFrom },
  ] as const;
  return (
    <header className="top-bar">
      {hasScreens && (
        <IconButton label={say('executions.title')} onClick={() => go({ screen: 'executions', workflowId: execution.workflowId })}>
          <ArrowLeft size={18} aria-hidden />
        </IconButton>
      )}
      <h1 dir="auto">
        {name} · {personName(namesIn(execution), execution.userId ?? execution.executionId)}
      </h1>
      <span className={`status ${status}`} role="status">
        {statusWord(status)}
      </span>
      <span className="caption">
        {version === 'draft' ? say('versions.draft') : `v${version}`} · {instant(execution.createdAt)}
      </span>
      <span className="spring" />
      <ModeButton />
      {hasScreens && parentExecutionId !== null && (
        <button type="button" onClick={() => acts.openParent(parentExecutionId)}>
          {say('execution.parent')}
        </button>
      )}
      {hasScreens && childId !== undefined && (
        <button type="button" onClick={() => go({ screen: 'execution', executionId: childId })}>
          {say('execution.child')}
        </button>
      )}
      {hasScreens &&
        others.map(({ word, executionId }) =>
          executionId === null || executionId === undefined ? null : (
            <button key={word} type="button" onClick={() => go({ screen: 'execution', executionId })}>
              {change(word)}
            </button>
          ),
        )}
      {can('operate') && version !== 'draft' && canRetry(execution) && parentExecutionId === null && (
        <button type="button" onClick={() => setDialog('retry')}>
          {change('continue.retry')}
        </button>
      )}
      {can('operate') && version !== 'draft' && event !== undefined && (
        <button type="button" onClick={() => setDialog('fork')}>
          {change('continue.fork')}
        </button>
      )}
      {hasScreens && can('test') && (
        <button type="button" onClick={acts.fork}>
          {say('execution.fork')}
        </button>
      )}
      <button type="button" onClick={acts.copy}>
        {say('execution.copy')}
      </button>
      {can('operate') && status === 'quarantined' && (
        <button type="button" onClick={acts.release}>
          {say('execution.release')}
        </button>
      )}
      {can('operate') && !isOver(status) && (
        <button type="button" onClick={() => setDialog('cancel')}>
          {say('execution.cancel')}
        </button>
      )}
      {dialog === 'retry' && <RetryDialog execution={execution} onClose={() => setDialog(undefined)} />}
      {dialog === 'fork' && event !== undefined && (
        <ForkDialog execution={execution} before={event} nodes={nodes} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'cancel' && <CancelDialog execution={execution} onChanged={onChanged} onClose={() => setDialog(undefined)} />}
    </header>
  );
}

interface CancelProps {
  readonly execution: Execution;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Asks why an execution is cancelled, and cancels it. */
function CancelDialog({ execution: { executionId }, onChanged, onClose }: CancelProps) {
  const { client, companyId } = useStudio();
  const say = useWords();
  const { isBusy, reason, act } = useAct();
  const cancel = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget).get('reason');
    act(async () => {
      await client.cancel(companyId, executionId, typeof given === 'string' ? given : '');
      onClose();
      onChanged();
    });
  };
  return (
    <Dialog title={say('execution.cancel')} onClose={onClose}>
      <form className="form" onSubmit={cancel}>
        <label className="field">
          {say('execution.reason')} <input name="reason" required maxLength={200} />
        </label>
        <Refused reason={reason} />
        <button type="submit" className="primary" disabled={isBusy}>
          {say('execution.cancel')}
        </button>
      </form>
    </Dialog>
  );
}

/** What the bot calls the user, once it knows it. */
function namesIn({ variables }: Execution): string {
  const { names } = isRecord(variables['$user']) ? variables['$user'] : {};
  return typeof names === 'string' ? names : '';
}
