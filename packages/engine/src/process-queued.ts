import { advanceExecution } from './advance-execution.ts';
import type { Queued } from './contract/store.ts';
import type { Kernel } from './kernel.ts';

import { setAside } from './set-aside.ts';
import type { RoutedMessage } from './engine-events.ts';
import { routeMessage } from './route-message.ts';
import { madeProgress } from './made-progress.ts';
import { inTurn } from './in-turn.ts';

/**
 * Gives the next accepted thing of a lane its turn. Which one that is, the store says when the turn has come: another
 * process may have accepted something before, and have died since. Of a shared store, all that is there has its turn.
 */
export function processNext(kernel: Kernel, lane: string, { isInternal: isFirst }: { readonly isInternal: boolean }): void {
  if (isFirst) kernel.lanes.runFirst(lane, () => takeNext(kernel, lane, true)).catch((error: unknown) => tellFault(kernel, lane, error));
  else if (kernel.membership !== undefined) processUntilNone(kernel, lane);
  else kernel.lanes.run(lane, () => takeNext(kernel, lane, false)).catch((error: unknown) => tellFault(kernel, lane, error));
}

/**
 * Gives an accepted message its turn.
 *
 * @returns what came of it, where its turn is now; `queued` where something is before it, or the store has to be asked again
 */
export async function processMessage(kernel: Kernel, lane: string, seq: number): Promise<RoutedMessage | 'queued'> {
  const tried = Promise.withResolvers<RoutedMessage | 'queued'>();
  kernel.lanes
    .tryRun(lane, () => takeNext(kernel, lane, false, (taken) => tried.resolve(taken?.seq === seq ? taken.routed : 'queued')))
    .then((ran) => {
      tried.resolve('queued');
      if (ran === undefined || kernel.membership !== undefined) processNext(kernel, lane, { isInternal: false });
    })
    .catch((error: unknown) => {
      tried.resolve('queued');
      tellFault(kernel, lane, error);
    });
  return tried.promise;
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
  kernel.events.emit('engine.fault', { error, while: `processing what was accepted for lane ${lane}` });

/**
 * What the next accepted thing leads to removes it from the queue, in the same commit.
 *
 * @param onTried - told after the first try what was taken and, of a message, what came of it; nothing when it failed
 * @returns whether there was one
 */
async function takeNext(
  kernel: Kernel,
  lane: string,
  onlyInternal: boolean,
  onTried?: (taken?: { readonly seq: number; readonly routed: RoutedMessage }) => void,
): Promise<boolean> {
  let taken: Queued | undefined;
  const take = async (): Promise<void> => {
    try {
      taken = await kernel.store.nextQueued(lane, onlyInternal ? { isInternal: true } : undefined);
      const routed = taken === undefined ? undefined : await consequence(kernel, taken);
      onTried?.(taken === undefined || routed === undefined ? undefined : { seq: taken.seq, routed });
    } catch (error) {
      onTried?.();
      throw error;
    }
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

/** @returns what came of a message; nothing of what an execution is told */
async function consequence(kernel: Kernel, queued: Queued): Promise<RoutedMessage | undefined> {
  const { companyId, accepted } = queued;
  switch (accepted.kind) {
    case 'start':
    case 'child.start':
      await advanceExecution(
        kernel,
        companyId,
        accepted.executionId,
        () => ({ type: 'execution.started', entry: accepted.entry, trigger: accepted.trigger }),
        { queued },
      );
      return undefined;
    case 'message':
      return routeMessage(kernel, queued, accepted);
    case 'child.ended':
      await advanceExecution(
        kernel,
        companyId,
        accepted.executionId,
        () => ({ type: 'child.ended', waitId: accepted.waitId, result: accepted.result }),
        { queued },
      );
      return undefined;
    case 'event':
      await advanceExecution(
        kernel,
        companyId,
        accepted.executionId,
        ({ state: { status, wait } }) =>
          status === 'waiting' && wait?.id === accepted.waitId
            ? { type: 'signal.received', waitId: wait.id, payload: accepted.payload }
            : undefined,
        { queued },
      );
      return undefined;
  }
}
