// What executions of a workflow did over a stretch of time, by node and port: counts that stay when histories are removed.
import { type Channel, channels, nodeOfWait } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import { errorResponses, formatInstant, Instant, WorkflowQuery } from '../platform/http/admin.ts';
import { DateOrInstant } from '../platform/http/date-range.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { invalidFields, notFound } from '../platform/http/errors.ts';
import { acme, orderStatus } from '../platform/http/example-requests.ts';
import { jsonResponse } from '../platform/http/openapi.ts';
import { explainNotOnce, QueryChoice } from '../platform/http/query.ts';
import { requireDraftOwner, type WorkflowParts } from '../workflows/workflows.ts';
import { hourOf } from './count-records.ts';
import type { HistoryCounter } from './count-histories.ts';
import { selectCursor, selectWaiting, sumNumbers } from './sql.ts';
import { describeNodes, endsOf } from './sums.ts';

const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;
/** The longest stretch: counts are kept a little longer. */
const longestMs = 366 * 24 * hourMs;
/** Pages that are counted before an answer. */
const pagesAhead = 5;

const Count = z.int().min(0);
const Milliseconds = z.int().min(0).nullable().openapi({ description: 'null where nothing was measured' });
const Ended = z
  .object({
    completed: Count.openapi({ description: 'Came to an end of the canvas' }),
    failed: Count.openapi({ description: 'Stopped at an error that nothing takes' }),
    cancelled: Count.openapi({ description: 'Cancelled by an operator or a program, or interrupted' }),
    expired: Count.openapi({ description: 'Waited for longer than an execution may' }),
  })
  .openapi({ description: 'Executions that ended, by how' });

const Numbers = z.object({
  workflowId: z.string(),
  from: Instant.openapi({ description: 'The first hour that is counted' }),
  to: Instant.openapi({ description: 'The end of the last hour that is counted' }),
  version: z.int().nullable().openapi({ description: 'null for all published versions together', example: 5 }),
  versions: z.array(z.int()).openapi({ description: 'The versions of which there are counts in this time', example: [4, 5] }),
  channel: z.enum(channels).nullable().openapi({ description: 'null for all channels together, and what has no user', example: null }),
  channels: z
    .array(z.enum(channels))
    .openapi({ description: 'The channels of which there are counts in this time', example: ['whatsapp', 'web'] }),
  countedAt: Instant.nullable().openapi({ description: 'When it was last counted; null before the first time' }),
  isBehind: z.boolean().openapi({ description: 'Whether there is more to count, such as after an upgrade' }),
  entered: Count.openapi({ description: 'Executions that began', example: 412 }),
  ended: Ended,
  nodes: z.array(
    z.object({
      nodeId: z.string(),
      visits: Count.openapi({ description: 'How often it was entered', example: 412 }),
      standing: Count.openapi({
        description: 'Executions that wait there now, whenever they came; of a channel, at most 50,000 of each bot are counted',
        example: 9,
      }),
      ended: Ended,
      p50Ms: Milliseconds,
      p95Ms: Milliseconds.openapi({
        description: 'From entering to leaving; of buckets, each two and a half times as long as the one before',
      }),
      causes: z
        .array(z.object({ cause: z.string(), count: Count.openapi({ description: 'How many steps', example: 3 }) }))
        .openapi({ description: 'Why steps of it failed, whether they were tried again or not' }),
      ports: z
        .array(
          z.object({
            port: z.string(),
            count: Count.openapi({ description: 'How often it was left by the port' }),
            p50Ms: Milliseconds,
            p95Ms: Milliseconds,
          }),
        )
        .optional()
        .openapi({ description: 'With by=port' }),
    }),
  ),
});

const Version = z
  .string({ error: explainNotOnce('version') })
  .regex(/^[1-9]\d{0,8}$/, 'version is the number of a version; leave it out for all of them')
  .transform(Number)
  .optional()
  .openapi({ type: 'integer', minimum: 1, example: 5 });

/** What these routes work with. */
export type NumberParts = WorkflowParts & { readonly historyCounter: HistoryCounter };

