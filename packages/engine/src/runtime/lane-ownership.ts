// Lanes of this process where several share a store: those that it gained, and calls that go to the owner of another.
import { HiloError } from '../contract/errors.ts';
import type { Json } from '../contract/json.ts';
import type { Awaitable, LaneSet, LeaseListener, Leases } from '../contract/store.ts';
import type { LaneAnswer, LaneCall, LaneReply } from '../lane/calls.ts';
import { type LaneClaims, LaneElsewhere } from './keyed-queue.ts';

/** Forwards calls to other processes directly. Without it calls go through the store, which takes longer. */
export interface Reach {
  /**
   * @param address - the other process's address
   * @returns its reply, or `elsewhere` when it does not own the lane
   * @throws when the outcome of the call is unknown
   */
  send(address: string, lane: string, call: LaneCall): Promise<LaneReply | 'elsewhere'>;
}

/** This process as a member of a shared store. It joins when it first works in a lane. */
export interface LaneOwnership extends LaneClaims {
  join(): Promise<void>;
  leave(): Promise<void>;
  /** Resolves when the unfinished work of gained lanes is queued: before any call on them. */
  whenReady(): Promise<void>;
  /**
   * Performs a call here if this process owns the lane, else forwards it to the owner.
   *
   * @param here - performs it when this process owns the lane
   * @param anywhere - performs it although another process owns the lane, which gets it from the store; nothing when only the owner can
   *   answer. `mayBeDone`: it was forwarded, and its outcome is unknown
   */
  call<Call extends LaneCall>(
    lane: string,
    call: Call,
    here: () => Awaitable<LaneAnswer<Call>>,
    anywhere: (keyed: Call, mayBeDone: boolean) => Promise<LaneAnswer<Call>> | undefined,
  ): Promise<LaneAnswer<Call>>;
}

interface Work extends Omit<LeaseListener, 'onGained' | 'onLost' | 'onCall'> {
  /** Recovers unfinished work of some lanes. @param onListed - called when it is listed, before it begins */
  recover(lanes: LaneSet, onListed: () => void): Promise<void>;
  /** Whether new work may begin in a lane. */
  takes(lane: string): boolean;
  lose(): void;
  takeHanded(lane: string, call: LaneCall): Promise<LaneReply | undefined>;
  /** A new unique key for a call. */
  newKey(): string;
  fault(error: unknown, doing: string): void;
}

/** Lanes that this process gained together. */
interface Gain {
  readonly lanes: LaneSet;
  /** Resolves when their unfinished work is queued; no task runs in them before. */
  readonly listed: Promise<void>;
  isListed: boolean;
}

export function createLaneOwnership(leases: Leases, reach: Reach | undefined, work: Work): LaneOwnership {
  let joined: Promise<() => Promise<void>> | undefined;
  const gains = createGains(work);

  const listener: LeaseListener = {
    onGained: gains.add,
    onWanted: work.onWanted,
    onQueued: work.onQueued,
    onCall: (lane, call) => work.takeHanded(lane, call as unknown as LaneCall),
    onLost() {
      gains.clear();
      work.lose();
    },
  };

  const join = (): Promise<() => Promise<void>> => {
    joined ??= leases.join(listener);
    joined.catch(() => (joined = undefined)); // the next call tries again
    return joined;
  };

  /** @returns the owner's reply; `undefined` when it no longer owns the lane or cannot be reached: see `mayBeDone` */
  const send = async (lane: string, call: LaneCall): Promise<{ readonly reply?: LaneReply; readonly mayBeDone: boolean }> => {
    const address = reach === undefined ? undefined : leases.addressOf(lane);
    if (reach === undefined || address === undefined) return { mayBeDone: false };
    try {
      const reply = await reach.send(address, lane, call);
      return reply === 'elsewhere' ? { mayBeDone: false } : { reply, mayBeDone: true };
    } catch {
      return { mayBeDone: true };
    }
  };

  return {
    isOurs: (lane) => leases.isOurs(lane) && (gains.find(lane)?.isListed ?? true),
    join: async () => void (await join()),
    async leave() {
      const leave = await joined;
      joined = undefined;
      await leave?.();
    },
    whenReady: gains.whenListed,
    async call(lane, call, here, anywhere) {
      await join();
      if (gains.areUnlisted()) await gains.whenListed();
      if (work.takes(lane)) {
        try {
          return await here();
        } catch (error) {
          if (!(error instanceof LaneElsewhere)) throw error;
        }
      }
      const keyed = addKey(call, work.newKey());
      const { reply, mayBeDone } = await send(lane, keyed);
      if (reply !== undefined) return readReply(reply);
      const accepted = anywhere(keyed, mayBeDone);
      if (accepted !== undefined) return accepted;
      return readReply((await leases.post(lane, keyed as unknown as Json)) as unknown as LaneReply);
    },
  };
}

/** Gains whose unfinished work is not known yet. */
function createGains({ recover, fault }: Pick<Work, 'recover' | 'fault'>) {
  /** Oldest first, from the first one whose unfinished work is not known yet. */
  let gains: Gain[] = [];

  /** The latest gain of a lane, among those: a lane may be lost, and gained again, before its work is listed for the first time. */
  const find = (lane: string): Gain | undefined => gains.findLast(({ lanes }) => lanes.has(lane));

  return {
    find,
    add(lanes: LaneSet): void {
      const { promise: listed, resolve } = Promise.withResolvers<void>();
      const gain: Gain = { lanes, listed, isListed: false };
      gains.push(gain);
      const onListed = (): void => {
        gain.isListed = true;
        const first = gains.findIndex(({ isListed }) => !isListed);
        gains = first === -1 ? [] : gains.slice(first);
        resolve();
      };
      // A lane that was lost and gained again is recovered by its latest gain: this list may be older than the loss.
      const latest: LaneSet = { has: (lane) => find(lane) === gain };
      recover(latest, onListed)
        .catch((error: unknown) => fault(error, 'recovering what no process has'))
        .finally(onListed);
    },
    areUnlisted: (): boolean => gains.length > 0,
    async whenListed(): Promise<void> {
      while (gains.length > 0) await Promise.all(gains.map(({ listed }) => listed));
    },
    clear(): void {
      gains = [];
    },
  };
}

/** Adds a unique key to a call, so that it has one consequence however often and by whichever way it arrives (P10). */
function addKey<Call extends LaneCall>(call: Call, key: string): Call {
  switch (call.type) {
    case 'start':
      return { ...call, keys: [...call.keys, `${call.origin.companyId}:call:${key}`] };
    case 'signal':
      return { ...call, keys: [...call.keys, `${call.companyId}:call:${key}`] };
    case 'resume':
      return { ...call, call: { ...call.call, idempotencyKey: call.call.idempotencyKey ?? `call ${key}` } };
    default:
      return call; // idempotent by itself: named, or without effect the second time
  }
}

/** @throws {HiloError} what the other process refused it with */
function readReply<Call extends LaneCall>(reply: LaneReply): LaneAnswer<Call> {
  if (reply.kind === 'answer') return reply.value as unknown as LaneAnswer<Call>;
  if (reply.kind === 'refused') throw new HiloError(reply.code, reply.details as never);
  throw new HiloError('STORE_UNAVAILABLE', { reason: 'The lane is busy' });
}
