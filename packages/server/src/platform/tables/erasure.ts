// What is kept about erasures: which executions they removed, and which files of the history outbox have histories of whom.
import { defineTable, integer, key, keyOf, plain, text } from '@hilo/stores';

/** Executions that were erased with their person: their id alone, so that whoever asks for one is told why nothing is there. */
export const erasedExecutions = defineTable(
  'erased_executions',
  { companyId: key(text()), executionId: key(plain()), erasedAtMs: integer() },
  { moves: 'copied', personal: 'none', foundBy: 'others' },
);

/** The files of the history outbox with histories of a user: they stay longer than the executions. */
export const historyObjects = defineTable(
  'history_objects',
  {
    companyId: key(text()),
    userKey: key(keyOf('userId')),
    /** With the place of the outbox: `s3://bucket/prefix/2031/03/03/….ndjson.gz`. */
    object: key(plain()),
    userId: text(),
  },
  { moves: 'copied', personal: { of: 'user', column: 'userKey' }, foundBy: 'others' },
);
