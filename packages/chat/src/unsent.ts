// What the visitor wrote and the service has not got yet: it outlives the page, for the next page or another tab to send.
import type { Keep } from './keep.ts';
import type { Outgoing } from './outgoing.ts';

/** Messages that were not sent, as the tabs of a browser keep them. */
export interface Unsent {
  /** Those that were kept before this page was opened. */
  readonly before: readonly Outgoing[];
  /** Keeps one until it is sent; files are not kept. */
  add(outgoing: Outgoing): void;
  /** Once a message is sent, or refused for good. */
  forget(outgoing: Outgoing): void;
}

/** What another tab keeps for longer than this, it may not be there to send. */
const adoptMs = 5_000;

/** The names of what the tabs of this browser have not sent yet begin so. No name that a user's own names begin with is one of them. */
const unsentName = 'unsent ';
const isUnsentName = (name: string): boolean => /^unsent \d{15} \d{15} \S+$/.test(name);

/**
 * What the tabs have not sent yet, each under a name of its own, which begins with when it was written: a tab may see late what another
 * one keeps, and would write over it in a list of all. What other scripts of the page have changed is left out.
 */
const readUnsent = (keep: Keep): readonly (readonly [name: string, outgoing: Outgoing])[] =>
  keep.list(unsentName).flatMap((name) => {
    const kept = readKept(keep, name);
    return kept === undefined ? [] : [[name, kept] as const];
  });

function readKept(keep: Keep, name: string): Outgoing | undefined {
  try {
    const kept: unknown = JSON.parse(keep.get(name) ?? '');
    return isUnsentName(name) && isOutgoing(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

const isOutgoing = (value: unknown): value is Outgoing =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' && 'type' in value;

/** @param onFound - told of what another tab has left */
export function openUnsent(keep: Keep, onFound: (outgoing: Outgoing) => void): Unsent {
  const kept = readUnsent(keep);
  /** The names under which messages are kept until they are sent, by their ids. */
  const keptNames = new Map(kept.map(([name, { id }]) => [id, name]));

  // What a tab wrote as it was closed may be seen only after this page has read what is kept: without this, it would stay until the next
  // page. A tab that is there sends its own meanwhile; where both do, the service takes an id once.
  keep.onKept(unsentName, (name) =>
    setTimeout(() => {
      const outgoing = readKept(keep, name);
      if (outgoing === undefined || keptNames.has(outgoing.id)) return;
      keptNames.set(outgoing.id, name);
      onFound(outgoing);
    }, adoptMs),
  );

  return {
    before: kept.map(([, outgoing]) => outgoing),
    add(outgoing) {
      if (outgoing.type === 'file') return;
      const order = [Date.now(), keptNames.size].map((number) => String(number).padStart(15, '0'));
      const name = `${unsentName}${order.join(' ')} ${outgoing.id}`;
      keptNames.set(outgoing.id, name);
      keep.set(name, JSON.stringify(outgoing));
    },
    forget({ id }) {
      const name = keptNames.get(id);
      if (name !== undefined) keep.set(name, undefined);
    },
  };
}
