import type { ProblemCode } from '@hilo/engine/authoring';
import fc from 'fast-check';
import type { CanvasJson, NodeJson } from './build-canvas.ts';
import { listPorts } from './build-canvas.ts';
import { canvas } from './canvases.ts';

/** A canvas with one thing wrong with it. */
export interface BrokenCanvas {
  readonly canvas: object;
  /** The problem that a check must report, perhaps among its consequences. */
  readonly code: ProblemCode;
}

/** A change of a valid canvas; `choice` picks one of several places. */
type Change = (canvas: CanvasJson, choice: number) => object;

/** @throws {RangeError} when there is nothing to choose from */
function pick<Item>(items: readonly Item[], choice: number): Item {
  const item = items[choice % items.length];
  if (item === undefined) throw new RangeError('There is nothing to choose from');
  return item;
}

const withNodes = (canvas: CanvasJson, nodes: readonly NodeJson[]): CanvasJson => ({ ...canvas, nodes: [...canvas.nodes, ...nodes] });

const withEdges = (canvas: CanvasJson, ...edges: CanvasJson['edges']): CanvasJson => ({ ...canvas, edges: [...canvas.edges, ...edges] });

/** Inserts nodes between a start and its target: every conversation passes them. */
function insertNodes(
  canvas: CanvasJson,
  nodes: readonly NodeJson[],
  inner: CanvasJson['edges'],
  first: string,
  last: readonly [node: string, port: string],
): CanvasJson {
  const start = canvas.nodes.find(({ type }) => type === 'start')?.id;
  const following = canvas.edges.find(({ source }) => source === start)?.target ?? '';
  const edges = canvas.edges.map((edge) => (edge.source === start ? { ...edge, target: first } : edge));
  return {
    ...canvas,
    nodes: [...canvas.nodes, ...nodes],
    edges: [...edges, ...inner, { source: last[0], sourceHandle: last[1], target: following }],
  };
}

const createSet = (id: string, value: string): NodeJson => ({
  id,
  type: 'set',
  data: { assignments: [{ path: '$context.answer', value }] },
});

/** Inserts one node that leaves by `next`. */
const insertedOne = (canvas: CanvasJson, node: NodeJson): CanvasJson => insertNodes(canvas, [node], [], node.id, [node.id, 'next']);

const changedNode = (canvas: CanvasJson, choice: number, change: (node: NodeJson) => object): object => {
  const chosen = pick(canvas.nodes, choice);
  return { ...canvas, nodes: canvas.nodes.map((node) => (node === chosen ? change(node) : node)) };
};

const isRequired = ({ nodes }: CanvasJson, { source, sourceHandle }: CanvasJson['edges'][number]): boolean => {
  const node = nodes.find(({ id }) => id === source);
  return node !== undefined && listPorts(node.type, node.data).required.includes(sourceHandle);
};

/** A node with two ports. It takes the first, which a check of the canvas cannot know. */
const fork: NodeJson = {
  id: 'fork',
  type: 'random',
  data: {
    routes: [
      { name: 'A', percent: 100 },
      { name: 'B', percent: 0 },
    ],
  },
};

const hookData = { variableName: 'second', methods: ['POST'] };

