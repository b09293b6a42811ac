import type { Pool } from 'pg';
import { storeUnavailable } from '../store-error.ts';
import { retry } from './retry.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { Interval } from './interval.ts';
import type { LeaseQuestions } from './lease-questions.ts';

/** What a member is told. */
interface Told {
  /** It was taken for dead. */
  onLost(): void;
  /** Others died, or may have. */
  onOrphans(): void;
  /** It lives, and so does the server. */
  onBeat(): Promise<void>;
}

/** One process among those that share a store. Its number is new whenever it was taken for dead. */
export interface Membership {
  /** Its number; 0 while it does not take part. */
  me(): number;
  /**
   * What a transaction must find out of this member before it writes.
   *
   * @throws {HiloError} `STORE_UNAVAILABLE` while it was taken for dead and has no new number
   */
  fence(): number;
  /** Was taken for dead, as a transaction found out. */
  lose(member: number): void;
  /** Its number, once it has one. */
  joined(): Promise<number>;
  join(told: Told): Promise<void>;
  leave(): Promise<void>;
}

interface Surroundings {
  readonly pool: Pool;
  readonly questions: LeaseQuestions;
  readonly clock: DatabaseClock;
  readonly every: Interval;
  readonly leaseMs: number;
}

export function createMembership({ pool, questions, clock, every, leaseMs }: Surroundings): Membership {
  let told: Told | undefined;
  let member = 0;
  /** Resolves with the new number; there is none while this process is not taken for dead. */
  let rejoining: PromiseWithResolvers<number> | undefined;
  let isEntering = false;
  let stopBeating = (): void => undefined;

  const enter = async (): Promise<number> => {
    const ask = () => pool.query<{ readonly id: number; readonly now_ms: number }>(questions.join, [leaseMs]);
    const { rows } = await retry(() => clock.look(ask, (answer) => answer.rows[0]?.now_ms ?? 0));
    return rows[0]?.id ?? 0;
  };
  const remove = async (id: number): Promise<void> => {
    await retry(() => pool.query(questions.leave, [id]));
    await retry(() => pool.query(questions.clear));
  };

  const enterAgain = async (): Promise<void> => {
    if (isEntering) return;
    isEntering = true;
    try {
      const id = await enter();
      if (told === undefined) await remove(id);
      else {
        member = id;
        rejoining?.resolve(id);
        rejoining = undefined;
      }
    } finally {
      isEntering = false;
    }
  };

  const lose = (lost: number): void => {
    if (told === undefined || lost !== member || rejoining !== undefined) return;
    rejoining = Promise.withResolvers();
    rejoining.promise.catch(() => undefined); // whoever waits for it is told
    enterAgain().catch(() => undefined); // the next beat tries again
    told.onLost();
  };

  const beat = async (): Promise<void> => {
    if (rejoining !== undefined) return enterAgain();
    const asking = member;
    const ask = () => pool.query<Renewed>(questions.renew, [asking, leaseMs]);
    const { rows } = await clock.look(ask, (answer) => answer.rows[0]?.now_ms ?? 0);
    const [renewed] = rows;
    if (renewed === undefined || renewed.alive === 0) return lose(asking);
    if (renewed.removed > 0 || renewed.orphans) {
      await pool.query(questions.clear);
      if (renewed.removed === 0) told?.onOrphans(); // else the notice says so
    }
    await told?.onBeat();
  };

  return {
    me: () => (rejoining === undefined ? member : 0),
    fence() {
      if (rejoining !== undefined) throw storeUnavailable(takenForDead);
      return member;
    },
    lose,
    joined: async () => rejoining?.promise ?? member,
    async join(listener) {
      member = await enter();
      told = listener;
      // A server that is away is asked again at the next beat.
      stopBeating = every(leaseMs / 3, () => beat().catch(() => undefined));
    },
    async leave() {
      stopBeating();
      rejoining?.reject(storeUnavailable('this process takes part no longer'));
      const left = rejoining === undefined ? member : 0;
      told = undefined;
      member = 0;
      rejoining = undefined;
      if (left !== 0) await remove(left);
    },
  };
}

/** What a process is told that wrote after its lease. */
export const takenForDead = 'this process was taken for dead, and joins again';

interface Renewed {
  readonly alive: number;
  readonly removed: number;
  readonly now_ms: number;
  readonly orphans: boolean;
}
