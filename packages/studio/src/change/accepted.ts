import type { Json } from '@hilo/engine/contract';

/** The verdicts by which an execution may come to another version. */
export const acceptableKinds = ['same', 'changed', 'enters', 'cancels'] as const;
export type AcceptedKind = (typeof acceptableKinds)[number];

/**
 * The verdicts that are accepted among those that there are. `same` is proved, and `enters` and `cancels` were chosen node by node: they are
 * accepted until somebody says no. `changed` means that somebody will hear something else, and is accepted by hand alone.
 */
export const acceptedOf = (
  counts: { readonly [Kind in AcceptedKind]?: number },
  chosen: ReadonlyMap<AcceptedKind, boolean>,
): ReadonlySet<AcceptedKind> =>
  new Set(acceptableKinds.filter((kind) => (counts[kind] ?? 0) > 0 && (chosen.get(kind) ?? kind !== 'changed')));

/** A value that was typed: JSON where it is that, else a text. */
export function readValue(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
