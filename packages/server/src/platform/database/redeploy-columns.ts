import type { Migration } from '@hilo/stores';

/** How often a function was deployed again, and when a token's revocation was over (TOK-04). */
export const redeployColumns: Migration = ({ integer }) => [
  `alter table functions add column deployment ${integer} not null default 0`,
  `alter table runtime_tokens add column redeployed_at_ms ${integer}`,
  'create index runtime_tokens_revoking on runtime_tokens (function_id) where revoked_at_ms is not null and redeployed_at_ms is null',
];
