import { describeThrown, HiloError, isHiloError } from '../contract/errors.ts';
import type { InboxItem } from '../contract/store.ts';
import type { InboxEvent } from '../contract/event.ts';
import type { LaneEvent } from '../machine/decide.ts';
import { finalStatuses, isAtWork } from '../machine/lifecycle.ts';
import { advance, dropItem } from './advance.ts';
import type { EngineContext } from './context.ts';
import type { RoutedMessage } from './events.ts';
import { deadLetter, drop } from './quarantine.ts';
import { retryWhileOwned } from './retry.ts';
import { type FoundStart, routeMessage } from './route-message.ts';

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
  let taken: InboxItem | undefined;
  let isKept = false;
  let found: FoundStart | undefined;
  const take = async (): Promise<void> => {
    try {
      found = undefined;
      taken = await context.store.nextQueued(lane, onlyInternal ? { isInternal: true } : undefined);
      isKept = taken !== undefined && (await staysKept(context, taken));
      if (isKept) return onTried?.();
      const routed = taken === undefined ? undefined : await processItem(context, taken, (start) => (found = start));
      onTried?.(taken === undefined || routed === undefined ? undefined : { seq: taken.seq, routed });
    } catch (error) {
      onTried?.();
      throw error;
    }
  };
  try {
    await retryWhileOwned(context, lane, `processing accepted items of lane ${lane}`, take);
  } catch (error) {
    const item = taken;
    if (item === undefined) throw error;
    reportFault(context, lane, error);
    // The nodes of this release cannot run the version of its execution: it is held, and what it receives is kept for one that can.
    if (isHiloError(error, 'INVALID_CANVAS')) {
      context.crashTracker.clear(lane);
      return false;
    }
    try {
      await retryWhileOwned(context, lane, 'quarantining what cannot be processed', () =>
        deadLetter(context, item, describeThrown(error), found),
      );
    } catch (again) {
      if (item.accepted.kind !== 'message' || !context.lanes.isOurs(lane)) throw again;
      reportFault(context, lane, again);
      await retryWhileOwned(context, lane, 'removing what cannot be quarantined', () => drop(context, item));
    }
  }
  if (isKept) {
    // Its turn comes again when the execution has moved on; so does that of what queues behind it (P9).
    context.lanes.run(lane, () => processNextItem(context, lane, false)).catch((error: unknown) => reportFault(context, lane, error));
    return false;
  }
  if (taken === undefined || !context.lanes.isOurs(lane)) return false; // the process that owns the lane now recovers what is left
  context.crashTracker.clear(lane);
  return true;
}

/**
 * Whether a message that came while a node held its user is still kept: the execution is on its way to its next wait, also after the hold
 * has ended by its time (RET-06). Then its lane is blocked until that execution moves on.
 */
async function staysKept(context: EngineContext, { companyId, lane, accepted }: InboxItem): Promise<boolean> {
  if (accepted.kind !== 'message' || accepted.keptBy === undefined) return false;
  const worker = await findAtWork(context, companyId, accepted.keptBy);
  const block = worker === undefined ? undefined : context.lanes.blockOf(lane, worker);
  if (worker === undefined || block === undefined) return false;
  context.lanes.block(lane, worker, { ...block, untilMs: Number.POSITIVE_INFINITY, hold: undefined });
  return true;
}

/** The execution of a family that is on its way to a wait, begun from one of its members; none where they wait or have ended. */
async function findAtWork(context: EngineContext, companyId: string, executionId: string): Promise<string | undefined> {
  const found = await context.store.load(companyId, executionId);
  if (found === undefined) return undefined;
  const { parent, state } = found;
  if (finalStatuses.has(state.status)) return parent === undefined ? undefined : findAtWork(context, companyId, parent.executionId);
  const childId = state.wait?.childId;
  const child = childId === undefined ? undefined : await context.store.load(companyId, childId);
  if (child !== undefined && !finalStatuses.has(child.state.status)) return findAtWork(context, companyId, child.executionId);
  return isAtWork(state) ? executionId : undefined;
}

/**
 * @param onFound - told the start that a message matches, as soon as the starts were tried
 * @returns the outcome of a message; nothing for other events
 */
async function processItem(
  context: EngineContext,
  item: InboxItem,
  onFound: (start: FoundStart) => void,
): Promise<RoutedMessage | undefined> {
  const { companyId, accepted } = item;
  if (accepted.kind === 'message') return routeMessage(context, item, accepted, onFound);
  try {
    await advance(context, { companyId, executionId: accepted.executionId }, createLaneEvent(accepted), { item });
  } catch (error) {
    // A kept request that the execution refuses has no caller any more who could be told.
    const isRefusal = error instanceof HiloError && error.status < 500 && error.code !== 'INVALID_CANVAS';
    if (accepted.kind !== 'webhook' || !isRefusal) throw error;
    context.events.emit('engine.fault', { error, while: `applying a kept request to execution ${accepted.executionId}` });
    await dropItem(context, item);
  }
  return undefined;
}

function createLaneEvent(accepted: Exclude<InboxEvent, { readonly kind: 'message' }>): LaneEvent {
  switch (accepted.kind) {
    case 'start':
    case 'child.start':
      return { type: 'execution.started', entry: accepted.entry, trigger: accepted.trigger };
    case 'child.ended':
      return { type: 'child.ended', waitId: accepted.waitId, result: accepted.result };
    case 'webhook':
      return { type: 'webhook', executionId: accepted.named, nodeId: accepted.nodeId, request: accepted.request };
    case 'event':
      return { type: 'signal.received', waitId: accepted.waitId, payload: accepted.payload };
  }
}
