import { type Canvas, channels } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import { CanvasProblem, Instant, PageQuery, Values } from '../platform/http/admin.ts';
import { explainNotOnce, QueryChoice, QueryText } from '../platform/http/query.ts';

/** A canvas, whose format is served as `canvas.schema.json`. */
export const CanvasValue = z.custom<Canvas>().openapi({ type: 'object', description: 'A canvas: see /admin/v1/canvas.schema.json' });

/** What must be kept before an author's work replaces it; without these headers, the last to save wins. */
export const PutHeaders = z.object({
  'if-match': z.string().optional().openapi({ pattern: '^(\\*|"[^"]*")$' }),
  'if-none-match': z.string().optional().openapi({ pattern: '^\\*$' }),
});

const Urls = z.partialRecord(z.enum(channels), z.string());

/** What keeps a workflow from being started, as management shows it. */
export const GateView = z.object({
  state: z.enum(['paused', 'unpublished']),
  says: Values.nullable().openapi({ type: ['object', 'null'], description: 'What users who would begin it are told' }),
  children: z.enum(['run', 'refuse']).openapi({ description: 'Whether other workflows may still call it' }),
  at: Instant.openapi({ description: 'Since when', example: '2031-03-03T09:00:00.000Z' }),
  by: z.string().nullable().openapi({ description: 'Who did it', example: 'operator maria' }),
  until: Instant.nullable().openapi({ description: 'When it ends by itself', example: '2031-03-04T09:00:00.000Z' }),
});

/** A draft as management shows it. */
export const Draft = z
  .object({
    workflowId: z.string(),
    hash: z.string(),
    publishedVersion: z.int().nullable().openapi({ description: 'The latest version; null before the first' }),
    isPublished: z.boolean().openapi({ description: 'Whether the latest version is this very content' }),
    isArchived: z.boolean().openapi({ description: 'Whether it is archived: left out of lists, and started by nothing' }),
    gate: GateView.nullable().openapi({ description: 'What keeps it from being started; null where nothing does' }),
    canvas: CanvasValue,
    problems: z.array(CanvasProblem),
    urls: z
      .object({ production: Urls, test: Urls })
      .nullable()
      .openapi({ description: 'The addresses of the webhook node, by connected channel; null if there is no such node (WEB-04)' }),
  })
  .openapi('Draft');

/** A workflow in a list. */
export const WorkflowSummary = Draft.pick({ workflowId: true, hash: true, publishedVersion: true, isPublished: true, gate: true })
  .extend({
    name: z.string(),
    folder: z.string().openapi({ description: 'The folder of the list that it is in; empty for none' }),
    kind: z.enum(['skill', 'tool']),
    revision: z.int().openapi({ description: 'Of the draft: it grows with each save' }),
    updatedAt: Instant.nullable().openapi({ description: 'When an author saved it last' }),
    savedBy: z.string().nullable(),
    errors: z.int(),
    warnings: z.int(),
    running: z.int(),
    waiting: z.int(),
    failed24h: z.int(),
  })
  .openapi('WorkflowSummary');

/** A published version without its canvas. */
export const Version = z
  .object({ workflowId: z.string(), version: z.int(), hash: z.string(), publishedAt: Instant })
  .openapi('PublishedVersion');

/** What the list of workflows is sorted by; with `-` before it, descending. Those that are equal in it are sorted by id. */
export const workflowSorts = ['workflowId', '-workflowId', 'name', '-name', 'updatedAt', '-updatedAt', 'waiting', '-waiting'] as const;
export type WorkflowSort = (typeof workflowSorts)[number];

/** Filter and order of the list of workflows. */
export const WorkflowsQuery = PageQuery.extend({
  q: QueryText('q', 200).optional().openapi({ description: 'Part of a name or id, in any case' }),
  archived: QueryChoice('archived', ['true', 'false']).default('false').openapi({ description: 'The archived ones instead of the others' }),
  sort: QueryChoice('sort', workflowSorts)
    .default('workflowId')
    .openapi({ description: 'By workflowId, name, updatedAt or waiting; descending with a "-" before it; the same on every page' }),
  cursor: z
    .string({ error: explainNotOnce('cursor') })
    .regex(/^[A-Za-z0-9_-]{1,4096}$/, 'cursor is the nextCursor of the page before')
    .optional()
    .openapi({ description: 'The nextCursor of the previous page' }),
});
