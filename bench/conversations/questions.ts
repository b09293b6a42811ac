import type { Statement } from '../../packages/stores/src/index.ts';
import { countConversations, countDays, type FilterName, pageOfConversations } from '../../packages/server/src/conversations/list.ts';
import { figuresOfOperator } from '../../packages/server/src/statistics/statistics.ts';
import { days, firstDay, operatorIds } from './fill.ts';

/** Queries of a client of the REST API, and the resulting database queries. */
export interface Question {
  readonly title: string;
  readonly path: string;
  readonly statements: readonly Statement<never, unknown>[];
}

const operatorId = operatorIds.first + 10;
const everything = `startAt=${firstDay}T00:00:00Z&endAt=${new Date(Date.parse(firstDay) + days * 86_400_000).toISOString()}`;
const month = 'startAt=2026-05-01T00:00:00Z&endAt=2026-05-31T23:59:59Z';

const listed = (title: string, query: string, filters: readonly FilterName[] = []): Question => ({
  title,
  path: `/v1/external/conversations?${query}`,
  statements: [pageOfConversations(filters), countConversations(filters), countDays],
});

export const questions: readonly Question[] = [
  listed('page 1, 50 of all', `${everything}&limit=50`),
  listed('page 1,000, 50 of all', `${everything}&limit=50&page=1000`),
  listed('page 1, 10 of all', everything),
  listed('page 1,000, 10 of all', `${everything}&page=1000`),
  listed('page 1, 10 of a month', month),
  listed('page 1,000, 50 of a month', `${month}&limit=50&page=1000`),
  listed('page 1,000, 50 of one state', `${everything}&state=closed&limit=50&page=1000`, ['state']),
  listed('page 1,000, 50 of one bot', `${everything}&botId=bot_wa&limit=50&page=1000`, ['botId']),
  listed('page 1,000, 10 of one operator', `${everything}&operatorId=${operatorId}&page=1000`, ['operatorId']),
  listed('page 1,000, 50 of one state and bot', `${everything}&state=closed&botId=bot_wa&limit=50&page=1000`, ['botId', 'state']),
  listed('page 1,000, 10 of one state and operator', `${everything}&state=closed&operatorId=${operatorId}&page=1000`, [
    'operatorId',
    'state',
  ]),
  listed('page 1, all that are active on one bot', `${everything}&state=active&botId=bot_web`, ['botId', 'state']),
  listed('page 1 of one user', `${everything}&userId=51123`, ['userKey']),
  {
    title: 'statistics of one operator for a month',
    path: `/v1/metrics/conversations/external/stats?startAt=2026-05-01&endAt=2026-05-31&operatorId=${operatorId}`,
    statements: [figuresOfOperator],
  },
];
