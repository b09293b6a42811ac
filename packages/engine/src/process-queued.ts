import { advanceExecution } from './advance-execution.ts';
import type { Queued } from './contract/store.ts';
import type { Kernel } from './kernel.ts';
import { tell } from './tell.ts';
import { setAside } from './set-aside.ts';
import { routeMessage } from './route-message.ts';
import { madeProgress } from './made-progress.ts';
import { inTurn } from './in-turn.ts';

/**
 * Gives the next accepted thing of a lane its turn. Which one that is, the store says when the turn has come: another
 * process may have accepted something before, and have died since. Of a shared store, all that is there has its turn.
 */
export function processNext(kernel: Kernel, lane: string, { isInternal: isFirst }: { readonly isInternal: boolean }): void {
  if (!isFirst && kernel.membership !== undefined) return processUntilNone(kernel, lane);
  const turn = isFirst ? kernel.lanes.runFirst : kernel.lanes.run;
  turn(lane, () => takeNext(kernel, lane, isFirst)).catch((error: unknown) => tellFault(kernel, lane, error));
}

/** Gives all that was accepted for a lane its turn: what is internal at once, before all else. */
export function processAll(kernel: Kernel, lane: string): void {
  const internal = async (): Promise<void> => {
    while (await takeNext(kernel, lane, true));
  };
  kernel.lanes.runFirst(lane, internal).catch((error: unknown) => tellFault(kernel, lane, error));
  processUntilNone(kernel, lane);
}

/** One after the other; what comes meanwhile has turns in between. */
function processUntilNone(kernel: Kernel, lane: string): void {
  const next = async (): Promise<void> => {
    if (await takeNext(kernel, lane, false)) processUntilNone(kernel, lane);
  };
  kernel.lanes.run(lane, next).catch((error: unknown) => tellFault(kernel, lane, error));
}

const tellFault = (kernel: Kernel, lane: string, error: unknown): void =>
  tell(kernel, 'engine.fault', { error, while: `processing what was accepted for lane ${lane}` });

/** What the next accepted thing leads to removes it from the queue, in the same commit. @returns whether there was one */
async function takeNext(kernel: Kernel, lane: string, onlyInternal: boolean): Promise<boolean> {
  let taken: Queued | undefined;
  const take = async (): Promise<void> => {
    taken = await kernel.store.nextQueued(lane, onlyInternal ? { isInternal: true } : undefined);
    if (taken !== undefined) await consequence(kernel, taken);
  };
  try {
    await inTurn(kernel, lane, `processing what was accepted for lane ${lane}`, take);
  } catch (error) {
    const poison = taken;
    if (poison === undefined) throw error;
    tellFault(kernel, lane, error);
    await inTurn(kernel, lane, `setting aside what cannot be processed`, () => setAside(kernel, poison, reasonOf(error)));
  }
  if (taken === undefined || !kernel.lanes.isOurs(lane)) return false; // whoever has the lane now takes up what is left
  madeProgress(kernel, lane);
  return true;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function consequence(kernel: Kernel, queued: Queued): Promise<unknown> {
  const { companyId, accepted } = queued;
  switch (accepted.kind) {
    case 'start':
    case 'child.start':
      return advanceExecution(
        kernel,
        companyId,
        accepted.executionId,
        () => ({ type: 'execution.started', entry: accepted.entry, trigger: accepted.trigger }),
        { queued },
      );
    case 'message':
      return routeMessage(kernel, queued, accepted);
    case 'child.ended':
      return advanceExecution(
        kernel,
        companyId,
        accepted.executionId,
        () => ({ type: 'child.ended', waitId: accepted.waitId, result: accepted.result }),
        { queued },
      );
  }
}
