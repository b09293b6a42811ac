import { ask, askOne, type Steps } from '@hilo/stores';
import { statement } from './schema.ts';

const numberOf = statement()((db) => db.selectFrom('service_revision').select('number').where('id', '=', 1));

const grow = statement()((db) =>
  db
    .updateTable('service_revision')
    .set((eb) => ({ number: eb('number', '+', 1) }))
    .where('id', '=', 1),
);

/** Writes nothing new, and keeps the row: whoever wants to change it waits for the end of the transaction. */
const keep = statement<{ readonly number: number }>()((db, { number }) =>
  db.updateTable('service_revision').set({ number }).where('id', '=', 1).where('number', '=', number).returning('number'),
);

/** @returns a number that grows with each change of what processes keep in memory */
export function* readRevision(): Steps<number> {
  return (yield* askOne(numberOf, {}))?.number ?? 0;
}

/**
 * Makes the transaction one that starts from this revision, so that of two changes made at a time one sees the other.
 *
 * @returns whether nothing was changed since `readRevision` gave the number
 */
export function* holdRevision(number: number): Steps<boolean> {
  return (yield* askOne(keep, { number })) !== undefined;
}

/** Tells every process that companies, bots, keys or templates are others now; belongs into the transaction of the change. */
export function* growRevision(): Steps<void> {
  yield* ask(grow, {});
}
