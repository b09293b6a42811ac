import {
  applyEdgeChanges,
  applyNodeChanges,
  Background,
  BackgroundVariant,
  type Connection,
  MarkerType,
  type OnConnectEnd,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import { Maximize, Minus, Plus } from 'lucide-react';
import { type DragEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Point } from '../canvas/canvas-json.ts';
import { snap } from '../canvas/commands.ts';
import { cardName, type Flow } from '../canvas/flow.ts';
import { IconButton } from '../parts/parts.tsx';
import { usePortWord, useWords } from '../words/words.tsx';
import { type CardNode, CardView } from './CardView.tsx';
import { type Overlay, OverlayContext } from './overlay.ts';
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
  /** A wire was dropped on empty ground. */
  onConnectToNothing(source: string, port: string, at: Point, screen: Point): void;
  /** A type was dragged here from the palette. */
  onDrop(type: string, at: Point, onWire: { readonly source: string; readonly port: string } | undefined): void;
}

interface BoardProps {
  readonly flow: Flow;
  readonly overlay?: Overlay;
  readonly acts?: BoardActs;
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (nodes: readonly string[], wires: readonly { readonly source: string; readonly port: string }[]) => void;
  readonly onOpen?: (nodeId: string) => void;
  /** Brought into view when it changes. */
  readonly inView?: string | undefined;
  readonly label: string;
  readonly onSizes?: (sizes: ReadonlyMap<string, { readonly width: number; readonly height: number }>) => void;
  readonly children?: ReactNode;
}

const nodeTypes = { card: CardView };
const edgeTypes = { wire: WireView };
const manyNodes = 150;

/** A canvas, drawn. All that it shows is derived from `flow`; what an author does comes back through `acts`. */
export function Board(props: BoardProps) {
  return (
    <ReactFlowProvider>
      <OverlayContext value={props.overlay ?? noOverlay}>
        <Surface {...props} />
      </OverlayContext>
    </ReactFlowProvider>
  );
}
const noOverlay: Overlay = {};

