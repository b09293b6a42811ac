import { useMemo, useState } from 'react';
import { portKey } from '../canvas/canvas-json.ts';
import type { Card, Flow, Wire } from '../canvas/flow.ts';

/**
 * A drawing in which some stubs are wires. The cards without one of them, and their wires, keep their identity.
 *
 * @param opened - their ports, by `portKey`
 */
export function withOpenStubs(flow: Flow, opened: ReadonlySet<string>): Flow {
  const wires: Wire[] = [];
  const cards = flow.cards.map((card): Card => {
    const stubs = card.ports.filter(({ name, isStub }) => isStub && opened.has(portKey(card.id, name)));
    if (stubs.length === 0) return card;
    for (const { name, target } of stubs)
      if (target !== undefined)
        wires.push({ id: portKey(card.id, name), source: card.id, port: name, target, kind: name === 'error' ? 'failing' : 'optional' });
    return { ...card, ports: card.ports.map((port) => (stubs.includes(port) ? { ...port, isStub: false } : port)) };
  });
  return wires.length === 0 ? flow : { cards, wires: [...flow.wires, ...wires] };
}

const none: ReadonlySet<string> = new Set();

/** A stub becomes a wire when it is opened, until all are closed. */
export function useStubs(flow: Flow) {
  const [opened, setOpened] = useState(none);
  return {
    shown: useMemo(() => withOpenStubs(flow, opened), [flow, opened]),
    openStub: (nodeId: string, port: string): void => setOpened(new Set(opened).add(portKey(nodeId, port))),
    closeStubs: (): void => setOpened(none),
  };
}
