import type { PatternUse, VariableRead } from './reads.ts';

type Place = readonly (string | number)[];

/** What was found in a template, with the template's place inside a parsed config. */
export type Located<Found> = Found & { readonly at: Place };

/** Every read of every template inside a parsed config, wherever it stands. */
export const readsIn = (config: unknown): readonly Located<VariableRead>[] => foundIn<VariableRead>(config, 'reads');

/** Every pattern of `like` that stands in an expression of a parsed config. */
export const patternsIn = (config: unknown): readonly Located<PatternUse>[] => foundIn<PatternUse>(config, 'patterns');

function foundIn<Found extends { readonly at?: Place }>(
  config: unknown,
  what: 'reads' | 'patterns',
  at: Place = [],
): readonly Located<Found>[] {
  if (typeof config === 'function') {
    const found: unknown = Reflect.get(config, what);
    return Array.isArray(found) ? found.map((one: Found) => ({ ...one, at: [...at, ...(one.at ?? [])] })) : [];
  }
  if (typeof config !== 'object' || config === null) return [];
  if (Array.isArray(config)) return config.flatMap((item, index) => foundIn<Found>(item, what, [...at, index]));
  return Object.entries(config).flatMap(([key, value]) => foundIn<Found>(value, what, [...at, key]));
}
