import type { Json } from '@hilo/engine/contract';
import { counted, defineTable, integer, internal, json, key, lasting, optional, plain, text } from '@hilo/stores';

/** Deployed functions. Paths name no company. */
export const functions = defineTable(
  'functions',
  {
    functionId: key(plain()),
    companyId: text(),
    name: plain(),
    /** The source of the deployed module. */
    source: plain(),
    tools: json<readonly Json[]>(),
    /** Grows with each redeploy. */
    deployment: counted(0),
  },
  { moves: 'copied', personal: 'none', unique: 'functionId' },
);

/** Tokens of one function each (AUT-09), by their hashes. */
export const runtimeTokens = defineTable(
  'runtime_tokens',
  {
    companyId: key(text()),
    functionId: key(plain()),
    id: key(plain()),
    name: plain(),
    prefix: plain(),
    /** SHA-256. */
    hash: plain(),
    createdAtMs: lasting(optional(integer())),
    lastUsedAtMs: lasting(optional(integer())),
    /** When it is or was revoked; it is refused from the end of the redeploy on (TOK-04). */
    revokedAtMs: lasting(optional(integer())),
    /** When the redeploy after its revocation ended: from then on the token is refused. */
    redeployedAtMs: internal(optional(integer())),
  },
  {
    moves: 'copied',
    personal: 'none',
    unique: 'hash',
    indexes: {
      byHash: { on: ['hash'], isUnique: true },
      revoking: { on: ['functionId'], where: 'revoked_at_ms is not null and redeployed_at_ms is null' },
    },
  },
);
