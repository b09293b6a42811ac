import { channels, type JsonObject } from '@hilo/engine/contract';
import { defineTable, integer, json, key, keyOf, lasting, oneOf, optional, plain, text } from '@hilo/stores';

/** Companies; the id of one is the number of the workspace, as text. */
export const companies = defineTable(
  'companies',
  {
    companyId: key(text()),
    name: plain(),
    kind: plain(),
    plan: plain(),
    settings: json<JsonObject>(),
    /** An IANA name. */
    timeZone: optional(plain()),
    locale: optional(plain()),
    failureWorkflowId: optional(plain()),
  },
  { moves: 'stays' },
);

/** Clients of the REST API (AUT-01). */
export const clients = defineTable(
  'clients',
  {
    clientId: key(plain()),
    companyId: text(),
    /** Salted scrypt. */
    secretHash: plain(),
  },
  { moves: 'stays', unique: 'clientId' },
);

/** API keys (AUT-02), by their hashes. A revoked one is never restored by an old file. */
export const apiKeys = defineTable(
  'api_keys',
  {
    companyId: key(text()),
    id: key(plain()),
    name: optional(plain()),
    /** The first characters, to recognise it by. */
    prefix: plain(),
    /** SHA-256. */
    hash: plain(),
    createdAtMs: lasting(optional(integer())),
    lastUsedAtMs: lasting(optional(integer())),
    revokedAtMs: lasting(optional(integer())),
  },
  { moves: 'stays', unique: 'hash', indexes: { byHash: { on: ['hash'], isUnique: true } } },
);

/** Bots without the secrets of their providers. */
export const bots = defineTable(
  'bots',
  {
    botId: key(plain()),
    companyId: text(),
    name: plain(),
    channel: oneOf(channels),
    connectedAtMs: integer(),
    providerKind: plain(),
    /** The fields of the provider that are no secrets. */
    provider: json<JsonObject>(),
    settings: json<JsonObject>(),
  },
  { moves: 'stays', unique: 'botId' },
);

/** Encrypted values, of providers and credentials. */
export const secrets = defineTable(
  'secrets',
  {
    companyId: key(text()),
    /** `bot/{botId}/{field}` or `credential/{id}/{field}`. */
    secretId: key(plain()),
    sealed: plain(),
  },
  { moves: 'stays' },
);

/** Users as the workspace describes them. What a bot has learned of them is the engine's contact. */
export const users = defineTable(
  'users',
  {
    companyId: key(text()),
    userKey: key(keyOf('userId')),
    userId: text(),
    names: optional(text()),
    phone: optional(plain()),
    bsuid: optional(plain()),
    timeZone: optional(plain()),
    locale: optional(plain()),
  },
  { moves: 'copied' },
);

/** Credentials that canvases name, without their secrets. */
export const credentials = defineTable(
  'credentials',
  { companyId: key(text()), id: key(plain()), kind: plain(), fields: json<JsonObject>() },
  { moves: 'stays' },
);

/** Workflows as a workspace last imported them: only a changed one is imported again. */
export const importedWorkflows = defineTable(
  'imported_workflows',
  { companyId: key(text()), workflowId: key(text()), fingerprint: plain() },
  { moves: 'copied' },
);
