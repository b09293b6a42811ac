import { channels, executionStatuses, waitKinds } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import { CompanyQuery, Instant, PageQuery, createRowCursor, Value, Values } from '../platform/http/admin.ts';
import { explainNotOnce, QueryChoice, QueryInstant, QueryText } from '../platform/http/query.ts';

/** An execution as management shows it. */
export const Execution = z
  .object({
    executionId: z.string(),
    workflowId: z.string(),
    version: z.union([z.int(), z.literal('draft')]),
    status: z.enum(executionStatuses),
    userId: z.string().nullable(),
    userNames: z.string().nullable().optional().openapi({ description: 'What the bot calls the user; in lists', example: 'Ana Pérez' }),
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
    endedAt: Instant.nullable(),
    cause: z.string().nullable().openapi({ description: 'Why it failed or was cancelled' }),
    continuedAs: z.string().nullable().openapi({ description: 'The execution that continues it, by a retry' }),
    forkedFrom: z.string().nullable().openapi({ description: 'The execution that it continues, or is a copy of' }),
  })
  .openapi('Execution');

/** The variables and the open wait of an execution after a step of its history. */
export const StateAtStep = Execution.pick({ variables: true, wait: true })
  .extend({ step: z.int(), at: Instant, nodeId: z.string().nullable().openapi({ description: 'Null before the first step' }) })
  .openapi('ExecutionState');

/** A history as management shows it. */
export const History = z
  .object({
    executionId: z.string(),
    entries: z.array(
      z.object({
        step: z.int().openapi({ description: 'Counted from 1' }),
        event: z.int().openapi({ description: 'The index of the event that led to it: what `before` of a fork names' }),
        at: Instant,
        nodeId: z.string(),
        visitNumber: z.int(),
        type: z.string(),
        port: z.string().optional(),
        heard: Values.optional().openapi({ description: 'What the user wrote that led to it' }),
        from: z.string().optional().openapi({
          description: 'The other execution that led to it: a child that ended, the sender of an event, or the one whose form asked',
        }),
        by: z.string().optional().openapi({ description: 'The operator who did it', example: 'operator maria' }),
        migrated: z
          .object({
            from: z.union([z.int(), z.literal('draft')]).openapi({ example: 1 }),
            to: z.union([z.int(), z.literal('draft')]).openapi({ example: 2 }),
            job: z
              .string()
              .optional()
              .openapi({ description: 'The job that did it with others', example: '90275f236c891f0f820474cf3e026b10' }),
            isProved: z.boolean().openapi({ description: 'Whether its future was shown to stay the same' }),
          })
          .optional()
          .openapi({ description: 'Where it was taken to another version' }),
        forked: z
          .object({ from: z.string(), event: z.int().openapi({ description: 'The first event that it has not', example: 3 }) })
          .optional()
          .openapi({ description: 'The execution that it is a copy of, up to before that event' }),
        continued: z
          .object({ as: z.string().openapi({ description: 'The id of that execution', example: '01a2093bd416764a9a95d9f0c7b6bd5b' }) })
          .optional()
          .openapi({ description: 'The execution that goes on for it' }),
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

const ReplaySeen = z.object({
  nodeId: z.string(),
  what: z
    .string()
    .openapi({ description: 'The type of an effect, wait. and the kind of a wait, or ended. and a status', example: 'message.send' }),
  value: Value,
});
const ReplayLine = ReplaySeen.extend({
  at: Instant.openapi({ description: 'When it did so', example: '2031-03-03T09:00:00.000Z' }),
});

/** An execution as it was, and on another content. */
export const ReplayedExecution = z
  .object({
    executionId: z.string(),
    outcome: z.object({
      kind: z.enum(['equal', 'differs', 'unknown', 'unreadable']),
      index: z.int().optional().openapi({ description: 'The index of the event in its history', example: 2 }),
      how: z
        .enum(['start', 'request', 'order', 'extra', 'missing', 'end', 'drawn'])
        .optional()
        .openapi({ description: 'What differs: its start, a request, whose turn it is, its end, or a draw' }),
      group: z.string().optional().openapi({ description: 'What `ignore` of a replay names', example: 'request:greet:message.text' }),
      why: z.string().optional().openapi({ description: 'Why it cannot be compared', example: 'masked' }),
      before: ReplaySeen.optional().openapi({ description: 'What it did there' }),
      after: ReplaySeen.optional().openapi({ description: 'What it does there on the other content' }),
    }),
    before: z.array(ReplayLine).openapi({ description: 'As it was' }),
    after: z.array(ReplayLine).openapi({ description: 'On the other content' }),
  })
  .openapi('ReplayedExecution');

/** The company, when the id alone is ambiguous. */
export const ExecutionQuery = z.object({
  companyId: CompanyQuery.shape.companyId.openapi({ description: 'Optional: the id of an execution is unique among all companies' }),
});

/** The cursors of the list of executions. */
export const executionCursors = createRowCursor('executions');

/** The filters of the list of executions; all of them must match. */
export const ExecutionsQuery = PageQuery.extend({
  companyId: CompanyQuery.shape.companyId.openapi({ description: 'All companies, when left out' }),
  workflowId: QueryText('workflowId', 128).optional(),
  status: QueryChoice('status', executionStatuses).optional(),
  userId: QueryText('userId', 128).optional(),
  version: z
    .string({ error: explainNotOnce('version') })
    .regex(/^(?:[1-9]\d{0,8}|draft)$/, 'version is a number, or "draft"')
    .optional(),
  nodeId: QueryText('nodeId', 128).optional().openapi({ description: 'Where it waits' }),
  cause: QueryText('cause', 128).optional(),
  channel: QueryChoice('channel', channels).optional(),
  botId: QueryText('botId', 128).optional(),
  from: QueryInstant('from').optional().openapi({ description: 'Started at this instant or later' }),
  to: QueryInstant('to').optional().openapi({ description: 'Started before this instant' }),
  fields: QueryChoice('fields', ['all', 'summary']).default('all').openapi({ description: '`summary` leaves the variables out' }),
  cursor: executionCursors.query,
});
