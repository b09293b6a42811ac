// The drawing of a canvas: a card for each node and a wire for each way, derived from its JSON.
import { frameSize } from './frames.ts';
import type { DescribedNode } from '@hilo/engine/authoring';
import type { Problem } from '@hilo/engine/contract';
import {
  type CanvasJson,
  type CatalogueEntry,
  type EdgeJson,
  type NodeJson,
  type Point,
  type Port,
  portKey,
  textIn,
} from './canvas-json.ts';

/** A port as a card draws it. */
export interface DrawnPort extends Port {
  /** The node that it leads to. */
  readonly target?: string;
  /** Leads to an end: drawn as a pill at the port instead of a wire. */
  readonly isStub: boolean;
  /** No port of this node according to the engine, but named by an edge. */
  readonly isUnknown: boolean;
  /** Whether an edge that names no port leaves by this one. */
  readonly isUnnamed: boolean;
}

/** A node as it is drawn: all that its card needs, derived from the canvas and never kept. */
export interface Card {
  readonly id: string;
  readonly node: NodeJson;
  readonly entry: CatalogueEntry | undefined;
  readonly title: string;
  readonly caption: string;
  readonly category: string;
  readonly summary: string;
  /** The text that the user will read, if the node sends one. */
  readonly bubble: string | undefined;
  readonly ports: readonly DrawnPort[];
  readonly position: Point;
  readonly isNote: boolean;
  /** The size of a frame, which is a note behind other cards. */
  readonly frame?: { readonly width: number; readonly height: number };
  readonly errors: number;
  readonly warnings: number;
}

/** A wire between two cards. */
export interface Wire {
  readonly id: string;
  readonly source: string;
  readonly port: string;
  readonly target: string;
  readonly kind: 'plain' | 'optional' | 'failing';
}

export interface Flow {
  readonly cards: readonly Card[];
  readonly wires: readonly Wire[];
}

/** What a canvas is drawn with. */
export interface FlowContext {
  readonly catalogue: ReadonlyMap<string, CatalogueEntry>;
  /** The engine's description of each node; until it is known, the catalogue's ports are used. */
  readonly described: ReadonlyMap<string, DescribedNode>;
  readonly problems?: readonly Problem[];
  /** Positions of nodes without their own. */
  readonly placed?: ReadonlyMap<string, Point>;
}

/** What a card and its wires are derived from, apart from the node itself and what the card says. */
interface Sources {
  readonly about: DescribedNode | undefined;
  readonly edges: readonly EdgeJson[];
  /** The type of the node that each edge leads to. */
  readonly targetTypes: readonly (string | undefined)[];
}
const sourcesOf = new WeakMap<Card, Sources>();

/**
 * Derives the drawing of a canvas. Nothing is left out: unknown types have a card, unknown ports a row.
 *
 * @param before - the drawing until now: its cards and wires that are still right keep their identity, and are not drawn again
 */
export function flowOf(canvas: CanvasJson, { catalogue, described, problems = [], placed }: FlowContext, before?: Flow): Flow {
  const types = new Map(canvas.nodes.map(({ id, type }) => [id, type]));
  const counts = countProblems(problems);
  const edgesOf = groupEdges(canvas.edges);
  const known = new Map(before?.cards.map((card) => [card.id, card]));
  const cards = canvas.nodes.map((node, index): Card => {
    const edges = edgesOf.get(node.id) ?? none;
    const sources = { about: described.get(node.id), edges, targetTypes: edges.map(({ target }) => types.get(target)) };
    const changing = {
      node,
      entry: catalogue.get(node.type),
      position: node.position ?? placed?.get(node.id) ?? { x: (index % 8) * 328, y: Math.floor(index / 8) * 240 },
      errors: counts.get(node.id)?.errors ?? 0,
      warnings: counts.get(node.id)?.warnings ?? 0,
    };
    const old = known.get(node.id);
    if (old !== undefined && isSameCard(old, changing, sources)) return old;
    const card = cardOf(changing, sources);
    sourcesOf.set(card, sources);
    return card;
  });
  const isSame = before !== undefined && cards.length === before.cards.length && cards.every((card, index) => card === before.cards[index]);
  return isSame ? before : { cards, wires: wiresOf(cards, before?.wires ?? []) };
}

const none: readonly EdgeJson[] = [];
/** What a card of a type says that nobody knows here: its reader is told in words. */
const unknownType = '?';

function groupEdges(edges: readonly EdgeJson[]): ReadonlyMap<string, readonly EdgeJson[]> {
  const groups = new Map<string, EdgeJson[]>();
  for (const edge of edges) {
    const group = groups.get(edge.source);
    if (group === undefined) groups.set(edge.source, [edge]);
    else group.push(edge);
  }
  return groups;
}

