import type { Client, Pool } from 'pg';
import { fenceFor, type Sharing, unfenced } from '../sharing.ts';
import { laneQuestions } from '../statements/lane-sql.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { Interval } from './interval.ts';
import { createLeases, type PostgresLeases } from './leases.ts';
import { memberQuestions } from './member-questions.ts';
import { createMembership, type Membership } from './membership.ts';

/** How processes share the store in one schema. */
export interface PostgresSharing extends Sharing {
  readonly membership: Membership;
  readonly leases: PostgresLeases;
}

interface SharingOptions {
  readonly pool: Pool;
  readonly connect: () => Client;
  readonly schema: string;
  readonly clock: DatabaseClock;
  readonly leaseMs: number;
  readonly every: Interval;
}

export function createSharing({ pool, connect, schema, clock, leaseMs, every }: SharingOptions): PostgresSharing {
  const questions = memberQuestions(schema);
  const membership = createMembership({ pool, questions, clock, every, leaseMs });
  const leases = createLeases({ pool, questions, membership, listening: { connect, channel: schema }, overdueMs: Math.round(leaseMs / 3) });
  return {
    me: membership.me,
    fence: (saves) => (leases.hasJoined() ? fenceFor(saves, membership.me(), leases.epochOf) : unfenced),
    questions: laneQuestions(true),
    leases,
    membership,
  };
}
