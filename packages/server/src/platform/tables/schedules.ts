// Starts by the clock: how far each rule of a published canvas is, and the starts that wait for their time, were made, or were missed.
import type { Json, JsonObject } from '@hilo/engine/contract';
import { defineTable, integer, json, key, keyOf, oneOf, optional, plain, text } from '@hilo/stores';

/** Up to which instant a rule was dealt with: what falls due later is still to come. */
export const schedules = defineTable(
  'schedules',
  {
    companyId: key(text()),
    workflowId: key(text()),
    nodeId: key(text()),
    kind: key(oneOf(['cron', 'date'])),
    /** What the rule says: another text is another rule, which begins anew. */
    rule: text(),
    throughMs: integer(),
  },
  { moves: 'copied', personal: 'none' },
);

/** `waiting` for its time, `running` while it is made for one contact after the other; the others have ended. */
export const startStatuses = ['waiting', 'running', 'started', 'missed', 'cancelled', 'failed'] as const;
export type StartStatus = (typeof startStatuses)[number];

/** Starts, one row each: for the company, a user, or each contact of an audience. */
export const scheduledStarts = defineTable(
  'scheduled_starts',
  {
    companyId: key(text()),
    id: key(plain()),
    workflowId: text(),
    nodeId: optional(text()),
    /** The company, a group, a segment, or whoever has such a date; null for a start that names its user, or none. */
    audience: json<Json>(),
    /** Empty for the company, and where a job finds the bot and the user of each. */
    botId: text(),
    userId: text(),
    userKey: keyOf('userId'),
    inputs: json<JsonObject>(),
    status: oneOf(startStatuses),
    dueAtMs: integer(),
    /** How late it may be made. */
    graceMs: integer(),
    /** How many due times it stands for: several, where many were missed together. */
    times: integer(),
    /** The job that makes it for each contact. */
    jobId: optional(plain()),
    /** How many contacts had which outcome, once that job has ended. */
    counts: optional(json<{ readonly [outcome: string]: number }>()),
    executionId: optional(plain()),
    /** Why it was missed, or failed. */
    reason: optional(plain()),
    createdBy: text(),
    createdAtMs: integer(),
    endedAtMs: optional(integer()),
  },
  {
    moves: 'copied',
    personal: { of: 'user', column: 'userKey', among: 'botId' },
    foundBy: 'others',
    indexes: {
      byUser: { on: ['companyId', 'botId', 'userKey'] },
      byDue: { on: ['companyId', 'dueAtMs', 'id'] },
      open: { on: ['dueAtMs', 'companyId'], where: "status in ('waiting', 'running')" },
    },
  },
);
