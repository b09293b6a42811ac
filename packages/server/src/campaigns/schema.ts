import { instantMs } from '@hilo/engine/contract';
import { decodeText, type RowOf } from '@hilo/stores';
import { z } from '@hono/zod-openapi';
import type { campaigns } from '../platform/tables/campaigns.ts';
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
export const campaignView = (
  row: Omit<
    RowOf<typeof campaigns.columns>,
    'company_id' | 'template_id' | 'claimed_by' | 'claimed_until_ms' | 'skipped_consent' | 'per_second'
  > & {
    readonly skipped_consent: number;
  },
): z.output<typeof Campaign> => ({
  id: decodeText(row.id),
  name: decodeText(row.name),
  elementName: decodeText(row.element_name),
  botId: decodeText(row.bot_id),
  status: row.status as z.output<typeof Campaign>['status'],
  totalMessages: row.total_messages,
  deliveredMessages: row.delivered_messages,
  failedMessages: row.failed_messages,
  ...(row.skipped_consent > 0 && { skipped: { consent: row.skipped_consent } }),
  ...(row.paused_at_ms !== null && {
    paused: { at: new Date(row.paused_at_ms).toISOString(), reason: row.pause_reason === null ? '' : decodeText(row.pause_reason) },
  }),
  createdAt: new Date(row.created_at_ms).toISOString(),
  completedAt: instantOf(row.completed_at_ms),
  scheduledAt: instantOf(row.scheduled_at_ms),
});

const instantOf = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());

const zoned = 'scheduledAt is ISO 8601 with a time zone, such as 2031-03-01T09:00:00-05:00';

/** The name of a campaign. */
export const CampaignName = z
  .string('name is a text')
  .max(500, 'name has at most 500 characters')
  .refine((name) => name.trim() !== '', 'name is empty')
  .refine(isPlain, 'name holds NUL or half a character');

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
