import type { Card } from '../canvas/flow.ts';
import type { PortRef } from '../canvas/commands.ts';
import type { EditorStore } from './editor-store.ts';

/** A port with whether edges that name none leave by it. */
export function portRef(store: EditorStore, nodeId: string, port: string): PortRef {
  const ports =
    store
      .getState()
      .described.get(nodeId)
      ?.ports.filter(({ isRequired }) => isRequired) ?? [];
  return { nodeId, port, isUnnamed: ports.length === 1 && ports[0]?.name === port };
}

/** The first port of a card that leads to nothing. */
export function openPort(card: Card | undefined): PortRef | undefined {
  const port = card?.ports.find(({ isRequired, target }) => isRequired && target === undefined);
  return card === undefined || port === undefined ? undefined : { nodeId: card.id, port: port.name, isUnnamed: port.isUnnamed };
}
