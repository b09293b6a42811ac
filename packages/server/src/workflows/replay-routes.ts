// Recorded conversations of a workflow on its draft, another version or a canvas, before that is published: answered by lines.
import type { ReplayReport } from '@hilo/engine';
import { noteParsed } from '@hilo/engine/authoring';
import type { Canvas, JsonObject } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import { bodyErrorResponses, parseBody, problemsRefused, WorkflowQuery } from '../platform/http/admin.ts';
import { noteAct } from '../platform/http/acts.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { ZonedInstant } from '../platform/http/instants.ts';
import { answerInLines } from '../platform/http/lines.ts';
import { closedBody } from '../platform/http/openapi.ts';
import { readOwn } from '../platform/canvas-work/canvas-tasks.ts';
import { requireDraftOwner, type WorkflowParts } from './workflows.ts';

const Replay = z.object({
  against: z
    .union(
      [
        z.literal('draft'),
        z.int().min(1),
        z.custom<JsonObject>((given) => typeof given === 'object' && given !== null && !Array.isArray(given)),
      ],
      'against is "draft", the number of a version, or a canvas',
    )
    .default('draft'),
  last: z.int('last is a whole number').min(1, 'last is at least 1').max(10_000, 'last is at most 10,000').default(1_000),
  since: ZonedInstant('since is an instant, such as 2031-03-01T09:00:00Z').optional(),
  ignore: z.array(z.string().max(1_000), 'ignore is a list of groups').max(1_000).default([]),
});

const replay = defineRoute({
  post: '/admin/v1/workflows/{workflowId}/replays',
  operationId: 'replayWorkflow',
  auth: 'operator',
  permission: 'publish',
  tags: ['Workflows'],
  summary: 'Replays the newest ended conversations of the published version on another content; performs and keeps nothing',
  description:
    'Each runs in lockstep with itself, with the answers that it had. A line after each page of conversations; the last line is the report: how many go as before, and groups of those that do not, with the first and the newest execution of each. After 30 seconds it ends with what it has (isPartial). Requests of webhooks are not recorded, only what was written: their methods and paths are not replayed.',
  params: z.object({ workflowId: z.string() }),
  query: WorkflowQuery,
  body: closedBody('What to replay, and on what; may be left out', {
    type: 'object',
    properties: {
      against: {
        description: 'The draft, the number of a version, or a canvas as it is written',
        anyOf: [{ const: 'draft' }, { type: 'integer', minimum: 1 }, { type: 'object', additionalProperties: true }],
        default: 'draft',
      },
      last: { type: 'integer', minimum: 1, maximum: 10_000, default: 1_000, description: 'The newest conversations, at most so many' },
      since: {
        type: 'string',
        format: 'date-time',
        description: 'Those that ended at this instant or later; seven days ago, when left out',
        examples: ['2031-03-01T09:00:00Z'],
      },
      ignore: {
        type: 'array',
        maxItems: 1_000,
        items: { type: 'string', examples: ['request:greet:message.text'] },
        description: 'Groups of an earlier report that do not count, so that what is behind them is seen',
      },
    },
  }),
  answer: {
    description: 'Progress, then { read, counts, groups, why, version, isPartial }',
    content: { 'application/x-ndjson': { schema: { type: 'string' as const } } },
  },
  refusals: bodyErrorResponses,
  example: { path: { workflowId: 'order-status' }, query: { companyId: '1' }, body: { against: 'draft', last: 100 } },
  async handle({ c, params: { workflowId }, query }, service: WorkflowParts) {
    const companyId = await requireDraftOwner(service, query.companyId, workflowId);
    const { against, last, since, ignore } = parseBody(Replay, await c.req.text());
    noteAct(c, { companyId, after: { against: typeof against === 'object' ? 'a canvas' : against, last } });
    const target = typeof against === 'object' ? await readGiven(service, companyId, against) : against;
    return answerInLines(
      c,
      async (write): Promise<ReplayReport> =>
        service.engine.company(companyId).replay(workflowId, {
          against: target,
          last,
          ignore,
          ...(since !== undefined && { sinceMs: Date.parse(since) }),
          onPage: write,
        }),
    );
  },
});

/** A canvas that is given, read in a thread where it is large. @throws {HttpError} 422 for what is none */
async function readGiven({ canvasWork }: Pick<WorkflowParts, 'canvasWork'>, companyId: string, against: JsonObject): Promise<Canvas> {
  const { canvas, problems } = await canvasWork.read(companyId, JSON.stringify(against));
  if (canvas === undefined) throw problemsRefused(problems);
  return noteParsed(readOwn(canvas.json), canvas.json);
}

/** What a draft would have said to those who have talked already. */
export const replayRoutes: readonly Route<WorkflowParts>[] = [replay];
