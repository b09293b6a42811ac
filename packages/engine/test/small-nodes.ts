// The smallest nodes with which the engine can be tested without the standard ones.
import { defineNode, Duration, type JsonObject, leave, type NodeDefinition, Template, VariableName } from '../src/contract/index.ts';
import { z } from 'zod';
import { none, start, visual } from './runnable-nodes.ts';

const webhook = defineNode({
  type: 'webhook',
  config: z.strictObject({ variableName: VariableName }),
  visual,
  ports: ['new'],
  optionalPorts: ['resume', 'timeout'],
  portsWhenEntered: ['resume'],
  entry: {
    kind: 'webhook',
    admit: () => {
      throw new Error('These nodes are never run');
    },
  },
  run: () => leave('new'),
  waitsBefore: () => ['resume', 'timeout'],
  writingFields: ['variableName'],
  writes: ({ variableName }) => ({ new: [`$webhook.${variableName}`], resume: [`$webhook.${variableName}`] }),
});

const waitExternal = defineNode({
  type: 'wait-external',
  config: none,
  visual,
  ports: ['resumed'],
  run: () => leave('resumed'),
  waitsBefore: () => ['resumed'],
  webhookPorts: ['resumed'],
});

const catchNode = defineNode({
  type: 'catch',
  config: none,
  visual,
  ports: ['caught'],
  entry: { kind: 'catch' },
  run: () => leave('caught'),
});

const forEach = defineNode({
  type: 'for-each',
  config: none,
  visual,
  ports: ['each', 'done'],
  boundedPorts: ['each'],
  run: () => leave('done'),
  writes: () => ({ each: ['$item'] }),
  writingFields: [],
});

const end = defineNode({
  type: 'end',
  config: z.strictObject({ text: Template.optional() }),
  visual,
  ports: [],
  run: () => leave('never' as never),
});

const note = defineNode({ type: 'note', config: none, visual, ports: [], isRemark: true, run: () => leave('never' as never) });

/** A node that is whatever its config says: what a property needs. */
const step = defineNode({
  type: 'step',
  config: z.strictObject({
    ports: z.array(z.string()).default(['next']),
    optional: z.array(z.string()).default([]),
    waits: z.array(z.string()).default([]),
    writes: z.record(z.string(), z.array(z.string())).default({}),
    shapes: z.record(z.string(), z.array(z.string())).default({}),
    text: Template.optional(),
    texts: z.array(z.strictObject({ value: Template })).optional(),
    timeout: Duration.optional(),
    workflow: z.string().optional(),
    objection: z.enum(['error', 'warning']).optional(),
  }),
  visual,
  ports: ({ ports }) => ports,
  optionalPorts: ({ optional }) => optional,
  run: ({ config }) => leave(config.ports[0] ?? ''),
  waitsBefore: ({ waits }) => waits,
  waitFields: { timeout: [] },
  writingFields: [],
  writes: ({ writes }) => writes,
  shapes: ({ shapes }) => shapes,
  references: ({ workflow }) => (workflow === undefined ? [] : [{ kind: 'workflow', id: workflow, at: ['workflow'] }]),
  check: ({ objection }, { channels }) =>
    objection === undefined
      ? []
      : [{ code: 'CHANNEL_LIMIT', severity: objection, message: `Not on ${channels.join()}`, hint: 'Do', at: ['objection'] }],
});

const talk = defineNode({
  type: 'talk',
  config: none,
  visual,
  ports: ['next'],
  supports: { kinds: ['skill'], channels: ['whatsapp'] },
  run: () => leave('next'),
});

/** A dozen lines each: enough to make any graph of. */
export const smallNodes = [start, webhook, waitExternal, catchNode, forEach, end, note, step, talk] as readonly NodeDefinition[];

type Node = { readonly id: string; readonly type: string; readonly data?: JsonObject };

/** `a.port → b` as an edge; without a port where there is one only. */
function edge(text: string): JsonObject {
  const [from = '', target = ''] = text.split(' → ');
  const [source = '', sourceHandle] = from.split('.');
  return { source, target, ...(sourceHandle === undefined ? {} : { sourceHandle }) };
}

/** A canvas of nodes, and edges in the notation of {@link edge}. */
export const canvasOf = (nodes: readonly Node[], edges: readonly string[], more: JsonObject = {}): JsonObject => ({
  schemaVersion: 1,
  id: 'test',
  name: 'Test',
  nodes: nodes.map((node) => ({ ...node })),
  edges: edges.map(edge),
  ...more,
});
