import { z } from 'zod';
import { forbiddenNames } from '../variables/path.ts';
import { DurationText } from './duration.ts';
import { Channel, channels } from './execution.ts';
import { Json, JsonObject, kindOf } from './json.ts';
import { VariableName } from './variables.ts';

/** Names one execution, with 128 random bits. */
export const ExecutionId = z.string().min(1).max(128).brand<'ExecutionId'>();
export type ExecutionId = z.output<typeof ExecutionId>;

/** Identifies a node in its canvas. Used in URLs and state names, hence the narrow alphabet. */
export const NodeId = z
  .string()
  .regex(/^[A-Za-z0-9_:-]{1,128}$/, 'A node id has 1 to 128 letters, digits, "_", "-" or ":"')
  .refine((id) => !forbiddenNames.has(id), { error: 'This id is reserved; choose another' })
  .brand<'NodeId'>();
export type NodeId = z.output<typeof NodeId>;

/** Names a workflow inside its company. */
export const WorkflowId = z
  .string()
  .regex(/^[A-Za-z0-9_:-]{1,128}$/, 'A workflow id has 1 to 128 letters, digits, "_", "-" or ":"')
  .brand<'WorkflowId'>();
export type WorkflowId = z.output<typeof WorkflowId>;

/** The version of the canvas format that this engine reads. */
export const schemaVersion = 1;

/** A variable an author declares; with a default it is there from the start. */
export const VariableDeclaration = z
  .strictObject({
    type: z.enum(['string', 'number', 'boolean', 'object', 'array', 'any']).default('any'),
    default: Json.optional(),
    description: z.string().max(500).optional(),
  })
  .superRefine(({ type, default: value = null }, context) => {
    // Null is a default of any type: a value that is still to come.
    if (type !== 'any' && value !== null && kindOf(value) !== type)
      context.addIssue({
        code: 'custom',
        path: ['default'],
        message: `The variable is declared as ${type}, and its default is ${kindOf(value)}`,
      });
  });
export type VariableDeclaration = z.output<typeof VariableDeclaration>;

/** What an execution has under `$context` from the start. */
const ContextName = VariableName.refine((name) => name !== 'executionId', {
  error: '$context.executionId is read-only; choose another name',
});

const Position = z.strictObject({ x: z.number(), y: z.number() });

/** Settings of the whole canvas. */
export const CanvasSettings = z.strictObject({
  /** A longer wait ends the execution as `expired`. Without it, waits have their own limits only. */
  sessionExpiry: DurationText.optional(),
  /** The channels that the canvas is for: its messages are checked for these alone, and users of others do not begin it. All, when left out. */
  channels: z
    .array(Channel)
    .min(1)
    .max(channels.length)
    .meta({ description: 'The channels that this canvas is for; all of the company, when left out', examples: [['whatsapp']] })
    .optional(),
  /** Webhook variables that a calling workflow brings (VAR-02). */
  inheritedWebhooks: z.array(VariableName).max(50).optional(),
  /** Typed inputs and outputs, of a tool above all. */
  inputs: z.record(VariableName, VariableDeclaration).optional(),
  outputs: z.record(VariableName, VariableDeclaration).optional(),
});
export type CanvasSettings = z.output<typeof CanvasSettings>;

/** A node as the canvas has it. React Flow's own bookkeeping is accepted and is no behaviour. */
export const CanvasNode = z.strictObject({
  id: NodeId,
  type: z.string().min(1).max(64),
  position: Position.optional(),
  data: JsonObject.default({}),
  ...reactFlowNodeFields(),
});
export type CanvasNode = z.output<typeof CanvasNode>;

/** A way from a port to a node. */
export const CanvasEdge = z.strictObject({
  id: z.string().max(256).optional(),
  source: NodeId,
  /** The port; may be left out where the node has exactly one. */
  sourceHandle: z.string().min(1).max(256).nullish(),
  target: NodeId,
  targetHandle: z.string().max(256).nullish(),
  ...reactFlowEdgeFields(),
});
export type CanvasEdge = z.output<typeof CanvasEdge>;

/** A canvas as of React Flow's `toObject()`, with Hilo's fields at the root. Unknown fields are refused. */
export const Canvas = z.strictObject({
  $schema: z.string().max(2_048).optional(),
  schemaVersion: z.literal(schemaVersion),
  id: WorkflowId,
  name: z.string().min(1).max(200),
  description: z.string().max(2_000).optional(),
  /** A `skill` has a conversation with a user; a `tool` has typed inputs and outputs and no conversation. */
  kind: z.enum(['skill', 'tool']).default('skill'),
  settings: CanvasSettings.default({}),
  variables: z.record(ContextName, VariableDeclaration).default({}),
  nodes: z.array(CanvasNode).min(1).max(20_000),
  edges: z.array(CanvasEdge).max(60_000).default([]),
  viewport: z.strictObject({ x: z.number(), y: z.number(), zoom: z.number() }).optional(),
});
export type Canvas = z.output<typeof Canvas>;

/** Layout and selection that React Flow keeps on a node. */
function reactFlowNodeFields() {
  return {
    width: z.number().nullish(),
    height: z.number().nullish(),
    measured: z.strictObject({ width: z.number().optional(), height: z.number().optional() }).optional(),
    selected: z.boolean().optional(),
    dragging: z.boolean().optional(),
    draggable: z.boolean().optional(),
    hidden: z.boolean().optional(),
    zIndex: z.number().optional(),
    positionAbsolute: Position.optional(),
    sourcePosition: z.string().optional(),
    targetPosition: z.string().optional(),
  };
}

/** Looks that React Flow keeps on an edge. */
function reactFlowEdgeFields() {
  return {
    type: z.string().optional(),
    animated: z.boolean().optional(),
    selected: z.boolean().optional(),
    hidden: z.boolean().optional(),
    label: z.string().optional(),
    zIndex: z.number().optional(),
    style: JsonObject.optional(),
    markerStart: Json.optional(),
    markerEnd: Json.optional(),
    data: JsonObject.optional(),
  };
}
