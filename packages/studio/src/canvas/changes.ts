/** A change of one field: its new value, none where it is taken away, or, of a list, the runs of items that are replaced. JSON. */
export type Change = { readonly field: string; readonly value?: unknown } | { readonly field: string; readonly runs: readonly Run[] };

/** Items that replace `removed` others from index `at` of the list before on. */
interface Run {
  readonly at: number;
  readonly removed: number;
  readonly items: readonly unknown[];
}

/** What differs between two records, whose same parts are the same objects: as small as the edit, however large the records are. */
export function changesBetween(before: object, after: object): readonly Change[] {
  const old = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).flatMap(([field, value]: [string, unknown]): Change[] => {
    const known = old.get(field);
    const isNew = !old.delete(field);
    if (known === value && !isNew) return [];
    if (!Array.isArray(known) || !Array.isArray(value)) return [{ field, value }];
    const runs = runsBetween(known, value);
    return runs.length === 0 ? [] : [{ field, runs }];
  });
  return [...[...old.keys()].map((field) => ({ field })), ...changed];
}

/** Applies changes to a copy; what they do not name keeps its identity. */
export function applyChanges<Value extends object>(value: Value, changes: readonly Change[]): Value {
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
