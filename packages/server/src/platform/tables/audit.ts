import { defineTable, integer, numbered, optional, plain, text } from '@hilo/stores';

/** What operators did: one row before it, and one after it. Rows are added, and removed by retention alone. */
export const audit = defineTable(
  'audit',
  {
    id: numbered('never reused'),
    /** Empty for what is of no company, or of several. */
    companyId: text(),
    atMs: integer(),
    requestId: text(),
    actor: text(),
    /** By which door the actor came. */
    via: plain(),
    action: plain(),
    objectKind: optional(text()),
    objectId: optional(text()),
    /** JSON. */
    before: optional(text()),
    /** JSON. */
    after: optional(text()),
    /** `asked`, or the status of the answer. */
    outcome: plain(),
  },
  {
    moves: { notBecause: 'what operators did here: it is on record where it was done' },
    personal: 'none',
    indexes: { byAge: { on: ['atMs'] }, byRequest: { on: ['requestId'] } },
  },
);
