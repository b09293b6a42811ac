// The people and teams that the cards of a canvas name: read where there is such a card, and somebody may see them.
import type { Flow } from '../canvas/flow.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import type { People } from '../words/summary.ts';

export function usePeople({ cards }: Flow): People | undefined {
  const { can, client, companyId } = useStudio();
  const asks =
    can('answer') &&
    cards.some(({ node: { type, data } }) => type === 'handoff' && (data?.['teamId'] ?? data?.['operatorId']) !== undefined);
  return useLoaded(asks ? `people/${companyId}` : '', async () => (asks ? client.inboxPeople(companyId) : undefined)).value;
}
