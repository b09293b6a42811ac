/** A list or a record of which parts are compared by identity: what is the same object is the same. */
type Fields = { readonly [field: string]: unknown };

/** A change of one field: its new value, none where it is taken away, or, of a list, the runs of items that are replaced. JSON. */
export type Change = { readonly field: string; readonly value?: unknown } | { readonly field: string; readonly runs: readonly Run[] };

/** Items that replace `removed` others from index `at` of the list before on. */
interface Run {
  readonly at: number;
  readonly removed: number;
  readonly items: readonly unknown[];
}

/** What differs between two records, which share what is the same: as small as the edit, however large the record is. */
export function changesBetween(before: Fields, after: Fields): readonly Change[] {
  const gone = Object.keys(before).flatMap((field): Change[] => (Object.hasOwn(after, field) ? [] : [{ field }]));
  const changed = Object.entries(after).flatMap(([field, value]): Change[] => {
    const old = Object.hasOwn(before, field) ? before[field] : undefined;
    if (old === value) return [];
    return [Array.isArray(old) && Array.isArray(value) ? { field, runs: runsBetween(old, value) } : { field, value }];
  });
  return [...gone, ...changed];
}

/** Applies changes to a copy; what they do not name keeps its identity. */
export function applyChanges<Value extends Fields>(value: Value, changes: readonly Change[]): Value {
  const after = new Map<string, unknown>(Object.entries(value)); // no record, which would take a field `__proto__` for its prototype
  for (const change of changes) {
    const old = after.get(change.field);
    if ('runs' in change)
      after.set(change.field, Array.isArray(old) ? replaceRuns(old, change.runs) : change.runs.flatMap(({ items }) => items));
    else if ('value' in change) after.set(change.field, change.value);
    else after.delete(change.field);
  }
  return Object.fromEntries(after) as Value;
}

/** Two pointers walk over both lists: an item of one that the other has nowhere belongs to a run. */
function runsBetween(before: readonly unknown[], after: readonly unknown[]): readonly Run[] {
  const [old, kept] = [new Set(before), new Set(after)];
  const runs: Run[] = [];
  let [from, to] = [0, 0];
  while (from < before.length || to < after.length) {
    if (from < before.length && to < after.length && before[from] === after[to]) {
      from += 1;
      to += 1;
      continue;
    }
    const [at, first] = [from, to];
    while (from < before.length && !kept.has(before[from])) from += 1;
    while (to < after.length && !old.has(after[to])) to += 1;
    // Items in another order, or twice: the rest of the list is one run.
    if (from === at && to === first) [from, to] = [before.length, after.length];
    runs.push({ at, removed: from - at, items: after.slice(first, to) });
  }
  return runs;
}

function replaceRuns(list: readonly unknown[], runs: readonly Run[]): readonly unknown[] {
  const parts: (readonly unknown[])[] = [];
  let from = 0;
  for (const { at, removed, items } of runs) {
    parts.push(list.slice(from, at), items);
    from = at + removed;
  }
  return [...parts, list.slice(from)].flat(1);
}
