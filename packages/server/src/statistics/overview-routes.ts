// The home of a company in one answer: what waits now, its bots, why steps failed, and this week against the one before.
import { channels } from '@hilo/engine/contract';
import { z } from '@hono/zod-openapi';
import { listCauses, readSums, summarize } from '../numbers/numbers.ts';
import { errorResponses, formatInstant, Instant } from '../platform/http/admin.ts';
import { defineRoute, type Route } from '../platform/http/define-route.ts';
import { jsonResponse } from '../platform/http/openapi.ts';
import type { Platform } from '../platform/platform.ts';
import { type Companies, requireCompany } from '../tenants/companies.ts';
import { countConversations, countExecutions, listAnswers, maxCounted, readMedianReply, readMessageDays } from './overview.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
/** Days of a bot's messages. */
const messageDays = 14;
/** Causes that are told. */
const maxCauses = 3;

const Count = z.int().min(0);
const capped = `${maxCounted} at most`;
const Answering = z.object({ workflowId: z.string().openapi({ example: 'order-status' }), name: z.string() });
const Received = Count.openapi({ description: 'From users', example: 214 });
const Sent = Count.openapi({ description: 'To users', example: 390 });

const Week = z.object({
  from: Instant,
  to: Instant,
  began: Count.openapi({ description: 'Executions that began', example: 412 }),
  completed: Count.openapi({ description: 'Executions that came to an end of their canvas', example: 380 }),
  failed: Count.openapi({ description: 'Executions that stopped at an error that nothing takes', example: 2 }),
  handedOff: Count.openapi({ description: 'How often a conversation came to a hand-off', example: 31 }),
  medianReplyMs: Count.nullable().openapi({
    description: 'Until a person answered, of half of the conversations; null without one',
    example: 95_000,
  }),
});

const Messages = z
  .object({
    received: Received,
    sent: Sent,
    isPartial: z.boolean().openapi({ description: `Whether only the newest ${maxCounted} are counted` }),
    days: z
      .array(
        z.object({
          date: z.string().openapi({ description: 'A day of the calendar (UTC)', example: '2031-03-03' }),
          received: Received,
          sent: Sent,
        }),
      )
      .openapi({ description: 'The last fourteen days, today last' }),
  })
  .openapi({ description: 'Messages of the last fourteen days' });

const Answers = z
  .object({
    fallback: Answering.nullable().openapi({ description: 'What any message starts that no keyword takes' }),
    keywords: z
      .array(Answering.extend({ keyword: z.string().openapi({ description: 'What a user writes', example: 'order' }) }))
      .openapi({ description: 'In the order in which they are tried' }),
  })
  .openapi({ description: 'Which workflows a message to it starts; of several with a keyword, the one that does' });

const Overview = z.object({
  companyId: z.string(),
  at: Instant,
  conversations: z
    .object({
      open: Count.openapi({ description: 'Conversations that nobody has ended', example: 12 }),
      waiting: Count.openapi({ description: 'Those in which the user waits for an answer', example: 3 }),
      oldestWaitingSince: Instant.nullable().openapi({
        description: 'Since when the first of them waits; null while nobody waits',
        example: '2031-03-03T09:00:00.000Z',
      }),
    })
    .openapi({ description: 'Conversations with people, now' }),
  executions: z
    .object({
      running: Count.openapi({ description: `Under way, ${capped}`, example: 1 }),
      waiting: Count.openapi({ description: `Those that wait, ${capped}`, example: 57 }),
      failed24h: Count.openapi({ description: `Those that failed in the last 24 hours, ${capped}`, example: 2 }),
      causes: z
        .array(z.object({ cause: z.string(), count: Count.openapi({ description: 'How many steps', example: 2 }) }))
        .openapi({ description: 'Why steps failed in the last 24 hours, the three most frequent causes first' }),
    })
    .openapi({ description: 'What workflows do, now' }),
  bots: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      channel: z.enum(channels),
      provider: z.string().openapi({ description: 'How it reaches its users', example: 'whatsapp-cloud' }),
      environment: z.enum(['live', 'test']).openapi({ description: 'A bot of `test` answers with drafts, and `answers` are theirs' }),
      messages: Messages,
      answers: Answers,
    }),
  ),
  week: Week.openapi({ description: 'The last seven days' }),
  weekBefore: Week.openapi({ description: 'The seven days before them' }),
});

