import { follow } from './advance-execution.ts';
import { commitFor, commitInTurn } from './commit-in.ts';
import type { CompiledCanvas } from './canvas/compile.ts';
import { HiloError } from './contract/errors.ts';
import type { Origin, Trigger } from './contract/execution.ts';
import type { Commit, Committed, Queued } from './contract/store.ts';
import type { Kernel } from './kernel.ts';
import { laneOf, type NewlyAccepted, newExecution, newExecutionId } from './new-execution.ts';
import { planAdvance } from './plan-advance.ts';
import { surroundings } from './surroundings.ts';

/** Eight days: providers repeat deliveries for seven (P10). */
export const seenForMs = 8 * 86_400_000;

/** A start, ready to be accepted. */
export interface AcceptedStart {
  readonly origin: Origin;
  readonly canvas: CompiledCanvas;
  readonly version: number | 'draft';
  readonly entry: string;
  /** Delivery ids that make a repetition the same start. */
  readonly keys: readonly string[];
  readonly trigger: (executionId: string) => Trigger;
  /** The queued message this start is the consequence of. */
  readonly dequeue?: readonly number[];
  /** What the start makes known of its user. */
  readonly contacts?: Commit['contacts'];
}

/** What callers get to know. */
export interface Started {
  readonly executionId: string;
}

/** Commits a start: at once with its first advance where its lane is free, else with its turn in the lane. */
export async function acceptStart(kernel: Kernel, start: AcceptedStart): Promise<Started> {
  const executionId = newExecutionId(kernel);
  const lane = laneOf(start.origin, executionId);
  const started = await kernel.lanes.tryRun(lane, () => startInTurn(kernel, start, executionId));
  if (started !== undefined) return started.result;

  const record = await newlyAccepted(kernel, start, executionId, lane);
  const { entry, trigger, origin } = start;
  const queued: Omit<Queued, 'seq'> = {
    companyId: origin.companyId,
    lane,
    acceptedAtMs: record.record.createdAtMs,
    accepted: { kind: 'start', executionId, entry, trigger: trigger(executionId) },
  };
  const committed = await commitFor(kernel, lane, {
    saves: [record.record],
    history: [record.history],
    enqueue: [queued],
    ...beside(kernel, start, executionId),
  });
  if (committed.kind === 'committed') kernel.processNext(lane, { isInternal: false });
  return answer(committed, executionId);
}

/** Commits a start together with its first advance. For who has the lane's turn already. */
export async function startInTurn(kernel: Kernel, start: AcceptedStart, executionId = newExecutionId(kernel)): Promise<Started> {
  const { record, history } = await newlyAccepted(kernel, start, executionId, laneOf(start.origin, executionId));
  const before = { ...record, revision: 0 };
  const { moved, ...advance } = await planAdvance(
    kernel,
    before,
    { type: 'execution.started', entry: start.entry, trigger: start.trigger(executionId) },
    { isNew: true },
  );
  const { contacts, ...more } = beside(kernel, start, executionId);
  const committed = await commitInTurn(kernel, record.lane, {
    ...advance,
    ...more,
    contacts: [...contacts, ...advance.contacts],
    history: [history, ...advance.history],
  });
  if (committed.kind === 'committed') follow(kernel, moved, advance.enqueue);
  return answer(committed, executionId);
}

/** An execution as it is accepted, made of what surrounds it now. */
export async function newlyAccepted(
  kernel: Kernel,
  { origin, version, canvas }: Pick<AcceptedStart, 'origin' | 'version' | 'canvas'>,
  executionId: string,
  lane: string,
): Promise<NewlyAccepted> {
  const atMs = kernel.clock.now();
  const variables = await surroundings(kernel, origin, atMs);
  return newExecution(kernel, { executionId, rootId: executionId, origin, depth: 0, lane, version, canvas, variables, atMs });
}

/** What the commit of a start holds beside the execution. */
const beside = ({ clock }: Kernel, { keys, dequeue = [], contacts = [] }: AcceptedStart, executionId: string) => ({
  dequeue,
  contacts,
  ...(keys.length === 0 ? {} : { seen: { keys, untilMs: clock.now() + seenForMs, answer: { executionId } } }),
});

function answer(committed: Committed, executionId: string): Started {
  if (committed.kind === 'duplicate') return committed.answer as unknown as Started;
  if (committed.kind === 'conflict') throw new HiloError('STORE_CONFLICT', { executionId });
  return { executionId };
}
