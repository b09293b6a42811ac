import type { Accepted, Contact, ExecutionRecord, ExecutionStore, Json } from '@hilo/engine/contract';
import { commitSteps } from './commit.ts';
import { recordOf } from './execution-row.ts';
import { historyRecords } from './history-body.ts';
import { contactRows, contactsNamed } from './statements/contacts.ts';
import { awaitingReply, awaitingSignal, dueWaits, earliestDue, executionOf, unsettledExecutions } from './statements/executions.ts';
import { historyOf } from './statements/histories.ts';
import { listPage } from './list-page.ts';
import { queuedRows } from './statements/queue.ts';
import { ask, askOne, type Runner, type Steps } from './statements/steps.ts';
import { keyOf, read, written } from './texts.ts';

/** The engine's {@link ExecutionStore} over a database. */
export const createExecutionStore = (runner: Runner): ExecutionStore => ({
  commit: (commit) =>
    runner.write(
      () => commitSteps(commit),
      ({ kind }) => kind === 'committed',
    ),
  load: (companyId, executionId) =>
    runner.read(function* () {
      return optionalRecord(yield* askOne(executionOf, { companyId: written(companyId), executionId: written(executionId) }));
    }),
  list: (companyId, filter) => runner.read(() => listPage(companyId, filter)),
  history: (companyId, executionId) =>
    runner.read(function* () {
      const rows = yield* ask(historyOf, { companyId: written(companyId), executionId: written(executionId) });
      return rows.flatMap(({ body }) => historyRecords(companyId, executionId, body));
    }),
  contact: (companyId, botId, ids) => runner.read(() => contactSteps(companyId, botId, ids)),
  awaitingReply: (companyId, botId, userId) =>
    runner.read(function* () {
      return optionalRecord(yield* askOne(awaitingReply, { companyId: written(companyId), botKey: keyOf(botId), userKey: keyOf(userId) }));
    }),
  awaitingSignal: (companyId, name, value) =>
    runner.read(function* () {
      return (yield* ask(awaitingSignal, { companyId: written(companyId), name: keyOf(name), value: keyOf(value) })).map(recordOf);
    }),
  due: (atMs, limit) =>
    runner.read(function* () {
      const rows = yield* ask(dueWaits, { atMs, limit });
      return rows.map(({ company_id, execution_id, lane, wait_id, due_at_ms }) => ({
        companyId: read(company_id),
        executionId: read(execution_id),
        lane: read(lane),
        waitId: read(wait_id ?? ''),
        dueAtMs: due_at_ms ?? atMs,
      }));
    }),
  nextDueMs: () =>
    runner.read(function* () {
      return (yield* askOne(earliestDue, {}))?.due_at_ms ?? undefined;
    }),
  queued: () =>
    runner.read(function* () {
      const rows = yield* ask(queuedRows, {});
      return rows.map(({ seq, company_id, lane, accepted_at_ms, accepted }) => ({
        seq,
        companyId: read(company_id),
        lane: read(lane),
        acceptedAtMs: accepted_at_ms,
        accepted: JSON.parse(accepted) as Accepted,
      }));
    }),
  unsettled: () =>
    runner.read(function* () {
      return (yield* ask(unsettledExecutions, {})).map(recordOf);
    }),
});

const optionalRecord = (row: Parameters<typeof recordOf>[0] | undefined): ExecutionRecord | undefined =>
  row === undefined ? undefined : recordOf(row);

function* contactSteps(companyId: string, botId: string, ids: readonly string[]): Steps<Contact | undefined> {
  for (const id of ids) {
    const named = yield* askOne(contactsNamed, { companyId: written(companyId), botId: written(botId), key: keyOf(id) });
    const aliases = [named?.by_phone, named?.by_bsuid].filter((found) => typeof found === 'number');
    const found = named?.by_user ?? (aliases.length === 0 ? undefined : Math.min(...aliases));
    if (found !== undefined) return yield* contactOf(found);
  }
  return undefined;
}

function* contactOf(id: number): Steps<Contact | undefined> {
  const rows = yield* ask(contactRows, { id });
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    botId: read(row.bot_id),
    userId: read(row.user_id),
    names: row.names === null ? null : read(row.names),
    phone: row.phone === null ? null : read(row.phone),
    bsuid: row.bsuid === null ? null : read(row.bsuid),
    windowUntilMs: row.window_until_ms,
    memory: Object.fromEntries(
      rows.flatMap(({ name, value, expires_at_ms }) =>
        name === null || value === null ? [] : [[read(name), { value: JSON.parse(value) as Json, expiresAtMs: expires_at_ms }] as const],
      ),
    ),
  };
}
