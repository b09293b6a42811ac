import { createMemoryStore } from '@hilo/engine';
import { type Clock, type Commit, type ExecutionStore, HiloError, type LeaseListener } from '@hilo/engine/contract';

/** A database that several processes share, in memory: one process's at a time is each lane, until its lease runs out. */
export interface SharedStore {
  /** The store as one more process has it. */
  connect(): StoreConnection;
  /** The store as nobody's: it takes part in nothing and sees everything. */
  readonly contents: ExecutionStore;
  /** The lanes that are somebody's, and whether that process is still a member. */
  lanes(): readonly { readonly lane: string; readonly owner: number; readonly isOwned: boolean }[];
}

/** A process's connection. Its lease is renewed by itself as long as the process is not silent. */
export interface StoreConnection {
  readonly store: ExecutionStore;
  /** The process hangs, is cut off or dead: its lease is renewed no more. */
  fallSilent(): void;
  /** The process is heard of again; whether it was removed meanwhile it learns with its next call, or its next heartbeat. */
  speak(): void;
  /** The lease ends now, whatever the process does. */
  expire(): void;
}

/** How long processes are waited for, and who is told. */
export interface SharedStoreOptions {
  /** How long a silent process keeps what is its own, in milliseconds; 10 s when left out. */
  readonly leaseMs?: number;
  /** Told of what several processes do to each other, for tests that look for rare states. */
  readonly onRare?: (state: 'zombie write refused' | 'lane inherited' | 'lane refused' | 'wanted lane freed') => void;
}

interface Member {
  readonly id: number;
  readonly listener: LeaseListener;
  silentSinceMs: number | undefined;
}

interface LaneRow {
  owner: number;
  /** It was a dead process's, and the owner has not been told. */
  isInherited: boolean;
  readonly wanted: Set<Member>;
}

const defaultLeaseMs = 10_000;

/**
 * Makes a database for several processes, by the clock that it is given.
 *
 * @example
 * const shared = createSharedStore(createVirtualClock());
 * const [one, other] = [shared.connect(), shared.connect()];
 */
