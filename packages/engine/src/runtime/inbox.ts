// The accepted items of a lane, and when each has its turn.
import { describeThrown, isHiloError } from '../contract/errors.ts';
import type { InboxItem } from '../contract/store.ts';
import { dropPoison } from '../lane/decide-lane.ts';
import type { RoutedMessage } from '../lane/message-events.ts';
import type { EngineContext } from './context.ts';
import { ContextReads } from './lane-reads.ts';
import { retryWhileOwned } from './retry.ts';
import { takeInput, takeStep } from './take-input.ts';

/**
 * Gives the next accepted item of a lane its turn. The item is read from the store when the turn comes, since another process may have
 * accepted an earlier one and died. With a shared store, all items of the lane are processed.
 */
export function processNext(context: EngineContext, lane: string, what: { readonly isInternal: boolean }): void {
  if (context.ownership === undefined) giveTurn(context, lane, what);
  // Unfinished work of a lane that this process has just gained comes first.
  else
    context.ownership.whenReady().then(
      () => giveTurn(context, lane, what),
      () => undefined,
    );
}

function giveTurn(context: EngineContext, lane: string, { isInternal: isFirst }: { readonly isInternal: boolean }): void {
  if (isFirst)
    context.lanes.runFirst(lane, () => processNextItem(context, lane, true)).catch((error: unknown) => reportFault(context, lane, error));
  else if (context.ownership !== undefined) void processUntilNone(context, lane);
  else context.lanes.run(lane, () => processNextItem(context, lane, false)).catch((error: unknown) => reportFault(context, lane, error));
}

/**
 * Gives an accepted message its turn.
 *
 * @returns its outcome when its turn comes at once; `queued` when other work comes first, or the store has to be read again
 */
export async function processMessage(context: EngineContext, lane: string, seq: number): Promise<RoutedMessage | 'queued'> {
  const tried = Promise.withResolvers<RoutedMessage | 'queued'>();
  Promise.resolve(
    context.lanes.tryRun(lane, () =>
      processNextItem(context, lane, false, (taken) => tried.resolve(taken?.seq === seq ? taken.routed : 'queued')),
    ),
  )
    .then((ran) => {
      tried.resolve('queued');
      if (ran === undefined || context.ownership !== undefined) processNext(context, lane, { isInternal: false });
    })
    .catch((error: unknown) => {
      tried.resolve('queued');
      reportFault(context, lane, error);
    });
  return tried.promise;
}

/**
 * Gives all accepted items of a lane their turn: internal ones first, before everything else in the lane.
 *
 * @returns resolves when the first of the others was tried
 */
export function processAll(context: EngineContext, lane: string): Promise<void> {
  const internal = async (): Promise<void> => {
    while (await processNextItem(context, lane, true));
  };
  context.lanes.runFirst(lane, internal).catch((error: unknown) => reportFault(context, lane, error));
  return processUntilNone(context, lane);
}

/** Processes items one after the other; other tasks of the lane may run in between. @returns resolves when the first was tried */
function processUntilNone(context: EngineContext, lane: string): Promise<void> {
  const next = async (): Promise<void> => {
    if (await processNextItem(context, lane, false)) void processUntilNone(context, lane);
  };
  return context.lanes.run(lane, next).catch((error: unknown) => reportFault(context, lane, error));
}

const reportFault = (context: EngineContext, lane: string, error: unknown): void =>
  context.events.emit('engine.fault', { error, while: `processing accepted items of lane ${lane}` });

/**
 * Processes the next accepted item. The commit of its consequence also removes it from the queue.
 *
 * @param onTried - called after the first try with the item and the outcome of a message; with nothing for other items and failures
 * @returns whether there was one
 */
async function processNextItem(
  context: EngineContext,
  lane: string,
  onlyInternal: boolean,
  onTried?: (taken?: { readonly seq: number; readonly routed: RoutedMessage }) => void,
): Promise<boolean> {
  let item: InboxItem | undefined;
  let reads: ContextReads | undefined;
  let isKept = false;
  const take = async (): Promise<void> => {
    try {
      reads = undefined;
      item = await context.store.nextQueued(lane, onlyInternal ? { isInternal: true } : undefined);
      if (item === undefined) return onTried?.();
      reads = new ContextReads(context, item.companyId, context.clock.now());
      const { step } = await takeInput(
        context,
        lane,
        item.companyId,
        { type: 'turn' },
        { item, reads, blocks: context.lanes.blocks(lane) },
      );
      isKept = step.keptFor !== undefined;
      if (step.keptFor !== undefined) keepBlocked(context, lane, step.keptFor);
      onTried?.(step.routed === undefined ? undefined : { seq: item.seq, routed: step.routed });
    } catch (error) {
      onTried?.();
      throw error;
    }
  };
  try {
    await retryWhileOwned(context, lane, `processing accepted items of lane ${lane}`, take);
  } catch (error) {
    if (item === undefined) throw error;
    reportFault(context, lane, error);
    // The nodes of this release cannot run the version of its execution: it is held, and what it receives is kept for one that can.
    if (isHiloError(error, 'INVALID_CANVAS')) {
      context.crashTracker.clear(lane);
      return false;
    }
    await setAside(context, item, describeThrown(error), reads);
  }
  if (isKept) {
    // Its turn comes again when the execution has moved on; so does that of what queues behind it (P9).
    context.lanes.run(lane, () => processNextItem(context, lane, false)).catch((error: unknown) => reportFault(context, lane, error));
    return false;
  }
  if (item === undefined || !context.lanes.isOurs(lane)) return false; // the process that owns the lane now recovers what is left
  context.crashTracker.clear(lane);
  return true;
}

/** Blocks a lane until an execution moves on, although its hold has ended by its time. */
function keepBlocked({ lanes }: EngineContext, lane: string, executionId: string): void {
  const block = lanes.blockOf(lane, executionId);
  if (block !== undefined) lanes.block(lane, executionId, { ...block, untilMs: Number.POSITIVE_INFINITY, hold: undefined });
}

/**
 * Removes an item that cannot be processed; where it cannot be quarantined either, it is dropped.
 *
 * @param reads - of the turn that failed: what it tried is not tried again
 */
async function setAside(context: EngineContext, item: InboxItem, reason: string, reads: ContextReads | undefined): Promise<void> {
  const { lane, companyId } = item;
  const input = { type: 'poison', reason, isRepeated: false } as const;
  try {
    await retryWhileOwned(context, lane, 'quarantining what cannot be processed', () =>
      takeInput(context, lane, companyId, input, { item, ...(reads !== undefined && { reads: reads.again(context.clock.now()) }) }),
    );
  } catch (error) {
    if (item.accepted.kind !== 'message' || !context.lanes.isOurs(lane)) throw error;
    reportFault(context, lane, error);
    await retryWhileOwned(context, lane, 'removing what cannot be quarantined', () =>
      takeStep(context, lane, companyId, input, dropPoison(item)),
    );
  }
}
