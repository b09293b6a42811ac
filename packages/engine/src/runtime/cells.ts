import { HiloError } from '../contract/errors.ts';
import { isExecutionId } from '../machine/new-execution.ts';
import { slotOf, slotOfId } from '../machine/slots.ts';

/** Where lanes are served that this engine does not serve. */
export interface OtherCell {
  readonly cell: string;
  readonly url: string;
}

/** The slots that an engine serves, where several divide the users among stores of their own. */
export interface Cell {
  /** The other cell that serves a slot; none where it is this engine's own. */
  elsewhere(slot: number): OtherCell | undefined;
  /** One of the slots that are this engine's own. @param draw - 0 to 1, without 1 */
  slotAt(draw: number): number;
}

interface Served {
  readonly cell: Cell | undefined;
}

/** @throws {HiloError} `CELL_ELSEWHERE` for a lane of another cell: nothing was done */
export function refuseForeignLane({ cell }: Served, lane: string): void {
  if (cell !== undefined) refuse(cell.elsewhere(slotOf(lane)));
}

/** @throws {HiloError} `CELL_ELSEWHERE` for an execution of another cell */
export function refuseForeignExecution({ cell }: Served, executionId: string): void {
  if (cell !== undefined && isExecutionId(executionId)) refuse(cell.elsewhere(slotOfId(executionId)));
}

function refuse(other: OtherCell | undefined): void {
  if (other !== undefined) throw new HiloError('CELL_ELSEWHERE', { ...other });
}
