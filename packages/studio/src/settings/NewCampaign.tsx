// The form of a new campaign: from which bot, which template, to whom and when; its plan is shown before it begins.
import { useId } from 'react';
import { shownText } from '../canvas/canvas-json.ts';
import { Loading } from '../parts/parts.tsx';
import { Refused } from '../parts/use-act.tsx';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { settingsWords } from './settings-words.ts';
import { knownOfPeople } from './template-parameters.ts';
import { type CampaignParts, type Plan, useCampaignParts, useNewCampaign } from './use-new-campaign.ts';

interface NewCampaignProps {
  /** A campaign whose recipients did not all read it, and are the audience at first; empty for none. */
  readonly unreadOf: string;
  readonly onMade: () => void;
}

export function NewCampaign(props: NewCampaignProps) {
  const { go } = useStudio();
  const say = usePartWords(settingsWords);
  const { value: parts, error, reload } = useCampaignParts();
  if (parts === undefined) return <Loading error={error} onRetry={reload} />;
  return (
    <section aria-label={say('settings.campaigns')}>
      <button type="button" className="link" onClick={() => go({ screen: 'settings', section: 'campaigns' })}>
        ← {say('settings.back')}
      </button>
      <h2>{say('settings.new')}</h2>
      <CampaignForm {...props} parts={parts} />
    </section>
  );
}

function CampaignForm({ unreadOf, onMade, parts }: NewCampaignProps & { readonly parts: CampaignParts }) {
  const say = usePartWords(settingsWords);
  const form = useId();
  const { chosen, template, places, filledWith, plan, isBusy, reason, choose, fill, submit } = useNewCampaign(parts, unreadOf, onMade);
  const templates = parts.templates.filter((one) => one['botId'] === chosen.botId && one['status'] === 'APPROVED');
  return (
    <form
      className="record-form form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="field">
        <label htmlFor={`${form}-name`}>{say('settings.name')}</label>
        <input id={`${form}-name`} required value={chosen.name} dir="auto" onChange={({ target }) => choose({ name: target.value })} />
      </div>
      <Choice
        label={say('settings.bot')}
        value={chosen.botId}
        options={parts.bots.map(({ id, name }) => [id, name])}
        onChange={(botId) => choose({ botId })}
      />
      <Choice
        label={say('settings.template')}
        value={chosen.templateId}
        options={templates.map(({ id, elementName, language }) => [String(id), `${String(elementName)} (${String(language)})`])}
        onChange={(templateId) => choose({ templateId })}
      />
      {template !== undefined && <Places text={shownText(template['body'] ?? '')} names={places} valueOf={filledWith} onChange={fill} />}
      <Choice
        label={say('settings.audience')}
        value={chosen.audience}
        options={[
          ...parts.groups.map(({ name }): Option => [`group:${name}`, `${say('settings.group')}: ${name}`]),
          ...parts.segments.map(({ name }): Option => [`segment:${name}`, `${say('settings.segment')}: ${name}`]),
          ...parts.done.map(({ id, name }): Option => [`unread:${id}`, say('settings.unread', { name })]),
        ]}
        onChange={(audience) => choose({ audience })}
      />
      <div className="field">
        <label htmlFor={`${form}-at`}>{say('settings.at', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}</label>
        <input id={`${form}-at`} type="datetime-local" value={chosen.at} onChange={({ target }) => choose({ at: target.value })} />
        <p className="help">{say('settings.atOnce')}</p>
      </div>
      <button type="submit" className="primary" disabled={isBusy}>
        {say(plan === undefined ? 'settings.plan' : 'settings.begin')}
      </button>
      {plan !== undefined && <Planned plan={plan} />}
      <Refused reason={reason} />
    </form>
  );
}

/** A value, and what people read. */
type Option = readonly [value: string, text: string];

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}

/** A list of which one must be chosen. */
function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} required value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">—</option>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
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
