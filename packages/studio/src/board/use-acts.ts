import type { Connection, FinalConnectionState, OnConnectEnd } from '@xyflow/react';
import type { DragEvent, MouseEvent } from 'react';
import type { Point } from '../canvas/canvas-json.ts';
import { snap } from '../canvas/commands.ts';
import { useHandler } from '../parts/identity.ts';
import type { WireEdge } from './WireView.tsx';

/** What an author does on a canvas. */
export interface BoardActs {
  onMove(positions: ReadonlyMap<string, Point>): void;
  /** A frame was made larger or smaller by its corner. */
  onResize(nodeId: string, size: { readonly width: number; readonly height: number }): void;
  onConnect(source: string, port: string, target: string): void;
  /** An end of a wire was dragged to another card or port. */
  onRedirect(
    wire: { readonly source: string; readonly port: string },
    to: { readonly source: string; readonly port: string; readonly target: string },
  ): void;
  /**
   * Asks what a port shall lead to: it was clicked, or its wire was dropped on empty ground.
   *
   * @param screen - where in the window
   * @param at - the same place on the canvas, for a wire
   */
  onAskTarget(source: string, port: string, screen: Point, at?: Point): void;
  /** A type was dragged here from the palette. */
  onDrop(type: string, at: Point, onWire: { readonly source: string; readonly port: string } | undefined): void;
  /** A file was dropped here, or a text from elsewhere. */
  onDropText(text: string, at: Point): void;
}

/** Handlers for React Flow, which keep their identity, and two for the element around it. */
interface Handlers {
  onConnect(connection: Connection): void;
  readonly onConnectEnd: OnConnectEnd;
  onReconnect(wire: WireEdge, connection: Connection): void;
  onClickCapture(event: MouseEvent<HTMLElement>): void;
  onDrop(event: DragEvent): void;
}

/** From the pointer, which has a card by the middle of its header, to the card's left upper corner. */
const grip: Point = { x: 120, y: 28 };

/**
 * Turns what the pointer does on a canvas into acts. Handlers for React Flow keep their identity: it tells each of its nodes and edges
 * about another one.
 *
 * @param acts - left out, the canvas is to look at
 * @param toCanvas - the place on the canvas of a place in the window
 * @param onStub - told the port whose stub was clicked
 */
export function useActs(
  acts: BoardActs | undefined,
  edges: readonly WireEdge[],
  { toCanvas, onStub }: { readonly toCanvas: (screen: Point) => Point; readonly onStub: (nodeId: string, port: string) => void },
): Handlers {
  const placeOf = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }, by: Point = { x: 0, y: 0 }): Point =>
    snap(toCanvas({ x: clientX - by.x, y: clientY - by.y }));

  const onConnect = useHandler(({ source, sourceHandle, target }: Connection) => {
    if (sourceHandle !== null) acts?.onConnect(source, sourceHandle, target);
  });
  const onConnectEnd = useHandler<Parameters<OnConnectEnd>, void>((event, connection) => {
    const { fromNode, fromHandle, isValid } = connection;
    if (isValid === true || fromNode === null || fromHandle?.type !== 'source' || typeof fromHandle.id !== 'string') return;
    const pointer = 'changedTouches' in event ? (event.changedTouches[0] ?? { clientX: 0, clientY: 0 }) : event;
    const screen = { x: pointer.clientX, y: pointer.clientY };
    const under = document.elementFromPoint(screen.x, screen.y);
    const target = cardUnder(under);
    // Anywhere on a card is to it. On its own card, a wire that has hardly left its port is let go rather than led back.
    if (target !== undefined && (target !== fromNode.id || hasGoneFar(connection))) acts?.onConnect(fromNode.id, fromHandle.id, target);
    else if (under?.classList.contains('react-flow__pane') === true)
      acts?.onAskTarget(fromNode.id, fromHandle.id, screen, placeOf(pointer));
  });
  const onReconnect = useHandler(({ data }: WireEdge, { source, sourceHandle, target }: Connection) => {
    if (data !== undefined && sourceHandle !== null)
      acts?.onRedirect({ source: data.wire.source, port: data.wire.port }, { source, port: sourceHandle, target });
  });
  /** Before its card knows of it: a click on a port or on a stub is not one on the card. */
  const onClickCapture = (event: MouseEvent<HTMLElement>): void => {
    const stub = portUnder(event, '.stub');
    const port = acts === undefined ? undefined : portUnder(event, '.react-flow__handle.source');
    if (stub !== undefined) onStub(...stub);
    else if (port !== undefined) acts?.onAskTarget(...port, { x: event.clientX, y: event.clientY });
    else return;
    event.stopPropagation();
  };
  const onDrop = (event: DragEvent): void => {
    if (acts === undefined) return;
    event.preventDefault();
    const type = event.dataTransfer.getData('application/hilo-node');
    if (type !== '') return acts.onDrop(type, placeOf(event, grip), wireUnder(event, edges));
    const at = placeOf(event);
    const [file] = event.dataTransfer.files;
    const text = event.dataTransfer.getData('text/plain');
    if (file !== undefined) void file.text().then((read) => acts.onDropText(read, at));
    else if (text !== '') acts.onDropText(text, at);
  };
  return { onConnect, onConnectEnd, onReconnect, onClickCapture, onDrop };
}

/** The card at an element that a wire can lead to: notes and entries take none. */
function cardUnder(element: Element | null): string | undefined {
  const card = element?.closest('.react-flow__node') ?? undefined;
  if (card === undefined || card.querySelector('.card:not([data-group="entry"])') === null) return undefined;
  return card.getAttribute('data-id') ?? undefined;
}

/** How far a wire goes before it is meant to lead back to its own card, in pixels of the canvas. */
const leastLoop = 40;

const hasGoneFar = ({ from, to }: FinalConnectionState): boolean =>
  from !== null && to !== null && Math.hypot(from.x - to.x, from.y - to.y) > leastLoop;

/** The node and the port that a clicked element is for. */
function portUnder({ target }: MouseEvent<HTMLElement>, selector: string): readonly [nodeId: string, port: string] | undefined {
  const element = target instanceof Element ? target.closest(selector) : null;
  const [nodeId, port] = [element?.getAttribute('data-nodeid'), element?.getAttribute('data-handleid')];
  return typeof nodeId === 'string' && typeof port === 'string' ? [nodeId, port] : undefined;
}

/** The wire under the pointer, for a node that is dropped onto it. */
function wireUnder(
  { clientX, clientY }: DragEvent,
  edges: readonly WireEdge[],
): { readonly source: string; readonly port: string } | undefined {
  const element = document
    .elementsFromPoint(clientX, clientY)
    .find((one) => one.closest('.react-flow__edge') !== null)
    ?.closest('.react-flow__edge');
  const data = edges.find(({ id }) => id === element?.getAttribute('data-id'))?.data;
  return data === undefined ? undefined : { source: data.wire.source, port: data.wire.port };
}
