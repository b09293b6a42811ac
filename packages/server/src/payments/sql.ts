import type { Value } from '@hilo/stores';
import type { Selectable } from 'kysely';
import { isNotAway } from '../platform/database/not-away.ts';
import { type PaymentTable, statement } from '../platform/database/schema.ts';

/** The columns of a payment, without internal ones. */
export type PaymentColumns = Omit<Selectable<PaymentTable>, 'effect_key' | 'tell_at_ms'>;

type Place = { readonly companyId: string; readonly paymentId: string };

/** A requested payment. */
export interface NewPayment {
  readonly [name: string]: Value;
  readonly companyId: string;
  readonly paymentId: string;
  readonly effectKey: string;
  readonly workflowId: string;
  readonly nodeId: string;
  readonly executionId: string;
  readonly provider: string;
  readonly credentialId: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** Returns no row when the same effect has requested it already. */
export const insertPayment = statement<NewPayment>()((db, given) =>
  db
    .insertInto('payments')
    .values({
      company_id: given.companyId,
      payment_id: given.paymentId,
      effect_key: given.effectKey,
      workflow_id: given.workflowId,
      node_id: given.nodeId,
      execution_id: given.executionId,
      provider: given.provider,
      credential_id: given.credentialId,
      amount: given.amount,
      currency: given.currency,
      description: given.description,
      status: 'requested',
      created_at_ms: given.createdAtMs,
      expires_at_ms: given.expiresAtMs,
    })
    .onConflict((conflict) => conflict.columns(['company_id', 'effect_key']).doNothing())
    .returning('payment_id'),
);

/** Counts a test; returns no row, and counts nothing, at the limit (PAY-02). */
export const countTest = statement<{
  readonly companyId: string;
  readonly workflowId: string;
  readonly nodeKey: string;
  readonly max: number;
}>()((db, given) =>
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

const columns = [
  'id',
  'company_id',
  'payment_id',
  'workflow_id',
  'node_id',
  'execution_id',
  'provider',
  'credential_id',
  'amount',
  'currency',
  'description',
  'status',
  'reference',
  'url',
  'created_at_ms',
  'expires_at_ms',
  'changed_at_ms',
  'heard',
] as const;

/** The payment that an effect has requested. */
export const selectPaymentByEffect = statement<{ readonly companyId: string; readonly effectKey: string }>()((db, given) =>
  db.selectFrom('payments').select(columns).where('company_id', '=', given.companyId).where('effect_key', '=', given.effectKey),
);

/** A payment of a company by its id. */
export const selectPayment = statement<Place>()((db, given) =>
  db.selectFrom('payments').select(columns).where('company_id', '=', given.companyId).where('payment_id', '=', given.paymentId),
);

/** A test, by the id in its page's address. */
export const selectTest = statement<{ readonly paymentId: string }>()((db, given) =>
  db.selectFrom('payments').select(columns).where('payment_id', '=', given.paymentId).where('provider', '=', 'test'),
);

/** Stores the checkout of a payment, whose end may have been reported before. */
export const updateCheckout = statement<Place & { readonly reference: string; readonly url: string }>()((db, given) =>
  db
    .updateTable('payments')
    .set((eb) => ({
      reference: given.reference,
      url: given.url,
      status: eb.case().when('status', '=', 'requested').then('open').else(eb.ref('status')).end(),
    }))
    .where('company_id', '=', given.companyId)
    .where('payment_id', '=', given.paymentId),
);

/** Returns no row when the event was stored already. */
export const insertEvent = statement<
  Place & { readonly source: string; readonly eventKey: string; readonly status: string; readonly nowMs: number }
>()((db, given) =>
  db
    .insertInto('payment_events')
    .values({
      company_id: given.companyId,
      source: given.source,
      event_key: given.eventKey,
      payment_id: given.paymentId,
      status: given.status,
      at_ms: given.nowMs,
    })
    .onConflict((conflict) => conflict.columns(['company_id', 'source', 'event_key']).doNothing())
    .returning('event_key'),
);

type Change = Place & { readonly status: string; readonly nowMs: number };

/** Sets the final status of a payment; returns no row when it has one. */
export const endPayment = statement<Change>()((db, given) =>
  db
    .updateTable('payments')
    .set({ status: given.status, changed_at_ms: given.nowMs, tell_at_ms: given.nowMs, heard: null })
    .where('company_id', '=', given.companyId)
    .where('payment_id', '=', given.paymentId)
    .where('status', 'in', ['requested', 'open', 'pending'])
    .returning('payment_id'),
);

/** Marks a payment as pending, unless its status is further already. */
export const beginPayment = statement<Change>()((db, given) =>
  db
    .updateTable('payments')
    .set({ status: given.status, changed_at_ms: given.nowMs, tell_at_ms: given.nowMs })
    .where('company_id', '=', given.companyId)
    .where('payment_id', '=', given.paymentId)
    .where('status', 'in', ['requested', 'open'])
    .returning('payment_id'),
);

/** The first hundred events of a payment, the oldest first. */
export const selectEvents = statement<Place>()((db, given) =>
  db
    .selectFrom('payment_events')
    .select(['status', 'at_ms'])
    .where('company_id', '=', given.companyId)
    .where('payment_id', '=', given.paymentId)
    .orderBy('at_ms')
    .limit(100),
);

/** A hundred payments whose executions are due to be signalled, the longest due first. */
export const selectPaymentsToReport = statement<{ readonly nowMs: number }>()((db, given) =>
  db
    .selectFrom('payments')
    .select(['company_id', 'payment_id', 'execution_id', 'status', 'changed_at_ms'])
    .where('tell_at_ms', '<=', given.nowMs)
    .where(isNotAway(db, 'payments'))
    .orderBy('tell_at_ms')
    .limit(100),
);

/** @param notifyAtMs - null once the execution continued or stopped waiting. A payment that changed meanwhile is signalled again. */
export const postponeNotification = statement<
  Place & { readonly status: string; readonly notifyAtMs: number | null; readonly heard: string | null }
>()((db, given) =>
  db
    .updateTable('payments')
    .set({ tell_at_ms: given.notifyAtMs, heard: given.heard })
    .where('company_id', '=', given.companyId)
    .where('payment_id', '=', given.paymentId)
    .where('status', '=', given.status),
);

interface Page {
  readonly companyId: string;
  readonly before: number;
  readonly limit: number;
}

const createPageStatement = (column: 'workflow_id' | 'execution_id' | undefined) =>
  statement<{ readonly [Name in keyof Page]: Page[Name] } & { readonly value: string }>()((db, given) => {
    const page = db
      .selectFrom('payments')
      .select(columns)
      .where('company_id', '=', given.companyId)
      .where('id', '<', given.before)
      .orderBy('id', 'desc')
      .limit(given.limit);
    return column === undefined ? page : page.where(column, '=', given.value);
  });

/** Payments, the newest first: all of a company, of a workflow, or of an execution. */
export const selectPaymentsOf = {
  company: createPageStatement(undefined),
  workflow: createPageStatement('workflow_id'),
  execution: createPageStatement('execution_id'),
} as const;
