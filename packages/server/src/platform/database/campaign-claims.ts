import type { Migration } from '@hilo/stores';

/** Who sends a campaign now, an index of those that are to be sent, and a number by which two writers of a room's tags notice each other. */
export const campaignClaims: Migration = ({ integer }) => [
  'alter table campaigns add column claimed_by text',
  `alter table campaigns add column claimed_until_ms ${integer}`,
  `create index campaigns_open on campaigns (created_at_ms, id) where status in ('PENDING', 'IN_PROGRESS')`,
  `alter table rooms add column tags_revision ${integer} not null default 0`,
];
