import {
  applyEdgeChanges,
  applyNodeChanges,
  Background,
  BackgroundVariant,
  type Connection,
  type EdgeChange,
  getViewportForBounds,
  MiniMap,
  type NodeChange,
  type OnConnectEnd,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  useStoreApi,
} from '@xyflow/react';
import { Maximize, Minus, Plus } from 'lucide-react';
import { type DragEvent, memo, type MouseEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { isPinned, type Point } from '../canvas/canvas-json.ts';
import { snap } from '../canvas/commands.ts';
import type { Flow } from '../canvas/flow.ts';
import { IconButton } from '../parts/parts.tsx';
import { useHandler } from '../parts/use-handler.ts';
import { useWords } from '../words/words.tsx';
import { type CardNode, CardView } from './CardView.tsx';
import { FarLayer } from './FarLayer.tsx';
import { lanesOf } from './lanes.ts';
import { noOverlay, type Overlay, OverlayContext } from './overlay.ts';
import { reducesMotion, useGlide } from './use-glide.ts';
import { areaAround, boundsOf, cardAt, cardsIn, isFar, type Rect, rectsOf, type View } from './rects.ts';
import { type WireEdge, WireView } from './WireView.tsx';

/** What an author does on a canvas; left out, the canvas is to look at. */
export interface BoardActs {
  onMove(positions: ReadonlyMap<string, Point>): void;
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

export interface BoardProps {
  readonly flow: Flow;
  readonly overlay?: Overlay;
  readonly acts?: BoardActs;
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (nodes: readonly string[], wires: readonly { readonly source: string; readonly port: string }[]) => void;
  readonly onOpen?: (nodeId: string) => void;
  /** Also where the card was selected before. */
  readonly onClick?: (nodeId: string) => void;
  /** A node, or several, to bring into view when it changes. */
  readonly inView?: string | readonly string[] | undefined;
  readonly label: string;
  /** Which places the cards have: with others, the canvas is fitted into view again. */
  readonly placing?: string;
  readonly children?: ReactNode;
}

const noNodes: CardNode[] = [];
const noEdges: WireEdge[] = [];
/** Values of React Flow's properties, each with one identity: another one is told to every node. */
const nodeTypes = { card: CardView };
const edgeTypes = { wire: WireView };
const middleButton = [1];
const grid: [number, number] = [8, 8];
const manyNodes = 150;
/** An editor opens at its entry at this zoom where the whole canvas would be smaller. */
const readingZoom = 0.8;
const smallZoom = 0.4;
/** Between a card that is brought into view and the border of the view. */
const margin = 24;
/** As wide as a panel is at most. */
const panelWidth = 560;

/** A canvas, drawn. All that it shows is derived from `flow`; what an author does comes back through `acts`. */
export const Board = memo(function Board(props: BoardProps) {
  return (
    <ReactFlowProvider>
      <OverlayContext value={props.overlay ?? noOverlay}>
        <Surface {...props} />
      </OverlayContext>
    </ReactFlowProvider>
  );
});

function Surface({
  flow,
  overlay = noOverlay,
  acts,
  selected,
  onSelect,
  onOpen,
  onClick,
  inView,
  label,
  placing = 'authored',
  children,
}: BoardProps) {
  const say = useWords();
  const isEditable = acts !== undefined;
  const { screenToFlowPosition, zoomIn, zoomOut, setCenter, setViewport, getZoom } = useReactFlow<CardNode, WireEdge>();
  const area = useStoreApi();
  const [nodes, setNodes] = useNewest<CardNode[]>([]);
  const [edges, setEdges] = useNewest<WireEdge[]>([]);
  const moving = useRef(false);
  const fitted = useRef<string>(undefined);
  const isLarge = flow.cards.length > manyNodes;
  const glide = useGlide(setNodes);

  useEffect(() => {
    setNodes((before) => {
      const old = new Map(before.map((node) => [node.id, node]));
      const onWay = moving.current || isLarge || fitted.current !== placing ? undefined : glide(before, flow.cards);
      const stays = (id: string): boolean => moving.current || onWay?.has(id) === true;
      const after = flow.cards.map((card): CardNode => {
        const known = old.get(card.id);
        const isSame =
          known?.data.card === card &&
          known.data.isEditable === isEditable &&
          (selected === undefined || known.selected === selected.has(card.id));
        if (
          known !== undefined &&
          isSame &&
          (stays(card.id) || (known.position.x === card.position.x && known.position.y === card.position.y))
        )
          return known;
        return {
          ...known,
          id: card.id,
          type: 'card',
          position: known !== undefined && stays(card.id) ? known.position : card.position,
          draggable: isEditable && !isPinned(card.node),
          data: { card, isEditable },
          ariaRole: 'button',
          ...(selected !== undefined && { selected: selected.has(card.id) }),
        };
      });
      return keepSame(before, after);
    });
  }, [flow.cards, isEditable, selected]);
  useEffect(() => {
    const lanes = lanesOf(flow);
    setEdges((before) => {
      const old = new Map(before.map((edge) => [edge.id, edge]));
      const after = flow.wires.map((wire): WireEdge => {
        const known = old.get(wire.id);
        const lane = lanes.get(wire.id);
        if (known?.data?.wire.target === wire.target && known.data.wire.kind === wire.kind && known.data.lane === lane) return known;
        return {
          id: wire.id,
          type: 'wire',
          source: wire.source,
          sourceHandle: wire.port,
          target: wire.target,
          data: { wire, lane },
          focusable: false,
        };
      });
      return keepSame(before, after);
    });
  }, [flow.cards, flow.wires]);

  const rects = useMemo(() => rectsOf(flow), [flow]);
  const isFarAway = useStore(useMemo(() => ofView((view) => isFar(rects, view)), [rects]));
  /** Too small to read: cards are blocks with an icon. */
  const isSmall = useStore(({ transform: [, , zoom] }) => zoom < smallZoom);
  /** Of a large canvas only the cards around the view are passed to the renderer, which measures each new one. */
  const areaKey = useStore(useMemo(() => ofView((view) => (isLarge ? JSON.stringify(areaAround(view)) : '')), [isLarge]));
  const around = useMemo(() => (areaKey === '' ? undefined : cardsIn(rects, JSON.parse(areaKey) as Rect)), [rects, areaKey]);
  const hasPlace = useStore(({ width, height }) => width > 0 && height > 0);
  /** Brings cards into view, all of them when none are named; by their sizes, so that none has to be drawn first. */
  const fit = (ids: readonly string[] | undefined, duration: number): void => {
    const bounds = boundsOf(ids === undefined ? [...rects.values()] : ids.flatMap((id) => rects.get(id) ?? []));
    const { width, height } = area.getState();
    if (bounds !== undefined) void setViewport(getViewportForBounds(bounds, width, height, 0.08, 1, 0.12), { duration });
  };
  useEffect(() => {
    if (!hasPlace || fitted.current === placing || flow.cards.length === 0) return;
    fitted.current = placing;
    const bounds = boundsOf([...rects.values()]);
    const { width, height } = area.getState();
    const entry = flow.cards.find(({ category }) => category === 'entry') ?? flow.cards[0];
    if (bounds === undefined || entry === undefined) return;
    const whole = getViewportForBounds(bounds, width, height, 0.08, 1, 0.12);
    const { x, y } = entry.position;
    const atEntry = { x: 48 - x * readingZoom, y: height / 2 - (y + 56) * readingZoom, zoom: readingZoom };
    void setViewport(whole.zoom >= readingZoom || !isEditable ? whole : atEntry);
  }, [hasPlace, placing, flow.cards.length === 0]);
  useEffect(() => {
    if (inView === undefined || !hasPlace) return;
    const duration = reducesMotion() ? 0 : 200;
    if (typeof inView !== 'string') return fit(inView, duration);
    const rect = rects.get(inView);
    if (rect !== undefined) void setCenter(rect.x + rect.width / 2, rect.y + rect.height / 2, { zoom: Math.max(getZoom(), 0.6), duration });
  }, [inView, hasPlace, placing]);

  const chosen = selected?.size === 1 ? [...selected][0] : undefined;
  const width = useStore((state) => state.width);
  /** A panel that opens beside the canvas does not cover the card that it is about. */
  useEffect(() => {
    const rect = chosen === undefined || moving.current ? undefined : rects.get(chosen);
    if (rect === undefined || fitted.current === undefined) return;
    const [x, y, zoom] = area.getState().transform;
    const right = (rect.x + rect.width) * zoom + x;
    const left = rect.x * zoom + x;
    const isPartlySeen = right > 0 && left < width + panelWidth;
    if (!isPartlySeen || right <= width - margin || width === 0) return;
    void setViewport({ x: x - Math.min(right - width + margin, Math.max(0, left - margin)), y, zoom });
  }, [chosen, width]);

  // React Flow tells each of its nodes and edges about a handler that is another function than before.
  const connected = useHandler(({ source, sourceHandle, target }: Connection) => {
    if (sourceHandle !== null) acts?.onConnect(source, sourceHandle, target);
  });
  const droppedWire = useHandler<Parameters<OnConnectEnd>, void>((event, { fromNode, fromHandle, isValid }) => {
    if (isValid === true || fromNode === null || fromHandle?.type !== 'source' || typeof fromHandle.id !== 'string') return;
    const { clientX, clientY } = 'changedTouches' in event ? (event.changedTouches[0] ?? { clientX: 0, clientY: 0 }) : event;
    const overPane = document.elementFromPoint(clientX, clientY)?.classList.contains('react-flow__pane') === true;
    if (overPane)
      acts?.onAskTarget(fromNode.id, fromHandle.id, { x: clientX, y: clientY }, snap(screenToFlowPosition({ x: clientX, y: clientY })));
  });
  const redirected = useHandler(({ data }: WireEdge, { source, sourceHandle, target }: Connection) => {
    if (data !== undefined && sourceHandle !== null)
      acts?.onRedirect({ source: data.wire.source, port: data.wire.port }, { source, port: sourceHandle, target });
  });
  const clicked = (event: MouseEvent<HTMLElement>): void => {
    const port = event.target instanceof Element ? event.target.closest('.react-flow__handle.source') : null;
    const [nodeId, name] = [port?.getAttribute('data-nodeid'), port?.getAttribute('data-handleid')];
    if (acts === undefined || typeof nodeId !== 'string' || typeof name !== 'string') return;
    event.stopPropagation(); // its card is not meant
    acts.onAskTarget(nodeId, name, { x: event.clientX, y: event.clientY });
  };
  const dropped = (event: DragEvent): void => {
    if (acts === undefined) return;
    event.preventDefault();
    const type = event.dataTransfer.getData('application/hilo-node');
    if (type === '') {
      const at = snap(screenToFlowPosition({ x: event.clientX, y: event.clientY }));
      const [file] = event.dataTransfer.files;
      const text = event.dataTransfer.getData('text/plain');
      if (file !== undefined) void file.text().then((read) => acts.onDropText(read, at));
      else if (text !== '') acts.onDropText(text, at);
      return;
    }
    const wire = document
      .elementsFromPoint(event.clientX, event.clientY)
      .find((element) => element.closest('.react-flow__edge') !== null)
      ?.closest('.react-flow__edge');
    const data = edges.find(({ id }) => id === wire?.getAttribute('data-id'))?.data;
    acts.onDrop(
      type,
      snap(screenToFlowPosition({ x: event.clientX - 120, y: event.clientY - 28 })),
      data === undefined ? undefined : { source: data.wire.source, port: data.wire.port },
    );
  };
  /** The author's selection, derived from changes: our own selections are ignored. */
  const tellSelection = (allNodes: readonly CardNode[], allEdges: readonly WireEdge[]): void =>
    onSelect?.(
      allNodes.filter((node) => node.selected === true).map(({ id }) => id),
      allEdges.flatMap(({ data, selected: isSelected }) =>
        isSelected === true && data !== undefined ? [{ source: data.wire.source, port: data.wire.port }] : [],
      ),
    );
  const changedNodes = useHandler((changes: NodeChange<CardNode>[]) => {
    const changed = setNodes((before) => applyNodeChanges(changes, before));
    if (changes.some(({ type }) => type === 'select')) tellSelection(changed, edges);
  });
  const changedEdges = useHandler((changes: EdgeChange<WireEdge>[]) => {
    const changed = setEdges((before) => applyEdgeChanges(changes, before));
    if (changes.some(({ type }) => type === 'select')) tellSelection(nodes, changed);
  });
  const beginMoving = useHandler(() => {
    moving.current = true;
  });
  const endMoving = (moved: readonly CardNode[]): void => {
    moving.current = false;
    acts?.onMove(new Map(moved.map(({ id, position }) => [id, snap(position)])));
  };
  const endMovingNode = useHandler((_event: unknown, _node: CardNode, moved: CardNode[]) => endMoving(moved));
  const endMovingSelection = useHandler((_event: unknown, moved: CardNode[]) => endMoving(moved));
  const clickedGround = useHandler(({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) => {
    const hit = isFarAway ? cardAt(rects, screenToFlowPosition({ x: clientX, y: clientY })) : undefined;
    if (hit !== undefined) onOpen?.(hit);
  });
  const openedNode = useHandler((_event: unknown, { id }: CardNode) => onOpen?.(id));
  const clickedNode = useHandler((event: { readonly shiftKey: boolean }, { id }: CardNode) => {
    if (!event.shiftKey) onClick?.(id);
  });

  const drawnNodes = useSame(
    useMemo(
      () => (isFarAway ? noNodes : around === undefined ? nodes : nodes.filter(({ id }) => around.has(id))),
      [isFarAway, around, nodes],
    ),
  );
  const drawnEdges = useSame(
    useMemo(
      () =>
        isFarAway ? noEdges : around === undefined ? edges : edges.filter(({ source, target }) => around.has(source) && around.has(target)),
      [isFarAway, around, edges],
    ),
  );
  return (
    <div
      className={isSmall ? 'board small' : 'board'}
      role="application"
      aria-label={label}
      onClickCapture={clicked}
      onDrop={dropped}
      onDragOver={(event) => isEditable && event.preventDefault()}
    >
      <ReactFlow<CardNode, WireEdge>
        nodes={drawnNodes}
        edges={drawnEdges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={changedNodes}
        onEdgesChange={changedEdges}
        onNodeDragStart={beginMoving}
        onNodeDragStop={endMovingNode}
        onSelectionDragStart={beginMoving}
        onSelectionDragStop={endMovingSelection}
        onConnect={connected}
        onConnectEnd={droppedWire}
        onReconnect={redirected}
        onPaneClick={clickedGround}
        onNodeDoubleClick={openedNode}
        onNodeClick={clickedNode}
        nodesDraggable={isEditable}
        nodesConnectable={isEditable}
        edgesReconnectable={isEditable}
        connectOnClick={false}
        elementsSelectable
        disableKeyboardA11y
        deleteKeyCode={null}
        multiSelectionKeyCode="Shift"
        selectionKeyCode={null}
        selectionOnDrag={isEditable}
        panOnScroll
        panOnDrag={isEditable ? middleButton : true}
        panActivationKeyCode="Space"
        zoomActivationKeyCode="Control"
        connectionRadius={28}
        nodeClickDistance={4}
        minZoom={0.08}
        maxZoom={1.75}
        snapToGrid
        snapGrid={grid}
        attributionPosition="bottom-center"
      >
        <Background variant={BackgroundVariant.Dots} gap={24} size={1.5} />
        <div className="zoom-buttons">
          <IconButton label={say('board.in')} onClick={() => void zoomIn()}>
            <Plus size={16} aria-hidden />
          </IconButton>
          <IconButton label={say('board.out')} onClick={() => void zoomOut()}>
            <Minus size={16} aria-hidden />
          </IconButton>
          <IconButton label={say('board.fit')} onClick={() => fit(undefined, 0)}>
            <Maximize size={16} aria-hidden />
          </IconButton>
        </div>
        {!isLarge && flow.cards.length > 1 && <MiniMap<CardNode> pannable zoomable ariaLabel={say('board.map')} nodeClassName={mapClass} />}
        {children}
      </ReactFlow>
      {isFarAway && <FarLayer flow={flow} overlay={overlay} selected={selected} label={say('board.far', { count: flow.cards.length })} />}
    </div>
  );
}

/** A selector of React Flow's store that computes only when the view has moved: the store calls it at each change of any node. */
function ofView<Value>(select: (view: View) => Value): (view: View) => Value {
  let last: { readonly view: View; readonly value: Value } | undefined;
  return ({ transform, width, height }) => {
    const isSame = last?.view.transform === transform && last.view.width === width && last.view.height === height;
    if (last === undefined || !isSame) {
      const view = { transform, width, height };
      last = { view, value: select(view) };
    }
    return last.value;
  };
}

const mapClass = ({ data: { card } }: CardNode): string => `map-${card.category}`;

/** A list with the same items as before is the list of before: React Flow goes through all that it shows for another one. */
const keepSame = <Item,>(before: Item[], after: Item[]): Item[] =>
  after.length === before.length && after.every((item, index) => item === before[index]) ? before : after;

function useSame<Item>(list: Item[]): Item[] {
  const last = useRef(list);
  last.current = keepSame(last.current, list);
  return last.current;
}

/** A state whose newest value is available at once, for handlers that are called twice before a render. */
function useNewest<Value>(initial: Value): readonly [Value, (change: (before: Value) => Value) => Value] {
  const [value, setValue] = useState(initial);
  const newest = useRef(initial);
  const change = useCallback((how: (before: Value) => Value): Value => {
    newest.current = how(newest.current);
    setValue(newest.current);
    return newest.current;
  }, []);
  return [value, change];
}
