// Messages of both directions, and those of them that are not sent yet. Columns of keys hold what `encodeKey` of `@hilo/stores` gives.
import type { JsonObject } from '@hilo/engine/contract';
import { counted, defineTable, integer, json, keyOf, numbered, oneOf, optional, plain, text } from '@hilo/stores';

/** Messages that were sent or received, in the order of acceptance. */
export const messages = defineTable(
  'messages',
  {
    id: numbered(),
    companyId: text(),
    botId: text(),
    userKey: keyOf('userId'),
    userId: text(),
    messageId: text(),
    direction: oneOf(['inbound', 'outbound']),
    message: json<JsonObject>(),
    /** Unique in the company; absent for an inbound message. */
    idempotencyKey: optional(plain()),
    status: plain(),
    createdAtMs: integer(),
    executionId: optional(plain()),
    nodeId: optional(plain()),
    /** Set when it failed, or no workflow accepted it. */
    cause: optional(plain()),
  },
  {
    moves: 'copied',
    personal: { of: 'user', column: 'userKey', among: 'botId' },
    indexes: {
      byKey: { on: ['companyId', 'idempotencyKey'], isUnique: true, where: 'idempotency_key is not null' },
      byBot: { on: ['companyId', 'botId', 'id'] },
      byUser: { on: ['companyId', 'botId', 'userKey', 'id'] },
      byName: { on: ['companyId', 'botId', 'messageId'] },
      /** What failed, and what no workflow took. */
      byTrouble: { on: ['companyId', 'botId', 'id'], where: 'cause is not null' },
    },
  },
);

/** Messages that are not sent yet, in the order of acceptance. A row is removed when its message was sent or finally failed. */
export const outbox = defineTable(
  'outbox',
  {
    id: numbered('never reused'),
    companyId: text(),
    botId: text(),
    userKey: plain(),
    /** The key of its row in `messages`. */
    idempotencyKey: plain(),
    attempts: integer(),
    /** When it may be claimed: after another claim expires, or after a pause between tries. */
    dueAtMs: integer(),
    /** The process that holds the claim, or held it when it died. */
    claimedBy: optional(plain()),
    /** Whether a claim of another process has expired: that process may have sent the message. */
    wasInterrupted: counted(0),
  },
  {
    moves: 'copied',
    personal: { of: 'user', column: 'userKey', among: 'botId' },
    indexes: {
      byKey: { on: ['companyId', 'idempotencyKey'], isUnique: true },
      byLane: { on: ['companyId', 'botId', 'userKey', 'id'] },
    },
  },
);
