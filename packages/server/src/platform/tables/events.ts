// Events out: who is told of what happens in a company.
import { defineTable, flag, integer, internal, json, key, lasting, optional, plain, staying, text } from '@hilo/stores';

const process = 'a process that delivers';

/** Who is told. The secret that deliveries are signed with is among the secrets of the company. */
export const eventSubscriptions = defineTable(
  'event_subscriptions',
  {
    companyId: key(text()),
    id: key(plain()),
    url: plain(),
    /** Names of events, `message.*` or `*`. */
    events: json<readonly string[]>(),
    /** While it is paused, what happens is kept for it. */
    isPaused: flag(),
    createdAtMs: lasting(optional(integer())),
    /** The process that delivers to it, and until when; after that any process may claim it. */
    claimedBy: staying(internal(optional(plain())), process),
    claimedUntilMs: staying(internal(optional(integer())), process),
    /** Nothing is tried before: it did not take what was sent last. */
    notBeforeMs: staying(internal(optional(integer())), process),
  },
  { moves: 'copied', personal: 'none' },
);

/** Who is told, as processes keep it in memory. */
export interface Subscription {
  readonly companyId: string;
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly isPaused: boolean;
  readonly secret: string;
}

/** Where a delivery is: a parked one was tried for long, and is given up until it is replayed. */
export const deliveryStates = ['pending', 'delivered', 'parked'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** How the last attempt of a delivery ended: with a status, or why there was none. */
export interface DeliveryAnswer {
  readonly atMs: number;
  readonly tookMs: number;
  readonly status?: number;
  readonly code?: string;
  /** The beginning of the answer, or the sentence of the failure. */
  readonly text: string;
}
