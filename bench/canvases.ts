// The canvases that are measured: the same steps once, and many times in one canvas.
import { Canvas } from '../packages/engine/src/contract/index.ts';
import { compileCanvas, type CompiledCanvas, nodeTypes } from '../packages/engine/src/debug.ts';
import { systemDigest } from '../packages/engine/src/node.ts';
import { canvasHash } from '../packages/engine/src/store-kit.ts';
import { standardNodes } from '../packages/nodes/src/index.ts';

type Node = { readonly id: string; readonly type: string; readonly data: object };
type Edge = { readonly source: string; readonly sourceHandle?: string; readonly target: string };

const set = (id: string, name: string, value: string): Node => ({
  id,
  type: 'set',
  data: { assignments: [{ path: `$context.${name}`, value }] },
});
const condition = (id: string, name: string, rule: object): Node => ({ id, type: 'condition', data: { branches: [{ name, rule }] } });

const hook: Node = { id: 'hook', type: 'webhook', data: { variableName: 'order', methods: ['POST'], userIdPath: 'customer.id' } };
const done: Node = { id: 'done', type: 'end', data: {} };

/** The nine nodes after the webhook, with a suffix to their ids, so that a canvas can contain them many times. */
function steps(suffix: string): readonly Node[] {
  return [
    set(`greeting${suffix}`, 'greeting', 'Hello {{$webhook.order.body.customer.name}}'),
    set(`reference${suffix}`, 'reference', 'order {{$webhook.order.body.id}}'),
    condition(`isLarge${suffix}`, 'large', { op: 'gt', left: '$webhook.order.body.total', right: 100 }),
    set(`shipping${suffix}`, 'shipping', '{{$context.reference}} ships free'),
    set(`line${suffix}`, 'line', '{{$context.greeting}}, {{$context.shipping}}'),
    condition(`isGold${suffix}`, 'gold', { op: 'eq', left: '$webhook.order.body.customer.tier', right: 'gold' }),
    set(`thanks${suffix}`, 'thanks', '{{$context.line}}. Thank you, {{$webhook.order.body.customer.name}}'),
    set(`text${suffix}`, 'text', '{{$context.thanks}} ({{$context.reference}})'),
    { id: `send${suffix}`, type: 'message', data: { message: { type: 'text', text: '{{$context.text}}' } } },
  ];
}

/** The port by which the work leaves a node, and the one it does not take. */
const ports: { readonly [type: string]: (node: Node) => readonly [taken: string, other?: string] } = {
  webhook: () => ['new'],
  set: () => ['next'],
  message: () => ['sent'],
  condition: ({ data }) => [(data as { readonly branches: readonly { readonly name: string }[] }).branches[0]?.name ?? '', 'else'],
};

/** A chain of nodes to an end; what the work does not take leads to the end as well. */
function chained(nodes: readonly Node[]): readonly Edge[] {
  return nodes.flatMap((node, index): readonly Edge[] => {
    const [taken, other] = ports[node.type]?.(node) ?? [''];
    const edge = { source: node.id, sourceHandle: taken, target: nodes[index + 1]?.id ?? done.id };
    return other === undefined ? [edge] : [edge, { source: node.id, sourceHandle: other, target: done.id }];
  });
}

const canvasOf = (id: string, nodes: readonly Node[], edges: readonly Edge[]): object => ({ schemaVersion: 1, id, name: id, nodes, edges });

/** The ten nodes, and the `end` that the format requires. */
export function tenNodes(): object {
  const chain = [hook, ...steps('')];
  return canvasOf('ten-nodes', [...chain, done], chained(chain));
}

/** The nine steps over and over in one chain: a canvas of `size` nodes. */
export function longCanvas(size: number): object {
  const chain = [hook, ...repeated(size - 2)];
  return canvasOf('long', [...chain, done], chained(chain));
}

/** The ten nodes with unreached others, so that the canvas has `size` nodes. The work is the same. */
export function wideCanvas(size: number): object {
  const chain = [hook, ...steps('')];
  const others = repeated(size - chain.length - 1);
  const edges = chained(chain).map(
    (edge): Edge => (edge.sourceHandle === 'else' && others[0] !== undefined ? { ...edge, target: others[0].id } : edge),
  );
  return canvasOf('wide', [...chain, done, ...others], [...edges, ...chained(others)]);
}

/** Three nodes and a wait that nothing ends. */
export function waitingCanvas(): object {
  const chain = [hook, ...steps('').slice(0, 2)];
  const wait: Node = { id: 'wait', type: 'wait-external', data: {} };
  const edges = chained([...chain]).map((edge): Edge => (edge.target === done.id ? { ...edge, target: wait.id } : edge));
  return canvasOf('waiting', [...chain, wait, done], [...edges, { source: wait.id, sourceHandle: 'resumed', target: done.id }]);
}

const repeated = (count: number): readonly Node[] =>
  Array.from({ length: Math.ceil(count / 9) }, (_, index) => steps(`-${index}`))
    .flat()
    .slice(0, Math.max(0, count));

/** The nodes of every canvas here. */
export const types = nodeTypes(standardNodes);

/** A parsed canvas. Larger ones than a request may contain are accepted, to measure how costs grow. */
export const read = (canvas: object): Canvas => Canvas.parse(canvas);

export function compiled(canvas: object): CompiledCanvas {
  const content = read(canvas);
  const { compiled, problems } = compileCanvas(content, canvasHash(content), types, systemDigest);
  expectNone(problems);
  return compiled;
}

/** @throws {Error} with the first of the problems */
export function expectNone(problems: readonly unknown[]): void {
  if (problems.length > 0) throw new Error(`The benchmark's canvas is wrong: ${JSON.stringify(problems.slice(0, 3))}`);
}
