import { useMemo, useRef } from 'react';
import type { Flow } from '../canvas/flow.ts';

/** Keeps cards and wires that are the same as before, so that only what changed is drawn again. */
export function useStableCards(flow: Flow): Flow {
  const before = useRef<Flow>(undefined);
  return useMemo(() => {
    const old = new Map(before.current?.cards.map((card) => [card.id, card]));
    const cards = flow.cards.map((card) => {
      const known = old.get(card.id);
      return known !== undefined && isSameCard(known, card) ? known : card;
    });
    before.current = { ...flow, cards };
    return before.current;
  }, [flow]);
}

function isSameCard(a: Flow['cards'][number], b: typeof a): boolean {
  return (
    a.node === b.node &&
    a.entry === b.entry &&
    a.summary === b.summary &&
    a.errors === b.errors &&
    a.warnings === b.warnings &&
    a.position.x === b.position.x &&
    a.position.y === b.position.y &&
    a.ports.length === b.ports.length &&
    a.ports.every(
      (port, index) =>
        port.name === b.ports[index]?.name &&
        port.target === b.ports[index]?.target &&
        port.isStub === b.ports[index]?.isStub &&
        port.isRequired === b.ports[index]?.isRequired,
    )
  );
}
