// A store in memory that simulated processes share.
import { createMemoryStore } from '@hilo/engine';
import {
  type Clock,
  type Commit,
  type ExecutionStore,
  HiloError,
  type Json,
  type LaneSet,
  type LeaseListener,
} from '@hilo/engine/contract';

/** A database that several processes share, in memory: each part of the lanes is one process's at a time, until its lease runs out. */
export interface SharedStore {
  /** The store as one more process has it. */
  connect(): StoreConnection;
  /** The store as no member sees it: for observation only. */
  readonly contents: ExecutionStore;
}

/** An execution store whose commits are judged by the membership at their request, however late they arrive. */
export interface SharedExecutionStore extends ExecutionStore {
  /** This process's number among the members; `undefined` while it has not joined. A store of one process has none. */
  me?(): number | undefined;
  /** @param requester - `me` at the request; as of its arrival, when left out */
  commit(commit: Commit, requester?: number): ReturnType<ExecutionStore['commit']>;
}

/** A process's connection. Its lease is renewed by itself as long as the process is not silent. */
export interface StoreConnection {
  readonly store: SharedExecutionStore;
  /** Routes notifications to the process through this function; without it they are delivered at once. */
  notifyBy(notify: (label: string, run: () => void) => void): void;
  /** The process hangs, is disconnected or dead: its lease is not renewed. */
  fallSilent(): void;
  /** The process is back; whether it was removed meanwhile it learns with its next call or heartbeat. */
  speak(): void;
  /** Ends the lease now, whatever the process does. */
  expire(): void;
}

/** Lease and answer times, and the callback for notifications. */
export interface SharedStoreOptions {
  /** How long a silent process keeps its lanes, in milliseconds; 10 s when left out. */
  readonly leaseMs?: number;
  /** How long the answer to a call is waited for that was left for another process, in milliseconds; 15 s when left out. */
  readonly answerMs?: number;
  /** Told of what several processes do to each other, for tests that look for rare states. */
  readonly onRare?: (state: 'zombie write refused' | 'lanes inherited' | 'lanes handed over' | 'call left for another') => void;
}

interface Member {
  readonly id: number;
  silentSinceMs: number | undefined;
  isLeaving: boolean;
  address: string | undefined;
  gain(parts: readonly number[]): void;
  giveUp(parts: readonly number[]): void;
  notify(label: string, run: (listener: LeaseListener) => void): void;
}

interface PostedCall {
  readonly lane: string;
  readonly call: Json;
  answer: ((answer: Json) => void) | undefined;
}

const defaultLeaseMs = 10_000;
/** Few enough that lanes move often. */
const parts = Array.from({ length: 8 }, (_, part) => part);
const defaultAnswerMs = 15_000;
/** When an unanswered call is announced again, in milliseconds. */
const againMs = 1_000;

const partOf = (lane: string): number => {
  let hash = 0;
  for (const letter of lane) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) | 0;
  return Math.abs(hash) % parts.length;
};

const laneSet = (some: readonly number[]): LaneSet => ({ has: (lane) => some.includes(partOf(lane)) });

/**
 * Creates a database shared by several processes, on the given clock.
 *
 * @example
 * const shared = createSharedStore(createVirtualClock());
 * const [one, other] = [shared.connect(), shared.connect()];
 */
