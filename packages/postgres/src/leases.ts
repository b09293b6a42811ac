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

export function createLeases({ pool, queries, membership, listening, overdueMs }: LeaseParts): PostgresLeases {
  /** The partitions of this process, with the epoch of each. */
  const own = new Map<number, number>();
  /** Those of them that others are to have. */
  const leaving = new Set<number>();
  /** Partitions that this process has released and the database does not know yet: what it reports of them meanwhile is outdated. */
  const releasing = new Set<number>();
  let addresses: ReadonlyMap<number, string> = new Map();
  let listener: LeaseListener | undefined;
  let isVisitor = false;
  let hasJoined = false;
  let notices: Listener | undefined;
  /** Changes of ownership are serialised. */
  let changing: Promise<unknown> = Promise.resolve();

  const partOf = (lane: string): number => partitionOf(encodeText(lane));
  const isOurs = (lane: string): boolean => own.size > 0 && own.has(partOf(lane));
  const createSet = (parts: readonly number[]): LaneSet => {
    const set = new Set(parts);
    return { has: (lane) => set.has(partOf(lane)) };
  };

  const runInTurn = <Result>(change: () => Promise<Result>): Promise<Result> => {
    const changed = changing.then(change, change);
    changing = changed.catch(() => undefined);
    return changed;
  };

  const notifyShares = async (): Promise<void> => void (await retry(() => pool.query(queries.notifyShares)));

  /** Takes free partitions, up to this process's share, and releases the excess. */
  const share = (): Promise<void> =>
    runInTurn(async () => {
      const me = membership.me();
      if (me === 0) return;
      const { rows } = await retry(() => pool.query<Shares>(queries.share, [me]));
      const [shares] = rows;
      if (shares === undefined || listener === undefined || membership.me() !== me) return;
      addresses = new Map(shares.others);
      keep(listener, shares);
      const surplus = [...own.keys()].filter((part) => !leaving.has(part)).slice(fairShare(shares.living));
      if (surplus.length > 0) giveUp(listener, me, surplus);
    });

  /** Adopts the partitions that the database assigns to this process. */
  const keep = (listener: LeaseListener, { ours }: Shares): void => {
    const now = new Map(ours);
    const gone = [...own].filter(([part, epoch]) => now.get(part) !== epoch).map(([part]) => part);
    const gained = ours.filter(([part]) => !own.has(part) && !releasing.has(part));
    for (const [part, epoch] of gained) own.set(part, epoch);
    if (gained.length > 0) listener.onGained(createSet(gained.map(([part]) => part)));
    if (gained.length > 0) pollCalls();
    if (gone.length > 0) listener.onWanted(createSet(gone), () => gone.forEach((part) => own.delete(part))); // the table was changed from outside
  };

  const giveUp = (listener: LeaseListener, me: number, parts: readonly number[]): void => {
    for (const part of parts) leaving.add(part);
    listener.onWanted(createSet(parts), () => {
      for (const part of parts) {
        own.delete(part);
        leaving.delete(part);
        releasing.add(part);
      }
      runInTurn(async () => {
        await retry(() => pool.query(queries.release, [me, parts])).finally(() => parts.forEach((part) => releasing.delete(part)));
        await notifyShares();
      }).catch(() => undefined); // they count as this process's again, and are released at a later heartbeat
    });
  };

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
    own.clear();
    leaving.clear();
    await changing;
    await notices?.close();
    await membership.leave();
    await notifyShares();
  };

  return {
    async join(joined) {
      if (listener !== undefined) throw new Error('This store takes part already');
      listener = joined;
      try {
        notices = await listen({ ...listening, onNotice, onGap });
        if (isVisitor) return leave;
        await membership.join({
          onLost() {
            own.clear();
            leaving.clear();
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
    epochOf: (part) => own.get(part) ?? -1,
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

/** The first word, and the rest. */
function split(text: string): readonly [string, string?] {
  const end = text.indexOf(' ');
  return end === -1 ? [text] : [text.slice(0, end), text.slice(end + 1)];
}
