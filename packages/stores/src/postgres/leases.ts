import type { LeaseListener, Leases } from '@hilo/engine/contract';
import type { Pool } from 'pg';
import { storeUnavailable } from '../store-error.ts';
import { read, written } from '../text-encoding.ts';
import { retry } from './retry.ts';
import { batchLoader } from './batch-loader.ts';
import type { LeaseQuestions } from './lease-questions.ts';
import { listen, type Listener } from './listener.ts';
import { type Membership, takenForDead } from './membership.ts';
import { isFromServer } from './postgres-fault.ts';

type Claimed = 'claimed' | 'inherited' | 'refused';

/** Whose the lanes are, asked of the database, and heard from other processes. */
export interface PostgresLeases extends Leases {
  claimAll(lanes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Ends taking part, if it does. */
  leave(): Promise<void>;
}

interface Surroundings {
  readonly pool: Pool;
  readonly questions: LeaseQuestions;
  readonly membership: Membership;
  readonly listening: Omit<Parameters<typeof listen>[0], 'onNotice' | 'onGap'>;
}

export function createLeases({ pool, questions, membership, listening }: Surroundings): PostgresLeases {
  /** Lanes that were claimed in vain, and not told of since. */
  const wanted = new Set<string>();
  /** Lanes that are being asked for; a notice that comes meanwhile is newer than the answer. */
  const asking = new Map<string, { isFreed: boolean }>();
  /** Lanes of the dead that were made this process's because something in them is due. */
  const inherited = new Set<string>();
  let listener: LeaseListener | undefined;
  let ear: Listener | undefined;

  /** @returns the rows of the lanes, and whether it had to be asked again: then it may have happened before */
  const askFor = async (me: number, lanes: readonly string[]) => {
    let isRepeated = false;
    const { rows } = await retry(async () => {
      try {
        return await pool.query<ClaimRow>(questions.claim, [me, JSON.stringify(lanes.map(written))]);
      } catch (error) {
        isRepeated ||= !isFromServer(error);
        throw error;
      }
    });
    return { isRepeated, byLane: new Map(rows.map((row) => [read(row.lane), row])) };
  };

  const claimAsked = async (lanes: readonly string[]): Promise<readonly Claimed[]> => {
    const me = await membership.joined();
    const { isRepeated, byLane } = await askFor(me, lanes);
    if (byLane.size === 0) {
      membership.lose(me);
      throw storeUnavailable(takenForDead);
    }
    return lanes.map((lane) => {
      const row = byLane.get(lane);
      if (row?.ours !== true) {
        if (asking.get(lane)?.isFreed === true) setImmediate(() => listener?.onFree(lane));
        else wanted.add(lane);
        return 'refused';
      }
      wanted.delete(lane);
      // Whose it was before the first time is forgotten by the second.
      return row.inherited === true || isRepeated ? 'inherited' : 'claimed';
    });
  };

  const claim = batchLoader(async (lanes: readonly string[]) => {
    for (const lane of lanes) asking.set(lane, { isFreed: false });
    try {
      return await claimAsked(lanes);
    } finally {
      for (const lane of lanes) asking.delete(lane);
    }
  });

  const release = batchLoader(async (lanes: readonly string[]) => {
    const me = membership.me();
    if (me !== 0) await retry(() => pool.query(questions.release, [me, JSON.stringify(lanes.map(written))]));
    return lanes.map(() => undefined);
  });

  /** Tells of lanes that became free without a notice. */
  const lookAtWanted = async (): Promise<void> => {
    if (wanted.size === 0) return;
    const { rows } = await pool.query<{ readonly lane: string }>(questions.free, [JSON.stringify([...wanted].map(written))]);
    for (const { lane } of rows) tellFree(read(lane));
  };

  const tellFree = (lane: string): void => {
    const asked = asking.get(lane);
    if (asked !== undefined) asked.isFreed = true;
    else if (wanted.delete(lane)) listener?.onFree(lane);
  };

  const onOrphans = (): void => {
    listener?.onOrphans();
    lookAtWanted().catch(() => undefined); // the next beat looks again
  };

  const onNotice = (notice: string): void => {
    const [kind, rest = ''] = split(notice);
    if (kind === 'free') tellFree(read(rest));
    else if (kind === 'orphans') onOrphans();
    else if (kind === 'queued') {
      const [owner, lane = ''] = split(rest);
      if (Number(owner) === membership.me()) listener?.onQueued(read(lane));
    }
  };

  const leave = async (): Promise<void> => {
    if (listener === undefined) return;
    listener = undefined;
    for (const forgotten of [wanted, asking, inherited]) forgotten.clear();
    await ear?.close();
    await membership.leave();
  };

  return {
    async join(told) {
      if (listener !== undefined) throw new Error('This store takes part already');
      listener = told;
      try {
        ear = await listen({ ...listening, onNotice, onGap: onOrphans });
        await membership.join({
          onOrphans,
          onLost() {
            inherited.clear();
            told.onLost();
          },
          onBeat: async () => void (await Promise.all([lookAtWanted(), ear?.check()])),
        });
      } catch (error) {
        await leave();
        throw error;
      }
      return leave;
    },
    async claim(lane) {
      const claimed = await claim(lane);
      return inherited.delete(lane) && claimed === 'claimed' ? 'inherited' : claimed;
    },
    release: (lane) => release(lane),
    async claimAll(lanes) {
      const claimed = await Promise.all(lanes.map(claim));
      for (const [index, lane] of lanes.entries()) if (claimed[index] === 'inherited') inherited.add(lane);
      return new Set(lanes.filter((_, index) => claimed[index] !== 'refused'));
    },
    leave,
  };
}

/** The first word, and what is behind it. */
function split(text: string): readonly [string, string?] {
  const end = text.indexOf(' ');
  return end === -1 ? [text] : [text.slice(0, end), text.slice(end + 1)];
}

interface ClaimRow {
  readonly lane: string;
  readonly ours: boolean;
  readonly inherited: boolean | null;
}
