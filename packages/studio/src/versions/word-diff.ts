// Which words of a text another one has no more, and which it has instead.

/** A stretch of two texts: of both, or of one of them. */
export interface Stretch {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** So many words that differ are compared with one another; in place of more, all of them are another text. */
const maxCompared = 200;

/**
 * What a text lost and what it was given, in the order of reading: what was lost stands before what came in its place. Each stretch has
 * whole words with the space behind them. Takes time in step with both texts, and at most 200 times 200 steps more.
 */
export function diffWords(before: string, after: string): readonly Stretch[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const first = sameAtBeginning(old, now);
  const last = sameAtBeginning(old.slice(first).toReversed(), now.slice(first).toReversed());
  const [lost, given] = [old.slice(first, old.length - last), now.slice(first, now.length - last)];
  const isLong = lost.length > maxCompared || given.length > maxCompared;
  return joined([
    ...old.slice(0, first).map(as('same')),
    ...(isLong ? [...lost.map(as('removed')), ...given.map(as('added'))] : compare(lost, given)),
    ...old.slice(old.length - last).map(as('same')),
  ]);
}

const as =
  (kind: Stretch['kind']) =>
  (text: string): Stretch => ({ kind, text });

/** Words with the spaces behind them; spaces at the beginning are a word. */
const wordsOf = (text: string): readonly string[] => text.match(/\S+\s*|\s+/g) ?? [];

function sameAtBeginning(one: readonly string[], other: readonly string[]): number {
  let count = 0;
  while (count < one.length && count < other.length && one[count] === other[count]) count += 1;
  return count;
}

/** The most words that both have in the same order stay; the others are of one of them. */
function compare(old: readonly string[], now: readonly string[]): readonly Stretch[] {
  const width = now.length + 1;
  /** How many words the rests from two places on have in common. */
  const common = new Uint16Array((old.length + 1) * width);
  const at = (row: number, column: number): number => common[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1)
      common[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const found: Stretch[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    const [lost, given] = [old[row], now[column]];
    if (lost !== undefined && lost === given) {
      found.push({ kind: 'same', text: lost });
      row += 1;
      column += 1;
    } else if (lost !== undefined && at(row + 1, column) >= at(row, column + 1)) {
      found.push({ kind: 'removed', text: lost });
      row += 1;
    } else {
      found.push({ kind: 'added', text: given ?? '' });
      column += 1;
    }
  }
  return found;
}

/** Neighbours of a kind are one; of what was lost and given at one place, what was lost comes first. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const found: Stretch[] = [];
  let [removed, added] = ['', ''];
  const flush = (): void => {
    if (removed !== '') found.push({ kind: 'removed', text: removed });
    if (added !== '') found.push({ kind: 'added', text: added });
    [removed, added] = ['', ''];
  };
  let same = '';
  for (const { kind, text } of stretches) {
    if (kind === 'same') {
      flush();
      same += text;
      continue;
    }
    if (same !== '') found.push({ kind: 'same', text: same });
    same = '';
    if (kind === 'removed') removed += text;
    else added += text;
  }
  flush();
  if (same !== '') found.push({ kind: 'same', text: same });
  return found;
}
