import { checkCanvasText } from '@hilo/engine';
import { type JsonObject, type Problem, pointer } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canvas } from '../../packages/testing/src/arbitraries/canvases.ts';

const check = (input: unknown): readonly Problem[] => checkCanvasText(input, { nodes: standardNodes });
const told = (problems: readonly Problem[]): readonly string[] => problems.map(({ code, pointer }) => `${code} ${pointer}`);

type Place = readonly (string | number)[];

/** A separate subgraph with a defect, and the problems expected for it: places count from its first node and edge. */
interface Piece {
  readonly nodes: readonly unknown[];
  readonly edges: readonly unknown[];
  readonly defects: readonly (readonly [code: string, ...place: Place])[];
}

const start = (own: string) => ({ id: `${own}-start`, type: 'start', data: { keywords: [own] } });
const log = (id: string, name: string, more: JsonObject = {}) => ({ id, type: 'log', data: { name, ...more } });
const end = (own: string) => ({ id: `${own}-end`, type: 'end', data: {} });

/** Start, one node, end. */
const line = (own: string, node: JsonObject, defects: Piece['defects'], ports: readonly [string, string] = ['next', 'next']): Piece => ({
  nodes: [start(own), node, end(own)],
  edges: [
    { source: `${own}-start`, sourceHandle: ports[0], target: `${own}-node` },
    { source: `${own}-node`, sourceHandle: ports[1], target: `${own}-end` },
  ],
  defects,
});
const logged = (own: string, data: JsonObject, ...defects: Piece['defects']): Piece =>
  line(own, { id: `${own}-node`, type: 'log', data: { name: 'here', ...data } }, defects);
/** Changes one thing of a sound piece. */
const changed = (own: string, change: (piece: { nodes: JsonObject[]; edges: JsonObject[] }) => void, ...defects: Piece['defects']) => {
  const piece = structuredClone(logged(own, {})) as unknown as { nodes: JsonObject[]; edges: JsonObject[] };
  change(piece);
  return { ...piece, defects };
};