/** What this route works with. */
export type OverviewParts = Pick<Platform, 'store' | 'clock'> & {
  readonly companies: Companies;
  /** Counts what was done until now. */
  readonly historyCounter: { page(): Promise<boolean> };
};

/** The drafts that bots for tests answer with; of a company without such a bot, none is read. */
async function listDrafts({ companies, store: { canvases } }: OverviewParts, companyId: string) {
  if (companies.bots(companyId).every(({ settings }) => settings.environment !== 'test')) return [];
  const drafts = (await canvases.drafts?.(companyId)) ?? [];
  return drafts.flatMap(({ canvas }) => (companies.isArchived(companyId, canvas.id) ? [] : [{ workflowId: canvas.id, canvas }]));
}

const getOverview = defineRoute({
  get: '/admin/v1/companies/{companyId}/overview',
  operationId: 'getOverview',
  auth: 'operator',
  permission: 'view',
  tags: ['Statistics'],
  summary: 'A company at a glance: what waits, its bots, and how the week went',
  description: 'What has just happened may be missing from the counts of the week for a minute.',
  params: z.object({ companyId: z.string() }),
  answer: jsonResponse('The company now', Overview),
  refusals: errorResponses,
  example: { path: { companyId: '1' } },
  async handle({ params }, service: OverviewParts): Promise<z.input<typeof Overview>> {
    const { store, clock, companies, historyCounter } = service;
    const { id: companyId } = requireCompany(service, params.companyId);
    const { runner } = store;
    await historyCounter.page();
    const nowMs = clock.now();
    const published = (await store.canvases.published(companyId)).filter(
      ({ workflowId, gate }) => gate?.state !== 'unpublished' && !companies.isArchived(companyId, workflowId),
    );
    const handOffs = new Set(
      published.flatMap(({ workflowId, canvas }) =>
        canvas.nodes.filter(({ type }) => type === 'handoff').map(({ id }) => JSON.stringify([workflowId, id])),
      ),
    );
    const describeWeek = async (toMs: number): Promise<z.input<typeof Week>> => {
      const endMs = Math.floor(toMs / hourMs + 1) * hourMs;
      const fromMs = endMs - weekMs;
      const sums = await readSums(runner, { companyId, fromMs, toMs });
      return {
        from: formatInstant(fromMs),
        to: formatInstant(endMs),
        ...summarize(sums, (workflowId, nodeId) => handOffs.has(JSON.stringify([workflowId, nodeId]))),
        medianReplyMs: await readMedianReply(runner, { companyId, fromMs, toMs: endMs }),
      };
    };
    const drafts = await listDrafts(service, companyId);
    const bots = [];
    for (const bot of companies.bots(companyId)) {
      const messages = await readMessageDays(runner, { companyId, botId: bot.id }, { nowMs, days: messageDays });
      const { id, name, channel, provider } = bot;
      const { environment = 'live' } = bot.settings;
      const answers = listAnswers(environment === 'test' ? drafts : published, channel);
      bots.push({ id, name, channel, provider: provider.kind, environment, messages, answers });
    }
    const { open, waiting, oldestWaitingSinceMs: oldestMs } = await countConversations(runner, companyId);
    const lastDay = await readSums(runner, { companyId, fromMs: nowMs - dayMs + hourMs, toMs: nowMs });
    return {
      companyId,
      at: formatInstant(nowMs),
      conversations: {
        open,
        waiting,
        oldestWaitingSince: oldestMs === undefined ? null : formatInstant(oldestMs),
      },
      executions: {
        ...(await countExecutions(runner, companyId, nowMs - dayMs)),
        causes: listCauses(lastDay).slice(0, maxCauses),
      },
      bots,
      week: await describeWeek(nowMs),
      weekBefore: await describeWeek(nowMs - weekMs),
    };
  },
});

/** The overview of a company. */
export const overviewRoutes: readonly Route<OverviewParts>[] = [getOverview];
