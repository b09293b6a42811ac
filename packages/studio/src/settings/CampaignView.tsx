// One campaign: how far it is, what became of its messages, and what can be done with it.
import { useState } from 'react';
import type { Operations } from '../api/operations.ts';
import { SignedOut } from '../parts/LoginForm.tsx';
import { Loading } from '../parts/parts.tsx';
import { saveFile } from '../parts/save-file.ts';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useInstant } from '../words/words.tsx';
import { ReallyDialog } from './ReallyDialog.tsx';
import { settingsWords } from './settings-words.ts';

interface CampaignViewProps {
  readonly id: string;
  readonly onBack: () => void;
}

export function CampaignView({ id, onBack }: CampaignViewProps) {
  const { client, companyId, go, can } = useStudio();
  const say = usePartWords(settingsWords);
  const when = useInstant();
  const { isBusy, reason, act } = useAct();
  const [isCancelling, setCancelling] = useState(false);
  const path = { companyId, campaignId: id };
  const { value, error, reload, isSignedOut } = useLoaded(`campaign/${companyId}/${id}`, async () => {
    const { getCompanyCampaign, getCompanyCampaignReport } = await client.operations();
    const [campaign, report] = await Promise.all([getCompanyCampaign({ path }), getCompanyCampaignReport({ path })]);
    return { campaign, report };
  });
  if (isSignedOut) return <SignedOut onSignedIn={reload} />;
  if (value === undefined) return <Loading error={error} onRetry={reload} />;
  const { campaign, report } = value;
  const { name, status, paused, scheduledAt, elementName } = campaign;
  const isOver = status === 'COMPLETED' || status === 'CANCELLED';
  const turn = () =>
    act(async () => {
      const { pauseCompanyCampaign, resumeCompanyCampaign } = await client.operations();
      await (paused === undefined ? pauseCompanyCampaign : resumeCompanyCampaign)({ path });
      reload();
    });
  const cancel = () =>
    act(async () => {
      setCancelling(false);
      await (await client.operations()).cancelCompanyCampaign({ path });
      reload();
    });
  const save = () =>
    act(async () => {
      const results = await (await client.operations()).getCompanyCampaignResults({ path });
      saveFile(`${name}.csv`, await results.text(), 'text/csv');
    });
  return (
    <section aria-label={name}>
      <button type="button" className="link" onClick={onBack}>
        ← {say('settings.back')}
      </button>
      <h2 dir="auto">{name}</h2>
      <p>
        {say(`settings.status.${status}`)}
        {status === 'SCHEDULED' && scheduledAt !== null && ` · ${when(scheduledAt)}`} · {say('settings.template')}{' '}
        <span dir="auto">{elementName}</span>
      </p>
      {paused !== undefined && (
        <p className="warn" dir="auto">
          {paused.reason}
        </p>
      )}
      <Report report={report} />
      <Refused reason={reason} />
      <p className="buttons">
        <button type="button" disabled={isBusy} onClick={reload}>
          {say('settings.again')}
        </button>
        {can('operate') && !isOver && (
          <button type="button" disabled={isBusy} onClick={turn}>
            {say(paused === undefined ? 'settings.pause' : 'settings.resume')}
          </button>
        )}
        {can('operate') && status === 'SCHEDULED' && (
          <button type="button" disabled={isBusy} onClick={() => setCancelling(true)}>
            {say('settings.cancelCampaign')}
          </button>
        )}
        <button type="button" disabled={isBusy} onClick={save}>
          {say('settings.results')}
        </button>
        {can('operate') && status === 'COMPLETED' && (
          <button type="button" onClick={() => go({ screen: 'settings', section: 'campaigns', recordId: `+${id}` })}>
            {say('settings.toUnread')}
          </button>
        )}
      </p>
      {isCancelling && (
        <ReallyDialog
          action={say('settings.cancelCampaign')}
          question={say('settings.reallyCancel', { name })}
          onDo={cancel}
          onClose={() => setCancelling(false)}
        />
      )}
    </section>
  );
}

type CampaignReport = Awaited<ReturnType<Operations['getCompanyCampaignReport']>>;

/** How many messages came how far, and why others did not. */
function Report({ report }: { readonly report: CampaignReport }) {
  const say = usePartWords(settingsWords);
  const counts = (['recipients', 'pending', 'sent', 'delivered', 'read', 'replied'] as const).map((one) => [one, report[one]] as const);
  return (
    <table className="narrow">
      <tbody>
        {counts.map(([one, count]) => (
          <tr key={one}>
            <th scope="row">{say(`settings.report.${one}`)}</th>
            <td>{count}</td>
          </tr>
        ))}
        {report.skipped.consent > 0 && (
          <tr>
            <th scope="row">{say('settings.report.skipped')}</th>
            <td>{report.skipped.consent}</td>
          </tr>
        )}
        {Object.entries(report.failed).map(([code, count]) => (
          <tr key={code}>
            <th scope="row">
              {say('settings.report.failed')} <code>{code}</code>
            </th>
            <td>{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
