// Takes a company into service whose rows are staged here: one that arrives, or that has not left after all.
import { asCondition, type DurableStore } from '@hilo/stores';
import { growRevision } from '../../platform/database/revision.ts';
import type { FileHeader } from './company-file.ts';
import { beginMove, draftIds, dropStages, type RowMoves, stageHas, stepMove } from './move-sql.ts';

interface OpeningParts {
  readonly store: Pick<DurableStore, 'runner' | 'canvases'>;
  readonly rows: RowMoves;
  /** Reads companies again. */
  readonly refresh: () => Promise<void>;
}

/**
 * Writes what is staged into the tables, and ends the move: all in one transaction.
 *
 * @param fromState - the state that the move is in; `here` where the company never left from here
 * @returns whether it was written: the stage has so many rows, and nobody moved the company meanwhile
 */
export async function openCompany(
  { store: { runner, canvases }, rows: { removeStaying, unpack }, refresh }: OpeningParts,
  { companyId, moveId, number }: FileHeader,
  { stage, count, fromState }: { readonly stage: string; readonly count: number; readonly fromState: string },
): Promise<boolean> {
  const returns = fromState !== 'here';
  const { failed } = await runner.write([
    asCondition(beginMove({ companyId, moveId, number, state: 'packing', fromState })),
    stageHas(stage, count),
    ...(returns ? removeStaying(companyId) : []),
    ...unpack({ companyId, stage }),
    asCondition(stepMove({ companyId, moveId, before: 'packing', state: 'here' })),
    dropStages({ companyId, but: '' }),
    growRevision(),
  ]);
  if (failed !== undefined) return false;
  const ids = await runner.read(draftIds({ companyId }));
  for (const { workflowId } of ids) canvases.forget(companyId, workflowId); // it may have been here before
  await refresh();
  return true;
}
