// Jobs of the company: durable work over many executions, looked at and stepped in.
import { useEffect } from 'react';
import { ArrowLeft } from 'lucide-react';
import { Go } from '../parts/Go.tsx';
import { SignedOut } from '../parts/LoginForm.tsx';
import { ModeButton } from '../parts/ModeButton.tsx';
import { IconButton, Loading } from '../parts/parts.tsx';
import { useActorName } from '../parts/shown-name.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useMoment } from '../words/moment.ts';
import { useWords } from '../words/words.tsx';
import { changeWords } from './change-words.ts';
import { hasJobEnded, jobKind, JobView, outcomeWord } from './JobView.tsx';

const lookEveryMs = 3_000;

/** Every job of the company, the newest first; or one of them. */
export function JobsScreen({ jobId }: { readonly jobId?: string }) {
  const { client, companyId, go } = useStudio();
  const words = useWords();
  const say = usePartWords(changeWords);
  const actorName = useActorName();
  const instant = useMoment();
  const { value, error, reload, isSignedOut } = useLoaded(`jobs/${companyId}`, async () =>
    (await client.operations()).listJobs({ query: { companyId, limit: 100 } }),
  );
  const isAtWork = value?.results.some((job) => !hasJobEnded(job)) ?? false;
  useEffect(() => {
    if (!isAtWork) return undefined;
    const timer = setTimeout(reload, lookEveryMs);
    return () => clearTimeout(timer);
  }, [value, isAtWork]);
  if (isSignedOut) return <SignedOut onSignedIn={reload} />;
  return (
    <main className="page">
      <header className="page-head">
        <IconButton label={words('editor.back')} onClick={() => go(jobId === undefined ? { screen: 'workflows' } : { screen: 'jobs' })}>
          <ArrowLeft size={18} aria-hidden />
        </IconButton>
        <h1>{say('job.title')}</h1>
        <span className="spring" />
        <ModeButton />
      </header>
      {jobId !== undefined && <JobView key={jobId} jobId={jobId} onEnded={reload} />}
      {value === undefined ? (
        <Loading error={error} onRetry={reload} />
      ) : value.results.length === 0 ? (
        <p className="quiet-text">{say('job.none')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>{say('job.what')}</th>
              <th>{say('job.status')}</th>
              <th>{say('job.counts')}</th>
              <th>{say('audit.actor')}</th>
              <th>{say('audit.at')}</th>
            </tr>
          </thead>
          <tbody>
            {value.results.map(({ jobId: id, kind, status, counts, failure, problems, createdBy, createdAt }) => (
              <tr key={id} {...(id === jobId && { 'aria-current': true })}>
                <td>
                  <Go view={{ screen: 'jobs', jobId: id }}>{jobKind(say, kind)}</Go>
                </td>
                <td>
                  <span className={status === 'paused' || failure !== null ? 'warn' : ''}>{say(`job.status.${status}`)}</span>
                </td>
                <td>
                  {Object.entries(counts)
                    .map(([outcome, count]) => `${count} ${outcomeWord(say, kind, outcome)}`)
                    .join(', ')}
                  {problems.length > 0 && <span className="bad"> {say('job.failed', { count: problems.length })}</span>}
                </td>
                <td dir="auto" data-label={say('audit.actor')}>
                  {actorName(createdBy)}
                </td>
                <td data-label={say('audit.at')}>{instant(createdAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </main>
  );
}
