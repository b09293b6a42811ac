// A job of the service: how far it is, what became of each execution, and steps to take.
import { useEffect } from 'react';
import type { Job } from '../api/operations.ts';
import { Go } from '../parts/Go.tsx';
import { Loading } from '../parts/parts.tsx';
import { useActorName } from '../parts/shown-name.ts';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useInstant } from '../words/words.tsx';
import { type ChangeWord, changeWords, isChangeWord } from './change-words.ts';

const lookEveryMs = 1_000;
/** As many of what was not done are listed. */
const mostProblems = 50;

/** Follows a job to its end. @param total - how many it is to look at, where that is known */
export function JobView({ jobId, total, onEnded }: { readonly jobId: string; readonly total?: number; readonly onEnded?: () => void }) {
  const { client, companyId, can, go, hasScreens } = useStudio();
  const say = usePartWords(changeWords);
  const actorName = useActorName();
  const instant = useInstant();
  const { isBusy, reason, act } = useAct();
  const {
    value: job,
    error,
    reload,
  } = useLoaded(`job/${jobId}`, async () => (await client.operations()).getJob({ path: { jobId }, query: { companyId } }));
  const hasEnded = job !== undefined && hasJobEnded(job);
  useEffect(() => {
    if (hasEnded) onEnded?.();
    if (hasEnded || job === undefined) return undefined;
    const timer = setTimeout(reload, lookEveryMs);
    return () => clearTimeout(timer);
  }, [job, hasEnded]);
  if (job === undefined) return <Loading error={error} onRetry={reload} />;
  const step = (name: 'pauseJob' | 'resumeJob' | 'cancelJob'): void =>
    act(async () => {
      const operations = await client.operations();
      await operations[name]({ path: { jobId }, query: { companyId } });
      reload();
    });
  const undo = (): void =>
    act(async () => {
      const { undoJob } = await client.operations();
      const { jobId: undoing } = await undoJob({ path: { jobId }, query: { companyId } });
      go({ screen: 'jobs', jobId: undoing });
    });
  return (
    <section className="change-part" aria-label={jobKind(say, job.kind)}>
      <p role="status">
        <b>{jobKind(say, job.kind)}</b> <span className={job.status}>{say(`job.status.${job.status}`)}</span> ·{' '}
        {say('job.progress', { cursor: job.cursor })}
      </p>
      {!hasEnded && (
        <progress aria-label={jobKind(say, job.kind)} {...(total !== undefined && { max: total, value: Math.min(job.cursor, total) })} />
      )}
      <Counts job={job} />
      {job.failure !== null && (
        <p className="bad" dir="auto">
          {job.failure.message}
        </p>
      )}
      <p className="caption" dir="auto">
        {say('job.by', { by: actorName(job.createdBy), time: instant(job.createdAt) })}
        {job.status === 'waiting' && ` · ${say('job.notBefore', { time: instant(job.notBefore) })}`}
      </p>
      {can('operate') && (
        <p className="buttons">
          {!hasEnded && job.status !== 'paused' && (
            <button type="button" disabled={isBusy} onClick={() => step('pauseJob')}>
              {say('job.pause')}
            </button>
          )}
          {job.status === 'paused' && (
            <button type="button" disabled={isBusy} onClick={() => step('resumeJob')}>
              {say('job.resume')}
            </button>
          )}
          {!hasEnded && (
            <button type="button" disabled={isBusy} onClick={() => step('cancelJob')}>
              {say('job.cancel')}
            </button>
          )}
          {hasEnded && hasScreens && job.kind === 'migrate' && (
            <button type="button" disabled={isBusy} onClick={undo}>
              {say('job.undo')}
            </button>
          )}
        </p>
      )}
      {!hasEnded && can('operate') && <Rate job={job} onChanged={reload} />}
      <Refused reason={reason} />
      <Problems job={job} />
    </section>
  );
}

export const hasJobEnded = ({ status }: Job): boolean => status === 'done' || status === 'cancelled';

/** What a job does, in words; kinds of a host's own keep their name. */
export function jobKind(say: (key: ChangeWord) => string, kind: string): string {
  const key = `job.kind.${kind}`;
  return isChangeWord(key) ? say(key) : kind;
}

/** What became of some, in words; outcomes of a host's own jobs keep their name. */
export function outcomeWord(say: (key: ChangeWord) => string, kind: string, outcome: string): string {
  const key = [`job.outcome.${kind}.${outcome}`, `job.outcome.${outcome}`, `plan.kind.${outcome}`].find((one) => isChangeWord(one));
  return key !== undefined && isChangeWord(key) ? say(key) : outcome;
}

function Counts({ job: { kind, counts, atLeast } }: { readonly job: Job }) {
  const say = usePartWords(changeWords);
  const outcomes = Object.entries(counts);
  if (outcomes.length === 0) return null;
  return (
    <>
      <ul className="job-counts" aria-label={say('job.counts')}>
        {outcomes.map(([outcome, count]) => (
          <li key={outcome}>
            <b>{count}</b> {outcomeWord(say, kind, outcome)}
          </li>
        ))}
      </ul>
      {atLeast && <p className="caption">{say('job.atLeast')}</p>}
    </>
  );
}

/** How many a second it acts on. */
function Rate({ job: { jobId, rate }, onChanged }: { readonly job: Job; readonly onChanged: () => void }) {
  const { client, companyId } = useStudio();
  const say = usePartWords(changeWords);
  const { isBusy, reason, act } = useAct();
  return (
    <form
      className="buttons"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = Number(new FormData(event.currentTarget).get('rate'));
        act(async () => {
          const { changeJob } = await client.operations();
          await changeJob({ path: { jobId }, query: { companyId }, body: { rate: wanted } });
          onChanged();
        });
      }}
    >
      <label>
        {say('job.rate')} <input name="rate" type="number" min={1} defaultValue={rate} />
      </label>
      <button type="submit" disabled={isBusy}>
        {say('job.setRate')}
      </button>
      <Refused reason={reason} />
    </form>
  );
}

/** What was not done, each with its sentence and a link to its execution, where it is of one. */
function Problems({ job: { kind, problems } }: { readonly job: Job }) {
  const say = usePartWords(changeWords);
  if (problems.length === 0) return null;
  return (
    <details open={problems.length < 6}>
      <summary>{say('job.failed', { count: problems.length })}</summary>
      <ul className="change-list">
        {problems.slice(0, mostProblems).map(({ executionId, message }, index) => (
          <li key={`${executionId} ${index}`}>
            {kind === 'sync-templates'
              ? executionId
              : executionId !== '' && <Go view={{ screen: 'execution', executionId }}>{executionId}</Go>}{' '}
            <span dir="auto">{message}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
