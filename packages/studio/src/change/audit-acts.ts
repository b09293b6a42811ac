// The record of acts as a person reads it: an act once, and what it changed.
import type { AuditRow } from '../api/operations.ts';

/** An act once: the row before it says nothing more than the one with its outcome, and stays where that one is missing. */
export function actsOf<Row extends Pick<AuditRow, 'requestId' | 'action' | 'outcome'>>(rows: readonly Row[]): readonly Row[] {
  const keyOf = ({ requestId, action }: Row): string => `${requestId} ${action}`;
  const settled = new Set(rows.filter(({ outcome }) => outcome !== 'asked').map(keyOf));
  return rows.filter((row) => row.outcome !== 'asked' || !settled.has(keyOf(row)));
}

interface Fact {
  readonly name: string;
  /** `undefined` where nothing was known before. */
  readonly from: unknown;
  readonly to: unknown;
}

/** The facts of both sides by their names; one that stayed has no former value. */
export function changedFacts(before: AuditRow['before'], after: AuditRow['after']): readonly Fact[] {
  const [old, fresh] = [before ?? {}, after ?? {}];
  return [...new Set([...Object.keys(fresh), ...Object.keys(old)])].map((name) => {
    const hadIt = Object.hasOwn(old, name);
    if (!Object.hasOwn(fresh, name))
      return after === null || after === undefined ? { name, from: undefined, to: old[name] } : { name, from: old[name], to: null };
    const isSame = hadIt && JSON.stringify(old[name]) === JSON.stringify(fresh[name]);
    return { name, from: hadIt && !isSame ? old[name] : undefined, to: fresh[name] };
  });
}
