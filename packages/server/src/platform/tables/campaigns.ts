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
    /** `pending`, `sent` or `failed`. */
    status: plain(),
    messageId: optional(text()),
  },
  {
    moves: 'copied',
    personal: { of: 'user', column: 'userKey', among: 'campaignId' },
    foundBy: 'others',
    indexes: { byStatus: { on: ['companyId', 'campaignId', 'status', 'position'] } },
  },
);
