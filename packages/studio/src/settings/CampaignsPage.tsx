// Campaigns of the company: how far each is, pause and go on, and a new one for a group or a segment.
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Operations } from '../api/operations.ts';
import { Go } from '../parts/Go.tsx';
import { SignedOut } from '../parts/LoginForm.tsx';
import { Loading } from '../parts/parts.tsx';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useInstant } from '../words/words.tsx';
import { CampaignView } from './CampaignView.tsx';
import { EmptyList } from './EmptyList.tsx';
import { NewCampaign } from './NewCampaign.tsx';
import { ReallyDialog } from './ReallyDialog.tsx';
import { settingsWords } from './settings-words.ts';

/** @param recordId - a campaign, `+` for a new one, and `+ID` for one to those who did not read another */
export function CampaignsPage({ recordId }: { readonly recordId: string | undefined }) {
  const { go } = useStudio();
  const back = () => go({ screen: 'settings', section: 'campaigns' });
  if (recordId === undefined) return <CampaignList />;
  if (!recordId.startsWith('+')) return <CampaignView key={recordId} id={recordId} onBack={back} />;
  return <NewCampaign unreadOf={recordId.slice(1)} onMade={back} />;
}

function CampaignList() {
  const { client, companyId, go, can } = useStudio();
  const say = usePartWords(settingsWords);
  const { isBusy, reason, act } = useAct();
  const [cancelling, setCancelling] = useState<{ readonly id: string; readonly name: string }>();
  const { value, error, reload, isSignedOut } = useLoaded(`campaigns/${companyId}`, async () =>
    (await client.operations()).listCompanyCampaigns({ path: { companyId }, query: { limit: 50 } }),
  );
  if (isSignedOut) return <SignedOut onSignedIn={reload} />;
  if (value === undefined) return <Loading error={error} onRetry={reload} />;
  const cancel = (campaignId: string) =>
    act(async () => {
      setCancelling(undefined);
      await (await client.operations()).cancelCompanyCampaign({ path: { companyId, campaignId } });
      reload();
    });
  const turn = (campaignId: string, isPaused: boolean) =>
    act(async () => {
      const { pauseCompanyCampaign, resumeCompanyCampaign } = await client.operations();
      await (isPaused ? resumeCompanyCampaign : pauseCompanyCampaign)({ path: { companyId, campaignId } });
      reload();
    });
  return (
    <section aria-label={say('settings.campaigns')}>
      <header className="page-head">
        <h2>{say('settings.campaigns')}</h2>
        <span className="spring" />
        {can('operate') && (
          <button type="button" className="primary" onClick={() => go({ screen: 'settings', section: 'campaigns', recordId: '+' })}>
            <Plus size={14} aria-hidden /> {say('settings.new')}
          </button>
        )}
      </header>
      <Refused reason={reason} />
      {value.results.length === 0 ? (
        <EmptyList section="campaigns" />
      ) : (
        <table>
          <thead>
            <tr>
              <th>{say('settings.name')}</th>
              <th>{say('settings.status')}</th>
              <th>{say('settings.progress')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {value.results.map((campaign) => (
              <CampaignRow key={campaign.id} campaign={campaign} isBusy={isBusy} onTurn={turn} onCancel={setCancelling} />
            ))}
          </tbody>
        </table>
      )}
      {cancelling !== undefined && (
        <ReallyDialog
          action={say('settings.cancelCampaign')}
          question={say('settings.reallyCancel', { name: cancelling.name })}
          onDo={() => cancel(cancelling.id)}
          onClose={() => setCancelling(undefined)}
        />
      )}
    </section>
  );
}

/** A campaign as the service lists it. */
type Listed = Awaited<ReturnType<Operations['listCompanyCampaigns']>>['results'][number];

interface CampaignRowProps {
  readonly campaign: Listed;
  readonly isBusy: boolean;
  readonly onTurn: (campaignId: string, isPaused: boolean) => void;
  /** Asked for before it is done. */
  readonly onCancel: (campaign: Pick<Listed, 'id' | 'name'>) => void;
}

/** How far a campaign is, and what may be done with it. */
function CampaignRow({ campaign, isBusy, onTurn, onCancel }: CampaignRowProps) {
  const { can } = useStudio();
  const say = usePartWords(settingsWords);
  const when = useInstant();
  const { id, name, status, totalMessages, deliveredMessages, failedMessages, skipped, paused, scheduledAt } = campaign;
  const turning = say(paused !== undefined ? 'settings.resume' : 'settings.pause');
  const isOver = ['COMPLETED', 'CANCELLED'].includes(status);
  return (
    <tr>
      <td>
        <Go view={{ screen: 'settings', section: 'campaigns', recordId: id }}>{name}</Go>
      </td>
      <td>
        {say(`settings.status.${status}`)}
        {status === 'SCHEDULED' && scheduledAt !== null && ` · ${when(scheduledAt)}`}
        {paused !== undefined && (
          <span className="warn" dir="auto">
            {' '}
            {paused.reason}
          </span>
        )}
      </td>
      <td data-label={say('settings.progress')}>
        {deliveredMessages} / {totalMessages}{' '}
        {failedMessages > 0 && <span className="bad">{say('settings.failed', { count: failedMessages })}</span>}{' '}
        {(skipped?.consent ?? 0) > 0 && <span>{say('settings.skipped', { count: skipped?.consent ?? 0 })}</span>}
      </td>
      <td>
        {can('operate') && !isOver && (
          <button type="button" disabled={isBusy} aria-label={`${turning}: ${name}`} onClick={() => onTurn(id, paused !== undefined)}>
            {turning}
          </button>
        )}{' '}
        {can('operate') && status === 'SCHEDULED' && (
          <button
            type="button"
            disabled={isBusy}
            aria-label={`${say('settings.cancelCampaign')}: ${name}`}
            onClick={() => onCancel({ id, name })}
          >
            {say('settings.cancelCampaign')}
          </button>
        )}
      </td>
    </tr>
  );
}