function Surface({ flow, acts, selected, onSelect, onOpen, inView, label, onSizes, children }: BoardProps) {
  const portWord = usePortWord();
  const say = useWords();
  const isEditable = acts !== undefined;
  const { screenToFlowPosition, fitView, zoomIn, zoomOut, setCenter, getNode, getZoom } = useReactFlow<CardNode, WireEdge>();
  const [nodes, setNodes] = useState<CardNode[]>([]);
  const [edges, setEdges] = useState<WireEdge[]>([]);
  const moving = useRef(false);

  useEffect(() => {
    setNodes((before) => {
      const old = new Map(before.map((node) => [node.id, node]));
      return flow.cards.map((card): CardNode => {
        const known = old.get(card.id);
        const isSame =
          known?.data.card === card &&
          known.data.isEditable === isEditable &&
          (selected === undefined || known.selected === selected.has(card.id));
        if (
          known !== undefined &&
          isSame &&
          (moving.current || (known.position.x === card.position.x && known.position.y === card.position.y))
        )
          return known;
        return {
          ...known,
          id: card.id,
          type: 'card',
          position: moving.current && known !== undefined ? known.position : card.position,
          data: { card, isEditable },
          ariaLabel: cardName(card, portWord),
          ariaRole: 'button',
          ...(selected !== undefined && { selected: selected.has(card.id) }),
        };
      });
    });
  }, [flow.cards, isEditable, selected]);
  useEffect(() => {
    setEdges((before) => {
      const old = new Map(before.map((edge) => [edge.id, edge]));
      return flow.wires.map((wire): WireEdge => {
        const known = old.get(wire.id);
        if (known?.data?.wire.target === wire.target && known.data.wire.kind === wire.kind) return known;
        return {
          id: wire.id,
          type: 'wire',
          source: wire.source,
          sourceHandle: wire.port,
          target: wire.target,
          data: { wire },
          focusable: false,
          markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color: wire.kind === 'failing' ? 'var(--bad)' : 'var(--wire)' },
        };
      });
    });
  }, [flow.wires]);

  useEffect(() => {
    const node = inView === undefined ? undefined : getNode(inView);
    if (node === undefined) return;
    const { width = 240, height = 100 } = node.measured ?? {};
    void setCenter(node.position.x + width / 2, node.position.y + height / 2, {
      zoom: Math.max(getZoom(), 0.6),
      duration: reducesMotion() ? 0 : 200,
    });
  }, [inView]);

  const connected = useCallback(
    ({ source, sourceHandle, target }: Connection) => {
      if (sourceHandle !== null) acts?.onConnect(source, sourceHandle, target);
    },
    [acts],
  );
  const droppedWire: OnConnectEnd = useCallback(
    (event, { fromNode, fromHandle, isValid }) => {
      if (isValid === true || fromNode === null || fromHandle?.type !== 'source' || typeof fromHandle.id !== 'string') return;
      const { clientX, clientY } = 'changedTouches' in event ? (event.changedTouches[0] ?? { clientX: 0, clientY: 0 }) : event;
      const overPane = document.elementFromPoint(clientX, clientY)?.classList.contains('react-flow__pane') === true;
      if (overPane)
        acts?.onConnectToNothing(fromNode.id, fromHandle.id, snap(screenToFlowPosition({ x: clientX, y: clientY })), {
          x: clientX,
          y: clientY,
        });
    },
    [acts, screenToFlowPosition],
  );
  const dropped = (event: DragEvent): void => {
    const type = event.dataTransfer.getData('application/hilo-node');
    if (type === '' || acts === undefined) return;
    event.preventDefault();
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
  const tell = useMemo(
    () => ({
      nodes:
        onSelect === undefined
          ? undefined
          : ({ nodes: chosen, edges: wires }: { readonly nodes: readonly CardNode[]; readonly edges: readonly WireEdge[] }) =>
              onSelect(
                chosen.map(({ id }) => id),
                wires.flatMap(({ data }) => (data === undefined ? [] : [{ source: data.wire.source, port: data.wire.port }])),
              ),
    }),
    [onSelect],
  );

  return (
    <div
      className="board"
      role="application"
      aria-label={label}
      onDrop={dropped}
      onDragOver={(event) => isEditable && event.preventDefault()}
    >
      <ReactFlow<CardNode, WireEdge>
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={(changes) => {
          setNodes((before) => applyNodeChanges(changes, before));
          if (onSizes !== undefined && changes.some(({ type }) => type === 'dimensions'))
            onSizes(
              new Map(
                changes.flatMap((change) =>
                  change.type === 'dimensions' && change.dimensions !== undefined ? [[change.id, change.dimensions]] : [],
                ),
              ),
            );
        }}
        onEdgesChange={(changes) => setEdges((before) => applyEdgeChanges(changes, before))}
        onNodeDragStart={() => {
          moving.current = true;
        }}
        onNodeDragStop={(_event, _node, moved) => {
          moving.current = false;
          acts?.onMove(new Map(moved.map(({ id, position }) => [id, snap(position)])));
        }}
        onSelectionDragStart={() => {
          moving.current = true;
        }}
        onSelectionDragStop={(_event, moved) => {
          moving.current = false;
          acts?.onMove(new Map(moved.map(({ id, position }) => [id, snap(position)])));
        }}
        onConnect={connected}
        onConnectEnd={droppedWire}
        onReconnect={({ data }, { source, sourceHandle, target }) => {
          if (data !== undefined && sourceHandle !== null)
            acts?.onRedirect({ source: data.wire.source, port: data.wire.port }, { source, port: sourceHandle, target });
        }}
        {...(tell.nodes !== undefined && { onSelectionChange: tell.nodes })}
        onNodeDoubleClick={(_event, { id }) => onOpen?.(id)}
        nodesDraggable={isEditable}
        nodesConnectable={isEditable}
        edgesReconnectable={isEditable}
        elementsSelectable
        disableKeyboardA11y
        deleteKeyCode={null}
        multiSelectionKeyCode="Shift"
        selectionKeyCode={null}
        selectionOnDrag={isEditable}
        panOnScroll
        panOnDrag={isEditable ? [1] : true}
        panActivationKeyCode="Space"
        zoomActivationKeyCode="Control"
        connectionRadius={28}
        nodeClickDistance={4}
        minZoom={0.08}
        maxZoom={1.75}
        snapToGrid
        snapGrid={[8, 8]}
        fitView
        fitViewOptions={{ padding: 0.12, maxZoom: 1, minZoom: 0.3 }}
        onlyRenderVisibleElements={flow.cards.length > manyNodes}
      >
        <Background variant={BackgroundVariant.Dots} gap={24} size={1.5} />
        <div className="zoom-buttons">
          <IconButton label={say('board.in')} onClick={() => void zoomIn()}>
            <Plus size={16} aria-hidden />
          </IconButton>
          <IconButton label={say('board.out')} onClick={() => void zoomOut()}>
            <Minus size={16} aria-hidden />
          </IconButton>
          <IconButton label={say('board.fit')} onClick={() => void fitView({ padding: 0.12, maxZoom: 1 })}>
            <Maximize size={16} aria-hidden />
          </IconButton>
        </div>
        {children}
      </ReactFlow>
    </div>
  );
}

export const reducesMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
