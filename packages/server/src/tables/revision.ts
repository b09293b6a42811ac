import { ask, askOne, type Steps } from '@hilo/stores';
import { statement } from './statement.ts';

const numberOf = statement()((db) => db.selectFrom('service_revision').select('number').where('id', '=', 1));

const grow = statement()((db) =>
  db
    .updateTable('service_revision')
    .set((eb) => ({ number: eb('number', '+', 1) }))
    .where('id', '=', 1),
);

/** @returns a number that grows with each change of what processes keep in memory */
export function* readRevision(): Steps<number> {
  return (yield* askOne(numberOf, {}))?.number ?? 0;
}

/** Tells every process that companies, bots, keys or templates are others now; belongs into the transaction of the change. */
export function* growRevision(): Steps<void> {
  yield* ask(grow, {});
}
