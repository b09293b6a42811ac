// The board: a canvas with its cards and wires, to look at or to work on.
import { Background, BackgroundVariant, MiniMap, ReactFlow, ReactFlowProvider, useConnection, useReactFlow } from '@xyflow/react';
import { Maximize, Minus, Plus } from 'lucide-react';
import { lazy, memo, type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react';
import { loadPart } from '../parts/load-part.ts';
import type { Point } from '../canvas/canvas-json.ts';
import type { Flow } from '../canvas/flow.ts';
import { IconButton } from '../parts/parts.tsx';
import { useHandler, useSame } from '../parts/identity.ts';
import { useWords } from '../words/words.tsx';
import { type CardNode, CardView } from './CardView.tsx';
import { FarLayer } from './FarLayer.tsx';
import { noOverlay, type Overlay, OverlayContext, ResizeContext } from './overlay.ts';
import { cardAt, manyCards, rectsOf } from './rects.ts';
import { type BoardActs, useActs } from './use-acts.ts';
import { useChanges } from './use-changes.ts';
import { useDrawn } from './use-drawn.ts';
import { PeopleContext } from '../words/summary.ts';
import { useMounted } from './use-mounted.ts';
import { useMovedAsScrolled } from './use-moved-as-scrolled.ts';
import { useMoves } from './use-moves.ts';
import { usePeople } from './use-people.ts';
import { useStubs } from './use-stubs.ts';
import { useViewport } from './use-viewport.ts';
import { type WireEdge, WireView } from './WireView.tsx';

/** Few canvases are so large, and it is beside what is looked at. */
const LargeMap = lazy(() => loadPart(() => import('./LargeMap.tsx').then((module) => ({ default: module.LargeMap }))));

export interface BoardProps {
  readonly flow: Flow;
  readonly overlay?: Overlay;
  /** What an author does here; left out, the canvas is to look at. */
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
  /** Whether each card has its place: none is shown before. */
  readonly isPlaced?: boolean;
  /** Told where on the canvas the pointer is; nowhere, while it is beside it. */
  readonly pointer?: { current: (() => Point | undefined) | undefined } | undefined;
  readonly children?: ReactNode;
}

/** Values of React Flow's properties, each with one identity: another one is told to every node. */
const nodeTypes = { card: CardView };
const edgeTypes = { wire: WireView };
const middleButton = [1];
const grid: [number, number] = [8, 8];
/** A pointer that moves further while it is pressed drags; one that moves less clicks. With two measures, both would select a card, and the second one undo it. */
const clickDistance = 4;
/** A canvas, drawn. All that it shows is derived from `flow`; what an author does comes back through `acts`. */
export const Board = memo(function Board(props: BoardProps) {
  return (
    <ReactFlowProvider>
      <OverlayContext value={props.overlay ?? noOverlay}>
        <ResizeContext value={props.acts?.onResize}>
          <Surface {...props} />
        </ResizeContext>
      </OverlayContext>
    </ReactFlowProvider>
  );
});

function Surface({
  flow: given,
  overlay = noOverlay,
  acts,
  selected,
  onSelect,
  onOpen,
  onClick,
  inView,
  label,
  placing = 'authored',
  isPlaced = true,
  pointer,
  children,
}: BoardProps) {
  const say = useWords();
  const { screenToFlowPosition } = useReactFlow<CardNode, WireEdge>();
  const { shown: flow, openStub, closeStubs } = useStubs(given);
  const isEditable = acts !== undefined;
  const isLarge = flow.cards.length > manyCards;
  const moving = useRef(false);
  const fitted = useRef<string>(undefined);
  const drawn = useDrawn(flow, {
    isEditable,
    selected,
    moving,
    glides: () => !isLarge && fitted.current === placing,
  });
  const { edges } = drawn;
  const people = usePeople(flow);
  const rects = useMemo(() => rectsOf(flow), [flow]);
  const { fit, isShown, leastZoom, isWhole, isFarAway, legible, around, seen } = useViewport(rects, {
    isLarge,
    fitted,
    placing,
    isPlaced,
    inView,
    selected,
    moving,
  });
  const { onClickCapture, onDrop, ...connecting } = useActs(acts, edges, { toCanvas: screenToFlowPosition, onStub: openStub });

  const changing = useChanges(drawn, onSelect);
  const dragging = useMoves(flow, { moving, setNodes: drawn.setNodes, onMove: acts?.onMove });
  const moveAsScrolled = useMovedAsScrolled();
  const clickedGround = useHandler(({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) => {
    const hit = isFarAway ? cardAt(rects, screenToFlowPosition({ x: clientX, y: clientY })) : undefined;
    if (hit !== undefined) onOpen?.(hit);
    closeStubs();
  });
  const openedNode = useHandler((_event: unknown, { id }: CardNode) => onOpen?.(id));
  const clickedNode = useHandler((event: { readonly shiftKey: boolean }, { id }: CardNode) => {
    if (!event.shiftKey) onClick?.(id);
  });

  const tracking = useTracked(pointer, screenToFlowPosition);
  const { mounted, isWhole: isNear } = useMounted(around, isFarAway, seen);
  const { drawnNodes, drawnEdges } = useDrawnParts(drawn, mounted);
  const isConnecting = useConnection(({ inProgress }) => inProgress);
  return (
    <div
      className={`board legible-${legible}${isFarAway ? ' from-afar' : ''}${isConnecting ? ' connecting' : ''}${isShown ? '' : ' unplaced'}`}
      role="application"
      aria-label={label}
      {...tracking}
      onScrollCapture={moveAsScrolled}
      onClickCapture={onClickCapture}
      onDrop={onDrop}
      onDragOver={(event) => isEditable && event.preventDefault()}
    >
      <PeopleContext value={people}>
        <ReactFlow<CardNode, WireEdge>
          nodes={drawnNodes}
          edges={drawnEdges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          {...changing}
          {...dragging}
          {...connecting}
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
          nodeClickDistance={clickDistance}
          nodeDragThreshold={clickDistance}
          minZoom={leastZoom}
          maxZoom={1.75}
          snapToGrid
          snapGrid={grid}
          attributionPosition="bottom-center"
        >
          <Background variant={BackgroundVariant.Dots} gap={24} size={1.5} />
          <ZoomButtons onFit={() => fit(undefined, 0)} />
          {isLarge && !isWhole && (
            <Suspense fallback={null}>
              <LargeMap flow={flow} />
            </Suspense>
          )}
          {!isLarge && !isWhole && <MiniMap<CardNode> pannable zoomable ariaLabel={say('board.map')} nodeClassName={mapClass} />}
          {children}
        </ReactFlow>
      </PeopleContext>
      {(isFarAway || !isNear) && (
        <FarLayer
          flow={flow}
          except={isFarAway ? undefined : mounted}
          overlay={overlay}
          selected={selected}
          label={say('board.far', { count: flow.cards.length })}
        />
      )}
    </div>
  );
}

/** What is drawn of nodes and wires, where only some of them are: the same lists while they have the same members. */
function useDrawnParts({ nodes, edges }: ReturnType<typeof useDrawn>, mounted: ReadonlySet<string> | undefined) {
  const drawnNodes = useSame(useMemo(() => (mounted === undefined ? nodes : nodes.filter(({ id }) => mounted.has(id))), [mounted, nodes]));
  const drawnEdges = useSame(
    useMemo(
      () => (mounted === undefined ? edges : edges.filter(({ source, target }) => mounted.has(source) && mounted.has(target))),
      [mounted, edges],
    ),
  );
  return { drawnNodes, drawnEdges };
}

/** Handlers that follow the pointer over the board. @param pointer - is given a function that returns its place on the canvas */
function useTracked(pointer: BoardProps['pointer'], toCanvas: (screen: Point) => Point) {
  const screen = useRef<Point>(undefined);
  useEffect(() => {
    if (pointer !== undefined) pointer.current = () => screen.current && toCanvas(screen.current);
  }, [pointer, toCanvas]);
  return {
    onPointerMove({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) {
      screen.current = { x: clientX, y: clientY };
    },
    onPointerLeave() {
      screen.current = undefined;
    },
  };
}

function ZoomButtons({ onFit }: { readonly onFit: () => void }) {
  const say = useWords();
  const { zoomIn, zoomOut } = useReactFlow();
  return (
    <div className="zoom-buttons">
      <IconButton label={say('board.in')} onClick={() => void zoomIn()}>
        <Plus size={16} aria-hidden />
      </IconButton>
      <IconButton label={say('board.out')} onClick={() => void zoomOut()}>
        <Minus size={16} aria-hidden />
      </IconButton>
      <IconButton label={say('board.fit')} onClick={onFit}>
        <Maximize size={16} aria-hidden />
      </IconButton>
    </div>
  );
}

const mapClass = ({ data: { card } }: CardNode): string => `map-${card.category}`;
