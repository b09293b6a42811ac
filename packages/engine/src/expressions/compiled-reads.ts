import type { VariableRead } from './reads.ts';

/** A read with the place of its template inside a parsed config. */
export interface LocatedRead extends VariableRead {
  readonly at: readonly (string | number)[];
}

/** Every read of every template inside a parsed config, wherever it stands. */
export function readsIn(config: unknown, at: readonly (string | number)[] = []): readonly LocatedRead[] {
  if (typeof config === 'function') {
    return 'reads' in config && Array.isArray(config.reads)
      ? config.reads.map((read: VariableRead) => ({ ...read, at: [...at, ...(read.at ?? [])] }))
      : [];
  }
  if (typeof config !== 'object' || config === null) return [];
  if (Array.isArray(config)) return config.flatMap((item, index) => readsIn(item, [...at, index]));
  return Object.entries(config).flatMap(([key, value]) => readsIn(value, [...at, key]));
}
