// Fields of the settings that are chosen from what there is: time zones, workflows, teams and channels.
import type { Channel, Json, JsonObject } from '@hilo/engine/contract';
import { shownText } from '../canvas/canvas-json.ts';
import type { WidgetProps } from '../forms/widget-props.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { timeInWords } from '../words/summary.ts';
import { useLanguage, useNames } from '../words/words.tsx';
import { idOf, nameOf } from './kinds.ts';
import { settingsWords } from './settings-words.ts';

interface Option {
  readonly value: Json;
  readonly name: string;
}

/** What can be chosen, and what is chosen already although it is not there (any more): it is shown, and can be taken away. */
export const withChosen = (options: readonly Option[], chosen: readonly Json[]): readonly Option[] => [
  ...chosen.filter((one) => options.every(({ value }) => value !== one)).map((one) => ({ value: one, name: shownText(one) })),
  ...options,
];

interface OneProps extends WidgetProps {
  readonly options: readonly Option[];
}

function OneOf({ options, value, onChange, id, isRequired, isReadOnly }: OneProps) {
  const text = typeof value === 'string' ? value : '';
  return (
    <select
      id={id}
      value={text}
      disabled={isReadOnly}
      onChange={({ target }) => onChange(target.value === '' && !isRequired ? undefined : target.value)}
    >
      <option value="">—</option>
      {withChosen(options, text === '' ? [] : [text]).map((one) => (
        <option key={shownText(one.value)} value={shownText(one.value)}>
          {one.name}
        </option>
      ))}
    </select>
  );
}

function SomeOf({ options, value, onChange, label, isReadOnly }: OneProps) {
  const chosen: readonly Json[] = Array.isArray(value) ? value : [];
  return (
    <span className="choices" role="group" aria-label={label}>
      {withChosen(options, chosen).map((one) => (
        <label key={shownText(one.value)} dir="auto">
          <input
            type="checkbox"
            checked={chosen.includes(one.value)}
            disabled={isReadOnly}
            onChange={({ target }) => onChange(target.checked ? [...chosen, one.value] : chosen.filter((other) => other !== one.value))}
          />{' '}
          {one.name}
        </label>
      ))}
      {options.length + chosen.length === 0 && '—'}
    </span>
  );
}

/** The zones that the browser knows; some leave out the one that all others are measured from. */
export const timeZones = (): readonly string[] => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

function TimeZoneWidget(props: WidgetProps) {
  return <OneOf {...props} options={timeZones().map((name) => ({ value: name, name: name.replaceAll('_', ' ') }))} />;
}

function WorkflowWidget(props: WidgetProps) {
  const { client, companyId } = useStudio();
  const { value: references } = useLoaded(`references/${companyId}`, () => client.references(companyId));
  return <OneOf {...props} options={(references?.workflows ?? []).map(({ id, name }) => ({ value: id, name }))} />;
}

function TeamsWidget(props: WidgetProps) {
  const { client, companyId } = useStudio();
  const { value } = useLoaded(`records/${companyId}/teams`, async () =>
    (await client.operations()).listRecords({ path: { companyId, kind: 'teams' } }),
  );
  const teams = (value?.results ?? []) as readonly JsonObject[];
  return <SomeOf {...props} options={teams.map((team) => ({ value: Number(idOf(team)), name: nameOf(team) }))} />;
}

/** Every channel: the compiler says when one is missing. The list of the engine would bring all its schemas along. */
const channels = Object.keys({
  whatsapp: true,
  web: true,
  instagram: true,
  facebook: true,
  slack: true,
  teams: true,
  twitter: true,
  custom: true,
} satisfies { readonly [Name in Channel]: true });

function ChannelsWidget(props: WidgetProps) {
  const channelWord = useNames('channel');
  return <SomeOf {...props} options={channels.map((channel) => ({ value: channel, name: channelWord(channel) }))} />;
}

/** How long the bot is silent after a person has answered in the app; others are in the workspace file. */
const silences = ['PT10M', 'PT30M', 'PT1H', 'PT4H', 'P1D'];

function TakeoverWidget(props: WidgetProps) {
  const say = usePartWords(settingsWords);
  const { locale } = useLanguage();
  const times = silences.map((value) => ({ value, name: timeInWords(value, locale) }));
  return <OneOf {...props} options={[...times, { value: 'never', name: say('settings.takeover.never') }]} />;
}

export const choiceWidgets = {
  takeover: TakeoverWidget,
  timeZone: TimeZoneWidget,
  workflowChoice: WorkflowWidget,
  teamChoice: TeamsWidget,
  channelChoice: ChannelsWidget,
};
