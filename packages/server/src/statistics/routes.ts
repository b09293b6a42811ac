import { read } from '@hilo/stores';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { HttpEnv } from '../platform/http/context.ts';
import { said } from '../platform/http/openapi.ts';
import { notFound } from '../platform/http/refusal.ts';
import type { Service } from '../service.ts';
import { collections } from '../platform/database/collections.ts';
import type { OperatorRow } from '../platform/database/attention-rows.ts';
import { rangeOf } from '../platform/http/date-range.ts';
import { restRefusals } from '../platform/http/rest-envelope.ts';
import { createResource } from '../platform/http/resource.ts';
import { readFigures } from './read-figures.ts';
import type { Figures } from './sql.ts';
import { StatisticsQuery } from './statistics-query.ts';

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

const statistics = createRoute({
  method: 'get',
  path: '/v1/metrics/conversations/external/stats',
  tags: ['Statistics'],
  security: [{ basic: [] }],
  summary: 'Figures of the conversations that began in a range, of one operator or of all',
  request: { query: StatisticsQuery },
  responses: { 200: said('The figures; times are seconds', Statistics), ...restRefusals('No such operator') },
});

/** `GET /v1/metrics/conversations/external/stats` (STA-01 to STA-10). */
export function createStatistics(service: Service): OpenAPIHono<HttpEnv> {
  const { runner } = service.store;
  const app = createResource(service);
  app.openapi(statistics, async (c) => {
    const companyId = c.get('companyId');
    const query = c.req.valid('query');
    const { operatorId } = query;
    const range = rangeOf(query);
    const operators = await runner.read(collections.operators.rows(companyId));
    if (operatorId === undefined) {
      const ids = operators.map(({ id }) => id);
      return c.json(statisticsView(await readFigures(runner, companyId, range, ids, true), undefined), 200);
    }
    const operator = operators.find(({ id }) => id === operatorId);
    if (operator === undefined) throw notFound('OPERATOR_NOT_FOUND', `There is no operator ${operatorId}`);
    return c.json(statisticsView(await readFigures(runner, companyId, range, [operatorId], false), operator), 200);
  });
  return app;
}

const statisticsView = (figures: Figures, operator: OperatorRow | undefined): z.output<typeof Statistics> => ({
  _id: operator?.id ?? 0,
  total: figures.total,
  actual: figures.actual,
  attended: figures.attended,
  expired: figures.expired,
  lastMessageOperator: figures.last_operator,
  lastMessageUser: figures.last_user,
  lastMessageBot: figures.last_bot,
  notAttended: figures.total - figures.attended,
  avgReplyTime: averageSeconds(figures.reply_ms, figures.replied),
  avgOperatorResponseTime: averageSeconds(figures.response_ms, figures.responses),
  transfered: figures.transferred,
  avgConversationTime: averageSeconds(figures.duration_ms, figures.ended),
  operator:
    operator === undefined
      ? null
      : { id: operator.id, names: read(operator.names), email: read(operator.email), companyId: Number(operator.company_id) },
});

/** Zero where there is nothing to average (STA-09). */
const averageSeconds = (totalMs: number, number: number): number => (number === 0 ? 0 : totalMs / number / 1_000);