export function createSharedStore(
  clock: Clock,
  { leaseMs = defaultLeaseMs, answerMs = defaultAnswerMs, onRare = () => {} }: SharedStoreOptions = {},
): SharedStore {
  const contents = createMemoryStore();
  const members = new Map<number, Member>();
  /** The member that owns each part, or owned it when it died; 0 when it was released. */
  const owners = parts.map(() => 0);
  const posted = new Set<PostedCall>();
  let lastId = 0;

  const ownerOf = (lane: string): Member | undefined => members.get(owners[partOf(lane)] ?? 0);
  const partsOf = (id: number): readonly number[] => parts.filter((part) => owners[part] === id);

  /** A heartbeat: removes members whose lease is over, takes this member's share, and releases what exceeds it. */
  const beat = (): void => {
    const nowMs = clock.now();
    const isOver = ({ silentSinceMs }: Member): boolean => silentSinceMs !== undefined && nowMs - silentSinceMs >= leaseMs;
    const living = [...members.values()].filter(({ silentSinceMs }) => silentSinceMs === undefined);
    if (living.length === 0) return; // without a live member none is removed
    for (const member of [...members.values()].filter(isOver)) members.delete(member.id);
    const share = Math.ceil(parts.length / members.size);
    for (const member of living) {
      const own = partsOf(member.id);
      const free = parts.filter((part) => !members.has(owners[part] ?? 0)).slice(0, Math.max(0, share - own.length));
      if (free.some((part) => owners[part] !== 0)) onRare('lanes inherited');
      for (const part of free) owners[part] = member.id;
      if (free.length > 0) member.gain(free);
      for (const call of posted) if (free.includes(partOf(call.lane))) deliver(call);
      if (own.length > share) member.giveUp(own.slice(share));
    }
  };

  const deliver = (one: PostedCall): void => {
    const again = (): void => void clock.setTimeout(() => posted.has(one) && deliver(one), againMs);
    const owner = ownerOf(one.lane);
    owner?.notify('onCall', (listener) => {
      listener.onCall(one.lane, one.call).then((answer) => {
        // A process that has lost the lane may answer by outdated knowledge.
        if (answer === undefined || ownerOf(one.lane) !== owner) again();
        else if (posted.delete(one)) one.answer?.(answer);
      }, again);
    });
  };

  const connect = (): StoreConnection => {
    let member: Member | undefined;
    let listener: LeaseListener | undefined;
    let notifyBy = (_label: string, run: () => void): void => run();
    /** Notifications to it that are not delivered yet, in order. */
    const pending: (() => void)[] = [];
    let [isSilent, isEntering] = [false, false];
    let address: string | undefined;
    /** The parts that this process believes to own. */
    const known = new Set<number>();

    const enter = (): void => {
      lastId += 1;
      const id = lastId;
      const notify: Member['notify'] = (label, run) => {
        pending.push(() => {
          if (listener !== undefined && member?.id === id) run(listener);
        });
        notifyBy(label, () => pending.shift()?.());
      };
      member = {
        id,
        silentSinceMs: isSilent ? clock.now() : undefined,
        isLeaving: false,
        address,
        notify,
        gain: (some) =>
          notify('onGained', (listener) => {
            for (const part of some) known.add(part);
            listener.onGained(laneSet(some));
          }),
        giveUp(some) {
          if (this.isLeaving) return;
          this.isLeaving = true;
          notify('onWanted', (listener) =>
            listener.onWanted(laneSet(some), () => {
              for (const part of some) known.delete(part);
              this.isLeaving = false;
              if (members.get(id) !== this) return;
              for (const part of some) owners[part] = 0;
              onRare('lanes handed over');
              beat();
            }),
          );
        },
      };
      members.set(id, member);
      if (isSilent) clock.setTimeout(beat, leaseMs);
      else beat();
    };
    /** Whether it was removed. Unless it is disconnected, it learns so here, and soon joins again. */
    const isLost = (): boolean => {
      if (member === undefined || members.get(member.id) === member) return false;
      const lost = member;
      if (!isSilent && !isEntering) {
        isEntering = true;
        void Promise.resolve().then(() => {
          isEntering = false;
          if (member !== lost) return; // it has left
          lost.notify('onLost', (listener) => {
            known.clear();
            listener.onLost();
            enter();
          });
        });
      }
      return true;
    };
    const unavailable = (): HiloError =>
      new HiloError('STORE_UNAVAILABLE', {
        reason: 'The lease of this process ran out, and others may have taken over: nothing was written',
      });
    const isOthers = (lane: string): boolean => member !== undefined && ownerOf(lane) !== member;
    const notifyOwners = ({ enqueue }: Commit): void => {
      for (const lane of new Set(enqueue.map((queued) => queued.lane)))
        if (isOthers(lane)) ownerOf(lane)?.notify(`onQueued ${lane}`, (listener) => listener.onQueued(lane));
    };

    const store: SharedExecutionStore = {
      ...contents,
      me: () => member?.id,
      async commit(commit, requester = member?.id) {
        // A process that was declared dead may have joined again since, without its earlier lanes.
        if (isLost() || requester !== member?.id || commit.saves.some(({ revision, lane }) => revision > 1 && isOthers(lane))) {
          onRare('zombie write refused');
          throw unavailable();
        }
        const committed = contents.commit(commit);
        if ((await committed).kind === 'committed') notifyOwners(commit);
        return committed;
      },
      async due(atMs, limit, fromMs, companyId) {
        isLost();
        const waits = await contents.due(atMs, Number.POSITIVE_INFINITY, fromMs, companyId);
        return waits.filter(({ lane }) => !isOthers(lane)).slice(0, limit);
      },
      async nextDueMs(fromMs) {
        isLost();
        const waits = await contents.due(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, fromMs);
        return waits.find(({ lane }) => !isOthers(lane))?.dueAtMs;
      },
      async unfinished(after, limit) {
        isLost();
        const all = await contents.unfinished(after, Number.POSITIVE_INFINITY);
        return all.filter(({ lane }) => !isOthers(lane)).slice(0, limit);
      },
      leases: {
        async join(told) {
          listener = told;
          enter();
          return async () => {
            if (member === undefined) return;
            for (const part of partsOf(member.id)) owners[part] = 0;
            members.delete(member.id);
            member = undefined;
            known.clear();
            beat();
          };
        },
        isOurs: (lane) => known.has(partOf(lane)),
        addressOf: (lane) => (isOthers(lane) ? ownerOf(lane)?.address : undefined),
        async advertise(at) {
          address = at;
          if (member !== undefined) member.address = at;
        },
        post(lane, call) {
          onRare('call left for another');
          const { promise, resolve, reject } = Promise.withResolvers<Json>();
          const one: PostedCall = { lane, call, answer: resolve };
          posted.add(one);
          deliver(one);
          if (!Number.isFinite(answerMs)) return promise;
          const timer = clock.setTimeout(() => {
            one.answer = undefined; // it may still be answered
            reject(new HiloError('STORE_UNAVAILABLE', { reason: 'Nobody answered in time' }));
          }, answerMs);
          return promise.finally(() => clock.clearTimeout(timer));
        },
      },
    };

    return {
      store,
      notifyBy(notify) {
        notifyBy = notify;
      },
      fallSilent() {
        isSilent = true;
        if (member === undefined) return;
        member.silentSinceMs ??= clock.now();
        clock.setTimeout(beat, leaseMs);
      },
      speak() {
        isSilent = false;
        if (member === undefined) return;
        member.silentSinceMs = undefined;
        clock.setTimeout(() => {
          isLost();
          beat();
        }, leaseMs / 3);
      },
      expire() {
        if (member === undefined || !members.delete(member.id)) return;
        beat();
      },
    };
  };

  return { connect, contents };
}
