// How a company leaves a store, and what becomes of it then. Each step is one transaction.
import { asCondition, call, hasOthers, type Runner } from '@hilo/stores';
import { growRevision } from '../../platform/database/revision.ts';
import { notFound } from '../../platform/http/errors.ts';
import { keepTokenKeys } from '../../platform/secrets/token-keys.ts';
import { pause } from '../../platform/waiting.ts';
import { type FileRow, writeCompanyFile } from './company-file.ts';
import type { Fence } from './fence.ts';
import { conflict, type Move, type MoveRow, nameStage, newId, notLeft } from './move-records.ts';
import { beginMove, companyExists, countLines, countMoved, dropStages, inHand, linesAfter, redirectMove, stepMove } from './move-sql.ts';
import type { MovingParts } from './moving-parts.ts';
import { openCompany } from './open-company.ts';

/** What becomes of companies that leave. */
export interface Departures {
  /**
   * Takes a company out of service: closes it, waits for work in progress, and moves its rows to where they are exported from. Repeated, it
   * continues where it was interrupted.
   *
   * @throws {HttpError} 404 for an unknown company, 409 where it cannot leave
   */
  leave(companyId: string): Promise<Move>;
  /** The lines of its file; the same each time. @throws {HttpError} 409 where it has not left */
  file(companyId: string): Promise<AsyncIterable<string>>;
  /** Sends its callers elsewhere (421) from now on. @throws {HttpError} 409 where it has not left */
  redirect(companyId: string, to: { readonly cell: string; readonly url: string }): Promise<Move>;
  /** Takes it back into service, where its callers have not been sent elsewhere. @throws {HttpError} 409 */
  cancel(companyId: string): Promise<Move>;
  /** Removes what is left of it, down to the bytes of a SQLite file. @throws {HttpError} 409 where it has not left */
  forget(companyId: string): Promise<Move>;
}

/** How long work in progress may take to end, before it is interrupted as by a crash. */
const drainMs = 10_000;
/** How often the store is asked whether work in progress has ended. */
const lookMs = 100;
/** Within this time every process has read that a company is closed. */
const toldMs = 2_000;

export function createDepartures(parts: MovingParts, fence: Fence): Departures {
  const { store, records, rows, refresh, refuseMoves, fileKey, tables, tokenKeys, vault, endGrants } = parts;
  const { runner } = store;

  return {
    async leave(companyId) {
      refuseMoves();
      const { moveId, state } = await closeCompany(parts, companyId);
      await refresh();
      if (state === 'left') return records.show(companyId);
      if (state === 'gone') throw notFound('COMPANY_NOT_FOUND', `Company ${companyId} has left, and was forgotten`);
      const step = (before: string, next: string) => asCondition(stepMove({ companyId, moveId, before, state: next }));
      if (state === 'closing') {
        await drain(parts, companyId);
        await runner.write([step('closing', 'fenced'), ...fence.raise]);
      }
      const stage = nameStage(moveId);
      await runner.write([
        step('fenced', 'packing'),
        dropStages({ companyId, but: '' }),
        ...keepTokenKeys(tokenKeys, vault, companyId),
        ...rows.pack({ companyId, stage }),
        countMoved({ companyId, stage }),
        step('packing', 'left'),
        growRevision(),
      ]);
      await refresh();
      return records.show(companyId);
    },
    async file(companyId) {
      const { moveId, number } = await records.requireLeft(companyId);
      return writeCompanyFile({ companyId, moveId, number }, readPages(runner, nameStage(moveId)), fileKey, tables);
    },
    async redirect(companyId, { cell, url }) {
      await records.requireLeft(companyId);
      await runner.write([asCondition(redirectMove({ companyId, cell, url })), growRevision()]);
      await refresh();
      return records.show(companyId);
    },
    async cancel(companyId) {
      const row = await records.find(companyId);
      if (row?.state === 'left') {
        if (row.url !== null) throw conflict('MOVE_REFUSED', `Company ${companyId} is at ${row.url}: move it back from there`);
        const counts = await runner.read(countLines({ stage: nameStage(row.moveId) }));
        const count = counts.reduce((sum, one) => sum + one.count, 0);
        await openCompany(parts, row, { stage: nameStage(row.moveId), count, fromState: 'left' });
      } else if (row?.state === 'closing' || row?.state === 'fenced') {
        await runner.write([asCondition(stepMove({ companyId, moveId: row.moveId, before: row.state, state: 'here' })), growRevision()]);
        await refresh();
      } else if (row?.state !== 'here') throw notLeft(companyId);
      return records.show(companyId);
    },
    async forget(companyId) {
      const { moveId } = await records.requireLeft(companyId);
      const step = (before: string, next: string) => asCondition(stepMove({ companyId, moveId, before, state: next }));
      await runner.write([
        step('left', 'packing'),
        ...rows.removeStaying(companyId),
        ...(await endGrants(companyId)),
        dropStages({ companyId, but: '' }),
        step('packing', 'gone'),
        growRevision(),
      ]);
      if ((await records.all()).every(({ state }) => state !== 'left' && state !== 'fenced')) await runner.write(fence.remove);
      await store.rewrite?.(); // a database keeps the bytes of removed rows: whom it is asked to erase elsewhere would be found here
      await refresh();
      return records.show(companyId);
    },
  };
}

/** Closes a company; nothing where it is closed already. */
async function closeCompany({ store: { runner }, records, random }: MovingParts, companyId: string): Promise<MoveRow> {
  const row = await records.find(companyId);
  if (row !== undefined && row.state !== 'here') return row;
  if ((await runner.readOne(companyExists({ companyId }))) === undefined)
    throw notFound('COMPANY_NOT_FOUND', `There is no company ${companyId}`);
  const closing = { companyId, moveId: newId(random), number: (row?.number ?? 0) + 1, state: 'closing', fromState: 'here' };
  await runner.write([asCondition(beginMove(closing)), growRevision()]);
  const begun = await records.find(companyId);
  if (begun === undefined) throw conflict('MOVE_REFUSED', `Company ${companyId} was moved meanwhile: look at it, and repeat the command`);
  return begun;
}

/** Waits until no work of a company is in progress, or until `drainMs` have passed. */
async function drain({ store, clock }: MovingParts, companyId: string): Promise<void> {
  if (hasOthers(store)) await pause(clock, toldMs);
  for (let waitedMs = 0; waitedMs < drainMs; waitedMs += lookMs) {
    const [row] = await store.runner.read(call(inHand, { companyId, nowMs: clock.now() }));
    if (!row?.is_in_hand) return;
    await pause(clock, lookMs);
  }
}

async function* readPages(runner: Pick<Runner, 'read'>, stage: string): AsyncGenerator<readonly FileRow[]> {
  for (let after = 0; ; ) {
    const page = await runner.read(linesAfter({ stage, after }));
    const last = page.at(-1);
    if (last === undefined) return;
    yield page.map(({ kind, number, line }) => [kind, number ?? null, line] as const);
    after = last.id;
  }
}
