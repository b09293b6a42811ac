import { readdirSync, readFileSync } from 'node:fs';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { type DrawnNode, type DrawnPoint, linesIn, nodesIn, parseSvg } from '../test/svg-tree.ts';
import { type Direction, directions } from './card.ts';
import { drawCanvas } from './draw-canvas.ts';

const examples = new URL('../../../examples/', import.meta.url);
const exampleFiles = ['canvases/', 'workspace/canvases/'].flatMap((folder) =>
  readdirSync(new URL(folder, examples)).map((name) => folder + name),
);

interface Drawable {
  readonly name?: string;
  readonly nodes: readonly { readonly id: string; readonly type: string; readonly position?: unknown; readonly data?: object }[];
  readonly edges?: readonly { readonly source: string; readonly sourceHandle?: string; readonly target: string }[];
}

interface Labelled {
  readonly id: string;
  readonly data: { readonly label: string };
}

const example = (file: string) => JSON.parse(readFileSync(new URL(file, examples), 'utf8')) as Drawable;
const draw = (canvas: object, direction?: Direction) => parseSvg(drawCanvas(canvas, standardNodes, direction).svg);

/** Pairs of nodes whose frames overlap. */
function overlaps(nodes: readonly DrawnNode[]): readonly string[] {
  const touch = (a: DrawnNode, b: DrawnNode): boolean =>
    a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
  return nodes.flatMap((a, index) => nodes.slice(index + 1).flatMap((b) => (touch(a, b) ? [`${a.id} and ${b.id}`] : [])));
}

const bothWays = exampleFiles.flatMap((file) => directions.map((direction) => [direction, file] as const));

/** Where an edge leaves a node, or comes in: the side that leads there, and how far along it. */
const sideOf = ({ left, top, width, height }: DrawnNode, direction: Direction, end: 'out' | 'in') =>
  direction === 'right'
    ? { at: end === 'out' ? left + width : left, from: top, to: top + height }
    : { at: end === 'out' ? top + height : top, from: left, to: left + width };

function isOnSide(point: DrawnPoint | undefined, node: DrawnNode | undefined, direction: Direction, end: 'out' | 'in'): boolean {
  if (point === undefined || node === undefined) return false;
  const [across, along] = direction === 'right' ? point : point.toReversed();
  const { at, from, to } = sideOf(node, direction, end);
  return Math.abs(Number(across) - at) < 0.02 && Number(along) > from && Number(along) < to;
}

/** Nodes that a line runs through, and not only along. */
const crossed = (line: readonly DrawnPoint[], nodes: readonly DrawnNode[]): readonly string[] =>
  nodes
    .filter(({ left, top, width, height }) =>
      line.some(([x, y]) => x > left + 1 && x < left + width - 1 && y > top + 1 && y < top + height - 1),
    )
    .map(({ id }) => id);

