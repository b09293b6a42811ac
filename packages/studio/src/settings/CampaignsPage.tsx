// Campaigns of the company: how far each is, pause and go on, and a new one for a group or a segment.
import type { JsonObject } from '@hilo/engine/contract';
import { Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { shownText } from '../canvas/canvas-json.ts';
import { Go } from '../parts/Go.tsx';
import { SignedOut } from '../parts/LoginForm.tsx';
import { Loading } from '../parts/parts.tsx';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useInstant } from '../words/words.tsx';
import { unreadOfResults } from './campaign-results.ts';
import { CampaignView } from './CampaignView.tsx';
import { EmptyList } from './EmptyList.tsx';
import { ReallyDialog } from './ReallyDialog.tsx';
import { settingsWords } from './settings-words.ts';
import { knownOfPeople, parametersOf, usualFor } from './template-parameters.ts';

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
  const when = useInstant();
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
            {value.results.map(({ id, name, status, totalMessages, deliveredMessages, failedMessages, skipped, paused, scheduledAt }) => (
              <tr key={id}>
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
                  {can('operate') && !['COMPLETED', 'CANCELLED'].includes(status) && (
                    <button
                      type="button"
                      disabled={isBusy}
                      aria-label={`${say(paused !== undefined ? 'settings.resume' : 'settings.pause')}: ${name}`}
                      onClick={() => turn(id, paused !== undefined)}
                    >
                      {say(paused !== undefined ? 'settings.resume' : 'settings.pause')}
                    </button>
                  )}{' '}
                  {can('operate') && status === 'SCHEDULED' && (
                    <button
                      type="button"
                      disabled={isBusy}
                      aria-label={`${say('settings.cancelCampaign')}: ${name}`}
                      onClick={() => setCancelling({ id, name })}
                    >
                      {say('settings.cancelCampaign')}
                    </button>
                  )}
                </td>
              </tr>
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

interface NewCampaignProps {
  /** A campaign whose recipients did not all read it, and are the audience at first; empty for none. */
  readonly unreadOf: string;
  readonly onMade: () => void;
}

function NewCampaign({ unreadOf, onMade }: NewCampaignProps) {
  const { client, companyId, go } = useStudio();
  const say = usePartWords(settingsWords);
  const form = useId();
  const { isBusy, reason, act } = useAct();
  const [planned, setPlanned] = useState<Plan>();
  const [value, setValue] = useState({
    name: '',
    botId: '',
    templateId: '',
    audience: unreadOf === '' ? '' : `unread:${unreadOf}`,
    at: '',
  });
  const [given, setGiven] = useState<{ readonly [name: string]: string }>({});
  const {
    value: known,
    error,
    reload,
  } = useLoaded(`campaign-parts/${companyId}`, async () => {
    const { listContactGroups, listSegments, listRecords, listCompanyCampaigns } = await client.operations();
    const [groups, segments, campaigns, templates, bots] = await Promise.all([
      listContactGroups({ path: { companyId } }),
      listSegments({ path: { companyId } }),
      listCompanyCampaigns({ path: { companyId }, query: { limit: 50 } }),
      listRecords({ path: { companyId, kind: 'templates' } }),
      client.references(companyId).then((references) => references.bots),
    ]);
    const done = campaigns.results.filter(({ status }) => status === 'COMPLETED');
    return { groups: groups.results, segments: segments.results, done, templates: templates.results, bots };
  });
  if (known === undefined) return <Loading error={error} onRetry={reload} />;
  const put = (changed: Partial<typeof value>): void => {
    setPlanned(undefined);
    setValue({ ...value, ...changed });
  };
  const template = known.templates.find(({ id }) => id === value.templateId);
  const places = template === undefined ? [] : parametersOf(template as JsonObject);
  const filledWith = (name: string): string => given[name] ?? usualFor(name);
  const make = async (isPlan: boolean): Promise<void> => {
    const [kind = '', name = ''] = value.audience.split(/:(.*)/s);
    const { makeCompanyCampaign, getCompanyCampaignResults } = await client.operations();
    const results = kind === 'unread' ? await getCompanyCampaignResults({ path: { companyId, campaignId: name } }) : undefined;
    const csv = results === undefined ? '' : unreadOfResults(await results.text());
    const made = await makeCompanyCampaign({
      path: { companyId },
      query: { dryRun: isPlan ? 'true' : 'false' },
      body: {
        name: value.name,
        botId: value.botId,
        templateId: value.templateId,
        audience: kind === 'unread' ? { csv } : kind === 'group' ? { group: name } : { segment: name },
        ...(places.length > 0 && { parameters: Object.fromEntries(places.map((one) => [one, filledWith(one)])) }),
        ...(value.at !== '' && { scheduledAt: new Date(value.at).toISOString() }),
      },
    });
    if ('recipients' in made) setPlanned(made);
    else onMade();
  };
  const select = (name: 'botId' | 'templateId' | 'audience', label: string, options: readonly (readonly [string, string])[]) => (
    <div className="field">
      <label htmlFor={`${form}-${name}`}>{label}</label>
      <select id={`${form}-${name}`} required value={value[name]} onChange={({ target }) => put({ [name]: target.value })}>
        <option value="">—</option>
        {options.map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
  const templates = known.templates.filter((one) => one['botId'] === value.botId && one['status'] === 'APPROVED');
  return (
    <section aria-label={say('settings.campaigns')}>
      <button type="button" className="link" onClick={() => go({ screen: 'settings', section: 'campaigns' })}>
        ← {say('settings.back')}
      </button>
      <h2>{say('settings.new')}</h2>
      <form
        className="record-form form"
        onSubmit={(event) => {
          event.preventDefault();
          act(() => make(planned === undefined));
        }}
      >
        <div className="field">
          <label htmlFor={`${form}-name`}>{say('settings.name')}</label>
          <input id={`${form}-name`} required value={value.name} dir="auto" onChange={({ target }) => put({ name: target.value })} />
        </div>
        {select(
          'botId',
          say('settings.bot'),
          known.bots.map(({ id, name }) => [id, name] as const),
        )}
        {select(
          'templateId',
          say('settings.template'),
          templates.map(({ id, elementName, language }) => [String(id), `${String(elementName)} (${String(language)})`] as const),
        )}
        {template !== undefined && (
          <Places
            text={shownText((template as JsonObject)['body'] ?? '')}
            names={places}
            valueOf={filledWith}
            onChange={(name, text) => {
              setPlanned(undefined);
              setGiven({ ...given, [name]: text });
            }}
          />
        )}
        {select('audience', say('settings.audience'), [
          ...known.groups.map(({ name }) => [`group:${name}`, `${say('settings.group')}: ${name}`] as const),
          ...known.segments.map(({ name }) => [`segment:${name}`, `${say('settings.segment')}: ${name}`] as const),
          ...known.done.map(({ id, name }) => [`unread:${id}`, say('settings.unread', { name })] as const),
        ])}
        <div className="field">
          <label htmlFor={`${form}-at`}>{say('settings.at', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}</label>
          <input id={`${form}-at`} type="datetime-local" value={value.at} onChange={({ target }) => put({ at: target.value })} />
          <p className="help">{say('settings.atOnce')}</p>
        </div>
        <button type="submit" className="primary" disabled={isBusy}>
          {say(planned === undefined ? 'settings.plan' : 'settings.begin')}
        </button>
        {planned !== undefined && <Planned plan={planned} />}
        <Refused reason={reason} />
      </form>
    </section>
  );
}

/** What a campaign would be. */
interface Plan {
  readonly recipients: number;
  readonly noConsent: number;
  readonly missingParameters: readonly { readonly user: string; readonly parameter: string }[];
}

function Planned({ plan: { recipients, noConsent, missingParameters } }: { readonly plan: Plan }) {
  const say = usePartWords(settingsWords);
  const names = [...new Set(missingParameters.map(({ parameter }) => parameter))];
  return (
    <div role="status">
      <p>{say('settings.planned', { count: recipients })}</p>
      {noConsent > 0 && <p>{say('settings.plannedWithout', { count: noConsent })}</p>}
      {names.length > 0 && <p className="bad">{say('settings.plannedMissing', { names: names.join(', ') })}</p>}
    </div>
  );
}

interface PlacesProps {
  /** The text of the template. */
  readonly text: string;
  readonly names: readonly string[];
  readonly valueOf: (name: string) => string;
  readonly onChange: (name: string, text: string) => void;
}

/** The text of a template, and a field for each of its places. */
function Places({ text, names, valueOf, onChange }: PlacesProps) {
  const say = usePartWords(settingsWords);
  const id = useId();
  return (
    <>
      {text !== '' && (
        <p className="quiet-text" dir="auto">
          {text}
        </p>
      )}
      {names.map((name) => (
        <div key={name} className="field">
          <label htmlFor={`${id}-${name}`}>{say('settings.place', { name })}</label>
          <input
            id={`${id}-${name}`}
            required
            value={valueOf(name)}
            list={`${id}-known`}
            dir="auto"
            onChange={({ target }) => onChange(name, target.value)}
          />
        </div>
      ))}
      {names.length > 0 && (
        <>
          <p className="help">{say('settings.placeHelp', { field: '{{user.fields.city}}' })}</p>
          <datalist id={`${id}-known`}>
            {knownOfPeople.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </>
      )}
    </>
  );
}