export function createSharedStore(clock: Clock, { leaseMs = defaultLeaseMs, onRare = () => {} }: SharedStoreOptions = {}): SharedStore {
  const contents = createMemoryStore();
  const members = new Map<number, Member>();
  const lanes = new Map<string, LaneRow>();
  let lastId = 0;

  /** What another living process has: not free for this one. */
  const isOthers = (lane: string, member: Member | undefined): boolean => {
    const row = lanes.get(lane);
    return row !== undefined && row.owner !== member?.id && members.has(row.owner);
  };

  /** Makes a lane this member's, who has it from nobody or from a dead one. */
  const take = (lane: string, { id }: Member): void => {
    const row = lanes.get(lane);
    if (row === undefined) lanes.set(lane, { owner: id, isInherited: false, wanted: new Set() });
    else if (row.owner !== id) {
      row.owner = id;
      row.isInherited = true;
    }
  };

  const free = (lane: string, { wanted }: LaneRow): void => {
    for (const member of wanted) if (members.get(member.id) === member) member.listener.onFree(lane);
    if (wanted.size > 0) onRare('wanted lane freed');
    wanted.clear();
  };

  const remove = (member: Member): void => {
    if (!members.delete(member.id)) return;
    for (const [lane, row] of lanes) if (row.owner === member.id) free(lane, row);
    for (const { listener } of members.values()) listener.onOrphans();
  };

  /** What every living process does with each heartbeat: removes those whose lease is over. Nobody alive, nobody removed. */
  const sweep = (): void => {
    const nowMs = clock.now();
    const isOver = ({ silentSinceMs }: Member): boolean => silentSinceMs !== undefined && nowMs - silentSinceMs >= leaseMs;
    const all = [...members.values()];
    if (all.some(({ silentSinceMs }) => silentSinceMs === undefined)) for (const member of all.filter(isOver)) remove(member);
  };

  const connect = (): StoreConnection => {
    let member: Member | undefined;
    let [isSilent, isEntering] = [false, false];

    const enter = (listener: LeaseListener): void => {
      lastId += 1;
      member = { id: lastId, listener, silentSinceMs: isSilent ? clock.now() : undefined };
      members.set(lastId, member);
      if (isSilent) clock.setTimeout(sweep, leaseMs);
      else sweep();
    };
    /** Whether it was removed. Unless nothing is heard of it any more, it learns so, and soon takes part anew. */
    const isLost = (): boolean => {
      if (member === undefined || members.get(member.id) === member) return false;
      const lost = member;
      if (!isSilent && !isEntering) {
        isEntering = true;
        void Promise.resolve().then(() => {
          isEntering = false;
          enter(lost.listener);
          lost.listener.onLost();
        });
      }
      return true;
    };
    const unavailable = (): HiloError =>
      new HiloError('STORE_UNAVAILABLE', {
        reason: 'The lease of this process ran out, and others may have taken over: nothing was written',
      });
    const tellOwners = ({ enqueue }: Commit): void => {
      for (const lane of new Set(enqueue.map((queued) => queued.lane)))
        if (isOthers(lane, member)) members.get(lanes.get(lane)?.owner ?? 0)?.listener.onQueued(lane);
    };
    const release = (lane: string): void => {
      const row = lanes.get(lane);
      if (row === undefined || row.owner !== member?.id) return;
      lanes.delete(lane);
      free(lane, row);
    };

    const store: ExecutionStore = {
      ...contents,
      async commit(commit) {
        // Whoever was taken for dead may have come back since, without the lanes it had.
        if (isLost() || commit.saves.some(({ revision, lane }) => revision > 1 && isOthers(lane, member))) {
          onRare('zombie write refused');
          throw unavailable();
        }
        const committed = contents.commit(commit);
        if ((await committed).kind === 'committed') tellOwners(commit);
        return committed;
      },
      async due(atMs, limit) {
        isLost();
        const waits = await contents.due(atMs, Number.POSITIVE_INFINITY);
        const ours = waits.filter(({ lane }) => !isOthers(lane, member)).slice(0, limit);
        if (member !== undefined) for (const { lane } of ours) take(lane, member);
        return ours;
      },
      async nextDueMs() {
        isLost();
        const waits = await contents.due(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
        return waits.find(({ lane }) => !isOthers(lane, member))?.dueAtMs;
      },
      async unfinished(after, limit) {
        isLost();
        const all = await contents.unfinished(after, Number.POSITIVE_INFINITY);
        return all.filter(({ lane }) => !isOthers(lane, member)).slice(0, limit);
      },
      leases: {
        async join(listener) {
          enter(listener);
          return async () => {
            if (member === undefined) return;
            const left = member;
            for (const [lane, { owner }] of lanes) if (owner === left.id) release(lane);
            member = undefined;
            remove(left);
          };
        },
        async claim(lane) {
          if (isLost()) throw unavailable();
          if (member === undefined) throw new Error('Whoever claims a lane takes part first: call `join`');
          if (isOthers(lane, member)) {
            lanes.get(lane)?.wanted.add(member);
            onRare('lane refused');
            return 'refused';
          }
          take(lane, member);
          const row = lanes.get(lane);
          if (row?.isInherited !== true) return 'claimed';
          row.isInherited = false;
          onRare('lane inherited');
          return 'inherited';
        },
        async release(lane) {
          if (!isLost()) release(lane);
        },
      },
    };

    return {
      store,
      fallSilent() {
        isSilent = true;
        if (member === undefined) return;
        member.silentSinceMs ??= clock.now();
        clock.setTimeout(sweep, leaseMs);
      },
      speak() {
        isSilent = false;
        if (member === undefined) return;
        member.silentSinceMs = undefined;
        clock.setTimeout(() => {
          isLost();
          sweep();
        }, leaseMs / 3);
      },
      expire() {
        if (member !== undefined) remove(member);
      },
    };
  };

  return {
    connect,
    contents,
    lanes: () => [...lanes].map(([lane, { owner }]) => ({ lane, owner, isOwned: members.has(owner) })),
  };
}
