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

/** The way on from a card that has one alone, which leads somewhere. */
export function onlyWay(card: Card | undefined): PortRef | undefined {
  const [port, ...more] = card?.ports.filter(({ isRequired }) => isRequired) ?? [];
  const isOne = more.length === 0 && port?.target !== undefined;
  return card === undefined || port === undefined || !isOne ? undefined : { nodeId: card.id, port: port.name, isUnnamed: port.isUnnamed };
}

/** The first port of a card that leads to nothing. */
export function openPort(card: Card | undefined): PortRef | undefined {
  const port = card?.ports.find(({ isRequired, target }) => isRequired && target === undefined);
  return card === undefined || port === undefined ? undefined : { nodeId: card.id, port: port.name, isUnnamed: port.isUnnamed };
}
