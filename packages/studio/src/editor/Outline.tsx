import type { Flow } from '../canvas/flow.ts';
import { usePortWord, useWords } from '../words/words.tsx';

/** The canvas as a tree by reachability: the same nodes for screen readers and fingers. A node that was listed before is named, not listed again. */
export function Outline({
  flow,
  selected,
  onOpen,
}: {
  readonly flow: Flow;
  readonly selected: ReadonlySet<string>;
  readonly onOpen: (nodeId: string) => void;
}) {
  const say = useWords();
  const portWord = usePortWord();
  const cards = new Map(flow.cards.map((card) => [card.id, card]));
  const rows: { readonly id: string; readonly depth: number; readonly port: string; readonly isAgain: boolean }[] = [];
  const seen = new Set<string>();
  const entered = new Set(flow.wires.map(({ target }) => target));
  const roots = [...flow.cards.filter(({ id, category }) => category === 'entry' || !entered.has(id)), ...flow.cards];
  for (const { id: root } of roots) {
    if (seen.has(root)) continue;
    const stack = [{ id: root, depth: 0, port: '' }];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const isAgain = seen.has(next.id);
      const card = cards.get(next.id);
      if (card === undefined) continue;
      rows.push({ ...next, isAgain });
      if (isAgain) continue;
      seen.add(next.id);
      const { depth } = next;
      for (const { name, target } of card.ports.toReversed())
        if (target !== undefined) stack.push({ id: target, depth: depth + 1, port: name });
    }
  }
  return (
    <nav className="outline" aria-label={say('editor.outline')}>
      <h2>{say('editor.outline')}</h2>
      <ol>
        {rows.map(({ id, depth, port, isAgain }, index) => {
          const card = cards.get(id);
          return (
            <li key={index} style={{ paddingInlineStart: `${Math.min(depth, 8) * 12}px` }}>
              {port !== '' && <span className="caption">{portWord(port)} → </span>}
              <button
                type="button"
                className={`link${selected.has(id) ? ' current' : ''}`}
                aria-current={selected.has(id)}
                onClick={() => onOpen(id)}
                dir="auto"
              >
                {card?.title} <span className="caption">{id}</span>
              </button>
              {!isAgain && (card?.bubble ?? card?.summary ?? '') !== '' && (
                <span className="caption summary" dir="auto">
                  {' '}
                  {card?.bubble ?? card?.summary}
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
