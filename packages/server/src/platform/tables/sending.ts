// What is known of messages that were sent: their outcomes, the keys of their requests, how fast bots send, and what providers report.
// Columns of keys hold what `encodeKey` of `@hilo/stores` gives.
import { defineTable, integer, key, optional, plain, text } from '@hilo/stores';

/** What became of a message that left by the outbox. */
export const messageOutcomes = defineTable(
  'message_outcomes',
  {
    companyId: key(text()),
    botId: key(text()),
    messageId: key(text()),
    /** Set when it failed. */
    code: optional(plain()),
    explanation: optional(plain()),
    updatedAtMs: integer(),
  },
  { moves: 'copied', personal: { of: 'message', column: 'messageId' } },
);

/** An `Idempotency-Key` and what it was used for (MSG-43). */
export const sendKeys = defineTable(
  'send_keys',
  {
    companyId: key(text()),
    botId: key(text()),
    sendKey: key(plain()),
    /** The fingerprint of the request: another one with the same key is refused. */
    fingerprint: plain(),
    messageId: text(),
    untilMs: integer(),
    /** When a text that is gathered with others leaves; absent for a message, which has a name. */
    leavesAtMs: optional(integer()),
  },
  { moves: 'copied', personal: { of: 'message', column: 'messageId' }, indexes: { byAge: { on: ['untilMs'] } } },
);

/** How far a bot is ahead of its provider's rate: the instant when all sent messages are through, in microseconds since 1970. */
export const sendPaces = defineTable(
  'send_paces',
  {
    companyId: key(text()),
    botId: key(text()),
    conversationsUs: integer(),
    /** Campaigns included. */
    allUs: integer(),
  },
  { moves: 'copied', personal: 'none' },
);

/** A message by the provider's id, learned from our request, from a report of the provider, or both. */
export const providerMessages = defineTable(
  'provider_messages',
  {
    companyId: key(text()),
    botId: key(text()),
    providerKey: key(plain()),
    /** Absent until the provider's answer is kept: a report about the message may come before that. */
    messageId: optional(text()),
    /** Rank of the status: only a higher one replaces it. */
    statusRank: integer(),
    status: optional(plain()),
    code: optional(plain()),
    explanation: optional(plain()),
    atMs: integer(),
  },
  { moves: 'copied', personal: { of: 'message', column: 'messageId' }, indexes: { byAge: { on: ['atMs'] } } },
);

/** What a provider has reported about a user. */
export const providerUsers = defineTable(
  'provider_users',
  {
    companyId: key(text()),
    botId: key(text()),
    userKey: key(plain()),
    /** Where the user is reached. */
    address: optional(text()),
    /** When it refused a message because the 24-hour window was closed (WIN-02). */
    windowClosedAtMs: optional(integer()),
  },
  { moves: 'copied', personal: { of: 'user', column: 'userKey', among: 'botId' } },
);
