import { instantMs } from '@hilo/engine/contract';
import type { ItemOf } from '@hilo/stores';
import { z } from '@hono/zod-openapi';
import type { campaigns } from '../platform/tables/campaigns.ts';
import { asSeen } from '../platform/shown-names.ts';
import { isPlain } from '../tenants/workspace/fields.ts';

/** What a campaign can be (CAM-03). It continues from SCHEDULED by PENDING and IN_PROGRESS to COMPLETED, or is CANCELLED before it is due (CAM-15). */
const campaignStatuses = ['PENDING', 'IN_PROGRESS', 'COMPLETED', 'SCHEDULED', 'CANCELLED'] as const;

const Instant = z.string().openapi({ format: 'date-time' });

/** A campaign as the API shows it (CAM-01, CAM-02). */
export const Campaign = z
  .object({
    id: z.string(),
    name: z.string(),
    elementName: z.string(),
    botId: z.string(),
    status: z.enum(campaignStatuses),
    totalMessages: z.int(),
    deliveredMessages: z.int(),
    failedMessages: z.int(),
    skipped: z
      .object({ consent: z.int().openapi({ description: 'They have stopped such messages', example: 3 }) })
      .optional()
      .openapi({ description: 'Recipients to whom nothing was sent, where there are any' }),
    paused: z
      .object({ at: Instant, reason: z.string().openapi({ example: 'paused by operator maria' }) })
      .optional()
      .openapi({ description: 'Nothing is sent until it is resumed; left out while it is not paused' }),
    createdAt: Instant,
    completedAt: Instant.nullable(),
    scheduledAt: Instant.nullable(),
  })
  .openapi('Campaign');

/** A campaign as the API shows it, from its row. */
export const campaignView = ({
  id,
  name,
  elementName,
  botId,
  status,
  totalMessages,
  deliveredMessages,
  failedMessages,
  skippedConsent,
  pausedAtMs,
  pauseReason,
  createdAtMs,
  completedAtMs,
  scheduledAtMs,
}: Omit<ItemOf<typeof campaigns.columns>, 'companyId' | 'templateId' | 'perSecond'> & {
  readonly skippedConsent: number;
}): z.output<typeof Campaign> => ({
  id,
  name,
  elementName,
  botId,
  status: status as z.output<typeof Campaign>['status'],
  totalMessages,
  deliveredMessages,
  failedMessages,
  ...(skippedConsent > 0 && { skipped: { consent: skippedConsent } }),
  ...(pausedAtMs !== undefined && { paused: { at: instantOf(pausedAtMs), reason: pauseReason ?? '' } }),
  createdAt: instantOf(createdAtMs),
  completedAt: completedAtMs === undefined ? null : instantOf(completedAtMs),
  scheduledAt: scheduledAtMs === undefined ? null : instantOf(scheduledAtMs),
});

const instantOf = (atMs: number): string => new Date(atMs).toISOString();

const zoned = 'scheduledAt is ISO 8601 with a time zone, such as 2031-03-01T09:00:00-05:00';

/** The name of a campaign. */
export const CampaignName = asSeen(
  'name',
  z
    .string('name is a text')
    .max(500, 'name has at most 500 characters')
    .refine((name) => name.trim() !== '', { error: 'name is empty', abort: true })
    .refine(isPlain, { error: 'name holds NUL or half a character', abort: true }),
);

/** When a campaign begins, in milliseconds (CAM-11). @param nowMs - what it must be later than */
export const laterInstant = (nowMs: () => number) =>
  z.string(zoned).transform((text, context) => {
    const atMs = instantMs(text);
    if (atMs !== undefined && atMs > nowMs()) return atMs;
    context.addIssue(atMs === undefined ? zoned : 'scheduledAt is not later than now');
    return z.NEVER;
  });

/**
 * The fields of a campaign that may be changed (CAM-11, CAM-13). Unknown fields are ignored (GEN-07).
 *
 * @param nowMs - what the date must be later than
 */
export const campaignChange = (nowMs: () => number) =>
  z
    .object({ name: CampaignName.optional(), scheduledAt: laterInstant(nowMs).optional() })
    .refine(({ name, scheduledAt }) => name !== undefined || scheduledAt !== undefined, {
      error: 'give "name", "scheduledAt" or both',
      path: ['body'],
    });