const pieces: readonly ((own: string) => Piece)[] = [
  (own) => changed(own, ({ nodes }) => nodes.splice(1, 1, { type: 'log', data: { name: 'x' } }), ['INVALID_CANVAS', 'nodes', 1, 'id']),
  (own) => changed(own, ({ nodes }) => nodes.splice(1, 1, { ...nodes[1], id: 7 }), ['INVALID_CANVAS', 'nodes', 1, 'id']),
  (own) =>
    changed(
      own,
      ({ nodes }) => nodes.splice(1, 1, { id: 'has blanks', type: 'log', data: { name: '{{$user.nmaes}}', colour: 1 } }),
      ['INVALID_CANVAS', 'nodes', 1, 'id'],
      ['UNKNOWN_VARIABLE_FIELD', 'nodes', 1, 'data', 'name'],
      ['UNKNOWN_FIELD', 'nodes', 1, 'data', 'colour'],
    ),
  (own) => changed(own, ({ nodes }) => nodes.push(7 as unknown as JsonObject), ['INVALID_CANVAS', 'nodes', 3]),
  (own) => changed(own, ({ edges }) => edges.push(7 as unknown as JsonObject), ['INVALID_CANVAS', 'edges', 2]),
  (own) => changed(own, ({ edges }) => edges.push({ target: `${own}-end` }), ['INVALID_CANVAS', 'edges', 2, 'source']),
  (own) => changed(own, ({ edges }) => edges.splice(1, 1, { ...edges[1], target: [] }), ['INVALID_CANVAS', 'edges', 1, 'target']),
  (own) => changed(own, ({ edges }) => edges.splice(1, 1, { ...edges[1], source: 7 }), ['INVALID_CANVAS', 'edges', 1, 'source']),
  (own) =>
    changed(own, ({ edges }) => edges.splice(1, 1, { ...edges[1], sourceHandle: '' }), ['INVALID_CANVAS', 'edges', 1, 'sourceHandle']),
  (own) =>
    changed(own, ({ edges }) => edges.splice(1, 1, { ...edges[1], sourceHandle: 'nxt' }), ['UNKNOWN_PORT', 'edges', 1, 'sourceHandle']),
  (own) => changed(own, ({ edges }) => edges.push({ ...edges[1], target: 'ghost' }), ['EDGE_TO_NOTHING', 'edges', 2, 'target']),
  (own) => changed(own, ({ edges }) => edges.push({ ...edges[1] }), ['SECOND_EDGE', 'edges', 2]),
  (own) => changed(own, ({ edges }) => edges.pop(), ['PORT_WITHOUT_EDGE', 'nodes', 1], ['UNREACHABLE_NODE', 'nodes', 2]),
  (own) => changed(own, ({ edges }) => edges.splice(1, 1, { ...edges[1], target: `${own}-node` }), ['BUSY_LOOP', 'nodes', 1]),
  (own) =>
    changed(
      own,
      ({ nodes }) => nodes.push({ ...log(`${own}-node`, '{{$bot.nmae}}') }),
      ['DUPLICATE_NODE_ID', 'nodes', 3, 'id'],
      ['UNKNOWN_VARIABLE_FIELD', 'nodes', 3, 'data', 'name'],
    ),
  (own) => line(own, { id: `${own}-node`, type: 'lgo' }, [['UNKNOWN_NODE_TYPE', 'nodes', 1, 'type']]),
  (own) => line(own, { id: `${own}-node`, type: 7 }, [['INVALID_CANVAS', 'nodes', 1, 'type']]),
  (own) => line(own, { id: `${own}-node`, type: 'log', data: 7 }, [['INVALID_CANVAS', 'nodes', 1, 'data']]),
  (own) => logged(own, { name: '{{$context.nobodyWrites}}' }, ['UNWRITTEN_VARIABLE', 'nodes', 1, 'data', 'name']),
  (own) =>
    logged(
      own,
      { name: '{{1 +}}', notes: 7 },
      ['INVALID_EXPRESSION', 'nodes', 1, 'data', 'name'],
      ['INVALID_CONFIG', 'nodes', 1, 'data', 'notes'],
    ),
  // Nor does a wrong expression hide another one, of the same text or of another text of the same value.
  (own) =>
    logged(
      own,
      { name: '{{1 +}} {{nope()}} {{$context.open', data: { one: ['{{1 +}}', '{{$nope.x}}'], other: '{{"sound"}}' } },
      ['INVALID_EXPRESSION', 'nodes', 1, 'data', 'name'],
      ['INVALID_EXPRESSION', 'nodes', 1, 'data', 'name'],
      ['INVALID_EXPRESSION', 'nodes', 1, 'data', 'name'],
      ['INVALID_EXPRESSION', 'nodes', 1, 'data', 'data', 'one', 0],
      ['INVALID_EXPRESSION', 'nodes', 1, 'data', 'data', 'one', 1],
    ),
  // A defect in one place does not hide one in another: of the node itself, and after it.
  (own) => ({
    nodes: [
      start(own),
      { id: `${own}-node`, type: 'delay', data: { duration: 'soon', label: '' } },
      log(`${own}-log`, '{{$context.nobodyWrites}}', { data: '{{$context.nobodyWritesThat}}', more: 1 }),
      {
        id: `${own}-long`,
        type: 'ask',
        data: { message: { type: 'text', text: '{{$context.nobody}}' }, timeout: 'soon', input: { kind: 'text' } },
      },
      end(own),
    ],
    edges: [
      { source: `${own}-start`, target: `${own}-node` },
      { source: `${own}-node`, sourceHandle: 'elapsed', target: `${own}-log` },
      { source: `${own}-log`, target: `${own}-long` },
    ],
    defects: [
      ['INVALID_CONFIG', 'nodes', 1, 'data', 'duration'],
      ['UNWRITTEN_VARIABLE', 'nodes', 2, 'data', 'name'],
      ['UNWRITTEN_VARIABLE', 'nodes', 2, 'data', 'data'],
      ['UNKNOWN_FIELD', 'nodes', 2, 'data', 'more'],
      ['UNWRITTEN_VARIABLE', 'nodes', 3, 'data', 'message', 'text'],
      ['INVALID_CONFIG', 'nodes', 3, 'data', 'timeout'],
      ['PORT_WITHOUT_EDGE', 'nodes', 3],
      ['UNREACHABLE_NODE', 'nodes', 4],
    ],
  }),
];

/** What may be wrong at the root, a field each. */
const roots: readonly (readonly [change: JsonObject, defect: string])[] = [
  [{ id: 'has blanks' }, 'INVALID_CANVAS /id'],
  [{ name: 7 }, 'INVALID_CANVAS /name'],
  [{ kind: 'skil' }, 'INVALID_CANVAS /kind'],
  [{ settings: 7 }, 'INVALID_CANVAS /settings'],
  [{ settings: { inputs: { a: 7 } } }, 'INVALID_CANVAS /settings/inputs/a'],
  [{ settings: { sessionExpiry: 'soon' } }, 'INVALID_CANVAS /settings/sessionExpiry'],
  [{ variables: [] }, 'INVALID_CANVAS /variables'],
  [{ variables: { 'has blanks': {} } }, 'INVALID_CANVAS /variables/has blanks'],
  [{ viewport: 7 }, 'INVALID_CANVAS /viewport'],
  [{ colour: 7 }, 'UNKNOWN_FIELD /colour'],
];