function countProblems(problems: readonly Problem[]): ReadonlyMap<string, { readonly errors: number; readonly warnings: number }> {
  const counts = new Map<string, { errors: number; warnings: number }>();
  for (const { nodeId, severity } of problems) {
    if (nodeId === undefined) continue;
    const count = counts.get(nodeId) ?? { errors: 0, warnings: 0 };
    if (severity === 'error') count.errors += 1;
    else count.warnings += 1;
    counts.set(nodeId, count);
  }
  return counts;
}

type Changing = Pick<Card, 'node' | 'entry' | 'position' | 'errors' | 'warnings'>;

function isSameCard(card: Card, { node, entry, position, errors, warnings }: Changing, { about, edges, targetTypes }: Sources): boolean {
  const sources = sourcesOf.get(card);
  return (
    sources !== undefined &&
    card.node === node &&
    card.entry === entry &&
    card.errors === errors &&
    card.warnings === warnings &&
    card.position.x === position.x &&
    card.position.y === position.y &&
    sources.about === about &&
    isSameList(sources.edges, edges) &&
    isSameList(sources.targetTypes, targetTypes)
  );
}

const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

function cardOf(changing: Changing, { about, edges, targetTypes }: Sources): Card {
  const { node, entry } = changing;
  // A node that the engine cannot read yet has the ports of its type.
  const known = about === undefined || about.ports.length === 0 ? catalogPorts(entry) : about.ports;
  const label = textIn(node.data, 'label');
  const frame = frameSize(node);
  return {
    ...changing,
    id: node.id,
    title: label ?? entry?.label ?? node.type,
    caption: label === undefined ? node.id : (entry?.label ?? node.type),
    category: entry?.category ?? 'unknown',
    summary: entry === undefined ? unknownType : (about?.summary ?? ''),
    bubble: bubbleOf(node),
    ports: drawnPorts(known, edges, { targetTypes, isJudged: about !== undefined || entry === undefined }),
    isNote: node.type === 'note',
    ...(frame !== undefined && { frame }),
  };
}

/** The wires of cards. Where all are the same as before, so is the list. */
function wiresOf(cards: readonly Card[], before: readonly Wire[]): readonly Wire[] {
  const ids = new Set(cards.map(({ id }) => id));
  const known = new Map(before.map((wire) => [wire.id, wire]));
  const wires = cards.flatMap(({ id, ports }) =>
    ports.flatMap(({ name, target, isRequired, isStub }): Wire[] => {
      if (target === undefined || !ids.has(target) || isStub) return [];
      const key = portKey(id, name);
      const kind = isRequired ? 'plain' : name === 'error' ? 'failing' : 'optional';
      const old = known.get(key);
      return [old?.target === target && old.kind === kind ? old : { id: key, source: id, port: name, target, kind }];
    }),
  );
  return isSameList(wires, before) ? before : wires;
}

const catalogPorts = (entry: CatalogueEntry | undefined): readonly Port[] => [
  ...(entry?.ports?.required ?? []).map((name) => ({ name, isRequired: true })),
  ...(entry?.ports?.optional ?? []).map((name) => ({ name, isRequired: false })),
];

function drawnPorts(
  known: readonly Port[],
  edges: readonly EdgeJson[],
  // Until the engine has told the ports of a node, none that an edge names is called unknown.
  { targetTypes, isJudged }: Pick<Sources, 'targetTypes'> & { readonly isJudged: boolean },
): readonly DrawnPort[] {
  const unnamed = unnamedPort(known);
  const targets = new Map<string, { readonly id: string; readonly type: string | undefined }>();
  for (const [index, { sourceHandle, target }] of edges.entries()) {
    const port = sourceHandle ?? unnamed;
    if (!targets.has(port)) targets.set(port, { id: target, type: targetTypes[index] });
  }
  const drawn = (port: Port, isUnknown: boolean): DrawnPort => {
    const target = targets.get(port.name);
    const isStub = !port.isRequired && !isUnknown && target?.type === 'end';
    return { ...port, isStub, isUnknown, isUnnamed: port.name === unnamed, ...(target !== undefined && { target: target.id }) };
  };
  const names = new Set(known.map(({ name }) => name));
  const others = [...targets.keys()].filter((name) => !names.has(name));
  return [...known.map((port) => drawn(port, false)), ...others.map((name) => drawn({ name, isRequired: true }, isJudged))];
}

/** The port of edges without one: the only port of the node. The engine has the same rule. */
function unnamedPort(known: readonly Port[]): string {
  const required = known.filter(({ isRequired }) => isRequired);
  const [only] = required.length === 1 ? required : known.length === 1 ? known : [];
  return only?.name ?? '';
}

const bubbleOf = ({ data, type }: NodeJson): string | undefined => (type === 'note' ? undefined : textIn(data?.['message'], 'text'));