/** One way of breaking a canvas for each code that the structure of a canvas can have. */
const changes: { readonly [Code in ProblemCode]?: Change } = {
  UNSUPPORTED_SCHEMA_VERSION: (canvas) => ({ ...canvas, schemaVersion: 2 }),
  INVALID_CANVAS: (canvas, choice) => changedNode(canvas, choice, (node) => ({ ...node, id: 'no id: it has blanks' })),
  UNKNOWN_FIELD: (canvas, choice) =>
    choice % 2 === 0
      ? { ...canvas, colour: 'red' }
      : changedNode(canvas, choice, (node) => ({ ...node, data: { ...node.data, colour: 'red' } })),
  FORBIDDEN_KEY: (canvas) => JSON.parse(`{"__proto__":{"polluted":true},${JSON.stringify(canvas).slice(1)}`) as object,
  UNKNOWN_NODE_TYPE: (canvas, choice) => changedNode(canvas, choice, (node) => ({ ...node, type: 'telepathy' })),
  INVALID_CONFIG: (canvas) => insertedOne(canvas, { id: 'broken', type: 'set', data: { assignments: [] } }),
  INVALID_EXPRESSION: (canvas) => insertedOne(canvas, createSet('broken', '{{1 + }}')),
  DUPLICATE_NODE_ID: (canvas, choice) => withNodes(canvas, [{ ...pick(canvas.nodes, choice), type: 'note', data: {} }]),
  DUPLICATE_EDGE_ID: (canvas) => {
    const whole = insertedOne(canvas, createSet('more', 'x'));
    return { ...whole, edges: whole.edges.map((edge) => ({ ...edge, id: 'the same' })) };
  },
  EDGE_TO_NOTHING: (canvas, choice) => {
    const chosen = pick(canvas.edges, choice);
    return { ...canvas, edges: canvas.edges.map((edge) => (edge === chosen ? { ...edge, target: 'nowhere' } : edge)) };
  },
  UNKNOWN_PORT: (canvas, choice) => withEdges(canvas, { ...pick(canvas.edges, choice), sourceHandle: 'no port of any node' }),
  PORT_NOT_NAMED: (canvas) => {
    const whole = insertNodes(canvas, [fork], [], 'fork', ['fork', 'A']);
    return { ...whole, edges: [...whole.edges, { source: 'fork', target: whole.edges.at(-1)?.target }] };
  },
  SECOND_EDGE: (canvas, choice) => withEdges(canvas, pick(canvas.edges, choice)),
  SECOND_WEBHOOK: (canvas) =>
    withNodes(canvas, [
      { id: 'hook-a', type: 'webhook', data: hookData },
      { id: 'hook-b', type: 'webhook', data: hookData },
    ]),
  SECOND_CATCH: (canvas) =>
    withNodes(canvas, [
      { id: 'catch-a', type: 'catch', data: {} },
      { id: 'catch-b', type: 'catch', data: {} },
    ]),
  NO_ENTRY: (canvas) => {
    const entries = new Set(
      canvas.nodes.filter(({ type }) => type === 'start' || type === 'webhook' || type === 'catch').map(({ id }) => id),
    );
    const isLeft = ({ source, target }: CanvasJson['edges'][number]) => !entries.has(source) && !entries.has(target);
    return { ...canvas, nodes: canvas.nodes.filter(({ id }) => !entries.has(id)), edges: canvas.edges.filter(isLeft) };
  },
  PORT_WITHOUT_EDGE: (canvas, choice) => {
    const gone = pick(
      canvas.edges.filter((edge) => isRequired(canvas, edge)),
      choice,
    );
    return { ...canvas, edges: canvas.edges.filter((edge) => edge !== gone) };
  },
  UNREACHABLE_EXIT: (canvas) => {
    const nodes = [{ id: 'trap', type: 'delay', data: { duration: 'PT6H' } }, fork];
    const edges = [
      { source: 'trap', sourceHandle: 'elapsed', target: 'trap' },
      { source: 'fork', sourceHandle: 'A', target: 'trap' },
    ];
    return insertNodes(canvas, nodes, edges, 'fork', ['fork', 'B']);
  },
  BUSY_LOOP: (canvas) => {
    const nodes = [createSet('round', 'x'), fork];
    const edges = [
      { source: 'round', sourceHandle: 'next', target: 'fork' },
      { source: 'fork', sourceHandle: 'A', target: 'round' },
    ];
    return insertNodes(canvas, nodes, edges, 'round', ['fork', 'B']);
  },
  UNWRITTEN_VARIABLE: (canvas) => insertedOne(canvas, createSet('broken', '{{$context.neverWritten}}')),
  UNSUPPORTED_NODE: (canvas) =>
    insertNodes({ ...canvas, kind: 'tool' }, [{ id: 'talk', type: 'collect', data: {} }], [], 'talk', ['talk', 'collected']),
  WEBHOOK_WITHOUT_METHODS: (canvas) => {
    const end = canvas.nodes.find(({ type }) => type === 'end')?.id ?? '';
    const others = canvas.nodes.filter(({ type }) => type !== 'webhook');
    if (others.length < canvas.nodes.length)
      return {
        ...canvas,
        nodes: canvas.nodes.map((node) => (node.type === 'webhook' ? { ...node, data: { ...node.data, methods: [] } } : node)),
      };
    return withEdges(withNodes(canvas, [{ id: 'hook', type: 'webhook', data: { variableName: 'hook' } }]), {
      source: 'hook',
      sourceHandle: 'new',
      target: end,
    });
  },
  UNREACHABLE_NODE: (canvas) => withNodes(canvas, [{ id: 'island', type: 'end', data: {} }]),
  WAIT_LONGER_THAN_SESSION: (canvas) => {
    const wait = { id: 'long', type: 'delay', data: { duration: 'P30D' } };
    return insertNodes({ ...canvas, settings: { sessionExpiry: 'PT1H' } }, [wait], [], 'long', ['long', 'elapsed']);
  },
};

const codes = Object.keys(changes) as readonly ProblemCode[];

/** Canvases with one defect. @param wanted - the possible defects; all when left out */
export const brokenCanvas = (wanted: readonly ProblemCode[] = codes): fc.Arbitrary<BrokenCanvas> =>
  fc
    .tuple(fc.constantFrom(...wanted), canvas(), fc.nat({ max: 1_000 }))
    .map(([code, valid, choice]) => ({ code, canvas: changes[code]?.(valid, choice) ?? valid }));

/** The codes that {@link brokenCanvas} can break a canvas by. */
export const brokenCanvasCodes = codes;