const readNumbers = defineRoute({
  get: '/admin/v1/workflows/{workflowId}/numbers',
  operationId: 'getNumbers',
  auth: 'operator',
  permission: 'view',
  tags: ['Workflows'],
  summary: 'What executions did over a stretch of time, by node',
  description:
    'Whole hours, at most 366 days; the last seven days, where from is left out. Counts stay for 400 days, also when histories are removed, and say nothing of any person. The draft, on the test route, is left out.',
  params: z.object({ workflowId: z.string() }),
  query: WorkflowQuery.extend({
    version: Version,
    from: DateOrInstant('from', 'first').optional(),
    to: DateOrInstant('to', 'last').optional(),
    channel: QueryChoice('channel', channels).optional().openapi({ description: 'Only what users of this channel did' }),
    by: QueryChoice('by', ['node', 'port']).default('node').openapi({ description: 'port: also how often each port was left' }),
  }),
  answer: jsonResponse('Nodes that were entered, or in which executions stand or ended', Numbers),
  refusals: errorResponses,
  example: { path: orderStatus, query: { ...acme.query, by: 'port', version: '1', from: '2031-02-24', to: '2031-03-03' } },
  async handle({ params: { workflowId }, query }, service: NumberParts) {
    const { store, engine, clock, historyCounter } = service;
    const companyId = await requireDraftOwner(service, query.companyId, workflowId);
    const toMs = query.to ?? clock.now();
    const fromMs = query.from ?? toMs - weekMs;
    if (fromMs > toMs) throw invalidFields({ to: ['to is before from'] });
    if (toMs - fromMs > longestMs) throw invalidFields({ from: ['from is more than 366 days before to'] });
    let isBehind = true;
    for (let page = 0; page < pagesAhead && isBehind; page += 1) isBehind = await historyCounter.page();

    const [fromHour, toHour] = [hourOf(fromMs), hourOf(toMs)];
    const all = await store.runner.read(sumNumbers({ companyId, workflowId, fromHour, toHour }));
    const { version, channel } = query;
    const versions = [...new Set(all.map((row) => row.version))];
    if (
      version !== undefined &&
      !versions.includes(version) &&
      (await store.canvases.version(companyId, workflowId, version)) === undefined
    )
      throw notFound('VERSION_NOT_FOUND', `Workflow "${workflowId}" has no version ${version}`);
    const rows = all.filter(
      (row) => (version === undefined || row.version === version) && (channel === undefined || row.channel === channel),
    );
    const standing = new Map<string, number>();
    const stands =
      channel === undefined
        ? await engine.company(companyId).population(workflowId)
        : await standingOn(service, companyId, workflowId, channel);
    for (const { version: of, nodes } of stands)
      if (of !== 'draft' && (version === undefined || of === version))
        for (const { nodeId, waiting } of nodes) standing.set(nodeId, (standing.get(nodeId) ?? 0) + waiting);
    const cursor = await store.runner.readOne(selectCursor({}));
    const ofAll = rows.filter(({ nodeId }) => nodeId === '');
    return {
      workflowId,
      from: formatInstant(fromHour * hourMs),
      to: formatInstant((toHour + 1) * hourMs),
      version: version ?? null,
      versions,
      channel: channel ?? null,
      channels: channels.filter((one) => all.some((row) => row.channel === one)),
      countedAt: cursor === undefined || cursor.atMs === 0 ? null : formatInstant(cursor.atMs),
      isBehind,
      entered: ofAll.reduce((sum, { kind, count }) => (kind === 'entered' ? sum + count : sum), 0),
      ended: endsOf(ofAll),
      nodes: describeNodes(rows, standing, query.by),
    };
  },
});

/** The executions of users of a channel that wait now, one by one, under the names that their nodes had when they began to. */
async function standingOn(
  { companies, store }: Pick<NumberParts, 'companies' | 'store'>,
  companyId: string,
  workflowId: string,
  channel: Channel,
): Promise<
  readonly { readonly version: number | 'draft'; readonly nodes: readonly { readonly nodeId: string; readonly waiting: number }[] }[]
> {
  const bots = companies.bots(companyId).filter((bot) => bot.channel === channel);
  const rows = await Promise.all(bots.map(({ id }) => store.runner.read(selectWaiting({ companyId, workflowId, botKey: id }))));
  return rows
    .flat()
    .flatMap(({ version, waitId }) =>
      waitId === undefined ? [] : [{ version: version ?? ('draft' as const), nodes: [{ nodeId: nodeOfWait(waitId), waiting: 1 }] }],
    );
}

/** The numbers of a workflow. */
export const numberRoutes: readonly Route<NumberParts>[] = [readNumbers];
