// The routes of statistics.
import type { ItemOf } from '@hilo/stores';
import { z } from '@hono/zod-openapi';
import { defineRoute } from '../platform/http/define-route.ts';
import { DateOrInstant, requireOrder, OperatorId, roundRange } from '../platform/http/date-range.ts';
import { notFound } from '../platform/http/errors.ts';
import { january } from '../platform/http/example-requests.ts';
import { jsonResponse } from '../platform/http/openapi.ts';
import { restErrorResponses } from '../platform/http/rest.ts';
import { operators as operatorTable } from '../platform/tables/conversations.ts';
import { type Figures, readFigures } from './statistics.ts';
import type { Platform } from '../platform/platform.ts';

/** What these routes work with. */
export type StatisticsParts = Pick<Platform, 'store' | 'clock' | 'log'>;

/** Which conversations statistics are of (STA-02, STA-03, STA-08). */
const StatisticsQuery = requireOrder(
  z.object({
    startAt: DateOrInstant('startAt', 'first'),
    endAt: DateOrInstant('endAt', 'last'),
    operatorId: OperatorId.optional(),
  }),
);

const Seconds = z.number().openapi({ description: 'Seconds' });

/** Statistics of an operator, or of all (STA-04 to STA-07). `transfered` is written so on the wire. */
const Statistics = z
  .object({
    _id: z.int(),
    total: z.int(),
    actual: z.int(),
    attended: z.int(),
    expired: z.int(),
    lastMessageOperator: z.int(),
    lastMessageUser: z.int(),
    lastMessageBot: z.int(),
    notAttended: z.int(),
    avgReplyTime: Seconds,
    avgOperatorResponseTime: Seconds,
    transfered: z.int(),
    avgConversationTime: Seconds,
    operator: z.object({ id: z.int(), names: z.string(), email: z.string(), companyId: z.int() }).nullable(),
  })
  .openapi('OperatorStatistics');

/** `GET /v1/metrics/conversations/external/stats` (STA-01 to STA-10). */
export const getStatistics = defineRoute({
  get: '/v1/metrics/conversations/external/stats',
  operationId: 'getStatistics',
  tags: ['Statistics'],
  auth: 'basic',
  summary: 'Statistics of the conversations that began in a range, of one operator or of all',
  description: 'Figures of one operator, or of all together where operatorId is left out; both days of the range count.',
  query: StatisticsQuery,
  answer: jsonResponse('The figures; times are seconds', Statistics),
  refusals: restErrorResponses('No such operator'),
  example: { query: january },
  async handle({ companyId, query }, service: StatisticsParts) {
    const { runner } = service.store;
    const { operatorId } = query;
    const range = roundRange(query);
    const operators = await runner.read(operatorTable.all(companyId));
    if (operatorId === undefined) {
      const ids = operators.map(({ id }) => id);
      return describeStatistics(await readFigures(runner, companyId, range, ids, true), undefined);
    }
    const operator = operators.find(({ id }) => id === operatorId);
    if (operator === undefined) throw notFound('OPERATOR_NOT_FOUND', `There is no operator ${operatorId}`);
    return describeStatistics(await readFigures(runner, companyId, range, [operatorId], false), operator);
  },
});

const describeStatistics = (figures: Figures, operator: ItemOf<typeof operatorTable.columns> | undefined): z.output<typeof Statistics> => ({
  _id: operator?.id ?? 0,
  total: figures.total,
  actual: figures.actual,
  attended: figures.attended,
  expired: figures.expired,
  lastMessageOperator: figures.last_operator,
  lastMessageUser: figures.last_user,
  lastMessageBot: figures.last_bot,
  notAttended: figures.total - figures.attended,
  avgReplyTime: computeAverageSeconds(figures.reply_ms, figures.replied),
  avgOperatorResponseTime: computeAverageSeconds(figures.response_ms, figures.responses),
  transfered: figures.transferred,
  avgConversationTime: computeAverageSeconds(figures.duration_ms, figures.ended),
  operator:
    operator === undefined
      ? null
      : { id: operator.id, names: operator.names, email: operator.email, companyId: Number(operator.companyId) },
});

/** Zero where there is nothing to average (STA-09). */
const computeAverageSeconds = (totalMs: number, number: number): number => (number === 0 ? 0 : totalMs / number / 1_000);
