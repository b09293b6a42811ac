import { divideData, type NodeDefinition } from '@hilo/engine/contract';
import { type Connections, type PortRow, portsOn } from './ports.ts';
import type { Sketch, SketchNode } from './sketch.ts';
import { clippedLine, wrappedLines } from './text-width.ts';

/** A node as it is drawn: what is written on it, and how big it is. */
export interface Card {
  /** The node's position in the canvas's list of nodes. */
  readonly index: number;
  readonly id: string;
  readonly kind: 'node' | 'unknown' | 'note';
  readonly colour: string;
  readonly icon: string;
  readonly title: string;
  readonly subtitle: string;
  readonly summary: readonly string[];
  readonly ports: readonly (PortRow & {
    /** The name as far as it fits. */
    readonly text: string;
  })[];
  /** The port of an edge that names none. */
  readonly onlyPort: string;
  readonly isEntered: boolean;
  readonly width: number;
  readonly height: number;
  readonly position: { readonly x: number; readonly y: number } | undefined;
}

/** Lengths on a card, in pixels. */
export const measures = {
  width: 240,
  padding: 14,
  headerHeight: 52,
  /** Where an edge comes in, from the top. */
  inputY: 26,
  summaryLine: 16,
  portRow: 21,
  noteLine: 17,
} as const;

export const letterings = {
  title: { size: 13.5, isBold: true },
  subtitle: { size: 11 },
  summary: { size: 11.5 },
  port: { size: 11 },
  note: { size: 12 },
} as const;

const unknownColour = '#94a3b8';
const maxSummaryLines = 2;
const maxNoteLines = 12;

/** The cards of all nodes, drawn from the visual definitions alone. */
export function cardsOf(sketch: Sketch, definitions: ReadonlyMap<string, NodeDefinition>): readonly Card[] {
  const ids = new Set(sketch.nodes.map(({ id }) => id));
  const edges = sketch.edges.filter(({ source, target }) => ids.has(source) && ids.has(target));
  const entered = new Set(edges.map(({ target }) => target));
  const handles = Map.groupBy(edges, ({ source }) => source);
  const drawn = new Set<string>();
  return sketch.nodes.map((node, index) => {
    const isFirst = !drawn.has(node.id); // of nodes with the same id the first has the edges
    drawn.add(node.id);
    const ways = isFirst ? (handles.get(node.id) ?? []).map(({ sourceHandle }) => sourceHandle ?? undefined) : [];
    return cardOf(node, index, definitions.get(node.type), { ways, isEntered: isFirst && entered.has(node.id) });
  });
}

function cardOf(node: SketchNode, index: number, definition: NodeDefinition | undefined, connections: Connections): Card {
  const { common, config } = divideData(node.data);
  const summary = summaryOf(definition, config);
  const label = typeof common['label'] === 'string' && common['label'].trim() !== '' ? common['label'] : undefined;
  const typeName = definition?.visual.label ?? (node.type === '' ? 'No type' : node.type);
  const base = {
    index,
    id: node.id,
    icon: definition?.visual.icon ?? '',
    colour: definition?.visual.colour ?? unknownColour,
    width: measures.width,
    position: node.position,
    isEntered: connections.isEntered,
  };
  const inside = measures.width - 2 * measures.padding;

  if (definition?.isRemark === true) {
    const lines = wrappedLines([label, summary].filter(Boolean).join('\n'), inside, maxNoteLines, letterings.note);
    return {
      ...base,
      kind: 'note',
      title: '',
      subtitle: '',
      summary: lines,
      ports: [],
      onlyPort: '',
      height: 2 * measures.padding + Math.max(2, lines.length) * measures.noteLine,
    };
  }
  const { rows, onlyPort } = portsOn(definition, config, connections);
  const ports = rows.map((port) => ({ ...port, text: clippedLine(port.name, inside, letterings.port) }));
  const lines = wrappedLines(summary, inside, maxSummaryLines, letterings.summary);
  return {
    ...base,
    kind: definition === undefined ? 'unknown' : 'node',
    title: clippedLine(label ?? typeName, inside - 38, letterings.title),
    subtitle: clippedLine(label === undefined ? node.id : `${typeName} · ${node.id}`, inside - 38, letterings.subtitle),
    summary: lines,
    ports,
    onlyPort,
    height:
      measures.headerHeight +
      (lines.length > 0 ? lines.length * measures.summaryLine + 8 : 0) +
      (ports.length > 0 ? ports.length * measures.portRow + 10 : 0),
  };
}

/** The line that a definition has for a config. The config may be unfinished, and is no reason to draw nothing. */
function summaryOf(definition: NodeDefinition | undefined, config: unknown): string {
  if (definition === undefined) return 'There is no node of this type';
  try {
    return definition.visual.summary?.(config) ?? '';
  } catch {
    return '';
  }
}

/** Where the centre of a port's row is, from the top of the card. */
export function portY({ height, ports }: Card, row: number): number {
  return height - 5 - (ports.length - row - 0.5) * measures.portRow;
}

/** The row of the port that an edge leaves by; an edge may leave its name out where there is no choice. */
export const rowOfHandle = ({ ports, onlyPort }: Card, handle: string | undefined): number =>
  ports.findIndex(({ name }) => name === (handle ?? onlyPort));
