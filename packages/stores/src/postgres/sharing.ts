import type { Client, Pool } from 'pg';
import type { Sharing } from '../sharing.ts';
import { enqueueAndTell } from '../statements/queue.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { Interval } from './interval.ts';
import { leaseQuestions } from './lease-questions.ts';
import { createLeases, type PostgresLeases } from './leases.ts';
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
  const questions = leaseQuestions(schema);
  const membership = createMembership({ pool, questions, clock, every, leaseMs });
  const leases = createLeases({ pool, questions, membership, listening: { connect, channel: schema } });
  return { me: membership.me, claimAll: leases.claimAll, enqueue: enqueueAndTell(schema), leases, membership };
}
