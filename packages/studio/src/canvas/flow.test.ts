import { divideData, type NodeDefinition } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { arbitraries } from '@hilo/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DescribedNode } from '@hilo/engine/authoring';
import type { CatalogueEntry } from './canvas-json.ts';
import { addNode, type Command, moveNodes, remove, setData } from './commands.ts';
import { textParts } from '../parts/parts.tsx';
import { flowOf } from './flow.ts';
import { isOwnPort } from './own-ports.ts';
import catalogueJson from '@hilo/nodes/catalogue.json' with { type: 'json' };

const catalogue = new Map((catalogueJson as unknown as CatalogueEntry[]).map((entry) => [entry.type, entry]));
const types = new Map(standardNodes.map((node: NodeDefinition) => [node.type, node]));

describe('a port that its author named', () => {
  it('is told apart from those of its node, for each type of which the ports depend on the data', () => {
    fc.assert(
      fc.property(arbitraries.canvas(), ({ nodes }) => {
        for (const { type, data } of nodes) {
          const definition = types.get(type);
          const config = definition?.config.safeParse(divideData(data).config);
          if (definition === undefined || config?.success !== true) continue;
          const isFixed = catalogue.get(type)?.ports !== undefined || ['wait-until', 'database'].includes(type);
          const ofNode = isFixed ? /./ : /^(?:else|other|otherwise|limit|answered)$/;
          const named = definition.ports(config.data).filter((port) => !ofNode.test(port));
          const others = [...definition.optionalPorts(config.data), ...definition.ports(config.data).filter((port) => ofNode.test(port))];
          expect([type, named.filter((port) => !isOwnPort(type, port)), others.filter((port) => isOwnPort(type, port))]).toEqual([
            type,
            [],
            [],
          ]);
        }
      }),
    );
    for (const port of ['done', 'approved', 'open', 'new', 'constructor', 'sent']) expect(isOwnPort('agent', port)).toBe(true);
    expect([isOwnPort('payment', 'approved'), isOwnPort(undefined, 'done'), isOwnPort('constructor', 'done')]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('the drawing of a canvas', () => {
  it('has a card for each node, the ports that the engine knows, and each edge as a wire or a stub', () => {
    fc.assert(
      fc.property(arbitraries.canvas(), (canvas) => {
        const described = new Map(
          canvas.nodes.map(({ id, type, data }): [string, DescribedNode] => {
            const definition = types.get(type)!;
            const config = definition.config.parse(divideData(data).config);
            const ports = [
              ...definition.ports(config).map((name) => ({ name, isRequired: true, isConnected: true })),
              ...definition.optionalPorts(config).map((name) => ({ name, isRequired: false, isConnected: false })),
            ];
            return [id, { nodeId: id, summary: '', ports, always: [], sometimes: [] }];
          }),
        );
        const { cards, wires } = flowOf(canvas, { catalogue, described });
        expect(cards.map(({ id }) => id)).toEqual(canvas.nodes.map(({ id }) => id));
        for (const { id, ports } of cards) {
          expect(ports.filter(({ isUnknown }) => !isUnknown).map(({ name }) => name)).toEqual(
            described.get(id)!.ports.map(({ name }) => name),
          );
          expect(ports.some(({ isUnknown }) => isUnknown)).toBe(false);
        }
        const stubs = cards.flatMap(({ id, ports }) =>
          ports.flatMap(({ name, isStub, target }) => (isStub ? [{ source: id, port: name, target }] : [])),
        );
        const drawn = [...wires.map(({ source, port, target }) => ({ source, port, target })), ...stubs];
        const inOrder = (all: readonly object[]) => all.map((one) => JSON.stringify(one)).sort();
        expect(inOrder(drawn)).toEqual(
          inOrder(canvas.edges.map(({ source, sourceHandle, target }) => ({ source, port: sourceHandle, target }))),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('derived from the drawing before is the same as derived anew, and what an edit does not touch keeps its identity', () => {
    fc.assert(
      fc.property(arbitraries.canvas(), fc.nat(), fc.nat(4), fc.boolean(), (canvas, at, what, isWrong) => {
        const node = canvas.nodes[at % canvas.nodes.length]!;
        const others = { catalogue, described: new Map<string, DescribedNode>() };
        const problem = { code: 'UNREACHABLE_NODE', severity: 'error', nodeId: node.id, pointer: '', message: '', hint: '' } as const;
        const edits: readonly Command[] = [
          moveNodes(new Map([[node.id, { x: 4_711, y: at }]])),
          setData(node.id, { label: 'Another' }),
          remove(new Set([node.id])),
          addNode({ id: 'one-more', type: 'end' }, { nodeId: node.id, port: 'next' }),
          (whole) => ({ ...whole, nodes: whole.nodes.map((one) => (one === node ? { ...one, type: 'end' } : one)) }),
        ];
        const edited = edits[what]!(canvas);
        const context = { ...others, problems: isWrong ? [problem] : [] };
        const before = flowOf(canvas, others);
        const after = flowOf(edited, context, before);
        expect(after).toEqual(flowOf(edited, context));
        expect(flowOf(edited, context, after)).toBe(after);
        const isTouched = (id: string): boolean =>
          id === node.id || canvas.edges.some(({ source, target }) => source === id && target === node.id);
        const untouched = before.cards.filter(({ id, node: { position } }) => !isTouched(id) && position !== undefined);
        expect(untouched.filter((card) => !after.cards.includes(card))).toEqual([]);
        const movesOrWrites = what < 2;
        expect(after.wires === before.wires || !movesOrWrites).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('an unknown type has a card, and its edges are drawn from the ports that they name', () => {
    const canvas = {
      id: 'a',
      name: 'A',
      nodes: [
        { id: 'x', type: 'from-the-future', data: { what: 1 }, extra: true },
        { id: 'end', type: 'end' },
      ],
      edges: [
        { source: 'x', sourceHandle: 'sideways', target: 'end' },
        { source: 'end', sourceHandle: 'gone', target: 'x' },
      ],
    };
    const { cards, wires } = flowOf(canvas, { catalogue, described: new Map() });
    expect(cards[0]).toMatchObject({
      title: 'from-the-future',
      category: 'unknown',
      ports: [{ name: 'sideways', isUnknown: true, isStub: false }],
    });
    expect(wires.map(({ port }) => port)).toEqual(['sideways', 'gone']);
  });

  it('the parts of a text are the text', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('{{', '}}', '{{$context.order}}', '<script>', '\u202e'))), (pieces) => {
        const text = pieces.join('');
        expect(
          textParts(text)
            .map((part) => (part.kind === 'token' ? part.whole : part.text))
            .join(''),
        ).toBe(text);
      }),
    );
    expect(textParts('Order {{ $context.order }}!')).toEqual([
      { kind: 'text', text: 'Order ' },
      { kind: 'token', text: 'order', whole: '{{ $context.order }}' },
      { kind: 'text', text: '!' },
    ]);
  });
});
