import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import { hasPartitions } from './partition.ts';

/**
 * In SQLite, the index of users' executions has this many of them together, 2,048, before it is ordered by users. A start writes into the
 * last such period, whose few pages the other starts of its group write too; in one order of all users it would change a page of its
 * own, which is more than its row. A user is looked up in each period: some 500 searches in a store of a million executions.
 *
 * PostgreSQL logs the entry and not its page, and keeps one order.
 */
export const periodBits = 11;

/** The executions of a user, as SQLite finds them: in the periods that are not empty, the newest first. */
const idsOfUser = (companyId: string, userKey: string): RawBuilder<number> => {
  const bits = sql.lit(periodBits);
  return sql`with recursive periods(number) as (
      select max(id) >> ${bits} from executions
      union all select (select max(id) >> ${bits} from executions where id < number << ${bits}) from periods where number is not null)
    select own.id from periods cross join executions as own
      where own.id >> ${bits} = periods.number and own.company_id = ${companyId} and own.user_key = ${userKey}`;
};

/** Whether a row of `executions` is a user's. */
export const isOfUser = (db: Pick<Database, 'getExecutor'>, companyId: string, userKey: string): RawBuilder<boolean> =>
  hasPartitions(db)
    ? sql`${sql.ref('executions.user_key')} = ${userKey}`
    : sql`${sql.ref('executions.id')} in (${idsOfUser(companyId, userKey)})`;
