// Payments, the events of their providers, and how many tests a node has made. None is ever removed. Columns of keys hold what `encodeKey` of
// `@hilo/stores` gives.
import { defineTable, integer, key, numbered, optional, plain, text } from '@hilo/stores';

/** Payments that executions requested, in the order of requests. */
export const payments = defineTable(
  'payments',
  {
    id: numbered(),
    companyId: text(),
    /** Random and unique across companies: part of the address of a test's page. */
    paymentId: plain(),
    /** The idempotency key of the effect that requested it (P4). */
    effectKey: plain(),
    workflowId: text(),
    nodeId: text(),
    executionId: plain(),
    /** `test`, or the kind of the credential. */
    provider: plain(),
    credentialId: optional(text()),
    amount: integer(),
    currency: plain(),
    description: text(),
    /** `requested`, `open`, `pending`, `approved`, `rejected` or `expired`. */
    status: plain(),
    /** The provider's own name for the checkout, once there is one. */
    reference: optional(text()),
    url: optional(plain()),
    createdAtMs: integer(),
    /** Until when the execution waits, or about so. */
    expiresAtMs: integer(),
    /** When the provider last reported its status. */
    changedAtMs: optional(integer()),
    /** When the execution is to be signalled; absent when it was, or none waits. */
    tellAtMs: optional(integer()),
    /** Whether the execution was resumed by it: `in-time` or `late`; absent until it was signalled. */
    heard: optional(plain()),
  },
  {
    moves: 'copied',
    unique: 'paymentId',
    personal: {
      of: 'execution',
      column: 'executionId',
      blanks: { description: 'erased', url: null, reference: null, heard: null },
    },
    indexes: {
      byEffect: { on: ['companyId', 'effectKey'], isUnique: true },
      byName: { on: ['paymentId'], isUnique: true },
      byAge: { on: ['companyId', 'id'] },
      byWorkflow: { on: ['companyId', 'workflowId', 'id'] },
      byExecution: { on: ['companyId', 'executionId', 'id'] },
      untold: { on: ['tellAtMs'], where: 'tell_at_ms is not null' },
    },
  },
);

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
