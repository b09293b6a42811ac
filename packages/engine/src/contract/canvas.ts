// The shape of a canvas: its ids, its nodes and its edges.
import { z } from 'zod';
import { forbiddenNames } from '../variables/path.ts';
import { DurationText } from './duration.ts';
import { Channel, channels } from './execution.ts';
import { Json, JsonObject, kindOf } from './json.ts';
import { VariableName } from './variables.ts';

const idPattern = /^[A-Za-z0-9_:-]{1,128}$/;

/** Identifies a node in its canvas. Used in URLs and state names, hence the narrow alphabet. */
export const NodeId = z
  .string()
  .regex(idPattern, 'A node id has 1 to 128 letters, digits, "_", "-" or ":"')
  .refine((id) => !forbiddenNames.has(id), { error: 'This id is reserved; choose another' })
  .brand<'NodeId'>();
export type NodeId = z.output<typeof NodeId>;

/** Names a workflow inside its company. */
export const WorkflowId = z.string().regex(idPattern, 'A workflow id has 1 to 128 letters, digits, "_", "-" or ":"').brand<'WorkflowId'>();
export type WorkflowId = z.output<typeof WorkflowId>;

/** What {@link WorkflowId} accepts, decided at once: an address of a request is asked with each one. */
export const isWorkflowId = (text: string): text is WorkflowId => idPattern.test(text);

/** The same for {@link NodeId}. */
export const isNodeId = (text: string): text is NodeId => idPattern.test(text) && !forbiddenNames.has(text);

/** The version of the canvas format that this engine reads. */
export const schemaVersion = 1;

/** Null is a default of any type: a value that is still to come. */
function checkDefault(
  { type, default: value = null }: { readonly type: string; readonly default?: Json | undefined },
  context: z.core.$RefinementCtx,
): void {
  if (type !== 'any' && value !== null && kindOf(value) !== type)
    context.addIssue({
      code: 'custom',
      path: ['default'],
      message: `The variable is declared as ${type}, and its default is ${kindOf(value)}`,
    });
}

const Declaration = z.strictObject({
  type: z
    .enum(['string', 'number', 'boolean', 'object', 'array', 'any'])
    .default('any')
    .meta({ description: 'What kind of value it holds: string, number, boolean, object or array; any, when left out' }),
  default: Json.optional().meta({ description: 'What it holds from the start', examples: ['', 0, []] }),
  description: z
    .string()
    .max(500)
    .optional()
    .meta({ description: 'What it is for; shown to authors', examples: ['How often the user was asked'] }),
});

/** A variable an author declares; with a default it is there from the start. */
export const VariableDeclaration = Declaration.superRefine(checkDefault);
export type VariableDeclaration = z.output<typeof VariableDeclaration>;

/** An input that an author declares. */
const InputDeclaration = Declaration.extend({
  optional: z
    .boolean()
    .optional()
    .meta({ description: 'Whether it may be left out without a default; it is then read with ??, as {{$input.name ?? ""}}' }),
}).superRefine(checkDefault);

/** What an execution has under `$context` from the start. */
const ContextName = VariableName.refine((name) => name !== 'executionId', {
  error: '$context.executionId is read-only; choose another name',
});

const Position = z.strictObject({
  x: z.number().meta({ description: 'Pixels from the left' }),
  y: z.number().meta({ description: 'Pixels from the top' }),
});

/** Settings of the whole canvas. */
export const CanvasSettings = z.strictObject({
  sessionExpiry: DurationText.optional().meta({
    description: 'A wait that lasts longer ends the execution as expired; without it, waits have their own limits only',
  }),
  /** The channels that the canvas is for: its messages are checked for these alone, and users of others do not begin it. All, when left out. */
  channels: z
    .array(Channel)
    .min(1)
    .max(channels.length)
    .meta({ description: 'The channels that this canvas is for; all of the company, when left out', examples: [['whatsapp']] })
    .optional(),
  /** VAR-02. */
  inheritedWebhooks: z
    .array(VariableName)
    .max(50)
    .optional()
    .meta({ description: 'Webhook variables that a calling workflow brings, so that they may be read here', examples: [['order']] }),
  inputs: z
    .record(VariableName, InputDeclaration)
    .optional()
    .meta({
      description: 'What a start or a calling workflow gives, by name, read as $input.name; a start with others is refused',
      examples: [{ orderId: { type: 'string' } }],
    }),
  outputs: z
    .record(VariableName, VariableDeclaration)
    .optional()
    .meta({ description: 'What its end nodes return, by name', examples: [{ price: { type: 'number' } }] }),
});
export type CanvasSettings = z.output<typeof CanvasSettings>;

/** A node as the canvas has it. React Flow's own bookkeeping is accepted and is no behaviour. */
export const CanvasNode = z.strictObject({
  id: NodeId.meta({ description: 'Names the node in edges and addresses: letters, digits, "_", "-" and ":"', examples: ['ask-name'] }),
  type: z
    .string()
    .min(1)
    .max(64)
    .meta({ description: 'What the node does', examples: ['message', 'ask', 'api'] }),
  version: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .meta({ description: 'The version of the node type that data is written for; 1, when left out', examples: [2] }),
  position: Position.optional().meta({ description: 'Where it stands on the canvas; layout, and no behaviour' }),
  data: JsonObject.default({}).meta({ description: 'The config of the node, as its type has it' }),
  ...reactFlowNodeFields(),
});
export type CanvasNode = z.output<typeof CanvasNode>;

