import { readdirSync, readFileSync } from 'node:fs';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allIn, type DrawnNode, nodesIn, parseSvg } from '../../test/svg-tree.ts';
import { drawCanvas } from './draw-canvas.ts';

const examples = new URL('../../../../examples/', import.meta.url);
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
const draw = (canvas: object) => parseSvg(drawCanvas(canvas, standardNodes).svg);

/** Pairs of nodes whose frames share a point. */
function overlaps(nodes: readonly DrawnNode[]): readonly string[] {
  const touch = (a: DrawnNode, b: DrawnNode): boolean =>
    a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
  return nodes.flatMap((a, index) => nodes.slice(index + 1).flatMap((b) => (touch(a, b) ? [`${a.id} and ${b.id}`] : [])));
}

describe('drawCanvas', () => {
  it.each(exampleFiles)('draws every node of %s with its label and the ports of its edges, none upon another', (file) => {
    const canvas = example(file);
    const nodes = nodesIn(draw(canvas));
    expect(nodes.map(({ id }) => id)).toEqual(canvas.nodes.map(({ id }) => id));
    expect(overlaps(nodes)).toEqual([]);
    const titles = new Map(nodes.map(({ id, texts }) => [id, texts[0]?.replace(/…$/, '') ?? '']));
    const labelled = canvas.nodes.filter(({ data = {}, type }) => 'label' in data && type !== 'note') as readonly Labelled[];
    expect(labelled.filter(({ id, data }) => !data.label.startsWith(titles.get(id) ?? '?'))).toEqual([]);
    const ports = nodes.flatMap(({ id, ports }) => ports.map((port) => `${id}.${port}`));
    const named = (canvas.edges ?? []).filter(({ sourceHandle }) => sourceHandle !== undefined);
    expect(ports).toEqual(expect.arrayContaining(named.map(({ source, sourceHandle }) => `${source}.${sourceHandle}`)));
  });

  it('draws a line for every edge', () => {
    const canvas = example('workspace/canvases/order-status.json');
    const lines = allIn(draw(canvas)).filter(({ name, attributes }) => name === 'path' && attributes['stroke-width'] === '1.7');
    expect(lines).toHaveLength(canvas.edges?.length ?? 0);
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

  it('lays out anew what its author has put upon each other', () => {
    const nodes = ['a', 'b', 'c'].map((id) => ({ id, type: 'end', position: { x: 0, y: 0 } }));
    expect(overlaps(nodesIn(draw({ nodes })))).toEqual([]);
  });

  it('draws a node of no known type in grey, with its type', () => {
    const [node] = nodesIn(draw({ nodes: [{ id: 'a', type: 'teleport' }] }));
    expect(node?.texts).toEqual(['T', 'teleport', 'a', 'There is no node of this type']);
  });

  it('draws a required port that leads nowhere', () => {
    const [node] = nodesIn(draw({ nodes: [{ id: 'begin', type: 'start', data: {} }] }));
    expect(node?.ports).toEqual(['next']);
  });

  it('draws the ports that edges name of a node whose config cannot be read', () => {
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

  it('draws whatever it is given', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ nodes: fc.array(fc.anything()), edges: fc.array(fc.anything()) })), (canvas) => {
        expect(parseSvg(drawCanvas(canvas, standardNodes).svg).name).toBe('svg');
      }),
    );
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

  it('draws any canvas as well-formed XML, no node upon another, everything inside of the frame', () => {
    fc.assert(
      fc.property(canvas, (canvas) => {
        const { svg, width, height } = drawCanvas(canvas, standardNodes);
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
    );
  });

  it('finds a place for 20,000 nodes too', () => {
    const nodes = Array.from({ length: 20_000 }, (_, index) => ({ id: `n${index}`, type: 'end' }));
    const edges = nodes.map(({ id }, index) => ({ source: id, sourceHandle: 'x', target: `n${(index * 7) % nodes.length}` }));
    expect(drawCanvas({ nodes, edges }, standardNodes).nodes).toBe(20_000);
  });
});
