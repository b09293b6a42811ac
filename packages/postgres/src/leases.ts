// Which process owns which lanes.
import type { Json, LaneSet, LeaseListener, Leases } from '@hilo/engine/contract';
import type { Pool } from 'pg';
import { encodeText } from '@hilo/stores';
import { fairShare, partitionOf } from '@hilo/stores/sql-kit';
import { createCallBox, createQueuedNotices } from './exchange.ts';
import { listen, type Listener } from './listener.ts';
import type { MemberQueries, Shares } from './member-queries.ts';
import type { Membership } from './membership.ts';
import { retry, unavailable } from './postgres-fault.ts';

/** The owners of lanes: this process's own as it knows them, others' as last read from the database. */
export interface PostgresLeases extends Leases {
  /** Notifies the owners of other lanes of items committed for them: after the commit, and outside of it. */
  notifyQueued(lanes: readonly string[]): void;
  /** Whether it is a member, or was: one that has left advances nothing, though its work may go on for a while. */
  hasJoined(): boolean;
  /** The epoch in which this process has a partition; -1, which none ever is, where it has it not. */
  epochOf(part: number): number;
  /** Joins as a visitor, if others are members: no lane becomes its own. @returns whether it is one */
  visit(): Promise<boolean>;
  /** Ends the membership, if there is one. */
  leave(): Promise<void>;
}

interface LeaseParts {
  readonly pool: Pool;
  readonly queries: MemberQueries;
  readonly membership: Membership;
  readonly listening: Omit<Parameters<typeof listen>[0], 'onNotice' | 'onGap'>;
  /** The age of accepted items whose notice may have been lost, in milliseconds. */
  readonly overdueMs: number;
}

/** Which lanes are ours, lost, gained or being released is decided in one place, and each change of it one after the other. */
export function createLeases({ pool, queries, membership, listening, overdueMs }: LeaseParts): PostgresLeases {
  const parts = createOwnParts();
  const { isOurs } = parts;
  let addresses: ReadonlyMap<number, string> = new Map();
  let listener: LeaseListener | undefined;
  let isVisitor = false;
  let hasJoined = false;
  let notices: Listener | undefined;
  const turns = createTurns();

  const notifyShares = async (): Promise<void> => void (await retry(() => pool.query(queries.notifyShares)));

  /** Takes free partitions, up to this process's share, and releases the excess. */
  const share = (): Promise<void> =>
    turns.run(async () => {
      const me = membership.me();
      if (me === 0) return;
      const { rows } = await retry(() => pool.query<Shares>(queries.share, [me]));
      const [shares] = rows;
      if (shares === undefined || listener === undefined || membership.me() !== me) return;
      addresses = new Map(shares.others);
      if (parts.keep(listener, shares)) pollCalls();
      const surplus = parts.surplus(fairShare(shares.living));
      if (surplus.length > 0) giveUp(listener, me, surplus);
    });

  const giveUp = (listener: LeaseListener, me: number, given: readonly number[]): void =>
    parts.giveUp(listener, given, (onKnown) => {
      turns
        .run(async () => {
          await retry(() => pool.query(queries.release, [me, given])).finally(onKnown);
          await notifyShares();
        })
        .catch(() => undefined); // they count as this process's again, and are released at a later heartbeat
    });

  const exchange = { pool, queries, membership, listener: () => listener, isOurs };
  const calls = createCallBox({ ...exchange, channel: listening.channel });
  const queued = createQueuedNotices(exchange, overdueMs);

  const pollCalls = (): void => void calls.poll().catch(() => undefined); // the next heartbeat polls again

  const onNotice = (notice: string): void => {
    const [kind, rest = ''] = split(notice);
    if (kind === 'queued') queued.receive(rest);
    else if (kind === 'shares')
      void share().catch(() => undefined); // the next heartbeat tries again
    else if (kind === 'call') pollCalls();
    else if (kind === 'answered') calls.collect();
  };

  /** Polls for items and calls whose notice may have been lost. */
  const onGap = (): void => {
    share()
      .then(() => Promise.all([queued.poll(), calls.poll()]))
      .catch(() => undefined); // the next heartbeat polls again
  };

  const leave = async (): Promise<void> => {
    if (listener === undefined) return;
    listener = undefined;
    parts.clear();
    await turns.ended();
    await notices?.close();
    await membership.leave();
    await notifyShares();
  };

  /** Becomes a member, which shares the lanes with the others from then on. */
  const enter = async (joined: LeaseListener): Promise<void> => {
    await membership.join({
      onLost() {
        parts.clear();
        joined.onLost();
      },
      onEntered: onGap,
      onBeat: async () => {
        await share();
        await Promise.all([queued.poll(), calls.poll(), notices?.check()]);
      },
    });
    hasJoined = true;
    await share();
    await notifyShares(); // the others release this process's share
  };

  return {
    async join(joined) {
      if (listener !== undefined) throw new Error('This store takes part already');
      listener = joined;
      try {
        notices = await listen({ ...listening, onNotice, onGap });
        if (!isVisitor) await enter(joined);
      } catch (error) {
        await leave();
        throw unavailable(error);
      }
      return leave;
    },
    async visit() {
      const { rows } = await retry(() => pool.query<{ readonly served: boolean }>(queries.isServed));
      isVisitor = rows[0]?.served ?? false;
      return isVisitor;
    },
    isOurs,
    hasJoined: () => hasJoined,
    epochOf: parts.epochOf,
    addressOf: (lane) => addresses.get(partOf(lane)),
    async advertise(address) {
      await membership.advertise(address);
      if (listener !== undefined) await notifyShares();
    },
    post: (lane, call: Json) => calls.post(lane, call),
    notifyQueued: queued.send,
    leave,
  };
}

