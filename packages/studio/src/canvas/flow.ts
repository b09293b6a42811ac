import type { DescribedNode } from '@hilo/engine';
import type { Problem } from '@hilo/engine/contract';
import { type CanvasJson, type CatalogueEntry, type NodeJson, type Point, type Port, portKey } from './canvas-json.ts';

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

/** Derives the drawing of a canvas. Nothing is left out: unknown types have a card, unknown ports a row. */
export function flowOf(canvas: CanvasJson, { catalogue, described, problems = [], placed }: FlowContext): Flow {
  const types = new Map(canvas.nodes.map(({ id, type }) => [id, type]));
  const problemsOf = Map.groupBy(problems, ({ nodeId }) => nodeId);
  const edgesOf = Map.groupBy(canvas.edges, ({ source }) => source);
  const cards = canvas.nodes.map((node, index): Card => {
    const entry = catalogue.get(node.type);
    const about = described.get(node.id);
    // A node that the engine cannot read yet has the ports of its type.
    const known = about === undefined || about.ports.length === 0 ? catalogPorts(entry) : about.ports;
    const mine = problemsOf.get(node.id) ?? [];
    const label = textIn(node.data, 'label');
    return {
      id: node.id,
      node,
      entry,
      title: label ?? entry?.label ?? node.type,
      caption: label === undefined ? node.id : (entry?.label ?? node.type),
      category: entry?.category ?? 'unknown',
      summary: entry === undefined ? 'Unknown type: kept as it is' : (about?.summary ?? ''),
      bubble: bubbleOf(node),
      ports: drawnPorts(known, edgesOf.get(node.id) ?? [], { types, isJudged: about !== undefined || entry === undefined }),
      position: node.position ?? placed?.get(node.id) ?? { x: (index % 8) * 328, y: Math.floor(index / 8) * 240 },
      isNote: node.type === 'note',
      errors: mine.filter(({ severity }) => severity === 'error').length,
      warnings: mine.filter(({ severity }) => severity === 'warning').length,
    };
  });
  const wires = cards.flatMap(({ id, ports }) =>
    ports.flatMap(({ name, target, isRequired, isStub }): Wire[] =>
      target === undefined || !types.has(target) || isStub
        ? []
        : [
            {
              id: portKey(id, name),
              source: id,
              port: name,
              target,
              kind: isRequired ? 'plain' : name === 'error' ? 'failing' : 'optional',
            },
          ],
    ),
  );
  return { cards, wires };
}

const catalogPorts = (entry: CatalogueEntry | undefined): readonly Port[] => [
  ...(entry?.ports?.required ?? []).map((name) => ({ name, isRequired: true })),
  ...(entry?.ports?.optional ?? []).map((name) => ({ name, isRequired: false })),
];

function drawnPorts(
  known: readonly Port[],
  edges: readonly CanvasJson['edges'][number][],
  // Until the engine has told the ports of a node, none that an edge names is called unknown.
  { types, isJudged }: { readonly types: ReadonlyMap<string, string>; readonly isJudged: boolean },
): readonly DrawnPort[] {
  const unnamed = unnamedPort(known);
  const targets = new Map<string, string>();
  for (const { sourceHandle, target } of edges) {
    const port = sourceHandle ?? unnamed;
    if (!targets.has(port)) targets.set(port, target);
  }
  const drawn = (port: Port, isUnknown: boolean): DrawnPort => {
    const target = targets.get(port.name);
    const isStub = !port.isRequired && !isUnknown && target !== undefined && types.get(target) === 'end';
    return { ...port, isStub, isUnknown, isUnnamed: port.name === unnamed, ...(target !== undefined && { target }) };
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

const textIn = (data: NodeJson['data'], field: string): string | undefined => {
  const value = data?.[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

function bubbleOf({ data, type }: NodeJson): string | undefined {
  if (type === 'note') return undefined;
  const message = data?.['message'];
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return undefined;
  const text = (message as { readonly text?: unknown }).text;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** A text in pieces: plain parts, and expressions in short form with the whole beside. */
export type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'token'; readonly text: string; readonly whole: string };

/** Divides a text at its `{{ … }}`. Put together again, the parts are the text. */
export function textParts(text: string): readonly TextPart[] {
  return text.split(/(\{\{[\s\S]*?\}\})/).flatMap((part): TextPart[] => {
    if (part === '') return [];
    if (!part.startsWith('{{') || !part.endsWith('}}')) return [{ kind: 'text', text: part }];
    return [
      {
        kind: 'token',
        text: part
          .slice(2, -2)
          .trim()
          .replace(/^\$(?:context|company\.settings)\./, ''),
        whole: part,
      },
    ];
  });
}
