import { z } from '@hono/zod-openapi';
import { type Canvas, channels, executionStatuses, type Json, type JsonObject, waitKinds } from '@hilo/engine/contract';

const Instant = z.string().openapi({ format: 'date-time' });
/** Values that are shown as they are. Nothing is parsed by these schemas: they are the document. */
const Value = z.custom<Json>().openapi({ type: ['object', 'array', 'string', 'number', 'boolean', 'null'], description: 'Any JSON value' });
export const Values = z.custom<JsonObject>().openapi({ type: 'object', additionalProperties: true });

/** A canvas, whose format is served as `canvas.schema.json`. */
export const CanvasValue = z.custom<Canvas>().openapi({ type: 'object', description: 'A canvas: see /admin/v1/canvas.schema.json' });

/** A page of a list: `nextCursor` is null on the last. */
export const page = <Item extends z.ZodType>(item: Item) => z.object({ results: z.array(item), nextCursor: z.string().nullable() });

export const Execution = z
  .object({
    executionId: z.string(),
    workflowId: z.string(),
    version: z.union([z.int(), z.literal('draft')]),
    status: z.enum(executionStatuses),
    userId: z.string().nullable(),
    botId: z.string().nullable(),
    channel: z.enum(channels).nullable(),
    parentExecutionId: z.string().nullable(),
    wait: z
      .object({
        id: z.string(),
        kind: z.enum(waitKinds),
        nodeId: z.string(),
        openedAt: Instant,
        dueAt: Instant.nullable(),
        onDue: z.enum(['timeout', 'expire']),
        correlation: z.object({ name: z.string(), value: z.string() }).optional(),
        childExecutionId: z.string().optional(),
      })
      .nullable(),
    variables: Values,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .openapi('Execution');

export const History = z
  .object({
    executionId: z.string(),
    entries: z.array(
      z.object({
        at: Instant,
        nodeId: z.string(),
        visitNumber: z.int(),
        type: z.string(),
        port: z.string().optional(),
        effect: z
          .object({
            type: z.string(),
            key: z.string(),
            request: Value.optional(),
            result: Value.optional(),
            outcome: z.string().optional(),
          })
          .optional(),
        cause: z.string().optional(),
        limitMs: z.number().optional(),
        configuredMs: z.number().nullable().optional(),
        appliedMs: z.number().optional(),
        writes: z.array(z.object({ path: z.string(), value: Value.optional(), ttlMs: z.number().optional() })).optional(),
      }),
    ),
  })
  .openapi('History');

export const Problem = z
  .object({
    code: z.string(),
    severity: z.enum(['error', 'warning']),
    nodeId: z.string().optional(),
    pointer: z.string().openapi({ description: 'JSON pointer into the canvas (RFC 6901)' }),
    places: z.array(z.string()).readonly().optional().openapi({ description: 'All places in the node, where there are several' }),
    message: z.string(),
    hint: z.string(),
  })
  .openapi('CanvasProblem');

const Urls = z.partialRecord(z.enum(channels), z.string());

export const Draft = z
  .object({
    workflowId: z.string(),
    hash: z.string(),
    publishedVersion: z.int().nullable().openapi({ description: 'The latest version; null before the first' }),
    isPublished: z.boolean().openapi({ description: 'Whether the latest version is this very content' }),
    canvas: CanvasValue,
    problems: z.array(Problem),
    urls: z
      .object({ production: Urls, test: Urls })
      .nullable()
      .openapi({ description: 'The addresses of the webhook node, by connected channel; null without one (WEB-04)' }),
  })
  .openapi('Draft');

export const WorkflowSummary = Draft.pick({ workflowId: true, hash: true, publishedVersion: true, isPublished: true })
  .extend({ name: z.string(), kind: z.enum(['skill', 'tool']) })
  .openapi('WorkflowSummary');

export const Version = z
  .object({ workflowId: z.string(), version: z.int(), hash: z.string(), publishedAt: Instant })
  .openapi('PublishedVersion');

export const Message = z
  .object({
    messageId: z.string(),
    direction: z.enum(['outbound', 'inbound']),
    userId: z.string(),
    message: Values,
    idempotencyKey: z.string().nullable(),
    status: z.enum(['queued', 'sent', 'delivered', 'read', 'failed', 'received']),
    createdAt: Instant,
    executionId: z.string().optional(),
    nodeId: z.string().optional(),
    cause: z.string().optional().openapi({ description: 'Why it failed, or why no workflow took it' }),
  })
  .openapi('LoggedMessage');
