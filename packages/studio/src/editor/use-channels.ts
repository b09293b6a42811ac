import type { Channel } from '@hilo/engine/contract';
import { useMemo } from 'react';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';

const none: readonly Channel[] = [];

/**
 * The channels that the company has bots on: a draft is checked for each of them, such as for the 24 hours of WhatsApp. None until the
 * company's bots are known.
 */
export function useChannels(): readonly Channel[] {
  const { client, companyId } = useStudio();
  const { value: references } = useLoaded(`references/${companyId}`, () => client.references(companyId));
  const names = [...new Set(references?.bots.map(({ channel }) => channel))].toSorted();
  return useMemo(() => (names.length === 0 ? none : names), [names.join()]);
}
