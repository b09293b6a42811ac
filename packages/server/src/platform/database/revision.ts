// The revision of the configuration, by which processes see that it has changed.
import { asCondition, type Call, integer, type Runner } from '@hilo/stores';
import { query } from './schema.ts';

const selectNumber = query({}, { number: integer() }, (db) => db.selectFrom('service_revision').select('number').where('id', '=', 1));

const grow = query({}, {}, (db) =>
  db
    .updateTable('service_revision')
    .set((eb) => ({ number: eb('number', '+', 1) }))
    .where('id', '=', 1),
);

/** Locks the row without changing it: other writers wait for the end of the transaction. */
const keep = query({ number: integer() }, {}, (db, { number }) =>
  db.updateTable('service_revision').set({ number }).where('id', '=', 1).where('number', '=', number).returning('number'),
);

/** @returns a number that grows with each change of what processes keep in memory */
export const readRevision = async (runner: Pick<Runner, 'readOne'>): Promise<number> =>
  (await runner.readOne(selectNumber({})))?.number ?? 0;

/**
 * A condition for optimistic concurrency: the write that it belongs to fails when the configuration has changed since `readRevision`
 * returned this number.
 */
export const holdRevision = (number: number): Call => asCondition(keep({ number }));

/** Makes every process read companies, bots, keys and templates again; part of the transaction that changes them. */
export const growRevision = (): Call => grow({});
