import type { Migration } from '@hilo/stores';

/** Payments with what was said of them, and how many tests a node of a workflow has made (PAY-02). They are kept for good. */
export const paymentTables: Migration = ({ integer, growing, byKey }) => [
  `create table payments (
    id ${growing},
    company_id text not null,
    payment_id text not null,
    effect_key text not null,
    workflow_id text not null,
    node_id text not null,
    execution_id text not null,
    provider text not null,
    credential_id text,
    amount ${integer} not null,
    currency text not null,
    description text not null,
    status text not null,
    reference text,
    url text,
    created_at_ms ${integer} not null,
    expires_at_ms ${integer} not null,
    changed_at_ms ${integer},
    tell_at_ms ${integer},
    heard text
  )`,
  'create unique index payments_by_effect on payments (company_id, effect_key)',
  'create unique index payments_by_name on payments (payment_id)',
  'create index payments_by_age on payments (company_id, id)',
  'create index payments_by_workflow on payments (company_id, workflow_id, id)',
  'create index payments_by_execution on payments (company_id, execution_id, id)',
  'create index payments_untold on payments (tell_at_ms) where tell_at_ms is not null',
  `create table payment_events (
    company_id text not null,
    source text not null,
    event_key text not null,
    payment_id text not null,
    status text not null,
    at_ms ${integer} not null,
    primary key (company_id, source, event_key)
  ) ${byKey}`,
  'create index payment_events_by_payment on payment_events (company_id, payment_id, at_ms)',
  `create table payment_tests (
    company_id text not null,
    workflow_id text not null,
    node_key text not null,
    number ${integer} not null,
    primary key (company_id, workflow_id, node_key)
  ) ${byKey}`,
];
