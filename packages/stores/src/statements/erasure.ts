import type { Selectable } from 'kysely';
import type { Tables } from '../schema/row-types.ts';
import { isInPart } from './partition.ts';
import type { EndedExecution } from './retention.ts';
import { statement } from './statement.ts';
import { isOfUser } from './users-executions.ts';

/** An execution that is to be erased. */
export type ErasedExecution = EndedExecution & Pick<Selectable<Tables['executions']>, 'status'>;

/** Executions of a user, open or not, the oldest first. */
export const executionsOfUser = statement<{
  readonly companyId: string;
  readonly userKey: string;
  readonly afterId: number;
  readonly limit: number;
}>()<ErasedExecution>((db, { companyId, userKey, afterId, limit }) =>
  db
    .selectFrom('executions')
    .select(['executions.id', 'company_id', 'execution_id', 'lane', 'status'])
    .where('company_id', '=', companyId)
    .where(isOfUser(db, companyId, userKey))
    .where('executions.id', '>', afterId)
    .orderBy('executions.id')
    .limit(limit),
);

/** Removes an execution, whatever its status is. */
export const deleteExecution = statement<EndedExecution>()((db, given) =>
  db
    .deleteFrom('executions')
    .where(isInPart(db, given.lane))
    .where('company_id', '=', given.company_id)
    .where('execution_id', '=', given.execution_id)
    .returning('id'),
);

type Lane = { readonly lane: string };

/** What waits in a lane. */
export const deleteQueue = statement<Lane>()((db, { lane }) =>
  db.deleteFrom('queue').where(isInPart(db, lane)).where('lane', '=', lane).returning('seq'),
);

/** What was set aside of a lane, since it could not be read. */
export const deleteSetAside = statement<Lane & { readonly companyId: string }>()((db, { companyId, lane }) =>
  db.deleteFrom('set_aside').where('company_id', '=', companyId).where('lane', '=', lane).returning('seq'),
);

/** How often a lane was recovered. */
export const deleteTakeUps = statement<Lane>()((db, { lane }) =>
  db.deleteFrom('take_ups').where(isInPart(db, lane)).where('lane', '=', lane).returning('count'),
);

/** Delivery ids of a company by their keys, behind one of them. */
export const seenAfter = statement<{ readonly after: string; readonly before: string; readonly limit: number }>()((db, given) =>
  db
    .selectFrom('seen')
    .select(['key', 'answer'])
    .where('key', '>', given.after)
    .where('key', '<', given.before)
    .orderBy('key')
    .limit(given.limit),
);

/** Forgets a delivery id. */
export const deleteSeenKey = statement<{ readonly key: string }>()((db, { key }) =>
  db.deleteFrom('seen').where(isInPart(db, key)).where('key', '=', key).returning('key'),
);
