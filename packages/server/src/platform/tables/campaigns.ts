// The tables of campaigns and their recipients.
import { counted, defineTable, integer, internal, json, key, keyOf, optional, plain, staying, text } from '@hilo/stores';

const process = 'a process that sends it';

/** Campaigns (CAM rules). */
export const campaigns = defineTable(
  'campaigns',
  {
    companyId: key(text()),
    id: key(text()),
    name: text(),
    elementName: text(),
    templateId: text(),
    botId: text(),
    status: plain(),
    scheduledAtMs: optional(integer()),
    createdAtMs: integer(),
    completedAtMs: optional(integer()),
    totalMessages: integer(),
    deliveredMessages: integer(),
    failedMessages: integer(),
    /** The process that sends it, and until when; after that any process may claim it. */
    claimedBy: staying(internal(optional(plain())), process),
    claimedUntilMs: staying(internal(optional(integer())), process),
    /** Recipients who have stopped such messages. */
    skippedConsent: counted(0),
    /** Messages a second, at most; as many as its bot may send, when left out. */
    perSecond: optional(integer()),
    /** Since when nothing is sent, and why: who paused it, or what the provider did to its template. */
    pausedAtMs: optional(integer()),
    pauseReason: optional(text()),
  },
  {
    moves: 'copied',
    personal: 'none',
    foundBy: 'others',
    bytewise: ['id'],
    indexes: {
      byAge: { on: ['companyId', 'createdAtMs desc', 'id'] },
      byStatus: { on: ['companyId', 'status', 'createdAtMs desc', 'id'] },
      due: { on: ['scheduledAtMs'], where: "status = 'SCHEDULED'" },
      open: { on: ['createdAtMs', 'id'], where: "status in ('PENDING', 'IN_PROGRESS')" },
    },
  },
);

/** Recipients of campaigns, and how far their messages are. */
export const recipients = defineTable(
  'campaign_recipients',
  {
    companyId: key(text()),
    campaignId: key(text()),
    userKey: key(keyOf('userId')),
    userId: text(),
    /** In the order of the list, from 0. */
    position: integer(),
    parameters: json<{ readonly [name: string]: string }>(),
    /** `pending`, `sent`, `failed` or `skipped`. */
    status: plain(),
    messageId: optional(text()),
    /** Why it failed or was skipped. */
    cause: optional(plain()),
    /** When its outcome was kept. */
    settledAtMs: optional(integer()),
  },
  {
    moves: 'copied',
    personal: { of: 'user', column: 'userKey', among: 'campaignId' },
    foundBy: 'others',
    indexes: {
      byStatus: { on: ['companyId', 'campaignId', 'status', 'position'] },
      byUser: { on: ['companyId', 'userKey', 'settledAtMs'], where: 'settled_at_ms is not null' },
    },
  },
);
