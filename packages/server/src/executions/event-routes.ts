// The stream of events of executions.
import type { ExecutionRecord } from '@hilo/engine/contract';
import { finalStatuses } from '@hilo/engine/store-kit';
import { integer, optional, plain, text } from '@hilo/stores';
import { z } from '@hono/zod-openapi';
import { draftRevisions } from '../platform/tables/workflows.ts';
import { companyQuery } from '../platform/database/schema.ts';
import { CompanyQuery, errorResponses, formatInstant } from '../platform/http/admin.ts';
import { otherCell } from '../platform/http/openapi.ts';
import { QueryText } from '../platform/http/query.ts';
import { defineRoute } from '../platform/http/define-route.ts';
import { invalidFields } from '../platform/http/errors.ts';
import type { Platform } from '../platform/platform.ts';
import { type Poll, type StreamEvent, streamPolled, type Watched } from '../platform/http/stream-polled.ts';
import { requireWorkflowCompany, requireExecution } from '../tenants/companies.ts';
import { type ExecutionParts, describeWait } from './execution-pages.ts';
import { listSteps, describeStep } from './history-view.ts';

/** Of one workflow, the newest are watched. */
const maxWatched = 50;

/** What this route works with. */
type EventParts = ExecutionParts & Pick<Platform, 'clock' | 'isAccepting' | 'log'>;

/** Server-sent events of executions for operators. */
export const streamEvents = defineRoute({
  get: '/admin/v1/events',
  operationId: 'streamEvents',
  auth: 'operator',
  permission: 'view',
  tags: ['Executions'],
  summary: 'Events of one execution, or of a workflow, as server-sent events',
  description:
    'Of an execution: `execution.started`, `visit.left`, `effect.requested`, `effect.settled`, `step`, `execution.waiting`, `execution.ended`; the data of a step is ' +
    'its entry of the history, the id its number. Of a workflow: `execution.started`, `execution.waiting`, `execution.ended` of its newest 50 ' +
    'executions, `draft.saved`, `version.published`. A hint and no record: read again after a gap. A stream ends after ten minutes; ' +
    'asked for again with Last-Event-ID, one of an execution continues where it was.',
  query: CompanyQuery.extend({
    executionId: QueryText('executionId', 128).optional(),
    workflowId: QueryText('workflowId', 128).optional(),
  }),
  headers: z.object({ 'last-event-id': z.string().optional().openapi({ pattern: '^[0-9]+$' }) }),
  answer: { description: 'Events', content: { 'text/event-stream': { schema: z.string() } } },
  refusals: { ...errorResponses, ...otherCell },
  example: { query: { companyId: '1', workflowId: 'order-status' } },
  async handle({ c, operator, query: { companyId: given, executionId, workflowId } }, service: EventParts) {
    const watched =
      executionId !== undefined
        ? pollExecution(service, await requireExecution(service, given, executionId), Number(c.req.header('last-event-id') ?? 0))
        : workflowId !== undefined
          ? pollWorkflow(service, await requireWorkflowCompany(service, given, workflowId), workflowId)
          : undefined;
    if (watched === undefined) throw invalidFields({ executionId: ['Name an execution or a workflow to watch'] });
    return streamPolled(c, service, operator, {
      ...watched,
      listen: (wake) => {
        const wakeFor = (changedId: string): void => {
          if (executionId === undefined || changedId === executionId) wake();
        };
        return [
          service.engine.on('visit.left', (ref) => wakeFor(ref.executionId)),
          service.engine.on('execution.ended', (ref) => wakeFor(ref.executionId)),
        ];
      },
    });
  },
});

