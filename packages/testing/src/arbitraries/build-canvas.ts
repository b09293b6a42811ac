import { divideData, type JsonObject } from '@hilo/engine/contract';
import type { Block, Loop, Sequence, Step } from './blocks.ts';
import { definitionOf } from './definitions.ts';
import { vocabulary } from './vocabulary.ts';

/** A canvas as JSON, as an author would write it. */
export type CanvasJson = {
  readonly schemaVersion: 1;
  readonly id: string;
  readonly name: string;
  readonly kind: 'skill' | 'tool';
  readonly settings: JsonObject;
  readonly variables: { readonly [name: string]: JsonObject };
  readonly nodes: readonly NodeJson[];
  readonly edges: readonly EdgeJson[];
};
/** A node of such a canvas. */
export type NodeJson = { readonly id: string; readonly type: string; readonly data: JsonObject };
/** An edge of such a canvas, its port always named. */
export type EdgeJson = { readonly source: string; readonly sourceHandle: string; readonly target: string };

/** A canvas before it has nodes and edges. */
export interface CanvasPlan {
  readonly id: string;
  readonly kind: 'skill' | 'tool';
  readonly sessionExpiry?: string;
  /** The configs of the nodes at which executions begin; one at least. */
  readonly start?: JsonObject;
  readonly webhook?: JsonObject;
  readonly body: Sequence;
  /** What comes after the webhook, when the body leads into it to wait there for a second call. */
  readonly afterCall?: Sequence;
  /** What a failure that nothing handles leads to. */
  readonly caught?: Sequence;
  readonly note?: JsonObject;
  /** Ids for the first nodes, in place of type and number. */
  readonly ids?: readonly string[];
}

/** The ports of a node with this data: required and optional ones. */
export function listPorts(type: string, data: JsonObject): { readonly required: readonly string[]; readonly optional: readonly string[] } {
  const definition = definitionOf(type);
  const config = definition.config.parse(divideData(data).config);
  return { required: definition.ports(config), optional: definition.optionalPorts(config) };
}

/** Gives a plan its nodes and edges. Nodes are named by type and number. */
export function buildCanvas({ id, kind, sessionExpiry, start, webhook, body, afterCall, caught, note, ids = [] }: CanvasPlan): CanvasJson {
  const nodes: NodeJson[] = [];
  const edges: EdgeJson[] = [];
  const add = (type: string, data: JsonObject): string => {
    const node = { id: ids[nodes.length] ?? `${type}-${nodes.length + 1}`, type, data };
    nodes.push(node);
    return node.id;
  };
  const connect = (source: string, sourceHandle: string, target: string) => void edges.push({ source, sourceHandle, target });

  const addSequence = ({ blocks, exit }: Sequence, next: string): string =>
    blocks.reduceRight((following, block) => addBlock(block, following), exit === undefined ? next : add(exit.type, exit.data));

  const addBlock = (block: Block, next: string): string => (block.kind === 'loop' ? addLoop(block, next) : addStep(block, next));

  const addStep = ({ type, data, ways, handled, isRepeated }: Step, next: string): string => {
    const nodeId = add(type, data);
    const { required, optional } = listPorts(type, data);
    const asksAgain = isRepeated && type === 'ask' && data['skipIfSet'] === undefined;
    for (const [index, port] of required.entries()) {
      const way = ways[index];
      if (type === 'for-each' && port === 'each') connect(nodeId, port, way === undefined ? nodeId : addSequence(way, nodeId));
      else if (port === 'other' && asksAgain) connect(nodeId, port, nodeId);
      else connect(nodeId, port, way === undefined || type === 'for-each' ? next : addSequence(way, next));
    }
    for (const port of optional) if (handled === 'all' || (handled === 'error' && port === 'error')) connect(nodeId, port, next);
    return nodeId;
  };

  const addLoop = ({ body, wait, choice }: Loop, next: string): string => {
    const choiceId = add(choice.type, choice.data);
    const waitId = addStep(wait, choiceId);
    const begin = addSequence(body, waitId);
    for (const [index, port] of listPorts(choice.type, choice.data).required.entries()) connect(choiceId, port, index === 0 ? begin : next);
    return begin;
  };

  const done = add('end', { outputs: { answer: '{{$context.answer}}' } });
  const webhookId = webhook === undefined ? undefined : add('webhook', webhook);
  const after = webhookId === undefined || afterCall === undefined ? done : addSequence(afterCall, done);
  const first = addSequence(body, webhookId === undefined || afterCall === undefined ? done : webhookId);
  if (webhookId !== undefined) {
    connect(webhookId, 'new', first);
    if (afterCall !== undefined) connect(webhookId, 'resume', after);
    if (afterCall !== undefined && webhook?.['waitTimeout'] !== undefined) connect(webhookId, 'timeout', done);
  }
  if (start !== undefined) connect(add('start', start), 'next', first);
  if (caught !== undefined) connect(add('catch', {}), 'caught', addSequence(caught, done));
  if (note !== undefined) add('note', note);

  const variables = Object.fromEntries(Object.entries(vocabulary.declared).map(([name, value]) => [name, { default: value }]));
  const settings = sessionExpiry === undefined ? {} : { sessionExpiry };
  return { schemaVersion: 1, id, name: id, kind, settings, variables, nodes: nodes.toReversed(), edges };
}
