import { divideData, type NodeDefinition } from '@hilo/engine/contract';
import type { Sketch, SketchNode } from './sketch.ts';
import { clippedLine, textWidth, wrappedLines } from './text-width.ts';

/** How a port is drawn: `aside` is optional, `faulty`: a required port without an edge, or an edge by a port that is not there. */
export type PortTone = 'plain' | 'aside' | 'error' | 'faulty';

/** A port on its card. */
export interface PortRow {
  readonly name: string;
  readonly tone: PortTone;
  readonly isConnected: boolean;
}

/** The edges of a node. */
interface Connections {
  /** The ports that edges leave by; `undefined` where an edge names none. */
  readonly handles: readonly (string | undefined)[];
  readonly isEntered: boolean;
}

/** The name of a port that an edge leaves out though the node has several. */
const unnamed = '?';

/** The ports to draw: required and connected ones, and `onlyPort`, which an edge need not name. An unconnected optional port is not drawn. */
function listPortRows(
  definition: NodeDefinition | undefined,
  config: unknown,
  { handles, isEntered }: Connections,
): { readonly rows: readonly PortRow[]; readonly onlyPort: string } {
  const ports = listPorts(definition, config);
  const { required, optional } = ports ?? { required: [], optional: [] };
  const onlyPort =
    (required.length === 1 ? required[0] : required.length === 0 && optional.length === 1 ? optional[0] : undefined) ?? unnamed;
  const connected = new Set(handles.map((handle) => handle ?? onlyPort));
  const needed = isEntered ? (definition?.portsWhenEntered ?? []) : [];
  const chooseTone = (name: string): PortTone =>
    name === 'error' ? 'error' : optional.includes(name) && !needed.includes(name) ? 'aside' : 'plain';
  const known = [...required, ...optional.filter((name) => connected.has(name) || needed.includes(name))];
  const others = [...connected].filter((name) => !known.includes(name));
  const rows = [
    ...known.map((name) => ({
      name,
      tone: connected.has(name) ? chooseTone(name) : ('faulty' as const),
      isConnected: connected.has(name),
    })),
    ...others.map((name) => ({ name, tone: ports === undefined ? chooseTone(name) : ('faulty' as const), isConnected: true })),
  ];
  return { rows, onlyPort };
}

/** The ports of a node; `undefined` when its config cannot be read, so that they are unknown. */
function listPorts(
  definition: NodeDefinition | undefined,
  config: unknown,
): { readonly required: readonly string[]; readonly optional: readonly string[] } | undefined {
  const parsed = definition?.config.safeParse(config);
  if (definition === undefined || parsed?.success !== true) return undefined;
  return { required: definition.ports(parsed.data), optional: definition.optionalPorts(parsed.data) };
}

/** A node to draw: its texts and its size. */
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
  readonly ports: readonly PlacedPort[];
  /** The port of an edge that names none. */
  readonly onlyPort: string;
  readonly isEntered: boolean;
  /** Where edges come in: how far along its side from the card's upper left corner. */
  readonly inputAt: number;
  readonly width: number;
  readonly height: number;
  readonly position: { readonly x: number; readonly y: number } | undefined;
}

/** A port with its position: on the right side of a card whose edges lead right, at the bottom of one whose edges lead down. */
export interface PlacedPort extends PortRow {
  /** The name as far as it fits. */
  readonly text: string;
  /** How far along its side, from the card's upper left corner. */
  readonly at: number;
  /** How wide the name may come out, in pixels. */
  readonly room: number;
}

/** Lengths on a card, in pixels. */
export const measures = {
  /** The least width. */
  width: 240,
  padding: 14,
  headerHeight: 52,
  /** Where an edge from the left comes in, from the top. */
  inputY: 26,
  summaryLine: 16,
  portRow: 21,
  /** The room for the name of a port beside others. */
  portName: { least: 22, most: 110, gap: 14 },
  noteLine: 17,
} as const;

/** Sizes of the texts on a card, in pixels. */
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
export function createCards(sketch: Sketch, definitions: ReadonlyMap<string, NodeDefinition>, direction: Direction): readonly Card[] {
  const ids = new Set(sketch.nodes.map(({ id }) => id));
  const edges = sketch.edges.filter(({ source, target }) => ids.has(source) && ids.has(target));
  const entered = new Set(edges.map(({ target }) => target));
  const leaving = Map.groupBy(edges, ({ source }) => source);
  const drawn = new Set<string>();
  return sketch.nodes.map((node, index) => {
    const isFirst = !drawn.has(node.id); // of nodes with the same id the first has the edges
    drawn.add(node.id);
    const handles = isFirst ? (leaving.get(node.id) ?? []).map(({ sourceHandle }) => sourceHandle ?? undefined) : [];
    return createCard(node, index, definitions.get(node.type), { handles, isEntered: isFirst && entered.has(node.id) }, direction);
  });
}