/** What may follow from another defect is told once that is mended: an edge that cannot be read may be what leads on, a node without an id what an edge leads to. */
const consequences: readonly { readonly ofUnread: (defect: Piece['defects'][number]) => boolean; readonly codes: readonly unknown[] }[] = [
  {
    ofUnread: ([code, list, , end]) => code === 'INVALID_CANVAS' && list === 'edges' && end !== 'sourceHandle',
    codes: ['PORT_WITHOUT_EDGE', 'UNREACHABLE_NODE', 'BUSY_LOOP', 'UNWRITTEN_VARIABLE'],
  },
  {
    ofUnread: ([code, list, , field]) => code === 'INVALID_CANVAS' && list === 'nodes' && (field === 'id' || field === undefined),
    codes: ['EDGE_TO_NOTHING'],
  },
];

const anyPieces = fc.array(fc.nat({ max: pieces.length - 1 }), { minLength: 1, maxLength: 8 });
const anyRoots = fc.uniqueArray(fc.constantFrom(...roots), { selector: ([change]) => Object.keys(change)[0], maxLength: 5 });

describe('a canvas with several things wrong', { timeout: 120_000 }, () => {
  it('shows all of them at once, whichever they are', () =>
    fc.assert(
      fc.property(canvas(), anyPieces, anyRoots, fc.boolean(), (sound, chosen, wrongRoots, repeated) => {
        const nodes: unknown[] = [...sound.nodes];
        const edges: unknown[] = [...sound.edges];
        const expected = wrongRoots.map(([, defect]) => defect);
        const drawn = chosen.map((choice, place) => pieces[choice]?.(`piece${place}`) ?? { nodes: [], edges: [], defects: [] });
        const untold = new Set(
          consequences.filter(({ ofUnread }) => drawn.some(({ defects }) => defects.some(ofUnread))).flatMap(({ codes }) => codes),
        );
        for (const piece of drawn) {
          const first: { readonly [list: string]: number } = { nodes: nodes.length, edges: edges.length };
          for (const [code, list = '', index, ...rest] of piece.defects.filter(([name]) => !untold.has(name)))
            expected.push(`${code} ${pointer([list, (first[String(list)] ?? 0) + Number(index), ...rest])}`);
          nodes.push(...piece.nodes);
          edges.push(...piece.edges);
        }
        const broken = JSON.stringify(Object.assign({ ...sound, nodes, edges }, ...wrongRoots.map(([change]) => change)));
        const text = repeated ? `{"nodes":[],${broken.slice(1)}` : broken;
        expect(told(check(text))).toEqual(expect.arrayContaining(repeated ? ['REPEATED_KEY /nodes', ...expected] : expected));
      }),
    ));

  it.each(pieces.map((piece) => [piece] as const))('reports nothing about sound nodes beside it (%#)', (piece) => {
    const { nodes, edges, defects } = piece('own');
    const sound = logged('sound', {});
    const root = { schemaVersion: 1, id: 'a', name: 'A', nodes: [...nodes, ...sound.nodes], edges: [...edges, ...sound.edges] };
    const others = check(root).filter(
      ({ pointer }) => Number(/^\/(?:nodes|edges)\/(\d+)/.exec(pointer)?.[1]) >= nodes.length && pointer.startsWith('/nodes'),
    );
    expect(others).toEqual([]);
    expect(told(check(root))).toEqual(expect.arrayContaining(defects.map(([code, ...place]) => `${code} ${pointer(place)}`)));
  });

  it('reports problems of nodes and settings when the edges cannot be read, and nothing that only follows from that', () => {
    const nodes = [start('a'), log('b', '{{$context.nobodyWrites}} {{$user.nmaes}}'), log('c', 'c', { more: 1 }), end('a')];
    expect(told(check({ schemaVersion: 1, id: 'a', name: '', nodes, edges: { a: 'b' } })).toSorted()).toEqual([
      'INVALID_CANVAS /edges',
      'INVALID_CANVAS /name',
      'UNKNOWN_FIELD /nodes/2/data/more',
      'UNKNOWN_VARIABLE_FIELD /nodes/1/data/name',
      'UNWRITTEN_VARIABLE /nodes/1/data/name',
    ]);
  });

  it('reports problems of edges and variables when nodes cannot be read', () => {
    const edges = [
      { id: 'same', source: 'a', target: 'b' },
      { id: 'same', source: 'b', target: 7 },
    ];
    const broken = { schemaVersion: 1, id: 'a', name: 'A', nodes: {}, edges, variables: { x: { type: 'number', default: '1' } } };
    expect(told(check(broken)).toSorted()).toEqual([
      'DUPLICATE_EDGE_ID /edges/1/id',
      'INVALID_CANVAS /edges/1/target',
      'INVALID_CANVAS /nodes',
      'INVALID_CANVAS /variables/x/default',
    ]);
  });
});
