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

/** The first port of a card that has to lead somewhere, and leads to nothing. */
export const openPort = (card: Card | undefined): PortRef | undefined => firstOpen(card, true);

/** The same; where each of them leads somewhere, the first of those that may. */
export const anyOpenPort = (card: Card | undefined): PortRef | undefined => openPort(card) ?? firstOpen(card, false);

function firstOpen(card: Card | undefined, isNeeded: boolean): PortRef | undefined {
  const port = card?.ports.find(({ isRequired, target }) => isRequired === isNeeded && target === undefined);
  return card === undefined || port === undefined ? undefined : { nodeId: card.id, port: port.name, isUnnamed: port.isUnnamed };
}