function createCard(
  node: SketchNode,
  index: number,
  definition: NodeDefinition | undefined,
  connections: Connections,
  direction: Direction,
): Card {
  const { common, config } = divideData(node.data);
  const summary = summarize(definition, config);
  const label = typeof common['label'] === 'string' && common['label'].trim() !== '' ? common['label'] : undefined;
  const typeName = definition?.visual.label ?? (node.type === '' ? 'No type' : node.type);
  const base = {
    index,
    id: node.id,
    icon: definition?.visual.icon ?? '',
    colour: definition?.visual.colour ?? unknownColour,
    position: node.position,
    isEntered: connections.isEntered,
  };

  if (definition?.isRemark === true) {
    const inside = measures.width - 2 * measures.padding;
    const lines = wrappedLines([label, summary].filter(Boolean).join('\n'), inside, maxNoteLines, letterings.note);
    return {
      ...base,
      kind: 'note',
      title: '',
      subtitle: '',
      summary: lines,
      ports: [],
      onlyPort: '',
      inputAt: direction === 'right' ? measures.inputY : measures.width / 2,
      width: measures.width,
      height: 2 * measures.padding + Math.max(2, lines.length) * measures.noteLine,
    };
  }
  const { rows, onlyPort } = listPortRows(definition, config, connections);
  const slots = direction === 'right' ? [] : measureSlots(rows);
  const width = Math.max(measures.width, Math.ceil(slots.reduce((sum, slot) => sum + slot, 2 * measures.padding)));
  const inside = width - 2 * measures.padding;
  const lines = wrappedLines(summary, inside, maxSummaryLines, letterings.summary);
  const portRows = direction === 'right' ? rows.length : Math.min(1, rows.length);
  const height =
    measures.headerHeight +
    (lines.length > 0 ? lines.length * measures.summaryLine + 8 : 0) +
    (portRows > 0 ? portRows * measures.portRow + 10 : 0);
  return {
    ...base,
    kind: definition === undefined ? 'unknown' : 'node',
    title: clippedLine(label ?? typeName, inside - 38, letterings.title),
    subtitle: clippedLine(label === undefined ? node.id : `${typeName} · ${node.id}`, inside - 38, letterings.subtitle),
    summary: lines,
    ports: direction === 'right' ? placePortsInRows(rows, height) : placePortsInSlots(rows, slots, width),
    onlyPort,
    inputAt: direction === 'right' ? measures.inputY : width / 2,
    width,
    height,
  };
}

/** Ports one below the other, up to the lower edge of a card. */
const placePortsInRows = (rows: readonly PortRow[], height: number): readonly PlacedPort[] => {
  const room = measures.width - 2 * measures.padding;
  return rows.map((port, row) => ({
    ...port,
    text: clippedLine(port.name, room, letterings.port),
    at: height - 5 - (rows.length - row - 0.5) * measures.portRow,
    room,
  }));
};

/** Each port's share of a card's width: by the length of its name, within limits. */
const measureSlots = (rows: readonly PortRow[]): readonly number[] => {
  const { least, most, gap } = measures.portName;
  return rows.map(
    ({ name }) => gap + Math.max(least, Math.min(most, textWidth(clippedLine(name, most, letterings.port), letterings.port))),
  );
};

/** Ports side by side; the width that they leave over is shared out. */
function placePortsInSlots(rows: readonly PortRow[], slots: readonly number[], width: number): readonly PlacedPort[] {
  const spare = width - 2 * measures.padding - slots.reduce((sum, slot) => sum + slot, 0);
  let left: number = measures.padding;
  return rows.map((port, index) => {
    const slot = (slots[index] ?? 0) + spare / rows.length;
    const room = slot - measures.portName.gap / 2;
    left += slot;
    return { ...port, text: clippedLine(port.name, room, letterings.port), at: left - slot / 2, room };
  });
}

/** The line that a definition has for a config. The config may be unfinished or of any shape, and is no reason to draw nothing. */
function summarize(definition: NodeDefinition | undefined, config: unknown): string {
  if (definition === undefined) return 'There is no node of this type';
  try {
    const line: unknown = definition.visual.summary?.(config);
    return typeof line === 'string' ? line : '';
  } catch {
    return '';
  }
}

/** Where on its side a port is; an edge from a card without ports leaves where others come in. */
export const portAt = ({ ports, inputAt }: Card, row: number): number => ports[row]?.at ?? inputAt;

/** The row of the port that an edge leaves by; an edge may leave its name out where there is no choice. */
export const rowOfHandle = ({ ports, onlyPort }: Card, handle: string | undefined): number =>
  ports.findIndex(({ name }) => name === (handle ?? onlyPort));

/** Where edges lead on a picture: from left to right, or from top to bottom. */
export const directions = ['right', 'down'] as const;
/** One of {@link directions}. */
export type Direction = (typeof directions)[number];

/** A box with width and height exchanged. */
export const transposeBox = <Box extends { readonly width: number; readonly height: number }>(box: Box): Box => ({
  ...box,
  width: box.height,
  height: box.width,
});

/** A point with its coordinates exchanged. */
export const transposePoint = <Place extends { readonly x: number; readonly y: number }>(place: Place): Place => ({
  ...place,
  x: place.y,
  y: place.x,
});
