// A campaign that is being written: what it may be made of, what was chosen, its plan, and how it is made.
import type { JsonObject } from '@hilo/engine/contract';
import { useState } from 'react';
import { useAct } from '../parts/use-act.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { unreadOfResults } from './campaign-results.ts';
import { parametersOf, usualFor } from './template-parameters.ts';

/** What a campaign would be. */
export interface Plan {
  readonly recipients: number;
  readonly noConsent: number;
  readonly missingParameters: readonly { readonly user: string; readonly parameter: string }[];
}

/** What was chosen. An audience is `group:NAME`, `segment:NAME`, or `unread:ID` of a campaign. */
export interface Chosen {
  readonly name: string;
  readonly botId: string;
  readonly templateId: string;
  readonly audience: string;
  /** A local time, as a field has it; at once, when empty. */
  readonly at: string;
}

/** The groups, segments, ended campaigns, templates and bots of the company. */
export function useCampaignParts() {
  const { client, companyId } = useStudio();
  return useLoaded(`campaign-parts/${companyId}`, async () => {
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
}

/** What a campaign may be made of. */
export type CampaignParts = NonNullable<ReturnType<typeof useCampaignParts>['value']>;

/**
 * A campaign that is being written. It is planned first, and made as it was planned: a change needs another plan.
 *
 * @param unreadOf - a campaign whose recipients did not all read it, and are the audience at first; empty for none
 * @param onMade - called once it is made
 */
export function useNewCampaign({ templates }: Pick<CampaignParts, 'templates'>, unreadOf: string, onMade: () => void) {
  const { client, companyId } = useStudio();
  const { isBusy, reason, act } = useAct();
  const [plan, setPlan] = useState<Plan>();
  const audience = unreadOf === '' ? '' : `unread:${unreadOf}`;
  const [chosen, setChosen] = useState<Chosen>({ name: '', botId: '', templateId: '', audience, at: '' });
  const [given, setGiven] = useState<{ readonly [name: string]: string }>({});
  const template = templates.find(({ id }) => id === chosen.templateId) as JsonObject | undefined;
  const places = template === undefined ? [] : parametersOf(template);
  const filledWith = (name: string): string => given[name] ?? usualFor(name);

  const make = async (isPlan: boolean): Promise<void> => {
    const { makeCompanyCampaign, getCompanyCampaignResults } = await client.operations();
    const readResults = async (campaignId: string): Promise<string> =>
      (await getCompanyCampaignResults({ path: { companyId, campaignId } })).text();
    const made = await makeCompanyCampaign({
      path: { companyId },
      query: { dryRun: isPlan ? 'true' : 'false' },
      body: {
        name: chosen.name,
        botId: chosen.botId,
        templateId: chosen.templateId,
        audience: await audienceOf(chosen, readResults),
        ...(places.length > 0 && { parameters: Object.fromEntries(places.map((one) => [one, filledWith(one)])) }),
        ...(chosen.at !== '' && { scheduledAt: new Date(chosen.at).toISOString() }),
      },
    });
    if ('recipients' in made) setPlan(made);
    else onMade();
  };

  return {
    chosen,
    template,
    places,
    filledWith,
    plan,
    isBusy,
    reason,
    choose(changed: Partial<Chosen>): void {
      setPlan(undefined);
      setChosen({ ...chosen, ...changed });
    },
    fill(name: string, text: string): void {
      setPlan(undefined);
      setGiven({ ...given, [name]: text });
    },
    /** Plans it; once it is planned, makes it. */
    submit: () => act(() => make(plan === undefined)),
  };
}

/** The audience as the service takes it: who did not read another campaign is read from its results. */
async function audienceOf({ audience }: Chosen, readResults: (campaignId: string) => Promise<string>) {
  const [kind = '', name = ''] = audience.split(/:(.*)/s);
  if (kind === 'unread') return { csv: unreadOfResults(await readResults(name)) };
  return kind === 'group' ? { group: name } : { segment: name };
}