/** A way from a port to a node. */
export const CanvasEdge = z.strictObject({
  id: z
    .string()
    .max(256)
    .optional()
    .meta({ description: 'Names the edge for editors; may be left out', examples: ['ask-name-thanks'] }),
  source: NodeId.meta({ description: 'The id of the node that it leaves', examples: ['ask-name'] }),
  sourceHandle: z
    .string()
    .min(1)
    .max(256)
    .nullish()
    .meta({ description: 'The port that it leaves by; may be left out where the node has exactly one', examples: ['answered', 'error'] }),
  target: NodeId.meta({ description: 'The id of the node that it leads to', examples: ['thanks'] }),
  targetHandle: z
    .string()
    .max(256)
    .nullish()
    .meta({ description: 'Where it meets the node it leads to; no behaviour', examples: ['in'] }),
  ...reactFlowEdgeFields(),
});
export type CanvasEdge = z.output<typeof CanvasEdge>;

/** A canvas as of React Flow's `toObject()`, with Hilo's fields at the root. Unknown fields are refused. */
export const Canvas = z.strictObject({
  $schema: z
    .string()
    .max(2_048)
    .optional()
    .meta({
      description: 'The address of this schema, so that editors complete and check the file',
      examples: ['../packages/nodes/canvas.schema.json'],
    }),
  schemaVersion: z.literal(schemaVersion).meta({ description: 'The version of the format' }),
  id: WorkflowId.meta({ description: 'Names the workflow in addresses and in workflow and jump nodes', examples: ['order-status'] }),
  name: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'What people call the workflow', examples: ['Order status'] }),
  description: z
    .string()
    .max(2_000)
    .optional()
    .meta({ description: 'What the workflow is for', examples: ['Tells users where their order is'] }),
  kind: z
    .enum(['skill', 'tool'])
    .default('skill')
    .meta({ description: 'A skill has a conversation with a user; a tool has inputs and outputs and no conversation' }),
  settings: CanvasSettings.default({}).meta({ description: 'What holds for the whole canvas' }),
  variables: z
    .record(ContextName, VariableDeclaration)
    .default({})
    .meta({
      description: 'Variables of $context, by name; one with a default is there from the start',
      examples: [{ attempts: { type: 'number', default: 0 } }],
    }),
  nodes: z.array(CanvasNode).min(1).max(20_000).meta({ description: 'The nodes of the graph; at least one begins an execution' }),
  edges: z.array(CanvasEdge).max(60_000).default([]).meta({ description: 'The ways from ports to nodes: at most one from each port' }),
  viewport: z
    .strictObject({
      x: z.number().meta({ description: 'How far the view is moved to the right, in pixels' }),
      y: z.number().meta({ description: 'How far the view is moved down, in pixels' }),
      zoom: z.number().meta({ description: 'How large the view shows the canvas; 1 is its own size' }),
    })
    .optional()
    .meta({ description: 'What part of the canvas an editor showed last; layout, and no behaviour' }),
});
export type Canvas = z.output<typeof Canvas>;

/** Layout and selection that React Flow keeps on a node. */
function reactFlowNodeFields() {
  return {
    width: z.number().nullish().meta({ description: 'The width that an editor gave it, in pixels' }),
    height: z.number().nullish().meta({ description: 'The height that an editor gave it, in pixels' }),
    measured: z
      .strictObject({
        width: z.number().optional().meta({ description: 'The width as drawn, in pixels' }),
        height: z.number().optional().meta({ description: 'The height as drawn, in pixels' }),
      })
      .optional()
      .meta({ description: 'The size that an editor drew it in' }),
    selected: z.boolean().optional().meta({ description: 'Whether the node is selected in an editor' }),
    dragging: z.boolean().optional().meta({ description: 'Whether it was being moved' }),
    draggable: z.boolean().optional().meta({ description: 'Whether an editor lets it be moved' }),
    hidden: z.boolean().optional().meta({ description: 'Whether an editor hides the node; it is executed all the same' }),
    zIndex: z.number().optional().meta({ description: 'Which node is drawn above others' }),
    positionAbsolute: Position.optional().meta({ description: 'Where it stands when groups are counted in' }),
    sourcePosition: z
      .string()
      .optional()
      .meta({ description: 'On which side its edges leave', examples: ['right'] }),
    targetPosition: z
      .string()
      .optional()
      .meta({ description: 'On which side edges arrive', examples: ['left'] }),
  };
}

/** Looks that React Flow keeps on an edge. */
function reactFlowEdgeFields() {
  return {
    type: z
      .string()
      .optional()
      .meta({ description: 'How an editor draws the edge', examples: ['smoothstep'] }),
    animated: z.boolean().optional().meta({ description: 'Whether an editor moves its dashes' }),
    selected: z.boolean().optional().meta({ description: 'Whether the edge is selected in an editor' }),
    hidden: z.boolean().optional().meta({ description: 'Whether an editor hides the edge; it leads on all the same' }),
    label: z
      .string()
      .optional()
      .meta({ description: 'A remark that is drawn beside it', examples: ['yes'] }),
    zIndex: z.number().optional().meta({ description: 'Which edge is drawn above others' }),
    style: JsonObject.optional().meta({ description: 'Its colours and lines, as React Flow has them' }),
    markerStart: Json.optional().meta({ description: 'What is drawn at its beginning' }),
    markerEnd: Json.optional().meta({ description: 'What is drawn at its end, such as an arrow' }),
    data: JsonObject.optional().meta({ description: 'What a host keeps with the edge; no behaviour' }),
  };
}
