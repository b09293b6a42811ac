import { read } from '@hilo/stores';
import { z } from '@hono/zod-openapi';
import type { CampaignRow } from '../platform/database/campaign-rows.ts';
import { campaignStatuses } from './status.ts';

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
    createdAt: Instant,
    completedAt: Instant.nullable(),
    scheduledAt: Instant.nullable(),
  })
  .openapi('Campaign');

export const campaignView = (row: Omit<CampaignRow, 'company_id' | 'template_id'>): z.output<typeof Campaign> => ({
  id: read(row.id),
  name: read(row.name),
  elementName: read(row.element_name),
  botId: read(row.bot_id),
  status: row.status as z.output<typeof Campaign>['status'],
  totalMessages: row.total_messages,
  deliveredMessages: row.delivered_messages,
  failedMessages: row.failed_messages,
  createdAt: new Date(row.created_at_ms).toISOString(),
  completedAt: instantOf(row.completed_at_ms),
  scheduledAt: instantOf(row.scheduled_at_ms),
});

const instantOf = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());
