// What belongs to payments: the events of their providers, and how many tests a node has made. Neither is ever removed. Columns of keys hold
// what `encodeKey` of `@hilo/stores` gives.
import { defineTable, integer, key, plain, text } from '@hilo/stores';

/** Events of providers, each stored once (P10). */
export const paymentEvents = defineTable(
  'payment_events',
  {
    companyId: key(text()),
    /** The credential that signed it; empty for a test. */
    source: key(plain()),
    eventKey: key(plain()),
    paymentId: text(),
    status: plain(),
    atMs: integer(),
  },
  // Ids that a payment provider gave to its calls.
  { moves: 'copied', personal: 'none', indexes: { byPayment: { on: ['companyId', 'paymentId', 'atMs'] } } },
);

/** How many tests each node of a workflow has made (PAY-02). */
export const paymentTests = defineTable(
  'payment_tests',
  { companyId: key(text()), workflowId: key(text()), nodeKey: key(plain()), number: integer() },
  { moves: 'copied', personal: 'none' },
);
