// One act on every execution that the filter of a list names: counted first, then asked for as a job.
import { type FormEvent, useState } from 'react';
import type { BulkPlan } from '@hilo/engine';
import { readLines } from '../api/operations.ts';
import { changeWords } from '../change/change-words.ts';
import { JobView } from '../change/JobView.tsx';
import { textIn } from '../parts/form-text.ts';
import { Dialog, Loading } from '../parts/parts.tsx';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { type ExecutionFilter, useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useNames, useWords } from '../words/words.tsx';
import { type BulkKind, bulkFilterOf, isNarrow } from './bulk-filter.ts';

interface BulkDialogProps {
  readonly filter: ExecutionFilter;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const kinds: readonly BulkKind[] = ['retry', 'cancel', 'release'];

/** Cancels, retries or releases what a list shows, and all that it does not show yet. */
export function BulkDialog({ filter: shown, onDone, onClose }: BulkDialogProps) {
  const { client, companyId } = useStudio();
  const say = usePartWords(changeWords);
  const words = useWords();
  const { isBusy, reason, act } = useAct();
  const filter = bulkFilterOf(shown);
  const [kind, setKind] = useState<BulkKind>(shown.status === 'waiting' ? 'cancel' : shown.status === 'quarantined' ? 'release' : 'retry');
  const [read, setRead] = useState(0);
  const [jobId, setJobId] = useState<string>();
  const actionOf = (given: string) =>
    kind === 'retry'
      ? { type: 'retry', version: 'latest' }
      : kind === 'cancel' && given !== ''
        ? { type: 'cancel', reason: given }
        : { type: kind };
  const {
    value: plan,
    error,
    reload,
  } = useLoaded(`bulk/${companyId}/${kind}/${JSON.stringify(filter)}`, async () => {
    if (!isNarrow(filter)) return undefined;
    const { planBulk } = await client.operations();
    const answer = await planBulk({ query: { companyId }, body: { filter, action: actionOf('') } });
    return readLines<BulkPlan>(answer, ({ read: count }) => setRead(Number(count)));
  });
  const ask = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = textIn(new FormData(event.currentTarget), 'reason');
    act(async () => {
      const { actInBulk } = await client.operations();
      const action = actionOf(given);
      setJobId((await actInBulk({ query: { companyId }, body: { filter, action, atMost: plan?.total ?? 1 } })).jobId);
    });
  };
  if (jobId !== undefined)
    return (
      <Dialog title={say('bulk.title')} onClose={onClose} wide>
        <JobView jobId={jobId} {...(plan !== undefined && { total: plan.total })} onEnded={onDone} />
      </Dialog>
    );
  return (
    <Dialog title={say('bulk.title')} onClose={onClose} wide>
      <form className="form" onSubmit={ask}>
        <label className="field">
          {say('bulk.action')}{' '}
          <select value={kind} onChange={({ target }) => setKind(kinds.find((one) => one === target.value) ?? 'retry')}>
            {kinds.map((one) => (
              <option key={one} value={one}>
                {say(`bulk.${one}`)}
              </option>
            ))}
          </select>
        </label>
        {kind === 'cancel' && (
          <label className="field">
            {say('bulk.reason')} <input name="reason" maxLength={200} dir="auto" />
          </label>
        )}
        {!isNarrow(filter) ? (
          <p className="warn">{say('bulk.tooMany')}</p>
        ) : plan === undefined && error === undefined ? (
          <p role="status">{say('bulk.counting', { read })}</p>
        ) : plan === undefined ? (
          <Loading error={error} onRetry={reload} />
        ) : (
          <Counted plan={plan} />
        )}
        <Refused reason={reason} />
        <p className="buttons">
          <button type="button" onClick={onClose}>
            {words('app.cancel')}
          </button>
          <button type="submit" className="primary" disabled={isBusy || (plan?.total ?? 0) === 0}>
            {say('bulk.do', { count: plan?.total ?? 0 })}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function Counted({ plan: { total, byVersion, byCause, talking = 0, windowClosed = 0 } }: { readonly plan: BulkPlan }) {
  const say = usePartWords(changeWords);
  const causeWord = useNames('cause');
  const listed = [
    ...Object.entries(byVersion).map(([version, count]) => [`v${version}`, count] as const),
    ...Object.entries(byCause).map(([cause, count]) => [causeWord(cause), count] as const),
  ];
  return (
    <>
      <p role="status">{say('bulk.about', { count: total })}</p>
      <ul className="job-counts">
        {listed.map(([name, count]) => (
          <li key={name}>
            <b>{count}</b> {name}
          </li>
        ))}
      </ul>
      {talking > 0 && <p className="caption">{say('bulk.talking', { count: talking })}</p>}
      {windowClosed > 0 && <p className="caption">{say('bulk.windowClosed', { count: windowClosed })}</p>}
    </>
  );
}
