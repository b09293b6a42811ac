import type { Pool } from 'pg';
import { storeUnavailable } from '@hilo/stores';
import type { DatabaseClock, Interval } from './database-clock.ts';
import type { MemberQueries } from './member-queries.ts';
import { retry } from './postgres-fault.ts';

/** Notifications to a member. */
interface MemberListener {
  /** It was declared dead. */
  onLost(): void;
  /** It has a new number, and owns nothing. */
  onEntered(): void;
  /** Its lease was renewed. */
  onBeat(): Promise<void>;
}

/** A process as a member of a shared store. It gets a new number whenever it was declared dead. */
export interface Membership {
  /** Its number; 0 while it is no member. */
  me(): number;
  /**
   * What a transaction must check about this member before it writes.
   *
   * @throws {HiloError} `STORE_UNAVAILABLE` while it is declared dead and has no new number
   */
  fence(): number;
  /** A transaction found that it was declared dead. */
  lose(member: number): void;
  /** Publishes the address at which others reach this process. */
  advertise(address: string): Promise<void>;
  join(listener: MemberListener): Promise<void>;
  leave(): Promise<void>;
}

interface MembershipParts {
  readonly pool: Pool;
  readonly queries: MemberQueries;
  readonly clock: DatabaseClock;
  readonly startInterval: Interval;
  readonly leaseMs: number;
}

export function createMembership({ pool, queries, clock, startInterval, leaseMs }: MembershipParts): Membership {
  let current: MemberListener | undefined;
  let member = 0;
  /** It was declared dead, and has no new number yet. */
  let isRejoining = false;
  let isEntering = false;
  let address: string | null = null;
  let stopBeating = (): void => undefined;

  const enter = async (): Promise<number> => {
    const query = () => pool.query<{ readonly id: number; readonly now_ms: number }>(queries.join, [leaseMs, address]);
    const { rows } = await retry(() => clock.synchronise(query, (answer) => answer.rows[0]?.now_ms ?? 0));
    return rows[0]?.id ?? 0;
  };
  const remove = async (id: number): Promise<void> => void (await retry(() => pool.query(queries.leave, [id])));

  const enterAgain = async (): Promise<void> => {
    if (isEntering) return;
    isEntering = true;
    try {
      const id = await enter();
      if (current === undefined) await remove(id);
      else {
        member = id;
        isRejoining = false;
        current.onEntered();
      }
    } finally {
      isEntering = false;
    }
  };

  const lose = (lost: number): void => {
    if (current === undefined || lost !== member || isRejoining) return;
    isRejoining = true;
    current.onLost();
    enterAgain().catch(() => undefined); // the next heartbeat tries again
  };

  const beat = async (): Promise<void> => {
    if (isRejoining) return enterAgain();
    const renewing = member;
    const query = () => pool.query<Renewed>(queries.renew, [renewing, leaseMs, address]);
    const { rows } = await clock.synchronise(query, (answer) => answer.rows[0]?.now_ms ?? 0);
    const [renewed] = rows;
    if (renewed === undefined || renewed.alive === 0) return lose(renewing);
    await current?.onBeat();
  };

  return {
    me: () => (isRejoining ? 0 : member),
    fence() {
      if (isRejoining) throw storeUnavailable(takenForDead);
      return member;
    },
    lose,
    async advertise(at) {
      address = at;
      if (member !== 0) await beat();
    },
    async join(listener) {
      member = await enter();
      current = listener;
      // A server that is down is retried at the next heartbeat.
      stopBeating = startInterval(leaseMs / 3, () => beat().catch(() => undefined));
    },
    async leave() {
      stopBeating();
      const left = isRejoining ? 0 : member;
      current = undefined;
      member = 0;
      isRejoining = false;
      if (left !== 0) await remove(left);
    },
  };
}

/** The error of a process that writes after its lease. */
export const takenForDead = 'this process was taken for dead, and joins again';

interface Renewed {
  readonly alive: number;
  readonly now_ms: number;
}