/** Steps of one execution after `seen`, then its current state. */
function pollExecution({ engine }: Pick<Platform, 'engine'>, { companyId, executionId }: ExecutionRecord, seen: number): Watched {
  let steps = Number.isSafeInteger(seen) && seen > 0 ? seen : 0;
  let revision = -1;
  let waitId: string | undefined;
  const poll: Poll = async () => {
    const record = await engine.execution(companyId, executionId);
    if (record === undefined) return { newEvents: [], isOver: true };
    if (record.revision === revision) return { newEvents: [], isOver: false };
    revision = record.revision;
    const all = listSteps(await engine.history(companyId, executionId));
    const newEvents = all.slice(steps).map((step, index): StreamEvent => {
      const number = steps + index + 1;
      return { event: nameEvent(step.entry, number), id: String(number), data: { executionId, ...describeStep(step, number) } };
    });
    steps = Math.max(steps, all.length);
    const { status, wait, ending } = record.state;
    if (wait !== undefined && wait.id !== waitId)
      newEvents.push({ event: 'execution.waiting', data: { executionId, wait: describeWait(wait) } });
    waitId = wait?.id;
    const isOver = ending !== undefined;
    if (isOver) newEvents.push({ event: 'execution.ended', data: { executionId, status, cause: ending.failure?.cause ?? null } });
    return { newEvents, isOver };
  };
  return { companyId, poll };
}

function nameEvent({ port, effect }: { readonly port?: string; readonly effect?: object }, number: number): string {
  if (number === 1) return 'execution.started';
  if (port !== undefined) return 'visit.left';
  if (effect === undefined) return 'step';
  return 'result' in effect || 'outcome' in effect ? 'effect.settled' : 'effect.requested';
}

const selectNewest = companyQuery(
  { workflowId: text() },
  { id: integer(), executionId: text(), status: plain(), waitId: optional(plain()), updatedAtMs: integer() },
  (company, { workflowId }) =>
    company
      .selectFrom('executions')
      .select(['id', 'execution_id', 'status', 'wait_id', 'updated_at_ms'])
      .where('workflow_id', '=', workflowId)
      .orderBy('id', 'desc')
      .limit(maxWatched),
);
const selectDraftRevision = draftRevisions.read(['revision', 'savedBy'], { workflowId: text() }, (rows, { workflowId }) =>
  rows.where('workflow_id', '=', workflowId),
);

/** As columns have them. */
const ended: ReadonlySet<string> = finalStatuses;

/** Changes of a workflow and of its newest executions. The first poll is what later ones are compared with. */
function pollWorkflow({ store }: Pick<Platform, 'store'>, companyId: string, workflowId: string): Watched {
  const place = { companyId, workflowId };
  let before: ReadonlyMap<string, string> | undefined;
  let newest = 0;
  let draft: number | undefined;
  let version: number | undefined;
  const poll: Poll = async () => {
    const rows = await store.runner.read(selectNewest(place));
    const saved = await store.runner.readOne(selectDraftRevision(place));
    const latest = await store.canvases.latest(companyId, workflowId);
    const newEvents: StreamEvent[] = [];
    const now = new Map(rows.map((row) => [row.executionId, `${row.status} ${row.waitId ?? ''}`]));
    if (before !== undefined) {
      for (const row of rows.toReversed()) {
        const { executionId } = row;
        const data = { executionId, workflowId, status: row.status, updatedAt: formatInstant(row.updatedAtMs) };
        if (row.id > newest) newEvents.push({ event: 'execution.started', data });
        if (before.get(executionId) === now.get(executionId)) continue;
        if (row.status === 'waiting') newEvents.push({ event: 'execution.waiting', data });
        else if (ended.has(row.status)) newEvents.push({ event: 'execution.ended', data });
      }
      if (saved !== undefined && saved.revision !== draft)
        newEvents.push({ event: 'draft.saved', data: { workflowId, revision: saved.revision, savedBy: saved.savedBy } });
      if (latest !== undefined && latest.version !== version)
        newEvents.push({ event: 'version.published', data: { workflowId, version: latest.version } });
    }
    before = now;
    newest = rows[0]?.id ?? newest;
    draft = saved?.revision;
    version = latest?.version;
    return { newEvents, isOver: false };
  };
  return { companyId, poll };
}