describe('drawCanvas', () => {
  it.each(bothWays)(
    'direction %s: draws every node of %s with its label and the ports of its edges, none upon another',
    (direction, file) => {
      const canvas = example(file);
      const nodes = nodesIn(draw(canvas, direction));
      expect(nodes.map(({ id }) => id)).toEqual(canvas.nodes.map(({ id }) => id));
      expect(overlaps(nodes)).toEqual([]);
      const titles = new Map(nodes.map(({ id, texts }) => [id, texts[0]?.replace(/…$/, '') ?? '']));
      const labelled = canvas.nodes.filter(({ data = {}, type }) => 'label' in data && type !== 'note') as readonly Labelled[];
      expect(labelled.filter(({ id, data }) => !data.label.startsWith(titles.get(id) ?? '?'))).toEqual([]);
      const ports = nodes.flatMap(({ id, ports }) => ports.map((port) => `${id}.${port}`));
      const named = (canvas.edges ?? []).filter(({ sourceHandle }) => sourceHandle !== undefined);
      expect(ports).toEqual(expect.arrayContaining(named.map(({ source, sourceHandle }) => `${source}.${sourceHandle}`)));
    },
  );

  it('draws a line for every edge', () => {
    const canvas = example('workspace/canvases/order-status.json');
    expect(linesIn(draw(canvas))).toHaveLength(canvas.edges?.length ?? 0);
  });

  it.each(bothWays)('direction %s: leads no line of %s through a node', (direction, file) => {
    const svg = draw(example(file), direction);
    expect(linesIn(svg).flatMap((line) => crossed(line, nodesIn(svg)))).toEqual([]);
  });

  it('draws the same canvas the same way', () => {
    const canvas = example('canvases/support-bot.json');
    expect(drawCanvas(canvas, standardNodes)).toEqual(drawCanvas(structuredClone(canvas), standardNodes));
  });

  it('keeps to the positions of the author where all nodes have one', () => {
    const nodes = nodesIn(draw(example('workspace/canvases/payment-reminder.json')));
    const at = (id: string) => nodes.find((node) => node.id === id)!;
    expect(at('remind').top).toBe(at('wh1').top);
    expect(at('late').left).toBe(at('thanks').left);
    expect(at('late').top).toBeGreaterThan(at('thanks').top + at('thanks').height);
  });

  it('lays out from top to bottom for any positions', () => {
    const canvas = example('workspace/canvases/payment-reminder.json');
    const svg = draw(canvas, 'down');
    const nodes = nodesIn(svg);
    const at = (id: string) => nodes.find((node) => node.id === id)!;
    expect(at('remind').top).toBeGreaterThan(at('wh1').top + at('wh1').height);
    const unplaced = { ...canvas, nodes: canvas.nodes.map((node) => ({ ...node, position: undefined })) };
    expect(draw(unplaced, 'down')).toEqual(svg);
  });

  it('makes a node as wide as the names of its ports need side by side', () => {
    const cases = Array.from({ length: 12 }, (_, index) => ({ name: `choice number ${index}`, value: String(index) }));
    const edges = cases.map(({ name }) => ({ source: 'a', sourceHandle: name, target: 'b' }));
    const nodes = [
      { id: 'a', type: 'many' },
      { id: 'b', type: 'end' },
    ];
    const [many] = nodesIn(draw({ nodes, edges }, 'down'));
    expect(many?.texts.slice(-cases.length)).toEqual(cases.map(({ name }) => name));
    expect(many?.width).toBeGreaterThan(12 * 80);
  });

  it('lays out cards that overlap again', () => {
    const nodes = ['a', 'b', 'c'].map((id) => ({ id, type: 'end', position: { x: 0, y: 0 } }));
    expect(overlaps(nodesIn(draw({ nodes })))).toEqual([]);
  });

  it('draws a node of an unknown type in grey, with its type', () => {
    const [node] = nodesIn(draw({ nodes: [{ id: 'a', type: 'teleport' }] }));
    expect(node?.texts).toEqual(['T', 'teleport', 'a', 'There is no node of this type']);
  });

  it('draws a required port that leads nowhere', () => {
    const [node] = nodesIn(draw({ nodes: [{ id: 'begin', type: 'start', data: {} }] }));
    expect(node?.ports).toEqual(['next']);
  });

  it('draws the ports that edges name for a node with an unreadable config', () => {
    const nodes = [
      { id: 'a', type: 'switch', data: { cases: 7 } },
      { id: 'b', type: 'end' },
    ];
    expect(nodesIn(draw({ nodes, edges: [{ source: 'a', sourceHandle: 'seven', target: 'b' }] }))[0]?.ports).toEqual(['seven']);
  });

  it('ties an edge that names no port to the only one', () => {
    const nodes = [
      { id: 'log', type: 'log', data: { name: 'x' } },
      { id: 'done', type: 'end' },
    ];
    const unnamed = { source: 'log', target: 'done' };
    const failing = { source: 'log', sourceHandle: 'error', target: 'done' };
    const { svg } = drawCanvas({ nodes, edges: [unnamed, failing] }, standardNodes);
    expect(svg).toBe(drawCanvas({ nodes, edges: [{ ...unnamed, sourceHandle: 'next' }, failing] }, standardNodes).svg);
  });

  it('writes notes on sticky notes', () => {
    const [note] = nodesIn(draw({ nodes: [{ id: 'n', type: 'note', data: { text: 'First line\nSecond line' } }] }));
    expect(note).toMatchObject({ texts: ['First line', 'Second line'], ports: [] });
  });

  it('draws any canvas', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ nodes: fc.array(fc.anything()), edges: fc.array(fc.anything()) })), (canvas) => {
        expect(parseSvg(drawCanvas(canvas, standardNodes).svg).name).toBe('svg');
      }),
    );
  });

  it.each([[[]], [{}], [7], [true], [null]])('draws nodes of every type whose fields are all %j', (value) => {
    const fields = ['label', 'templateId', 'text', 'duration', 'workflowId', 'functionId', 'at', 'before', 'name', 'correlation', 'value'];
    const data = Object.fromEntries(fields.map((field) => [field, value]));
    const nodes = standardNodes.map(({ type }) => ({ id: type, type, data }));
    for (const direction of directions) expect(nodesIn(draw({ nodes }, direction))).toHaveLength(standardNodes.length);
  });

  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.constantFrom('<b>&"\'', '日本語', '👩‍👩‍👧', ']]>', '\u0000', ''),
  );
  const node = fc.record({
    type: fc.constantFrom('start', 'message', 'ask', 'switch', 'end', 'note', 'api', 'unknown'),
    data: fc.record({ label: text, cases: fc.uniqueArray(text, { maxLength: 5 }), text, value: text }, { requiredKeys: [] }),
    position: fc.option(fc.record({ x: fc.integer({ min: -2_000, max: 2_000 }), y: fc.integer({ min: -2_000, max: 2_000 }) }), {
      nil: undefined,
    }),
  });
  const canvas = fc.tuple(fc.array(node, { minLength: 1, maxLength: 25 }), text).chain(([nodes, name]) => {
    const id = fc.integer({ min: 0, max: nodes.length - 1 }).map(String);
    const edge = fc.record({ source: id, sourceHandle: fc.oneof(text, fc.constantFrom('error', 'sent')), target: id });
    return fc
      .array(edge, { maxLength: 60 })
      .map((edges) => ({ name, nodes: nodes.map((node, index) => ({ ...node, id: String(index) })), edges }));
  });

  /** Each draws and reads a whole picture. */
  const few = inject('takesAll') ? {} : { numRuns: 30 };

  it('draws any canvas as well-formed XML, no node upon another, everything inside of the frame', () => {
    fc.assert(
      fc.property(canvas, fc.constantFrom(...directions), (canvas, direction) => {
        const { svg, width, height } = drawCanvas(canvas, standardNodes, direction);
        const root = parseSvg(svg);
        const nodes = nodesIn(root);
        expect(nodes).toHaveLength(canvas.nodes.length);
        expect(overlaps(nodes)).toEqual([]);
        const [, dx = '', dy = ''] = /^translate\((\S+) (\S+)\)$/.exec(root.children.at(-1)?.attributes['transform'] ?? '') ?? [];
        for (const { left, top, width: w, height: h } of nodes) {
          expect(left + Number(dx)).toBeGreaterThanOrEqual(0);
          expect(top + Number(dy)).toBeGreaterThanOrEqual(0);
          expect(left + Number(dx) + w).toBeLessThanOrEqual(width);
          expect(top + Number(dy) + h).toBeLessThanOrEqual(height);
        }
      }),
      few,
    );
  });

  it('leads every edge from the side of its source to the side of its target', () => {
    fc.assert(
      fc.property(canvas, fc.constantFrom(...directions), (canvas, direction) => {
        const svg = draw(canvas, direction);
        const nodes = new Map(nodesIn(svg).map((node) => [node.id, node]));
        const lines = linesIn(svg);
        expect(lines).toHaveLength(canvas.edges.length);
        for (const [index, { source, target }] of canvas.edges.entries()) {
          expect(isOnSide(lines[index]?.at(0), nodes.get(source), direction, 'out')).toBe(true);
          expect(isOnSide(lines[index]?.at(-1), nodes.get(target), direction, 'in')).toBe(true);
        }
      }),
      few,
    );
  });

  it.each(directions)('direction %s: leads no line through a node that it has laid out', (direction) => {
    // No notes either: they are not part of the order that edges define.
    const unplaced = canvas.map((canvas) => ({
      ...canvas,
      nodes: canvas.nodes.map(({ id, type, data }) => ({ id, type: type === 'note' ? 'end' : type, data })),
    }));
    fc.assert(
      fc.property(unplaced, (canvas) => {
        const svg = draw(canvas, direction);
        const nodes = nodesIn(svg);
        expect(linesIn(svg).flatMap((line) => crossed(line, nodes))).toEqual([]);
      }),
      few,
    );
  });

  const many = inject('takesAll') ? 20_000 : 4_000;
  it.each(directions)(`direction %s: finds a place for ${many} nodes too`, (direction) => {
    const nodes = Array.from({ length: many }, (_, index) => ({ id: `n${index}`, type: 'end' }));
    const edges = nodes.map(({ id }, index) => ({ source: id, sourceHandle: 'x', target: `n${(index * 7) % nodes.length}` }));
    expect(drawCanvas({ nodes, edges }, standardNodes, direction).nodes).toBe(many);
  });
});
