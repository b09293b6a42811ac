// Random changes of a canvas, as an author makes them between two versions.
import type { Json, JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import type { CanvasJson } from '../../packages/testing/src/arbitraries/build-canvas.ts';
import { nodeConfigs } from '../../packages/testing/src/arbitraries/node-configs.ts';

/** Kinds of changes. The first five change nothing that a waiting execution does. */
const kinds = [
  ...(['remark', 'layout', 'order', 'default', 'unreachable'] as const),
  ...([
    'data',
    'type',
    'remove',
    'insert',
    'read',
    'lead',
    'disconnect',
    'connect',
    'expiry',
    'outputs',
    'catch',
    'webhook',
    'kind',
  ] as const),
];
type Kind = (typeof kinds)[number];

/** One change. The numbers pick what it is made to, whatever canvas it comes to. */
export interface Change {
  readonly kind: Kind;
  readonly at: number;
  readonly to: number;
}

/** One to three changes of these kinds; of all, when left out. */
export const changes = (among: readonly Kind[] = kinds): fc.Arbitrary<readonly Change[]> =>
  fc.array(fc.record({ kind: fc.constantFrom(...among), at: fc.nat({ max: 999 }), to: fc.nat({ max: 999 }) }), {
    minLength: 1,
    maxLength: 3,
  });

interface Draft {
  id: string;
  kind?: string;
  settings: { [name: string]: Json };
  variables: { [name: string]: Json };
  nodes: { id: string; type: string; data: { [name: string]: Json }; position?: { x: number; y: number } }[];
  edges: { source: string; sourceHandle?: string | null; target: string }[];
}

const configs = new Map<string, readonly JsonObject[]>(
  Object.entries(nodeConfigs).map(([type, arbitrary]) => [
    type,
    fc.sample(arbitrary as fc.Arbitrary<JsonObject>, { numRuns: 20, seed: 31 }),
  ]),
);

const pick = <Item>(among: readonly Item[], number: number): Item | undefined => among[number % Math.max(1, among.length)];

/** The canvas with these changes; it need not be valid any more. */
export function change(canvas: CanvasJson, list: readonly Change[]): object {
  const draft = structuredClone(canvas) as unknown as Draft;
  for (const one of list) applyChange(draft, one);
  return draft;
}

function applyChange(draft: Draft, { kind, at, to }: Change): void {
  const [node, edge] = [pick(draft.nodes, at), pick(draft.edges, at)];
  const other = pick(draft.nodes, to)?.id ?? '';
  if (node === undefined) return;
  switch (kind) {
    case 'remark':
      Object.assign(node.data, { label: `Label ${to}`, notes: `Note ${to}` });
      return;
    case 'layout':
      node.position = { x: to, y: at };
      return;
    case 'order':
      draft.nodes.push(...draft.nodes.splice(0, at % draft.nodes.length));
      draft.edges.reverse();
      return;
    case 'default':
      Object.assign(draft.variables, { answer: { default: `d${to}` }, [`fresh${to}`]: { default: to } });
      return;
    case 'unreachable':
      draft.nodes.push({ id: `island-${draft.nodes.length}`, type: 'end', data: {} });
      return;
    case 'data':
      node.data = { ...(pick(configs.get(node.type) ?? [], to) ?? node.data) };
      return;
    case 'type':
      node.type = pick(['log', 'message', 'set', 'end', 'delay'], to) ?? 'end';
      node.data = { ...pick(configs.get(node.type) ?? [], at) };
      return;
    case 'remove':
      removeNode(draft, node.id);
      return;
    case 'insert':
      return insertNode(draft, edge, { type: 'log', data: { name: 'inserted' } }, 'next');
    case 'read':
      return insertNode(draft, edge, { type: 'message', data: { message: { type: 'text', text: '{{$context.brand}}' } } }, 'sent');
    case 'lead':
      if (edge !== undefined) edge.target = other;
      return;
    case 'disconnect':
      draft.edges.splice(at % Math.max(1, draft.edges.length), 1);
      return;
    case 'connect': {
      const port = pick(['error', 'timeout', 'windowClosed', 'invalid', 'resume', 'interrupted'], to) ?? 'error';
      if (!draft.edges.some((one) => one.source === node.id && one.sourceHandle === port))
        draft.edges.push({ source: node.id, sourceHandle: port, target: other });
      return;
    }
    case 'expiry':
      draft.settings['sessionExpiry'] = pick(['P1D', 'PT3H', 'P9D'], to) ?? 'P1D';
      return;
    case 'outputs':
      draft.settings['outputs'] = { answer: { type: pick(['string', 'any'], to) ?? 'any', default: 'x' } };
      return;
    case 'catch':
      changeCatch(draft, other);
      return;
    case 'webhook': {
      const hook = draft.nodes.find(({ type }) => type === 'webhook');
      if (hook !== undefined) hook.data['oneTimeOnly'] = hook.data['oneTimeOnly'] !== true;
      return;
    }
    case 'kind':
      draft.kind = draft.kind === 'tool' ? 'skill' : 'tool';
  }
}

/** Puts a node on the way of an edge. */
function insertNode(draft: Draft, edge: Draft['edges'][number] | undefined, node: Omit<Draft['nodes'][number], 'id'>, port: string): void {
  if (edge === undefined) return;
  const id = `inserted-${draft.nodes.length}`;
  draft.nodes.push({ id, ...node });
  draft.edges.push({ source: id, sourceHandle: port, target: edge.target });
  edge.target = id;
}

function removeNode(draft: Draft, id: string): void {
  draft.nodes = draft.nodes.filter((one) => one.id !== id);
  draft.edges = draft.edges.filter(({ source, target }) => source !== id && target !== id);
}

function changeCatch(draft: Draft, target: string): void {
  const found = draft.nodes.find(({ type }) => type === 'catch');
  if (found !== undefined) return removeNode(draft, found.id);
  draft.nodes.push({ id: 'another-catch', type: 'catch', data: {} });
  draft.edges.push({ source: 'another-catch', sourceHandle: 'caught', target });
}

/** How a renamed node is called: no canvas has such an id, and no text such a word. */
const newName = (id: string): string => `renamed-${id}-renamed`;

/** The canvas with other ids for some of its nodes, and the map of them. */
export function rename(
  canvas: object,
  isRenamed: (id: string) => boolean,
): { readonly canvas: object; readonly nodes: { readonly [before: string]: string } } {
  const draft = structuredClone(canvas) as unknown as Draft;
  const nodes: { [before: string]: string } = {};
  for (const node of draft.nodes)
    if (node.type !== 'webhook' && isRenamed(node.id)) {
      nodes[node.id] = newName(node.id);
      node.id = newName(node.id);
    }
  for (const edge of draft.edges)
    Object.assign(edge, { source: nodes[edge.source] ?? edge.source, target: nodes[edge.target] ?? edge.target });
  return { canvas: draft, nodes };
}

/** A value with the names of before in place of the new ones, in its texts and its keys. */
export const withOldNames = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null).replaceAll(/renamed-((?:(?!-renamed).)+)-renamed/g, '$1')) as unknown;
