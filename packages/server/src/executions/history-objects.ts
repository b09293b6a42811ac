// Whose histories the files of the history outbox have, and the files beside them that say which are to be deleted, since their person was
// erased: a tombstone names an object or the lines in it, and no person.
import { createHash } from 'node:crypto';
import type { Clock } from '@hilo/engine/contract';
import type { Call, DurableStore, Ended, Runner } from '@hilo/stores';
import { erasedExecutions, historyObjects } from '../platform/tables/erasure.ts';
import type { HistoryPlace } from './history-place.ts';

/** The user of an execution. */
export interface HistoryOwner {
  readonly companyId: string;
  readonly userId: string;
}

const objectsOf = historyObjects.read(['object'], { userKey: historyObjects.columns.userKey }, (rows, { userKey }) =>
  rows.where('user_key', '=', userKey).orderBy('object'),
);

/** The files of the history outbox with histories of a person, with the place of the outbox. */
export async function readObjects(
  runner: Runner,
  { companyId, userIds }: { readonly companyId: string; readonly userIds: readonly string[] },
): Promise<readonly string[]> {
  const found = await runner.readEach(userIds.map((userId) => objectsOf({ companyId, userKey: userId })));
  return [...new Set(found.flat().map(({ object }) => object))].toSorted();
}

/** Notes whose histories a file has. */
export const noteObject = (object: string, users: readonly HistoryOwner[]): readonly Call[] =>
  historyObjects.insertMissing([
    ...new Map(users.map((user) => [JSON.stringify([user.companyId, user.userId]), { ...user, object }])).values(),
  ]);

/** What a tombstone says. */
export interface Tombstone {
  readonly companyId: string;
  /** Absent where a file was written while its person was erased. */
  readonly contactId?: string;
  readonly erasedAt: string;
  /** Files with histories of the person: they are to be deleted. */
  readonly objects: readonly string[];
  /** The lines of these executions alone, where it says so. */
  readonly executionIds?: readonly string[];
}

/** Writes a tombstone beside the histories. The same name replaces it. */
export const writeTombstone = (place: HistoryPlace, name: string, tombstone: Tombstone, signal: AbortSignal): Promise<void> =>
  place.put(`erasures/${name}.json`, Buffer.from(`${JSON.stringify({ type: 'erasure', ...tombstone }, null, 2)}\n`), signal);

/** Says of a file that was just written which of its executions were erased meanwhile. */
export async function buryErased(
  {
    store: { runner },
    place,
    clock,
    signal,
  }: {
    readonly store: Pick<DurableStore, 'runner'>;
    readonly place: HistoryPlace;
    readonly clock: Pick<Clock, 'now'>;
    readonly signal: AbortSignal;
  },
  object: string,
  written: readonly Pick<Ended, 'companyId' | 'executionId'>[],
): Promise<void> {
  const found = await runner.readEach(written.map(({ companyId, executionId }) => erasedExecutions.find({ companyId, executionId })));
  const erased = Map.groupBy(
    written.filter((_one, index) => found[index]?.length === 1),
    ({ companyId }) => companyId,
  );
  for (const [companyId, executions] of erased) {
    const name = createHash('sha256')
      .update(JSON.stringify([companyId, object]))
      .digest('hex')
      .slice(0, 32);
    const executionIds = executions.map(({ executionId }) => executionId);
    await writeTombstone(
      place,
      name,
      { companyId, erasedAt: new Date(clock.now()).toISOString(), objects: [object], executionIds },
      signal,
    );
  }
}