const partOf = (lane: string): number => partitionOf(encodeText(lane));

const lanesOf = (parts: readonly number[]): LaneSet => {
  const set = new Set(parts);
  return { has: (lane) => set.has(partOf(lane)) };
};

/** The partitions of this process. */
function createOwnParts() {
  /** Each with its epoch. */
  const own = new Map<number, number>();
  /** Those of them that others are to have. */
  const leaving = new Set<number>();
  /** Partitions that this process has released and the database does not know yet: what it reports of them meanwhile is outdated. */
  const releasing = new Set<number>();

  return {
    isOurs: (lane: string): boolean => own.size > 0 && own.has(partOf(lane)),
    epochOf: (part: number): number => own.get(part) ?? -1,
    /** Those beyond a share that are not given up already. */
    surplus: (share: number): readonly number[] => [...own.keys()].filter((part) => !leaving.has(part)).slice(share),
    /** Adopts the partitions that the database assigns to this process. @returns whether there are new ones */
    keep(listener: LeaseListener, { ours }: Shares): boolean {
      const now = new Map(ours);
      const gone = [...own].filter(([part, epoch]) => now.get(part) !== epoch).map(([part]) => part);
      const gained = ours.filter(([part]) => !own.has(part) && !releasing.has(part));
      for (const [part, epoch] of gained) own.set(part, epoch);
      if (gained.length > 0) listener.onGained(lanesOf(gained.map(([part]) => part)));
      if (gone.length > 0) listener.onWanted(lanesOf(gone), () => gone.forEach((part) => own.delete(part))); // the table was changed from outside
      return gained.length > 0;
    },
    /** Gives partitions up once nothing is in progress in them. @param release - tells the database, and calls `onKnown` when it knows */
    giveUp(listener: LeaseListener, parts: readonly number[], release: (onKnown: () => void) => void): void {
      for (const part of parts) leaving.add(part);
      listener.onWanted(lanesOf(parts), () => {
        for (const part of parts) {
          own.delete(part);
          leaving.delete(part);
          releasing.add(part);
        }
        release(() => parts.forEach((part) => releasing.delete(part)));
      });
    },
    clear(): void {
      own.clear();
      leaving.clear();
    },
  };
}

/** Changes of ownership, one after the other. */
function createTurns() {
  let changing: Promise<unknown> = Promise.resolve();
  return {
    run<Result>(change: () => Promise<Result>): Promise<Result> {
      const changed = changing.then(change, change);
      changing = changed.catch(() => undefined);
      return changed;
    },
    ended: (): Promise<unknown> => changing,
  };
}

/** The first word, and the rest. */
function split(text: string): readonly [string, string?] {
  const end = text.indexOf(' ');
  return end === -1 ? [text] : [text.slice(0, end), text.slice(end + 1)];
}
