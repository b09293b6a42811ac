// A file of its own: the entry for nodes exports it, and its types must not name those of Luxon, which hosts do not install.
import { getZone } from './time.ts';

/** The name of a zone as the platform has it; `undefined` for an unknown one. Other spellings would each stay in the caches of Luxon. */
export const canonicalZone = (name: string): string | undefined => getZone(name)?.name;
