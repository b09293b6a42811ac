import { sql } from 'kysely';
import { statement } from '../platform/database/statement.ts';

const columns = [
  'id',
  'name',
  'element_name',
  'bot_id',
  'status',
  'total_messages',
  'delivered_messages',
  'failed_messages',
  'created_at_ms',
  'completed_at_ms',
  'scheduled_at_ms',
] as const;

interface Page {
  readonly companyId: string;
  readonly limit: number;
  readonly offset: number;
}

/** Newest first, of one age by id (CAM-16). */
export const campaignsOfCompany = statement<{ readonly [Name in keyof Page]: Page[Name] }>()((db, given) =>
  db
    .selectFrom('campaigns')
    .select(columns)
    .where('company_id', '=', given.companyId)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id')
    .limit(given.limit)
    .offset(given.offset),
);

export const campaignsOfStatus = statement<{ readonly [Name in keyof Page]: Page[Name] } & { readonly status: string }>()((db, given) =>
  db
    .selectFrom('campaigns')
    .select(columns)
    .where('company_id', '=', given.companyId)
    .where('status', '=', given.status)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id')
    .limit(given.limit)
    .offset(given.offset),
);

export const countOfCompany = statement<{ readonly companyId: string }>()((db, given) =>
  db
    .selectFrom('campaigns')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('company_id', '=', given.companyId),
);

export const countOfStatus = statement<{ readonly companyId: string; readonly status: string }>()((db, given) =>
  db
    .selectFrom('campaigns')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('company_id', '=', given.companyId)
    .where('status', '=', given.status),
);

export const statusOfCampaign = statement<{ readonly companyId: string; readonly id: string }>()((db, given) =>
  db.selectFrom('campaigns').select('status').where('company_id', '=', given.companyId).where('id', '=', given.id),
);

/** Cancels what is still SCHEDULED, and gives a row back only then: the runner's start and this cannot both be (P6). */
export const cancelScheduled = statement<{ readonly companyId: string; readonly id: string }>()((db, given) =>
  db
    .updateTable('campaigns')
    .set({ status: 'CANCELLED' })
    .where('company_id', '=', given.companyId)
    .where('id', '=', given.id)
    .where('status', '=', 'SCHEDULED')
    .returning('id'),
);

/** Changes what is still SCHEDULED; what is given as null stays. */
export const updateScheduled = statement<{
  readonly companyId: string;
  readonly id: string;
  readonly name: string | null;
  readonly scheduledAtMs: number | null;
}>()((db, given) =>
  db
    .updateTable('campaigns')
    .set(({ ref }) => ({
      name: sql<string>`coalesce(${given.name}, ${ref('name')})`,
      scheduled_at_ms: sql<number>`coalesce(${given.scheduledAtMs}, ${ref('scheduled_at_ms')})`,
    }))
    .where('company_id', '=', given.companyId)
    .where('id', '=', given.id)
    .where('status', '=', 'SCHEDULED')
    .returning(columns),
);
