// Which effects can be performed, for checks of canvases that load no driver.
import { standardNodes } from '@hilo/nodes';
import type { CompleteParts } from './host-parts.ts';

/** The types of effects that have a driver before a service is open: Hilo's and the host's. */
export const performedEffects = ({
  drivers,
  resources = [],
}: Pick<CompleteParts, 'drivers'> & Partial<Pick<CompleteParts, 'resources'>>): ReadonlySet<string> => {
  const own = [...drivers, ...resources.flatMap((resource) => resource.drivers)].map(({ effect }) => effect);
  return new Set([...standardNodes.flatMap(({ effects = [] }) => effects), ...own].map(({ type }) => type));
};
