import { z } from '@hono/zod-openapi';
import { DateOrInstant, inOrder, OperatorId } from '../platform/http/date-range.ts';

/** Which conversations statistics are of (STA-02, STA-03, STA-08). */
export const StatisticsQuery = inOrder(
  z.object({
    startAt: DateOrInstant('startAt', 'first'),
    endAt: DateOrInstant('endAt', 'last'),
    operatorId: OperatorId.optional(),
  }),
);
