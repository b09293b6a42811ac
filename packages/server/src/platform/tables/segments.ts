// Conditions over contacts that are saved under a name.
import { defineTable, integer, key, text } from '@hilo/stores';

/** Segments: who is in one is found anew each time. */
export const segments = defineTable(
  'segments',
  {
    companyId: key(text()),
    name: key(text()),
    /** In the language of expressions. */
    condition: text(),
    createdAtMs: integer(),
    updatedAtMs: integer(),
  },
  { moves: 'copied', personal: 'none' },
);
