import type { Line } from './lines.ts';

/** The lines that lead back to where one may have come from: without them there is no circle. Nodes are looked at in their order. */
export function returningLines(lines: readonly Line[], count: number): ReadonlySet<Line> {
  const ways = Map.groupBy(lines, ({ from }) => from);
  const entered = new Set(lines.map(({ to }) => to));
  const indices = Array.from({ length: count }, (_, index) => index);
  const returning = new Set<Line>();
  const state = new Map<number, 'open' | 'done'>();
  for (const root of [...indices.filter((index) => !entered.has(index)), ...indices]) {
    if (state.has(root)) continue;
    state.set(root, 'open');
    // A path of any length, so a stack of our own: each level with the ways not looked at yet.
    const path = [{ at: root, left: [...(ways.get(root) ?? [])] }];
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const line = step.left.shift();
      if (line === undefined) {
        state.set(step.at, 'done');
        path.pop();
      } else if (state.get(line.to) === 'open') returning.add(line);
      else if (!state.has(line.to)) {
        state.set(line.to, 'open');
        path.push({ at: line.to, left: [...(ways.get(line.to) ?? [])] });
      }
    }
  }
  return returning;
}

/** How many columns a picture has, and how many of them the lines pass, when each card stands behind all that lead to it. */
export function extent(ways: readonly Line[], count: number): { readonly columns: number; readonly passed: number } {
  const leaving = Map.groupBy(ways, ({ from }) => from);
  const missing = Array.from({ length: count }, () => 0);
  for (const { to } of ways) missing[to] = (missing[to] ?? 0) + 1;
  const column = missing.map(() => 0);
  const ready = missing.flatMap((number, index) => (number === 0 ? [index] : []));
  for (let at = ready.pop(); at !== undefined; at = ready.pop()) {
    for (const { to } of leaving.get(at) ?? []) {
      column[to] = Math.max(column[to] ?? 0, (column[at] ?? 0) + 1);
      missing[to] = (missing[to] ?? 0) - 1;
      if (missing[to] === 0) ready.push(to);
    }
  }
  return {
    columns: column.reduce((most, at) => Math.max(most, at + 1), 0),
    passed: ways.reduce((sum, { from, to }) => sum + (column[to] ?? 0) - (column[from] ?? 0), 0),
  };
}
