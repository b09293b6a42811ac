// The port of runtimes that keep lanes elsewhere, and the cells that divide the lanes among engines.
import { HiloError } from '../contract/errors.ts';
import type { LaneAnswer, LaneCall } from '../lane/calls.ts';
import { isExecutionId } from '../machine/new-execution.ts';
import { slotOf, slotOfId } from '../machine/deterministic-ids.ts';

/**
 * Keeps lanes outside of this process and its store. There each lane has one writer, its timers fire, and its effects are started.
 * The engine reads executions, histories and users from its store, which such a runtime writes.
 */
export interface LaneRuntime {
  /**
   * Performs a call in its lane. Durable when the promise resolves, as far as the function promises it.
   *
   * @throws {HiloError} errors of the function; `STORE_UNAVAILABLE` when the outcome is unknown
   */
  accept<Call extends LaneCall>(lane: string, call: Call): Promise<LaneAnswer<Call>>;
  /** Serves lanes from now on. */
  start(): Promise<void>;
  stop(): Promise<void>;
  whenIdle(): Promise<void>;
  activity(): { readonly working: number; readonly blocked: number };
}

/** The cell that serves lanes which this engine does not serve. */
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

/** @throws {HiloError} `CELL_ELSEWHERE` for a lane of another cell: nothing was done */
export function refuseForeignLane({ cell }: { readonly cell: Cell | undefined }, lane: string): void {
  if (cell !== undefined) refuse(cell.elsewhere(slotOf(lane)));
}

/** @throws {HiloError} `CELL_ELSEWHERE` for an execution of another cell */
export function refuseForeignExecution({ cell }: { readonly cell: Cell | undefined }, executionId: string): void {
  if (cell !== undefined && isExecutionId(executionId)) refuse(cell.elsewhere(slotOfId(executionId)));
}

function refuse(other: OtherCell | undefined): void {
  if (other !== undefined) throw new HiloError('CELL_ELSEWHERE', { ...other });
}
