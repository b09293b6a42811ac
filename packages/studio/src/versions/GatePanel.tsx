// Whether a published workflow may be started, and what stops it: pause, unpublish, publish later.
import { type FormEvent, useState } from 'react';
import type { Gate } from '../api/client.ts';
import { changeWords } from '../change/change-words.ts';
import { textIn } from '../parts/form-text.ts';
import { Dialog } from '../parts/parts.tsx';
import { useActorName } from '../parts/shown-name.ts';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useMoment } from '../words/moment.ts';
import { useWords } from '../words/words.tsx';

interface GatePanelProps {
  readonly workflowId: string;
  readonly gate: Gate | null;
  readonly isPublished: boolean;
  readonly onChanged: () => void;
}

/** What may start a workflow, with the acts that change it. */
export function GatePanel({ workflowId, gate, isPublished, onChanged }: GatePanelProps) {
  const { client, companyId, can } = useStudio();
  const say = usePartWords(changeWords);
  const { isBusy, reason, act } = useAct();
  const [dialog, setDialog] = useState<'pause' | 'unpublish' | 'schedule'>();
  const close = (): void => setDialog(undefined);
  const changed = (): void => {
    close();
    onChanged();
  };
  const unpause = (): void =>
    act(async () => {
      const { unpauseWorkflow } = await client.operations();
      await unpauseWorkflow({ path: { workflowId }, query: { companyId } });
      onChanged();
    });
  return (
    <section className="change-part">
      {gate !== null && <Closed gate={gate} />}
      {can('publish') && (
        <p className="buttons">
          {gate?.state === 'paused' && (
            <button type="button" disabled={isBusy} onClick={unpause}>
              {say('gate.unpause')}
            </button>
          )}
          {isPublished && gate === null && (
            <button type="button" onClick={() => setDialog('pause')}>
              {say('gate.pause')}
            </button>
          )}
          {isPublished && gate?.state !== 'unpublished' && (
            <button type="button" onClick={() => setDialog('unpublish')}>
              {say('gate.unpublish')}
            </button>
          )}
          <button type="button" onClick={() => setDialog('schedule')}>
            {say('gate.schedule')}
          </button>
        </p>
      )}
      <Refused reason={reason} />
      {dialog === 'pause' && <PauseDialog workflowId={workflowId} onDone={changed} onClose={close} />}
      {dialog === 'unpublish' && <UnpublishDialog workflowId={workflowId} onDone={changed} onClose={close} />}
      {dialog === 'schedule' && <ScheduleDialog workflowId={workflowId} onClose={close} />}
    </section>
  );
}

/** Why nothing starts it. */
function Closed({ gate: { state, by, at, until } }: { readonly gate: Gate }) {
  const say = usePartWords(changeWords);
  const actorName = useActorName();
  const instant = useMoment();
  return (
    <p role="status" className="warn" dir="auto">
      <b>{say(`gate.${state}`)}</b> {say('gate.since', { by: by === null ? '—' : actorName(by), time: instant(at) })}
      {until !== null && ` · ${say('gate.until', { time: instant(until) })}`}
    </p>
  );
}

interface ActDialogProps {
  readonly workflowId: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function PauseDialog({ workflowId, onDone, onClose }: ActDialogProps) {
  const { client, companyId } = useStudio();
  const say = usePartWords(changeWords);
  const { isBusy, reason, act } = useAct();
  const pause = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [says, until] = [textIn(form, 'says'), textIn(form, 'until')];
    act(async () => {
      const { pauseWorkflow } = await client.operations();
      await pauseWorkflow({
        path: { workflowId },
        query: { companyId },
        body: {
          ...(says !== '' && { says }),
          ...(until !== '' && { until: new Date(until).toISOString() }),
          ...(form.has('refuse') && { children: 'refuse' }),
        },
      });
      onDone();
    });
  };
  return (
    <Dialog title={say('gate.pause')} onClose={onClose}>
      <form className="form" onSubmit={pause}>
        <p>{say('gate.about')}</p>
        <label className="field">
          {say('gate.says')} <textarea name="says" rows={3} maxLength={1_000} dir="auto" />
          <span className="help">{say('gate.saysHint')}</span>
        </label>
        <label className="field">
          {say('gate.untilLabel')} <input name="until" type="datetime-local" />
        </label>
        <label className="check">
          <input name="refuse" type="checkbox" /> {say('gate.refuse')}
        </label>
        <Refused reason={reason} />
        <p>
          <button type="submit" className="primary" disabled={isBusy}>
            {say('gate.pause')}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function UnpublishDialog({ workflowId, onDone, onClose }: ActDialogProps) {
  const { client, companyId } = useStudio();
  const say = usePartWords(changeWords);
  const words = useWords();
  const { isBusy, reason, act } = useAct();
  return (
    <Dialog title={say('gate.unpublish')} onClose={onClose}>
      <p>{say('gate.unpublishAbout')}</p>
      <Refused reason={reason} />
      <p className="buttons">
        <button type="button" onClick={onClose}>
          {words('app.cancel')}
        </button>
        <button
          type="button"
          className="primary"
          disabled={isBusy}
          onClick={() =>
            act(async () => {
              const { unpublishWorkflow } = await client.operations();
              await unpublishWorkflow({ path: { workflowId }, query: { companyId } });
              onDone();
            })
          }
        >
          {say('gate.unpublish')}
        </button>
      </p>
    </Dialog>
  );
}

function ScheduleDialog({ workflowId, onClose }: Omit<ActDialogProps, 'onDone'>) {
  const { client, companyId, go } = useStudio();
  const say = usePartWords(changeWords);
  const { isBusy, reason, act } = useAct();
  const [jobId, setJobId] = useState<string>();
  const schedule = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const note = textIn(form, 'note');
    act(async () => {
      const { publishWorkflow } = await client.operations();
      const answer = await publishWorkflow({
        path: { workflowId },
        query: { companyId },
        body: { at: new Date(textIn(form, 'at')).toISOString(), ...(note !== '' && { note }) },
      });
      if ('jobId' in answer) setJobId(answer.jobId);
    });
  };
  return (
    <Dialog title={say('gate.schedule')} onClose={onClose}>
      {jobId === undefined ? (
        <form className="form" onSubmit={schedule}>
          <label className="field">
            {say('gate.scheduleAt')} <input name="at" type="datetime-local" required />
            <span className="help">{say('gate.scheduleAbout')}</span>
          </label>
          <label className="field">
            {say('publish.note')} <textarea name="note" rows={2} maxLength={1_000} dir="auto" />
          </label>
          <Refused reason={reason} />
          <p>
            <button type="submit" className="primary" disabled={isBusy}>
              {say('gate.schedule')}
            </button>
          </p>
        </form>
      ) : (
        <p role="status">
          {say('gate.scheduled')}{' '}
          <button type="button" className="link" onClick={() => go({ screen: 'jobs', jobId })}>
            {say('job.open')}
          </button>
        </p>
      )}
    </Dialog>
  );
}
