// Removes what is past its retention, in small transactions.
import { setImmediate as turn } from 'node:timers/promises';
import type { Pruned, Retention } from './durable-store.ts';
import { call, type Runner } from './statements/call.ts';
import { deleteExpiredHeld } from './statements/held-signals.ts';
import {
  companyPage,
  deleteEnded,
  deleteExported,
  deleteHistory,
  deleteSeen,
  deleteSeenBetween,
  type EndedBefore,
  type EndedExecution,
  endedExecutions,
  exportedExecutions,
  seenPage,
} from './statements/retention.ts';
import { encodeList } from './statements/row-list.ts';
import { encodeText } from './text-encoding.ts';

/** How much is removed in one transaction: others are served in between. */
const batch = 500;

/** Removes expired delivery ids. @returns how many */
export type ForgetSeen = (runner: Runner, nowMs: number) => Promise<number>;

/** Finds expired delivery ids by their end: for a database that has an index of it. */
export const forgetByEnd: ForgetSeen = (runner, nowMs) => removeInBatches(() => removeSeen(runner, nowMs));

/**
 * Looks at all delivery ids, in the order of their keys: in SQLite an index of their ends would be written for each of them, which costs
 * more than to read them now and then.
 */
export const forgetByKey: ForgetSeen = async (runner, nowMs) => {
  let removed = 0;
  for (let after = ''; ; ) {
    const page = await runner.readOne(call(seenPage, { after, limit: batch }));
    if (page === undefined || page.last === null) return removed;
    const { last, earliest } = page;
    if (earliest <= nowMs) {
      const deleting = call(deleteSeenBetween, { after, last, nowMs });
      removed += (await runner.write([deleting])).rowsOf(deleting).length;
    }
    after = last;
    await turn();
  }
};

/** Removes executions that ended long enough ago, with their histories, expired delivery ids, and signals that were held long enough. */
export async function prune(
  runner: Runner,
  { nowMs, completedForMs, failedForMs, onlyExported = false, exceptCompanies = [] }: Retention,
  forgetSeen: ForgetSeen,
): Promise<Pruned> {
  const keptMs = { completed: completedForMs, cancelled: completedForMs, expired: completedForMs, failed: failedForMs };
  const ended = onlyExported ? exportedExecutions : endedExecutions;
  const except = encodeList(exceptCompanies.map((companyId) => [encodeText(companyId)]));
  let executions = 0;
  for (const [status, keptForMs] of Object.entries(keptMs))
    executions += await removeInBatches(() => removeEnded(runner, ended, { status, untilMs: nowMs - keptForMs, except, limit: batch }));
  await removeInBatches(() => removeHeld(runner, nowMs));
  return { executions, seen: await forgetSeen(runner, nowMs) };
}

/**
 * Removes the executions of one company that ended before an instant. They are read in the order in which they began, which is before they
 * ended: those that began later are not looked at.
 *
 * @returns how many
 */
export async function pruneEndedOf(
  runner: Runner,
  { companyId, untilMs, onlyExported }: { readonly companyId: string; readonly untilMs: number; readonly onlyExported: boolean },
): Promise<number> {
  let removed = 0;
  for (let after = 0; ; ) {
    const page = await runner.read(call(companyPage, { companyId: encodeText(companyId), after, limit: batch }));
    const ended = page.filter(
      ({ ended_at_ms: endedAtMs, exported }) => endedAtMs !== null && endedAtMs <= untilMs && (!onlyExported || exported !== null),
    );
    if (ended.length > 0) removed += await removeRows(runner, ended, untilMs);
    const last = page.at(-1);
    if (last === undefined || page.length < batch || last.created_at_ms > untilMs) return removed;
    after = last.id;
    await turn();
  }
}

/** @param remove - removes a batch; returns how many it found and how many it removed */
async function removeInBatches(remove: () => Promise<{ readonly found: number; readonly removed: number }>): Promise<number> {
  let removed = 0;
  for (;;) {
    const part = await remove();
    removed += part.removed;
    if (part.found < batch || part.removed === 0) return removed;
  }
}

async function removeHeld(runner: Runner, nowMs: number) {
  const deleting = call(deleteExpiredHeld, { nowMs, limit: batch });
  const { length } = (await runner.write([deleting])).rowsOf(deleting);
  return { found: length, removed: length };
}

async function removeSeen(runner: Runner, nowMs: number) {
  const deleting = call(deleteSeen, { nowMs, limit: batch });
  const { length } = (await runner.write([deleting])).rowsOf(deleting);
  return { found: length, removed: length };
}

/** Each is checked again in the statement that removes it, so that no open execution is removed, and its history only with it. */
async function removeEnded(runner: Runner, select: typeof endedExecutions, given: EndedBefore) {
  const ended = await runner.read(call(select, given));
  return { found: ended.length, removed: await removeRows(runner, ended, given.untilMs) };
}

async function removeRows(runner: Runner, ended: readonly EndedExecution[], untilMs: number): Promise<number> {
  const rows = ended.map(({ id, company_id, execution_id, lane }) => ({ id, company_id, execution_id, lane }));
  const deleting = rows.map((one) => call(deleteEnded, { ...one, untilMs }));
  const leftOver = rows.flatMap((one) => [call(deleteHistory, one), call(deleteExported, one)]);
  const { rowsOf } = await runner.write([...deleting, ...leftOver]);
  return deleting.filter((one) => rowsOf(one).length > 0).length;
}
