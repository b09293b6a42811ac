// Events out: who is told of what happens in a company, and what is on its way to them.
import { defineTable, flag, integer, internal, json, key, lasting, numbered, oneOf, optional, plain, staying, text } from '@hilo/stores';

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

/** Events for those who are told, one row for each of them: written in the transaction of what it tells. */
export const eventDeliveries = defineTable(
  'event_deliveries',
  {
    /** In the order in which they were written. */
    seq: numbered(),
    companyId: text(),
    subscriptionId: plain(),
    eventId: plain(),
    type: plain(),
    atMs: integer(),
    /** The key of the person whom it is about, or of the thing: events with one key are sent one after the other. */
    subjectKey: plain(),
    /** JSON. */
    data: plain(),
    state: oneOf(deliveryStates),
    attempts: integer(),
    /** Not tried before; 0 is at once. */
    dueAtMs: integer(),
    /** When the time began in which it is tried. */
    sinceMs: integer(),
    endedAtMs: optional(integer()),
    /** How the last attempt ended. */
    answer: optional(json<DeliveryAnswer>()),
  },
  {
    moves: 'copied',
    personal: { of: 'person', column: 'subjectKey' },
    indexes: {
      pending: { on: ['companyId', 'subscriptionId', 'seq'], where: "state = 'pending'" },
      failing: { on: ['companyId', 'subscriptionId', 'subjectKey'], where: "state = 'pending' and attempts > 0" },
      over: { on: ['companyId', 'subscriptionId', 'state', 'seq'], where: "state <> 'pending'" },
      ended: { on: ['endedAtMs'], where: 'ended_at_ms is not null' },
    },
  },
);

/** How the last attempt of a delivery ended: with a status, or why there was none. */
export interface DeliveryAnswer {
  readonly atMs: number;
  readonly tookMs: number;
  readonly status?: number;
  readonly code?: string;
  /** The beginning of the answer, or the sentence of the failure. */
  readonly text: string;
}
