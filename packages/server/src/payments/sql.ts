// Statements over payments, their events and the tests of canvases that ask for one.
import { integer, type ItemOf, lookup, pick, text } from '@hilo/stores';
import { isNotAway } from '../platform/database/not-away.ts';
import { query } from '../platform/database/schema.ts';
import { paymentEvents, payments } from '../platform/tables/payments.ts';

/** A payment as its row has it. */
export type StoredPayment = ItemOf<typeof payments.columns>;

const { paymentId, effectKey, status, tellAtMs, heard, workflowId, executionId } = payments.columns;

/** Counts a test; returns no row, and counts nothing, at the limit (PAY-02). */
export const countTest = query({ companyId: text(), workflowId: text(), nodeKey: lookup(), max: integer() }, {}, (db, given) =>
  db
    .insertInto('payment_tests')
    .values({ company_id: given.companyId, workflow_id: given.workflowId, node_key: given.nodeKey, number: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'workflow_id', 'node_key'])
        .doUpdateSet((eb) => ({ number: eb('payment_tests.number', '+', 1) }))
        .where('payment_tests.number', '<', given.max),
    )
    .returning('number'),
);

/** The payment that an effect has requested. */
export const selectPaymentByEffect = payments.select({ effectKey }, (rows, given) => rows.where('effect_key', '=', given.effectKey));

/** A payment of a company by its id. */
export const selectPayment = payments.select({ paymentId }, (rows, given) => rows.where('payment_id', '=', given.paymentId));

/** Stores the checkout of a payment, whose end may have been reported before. */
export const updateCheckout = payments.change(
  { paymentId, reference: payments.columns.reference, url: payments.columns.url },
  (rows, given) =>
    rows
      .set((eb) => ({
        reference: given.reference,
        url: given.url,
        status: eb.case().when('status', '=', 'requested').then('open').else(eb.ref('status')).end(),
      }))
      .where('payment_id', '=', given.paymentId),
);

/** Sets the final status of a payment; returns no row when it has one. */
export const endPayment = payments.change({ paymentId, status, nowMs: integer() }, (rows, given) =>
  rows
    .set({ status: given.status, changed_at_ms: given.nowMs, tell_at_ms: given.nowMs, heard: null })
    .where('payment_id', '=', given.paymentId)
    .where('status', 'in', ['requested', 'open', 'pending']),
);

/** Marks a payment as pending, unless its status is further already. */
export const beginPayment = payments.change({ paymentId, status, nowMs: integer() }, (rows, given) =>
  rows
    .set({ status: given.status, changed_at_ms: given.nowMs, tell_at_ms: given.nowMs })
    .where('payment_id', '=', given.paymentId)
    .where('status', 'in', ['requested', 'open']),
);

/** The first hundred events of a payment, the oldest first. */
export const selectEvents = paymentEvents.read(['status', 'atMs'], { paymentId }, (rows, given) =>
  rows.where('payment_id', '=', given.paymentId).orderBy('at_ms').limit(100),
);

/** A hundred payments whose executions are due to be signalled, the longest due first. */
export const selectPaymentsToReport = query(
  { nowMs: integer() },
  pick(payments.columns, 'companyId', 'paymentId', 'executionId', 'status', 'changedAtMs'),
  (db, given) =>
    db
      .selectFrom('payments')
      .select(['company_id', 'payment_id', 'execution_id', 'status', 'changed_at_ms'])
      .where('tell_at_ms', '<=', given.nowMs)
      .where(isNotAway(db, 'payments'))
      .orderBy('tell_at_ms')
      .limit(100),
);

/** Says when it is signalled next: never, once the execution continued or stopped waiting. One that changed meanwhile is signalled again. */
export const postponeNotification = payments.change({ paymentId, status, tellAtMs, heard }, (rows, given) =>
  rows.set({ tell_at_ms: given.tellAtMs, heard: given.heard }).where('payment_id', '=', given.paymentId).where('status', '=', given.status),
);

const page = { before: integer(), limit: integer() };

/** Payments, the newest first: all of a company, of a workflow, or of an execution. */
export const selectPaymentsOf = {
  company: payments.select(page, (rows, given) => rows.where('id', '<', given.before).orderBy('id', 'desc').limit(given.limit)),
  workflow: payments.select({ ...page, workflowId }, (rows, given) =>
    rows.where('id', '<', given.before).orderBy('id', 'desc').limit(given.limit).where('workflow_id', '=', given.workflowId),
  ),
  execution: payments.select({ ...page, executionId }, (rows, given) =>
    rows.where('id', '<', given.before).orderBy('id', 'desc').limit(given.limit).where('execution_id', '=', given.executionId),
  ),
} as const;
